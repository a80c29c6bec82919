# SPDX-License-Identifier: Apache-2.0
"""A mail server (aiosmtpd) that keeps what it gets: one JSON line per message, in FILE.

    smtp_sink.py PORT FILE
"""

import email
import email.policy
import json
import sys
import threading

from aiosmtpd.controller import Controller


class Sink:
    def __init__(self, path):
        self.path = path

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        body = message.get_body(preferencelist=("plain",))
        with open(self.path, "a") as file:
            file.write(json.dumps({
                "from": envelope.mail_from, "to": envelope.rcpt_tos,
                "subject": str(message["Subject"]), "message_id": message["Message-ID"],
                "date": message["Date"], "text": body.get_content()}) + "\n")
        return "250 Kept"


if __name__ == "__main__":
    controller = Controller(Sink(sys.argv[2]), hostname="127.0.0.1", port=int(sys.argv[1]))
    controller.start()
    print("listening", flush=True)
    threading.Event().wait()
