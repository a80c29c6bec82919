# SPDX-License-Identifier: Apache-2.0
"""Security keys: client and authenticator over a socket pair, beside python-fido2.

One pair is a registration and a sign-in with it, from the relying party's options to its
verification of what comes back: ES256, no PIN, touched at once. On both sides client and
authenticator speak CTAPHID over a Unix stream socket that stays open, and the client asks the key
for its information in every ceremony. Ours are two threads of one process, relying party and client
on the one, the key on the other; python-fido2's relying party and client have an authenticator in
Python in a process of its own, so that the two can use a core each. Ours does more: it verifies the
self attestation, which python-fido2's server leaves out.
"""

import json
import statistics
import sys

from bench import release, webauthn
from bench.results import Row


def pairs(root, rounds, count, build):
    """One row: pairs a second."""
    python = root / ".venv" / "bin" / "python"
    if not python.exists():
        sys.exit("no .venv: Scripts/bootstrap test makes it")
    ours, theirs = [], []
    program = release.product(root, "security-key-check", build)
    script = root / "Benchmarks" / "keys" / "fido2_pairs.py"
    for _ in range(rounds):
        ours.append(rate(program, "pairs", count))
        theirs.append(rate(python, script, count))
    bars = [("python-fido2", statistics.median(theirs), 10)]
    return Row("Security key: register + sign in", statistics.median(ours), "/s", bars,
               detail={"pairs": count, "ours": ours, "python-fido2": theirs})


def rate(*command):
    measured = json.loads(webauthn.run(*command))
    return measured["pairs"] / measured["seconds"]
