# SPDX-License-Identifier: Apache-2.0
"""A provider of Platform SSO, written from Apple's documents with nothing of ours, for the agent to meet.

    second_provider.py PORT USER PASSWORD

It registers machines in the words of docs/platform-sso-provider.md, signs one person in, refreshes, and
keeps unlock keys. `POST /control` tells it how to go wrong (`fault=NAME`), and at which of the next requests
to hold the answer (`hold=N`, `when=before` or `after` it was dealt with); `GET /control` says what it has seen.
"""

import base64
import datetime
import hmac
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import NameOID

from mac import b64u, content_key, field, from_jwk, jwk, kid, new_key, point, sign, unb64u
from provider_faults import FAULTS

CLIENT = "platform-sso"
LOGIN, KEY = "platformsso-login-response+jwt", "platformsso-key-response+jwt"


class Refused(Exception):
    def __init__(self, error, status=400):
        self.status, self.body = status, {"error": error}


def need(condition, error, status=400):
    if not condition:
        raise Refused(error, status)


def read_jws(text, key, kind):
    """The claims of a compact JWS by that key, verified over the letters that came."""
    head, body, signature = text.split(".")
    header = json.loads(unb64u(head))
    need(header["alg"] == "ES256" and header["typ"] == kind, "header")
    raw = unb64u(signature)
    need(len(raw) == 64, "signature")
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    try:
        key.verify(der, (head + "." + body).encode(), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        raise Refused("signature") from None
    claims = json.loads(unb64u(body))
    need(claims["iat"] <= time.time() + 5 and claims["exp"] > time.time(), "time")
    return claims


def shared(private, public):
    return private.exchange(ec.ECDH(), public)


class Provider:
    def __init__(self, issuer, user, password):
        self.issuer, self.user, self.password = issuer, user, password
        self.signer, self.encryption, self.foreign = new_key(), new_key(), new_key()
        self.unlock = new_key()
        self.nonces, self.devices = set(), {}
        # Of machines, by each of their keys.
        self.names = {}
        self.tokens, self.generation = [], 0
        # When the person was seen, by each token that came of it.
        self.times = {}
        self.fault, self.seen, self.hold, self.when = "", [], 0, "before"
        self.held, self.released = False, threading.Event()
        self.lock = threading.RLock()

    # What the agent asks for

    def directory(self, _):
        names = ["nonce", "token", "refresh", "key", "jwks", "device_registration",
                 "user_registration"]
        return {"issuer": self.issuer,
                "platform_sso": {name: f"{self.issuer}/{name}" for name in names}}

    def jwks(self, _):
        if self.fault == "keys: none":
            return {"keys": []}
        signer = self.foreign if self.fault == "keys: another under the same name" else self.signer
        return {"keys": [
            {**jwk(signer), "use": "sig", "alg": "ES256", "kid": "signer"},
            {**jwk(self.encryption), "use": "enc", "alg": "ECDH-ES", "kid": "encryption"}]}

    def nonce(self, form):
        need(form.get("grant_type") == "srv_challenge", "grant")
        need(self.fault != "nonce: 503", "busy", 503)
        nonce = b64u(os.urandom(24))
        self.nonces.add(nonce)
        return {"nonce" if self.fault == "nonce: another name" else "Nonce": nonce}

    def use(self, nonce):
        need(nonce in self.nonces, "nonce")
        self.nonces.remove(nonce)

    def device_registration(self, body):
        body = json.loads(body)
        signing, encryption = (from_jwk(body[f"device_{name}_key"])
                               for name in ("signing", "encryption"))
        claims = read_jws(body["signing_key_proof"], signing, "gatehouse-device-registration+jwt")
        need(claims["aud"] == self.issuer + "/device_registration", "aud")
        need(claims["signing_key"] == kid(signing), "name")
        need(claims["encryption_key"] == kid(encryption), "name")
        self.use(claims["nonce"])
        key = HKDF(hashes.SHA256(), 32, claims["nonce"].encode(),
                   b"gatehouse/platform-sso/encryption-key-possession").derive(
                       shared(self.encryption, encryption))
        names = base64.b64decode(kid(signing)) + base64.b64decode(kid(encryption))
        need(hmac.compare_digest(hmac.digest(key, names, "sha256"),
                                 unb64u(body["encryption_key_proof"])), "possession")
        name = self.known(body, signing, claims) or (
            kid(signing) if body.get("registration_token") == "token" else None)
        need(name, "registration_refused")
        self.devices[kid(signing)] = (signing, encryption)
        self.names[kid(signing)] = name
        return {"device_id": name, "client_id": CLIENT, "issuer": self.issuer,
                "audience": CLIENT, **{f"{name}_endpoint": f"{self.issuer}/{name}" for name in
                                       ("nonce", "token", "refresh", "key", "jwks")}}

    def known(self, body, signing, claims):
        """The machine that has the key, or that proves the one which it had."""
        if kid(signing) in self.devices:
            return self.names[kid(signing)]
        proof = body.get("previous_key_proof")
        if not proof:
            return None
        old = json.loads(unb64u(proof.split(".")[0]))["kid"]
        need(old in self.devices, "device_unknown")
        said = read_jws(proof, self.devices[old][0], "gatehouse-device-registration+jwt")
        same = ("nonce", "aud", "signing_key", "encryption_key")
        need(all(said[member] == claims[member] for member in same), "previous_key_proof")
        return self.names[old]

    def request(self, form, kind, endpoint, version):
        need(form["platform_sso_version"] == version, "version")
        text = form["assertion"]
        name = json.loads(unb64u(text.split(".")[0]))["kid"]
        need(name in self.devices, "device")
        signing, encryption = self.devices[name]
        claims = read_jws(text, signing, kind)
        need(claims["iss"] == CLIENT, "iss")
        need(claims.get("aud", f"{self.issuer}/{endpoint}")
             in (f"{self.issuer}/{endpoint}", CLIENT), "aud")
        self.use(claims["request_nonce"])
        need(self.fault != "401", "invalid_grant", 401)
        need(self.fault != "status 500", "server_error", 500)
        return claims, encryption

    def token(self, form):
        claims, encryption = self.request(
            form, "platformsso-login-request+jwt", "token", "1.0")
        need(claims["grant_type"] == "password", "grant")
        need((claims["sub"], claims["password"]) == (self.user, self.password),
             "invalid_grant", 401)
        return self.login(claims, encryption)

    def refresh(self, form):
        claims, encryption = self.request(
            form, "platformsso-refresh-request+jwt", "refresh", "1.0")
        # The one before works too, for an answer that was lost on its way.
        need(claims["refresh_token"] in self.tokens[-2:], "invalid_grant", 401)
        return self.login(claims, encryption, self.times[claims["refresh_token"]])

    def key(self, form):
        claims, encryption = self.request(form, "platformsso-key-request+jwt", "key", "2.0")
        need(claims["refresh_token"] in self.tokens[-2:], "invalid_grant", 401)
        now = int(time.time())
        answer = {"iat": now, "exp": now + 300, "key_context": "context"}
        if claims["request_type"] == "key_request":
            answer["certificate"] = b64u(self.certificate())
        else:
            raw = base64.b64decode(claims["other_publickey"])
            other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)
            need(claims["key_context"] == "context", "context")
            answer["key"] = base64.b64encode(shared(self.unlock, other)).decode()
        return self.sealed(answer, claims, encryption, KEY)

    # What it answers

    def certificate(self):
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, self.user)])
        now = datetime.datetime.now(datetime.timezone.utc)
        return x509.CertificateBuilder(
            name, name, self.unlock.public_key(), x509.random_serial_number(), now,
            now + datetime.timedelta(days=1)).sign(self.unlock, hashes.SHA256()).public_bytes(
                serialization.Encoding.DER)

    def login(self, claims, encryption, seen=None):
        now = int(time.time())
        identity = {"iss": self.issuer, "aud": CLIENT, "azp": CLIENT, "sub": "subject",
                    "nonce": claims["nonce"], "iat": now, "exp": now + 300,
                    "auth_time": seen or now}
        self.generation += 1
        token = f"refresh {self.generation}"
        self.times[token] = seen or now
        # What nobody believes takes no token out of use.
        if not self.fault:
            self.tokens.append(token)
        response = {"token_type": "Bearer", "expires_in": 3600, "refresh_token": token,
                    "refresh_token_expires_in": 86_400}
        change = FAULTS.get(self.fault)
        if change and change.claims:
            change.claims(identity)
        response["id_token"] = sign(
            self.signer, {"kid": "signer", "typ": "JWT"}, identity)
        if change and change.response:
            change.response(response, self)
        return self.sealed(response, claims, encryption, LOGIN)

    def sealed(self, content, claims, encryption, kind):
        """The JWE, by hand: no library chooses apu after epk."""
        change = FAULTS.get(self.fault)
        if change and change.content and kind == KEY:
            change.content(content)
        ephemeral = new_key()
        parts = {
            "header": {"typ": kind, "alg": "ECDH-ES", "enc": "A256GCM", "epk": jwk(ephemeral),
                       "apu": b64u(field(b"APPLE") + field(point(ephemeral)))},
            "apv": unb64u(claims["jwe_crypto"]["apv"]), "recipient": encryption,
            "text": json.dumps(content, indent=2).encode()}
        if change and change.envelope:
            change.envelope(parts)
        header = parts["header"]
        key = content_key(shared(ephemeral, parts["recipient"]), unb64u(header.get("apu", "")),
                          parts["apv"])
        head, iv = b64u(json.dumps(header).encode()), os.urandom(12)
        box = AESGCM(key).encrypt(iv, parts["text"], head.encode())
        text = ".".join([head, "", b64u(iv), b64u(box[:-16]), b64u(box[-16:])])
        return (change.wire(text) if change and change.wire else text), "application/" + kind


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    provider = None

    def do_GET(self):
        self.answer(urllib.parse.urlsplit(self.path).path, None)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(urllib.parse.urlsplit(self.path).path, body)

    def answer(self, path, body):
        if path == "/control":
            return self.send(200, self.control(body))
        provider = self.provider
        with provider.lock:
            provider.seen.append(path)
            mine = len(provider.seen) == provider.hold
        if mine and provider.when == "before":
            self.stay()
        status, answer = self.result(path, body)
        if mine and provider.when == "after":
            self.stay()
        try:
            self.send(status, answer)
        except (BrokenPipeError, ConnectionResetError):
            # Whoever asked was killed.
            self.close_connection = True

    def stay(self):
        self.provider.held = True
        self.provider.released.wait(60)

    def result(self, path, body):
        name = path.rsplit("/", 1)[-1]
        try:
            with self.provider.lock:
                if path == "/.well-known/gatehouse":
                    return 200, self.provider.directory(body)
                if name == "device_registration":
                    return 201, self.provider.device_registration(body)
                if name not in ("jwks", "nonce", "token", "refresh", "key"):
                    return 404, {"error": "not_found"}
                fields = dict(urllib.parse.parse_qsl((body or b"").decode()))
                return 200, getattr(self.provider, name)(fields)
        except Refused as refusal:
            return refusal.status, refusal.body
        except (KeyError, ValueError) as error:
            return 400, {"error": f"malformed: {error}"}

    def control(self, body):
        provider = self.provider
        if body is not None:
            wish = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True))
            provider.fault = wish.get("fault", "")
            provider.released.set()
            provider.released = threading.Event()
            provider.held, provider.seen = False, []
            provider.hold, provider.when = int(wish.get("hold", 0)), wish.get("when", "before")
        return {"held": provider.held, "seen": provider.seen, "devices": len(set(provider.names.values())),
                "faults": sorted(FAULTS)}

    def send(self, status, answer):
        content, kind = answer if isinstance(answer, tuple) else (json.dumps(answer),
                                                                  "application/json")
        content = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format, *arguments):
        print(format % arguments, self.provider.fault, file=sys.stderr, flush=True)


def main():
    port, user, password = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    Handler.provider = Provider(f"http://localhost:{port}", user, password)
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


if __name__ == "__main__":
    main()
