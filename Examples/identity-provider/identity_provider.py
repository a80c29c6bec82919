#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An identity provider of one's own for Gatehouse: people register apps with the code on their badge.

    identity_provider.py --issuer http://localhost:8080 --listen 127.0.0.1:9310

In a state document:

    registration:
      methods: [customTwoStep]
      identity_providers:
        - {id: badge, name: Badge, url: "http://127.0.0.1:9310/", two_step: true}

It answers what Gatehouse asks (docs/identity-providers.md): first "start" with somebody's number, then
"complete" with the code on their badge; where there is no first step, "complete" with both and a space
between them. Needs the package `cryptography`.
"""

import argparse
import base64
import hmac
import json
import threading
import time
import urllib.request
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

PEOPLE = {"4711": {"sub": "4711", "username": "anna", "attributes": {"department": "staff"}}}
CODES = {"4711": "2468"}
LONGEST_BODY = 65_536
# Seconds for the issuer's keys, and for whoever sends a question slowly.
PATIENCE = 10
# Seconds between two looks at the issuer's keys: anybody can name a key that is not there.
RENEWAL = 10


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Questions:
    """Takes questions of one issuer: signed by it, for us, now, and once."""

    def __init__(self, issuer, address, kind="gatehouse-identity-provider"):
        self.issuer, self.address, self.kind = issuer, address, kind
        self.keys, self.seen = {}, {}
        # Requests come on threads of their own: of two with one question, one is the first.
        self.lock = threading.Lock()
        # Of many that name a new key one looks, and the others wait for what it finds.
        self.key_lock, self.next_look = threading.Lock(), time.monotonic()

    def load_keys(self):
        place = self.issuer + "/.well-known/openid-configuration"
        with urllib.request.urlopen(place, timeout=PATIENCE) as answer:
            metadata = json.load(answer)
        with urllib.request.urlopen(metadata["jwks_uri"], timeout=PATIENCE) as answer:
            keys = json.load(answer)["keys"]
        self.keys = {key["kid"]: key for key in keys if key.get("crv") == "P-256"}

    def key(self, kid):
        """The issuer's key of that name; an error where it has none."""
        # Whoever names a key in hand waits for nobody's look.
        known = self.keys
        if kid in known:
            return known[kid]
        with self.key_lock:
            if kid not in self.keys and time.monotonic() >= self.next_look:
                self.next_look = time.monotonic() + RENEWAL
                try:
                    self.load_keys()
                except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
                    # An issuer that is away is asked again soon.
                    self.next_look = time.monotonic() + 1
                    raise OSError(f"they cannot be read: {error}") from error
            if not self.keys:
                raise OSError("they could not be read a moment ago")
            return self.keys[kid]

    def read(self, body, signature):
        """The question, or an error that says why it is none."""
        header_text, empty, signature_text = signature.split(".")
        header = json.loads(decode(header_text))
        if empty or header.get("alg") != "ES256" or header.get("typ") != self.kind:
            raise ValueError("not a signature of a question")
        key = self.key(header["kid"])
        numbers = [int.from_bytes(decode(key[name])) for name in ("x", "y")]
        public = ec.EllipticCurvePublicNumbers(*numbers, ec.SECP256R1()).public_key()
        raw = decode(signature_text)
        if len(raw) != 64:
            raise ValueError("a signature of another length")
        der = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        # The body is left out of the JWS; its base64url goes back into the middle.
        payload = base64.urlsafe_b64encode(body).rstrip(b"=")
        public.verify(der, header_text.encode() + b"." + payload, ec.ECDSA(hashes.SHA256()))
        question, now = json.loads(body), time.time()
        if question["iss"] != self.issuer or question["aud"] != self.address:
            raise ValueError("a question of or for somebody else")
        if not question["iat"] - 60 <= now < question["exp"]:
            raise ValueError("a question of another time")
        self.use_up(question["jti"], question["exp"], now)
        return question

    def use_up(self, jti, end, now):
        with self.lock:
            self.seen = {jti: end for jti, end in self.seen.items() if end > now}
            if jti in self.seen:
                raise ValueError("a question that was asked before")
            self.seen[jti] = end


def answer(question):
    """What is answered; a registration that is asked about again gets the same answer."""
    if question["step"] == "start":
        number = question.get("data") or ""
        if number not in PEOPLE:
            return {"status": 5001, "data": "nobody has that number"}
        return {"status": 2000, "data": "type the code on your badge", "state": number}
    if question["step"] == "cancel":
        return {"status": 2000}
    number, code = question.get("state") or "", question.get("data") or ""
    if not number:
        number, _, code = code.partition(" ")
    if number not in CODES or not hmac.compare_digest(CODES[number].encode(), code.encode()):
        return {"status": 4001, "data": "that is another code"}
    return {"status": 2000, "user": PEOPLE[number]}


def body(request):
    """What was sent, whole; an error where it is not said how much, or it is too much."""
    length = request.headers.get("content-length", "")
    # Digits alone: `int` would take a sign as well, and of -1 bytes there is no end.
    if not (length.isascii() and length.isdigit() and len(length) < 9):
        raise ValueError("a body of no length")
    if int(length) > LONGEST_BODY:
        raise ValueError("a body that is too long")
    return request.rfile.read(int(length))


def handler(questions, respond):
    """Says what `respond` makes of each question that is one."""

    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE

        def do_POST(self):
            try:
                question = questions.read(body(self), self.headers.get("gatehouse-signature", ""))
            except (InvalidSignature, AttributeError, KeyError, TypeError, ValueError) as error:
                return self.say(403, {"error": f"{type(error).__name__}: {error}"})
            except OSError as error:
                return self.say(503, {"error": f"the issuer's keys: {error}"})
            try:
                self.say(200, respond(question))
            except OSError as error:
                self.say(503, {"error": str(error)})

        def say(self, status, reply):
            text = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    return Handler


def serve(listen, handler):
    host, port = listen.rsplit(":", 1)
    # How many may wait to be heard; five of them, without this.
    ThreadingHTTPServer.request_queue_size = 128
    ThreadingHTTPServer((host, int(port)), handler).serve_forever()


def main():
    parser = argparse.ArgumentParser(description="An identity provider of one's own for Gatehouse.")
    parser.add_argument("--issuer", default="http://localhost:8080")
    parser.add_argument("--listen", default="127.0.0.1:9310")
    parser.add_argument("--address", help="as the state document has it; http://LISTEN/ without it")
    options = parser.parse_args()
    questions = Questions(options.issuer, options.address or f"http://{options.listen}/")
    serve(options.listen, handler(questions, answer))


if __name__ == "__main__":
    main()
