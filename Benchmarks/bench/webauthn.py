# SPDX-License-Identifier: Apache-2.0
"""WebAuthn ceremonies inside one process, on one core, beside OpenSSL's bare verification and
beside py_webauthn and python-fido2 with the same ceremonies in the same run."""

import json
import statistics
import subprocess
import sys

from bench import probes, release
from bench.results import Row

PEERS = ("py_webauthn", "python-fido2")


def ceremonies(root, seconds, rounds, folder, build):
    """One row for each ceremony."""
    speed = release.product(root, "webauthn-speed", build)
    python = root / ".venv" / "bin" / "python"
    if not python.exists():
        sys.exit("no .venv: Scripts/bootstrap test makes it")
    questions = folder / "ceremonies.jsonl"
    questions.write_bytes(run(python, root / "Benchmarks" / "webauthn" / "ceremonies.py"))
    peers = root / "Benchmarks" / "webauthn" / "peers.py"
    share = str(max(0.2, seconds / 10))
    ours, theirs, openssl = {}, {}, []
    for _ in range(rounds):
        openssl.append(probes.openssl_p256_verify(max(1, seconds // 5)))
        collect(ours, run(speed, questions, share))
        collect(theirs, run(python, peers, questions, share))
    verify = statistics.median(openssl)
    return [row(work, samples, theirs.get(work, []), verify) for work, samples in ours.items()]


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True).stdout


def collect(samples, output):
    for text in output.splitlines():
        line = json.loads(text)
        samples.setdefault(line["work"], []).append(line)


def row(work, ours, theirs, verify):
    reached = statistics.median(line.get("rate", 0) for line in ours)
    bars = []
    for peer in PEERS:
        rates = [line[peer] for line in theirs if line[peer]]
        if rates:
            bars.append((peer, statistics.median(rates), 1.5))
    # Only the faster peer is the bar.
    bars = sorted(bars, key=lambda bar: -bar[1])[:1]
    if work == "ES256 sign-in":
        bars.append(("OpenSSL P-256 verify", verify, 0.75))
    if work == "ES256 registration, none":
        bars.append(("one in 40 µs", 25_000, 1))
    if work == "ES256 registration, packed x5c":
        # Two verifications: the statement's and the certificate's.
        bars.append(("half of OpenSSL P-256 verify", verify / 2, 1 / 1.3))
    return Row(f"WebAuthn {work}", reached, "/s", bars, detail={"ours": ours, "peers": theirs})
