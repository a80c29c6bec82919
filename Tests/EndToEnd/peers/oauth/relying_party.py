# SPDX-License-Identifier: Apache-2.0
"""A relying party made of Authlib, checking every token with joserfc.

    relying_party.py key                              makes a key pair: {"private": …, "public": …}
    relying_party.py run ISSUER METHOD SECRET USER PASSWORD
    relying_party.py service ISSUER SECRET

METHOD is a token endpoint authentication method. SECRET is the client secret, or the private JWK
for private_key_jwt. Prints one JSON object: what it checked, in the order it did.
"""

import json
import sys
import time

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from walker import Walker

CALLBACK = "http://localhost:1/callback"


def verified(token, metadata, **claims):
    """The claims of a token, after joserfc verified signature, time and what is asked for."""
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(token, keys, algorithms=["ES256", "RS256"])
    wanted = {name: {"essential": True, "value": value} for name, value in claims.items()}
    jwt.JWTClaimsRegistry(iss={"essential": True, "value": metadata["issuer"]},
                          exp={"essential": True}, iat={"essential": True},
                          leeway=5, **wanted).validate(decoded.claims)
    return decoded


class ShortLivedAssertion(PrivateKeyJWT):
    """Authlib asks for an hour; Gatehouse takes assertions that end within five minutes."""

    def sign(self, auth, token_endpoint):
        self.claims = {"exp": int(time.time()) + 60}
        return super().sign(auth, token_endpoint)


def client(metadata, identifier, method, secret, scope):
    session = OAuth2Session(identifier, secret, scope=scope, redirect_uri=CALLBACK,
                            code_challenge_method="S256", token_endpoint_auth_method=method)
    if method == "private_key_jwt":
        key = ECKey.import_key(json.loads(secret))
        session = OAuth2Session(identifier, key, scope=scope,
                                redirect_uri=CALLBACK, code_challenge_method="S256",
                                token_endpoint_auth_method="private_key_jwt")
        # The audience is the issuer alone (draft-ietf-oauth-rfc7523bis); Authlib's default is the
        # token endpoint.
        session.register_client_auth_method(
            ShortLivedAssertion(metadata["issuer"], headers={"kid": key.kid}, alg="ES256"))
    return session


def run(issuer, method, secret, username, password):
    checks = []
    metadata = requests.get(issuer + "/.well-known/openid-configuration").json()
    assert metadata["issuer"] == issuer
    identifier = "authlib-" + method
    session = client(metadata, identifier, method, secret, "openid profile email offline_access")
    verifier, nonce = generate_token(48), generate_token(20)
    url, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
    walker = Walker()
    target = walker.authorize(url, CALLBACK, username, password)
    assert "iss=" in target, "RFC 9207"
    token = session.fetch_token(metadata["token_endpoint"], authorization_response=target,
                                state=state, code_verifier=verifier)
    checks.append("code")
    identity = verified(token["id_token"], metadata, aud=identifier, nonce=nonce)
    checks.append("id_token " + identity.header["alg"])
    access = verified(token["access_token"], metadata, client_id=identifier,
                      sub=identity.claims["sub"])
    assert access.header["typ"].lower() == "at+jwt", access.header
    checks.append("access_token")
    person = session.get(metadata["userinfo_endpoint"]).json()
    assert person["sub"] == identity.claims["sub"] and person["email"] == username + "@example.com"
    checks.append("userinfo")
    first = token["refresh_token"]
    renewed = session.refresh_token(metadata["token_endpoint"], refresh_token=first)
    assert renewed["refresh_token"] != first, "rotation"
    verified(renewed["access_token"], metadata, client_id=identifier)
    checks.append("refresh")
    try:
        session.fetch_token(metadata["token_endpoint"], authorization_response=target,
                            state=state, code_verifier=verifier)
        raise SystemExit("the code worked twice")
    except SystemExit:
        raise
    except Exception as refusal:
        assert "invalid_grant" in str(refusal), refusal
    checks.append("code twice: invalid_grant")
    try:
        session.refresh_token(metadata["token_endpoint"],
                              refresh_token=renewed["refresh_token"])
        raise SystemExit("the family outlived the reuse of its code")
    except SystemExit:
        raise
    except Exception as refusal:
        assert "invalid_grant" in str(refusal), refusal
    checks.append("family revoked: invalid_grant")
    return {"checks": checks, "sub": identity.claims["sub"]}


def service(issuer, secret):
    metadata = requests.get(issuer + "/.well-known/oauth-authorization-server").json()
    session = OAuth2Session("authlib-service", secret, scope="api",
                            token_endpoint_auth_method="client_secret_basic")
    token = session.fetch_token(metadata["token_endpoint"], grant_type="client_credentials")
    access = verified(token["access_token"], metadata, client_id="authlib-service")
    answer = session.introspect_token(metadata["introspection_endpoint"],
                                      token=token["access_token"]).json()
    assert answer["active"] is True and answer["client_id"] == "authlib-service"
    assert token["expires_at"] > time.time() and "refresh_token" not in token
    return {"checks": ["client_credentials", "introspection"], "typ": access.header["typ"]}


def key():
    pair = ECKey.generate_key("P-256", {"use": "sig", "alg": "ES256"}, auto_kid=True)
    return {"private": pair.as_dict(private=True), "public": pair.as_dict(private=False)}


if __name__ == "__main__":
    verb, *arguments = sys.argv[1:]
    print(json.dumps({"key": key, "run": run, "service": service}[verb](*arguments)))
