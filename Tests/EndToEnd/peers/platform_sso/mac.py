# SPDX-License-Identifier: Apache-2.0
"""A Mac, as far as a provider can tell: Platform SSO from Apple's documents, with nothing of ours.

Only `cryptography` and the standard library. It writes JSON as macOS does (pretty-printed, so every
message begins with `ewog`), derives keys by hand, and checks answers as macOS does.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature, encode_dss_signature)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
SCOPE = "openid offline_access urn:apple:platformsso"
LOGIN = "platformsso-login-request+jwt"
ASSERTION = "platformsso-login-assertion+jwt"


def b64u(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64u(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def pretty(value):
    """As NSJSONSerialization prints: two spaces, and a space before each colon."""
    return json.dumps(value, indent=2, separators=(",", " : ")).encode()


def new_key():
    return ec.generate_private_key(ec.SECP256R1())


def point(key):
    public = key.public_key() if hasattr(key, "public_key") else key
    return public.public_bytes(serialization.Encoding.X962,
                               serialization.PublicFormat.UncompressedPoint)


def kid(key):
    return base64.b64encode(hashlib.sha256(point(key)).digest()).decode()


def jwk(key):
    raw = point(key)
    return {"kty": "EC", "crv": "P-256", "x": b64u(raw[1:33]), "y": b64u(raw[33:])}


def from_jwk(value):
    return ec.EllipticCurvePublicKey.from_encoded_point(
        ec.SECP256R1(), b"\x04" + unb64u(value["x"]) + unb64u(value["y"]))


def pem(key):
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def secrets_of(key, **published):
    """Every form in which somebody might take a public key for a secret, by its name.

    - published: what its JWK has beside the key itself."""
    spki = key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return {"a point": point(key), "coordinates": point(key)[1:], "SPKI": spki,
            "PEM": pem(key).encode(), "PEM without its last line end": pem(key).strip().encode(),
            "a JWK": json.dumps({**jwk(key), **published}).encode(),
            "a JWK in canonical form": json.dumps(
                jwk(key), sort_keys=True, separators=(",", ":")).encode()}


def sign(key, header, claims):
    """A compact JWS; members of the header that are None are left out."""
    head = {"alg": "ES256", "kid": kid(key), **header}
    head = {name: value for name, value in head.items() if value is not None}
    signed = b64u(pretty(head)) + "." + b64u(pretty(claims))
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return signed + "." + b64u(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def field(data):
    return struct.pack(">I", len(data)) + data


def content_key(secret, apu, apv):
    return hashlib.sha256(struct.pack(">I", 1) + secret + field(b"A256GCM") + field(apu)
                          + field(apv) + struct.pack(">I", 256)).digest()


def need(condition, words):
    if not condition:
        raise AssertionError(words)


class Answer(tuple):
    """Status, media type and body, or as much of it as somebody needs."""

    # The name under which the provider's log speaks of it.
    request = None

    def __new__(cls, parts, request):
        answer = super().__new__(cls, parts)
        answer.request = request
        return answer


def error_of(answer):
    """The code of a refusal, whichever endpoint it is of; `None` on a page."""
    body = answer[-1] if len(answer) > 1 else None
    try:
        found = json.loads(body) if isinstance(body, (bytes, str)) else body
    except ValueError:
        return None
    return found.get("error") or found.get("code") if isinstance(found, dict) else None


def is_for(answer, code, log):
    """Whether a refusal has this code. A page shows a sentence and no code: the log has the code of its request."""
    found = error_of(answer)
    if found is not None:
        return found == code
    if code == "body_too_large":
        return "The input is too large" in str(answer[-1])
    return (log.reason(answer) or "").startswith(code + ": ")


class Log:
    """What the provider says of refusals to those who run it, and to nobody else."""

    def __init__(self, path):
        self.path, self.position, self.reasons = path, 0, {}

    def reason(self, answer):
        """Code and private reason; `None` when the log says nothing of that answer."""
        with open(self.path, "rb") as file:
            file.seek(self.position)
            lines = file.read()
        whole = lines.rfind(b"\n") + 1
        self.position += whole
        for line in lines[:whole].splitlines():
            if b'"reason"' in line and line.startswith(b"{"):
                said = json.loads(line)
                if "code" in said and "request_id" in said:
                    self.reasons[said["request_id"]] = f"{said['code']}: {said['reason']}"
        return self.reasons.get(getattr(answer, "request", None))


class Provider:
    def __init__(self, issuer, admin_token, log):
        self.issuer = issuer
        with urllib.request.urlopen(issuer + "/.well-known/gatehouse") as answer:
            document = json.load(answer)
        self.urls = document["platform_sso"]
        self.api = document["admin"]["api"]
        self.admin_token = admin_token
        self.log = Log(log)

    def refused(self, name, answer, status, reason):
        """A refusal with that status and for that reason, a code or a code with what the log says of it: one
        for another reason would prove nothing."""
        code = reason.split(": ")[0]
        need(answer[0] == status, (name, status, answer))
        need(is_for(answer, code, self.log), (name, reason, answer))
        if code != reason:
            found = self.log.reason(answer)
            begin, rest, end = reason.partition("…")
            need(found and found.startswith(begin) and found.endswith(end)
                 and (rest or found == reason), (name, reason, found, answer))

    def send(self, url, body, content_type, headers=None, method="POST"):
        """Status, media type and body."""
        request = urllib.request.Request(url, data=body, method=method, headers={
            "Content-Type": content_type, "client-request-id": str(uuid.uuid4()).upper(),
            "User-Agent": "AppSSOAgent/1 CFNetwork/3887.100.1 Darwin/27.0.0", **(headers or {})})
        try:
            with urllib.request.urlopen(request) as answer:
                return self.read(answer.status, answer)
        except urllib.error.HTTPError as error:
            return self.read(error.code, error)
        except (ConnectionError, urllib.error.URLError):
            # Bodies that are far too long end with the connection, and no others do.
            need(body is not None and len(body) > 65_536, "the connection broke")
            return Answer((413, None, b'{"error": "body_too_large"}'), None)

    def read(self, status, answer):
        return Answer((status, answer.headers.get("Content-Type"), answer.read()),
                      answer.headers.get("X-Request-ID"))

    def form(self, url, fields):
        return self.send(url, urllib.parse.urlencode(fields).encode(),
                         "application/x-www-form-urlencoded")

    def nonce(self):
        status, _, body = self.form(self.urls["nonce"], {"grant_type": "srv_challenge"})
        need(status == 200, body)
        return json.loads(body)["Nonce"]

    def post(self, name, message, version="1.0"):
        return self.form(self.urls[name], {
            "platform_sso_version": version, "grant_type": JWT_BEARER, "assertion": message})

    def admin(self, method, path, body=None):
        status, _, answer = self.send(
            self.api + path, None if body is None else json.dumps(body).encode(),
            "application/json", {"Authorization": "Bearer " + self.admin_token}, method)
        need(status < 300, (method, path, status, answer))
        return json.loads(answer) if answer else None

    def registration_token(self, **wish):
        return self.admin("POST", "/projects/default/registration-tokens", wish)["token"]

    def keys(self):
        with urllib.request.urlopen(self.urls["jwks"]) as answer:
            return json.load(answer)["keys"]

    def encryption_key(self):
        (found,) = [key for key in self.keys() if key.get("use") == "enc"]
        return found


class Mac:
    def __init__(self, provider, serial):
        self.provider = provider
        self.serial = serial
        self.signing = new_key()
        self.encryption = new_key()

    # Registration, in the provider's own words (docs/platform-sso-provider.md)

    def registration_claims(self, **changes):
        now = int(time.time())
        return {"aud": self.provider.urls["device_registration"], "iat": now, "exp": now + 300,
                "signing_key": kid(self.signing), "encryption_key": kid(self.encryption),
                "nonce": changes.get("nonce") or self.provider.nonce(), **changes}

    def registration(self, nonce=None, **changes):
        nonce = nonce or self.provider.nonce()
        claims = self.registration_claims(nonce=nonce)
        shared = self.encryption.exchange(
            ec.ECDH(), from_jwk(self.provider.encryption_key()))
        key = HKDF(hashes.SHA256(), 32, nonce.encode(),
                   b"gatehouse/platform-sso/encryption-key-possession").derive(shared)
        names = base64.b64decode(kid(self.signing)) + base64.b64decode(kid(self.encryption))
        return {
            "device_signing_key": pem(self.signing),
            "device_encryption_key": base64.b64encode(point(self.encryption)).decode(),
            "signing_key_id": kid(self.signing), "encryption_key_id": kid(self.encryption),
            "signing_key_proof": sign(
                self.signing, {"typ": "gatehouse-device-registration+jwt"}, claims),
            "encryption_key_proof": b64u(hmac.digest(key, names, "sha256")),
            "shared_keys": True, "serial_number": self.serial, "model": "Mac15,3",
            "host_name": "Mac of " + self.serial, "system_version": "26.1", **changes}

    def register(self, body):
        answer = self.provider.send(
            self.provider.urls["device_registration"], pretty(body), "application/json")
        return Answer((answer[0], json.loads(answer[2])), answer.request)

    def unregister(self, proof):
        return self.provider.send(self.provider.urls["unregistration"],
                                  pretty({"proof": proof}), "application/json")

    # Login

    def claims(self, user, endpoint, nonce=None, **changes):
        now = int(time.time())
        own = str(uuid.uuid4()).upper()
        claims = {
            "client_id": "platform-sso", "iss": "platform-sso", "sub": user, "username": user,
            "aud": self.provider.urls[endpoint], "iat": now, "exp": now + 300, "scope": SCOPE,
            "nonce": own, "request_nonce": nonce or self.provider.nonce(), **changes}
        if "jwe_crypto" not in claims:
            claims["jwe_crypto"] = {"alg": "ECDH-ES", "enc": "A256GCM",
                                    "apv": b64u(self.apv(claims["nonce"]))}
        return {name: value for name, value in claims.items() if value is not None}

    def apv(self, nonce):
        return field(b"Apple") + field(point(self.encryption)) + field(nonce.encode())

    def opened(self, answer, claims, kind):
        """What the answer holds, after the checks that macOS makes."""
        status, media_type, body = answer
        need(status == 200, (status, body))
        need(media_type == "application/" + kind, media_type)
        head, wrapped, iv, ciphertext, tag = body.decode().split(".")
        header = json.loads(unb64u(head))
        need(header["alg"] == "ECDH-ES" and header["enc"] == "A256GCM", header)
        need(wrapped == "" and header["typ"] == kind, header)
        ephemeral = from_jwk(header["epk"])
        apu = field(b"APPLE") + field(point(ephemeral))
        need(unb64u(header["apu"]) == apu, "apu does not name epk")
        key = content_key(self.encryption.exchange(ec.ECDH(), ephemeral), apu,
                          self.apv(claims["nonce"]))
        plain = AESGCM(key).decrypt(unb64u(iv), unb64u(ciphertext) + unb64u(tag), head.encode())
        return json.loads(plain)

    def tokens(self, answer, claims, groups=None):
        response = self.opened(answer, claims, "platformsso-login-response+jwt")
        head, body, signature = response["id_token"].split(".")
        header = json.loads(unb64u(head))
        (key,) = [key for key in self.provider.keys() if key.get("kid") == header["kid"]]
        need(key.get("use") == "sig", key)
        raw = unb64u(signature)
        from_jwk(key).verify(
            encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")),
            (head + "." + body).encode(), ec.ECDSA(hashes.SHA256()))
        identity = json.loads(unb64u(body))
        now = time.time()
        need(identity["nonce"] == claims["nonce"], identity)
        need(identity["iss"] == self.provider.issuer, identity)
        need(identity["aud"] == "platform-sso" == identity["azp"], identity)
        need(identity["iat"] <= now + 5 and identity["exp"] > now, identity)
        need(identity.get("groups") == groups, identity)
        need(response["refresh_token"] and response["refresh_token_expires_in"] > 0, response)
        return response, identity

    def login(self, claims, key=None, header=None):
        return self.provider.post(
            "token", sign(key or self.signing, {"typ": LOGIN, **(header or {})}, claims))

    def password_claims(self, user, password, **changes):
        return self.claims(user, "token", grant_type="password", password=password, **changes)

    def signed_in(self, user, password):
        claims = self.password_claims(user, password)
        return self.tokens(self.login(claims), claims)[0]["refresh_token"]

    def encrypted_claims(self, user, password, change=None, **changes):
        claims = self.claims(user, "token", grant_type=JWT_BEARER, **changes)
        recipient = self.provider.encryption_key()
        ephemeral = new_key()
        apu = field(b"APPLE") + field(point(ephemeral))
        apv = (field(b"APPLEEMBEDDED") + field(point(from_jwk(recipient)))
               + field(claims["request_nonce"].encode()))
        header = {"typ": "platformsso-encrypted-login-assertion+jwt", "alg": "ECDH-ES",
                  "enc": "A256GCM", "epk": jwk(ephemeral), "apu": b64u(apu), "apv": b64u(apv),
                  "kid": recipient["kid"]}
        inner = {**self.inner(user, claims), "password": password, **(change or {})}
        head = b64u(pretty(header))
        key = content_key(ephemeral.exchange(ec.ECDH(), from_jwk(recipient)), apu, apv)
        iv = os.urandom(12)
        sealed = AESGCM(key).encrypt(iv, pretty(inner), head.encode())
        claims["assertion"] = ".".join([head, "", b64u(iv), b64u(sealed[:-16]), b64u(sealed[-16:])])
        return claims

    def inner(self, user, outer):
        return {"iss": user, "sub": user, "aud": "platform-sso", "iat": outer["iat"],
                "exp": outer["exp"], "nonce": outer["nonce"],
                "request_nonce": outer["request_nonce"], "scope": SCOPE}

    def key_claims(self, user, user_key, change=None, **changes):
        claims = self.claims(user, "token", grant_type=JWT_BEARER, **changes)
        inner = {**self.inner(user, claims), **(change or {})}
        claims["assertion"] = sign(user_key, {"typ": ASSERTION}, inner)
        return claims

    # People

    def user_claims(self, user, user_key, **changes):
        now = int(time.time())
        return {"aud": self.provider.urls["user_registration"], "iat": now, "exp": now + 300,
                "nonce": changes.get("nonce") or self.provider.nonce(), "sub": user,
                "device_key": kid(self.signing), "user_key": kid(user_key), **changes}

    def user_registration(self, user, user_key, nonce=None, **changes):
        claims = self.user_claims(user, user_key, nonce=nonce or self.provider.nonce())
        typ = {"typ": "gatehouse-user-registration+jwt"}
        return {"user_key": jwk(user_key), "device_proof": sign(self.signing, typ, claims),
                "user_key_proof": sign(user_key, typ, claims), **changes}

    def register_user(self, body):
        return self.try_user(body)[0]

    def try_user(self, body):
        """Status, media type and body."""
        return self.provider.send(
            self.provider.urls["user_registration"], pretty(body), "application/json")

    # Refresh, and the key service

    def refresh_claims(self, token, **changes):
        return self.claims(
            None, "refresh", grant_type="refresh_token", refresh_token=token, **changes)

    def refresh(self, claims):
        return self.provider.post(
            "refresh", sign(self.signing, {"typ": "platformsso-refresh-request+jwt"}, claims))

    def unlock_claims(self, user, token, request_type, **changes):
        absent = {"aud": None, "client_id": None, "scope": None}
        return self.claims(
            user, "key", version="1.0", request_type=request_type, key_purpose="user_unlock",
            refresh_token=token, **{**absent, **changes})

    def unlock(self, claims, version="2.0"):
        return self.provider.post(
            "key", sign(self.signing, {"typ": "platformsso-key-request+jwt"}, claims), version)

    def exchange_claims(self, user, token, context, other=None, **changes):
        other = other or new_key()
        return self.unlock_claims(
            user, token, "key_exchange", key_context=context,
            other_publickey=base64.b64encode(point(other)).decode(), **changes)
