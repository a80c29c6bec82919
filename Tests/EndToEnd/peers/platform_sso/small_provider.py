# SPDX-License-Identifier: Apache-2.0
"""The provider of Examples/SSOExtension, which registers, with a login behind it that has nothing of ours.

    small_provider.py PORT TOKEN

Devices and people register as `provider.py` has it; people sign in with the key that they registered.
"""

import base64
import http.server
import importlib.util
import json
import pathlib
import sys
import urllib.parse

from cryptography.hazmat.primitives.asymmetric import ec

import second_provider
from mac import ASSERTION, JWT_BEARER, LOGIN, kid

ROOT = pathlib.Path(__file__).resolve().parents[4]


def load(path):
    spec = importlib.util.spec_from_file_location("example_provider", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


example = load(ROOT / "Examples" / "SSOExtension" / "provider.py")
second_provider.CLIENT = "example"


def public(text):
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), base64.b64decode(text))


class Login(second_provider.Provider):
    def __init__(self, issuer):
        super().__init__(issuer, "", "")
        self.keys = {}

    def nonce(self, form):
        return {"nonce": super().nonce(form)["Nonce"]}

    def token(self, form):
        need = second_provider.need
        claims, encryption = self.request(form, LOGIN, "token", "1.0")
        # What the configuration of the extension adds to each login.
        need(claims.get("via") == "example", "via")
        need(claims["grant_type"] == JWT_BEARER, "grant")
        need(claims["sub"] in self.keys, "wrong_credential", 401)
        inner = second_provider.read_jws(claims["assertion"], self.keys[claims["sub"]], ASSERTION)
        same = ("nonce", "request_nonce", "scope", "sub")
        need(all(inner[name] == claims[name] for name in same), "assertion")
        need(inner["aud"] == second_provider.CLIENT, "aud")
        return self.login(claims, encryption)


class Handler(example.Provider):
    login = None

    def register_device(self, body):
        status, answer = super().register_device(body)
        if status == 200:
            signing = public(body["signing_key"])
            self.login.devices[kid(signing)] = (signing, public(body["encryption_key"]))
        return status, answer

    def register_person(self, body):
        status, answer = super().register_person(body)
        if status == 200:
            self.login.keys[answer["login"]] = public(body["key"])
        return status, answer

    def do_GET(self):
        if self.path == "/keys":
            return self.answer(200, self.login.jwks(None))
        return super().do_GET()

    def do_POST(self):
        if self.path not in ("/nonce", "/token"):
            return super().do_POST()
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        try:
            answer = getattr(self.login, self.path[1:])(dict(urllib.parse.parse_qsl(body)))
        except second_provider.Refused as refusal:
            return self.answer(refusal.status, refusal.body)
        if isinstance(answer, dict):
            return self.answer(200, answer)
        text, kind = answer
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


def main():
    port = int(sys.argv[1])
    Handler.token = sys.argv[2]
    Handler.login = Login(f"http://127.0.0.1:{port}")
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main()
