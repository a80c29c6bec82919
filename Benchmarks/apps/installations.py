# SPDX-License-Identifier: Apache-2.0
"""Requests of app installations, made before anybody measures: each line is a body, good for once.

    installations.py registrations ISSUER ISSUER_KEY COUNT     JSON bodies of POST /registration
    installations.py sign-ins ISSUER ISSUER_KEY COUNT          forms for the token endpoint

ISSUER_KEY is the private key (PEM) of an issuer `https://idp.example` whose `kid` is `k1`. Signing
in begins with registering one installation. Nonces live five minutes, and so long the lines are good.
"""

import base64
import concurrent.futures
import hashlib
import http.client
import json
import pathlib
import sys
import time
import urllib.parse
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


def b64u(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def new_key():
    return ec.generate_private_key(ec.SECP256R1())


def sign(key, header, payload):
    signed = b64u(json.dumps(header).encode()) + "." + b64u(payload)
    numbers = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return signed + "." + b64u(b"".join(number.to_bytes(32, "big") for number in numbers))


def jwk(key):
    """The canonical form of RFC 7638 section 3.1."""
    public = key.public_key().public_numbers()
    x, y = (b64u(number.to_bytes(32, "big")) for number in (public.x, public.y))
    return {"crv": "P-256", "kty": "EC", "x": x, "y": y}


def token(issuer_key, subject):
    now = int(time.time())
    return sign(issuer_key, {"alg": "ES256", "kid": "k1", "typ": "JWT"}, json.dumps({
        "iss": "https://idp.example", "aud": "identity-service", "sub": subject,
        "jti": str(uuid.uuid4()), "iat": now, "exp": now + 3600}).encode())


def registration(issuer_key, nonce, key):
    public = jwk(key)
    binding = hashlib.sha256(
        (nonce + json.dumps(public, separators=(",", ":"))).encode()).digest()
    return json.dumps({
        "method": "signedJWT", "registration_id": str(uuid.uuid4()), "nonce": nonce,
        "evidence": {"token": token(issuer_key, f"bench-{uuid.uuid4()}")}, "public_key": public,
        "key_proof": sign(key, {"alg": "ES256", "typ": "app-key-proof"}, binding),
        "name": "A phone"})


def sign_in(user, key_id, key, audience, nonce):
    claims = json.dumps({"iss": user, "sub": user, "aud": audience, "jti": nonce,
                         "exp": int(time.time()) + 295}).encode()
    return urllib.parse.urlencode({
        "grant_type": BEARER, "client_id": "app", "scope": "openid",
        "assertion": sign(key, {"alg": "ES256", "kid": key_id, "typ": "JWT"}, claims)})


class Provider:
    """One connection that stays open."""

    def __init__(self, issuer):
        self.place = urllib.parse.urlsplit(issuer)
        self.line = http.client.HTTPConnection("127.0.0.1", self.place.port, timeout=30)

    def post(self, path, body):
        self.line.request("POST", path, body, {
            "Host": self.place.netloc, **({"Content-Type": "application/json"} if body else {})})
        answer = self.line.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            sys.exit(f"{path}: {answer.status} {text.decode()}")
        return json.loads(text)


def registrations(issuer, issuer_key, count):
    provider = Provider(issuer)
    question = json.dumps({"method": "signedJWT"})
    return [registration(
        issuer_key, provider.post("/registration/challenge", question)["nonce"], new_key())
        for _ in range(count)]


def sign_ins(issuer, issuer_key, count):
    provider, key = Provider(issuer), new_key()
    challenge = provider.post("/registration/challenge", json.dumps({"method": "signedJWT"}))
    made = provider.post("/registration", registration(issuer_key, challenge["nonce"], key))
    lines = []
    for _ in range(count):
        asked = provider.post("/registration/sign-in/challenge", None)
        lines.append(sign_in(
            made["user_id"], made["key_id"], key, asked["audience"], asked["nonce"]))
    return lines


def work(arguments):
    kind, issuer, path, count = arguments
    key = serialization.load_pem_private_key(pathlib.Path(path).read_bytes(), None)
    return (registrations if kind == "registrations" else sign_ins)(issuer, key, count)


def main():
    kind, issuer, path, count = sys.argv[1:]
    share = int(count) // 4 + 1
    with concurrent.futures.ProcessPoolExecutor(4) as pool:
        for lines in pool.map(work, [(kind, issuer, path, share)] * 4):
            print("\n".join(lines))


if __name__ == "__main__":
    main()
