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
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

PEOPLE = {"4711": {"sub": "4711", "username": "anna", "attributes": {"department": "staff"}}}
CODES = {"4711": "2468"}
LONGEST_BODY = 65_536


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Questions:
    """Takes questions of one issuer: signed by it, for us, now, and once."""

    def __init__(self, issuer, address, kind="gatehouse-identity-provider"):
        self.issuer, self.address, self.kind = issuer, address, kind
        self.keys, self.seen = {}, {}

    def load_keys(self):
        with urllib.request.urlopen(self.issuer + "/.well-known/openid-configuration") as answer:
            metadata = json.load(answer)
        with urllib.request.urlopen(metadata["jwks_uri"]) as answer:
            keys = json.load(answer)["keys"]
        self.keys = {key["kid"]: key for key in keys if key.get("crv") == "P-256"}

    def read(self, body, signature):
        """The question, or an error that says why it is none."""
        header_text, empty, signature_text = signature.split(".")
        header = json.loads(decode(header_text))
        if empty or header.get("alg") != "ES256" or header.get("typ") != self.kind:
            raise ValueError("not a signature of a question")
        if header.get("kid") not in self.keys:
            self.load_keys()
        key = self.keys[header["kid"]]
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
        self.seen = {jti: end for jti, end in self.seen.items() if end > now}
        if question["jti"] in self.seen:
            raise ValueError("a question that was asked before")
        self.seen[question["jti"]] = question["exp"]
        return question


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


def handler(questions):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            length = int(self.headers.get("content-length", "0"))
            body = self.rfile.read(min(length, LONGEST_BODY))
            try:
                question = questions.read(body, self.headers.get("gatehouse-signature", ""))
                status, reply = 200, answer(question)
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
    parser = argparse.ArgumentParser(description="An identity provider of one's own for Gatehouse.")
    parser.add_argument("--issuer", default="http://localhost:8080")
    parser.add_argument("--listen", default="127.0.0.1:9310")
    parser.add_argument("--address", help="as the state document has it; http://LISTEN/ without it")
    options = parser.parse_args()
    host, port = options.listen.rsplit(":", 1)
    questions = Questions(options.issuer, options.address or f"http://{options.listen}/")
    ThreadingHTTPServer((host, int(port)), handler(questions)).serve_forever()


if __name__ == "__main__":
    main()
