# SPDX-License-Identifier: Apache-2.0
"""Platform SSO: a password-less login and a key exchange beside the primitives they are made of, and
a minute in which every device wakes.

One login is what a Mac sends: a nonce, then the login with the assertion of the person's key in it,
one after the other over a connection that stays open. The bar is 1.5 times the primitives that the
provider needs for it (two verifications of ES256, one signature, one agreement on P-256, one
AES-GCM, and one durable commit), and two empty requests. A key exchange is the one request, with a nonce
that the machine has, and is held against its own: one verification, two agreements, one AES-GCM, the
durable commit without which no nonce would be used up, and one empty request. All of these are
taken in turns with the logins and exchanges.
"""

import json
import subprocess
import sys

from bench import gatehouse
from bench.results import Row


def rows(root, binary, folder, devices, seconds):
    python = root / ".venv" / "bin" / "python"
    if not python.exists():
        sys.exit("no .venv: Scripts/bootstrap test makes it")
    server = gatehouse.Gatehouse(binary, folder / "platform-sso")
    try:
        outcome = subprocess.run(
            [python, root / "Benchmarks" / "platform_sso" / "devices.py", server.origin,
             server.data / "admin.token", "user0", gatehouse.PASSWORD, str(devices),
             str(seconds), folder],
            check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        sys.exit(error.stderr)
    finally:
        server.stop()
    return table(json.loads(outcome.stdout), devices)


def table(measured, devices):
    unit = measured["beside_ms"]
    empty = unit["empty"]
    login = (2 * unit["verify"] + unit["sign"] + unit["agree"] + unit["seal"] + unit["commit"])
    exchange = unit["verify"] + 2 * unit["agree"] + unit["seal"] + unit["commit"]
    wake = measured["wake"]
    return [
        Row("Platform SSO: login with a key", measured["login_ms"], "ms",
            [("(1.5 × primitives + 2 empty)", 1.5 * login + 2 * empty, 1)], below=True,
            detail=measured),
        Row("Platform SSO: key exchange", measured["exchange_ms"], "ms",
            [("(1.5 × primitives + 1 empty)", 1.5 * exchange + empty, 1)], below=True),
        Row(f"Platform SSO: {devices} devices wake, p99", wake["p99_ms"], "ms",
            [("one second", 1000, 1)], below=True, detail=wake),
        Row(f"Platform SSO: {devices} devices wake, errors", wake["errors"], "",
            [("none", 0, 1)], below=True)]
