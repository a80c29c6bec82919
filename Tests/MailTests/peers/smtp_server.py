# SPDX-License-Identifier: Apache-2.0
"""A real SMTP server (aiosmtpd) on loopback for the mail tests.

Usage: smtp_server.py MODE CERTIFICATE KEY, with MODE plain, starttls, smtps, auth or no.
Prints one line of JSON when it listens, {"port": N}, then one for each message it takes, until
stdin ends. The certificate and key are only read by the modes that need them.
"""

import json
import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult


class Handler:
    def __init__(self, refuses):
        self.refuses = refuses

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.refuses:
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 ok"

    async def handle_DATA(self, server, session, envelope):
        say(
            {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "content": envelope.content.decode("ascii"),
                "tls": session.ssl is not None,
                "authenticated": bool(session.authenticated),
            }
        )
        return "250 taken"


def say(value):
    print(json.dumps(value), flush=True)


def authenticate(server, session, envelope, mechanism, data):
    good = data.login == b"mailer" and data.password == b"p@ss w\xc3\xb6rd"
    return AuthResult(success=good, handled=False)


def main():
    mode, certificate, key = sys.argv[1:4]
    context = None
    if mode in ("starttls", "smtps", "auth"):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)

    class Server(Controller):
        def factory(self):
            starttls = context if mode in ("starttls", "auth") else None
            return SMTP(
                self.handler,
                hostname="localhost",
                tls_context=starttls,
                require_starttls=starttls is not None,
                authenticator=authenticate,
                auth_required=mode == "auth",
            )

        def _trigger_server(self):
            # aiosmtpd checks its port by a client of its own, which knows no ephemeral port.
            pass

    server = Server(
        Handler(mode == "no"),
        hostname="127.0.0.1",
        port=0,
        ssl_context=context if mode == "smtps" else None,
    )
    server.start()
    say({"port": server.server.sockets[0].getsockname()[1]})
    sys.stdin.read()
    server.stop()


main()
