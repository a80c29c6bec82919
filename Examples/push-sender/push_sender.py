#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A push sender of one's own for Gatehouse: wakes apps whose people are asked to approve something.

    push_sender.py --issuer http://localhost:8080 --listen 127.0.0.1:9320 -- ./wake

In a state document:

    registration:
      approvals: {enabled: true, push_url: "http://127.0.0.1:9320/"}

For each installation it runs the command once, with one line of JSON on its standard input:

    {"push_token": "…", "installation_id": "…", "approval": "…", "user_id": "…", "expires_at": "…"}

What the command does with it is yours: Apple's or Google's pushing service, a message, a bell. Its exit code
says whether the installation was reached. Without a command the line is printed. It verifies notices as the example of an identity provider does questions,
which lies beside it (docs/approvals.md, "Pushing"), and needs the package `cryptography`.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "identity-provider"))
sys.dont_write_bytecode = True

from identity_provider import Questions, handler, serve  # noqa: E402

# Gatehouse waits five seconds for the answer to all of it, and whoever asks waits with it.
PATIENCE = 4
AT_ONCE = 32


def lines(notice):
    """What is said to each installation."""
    told = {name: notice[name] for name in ("approval", "user_id", "expires_at")}
    return [json.dumps({**installation, **told}) for installation in notice["installations"]]


def run(command, line, end):
    """Whether the command has reached an installation before the end."""
    left = end - time.monotonic()
    if left <= 0:
        return False
    try:
        return subprocess.run(command, input=line + "\n", text=True, timeout=left).returncode == 0
    except subprocess.TimeoutExpired:
        print("the command was too slow", file=sys.stderr, flush=True)
        return False


def wake(command, notice):
    """Tells the command of each installation, of all at once; says how many were reached."""
    # Other events may come one day; they are not for apps.
    if notice["event"] != "approval":
        return {"reached": 0}
    if not command:
        print(*lines(notice), sep="\n", flush=True)
        return {"reached": len(notice["installations"])}
    end = time.monotonic() + PATIENCE
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return {"reached": sum(pool.map(lambda line: run(command, line, end), lines(notice)))}


def main():
    parser = argparse.ArgumentParser(description="A push sender of one's own for Gatehouse.")
    parser.add_argument("--issuer", default="http://localhost:8080")
    parser.add_argument("--listen", default="127.0.0.1:9320")
    parser.add_argument("--address", help="as the state document has it; http://LISTEN/ without it")
    parser.add_argument("command", nargs="*", help="run for each installation")
    options = parser.parse_args()
    if options.command and not shutil.which(options.command[0]):
        parser.error(f"there is no command {options.command[0]}")
    notices = Questions(
        options.issuer, options.address or f"http://{options.listen}/", kind="gatehouse-push")
    serve(options.listen, handler(notices, lambda notice: wake(options.command, notice)))


if __name__ == "__main__":
    main()
