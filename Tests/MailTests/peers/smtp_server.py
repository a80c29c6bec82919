# SPDX-License-Identifier: Apache-2.0
"""A real SMTP server (aiosmtpd) on loopback for the mail tests.

Usage: smtp_server.py MODE CERTIFICATE KEY, with MODE plain, starttls, smtps, auth or no.
Prints one line of JSON when it listens, {"port": N}, then one for each message it takes, until
stdin ends. The certificate and key are only read by the modes that need them.
"""

import asyncio
import json
import ssl
import sys

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


async def serve(mode, certificate, key):
    context = None
    if mode in ("starttls", "smtps", "auth"):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, key)
    starttls = context if mode in ("starttls", "auth") else None

    def session():
        return SMTP(
            Handler(mode == "no"),
            hostname="localhost",
            tls_context=starttls,
            require_starttls=starttls is not None,
            authenticator=authenticate,
            auth_required=mode == "auth",
        )

    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        session, "127.0.0.1", 0, ssl=context if mode == "smtps" else None
    )
    say({"port": server.sockets[0].getsockname()[1]})
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(serve(*sys.argv[1:4]))
