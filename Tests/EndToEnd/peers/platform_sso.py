# SPDX-License-Identifier: Apache-2.0
"""A Mac, as far as a provider can tell: Platform SSO from Apple's documents, with nothing of ours.

    platform_sso.py ISSUER ADMIN_TOKEN_FILE USER PASSWORD OTHER_USER OTHER_PASSWORD

Only `cryptography` and the standard library. It writes JSON as macOS does (pretty-printed, so every
message begins with `ewog`), derives keys by hand, signs in with every method, and then attacks.
Prints one JSON object: what it checked, in the order it did.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from cryptography import x509
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
checks = []


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


def sign(key, header, claims):
    head = {"alg": "ES256", "kid": kid(key), **header}
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


class Provider:
    def __init__(self, issuer, admin_token):
        self.issuer = issuer
        with urllib.request.urlopen(issuer + "/.well-known/gatehouse") as answer:
            document = json.load(answer)
        self.urls = document["platform_sso"]
        self.api = document["admin"]["api"]
        self.admin_token = admin_token

    def send(self, url, body, content_type, headers=None, method="POST"):
        """Status, media type and body."""
        request = urllib.request.Request(url, data=body, method=method, headers={
            "Content-Type": content_type, "client-request-id": str(uuid.uuid4()).upper(),
            "User-Agent": "AppSSOAgent/1 CFNetwork/3887.100.1 Darwin/27.0.0", **(headers or {})})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, answer.headers.get("Content-Type"), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get("Content-Type"), error.read()
        except (ConnectionError, urllib.error.URLError):
            # Bodies that are far too long end with the connection.
            return 413, None, b""

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

    def registration(self, nonce=None, **changes):
        nonce = nonce or self.provider.nonce()
        now = int(time.time())
        claims = {"aud": self.provider.urls["device_registration"], "iat": now, "exp": now + 300,
                  "nonce": nonce, "signing_key": kid(self.signing),
                  "encryption_key": kid(self.encryption)}
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
        status, _, answer = self.provider.send(
            self.provider.urls["device_registration"], pretty(body), "application/json")
        return status, json.loads(answer)

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

    def user_registration(self, user, user_key, nonce=None, **changes):
        now = int(time.time())
        claims = {"aud": self.provider.urls["user_registration"], "iat": now, "exp": now + 300,
                  "nonce": nonce or self.provider.nonce(), "sub": user,
                  "device_key": kid(self.signing), "user_key": kid(user_key)}
        typ = {"typ": "gatehouse-user-registration+jwt"}
        return {"user_key": jwk(user_key), "device_proof": sign(self.signing, typ, claims),
                "user_key_proof": sign(user_key, typ, claims), **changes}

    def register_user(self, body):
        return self.provider.send(
            self.provider.urls["user_registration"], pretty(body), "application/json")[0]

    # Refresh, and the key service

    def refresh_claims(self, token, **changes):
        return self.claims(
            None, "refresh", grant_type="refresh_token", refresh_token=token, **changes)

    def refresh(self, claims):
        return self.provider.post(
            "refresh", sign(self.signing, {"typ": "platformsso-refresh-request+jwt"}, claims))

    def unlock_claims(self, user, token, request_type, **changes):
        return self.claims(
            user, "key", aud=None, client_id=None, scope=None, version="1.0",
            request_type=request_type, key_purpose="user_unlock", refresh_token=token, **changes)

    def unlock(self, claims, version="2.0"):
        return self.provider.post(
            "key", sign(self.signing, {"typ": "platformsso-key-request+jwt"}, claims), version)

    def exchange_claims(self, user, token, context, other=None, **changes):
        other = other or new_key()
        return self.unlock_claims(
            user, token, "key_exchange", key_context=context,
            other_publickey=base64.b64encode(point(other)).decode(), **changes)


def refused(name, status, answer):
    need(answer[0] == status, (name, status, answer))
    checks.append(f"{name}: {status}")


def registers(provider, mac):
    body = mac.registration(registration_token="grt_nobody-made-this")
    refused("unknown registration token", 400, mac.register(body))
    token = provider.registration_token(maximum_uses=2, label="fleet")
    stranger = new_key()
    wrong = mac.registration(registration_token=token)
    wrong["encryption_key_proof"] = b64u(os.urandom(32))
    refused("encryption key not proven", 400, mac.register(wrong))
    wrong = mac.registration(registration_token=token)
    wrong["device_signing_key"] = jwk(stranger)
    wrong.pop("signing_key_id")
    refused("signing key not proven", 400, mac.register(wrong))
    wrong = mac.registration(registration_token=token, signing_key_id=kid(stranger))
    refused("kid of another key", 400, mac.register(wrong))
    nonce = provider.nonce()
    status, answer = mac.register(mac.registration(nonce, registration_token=token))
    need(status == 201, answer)
    need(answer["token_endpoint"] == provider.urls["token"], answer)
    need(answer["login_request_encryption_key"]["use"] == "enc", answer)
    checks.append("device registered")
    refused("registration nonce twice", 400,
            mac.register(mac.registration(nonce, registration_token=token)))
    status, again = mac.register(mac.registration())
    need(status == 201 and again["device_id"] == answer["device_id"], again)
    checks.append("device registered again by its own key")
    thief = Mac(provider, mac.serial)
    refused("serial number of another", 400,
            thief.register(thief.registration(registration_token=token)))
    collider = Mac(provider, "COLLIDER")
    collider.encryption = mac.encryption
    refused("another's encryption key", 400,
            collider.register(collider.registration(registration_token=token)))
    return answer["device_id"]


def other_mac(provider, serial):
    mac = Mac(provider, serial)
    token = provider.registration_token(serial_number=serial)
    stranger = Mac(provider, "NOT-" + serial)
    refused("token of another serial number", 400,
            stranger.register(stranger.registration(registration_token=token)))
    status, answer = mac.register(mac.registration(registration_token=token))
    need(status == 201, answer)
    refused("registration token twice", 400, stranger.register(
        Mac(provider, serial).registration(registration_token=token)))
    return mac


def signs_in(mac, user, password):
    claims = mac.password_claims(user, password, claims={
        "id_token": {"groups": {"values": ["staff", "admins"]}}}, amr=["pwd"])
    response, identity = mac.tokens(mac.login(claims), claims, groups=["staff"])
    need(identity["amr"] == ["pwd"] and identity["preferred_username"] == user, identity)
    checks.append("password")
    claims = mac.encrypted_claims(user, password)
    mac.tokens(mac.login(claims), claims)
    checks.append("encrypted password")
    return response["refresh_token"]


def wrong_credentials(mac, user, password):
    refused("wrong password", 401, mac.login(mac.password_claims(user, "not it")))
    refused("unknown person", 401, mac.login(mac.password_claims("nobody", password)))
    refused("wrong encrypted password", 401, mac.login(mac.encrypted_claims(user, "not it")))


def user_key(mac, user, password, other, other_password):
    key = new_key()
    refused("user key without a sign-in", 400,
            (mac.register_user(mac.user_registration(user, key)),))
    token = mac.signed_in(user, password)
    body = mac.user_registration(user, key, refresh_token=token)
    body["user_key_proof"] = mac.user_registration(user, new_key())["user_key_proof"]
    refused("user key not proven", 400, (mac.register_user(body),))
    refused("user key for somebody else", 400, (mac.register_user(
        mac.user_registration(other, key, refresh_token=token)),))
    refused("device key as user key", 400, (mac.register_user(
        mac.user_registration(user, mac.signing, refresh_token=token)),))
    need(mac.register_user(mac.user_registration(user, key, refresh_token=token)) == 201, "key")
    refused("user key of somebody else", 400, (mac.register_user(mac.user_registration(
        other, key, refresh_token=mac.signed_in(other, other_password))),))
    claims = mac.key_claims(user, key)
    _, identity = mac.tokens(mac.login(claims), claims)
    need(identity["amr"] == ["pop"] and identity["acr"] == "phr", identity)
    checks.append("user key")
    refused("unknown user key", 401, mac.login(mac.key_claims(user, new_key())))
    refused("user key of another person", 401, mac.login(mac.key_claims(other, key)))
    for name, change in [
            ("assertion for another user", {"sub": other, "iss": other}),
            ("scope differs inside", {"scope": "openid"}),
            ("nonce differs inside", {"nonce": str(uuid.uuid4()).upper()}),
            ("server nonce differs inside", {"request_nonce": "another"}),
            ("audience of the assertion", {"aud": mac.provider.urls["token"]}),
            ("expired assertion", {"exp": int(time.time()) - 3600})]:
        refused(name, 400, mac.login(mac.key_claims(user, key, change)))
    refused("another user inside of the encryption", 400, mac.login(
        mac.encrypted_claims(user, password, {"sub": other, "iss": other})))


def refreshes(mac, stranger, user, password):
    token = mac.signed_in(user, password)
    refused("refresh token of another device", 401, stranger.refresh(stranger.refresh_claims(token)))
    refused("refresh token that is none", 401, mac.refresh(mac.refresh_claims("gd.nonsense")))
    claims = mac.refresh_claims(token)
    first = mac.tokens(mac.refresh(claims), claims)[0]["refresh_token"]
    claims = mac.refresh_claims(token)
    again = mac.tokens(mac.refresh(claims), claims)[0]["refresh_token"]
    need(first == again != token, "the grace gives the same successor")
    checks.append("refresh, and once more within the grace")
    status, _, body = mac.provider.form(mac.provider.issuer + "/token", {
        "grant_type": "refresh_token", "refresh_token": first, "client_id": "platform-sso"})
    refused("refresh token at the token endpoint", 400, (status, None, body))
    return first


def unlocks(mac, stranger, user, other, token, stranger_token):
    claims = mac.unlock_claims(user, token, "key_request")
    refused("key request of version 1.0", 400, mac.unlock(claims, "1.0"))
    claims = mac.unlock_claims(user, token, "key_request")
    made = mac.opened(mac.unlock(claims), claims, "platformsso-key-response+jwt")
    certificate = x509.load_der_x509_certificate(unb64u(made["certificate"]))
    certificate.public_key().verify(
        certificate.signature, certificate.tbs_certificate_bytes, ec.ECDSA(hashes.SHA256()))
    usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
    need(usage.key_agreement and usage.digital_signature and not usage.key_cert_sign, usage)
    claims = mac.unlock_claims(user, token, "key_request")
    again = mac.opened(mac.unlock(claims), claims, "platformsso-key-response+jwt")
    need(made["certificate"] == again["certificate"], "the certificate changed")
    checks.append("key request, twice the same certificate")
    context = made["key_context"]
    ephemeral = new_key()
    claims = mac.exchange_claims(user, token, context, ephemeral)
    answer = mac.opened(mac.unlock(claims), claims, "platformsso-key-response+jwt")
    need(base64.b64decode(answer["key"])
         == ephemeral.exchange(ec.ECDH(), certificate.public_key()), "another key")
    checks.append("key exchange")
    refused("key context of another device", 400, stranger.unlock(
        stranger.exchange_claims(user, stranger_token, context)))
    broken = context[:-2] + ("AA" if context[-2:] != "AA" else "BB")
    refused("key context that was changed", 400, mac.unlock(
        mac.exchange_claims(user, token, broken)))
    refused("no key context", 400, mac.unlock(mac.exchange_claims(user, token, None)))
    refused("token of another person", 400, mac.unlock(
        mac.unlock_claims(other, token, "key_request")))
    refused("point off the curve", 400, mac.unlock(mac.exchange_claims(
        user, token, context) | {"other_publickey": base64.b64encode(
            b"\x04" + bytes(range(64))).decode()}))
    return context


def attacks(mac, stranger, user, password):
    def claims(**changes):
        return mac.password_claims(user, password, **changes)

    now = int(time.time())
    used = claims()
    mac.tokens(mac.login(used), used)
    refused("nonce twice", 400, mac.login(claims(nonce=used["request_nonce"])))
    refused("nonce of nobody", 400, mac.login(claims(nonce=b64u(os.urandom(40)))))
    refused("swapped device key", 400, mac.login(
        claims(), stranger.signing, {"kid": kid(mac.signing)}))
    refused("device that is none", 400, mac.login(claims(), new_key()))
    elsewhere = {"alg": "ECDH-ES", "enc": "A256GCM"}
    foreign = claims()
    refused("apv of another device", 400, mac.login(foreign | {"jwe_crypto": {
        **elsewhere, "apv": b64u(stranger.apv(foreign["nonce"]))}}))
    foreign = claims()
    refused("apv of another nonce", 400, mac.login(foreign | {"jwe_crypto": {
        **elsewhere, "apv": b64u(mac.apv(str(uuid.uuid4()).upper()))}}))
    refused("HPKE", 400, mac.login(claims(jwe_crypto={
        "alg": "HPKE-P256-SHA256-A256GCM", "enc": "dir", "kid": kid(mac.encryption)})))
    refused("expired", 400, mac.login(claims(iat=now - 7200, exp=now - 3600)))
    refused("future", 400, mac.login(claims(iat=now + 3600, exp=now + 3900)))
    refused("audience elsewhere", 400, mac.login(claims(aud="https://elsewhere.example/token")))
    refused("another client", 400, mac.login(claims(client_id="shop", iss="shop")))
    body = b64u(pretty(claims()))
    for name, header in [("none", {"alg": "none"}), ("HS256", {"alg": "HS256"})]:
        head = b64u(pretty({"typ": LOGIN, "kid": kid(mac.signing), **header}))
        mac_bytes = hmac.digest(point(mac.signing), (head + "." + body).encode(), "sha256")
        signature = "" if name == "none" else b64u(mac_bytes)
        refused(f"algorithm {name}", 400, mac.provider.post("token", f"{head}.{body}.{signature}"))
    signed = sign(mac.signing, {"typ": LOGIN}, claims())
    refused("unsigned", 400, mac.provider.post("token", signed[:signed.rindex(".") + 1]))
    refused("another type", 400, mac.login(claims(), header={"typ": ASSERTION + "x"}))
    status = mac.login(claims(padding="x" * 200_000))[0]
    need(status in (400, 413), status)
    checks.append("oversized")


def main():
    issuer, token_file, user, password, other, other_password = sys.argv[1:]
    with open(token_file) as file:
        provider = Provider(issuer, file.read().strip())
    mac = Mac(provider, "C02AAAAAAAAA")
    device = registers(provider, mac)
    stranger = other_mac(provider, "C02BBBBBBBBB")
    signs_in(mac, user, password)
    wrong_credentials(mac, user, password)
    user_key(mac, user, password, other, other_password)
    token = refreshes(mac, stranger, user, password)
    stranger_token = stranger.signed_in(user, password)
    context = unlocks(mac, stranger, user, other, token, stranger_token)
    attacks(mac, stranger, user, password)
    token = mac.signed_in(user, password)
    shown = provider.admin("GET", f"/projects/default/devices/{device}")
    need({person["username"] for person in shown["users"]} == {user, other}, shown)
    provider.admin("POST", f"/projects/default/devices/{device}/revoke")
    refused("login on a revoked device", 400, mac.login(mac.password_claims(user, password)))
    refused("refresh on a revoked device", 400, mac.refresh(mac.refresh_claims(token)))
    refused("exchange on a revoked device", 400, mac.unlock(
        mac.exchange_claims(user, token, context)))
    refused("revoked keys registered again", 400, mac.register(mac.registration(
        registration_token=provider.registration_token(serial_number=mac.serial))))
    print(json.dumps({"checks": checks}))


main()
