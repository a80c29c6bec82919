# SPDX-License-Identifier: Apache-2.0
"""Client libraries as they are: nothing is registered, patched or overridden for Gatehouse.

`authlib` and `requests-oauthlib` switch PKCE on, as this provider advises; `authlib-app` and
`requests-oauthlib-plain` have the libraries' defaults, without it. `authlib-app` is Authlib as an application
with Flask has it: the library reads the metadata, makes the nonce and verifies the ID token.

    unmodified_clients.py key
    unmodified_clients.py authlib ISSUER CLIENT SECRET USER PASSWORD
    unmodified_clients.py authlib-app ISSUER CLIENT SECRET USER PASSWORD
    unmodified_clients.py authlib-key ISSUER CLIENT PRIVATE_JWK USER PASSWORD
    unmodified_clients.py requests-oauthlib ISSUER CLIENT SECRET USER PASSWORD
    unmodified_clients.py requests-oauthlib-plain ISSUER CLIENT SECRET USER PASSWORD

Prints the claims of the ID token as JSON, with the algorithm of its signature as `alg`.
"""

import json
import os
import sys

import flask
import requests
from authlib.common.security import generate_token
from authlib.integrations.flask_client import OAuth
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from joserfc import jws, jwt
from joserfc.jwk import KeySet, RSAKey
from requests_oauthlib import OAuth2Session as OAuthlibSession

from walker import Walker

CALLBACK = "http://localhost:1/callback"
SCOPE = "openid profile email groups"
# The algorithm that a library takes when neither side stated one (OpenID Connect Core section 2).
DEFAULT_ALGORITHMS = ["RS256"]


def identity(token, metadata, audience):
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(token["id_token"], keys, algorithms=DEFAULT_ALGORITHMS)
    jwt.JWTClaimsRegistry(iss={"essential": True, "value": metadata["issuer"]},
                          aud={"essential": True, "value": audience}).validate(decoded.claims)
    return {**decoded.claims, "alg": decoded.header["alg"]}


def discovered(issuer):
    return requests.get(issuer + "/.well-known/openid-configuration").json()


def authlib(issuer, client, secret, username, password, key=None):
    metadata = discovered(issuer)
    session = AuthlibSession(client, key or secret, scope=SCOPE, redirect_uri=CALLBACK,
                             code_challenge_method="S256",
                             token_endpoint_auth_method="private_key_jwt" if key else "client_secret_basic")
    if key:
        session.register_client_auth_method(PrivateKeyJWT(metadata["token_endpoint"]))
    verifier = generate_token(48)
    url, state = session.create_authorization_url(metadata["authorization_endpoint"],
                                                  code_verifier=verifier)
    target = Walker().authorize(url, CALLBACK, username, password)
    token = session.fetch_token(metadata["token_endpoint"], authorization_response=target,
                                state=state, code_verifier=verifier)
    return identity(token, metadata, client)


def authlib_app(issuer, client, secret, username, password):
    app = flask.Flask("library")
    app.secret_key = "of this test"
    provider = OAuth(app).register(
        "gatehouse", client_id=client, client_secret=secret, client_kwargs={"scope": SCOPE},
        server_metadata_url=issuer + "/.well-known/openid-configuration")
    with app.test_request_context():
        url = provider.authorize_redirect(CALLBACK).location
        kept = dict(flask.session)
    assert "code_challenge" not in url, url
    target = Walker().authorize(url, CALLBACK, username, password)
    with app.test_request_context(target):
        flask.session.update(kept)
        token = provider.authorize_access_token()
    # What Authlib's own parser made of the ID token.
    return {**token["userinfo"], "alg": jws.extract_compact(token["id_token"].encode()).headers()["alg"]}


def authlib_key(issuer, client, secret, username, password):
    return authlib(issuer, client, None, username, password, RSAKey.import_key(json.loads(secret)))


def requests_oauthlib(issuer, client, secret, username, password, pkce="S256"):
    # The library's own switch for a provider on loopback without TLS.
    os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
    metadata = discovered(issuer)
    session = OAuthlibSession(client, redirect_uri=CALLBACK, scope=SCOPE.split(), pkce=pkce)
    url, _ = session.authorization_url(metadata["authorization_endpoint"])
    assert ("code_challenge" in url) == bool(pkce), url
    target = Walker().authorize(url, CALLBACK, username, password)
    token = session.fetch_token(metadata["token_endpoint"], authorization_response=target,
                                client_secret=secret)
    person = session.get(metadata["userinfo_endpoint"]).json()
    claims = identity(token, metadata, client)
    assert person["sub"] == claims["sub"], person
    return claims


def requests_oauthlib_plain(*arguments):
    return requests_oauthlib(*arguments, pkce=None)


def key():
    pair = RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, auto_kid=True)
    return {"private": pair.as_dict(private=True), "public": pair.as_dict(private=False)}


if __name__ == "__main__":
    verb, *arguments = sys.argv[1:]
    verbs = {"key": key, "authlib": authlib, "authlib-app": authlib_app, "authlib-key": authlib_key,
             "requests-oauthlib": requests_oauthlib,
             "requests-oauthlib-plain": requests_oauthlib_plain}
    print(json.dumps(verbs[verb](*arguments)))
