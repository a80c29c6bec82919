#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A tiny identity provider for the example: it registers devices and people, and remembers them.

    provider.py TOKEN [PORT]      serves on loopback; the first line it prints is its address

Only the standard library: ECDSA on P-256 (FIPS 186-5 section 6.4.2) is written out below, for
checking signatures, which needs no secrets and so no care for time.
"""

import base64
import hashlib
import http.server
import json
import os
import sys

P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(scalar, point):
    result = None
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def key(text):
    raw = base64.b64decode(text, validate=True)
    x, y = int.from_bytes(raw[1:33], "big"), int.from_bytes(raw[33:], "big")
    on_curve = (y * y - x * x * x + 3 * x - B) % P == 0
    if len(raw) != 65 or raw[0] != 4 or not on_curve or max(x, y) >= P:
        raise ValueError("no key on P-256")
    return x, y


def numbers(der):
    """The two integers of an ECDSA signature in DER."""
    if len(der) < 8 or der[0] != 0x30 or der[1] != len(der) - 2:
        raise ValueError("no signature")
    values, rest = [], der[2:]
    for _ in range(2):
        if rest[0] != 0x02 or len(rest) < 2 + rest[1]:
            raise ValueError("no signature")
        values.append(int.from_bytes(rest[2:2 + rest[1]], "big"))
        rest = rest[2 + rest[1]:]
    return values


def verify(public, message, signature):
    r, s = numbers(base64.b64decode(signature, validate=True))
    if not (0 < r < N and 0 < s < N):
        return False
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, N)
    point = add(multiply(digest * inverse % N, G), multiply(r * inverse % N, public))
    return point is not None and point[0] % N == r


class Provider(http.server.BaseHTTPRequestHandler):
    token = ""
    challenges = set()
    devices = {}
    people = {}

    def do_POST(self):
        try:
            # Of -1 bytes there is no end.
            length = max(0, min(int(self.headers.get("Content-Length", 0)), 65536))
            body = json.loads(self.rfile.read(length) or b"{}")
            self.answer(*self.handle_request(self.path, body))
        except (ValueError, KeyError, IndexError, TypeError) as error:
            self.answer(400, {"error": str(error)})

    def do_GET(self):
        if self.path != "/registered":
            return self.answer(404, {})
        self.answer(200, {"devices": list(self.devices), "people": self.people})

    def handle_request(self, path, body):
        if path == "/challenge":
            challenge = os.urandom(32)
            self.challenges.add(challenge)
            return 200, {"challenge": base64.b64encode(challenge).decode()}
        if path == "/devices":
            return self.register_device(body)
        if path == "/people":
            return self.register_person(body)
        return 404, {}

    def consume(self, body):
        challenge = base64.b64decode(body["challenge"], validate=True)
        if challenge not in self.challenges:
            raise ValueError("the challenge is not ours, or was used")
        self.challenges.remove(challenge)
        return challenge

    def register_device(self, body):
        challenge = self.consume(body)
        if body["token"] != self.token:
            return 403, {"error": "the token is not good"}
        if not verify(key(body["signing_key"]), challenge, body["signature"]):
            return 400, {"error": "the signature does not hold"}
        key(body["encryption_key"])
        self.devices[body["signing_key"]] = body["encryption_key"]
        address = f"http://127.0.0.1:{self.server.server_port}"
        return 200, {"client": "example", "issuer": address, "display_name": "Small provider"}

    def register_person(self, body):
        challenge = self.consume(body)
        if body["device_key"] not in self.devices:
            return 403, {"error": "the device is not registered"}
        if not (verify(key(body["device_key"]), challenge, body["device_signature"])
                and verify(key(body["key"]), challenge, body["signature"])):
            return 400, {"error": "a signature does not hold"}
        login = body["name"] + "@small.example"
        self.people[login] = body["key"]
        return 200, {"login": login}

    def answer(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words):
        pass


def main():
    Provider.token = sys.argv[1]
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Provider)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
