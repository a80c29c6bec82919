# SPDX-License-Identifier: Apache-2.0
"""Attacks on every kind of signed message, by name: a table of attacks over the table of messages. Each form of
each must be refused with the status that macOS reads, and for the reason that the provider's log has of it;
and the message as it should be must still be good after them."""

import base64
import hmac
import os
import time
import uuid

from cards import der
from mac import (
    ASSERTION, JWT_BEARER, LOGIN, b64u, error_of, field, jwk, kid, need, new_key, point, secrets_of,
    sign, unb64u)
from platform_sso_messages import Messages, unsigned
from platform_sso_standing import Standing

HOUR = 3600

# 401 is what macOS asks the person again for; all others are "later".
STATUS = {"user_key_unknown": 401, "user_signature_invalid": 401, "refresh_token_refused": 401,
          "body_too_large": 413}

WRONG_SIGNATURE = "signature_invalid: the signature is wrong"
NO_ALGORITHM = "algorithm_not_allowed: no such signature algorithm here"
NOT_PINNED = "algorithm_not_allowed: HS256 is not pinned"
NOT_THREE = "malformed: a compact JWS has three parts"
OTHER_KEY = "apv_key_mismatch: apv names a key that is not this device's encryption key"
OTHER_NONCE = "apv_nonce_mismatch: apv contains another nonce than the request"
OTHER_LABEL = "apv_malformed: apv does not begin with Apple"
OTHER_FIELDS = "apv_malformed: apv has not three fields behind lengths"


# On any message: each gives the answers to its forms, and why each was refused.

def replayed_nonce(message, _):
    used = message.make()
    answer = message.send(used)
    need(message.is_good(answer), (message.name, answer))
    yield message.send(used), message.used_nonce
    again = message.make(**{message.nonce: used[message.nonce]})
    yield message.send(again), message.used_nonce


def foreign_nonce(message, _):
    claims = message.make(**{message.nonce: b64u(os.urandom(40))})
    yield message.send(claims), message.foreign_nonce


def swapped_key(message, stranger):
    yield message.send(message.make(), stranger.signing), WRONG_SIGNATURE


def kid_collision(message, _):
    mallory = new_key()
    spelt = kid(message.key).rstrip("=").replace("+", "-").replace("/", "_")
    yield message.send(message.make(), mallory), WRONG_SIGNATURE
    yield message.send(message.make(), mallory, kid=spelt, jwk=jwk(mallory)), WRONG_SIGNATURE


def unknown_device(message, _):
    mallory = new_key()
    yield (message.send(message.make(), mallory, kid=kid(mallory)),
           "device_unknown: no active device has that signing key")


def wrong_vectors(message, stranger):
    """Answers that would be for another key, another request, or nobody."""
    def attempt(change):
        claims = message.make()
        wish = {"alg": "ECDH-ES", "enc": "A256GCM", "apv": change(claims["nonce"])}
        wish = {name: value for name, value in wish.items() if value is not None}
        return message.send({**claims, "jwe_crypto": wish})

    def right(nonce):
        return message.mac.apv(nonce)
    yield attempt(lambda nonce: b64u(stranger.apv(nonce))), OTHER_KEY
    yield attempt(lambda nonce: b64u(
        field(b"Apple") + field(point(new_key())) + field(nonce.encode()))), OTHER_KEY
    yield attempt(lambda nonce: b64u(right(str(uuid.uuid4()).upper()))), OTHER_NONCE
    yield attempt(lambda nonce: b64u(right(nonce).replace(b"Apple", b"APPLE"))), OTHER_LABEL
    yield attempt(lambda nonce: b64u(right(nonce)[:-1])), OTHER_FIELDS
    yield attempt(lambda nonce: b64u(right(nonce) + field(b""))), OTHER_FIELDS
    yield attempt(lambda nonce: ""), OTHER_FIELDS
    yield attempt(lambda nonce: None), OTHER_FIELDS


def times(begin, end, reason):
    """Made `begin` seconds from now, and good until `end`."""
    def attack(message, _):
        now = int(time.time())
        yield message.send(message.make(iat=now + begin, exp=now + end)), reason
    return attack


def without_signature(text):
    """No signature, no third part, and zeros in its place."""
    head = text[:text.rindex(".")]
    return [head + ".", head, head + "." + b64u(bytes(64))]


def not_signed(message, _):
    for index, reason in enumerate([WRONG_SIGNATURE, NOT_THREE, WRONG_SIGNATURE]):
        text = sign(message.key, message.header(), message.make())
        yield message.post(without_signature(text)[index]), reason


NONE_FORMS = [(name, signature) for name in ("none", "None", "NONE", "nOnE")
              for signature in ("", "AAAA")]


def with_none(form, header, claims):
    name, signature = form
    return unsigned({**header, "alg": name}, claims) + "." + signature


def algorithm_none(message, _):
    for form in NONE_FORMS:
        yield message.post(with_none(form, message.header(), message.make())), NO_ALGORITHM


def with_secret(form, key, header, claims):
    """What a provider would believe that takes the public key, written in that form, for a secret."""
    body = unsigned({**header, "alg": "HS256"}, claims)
    return body + "." + b64u(hmac.digest(secrets_of(key)[form], body.encode(), "sha256"))


def public_key_as_secret(message, _):
    for form in secrets_of(message.key):
        text = with_secret(form, message.key, message.header(), message.make())
        yield message.post(text), NOT_PINNED


def hpke(message, _):
    yield message.send(message.make(jwe_crypto={
        "alg": "HPKE-P256-SHA256-A256GCM", "enc": "dir", "kid": kid(message.mac.encryption)})), (
            "hpke_not_offered: HPKE is not supported: the extension must request "
            "ecdhe_A256GCM only")


def other_audience(message, _):
    elsewhere = "https://elsewhere.example/token"
    reason = ("aud is not this endpoint" if message.nonce == "nonce" else "aud is " + elsewhere)
    yield message.send(message.make(aud=elsewhere)), "audience_mismatch: " + reason


def other_client(message, _):
    yield (message.send(message.make(client_id="shop", iss="shop")),
           "client_mismatch: client_id is shop")


def other_type(message, _):
    yield (message.send(message.make(), typ=ASSERTION + "x"),
           f"type_mismatch: typ {ASSERTION}x is not of a request")


def oversized(message, _):
    size, reason = message.limit
    yield message.send(message.make(padding="x" * size)), reason
    # Whoever sends far too much is not heard out.
    yield message.send(message.make(padding="x" * 1_000_000)), "body_too_large"


def good_after_all(message, _):
    answer = message.send(message.make())
    need(message.is_good(answer), (message.name, answer))
    yield from ()


ATTACKS = {
    "replayed nonce": replayed_nonce, "nonce of nobody": foreign_nonce,
    "swapped device key": swapped_key, "kid collision": kid_collision,
    "device that is none": unknown_device, "wrong apv": wrong_vectors,
    "expired": times(-2 * HOUR, -HOUR, "expired: exp has passed"),
    "future": times(HOUR, HOUR + 300, "issued_in_future: iat lies in the future"),
    "lives too long": times(0, 24 * HOUR, "lifetime_too_long: exp lies too far behind iat"),
    "unsigned": not_signed, "algorithm none": algorithm_none,
    "HS256 with the public key": public_key_as_secret, "HPKE": hpke,
    "audience elsewhere": other_audience, "another client": other_client,
    "another type": other_type, "oversized": oversized, "good after all": good_after_all}

# What sends messages that are good, too.
GETS_THROUGH = {"replayed nonce", "good after all"}


class Attacks:
    def __init__(self, checks, mac, stranger, user, password, other, other_password):
        self.checks, self.provider = checks, mac.provider
        self.mac, self.stranger = mac, stranger
        self.user, self.password = user, password
        self.other, self.other_password = other, other_password
        self.messages = Messages(mac, user, password)
        self.key, self.token = self.messages.key, self.messages.token
        self.context = self.messages.context
        self.standing = Standing(self.provider, mac, stranger)

    def unchanged(self, name, forms, words=None):
        """Held, and the provider is as it was."""
        before = self.standing.now()
        self.held(name, forms, words)
        self.compare(name, before)

    def compare(self, name, before):
        after = self.standing.now()
        need(after == before, (name, before, after))
        return after

    def held(self, name, forms, words=None):
        """None of the forms of one attack gets through, each for its reason."""
        for answer, reason in forms:
            reason = (words or {}).get(reason, reason)
            status = STATUS.get(reason.split(": ")[0], 400)
            self.provider.refused(name, answer, status, reason)
        self.checks.append(name)

    def on(self, message):
        before = self.standing.now()
        for name, attack in ATTACKS.items():
            if name in message.lacks:
                continue
            self.held(f"{message.name}: {name}", attack(message, self.stranger), message.words)
            before = (self.standing.now() if name in GETS_THROUGH
                      else self.compare(f"{message.name}: {name}", before))

    # Inside of a login

    def inside(self):
        messages = self.messages

        def by_key(inner, **header):
            return sign(self.key, {"typ": ASSERTION, **header}, inner)
        self.signed("user key", by_key, self.key, {})
        self.signed("smart card", messages.signed_by_card, messages.card_key,
                    {"x5c": [der(messages.card)]})
        for name, change, reason in self.differences():
            claims = self.mac.encrypted_claims(self.user, self.password, change)
            self.unchanged(f"encrypted password, inside: {name}", (
                (self.mac.login(sent), reason) for sent in [claims]))

    def differences(self):
        """What an assertion may say otherwise than the request around it."""
        now, other = int(time.time()), self.other

        def differs(claim, code):
            return f"{code}_mismatch: {claim} differs inside and outside"

        def of_user(claim):
            return f"user_mismatch: {claim} of the assertion is not the request's user"
        return [
            ("for another user", {"sub": other, "iss": other}, of_user("sub")),
            ("for another user in sub only", {"sub": other}, of_user("sub")),
            ("for another user in iss only", {"iss": other}, of_user("iss")),
            ("scope differing inside and outside", {"scope": "openid"},
             differs("scope", "scope")),
            ("nonce differing inside and outside", {"nonce": str(uuid.uuid4()).upper()},
             differs("nonce", "nonce")),
            ("server nonce differing inside and outside", {"request_nonce": "another"},
             differs("request_nonce", "server_nonce")),
            ("audience elsewhere", {"aud": "somebody"}, "audience_mismatch: aud is somebody"),
            ("expired", {"iat": now - 2 * HOUR, "exp": now - HOUR}, "expired: exp has passed"),
            ("future", {"iat": now + HOUR, "exp": now + HOUR + 300},
             "issued_in_future: iat lies in the future")]

    def signed(self, kind, write, key, certificates):
        """A login whose assertion is wrong, by the key or the card of the person.

        - write: signs claims as the person would."""
        mac, header = self.mac, {"typ": ASSERTION, "kid": kid(key), **certificates}
        wrong = "user_signature_invalid: the signature is wrong"

        def attack(name, make, reasons):
            claims = mac.claims(self.user, "token", grant_type=JWT_BEARER)
            forms = make(mac.inner(self.user, claims))
            forms = forms if isinstance(forms, list) else [forms]
            reasons = reasons if isinstance(reasons, list) else [reasons] * len(forms)
            self.unchanged(f"{kind}, inside: {name}", (
                (mac.login({**claims, "assertion": form}), reason)
                for form, reason in zip(forms, reasons, strict=True)))
        for name, change, reason in self.differences():
            attack(name, lambda inner, change=change: write({**inner, **change}), reason)
        earlier = mac.claims(self.user, "token", grant_type=JWT_BEARER)
        earlier["assertion"] = write(mac.inner(self.user, earlier))
        need(mac.login(earlier)[0] == 200, "a login with " + kind)
        attack("replayed from an earlier login", lambda _: earlier["assertion"],
               "nonce_mismatch: nonce differs inside and outside")
        attack("algorithm none", lambda inner: [
            with_none(form, header, inner) for form in NONE_FORMS], NO_ALGORITHM)
        attack("HS256 with the public key", lambda inner: [
            with_secret(form, key, header, inner) for form in secrets_of(key)], NOT_PINNED)
        attack("unsigned", lambda inner: without_signature(write(inner)), [
            wrong, "assertion_malformed: the assertion has neither three parts nor five", wrong])
        attack("kid collision", lambda inner: sign(new_key(), header, inner), wrong)
        attack("by the device key", lambda inner: sign(mac.signing, header, inner), wrong)
        attack("by a key of nobody", lambda inner: sign(new_key(), {"typ": ASSERTION}, inner),
               "user_key_unknown: the person has no such key on this device")
        attack("another type", lambda inner: write(inner, typ=LOGIN),
               f"type_mismatch: typ is {LOGIN}")

    # The key service

    def contexts(self):
        """Another device's key context, another person's, and one that was tampered with."""
        mac, stranger = self.mac, self.stranger
        not_ours = "key_context_refused: not a context of this device and person"

        def exchange(name, by, user, token, *contexts, reason=not_ours):
            self.unchanged(f"key context: {name}", (
                (by.unlock(by.exchange_claims(user, token, context)), reason)
                for context in contexts))
        theirs = stranger.signed_in(self.user, self.password)
        exchange("another device's", stranger, self.user, theirs, self.context)
        exchange("another device's, the other way round", mac, self.user, self.token,
                 self.messages.unlock_key(stranger, self.user, theirs))
        token = mac.signed_in(self.other, self.other_password)
        exchange("another person's on the same device", mac, self.other, token, self.context)
        exchange("another person's token", mac, self.user, token, self.context,
                 reason="user_mismatch: the token is another person's")
        exchange("another device's token", stranger, self.user, self.token, self.context,
                 reason="refresh_token_refused: not a refresh token of this device")
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
            need(answer[0] == 400 and error_of(answer) == "public_key_malformed", (name, answer))
            self.checks.append(f"key exchange with {name}")

    def all(self):
        for message in self.messages.all():
            self.on(message)
        self.inside()
        self.contexts()
        self.messages.settings()
