# SPDX-License-Identifier: Apache-2.0
"""WebAuthn sign-in inside one process, against OpenSSL's bare P-256 verification, on one core."""

import statistics
import subprocess

from bench import probes
from bench.results import Row


def webauthn_sign_in(root, seconds, rounds):
    scratch = root / ".build-release"
    binary = scratch / "release" / "webauthn-speed"
    if not binary.exists():
        subprocess.run(["swift", "build", "-c", "release", "--scratch-path", scratch,
                        "--product", "webauthn-speed"], cwd=root, check=True)
    ours, theirs = [], []
    for _ in range(rounds):
        theirs.append(probes.openssl_p256_verify(max(1, seconds // 2)))
        out = subprocess.run([binary, str(max(1, seconds // 2))],
                             check=True, capture_output=True, text=True).stdout
        ours.append(float(out))
    return Row("WebAuthn ES256 sign-in, in-process", statistics.median(ours), "/s",
               [("OpenSSL P-256 verify", statistics.median(theirs), 0.7)],
               detail={"ours": ours, "openssl": theirs})
