# SPDX-License-Identifier: Apache-2.0
"""Attacks on every signed message, by name; each must be refused, and the message as it should be must
still be good after them."""

import base64
import hmac
import json
import os
import re
import time
import uuid

from mac import (
    ASSERTION, JWT_BEARER, LOGIN, b64u, error_of, field, jwk, kid, need, new_key, point, pretty,
    secrets_of, sign, unb64u)

REFRESH = "platformsso-refresh-request+jwt"
KEY = "platformsso-key-request+jwt"
HOUR = 3600

# For what an attack is refused, by its name: a refusal for another reason would prove nothing. Several
# where one attack comes in several forms.
REASONS = {
    "replayed nonce": {"server_nonce_refused"},
    "nonce of nobody": {"server_nonce_refused"},
    "swapped device key": {"signature_invalid"},
    "device that is none": {"device_unknown"},
    "wrong apv": {"apv_key_mismatch", "apv_nonce_mismatch", "apv_malformed"},
    "expired": {"expired"},
    "future": {"issued_in_future"},
    "lives too long": {"lifetime_too_long"},
    "algorithm none": {"algorithm_not_allowed", "malformed", "assertion_malformed"},
    "HS256 with the public key": {"algorithm_not_allowed"},
    "HPKE": {"hpke_not_offered", "response_encryption_unsupported"},
    "audience elsewhere": {"audience_mismatch"},
    "another client": {"client_mismatch"},
    "another type": {"type_mismatch"},
    "for another user": {"user_mismatch"},
    "for another user in sub only": {"user_mismatch"},
    "scope differing inside and outside": {"scope_mismatch"},
    "nonce differing inside and outside": {"nonce_mismatch"},
    "server nonce differing inside and outside": {"server_nonce_mismatch"},
    "replayed from an earlier login": {"nonce_mismatch", "server_nonce_mismatch"},
    "kid collision": {"signature_invalid", "user_signature_invalid"},
    "unsigned": {"signature_invalid", "user_signature_invalid", "malformed"},
    "by the device key": {"user_signature_invalid"},
    "by a key of nobody": {"user_key_unknown"},
    "another person's token": {"user_mismatch"},
    "another device's token": {"key_context_refused"},
    "another device's": {"key_context_refused"},
    "another device's, the other way round": {"key_context_refused"},
    "another person's on the same device": {"key_context_refused"},
    "changed": {"key_context_refused"},
    "cut off": {"key_context_refused"},
    "point off the curve": {"public_key_malformed"},
    "point of zeros": {"public_key_malformed"},
    "no point": {"public_key_malformed"},
    "the point at infinity": {"public_key_malformed"}}


def unsigned(header, claims):
    return b64u(pretty(header)) + "." + b64u(pretty(claims))


def without_signature(message):
    """No signature, no third part, and zeros in its place."""
    head = message[:message.rindex(".")]
    return [head + ".", head, head + "." + b64u(bytes(64))]


def with_none(header, claims):
    return [unsigned({**header, "alg": name}, claims) + "." + signature
            for name in ("none", "None", "NONE", "nOnE") for signature in ("", "AAAA")]


def with_secret(key, header, claims):
    body = unsigned({**header, "alg": "HS256"}, claims)
    return [body + "." + b64u(hmac.digest(secret, body.encode(), "sha256"))
            for secret in secrets_of(key).values()]


class Message:
    """One kind of request: how its claims are made, and where it goes."""

    def __init__(self, name, mac, kind, endpoint, make, version="1.0"):
        self.name, self.mac, self.kind = name, mac, kind
        self.endpoint, self.make, self.version = endpoint, make, version

    def header(self, **changes):
        return {"typ": self.kind, "kid": kid(self.mac.signing), **changes}

    def post(self, message):
        return self.mac.provider.post(self.endpoint, message, self.version)

    def send(self, claims, key=None, **header):
        return self.post(sign(key or self.mac.signing, self.header(**header), claims))


class Attacks:
    def __init__(self, refused, checks, mac, stranger, user, password, other, other_password):
        self.refused, self.checks = refused, checks
        self.mac, self.stranger = mac, stranger
        self.user, self.password = user, password
        self.other, self.other_password = other, other_password
        self.key = new_key()
        token = mac.signed_in(user, password)
        status = mac.register_user(mac.user_registration(user, self.key, refresh_token=token))
        need(status == 201, status)
        self.token = mac.signed_in(user, password)
        self.context = self.unlock_key(mac, user, self.token)

    def unlock_key(self, mac, user, token):
        claims = mac.unlock_claims(user, token, "key_request")
        return mac.opened(mac.unlock(claims), claims, KEY.replace("request", "response"))[
            "key_context"]

    def messages(self):
        mac, user = self.mac, self.user
        return [
            Message("password", mac, LOGIN, "token",
                    lambda **c: mac.password_claims(user, self.password, **c)),
            Message("user key", mac, LOGIN, "token",
                    lambda **c: mac.key_claims(user, self.key, **c)),
            Message("refresh", mac, REFRESH, "refresh",
                    lambda **c: mac.refresh_claims(self.token, **c)),
            Message("key request", mac, KEY, "key",
                    lambda **c: mac.unlock_claims(user, self.token, "key_request", **c), "2.0"),
            Message("key exchange", mac, KEY, "key",
                    lambda **c: mac.exchange_claims(user, self.token, self.context, **c), "2.0")]

    def each(self, name, status, answers):
        """Several forms of one attack, of which none may get through, each for its reason."""
        reasons = REASONS[re.split(": | with ", name, maxsplit=1)[-1]]
        for answer in answers:
            need(answer[0] == status, (name, status, answer))
            need(error_of(answer) in reasons, (name, reasons, answer))
        self.checks.append(f"{name}: {status}")

    def on(self, message):
        def attack(name, *answers):
            self.each(f"{message.name}: {name}", 400, answers)

        mac, stranger, make = self.mac, self.stranger, message.make
        now = int(time.time())
        used = make()
        need(message.send(used)[0] == 200, message.name)
        attack("replayed nonce", message.send(used), message.send(make(nonce=used["request_nonce"])))
        attack("nonce of nobody", message.send(make(nonce=b64u(os.urandom(40)))))
        attack("swapped device key", message.send(make(), stranger.signing))
        mallory = new_key()
        spelt = kid(mac.signing).rstrip("=").replace("+", "-").replace("/", "_")
        attack("kid collision", message.send(make(), mallory),
               message.send(make(), mallory, kid=spelt, jwk=jwk(mallory)))
        attack("device that is none", message.send(make(), mallory, kid=kid(mallory)))
        attack("wrong apv", *(message.send(claims) for claims in self.wrong_vectors(make)))
        attack("expired", message.send(make(iat=now - 2 * HOUR, exp=now - HOUR)))
        attack("future", message.send(make(iat=now + HOUR, exp=now + HOUR + 300)))
        attack("lives too long", message.send(make(exp=now + 24 * HOUR)))
        attack("unsigned", *map(message.post, without_signature(
            sign(mac.signing, message.header(), make()))))
        attack("algorithm none", *map(message.post, with_none(message.header(), make())))
        attack("HS256 with the public key",
               *map(message.post, with_secret(mac.signing, message.header(), make())))
        attack("HPKE", message.send(make(jwe_crypto={
            "alg": "HPKE-P256-SHA256-A256GCM", "enc": "dir", "kid": kid(mac.encryption)})))
        attack("audience elsewhere", message.send(make(aud="https://elsewhere.example/token")))
        attack("another client", message.send(make(client_id="shop", iss="shop")))
        attack("another type", message.send(make(), typ=ASSERTION + "x"))
        status = message.send(make(padding="x" * 200_000))[0]
        need(status in (400, 413), status)
        self.checks.append(f"{message.name}: oversized")
        need(message.send(make())[0] == 200, message.name)
        self.checks.append(f"{message.name}: good after all")

    def wrong_vectors(self, make):
        """Answers that would be for another key, another request, or nobody."""
        mac = self.mac

        def wish(claims, apv):
            return {**claims, "jwe_crypto": {"alg": "ECDH-ES", "enc": "A256GCM", "apv": apv}}

        def right(claims):
            return mac.apv(claims["nonce"])
        foreign, own, fresh = make(), make(), make()
        nobody = field(b"Apple") + field(point(new_key())) + field(fresh["nonce"].encode())
        yield wish(foreign, b64u(self.stranger.apv(foreign["nonce"])))
        yield wish(fresh, b64u(nobody))
        yield wish(own, b64u(mac.apv(str(uuid.uuid4()).upper())))
        claims = make()
        yield wish(claims, b64u(right(claims).replace(b"Apple", b"APPLE")))
        claims = make()
        yield wish(claims, b64u(right(claims)[:-1]))
        claims = make()
        yield wish(claims, b64u(right(claims) + field(b"")))
        yield wish(make(), "")
        claims = make()
        yield {**claims, "jwe_crypto": {"alg": "ECDH-ES", "enc": "A256GCM"}}

    # Inside of a login

    def signed(self, name, status, make):
        """A login whose assertion `make` writes, from the claims inside."""
        claims = self.mac.claims(self.user, "token", grant_type=JWT_BEARER)
        inner = self.mac.inner(self.user, claims)
        assertions = make(inner)
        answers = []
        for assertion in assertions if isinstance(assertions, list) else [assertions]:
            claims = {**claims, "assertion": assertion}
            answers.append(self.mac.login(claims))
        self.each(f"assertion: {name}", status, answers)

    def inside(self):
        mac, key = self.mac, self.key
        header = {"typ": ASSERTION, "kid": kid(key)}
        now = int(time.time())

        def changed(**changes):
            return lambda inner: sign(key, header, {**inner, **changes})
        for name, change in [
                ("for another user", {"sub": self.other, "iss": self.other}),
                ("for another user in sub only", {"sub": self.other}),
                ("scope differing inside and outside", {"scope": "openid"}),
                ("nonce differing inside and outside", {"nonce": str(uuid.uuid4()).upper()}),
                ("server nonce differing inside and outside", {"request_nonce": "another"}),
                ("audience elsewhere", {"aud": mac.provider.urls["token"]}),
                ("expired", {"iat": now - 2 * HOUR, "exp": now - HOUR}),
                ("future", {"iat": now + HOUR, "exp": now + HOUR + 300})]:
            self.signed(name, 400, changed(**change))
        earlier = mac.key_claims(self.user, key)
        need(mac.login(earlier)[0] == 200, "a login with a key")
        self.signed("replayed from an earlier login", 400, lambda _: earlier["assertion"])
        self.signed("algorithm none", 400, lambda inner: with_none(header, inner))
        self.signed("HS256 with the public key", 400,
                    lambda inner: with_secret(key, header, inner))
        self.signed("unsigned", 401, lambda inner: [
            without_signature(sign(key, header, inner))[index] for index in (0, 2)])
        self.signed("kid collision", 401, lambda inner: sign(new_key(), header, inner))
        self.signed("by the device key", 401, lambda inner: sign(mac.signing, header, inner))
        self.signed("by a key of nobody", 401, lambda inner: sign(
            new_key(), {"typ": ASSERTION}, inner))
        self.signed("another type", 400, lambda inner: sign(key, {**header, "typ": LOGIN}, inner))
        for name, change in [
                ("for another user", {"sub": self.other, "iss": self.other}),
                ("scope differing inside and outside", {"scope": "openid"}),
                ("nonce differing inside and outside", {"nonce": str(uuid.uuid4()).upper()}),
                ("server nonce differing inside and outside", {"request_nonce": "another"}),
                ("audience elsewhere", {"aud": "somebody"}),
                ("expired", {"iat": now - 2 * HOUR, "exp": now - HOUR})]:
            self.each(f"encrypted password: {name}", 400, [
                mac.login(mac.encrypted_claims(self.user, self.password, change))])

    # The key service

    def contexts(self):
        """Another device's key context, another person's, and one that was tampered with."""
        mac, stranger = self.mac, self.stranger

        def exchange(name, by, user, token, *contexts):
            self.each(f"key context: {name}", 400, [
                by.unlock(by.exchange_claims(user, token, context)) for context in contexts])
        theirs = stranger.signed_in(self.user, self.password)
        exchange("another device's", stranger, self.user, theirs, self.context)
        exchange("another device's, the other way round", mac, self.user, self.token,
                 self.unlock_key(stranger, self.user, theirs))
        token = mac.signed_in(self.other, self.other_password)
        exchange("another person's on the same device", mac, self.other, token, self.context)
        exchange("another person's token", mac, self.user, token, self.context)
        exchange("another device's token", stranger, self.user, theirs, self.context)
        raw = unb64u(self.context)
        flipped = [b64u(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1:])
                   for at in (0, len(raw) // 2, len(raw) - 1)]
        exchange("changed", mac, self.user, self.token, *flipped)
        exchange("cut off", mac, self.user, self.token, b64u(raw[:-1]), b64u(raw[:16]), "A")
        for name, key in [("point off the curve", b"\x04" + bytes(range(64))),
                          ("point of zeros", b"\x04" + bytes(64)), ("no point", b"\x04"),
                          ("the point at infinity", b"\x00")]:
            claims = mac.exchange_claims(self.user, self.token, self.context)
            answer = mac.unlock({**claims, "other_publickey": base64.b64encode(key).decode()})
            self.each(f"key exchange with {name}", 400, [answer])

    def all(self):
        for message in self.messages():
            self.on(message)
        self.inside()
        self.contexts()
