# SPDX-License-Identifier: Apache-2.0
"""Every kind of message that a Mac signs for a provider of Platform SSO: how its claims are made, by which key,
where it goes, and what there is to attack in it."""

import base64
import json
import time

from browser import Browser
from cards import Authority, der, sign_with_card
from mac import ASSERTION, JWT_BEARER, LOGIN, Mac, b64u, kid, need, new_key, pretty, sign, unb64u
from token_service import TokenService

REFRESH = "platformsso-refresh-request+jwt"
KEY = "platformsso-key-request+jwt"
AUTHORIZATION = "platformsso-authorization-request+jwt"
DEVICE_PROOF = "gatehouse-device-registration+jwt"
USER_PROOF = "gatehouse-user-registration+jwt"
LEAVING = "gatehouse-unregistration+jwt"
SAML2 = "urn:ietf:params:oauth:grant-type:saml2-bearer"
TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
CALLBACK = "urn:apple:platformsso:authorization-code-response"

# What a message may lack, and so cannot be attacked in.
NO_ANSWER = {"wrong apv", "HPKE"}
NO_CLIENT = {"another client"}
PROOF = NO_ANSWER | NO_CLIENT


class Message:
    """One kind: `make` writes its claims, changed as an attack wants, and `post` sends a compact JWS."""

    nonce, good, lacks = "request_nonce", 200, set()
    foreign_nonce = used_nonce = "server_nonce_refused: not ours, too old, or used before"
    # How much more is too much, and what is said of it.
    limit = (60_000, "body_too_large")
    # What is said of an attack otherwise than of other messages.
    words = {}

    def __init__(self, name, mac, kind, make, post):
        self.name, self.mac, self.kind = name, mac, kind
        self.make, self.post = make, post

    @property
    def key(self):
        return self.mac.signing

    def header(self, **changes):
        return {"typ": self.kind, "kid": kid(self.key), **changes}

    def send(self, claims, key=None, **header):
        return self.post(sign(key or self.key, self.header(**header), claims))

    def is_good(self, answer):
        return answer[0] == self.good


class KeyLogin(Message):
    """A login with the person's key, whose nonce is taken out of use in the step that signs them in."""

    used_nonce = "server_nonce_refused: used before"


class WebLogin(Message):
    """A web login's end. Its code works once, and so somebody signs in again after each that was taken."""

    code = None

    def is_good(self, answer):
        self.code = None
        return super().is_good(answer)


class Authorization(Message):
    """Its beginning, which has neither audience nor answer; `state` is what it may be sent with once."""

    nonce, good = "state", 303
    lacks = NO_ANSWER | {"audience elsewhere"}
    foreign_nonce = used_nonce = "state_mismatch: state is not ours, too old, or used before"


class Proof(Message):
    """The proof that a key is held, inside of a registration in JSON."""

    nonce, good, lacks = "nonce", 201, PROOF

    def __init__(self, name, mac, kind, make, post, member):
        super().__init__(name, mac, kind, make, post)
        self.words = {
            "type_mismatch: typ platformsso-login-assertion+jwtx is not of a request":
            f"type_mismatch: typ of the proof is not {kind}",
            "device_unknown: no active device has that signing key":
            "device_unknown: no device has that key now"}
        self.limit = (9000, f"claim_malformed: {member} is not short text")


class OwnProof(Proof):
    """By a key that comes along: whatever name it has, it is that one."""

    lacks = PROOF | {"device that is none"}


class UserProof(OwnProof):
    def __init__(self, own, *arguments):
        super().__init__(*arguments)
        self.own = own

    @property
    def key(self):
        return self.own


class Replacement(Proof):
    """New keys of a machine that proves its old ones: each that is taken makes it another."""

    def is_good(self, answer):
        good = super().is_good(answer)
        if good:
            self.mac = self.next
        return good


class Messages:
    """All of them, for one person on one Mac, with whatever else each of them needs."""

    def __init__(self, mac, user, password):
        self.mac, self.provider = mac, mac.provider
        self.user, self.password = user, password
        self.principal = user + "@corp.example.com"
        self.authority, self.service = Authority(), TokenService()
        self.card_key, self.key = new_key(), new_key()
        self.card = self.authority.card(self.card_key, self.principal)
        self.settings(
            allowed_methods=["password", "user_key", "smart_card", "web_login"],
            smart_card_roots=[der(self.authority.certificate)], smart_card_mapping=["upn"],
            smart_card_upn_domains=["corp.example.com"],
            smart_card_revocation_evidence=[self.authority.revocation_list()],
            **self.service.settings())
        token = mac.signed_in(user, password)
        status = mac.register_user(mac.user_registration(user, self.key, refresh_token=token))
        need(status == 201, status)
        self.token = mac.signed_in(user, password)
        self.context = self.unlock_key(mac, user, self.token)

    def settings(self, **wish):
        self.provider.admin(
            "PUT", "/projects/default", {"platform_sso": {"enabled": True, **wish}})

    def unlock_key(self, mac, user, token):
        claims = mac.unlock_claims(user, token, "key_request")
        return mac.opened(mac.unlock(claims), claims, KEY.replace("request", "response"))[
            "key_context"]

    def all(self):
        return [*self.logins(), self.web_login(), *self.tokens(), self.authorization(),
                *self.registrations()]

    # Requests to the endpoints that macOS knows

    def request(self, kind, endpoint, name, make, version="1.0", cls=Message):
        return cls(name, self.mac, kind, make,
                   lambda text: self.provider.post(endpoint, text, version))

    def logins(self):
        mac, user = self.mac, self.user

        def login(name, make, cls=Message):
            return self.request(LOGIN, "token", name, make, cls=cls)
        return [
            login("password", lambda **c: mac.password_claims(user, self.password, **c)),
            login("encrypted password",
                  lambda **c: mac.encrypted_claims(user, self.password, **c)),
            login("user key", lambda **c: mac.key_claims(user, self.key, **c), KeyLogin),
            login("smart card", self.card_claims),
            login("WS-Trust", lambda **c: mac.claims(
                user, "token", grant_type=SAML2, **{
                    "assertion": base64.b64encode(
                        self.service.issue(self.principal).encode()).decode(), **c}))]

    def card_claims(self, **changes):
        claims = self.mac.claims(self.user, "token", grant_type=JWT_BEARER, **changes)
        claims["assertion"] = self.signed_by_card(self.mac.inner(self.user, claims))
        return claims

    def signed_by_card(self, inner, **header):
        return sign_with_card(
            self.card_key, {"typ": ASSERTION, "x5c": [der(self.card)], **header}, inner)

    def tokens(self):
        mac, user = self.mac, self.user
        return [
            self.request(REFRESH, "refresh", "refresh",
                         lambda **c: mac.refresh_claims(self.token, **c)),
            self.request(KEY, "key", "key request", lambda **c: mac.unlock_claims(
                user, self.token, "key_request", **c), "2.0"),
            self.request(KEY, "key", "key exchange", lambda **c: mac.exchange_claims(
                user, self.token, self.context, **c), "2.0")]

    # The web login

    def began(self, **changes):
        found = json.loads(self.provider.send(
            self.provider.urls["web_login"] + "?user=" + self.user, None, "text/plain",
            method="GET")[2])
        self.page = found["authorizationURL"].split("?")[0]
        return {**found["authorizationRequest"], "login_hint": self.user,
                "scope": "openid offline_access urn:apple:platformsso "
                "urn:apple:platformsso:auth:login", **changes}

    def web_login(self):
        def make(**changes):
            if message.code is None:
                browser = Browser()
                text = sign(self.mac.signing, {"typ": AUTHORIZATION}, self.began())
                first = browser.open(self.page, {"request": text})
                message.code = browser.sign_in(self.page, first, self.user, self.password)[1]
                need(message.code.startswith("com.apple.platformsso://callback?"), message.code)
            return self.mac.claims(
                self.user, "token", grant_type=TOKEN_EXCHANGE, subject_token=message.code,
                subject_token_type=CALLBACK, **changes)
        message = self.request(LOGIN, "token", "web login", make, cls=WebLogin)
        return message

    def authorization(self):
        return Authorization(
            "authorization request", self.mac, AUTHORIZATION, self.began,
            lambda text: Browser().open(self.provider.urls["authorize"], {"request": text}))

    # Registrations, in the provider's own words

    def registrations(self):
        mac, user = self.mac, self.user

        def device(text):
            return mac.register(mac.registration(
                said(text)["nonce"], signing_key_proof=text))

        def person(member, text):
            body = mac.user_registration(
                user, self.key, nonce=said(text)["nonce"], refresh_token=self.token)
            return mac.try_user({**body, member: text})

        def card(text):
            body = mac.user_registration(
                user, self.card_key, nonce=said(text)["nonce"], refresh_token=self.token,
                certificates=[der(self.card)], user_key_proof=text)
            body.pop("user_key")
            return mac.try_user(body)

        def leaving(**changes):
            now = int(time.time())
            return {"aud": self.provider.urls["unregistration"], "iat": now, "exp": now + 300,
                    "sub": "nobody-of-that-name",
                    "nonce": changes.get("nonce") or self.provider.nonce(), **changes}
        leave = Proof("unregistration", mac, LEAVING, leaving, mac.unregister, "proof")
        leave.good = 200
        return [
            OwnProof("device registration", mac, DEVICE_PROOF, mac.registration_claims, device,
                     "signing_key_proof"),
            self.replacement(),
            Proof("user registration, device's proof", mac, USER_PROOF,
                  lambda **c: mac.user_claims(user, self.key, **c),
                  lambda text: person("device_proof", text), "device_proof"),
            UserProof(self.key, "user registration, person's proof", mac, USER_PROOF,
                      lambda **c: mac.user_claims(user, self.key, **c),
                      lambda text: person("user_key_proof", text), "user_key_proof"),
            UserProof(self.card_key, "user registration, card's proof", mac, USER_PROOF,
                      lambda **c: mac.user_claims(user, self.card_key, **c), card,
                      "user_key_proof"),
            leave]

    def replacement(self):
        old = Mac(self.provider, "C02HHHHHHHHH")
        status, answer = old.register(old.registration(
            registration_token=self.provider.registration_token(serial_number=old.serial)))
        need(status == 201, answer)

        def make(**changes):
            message.next = Mac(self.provider, old.serial)
            return message.next.registration_claims(**changes)

        def post(text):
            return message.next.register(message.next.registration(
                said(text)["nonce"], previous_key_proof=text))
        message = Replacement("key replacement", old, DEVICE_PROOF, make, post,
                              "previous_key_proof")
        message.words = {**message.words, "device_unknown: no active device has that signing key":
                         "device_unknown: previous_key_proof is not signed with an active key"}
        return message


def said(text):
    """The claims of a compact JWS, whoever signed it."""
    return json.loads(unb64u(text.split(".")[1]))


def unsigned(header, claims):
    return b64u(pretty(header)) + "." + b64u(pretty(claims))
