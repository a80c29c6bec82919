# SPDX-License-Identifier: Apache-2.0
"""What came later: cards, attestation, web logins, keys that rotate, set-up, policy."""

import base64
import concurrent.futures
import hashlib
import json
import time
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from browser import Browser
from cards import Authority, der, rsa_key, sign_with_card
from mac import ASSERTION, JWT_BEARER, Mac, kid, need, new_key, point, sign, unb64u
from token_service import TokenService

SAML2 = "urn:ietf:params:oauth:grant-type:saml2-bearer"
TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
METHODS = ["password", "user_key"]


class More:
    def __init__(self, provider, refused, checks, user, password, other, other_password):
        self.provider, self.refused, self.checks = provider, refused, checks
        self.user, self.password = user, password
        self.other, self.other_password = other, other_password

    def settings(self, **wish):
        self.provider.admin(
            "PUT", "/projects/default", {"platform_sso": {"enabled": True, **wish}})

    def mac(self, serial, **changes):
        mac = Mac(self.provider, serial)
        token = self.provider.registration_token(serial_number=serial)
        status, answer = mac.register(mac.registration(registration_token=token, **changes))
        need(status == 201, answer)
        return mac, answer["device_id"]

    # Cards

    def with_card(self, mac, user, key, certificate, signer=None):
        claims = mac.claims(user, "token", grant_type=JWT_BEARER)
        claims["assertion"] = sign_with_card(
            signer or key, {"typ": ASSERTION, "x5c": [der(certificate)]}, mac.inner(user, claims))
        return claims

    def cards(self, mac):
        authority, key = Authority(), new_key()
        principal = self.user + "@corp.example.com"
        card = authority.card(key, principal)

        def settings(*revoked):
            self.settings(
                allowed_methods=[*METHODS, "smart_card"],
                smart_card_roots=[der(authority.certificate)],
                smart_card_mapping=["upn"], smart_card_upn_domains=["corp.example.com"],
                smart_card_revocation_evidence=[authority.revocation_list(*revoked)])

        def attempt(name, reason, *arguments, **more):
            self.refused(name, 401, mac.login(self.with_card(mac, *arguments, **more)), reason)

        settings()
        rsa = rsa_key()
        for kind, its_key, certificate in [
                ("EC", key, card), ("RSA", rsa, authority.card(rsa, principal))]:
            claims = self.with_card(mac, self.user, its_key, certificate)
            _, identity = mac.tokens(mac.login(claims), claims)
            need(identity["amr"] == ["sc"] and identity["acr"] == "phr", identity)
            self.checks.append(f"smart card, {kind}")
        attempt("card of another person", "certificate_unmapped", self.other, key, card)
        attempt("card of another authority", "certificate_untrusted", self.user, key,
                Authority().card(key, principal))
        attempt("expired card", "certificate_untrusted", self.user, key,
                authority.card(key, principal, begin=-30, end=-1))
        attempt("card without its key", "user_signature_invalid", self.user, key, card,
                signer=new_key())
        attempt("authority as card", "certificate_untrusted", self.user, authority.key,
                authority.certificate)
        body = mac.user_registration(
            self.user, key, refresh_token=mac.signed_in(self.user, self.password),
            certificates=[der(card)])
        body.pop("user_key")
        need(mac.register_user(body) == 201, "card registration")
        self.checks.append("smart card registered")
        settings(card)
        attempt("revoked card", "certificate_revoked", self.user, key, card)
        claims = mac.claims(self.user, "token", grant_type=SAML2,
                            assertion=base64.b64encode(b"<Assertion/>").decode())
        self.refused("SAML assertion", 400, mac.login(claims), "saml_not_offered")

    # WS-Trust

    def federation(self, mac):
        principal = self.user + "@corp.example.com"

        def login(text, user=None):
            return mac.login(mac.claims(
                user or self.user, "token", grant_type=SAML2,
                assertion=base64.b64encode(text.encode()).decode()))

        def refused(name, text, user=None, reason="saml_refused"):
            self.refused("SAML assertion " + name, 400, login(text, user), reason)

        for service in [TokenService(), TokenService(rsa=True)]:
            self.settings(**service.settings())
            text = service.issue(principal)
            claims = mac.claims(self.user, "token", grant_type=SAML2,
                                assertion=base64.b64encode(text.encode()).decode())
            _, identity = mac.tokens(mac.login(claims), claims)
            need(identity["amr"] == ["fed"], identity)
            self.checks.append("WS-Trust, " + service.algorithm)
        refused("twice", text)
        refused("of another person", service.issue(principal), self.other, "user_mismatch")
        refused("of another service", TokenService(rsa=True).issue(principal))
        refused("of another issuer", service.issue(principal, issuer="http://other.example"))
        refused("for another audience", service.issue(principal, audience="urn:x"))
        refused("expired", service.issue(principal, end=-5))
        refused("unsigned", service.assertion(principal).replace("@\n", "\n"))
        other = service.issue(self.other + "@corp.example.com")
        refused("changed", other.replace(self.other + "@", self.user + "@"))
        refused("cut short by a comment", service.issue(principal + ".evil.example").replace(
            principal, principal + "<!-- -->"))
        refused("with an entity", '<!DOCTYPE a [<!ENTITY x "y">]>' + service.issue(principal))
        forged = service.assertion(principal).replace("@\n", other + "\n")
        refused("wrapped around another", forged)
        answer = self.provider.send(
            self.provider.urls["federation"] + "?user=" + principal, None, "text/plain",
            method="GET")
        found = json.loads(answer[2])
        need(found["federated"] and found["federation_request_urn"] == service.audience, found)
        self.checks.append("preauthentication")

    # What other systems and versions write

    def manners(self, mac):
        """As macOS 13 to 15 wrote, and extensions still do: times in strings, names of keys in
        base64url, types that are only `JWT`; and numbers that begin with zeros."""
        self.settings()
        user_key = new_key()
        token = mac.signed_in(self.user, self.password)
        need(mac.register_user(mac.user_registration(
            self.user, user_key, refresh_token=token)) == 201, "key")
        claims = mac.password_claims(self.user, self.password)
        texts = {**claims, "iat": str(claims["iat"]), "exp": str(claims["exp"])}
        mac.tokens(mac.login(texts), texts)
        self.checks.append("times in strings")
        for spelling in [kid(mac.signing).replace("+", "-").replace("/", "_"),
                         kid(mac.signing).replace("+", "-").replace("/", "_").rstrip("=")]:
            claims = mac.password_claims(self.user, self.password)
            mac.tokens(mac.login(claims, header={"kid": spelling}), claims)
        self.checks.append("names of keys in base64url")
        claims = mac.password_claims(self.user, self.password)
        message = sign(mac.signing, {"typ": "JWT"}, claims)
        for fields in [{"request": message, "platform_sso_version": "1"}]:
            mac.tokens(self.provider.form(
                self.provider.urls["token"], {"grant_type": JWT_BEARER, **fields}), claims)
        self.checks.append("macOS 13: JWT as type, request as name, version 1")
        claims = mac.claims(self.user, "token", grant_type=JWT_BEARER)
        claims["assertion"] = sign(user_key, {"typ": "JWT"}, mac.inner(self.user, claims))
        mac.tokens(mac.login(claims, header={"typ": "JWT"}), claims)
        self.checks.append("macOS 13: JWT as type inside and outside")
        self.zeros()

    def zeros(self):
        """Coordinates and secrets that begin with a zero byte keep it: one key in 256 has one."""
        mac = Mac(self.provider, "C02GGGGGGGGG")
        while point(mac.encryption)[1]:
            mac.encryption = new_key()
        while point(mac.signing)[33]:
            mac.signing = new_key()
        status, answer = mac.register(mac.registration(
            registration_token=self.provider.registration_token(serial_number=mac.serial)))
        need(status == 201, answer)
        token = mac.signed_in(self.user, self.password)
        claims = mac.unlock_claims(self.user, token, "key_request")
        made = mac.opened(mac.unlock(claims), claims, "platformsso-key-response+jwt")
        unlock = x509.load_der_x509_certificate(unb64u(made["certificate"])).public_key()
        other = new_key()
        while other.exchange(ec.ECDH(), unlock)[0]:
            other = new_key()
        # Two or three at a time, as at each unlock.
        messages = [mac.exchange_claims(self.user, token, made["key_context"], other)
                    for _ in range(3)]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            answers = list(pool.map(mac.unlock, messages))
        for answer, claims in zip(answers, messages):
            opened = mac.opened(answer, claims, "platformsso-key-response+jwt")
            need(base64.b64decode(opened["key"]) == other.exchange(ec.ECDH(), unlock), opened)
        self.checks.append("keys and secrets that begin with zeros, exchanged in parallel")

    # Attestation

    def attestation(self):
        authority = Authority("Apple Enterprise Attestation Root CA")
        self.settings(
            attestation=["apple"], attestation_apple_roots=[der(authority.certificate)],
            device_claim=True)
        mac = Mac(self.provider, "C02CCCCCCCCC")

        def registration(mac, by=authority, serial=None, nonce=None):
            nonce = nonce or self.provider.nonce()
            names = base64.b64decode(kid(mac.signing)) + base64.b64decode(kid(mac.encryption))
            challenge = hashlib.sha256(nonce.encode() + names).digest()
            certificate = by.device(mac.signing.public_key(), challenge, serial or mac.serial)
            return mac.registration(
                nonce, registration_token=self.provider.registration_token(),
                attestation={"format": "apple", "signing_key": [der(certificate)]})

        self.refused("no attestation", 400, mac.register(mac.registration(
            registration_token=self.provider.registration_token())), "attestation_missing")
        self.refused("attestation by another", 400, mac.register(
            registration(mac, by=Authority())), "attestation_refused")
        self.refused("attestation of another serial number", 400, mac.register(
            registration(mac, serial="C02DDDDDDDDD")), "attestation_refused")
        stale = registration(mac)
        stale["attestation"] = registration(mac)["attestation"]
        self.refused("attestation for another nonce", 400, mac.register(stale),
                     "attestation_refused")
        status, answer = mac.register(registration(mac))
        need(status == 201, answer)
        wiped = Mac(self.provider, mac.serial)
        status, again = wiped.register(registration(wiped))
        need(status == 201 and again["device_id"] == answer["device_id"], again)
        self.checks.append("attested device registered, and again after it was wiped")
        claims = wiped.password_claims(self.user, self.password)
        _, identity = wiped.tokens(wiped.login(claims), claims)
        need(identity["device"]["attested"] is True, identity)

    # Keys

    def keys(self, mac):
        self.settings()
        path = "/projects/default/encryption-keys"
        before = mac.encrypted_claims(self.user, self.password)
        stale = mac.encrypted_claims(self.user, self.password)
        keys = self.provider.admin("POST", path + "/rotate")["items"]
        mac.tokens(mac.login(before), before)
        claims = mac.encrypted_claims(self.user, self.password)
        mac.tokens(mac.login(claims), claims)
        self.checks.append("password for the encryption key of before, and for the new one")
        (old,) = [key for key in keys if key["state"] == "retiring"]
        self.provider.admin("POST", f"{path}/{old['id']}/retire")
        self.refused("password for a retired encryption key", 400, mac.login(stale),
                     "decryption_failed")

    def proven(self, by, its):
        """The registration of `its` keys, which those that the machine has prove."""
        nonce, now = self.provider.nonce(), int(time.time())
        claims = {"aud": self.provider.urls["device_registration"], "iat": now,
                  "exp": now + 300, "nonce": nonce, "signing_key": kid(its.signing),
                  "encryption_key": kid(its.encryption)}
        return its.registration(nonce, previous_key_proof=sign(
            by, {"typ": "gatehouse-device-registration+jwt"}, claims))

    def replacement(self):
        old, device = self.mac("C02IIIIIIIII")
        new, key = Mac(self.provider, old.serial), new_key()
        status, answer = new.register(self.proven(old.signing, new))
        need(status == 201 and answer["device_id"] == device, answer)
        token = old.signed_in(self.user, self.password)
        self.checks.append("sign-in by a key of the machine whose place was taken")
        self.refused("user key by a key of the machine whose place was taken", 400, old.try_user(
            old.user_registration(self.user, key, refresh_token=token)), "device_unknown")
        status = new.register_user(new.user_registration(self.user, key, refresh_token=token))
        need(status == 201, status)

    def migration(self):
        mac, device = self.mac("C02EEEEEEEEE", shared_keys=False)
        token = mac.signed_in(self.user, self.password)
        self.refused("another person on a machine of one", 400, mac.login(
            mac.password_claims(self.other, self.other_password)), "user_mismatch")
        shared = Mac(self.provider, mac.serial)
        thief = Mac(self.provider, "C02BBBBBBBBB")
        self.refused("key of one person for another machine", 400, thief.register(
            self.proven(mac.signing, thief)), "device_taken")
        status, answer = shared.register(self.proven(mac.signing, shared))
        need(status == 201 and answer["device_id"] == device, answer)
        self.refused("key of one person after the machine has its own", 400, mac.login(
            mac.password_claims(self.user, self.password)), "device_unknown")
        claims = shared.refresh_claims(token)
        shared.tokens(shared.refresh(claims), claims)
        shared.signed_in(self.other, self.other_password)
        self.checks.append("keys of one person became the machine's")

    # Web login

    def callback(self, mac, user, password, change=None):
        answer = self.provider.send(
            self.provider.urls["web_login"] + "?user=" + user, None, "text/plain", method="GET")
        found = json.loads(answer[2])
        claims = {**found["authorizationRequest"], "login_hint": user,
                  "scope": "openid offline_access urn:apple:platformsso "
                  "urn:apple:platformsso:auth:login", **(change or {})}
        message = sign(mac.signing, {"typ": "platformsso-authorization-request+jwt"}, claims)
        browser, url = Browser(), found["authorizationURL"].split("?")[0]
        first = browser.open(url, {"request": message})
        if first[0] != 303:
            return first, message
        return browser.sign_in(url, first, user, password), message

    def web_claims(self, mac, user, address):
        return mac.claims(
            user, "token", grant_type=TOKEN_EXCHANGE, subject_token=address,
            subject_token_type="urn:apple:platformsso:authorization-code-response")

    def web_login(self, mac, stranger):
        self.settings(allowed_methods=[*METHODS, "web_login"])
        (_, address, body), message = self.callback(mac, self.user, self.password)
        need(address.startswith("com.apple.platformsso://callback?"), (address, body))
        self.refused("code on another device", 401, stranger.login(
            self.web_claims(stranger, self.user, address)), "code_refused")
        self.refused("code with another state", 401, mac.login(self.web_claims(
            mac, self.user, address.replace("state=", "state=x"))), "code_refused")
        self.refused("code for another person", 400, mac.login(
            self.web_claims(mac, self.other, address)), "user_mismatch")
        (_, address, _), _ = self.callback(mac, self.user, self.password)
        code = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)["code"][0]
        self.refused("code at the token endpoint", 400, self.provider.form(
            self.provider.issuer + "/token", {
                "grant_type": "authorization_code", "code": code, "client_id": "platform-sso",
                "redirect_uri": "com.apple.platformsso://callback", "code_verifier": "a" * 43}),
                "invalid_grant")
        claims = self.web_claims(mac, self.user, address)
        mac.tokens(mac.login(claims), claims)
        self.checks.append("web login")
        self.refused("code twice", 401, mac.login(self.web_claims(mac, self.user, address)),
                     "code_refused")
        self.refused("authorization request twice", 400, Browser().open(
            self.provider.urls["authorize"], {"request": message}), "state_mismatch")
        for name, change, reason in [
                ("redirect elsewhere", {"redirect_uri": "https://evil.example/"},
                 "redirect_mismatch"),
                ("state of nobody", {"state": "guess"}, "state_mismatch")]:
            self.refused(name, 400, self.callback(
                mac, self.user, self.password, change)[0], reason)

    # Setup Assistant

    def set_up(self):
        self.settings(
            setup_assistant_team="ABCDE12345", setup_assistant_extension="com.example.app.sso",
            setup_assistant_package="https://mdm.example.com/app.plist")
        status, _, body = self.provider.send(
            self.provider.urls["setup"], None, "text/plain", method="GET")
        need(status == 403, (status, body))
        answer = json.loads(body)
        need(answer["code"] == "com.apple.psso.required", answer)
        details = answer["details"]
        status, media, body = self.provider.send(
            details["ProfileURL"], None, "text/plain", method="GET")
        need(status == 200 and media == "application/x-apple-aspen-config", media)
        need(b"EnableRegistrationDuringSetup" in body and b"RegistrationToken" not in body, body)
        browser = Browser()
        url = details["AuthURL"]
        status, address, body = browser.sign_in(
            url, browser.open(url), self.user, self.password)
        start = "apple-remotemanagement-user-login://authentication-results?access-token="
        need(status == 308 and address.startswith(start), (status, address, body))
        status, _, body = self.provider.send(
            self.provider.issuer + "/userinfo", None, "text/plain",
            {"Authorization": "Bearer " + address[len(start):]}, "GET")
        need(status == 200 and json.loads(body)["preferred_username"] == self.user, body)
        self.checks.append("Setup Assistant")

    # Policy

    def policy(self, mac, device):
        self.settings(sign_in_groups=["climbing"])
        self.refused("person outside of the groups", 400, mac.login(
            mac.password_claims(self.other, self.other_password)), "sign_in_not_allowed")
        self.settings(require_compliance=True, access_token=True)
        self.refused("machine that nobody vouches for", 400, mac.login(
            mac.password_claims(self.user, self.password)), "device_not_compliant")
        path = f"/projects/default/devices/{device}/compliance"
        self.provider.admin("PUT", path, {"state": "noncompliant"})
        self.refused("machine out of order", 400, mac.login(
            mac.password_claims(self.user, self.password)), "device_not_compliant")
        self.provider.admin("PUT", path, {"state": "compliant", "lifetime": 3600})
        claims = mac.password_claims(self.user, self.password)
        response, identity = mac.tokens(mac.login(claims), claims)
        need(response["access_token"] and identity["account_name"] == self.user, identity)
        self.checks.append("machine in order, with an access token")

    def all(self, stranger):
        self.settings()
        mac, device = self.mac("C02FFFFFFFFF")
        self.cards(mac)
        self.federation(mac)
        self.manners(mac)
        self.attestation()
        self.keys(mac)
        self.replacement()
        self.migration()
        self.web_login(mac, stranger)
        self.set_up()
        self.policy(mac, device)
        self.settings()
