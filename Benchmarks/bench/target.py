# SPDX-License-Identifier: Apache-2.0
"""What the load needs to know of a provider, whoever made it."""

import base64
import dataclasses
import hashlib
import json
import urllib.parse
import urllib.request

VERIFIER = "bench-verifier-bench-verifier-bench-verifier-0123456789"
CHALLENGE = base64.urlsafe_b64encode(
    hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()


def basic(identifier, secret):
    return "Basic " + base64.b64encode(f"{identifier}:{secret}".encode()).decode()


@dataclasses.dataclass
class Target:
    name: str
    origin: str
    discovery: str
    jwks: str
    token: str
    introspection: str
    authorization: str
    service: tuple          # client_id, client_secret of the client credentials client
    service_scope: str
    web: tuple              # client_id, client_secret of the web client
    web_scope: str
    redirect_uri: str
    people: int = 20
    password: str = "correct horse battery staple"

    @property
    def service_authorization(self):
        return basic(*self.service)

    @property
    def web_authorization(self):
        return basic(*self.web)

    def authorize_path(self, extra=""):
        query = urllib.parse.urlencode({
            "response_type": "code", "client_id": self.web[0],
            "redirect_uri": self.redirect_uri, "scope": self.web_scope, "state": "s",
            "nonce": "n", "code_challenge": CHALLENGE, "code_challenge_method": "S256"})
        return urllib.parse.urlsplit(self.authorization).path + "?" + query + extra

    def exchange_form(self):
        return urllib.parse.urlencode({
            "grant_type": "authorization_code", "redirect_uri": self.redirect_uri,
            "code_verifier": VERIFIER})

    def token_path(self):
        return urllib.parse.urlsplit(self.token).path


def post(url, authorization, **form):
    """One form sent as a client; the JSON that comes back."""
    request = urllib.request.Request(
        url, urllib.parse.urlencode(form).encode(), {"Authorization": authorization})
    return json.load(urllib.request.urlopen(request))


def access_token(target):
    return post(target.token, target.service_authorization, grant_type="client_credentials",
                scope=target.service_scope)["access_token"]
