# SPDX-License-Identifier: Apache-2.0
"""Platform SSO, from the outside: a Mac signs in with every method, and then attacks.

    platform_sso.py ISSUER ADMIN_TOKEN_FILE LOG USER PASSWORD OTHER_USER OTHER_PASSWORD

LOG is what the provider writes to its standard error, in JSON: refusals are held to what stands there.

Prints one JSON object: what it checked, in the order it did.
"""

import base64
import json
import os
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from mac import Mac, Provider, b64u, jwk, kid, need, new_key, unb64u
from platform_sso_attacks import Attacks
from platform_sso_more import More
from platform_sso_reasons import PRIVATE

checks = []
provider = None


def refused(name, status, answer, code):
    """With that status and for that reason, as everybody sees it and as the log has it."""
    reason = f"{code}: {PRIVATE[name]}" if name in PRIVATE else code
    provider.refused(name, answer, status, reason)
    checks.append(f"{name}: {status}")


def registers(provider, mac):
    body = mac.registration(registration_token="grt_nobody-made-this")
    refused("unknown registration token", 400, mac.register(body), "registration_refused")
    token = provider.registration_token(maximum_uses=2, label="fleet")
    stranger = new_key()
    wrong = mac.registration(registration_token=token)
    wrong["encryption_key_proof"] = b64u(os.urandom(32))
    refused("encryption key not proven", 400, mac.register(wrong), "decryption_failed")
    wrong = mac.registration(registration_token=token)
    wrong["device_signing_key"] = jwk(stranger)
    wrong.pop("signing_key_id")
    refused("signing key not proven", 400, mac.register(wrong), "signature_invalid")
    wrong = mac.registration(registration_token=token, signing_key_id=kid(stranger))
    refused("kid of another key", 400, mac.register(wrong), "key_id_mismatch")
    nonce = provider.nonce()
    status, answer = mac.register(mac.registration(nonce, registration_token=token))
    need(status == 201, answer)
    need(answer["token_endpoint"] == provider.urls["token"], answer)
    need(answer["login_request_encryption_key"]["use"] == "enc", answer)
    checks.append("device registered")
    refused("registration nonce twice", 400,
            mac.register(mac.registration(nonce, registration_token=token)),
            "server_nonce_refused")
    status, again = mac.register(mac.registration())
    need(status == 201 and again["device_id"] == answer["device_id"], again)
    checks.append("device registered again by its own key")
    thief = Mac(provider, mac.serial)
    refused("serial number of another", 400,
            thief.register(thief.registration(registration_token=token)), "device_taken")
    collider = Mac(provider, "COLLIDER")
    collider.encryption = mac.encryption
    refused("another's encryption key", 400,
            collider.register(collider.registration(registration_token=token)), "key_taken")
    return answer["device_id"]


def other_mac(provider, serial):
    mac = Mac(provider, serial)
    token = provider.registration_token(serial_number=serial)
    stranger = Mac(provider, "NOT-" + serial)
    refused("token of another serial number", 400,
            stranger.register(stranger.registration(registration_token=token)),
            "registration_refused")
    status, answer = mac.register(mac.registration(registration_token=token))
    need(status == 201, answer)
    refused("registration token twice", 400, stranger.register(
        Mac(provider, serial).registration(registration_token=token)), "registration_refused")
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
    refused("wrong password", 401, mac.login(mac.password_claims(user, "not it")),
            "invalid_credentials")
    refused("unknown person", 401, mac.login(mac.password_claims("nobody", password)),
            "invalid_credentials")
    refused("wrong encrypted password", 401, mac.login(mac.encrypted_claims(user, "not it")),
            "invalid_credentials")
    # macOS asks again, as after any other wrong one.
    refused("empty password", 401, mac.login(mac.password_claims(user, "")), "wrong_credential")
    refused("empty encrypted password", 401, mac.login(mac.encrypted_claims(user, "")),
            "wrong_credential")


def user_key(mac, user, password, other, other_password):
    key = new_key()
    refused("user key without a sign-in", 400,
            mac.try_user(mac.user_registration(user, key)), "registration_refused")
    token = mac.signed_in(user, password)
    body = mac.user_registration(user, key, refresh_token=token)
    body["user_key_proof"] = mac.user_registration(user, new_key())["user_key_proof"]
    refused("user key not proven", 400, mac.try_user(body), "signature_invalid")
    refused("user key for somebody else", 400, mac.try_user(
        mac.user_registration(other, key, refresh_token=token)), "user_mismatch")
    refused("device key as user key", 400, mac.try_user(
        mac.user_registration(user, mac.signing, refresh_token=token)), "key_taken")
    need(mac.register_user(mac.user_registration(user, key, refresh_token=token)) == 201, "key")
    refused("user key of somebody else", 400, mac.try_user(mac.user_registration(
        other, key, refresh_token=mac.signed_in(other, other_password))), "key_taken")
    claims = mac.key_claims(user, key)
    _, identity = mac.tokens(mac.login(claims), claims)
    # The key was registered with a password, so a login with it is worth no more.
    need(identity["amr"] == ["pop"] and identity["acr"] == "urn:gatehouse:acr:password", identity)
    checks.append("user key")
    refused("unknown user key", 401, mac.login(mac.key_claims(user, new_key())),
            "user_key_unknown")
    refused("user key of another person", 401, mac.login(mac.key_claims(other, key)),
            "user_key_unknown")


def refreshes(mac, stranger, user, password):
    token = mac.signed_in(user, password)
    refused("refresh token of another device", 401, stranger.refresh(stranger.refresh_claims(token)),
            "refresh_token_refused")
    refused("refresh token that is none", 401, mac.refresh(mac.refresh_claims("gd.nonsense")),
            "refresh_token_refused")
    claims = mac.refresh_claims(token)
    first = mac.tokens(mac.refresh(claims), claims)[0]["refresh_token"]
    claims = mac.refresh_claims(token)
    again = mac.tokens(mac.refresh(claims), claims)[0]["refresh_token"]
    need(first == again != token, "the grace gives the same successor")
    checks.append("refresh, and once more within the grace")
    status, _, body = mac.provider.form(mac.provider.issuer + "/token", {
        "grant_type": "refresh_token", "refresh_token": first, "client_id": "platform-sso"})
    refused("refresh token at the token endpoint", 400, (status, None, body),
            "unauthorized_client")
    return first


def unlocks(mac, user, other, token):
    claims = mac.unlock_claims(user, token, "key_request")
    refused("key request of version 1.0", 400, mac.unlock(claims, "1.0"), "version_unsupported")
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
    refused("no key context", 400, mac.unlock(mac.exchange_claims(user, token, None)),
            "key_context_refused")
    refused("token of another person", 400, mac.unlock(
        mac.unlock_claims(other, token, "key_request")), "user_mismatch")
    return context


def main():
    global provider
    issuer, token_file, log, user, password, other, other_password = sys.argv[1:]
    with open(token_file) as file:
        provider = Provider(issuer, file.read().strip(), log)
    mac = Mac(provider, "C02AAAAAAAAA")
    device = registers(provider, mac)
    stranger = other_mac(provider, "C02BBBBBBBBB")
    signs_in(mac, user, password)
    wrong_credentials(mac, user, password)
    user_key(mac, user, password, other, other_password)
    token = refreshes(mac, stranger, user, password)
    context = unlocks(mac, user, other, token)
    Attacks(checks, mac, stranger, user, password, other, other_password).all()
    token = mac.signed_in(user, password)
    shown = provider.admin("GET", f"/projects/default/devices/{device}")
    need({person["username"] for person in shown["users"]} == {user, other}, shown)
    provider.admin("POST", f"/projects/default/devices/{device}/revoke")
    refused("login on a revoked device", 400, mac.login(mac.password_claims(user, password)),
            "device_unknown")
    refused("refresh on a revoked device", 400, mac.refresh(mac.refresh_claims(token)),
            "device_unknown")
    refused("exchange on a revoked device", 400, mac.unlock(
        mac.exchange_claims(user, token, context)), "device_unknown")
    refused("revoked keys registered again", 400, mac.register(mac.registration(
        registration_token=provider.registration_token(serial_number=mac.serial))), "key_taken")
    More(provider, refused, checks, user, password, other, other_password).all(stranger)
    print(json.dumps({"checks": checks}))


main()
