# SPDX-License-Identifier: Apache-2.0
"""A bank's API that wants to see a key for each transfer (RFC 9470), and an app that calls it.

    step_up_api.py ISSUER PORT APP_SECRET API_SECRET

The API verifies access tokens with joserfc and asks introspection as well; both must say the same.
The app is Authlib with nothing added: what a 401 demands goes into the next authorization request
as it came. `/transfer` of the app is the page that a person opens. Prints `ready` when it listens.
"""

import http.server
import json
import re
import sys
import time
import urllib.parse

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

ISSUER, PORT, APP_SECRET, API_SECRET = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
HOME = f"http://localhost:{PORT}"
METADATA = requests.get(ISSUER + "/.well-known/openid-configuration").json()


class API:
    """The resource server. Of each person it remembers when it last asked for a key."""

    CLASSES = ["phr", "phrh"]

    def __init__(self):
        self.asked = {}

    def claims(self, token):
        keys = KeySet.import_key_set(requests.get(METADATA["jwks_uri"]).json())
        claims = jwt.decode(token, keys, algorithms=["ES256"]).claims
        jwt.JWTClaimsRegistry(iss={"essential": True, "value": ISSUER},
                              exp={"essential": True}).validate(claims)
        told = requests.post(METADATA["introspection_endpoint"], data={"token": token},
                             auth=("bank-api", API_SECRET)).json()
        # RFC 9470 section 6: the two ways in which a resource server learns of it.
        assert told["active"] is True, told
        for name in ("sub", "acr", "auth_time", "amr"):
            assert told.get(name) == claims.get(name), (name, told, claims)
        return claims

    def transfer(self, authorization):
        """Status, challenge, body."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer":
            return 401, "Bearer", {}
        claims = self.claims(token)
        asked = self.asked.get(claims["sub"])
        if claims["acr"] in self.CLASSES and asked and claims["auth_time"] >= asked:
            del self.asked[claims["sub"]]
            return 200, None, {"acr": claims["acr"], "amr": claims["amr"]}
        self.asked[claims["sub"]] = int(time.time())
        return 401, ('Bearer error="insufficient_user_authentication", '
                     'error_description="Show a key for this transfer", '
                     f'acr_values="{" ".join(self.CLASSES)}", max_age="0"'), {}


class App:
    """The client: one person's, for a test."""

    def __init__(self):
        self.pending, self.token = {}, None

    def session(self, **more):
        return OAuth2Session("bank-app", APP_SECRET, scope="openid",
                             redirect_uri=HOME + "/callback", code_challenge_method="S256", **more)

    def authorize(self, **parameters):
        verifier = generate_token(48)
        url, state = self.session().create_authorization_url(
            METADATA["authorization_endpoint"], code_verifier=verifier,
            nonce=generate_token(20), **parameters)
        self.pending[state] = (verifier, bool(parameters))
        return url

    def transfer(self, answered):
        """A page, or where to go."""
        if self.token is None:
            return None, self.authorize()
        answer = self.session(token=self.token).post(HOME + "/api/transfer")
        if answer.status_code == 200:
            told = answer.json()
            return f"Transferred: {told['acr']} {' '.join(told['amr'])}", None
        challenge = answer.headers["WWW-Authenticate"]
        demanded = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
        if demanded.get("error") != "insufficient_user_authentication" or answered:
            return "Not transferred", None
        return None, self.authorize(acr_values=demanded["acr_values"],
                                    max_age=demanded["max_age"])

    def callback(self, address):
        state = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["state"][0]
        verifier, is_answer = self.pending.pop(state)
        self.token = self.session().fetch_token(
            METADATA["token_endpoint"], authorization_response=address, state=state,
            code_verifier=verifier)
        return HOME + "/transfer" + ("?answered=1" if is_answer else "")


API_OF_BANK, APP = API(), App()


class Site(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        status, challenge, body = API_OF_BANK.transfer(self.headers.get("Authorization"))
        self.send_response(status)
        if challenge:
            self.send_header("WWW-Authenticate", challenge)
        self.say("application/json", json.dumps(body))

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/callback":
            page, location = None, APP.callback(HOME + self.path)
        elif path == "/transfer":
            page, location = APP.transfer(answered="answered" in query)
        else:
            self.send_response(404)
            return self.say("text/plain", "")
        if location:
            self.send_response(303)
            self.send_header("Location", location)
            return self.say("text/plain", "")
        self.send_response(200)
        return self.say("text/html", f"<!doctype html><title>Bank</title><p>{page}</p>")

    def say(self, kind, text):
        body = text.encode()
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Site)
print("ready", flush=True)
server.serve_forever()
