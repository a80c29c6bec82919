# SPDX-License-Identifier: Apache-2.0
"""The mail server of the guide: port 587, STARTTLS, one account. One JSON line for each message, in FILE.

    mail.py FILE
"""

import pathlib
import ssl
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from smtp_sink import Sink


def authenticate(server, session, envelope, mechanism, data):
    known = LoginPassword(b"login@example.com", b"the-password-of-the-mailbox")
    return AuthResult(success=data == known)


context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain("/etc/ssl/certs/mail.example.com.pem", "/etc/ssl/private/mail.example.com.key")
Controller(
    Sink(sys.argv[1]), hostname="127.0.0.1", port=587, tls_context=context, require_starttls=True,
    authenticator=authenticate, auth_required=True).start()
threading.Event().wait()
