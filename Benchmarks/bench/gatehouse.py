# SPDX-License-Identifier: Apache-2.0
"""Gatehouse as an operator runs it: the release build, durable defaults, one process."""

import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import urllib.parse
import urllib.request

from bench.process import Process, free_port
from bench.target import CHALLENGE, VERIFIER, Target, post
from bench.walker import Walker

SECRET = "a-secret-of-thirty-two-characters"
PASSWORD = "correct horse battery staple"
REDIRECT = "http://localhost:1/callback"
PEOPLE = 20

STATE = {"projects": [{
    "name": "default", "environment": "development",
    "clients": [
        {"client_id": "service", "client_name": "Service", "client_secret": SECRET,
         "grant_types": ["client_credentials"], "scope": "api",
         "token_endpoint_auth_method": "client_secret_basic"},
        {"client_id": "web", "client_name": "Web", "client_secret": SECRET,
         "grant_types": ["authorization_code", "refresh_token"], "redirect_uris": [REDIRECT],
         "token_endpoint_auth_method": "client_secret_basic", "first_party": True,
         "scope": "openid offline_access", "id_token_signed_response_alg": "ES256"}],
    "users": [{"username": f"user{n}", "name": f"User {n}", "email": f"user{n}@example.org",
               "email_verified": True, "password": PASSWORD} for n in range(PEOPLE)]}]}


class Gatehouse:
    authorize_extra = ""

    def __init__(self, binary, directory, database=None, options=()):
        self.binary = pathlib.Path(binary)
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.database, self.options = database, list(options)
        self.origin = f"http://localhost:{self.port}"
        self.start()
        self.apply(STATE)
        t = urllib.request.urlopen(self.origin + "/.well-known/openid-configuration")
        metadata = json.load(t)
        # wrk resolves names itself; the loopback address keeps IPv6 out of the comparison.
        local = lambda name: metadata[name].replace("localhost", "127.0.0.1")
        self.target = Target(
            name="Gatehouse", origin=f"http://127.0.0.1:{self.port}",
            discovery=f"http://127.0.0.1:{self.port}/.well-known/openid-configuration",
            jwks=local("jwks_uri"), token=local("token_endpoint"),
            introspection=local("introspection_endpoint"),
            authorization=local("authorization_endpoint"), service=("service", SECRET),
            service_scope="api", web=("web", SECRET), web_scope="openid",
            redirect_uri=REDIRECT, password=PASSWORD)

    @property
    def data(self):
        return self.directory / "data"

    def start(self):
        arguments = [self.binary, "serve", "--data-dir", self.data, "--listen",
                     f"127.0.0.1:{self.port}", "--issuer", self.origin,
                     "--trusted-proxies", "127.0.0.1"]
        if self.database:
            arguments += ["--database", self.database]
        arguments += self.options
        self.process = Process(arguments, self.directory / "serve.log")
        self.start_seconds = self.process.ready(self.origin + "/health/ready", only_200=True)

    def stop(self):
        self.process.stop()

    def restart_seconds(self, times=5):
        """Median time from exec to ready with the database as it is."""
        samples = []
        for _ in range(times):
            self.stop()
            self.start()
            samples.append(self.start_seconds)
        return statistics.median(samples)

    def apply(self, state):
        file = self.directory / "state.json"
        file.write_text(json.dumps(state))
        subprocess.run([self.binary, "apply", file, "--data-dir", self.data], check=True,
                       capture_output=True, text=True)

    def session(self):
        return Walker(self.origin).sign_in("user1", PASSWORD)

    def families(self, count):
        """So many refresh tokens, each of a family of its own."""
        cookie = self.session()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return list(pool.map(lambda _: self.family(cookie), range(count)))

    def family(self, cookie):
        query = urllib.parse.urlencode({
            "response_type": "code", "client_id": "web", "redirect_uri": REDIRECT,
            "scope": "openid offline_access", "code_challenge": CHALLENGE,
            "code_challenge_method": "S256"})
        url = f"{self.target.authorization}?{query}"
        opener = urllib.request.build_opener(Stay)
        answer = opener.open(urllib.request.Request(url, headers={"Cookie": cookie}))
        location = urllib.parse.urlsplit(answer.headers["Location"])
        code = urllib.parse.parse_qs(location.query)["code"][0]
        tokens = post(self.target.token, self.target.web_authorization,
                      grant_type="authorization_code", code=code,
                      redirect_uri=REDIRECT, code_verifier=VERIFIER)
        return tokens["refresh_token"]

    def password_load(self):
        """Arguments of wrk/password.lua. The form's token belongs to the cookie that is sent."""
        walker = Walker(self.origin)
        action, fields = walker.sign_in_form()
        body = urllib.parse.urlencode({**fields, "password": PASSWORD}) + "&username=user%d"
        headers = f"Cookie: {walker.cookies()}|Origin: {self.origin}"
        return (action.replace("localhost", "127.0.0.1"), "application/x-www-form-urlencoded",
                headers, body, PEOPLE, 303)


class Stay(urllib.request.HTTPRedirectHandler):
    """Hands out redirects as answers."""

    def http_error_302(self, request, answer, code, message, headers):
        return answer

    http_error_301 = http_error_303 = http_error_307 = http_error_302
