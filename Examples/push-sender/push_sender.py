#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A push sender of one's own for Gatehouse: wakes apps whose people are asked to approve something.

    push_sender.py --issuer http://localhost:8080 --listen 127.0.0.1:9320 -- ./wake

In a state document:

    registration:
      approvals: {enabled: true, push_url: "http://127.0.0.1:9320/"}

For each installation it runs the command once, with one line of JSON on its standard input:

    {"push_token": "…", "installation_id": "…", "approval": "…", "user_id": "…", "expires_at": "…"}

What the command does with it is yours: Apple's or Google's pushing service, a message, a bell. Without a
command the line is printed. It verifies notices as the example of an identity provider does questions,
which lies beside it (docs/approvals.md, "Pushing"), and needs the package `cryptography`.
"""

import argparse
import json
import pathlib
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "identity-provider"))
sys.dont_write_bytecode = True

from cryptography.exceptions import InvalidSignature  # noqa: E402
from identity_provider import LONGEST_BODY, Questions  # noqa: E402

# Gatehouse waits five seconds for the answer, and whoever asks waits with it.
PATIENCE = 4


def wake(command, notice):
    """Tells the command of each installation; says how many were reached."""
    reached = 0
    for installation in notice["installations"]:
        line = json.dumps({
            **installation, "approval": notice["approval"], "user_id": notice["user_id"],
            "expires_at": notice["expires_at"]})
        if not command:
            print(line, flush=True)
            reached += 1
            continue
        try:
            done = subprocess.run(command, input=line + "\n", text=True, timeout=PATIENCE)
            reached += done.returncode == 0
        except subprocess.TimeoutExpired:
            print("the command was too slow", file=sys.stderr, flush=True)
    return reached


def handler(notices, command):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("content-length", "0"))
            body = self.rfile.read(min(length, LONGEST_BODY))
            try:
                notice = notices.read(body, self.headers.get("gatehouse-signature", ""))
                # Other events may come one day; they are not for apps.
                reached = wake(command, notice) if notice["event"] == "approval" else 0
                status, reply = 200, {"reached": reached}
            except (InvalidSignature, KeyError, ValueError, OSError) as error:
                status, reply = 403, {"error": str(error)}
            text = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    return Handler


def main():
    parser = argparse.ArgumentParser(description="A push sender of one's own for Gatehouse.")
    parser.add_argument("--issuer", default="http://localhost:8080")
    parser.add_argument("--listen", default="127.0.0.1:9320")
    parser.add_argument("--address", help="as the state document has it; http://LISTEN/ without it")
    parser.add_argument("command", nargs="*", help="run for each installation")
    options = parser.parse_args()
    host, port = options.listen.rsplit(":", 1)
    notices = Questions(
        options.issuer, options.address or f"http://{options.listen}/", kind="gatehouse-push")
    ThreadingHTTPServer((host, int(port)), handler(notices, options.command)).serve_forever()


if __name__ == "__main__":
    main()
