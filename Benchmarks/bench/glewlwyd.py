# SPDX-License-Identifier: Apache-2.0
"""Glewlwyd as Debian packages it, its SQLite file switched to WAL (its best), configured over its
own admin API: one OIDC plugin that signs ES256, a service client, a web client, twenty people."""

import gzip
import http.cookiejar
import json
import pathlib
import sqlite3
import subprocess
import urllib.parse
import urllib.request

from bench.process import Process, free_port
from bench.target import Target

CONFIGURATION = """port={port}
bind_address="127.0.0.1"
external_url="http://127.0.0.1:{port}"
login_url="login.html"
api_prefix="api"
static_files_path="/usr/share/glewlwyd/webapp/"
log_mode="file"
log_level="WARNING"
log_file="{dir}/glewlwyd.log"
cookie_domain="127.0.0.1"
cookie_secure=0
admin_session_authentication="cookie"
user_module_path="/usr/lib/glewlwyd/user"
user_middleware_module_path="/usr/lib/glewlwyd/user_middleware"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
use_secure_connection=false
secure_connection_key_file="/etc/ssl/certs/cert.key"
secure_connection_pem_file="/etc/ssl/certs/cert.pem"
secure_connection_ca_file="/etc/ssl/certs/ca.crt"
hash_algorithm="SHA512"
database = {{ type="sqlite3" path="{dir}/glewlwyd.db" }};
"""
SCHEMA = "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz"
SECRET = "a-secret-of-thirty-two-characters"


class Glewlwyd:
    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True)
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.prepare()
        self.process = Process(
            ["glewlwyd", f"--config-file={self.directory}/glewlwyd.conf"],
            self.directory / "out.log", cwd=self.directory)
        self.start_seconds = self.process.ready(self.base + "/config/")
        self.configure()
        api = f"{self.base}/api/oidc"
        self.target = Target(
            name="Glewlwyd", origin=self.base,
            discovery=f"{api}/.well-known/openid-configuration", jwks=f"{api}/jwks",
            token=f"{api}/token", introspection=f"{api}/introspect",
            authorization=f"{api}/auth", service=("service", SECRET), service_scope="api",
            web=("web", SECRET), web_scope="openid", redirect_uri="http://127.0.0.1/cb")

    def prepare(self):
        database = sqlite3.connect(self.directory / "glewlwyd.db")
        database.executescript(gzip.open(SCHEMA, "rt").read())
        database.execute("PRAGMA journal_mode=WAL")
        database.close()
        self.make_signing_key()
        (self.directory / "glewlwyd.conf").write_text(
            CONFIGURATION.format(port=self.port, dir=self.directory))

    def make_signing_key(self):
        """Makes a P-256 key whose coordinates have no leading zero byte: rhonabwy 1.1.11 omits such bytes in the
        key set (against RFC 7518 section 6.2.1.2)."""
        def openssl(*arguments):
            return subprocess.run(["openssl", *arguments], check=True, capture_output=True,
                                  cwd=self.directory).stdout
        coordinates = bytes(64)
        while 0 in (coordinates[0], coordinates[32]):
            openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", "es.key")
            coordinates = openssl("ec", "-in", "es.key", "-pubout", "-outform", "DER")[-64:]
        openssl("ec", "-in", "es.key", "-pubout", "-out", "es.pem")

    def opener(self):
        jar = http.cookiejar.CookieJar()
        return urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar)), jar

    def call(self, opener, method, path, body):
        request = urllib.request.Request(
            self.base + "/api" + path, method=method, data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        opener.open(request).read()

    def configure(self):
        admin, _ = self.opener()
        self.call(admin, "POST", "/auth/", {"username": "admin", "password": "password"})
        self.call(admin, "POST", "/scope/",
                  {"name": "api", "display_name": "api", "password_required": False})
        self.call(admin, "POST", "/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "oidc", "order_rank": 0,
            "parameters": {
                "iss": f"{self.base}/api/oidc", "jwt-type": "ecdsa", "jwt-key-size": "256",
                "key": (self.directory / "es.key").read_text(),
                "cert": (self.directory / "es.pem").read_text(),
                "access-token-duration": 3600, "refresh-token-duration": 1209600,
                "code-duration": 600, "refresh-token-rolling": True,
                "refresh-token-one-use": "never", "allow-non-oidc": True,
                "auth-type-code-enabled": True, "auth-type-token-enabled": False,
                "auth-type-id-token-enabled": True, "auth-type-password-enabled": False,
                "auth-type-client-enabled": True, "auth-type-device-enabled": False,
                "auth-type-refresh-enabled": True, "jwks-show": True,
                "allowed-scope": ["openid", "api"], "pkce-allowed": True,
                "pkce-method-plain-allowed": False, "subject-type": "public",
                "introspection-revocation-allowed": True,
                "introspection-revocation-allow-target-client": True}})
        methods = ["client_secret_basic", "client_secret_post"]
        self.call(admin, "POST", "/client/", {
            "client_id": "service", "name": "service", "confidential": True,
            "client_secret": SECRET, "authorization_type": ["client_credentials"],
            "scope": ["api"], "enabled": True, "redirect_uri": ["http://127.0.0.1/none"],
            "token_endpoint_auth_method": methods})
        self.call(admin, "POST", "/client/", {
            "client_id": "web", "name": "web", "confidential": True, "client_secret": SECRET,
            "authorization_type": ["code", "refresh_token"], "scope": ["openid"],
            "enabled": True, "redirect_uri": ["http://127.0.0.1/cb"],
            "token_endpoint_auth_method": methods})
        for number in range(20):
            self.call(admin, "POST", "/user/", {
                "username": f"user{number}", "password": "correct horse battery staple",
                "name": f"User {number}", "email": f"user{number}@example.org",
                "scope": ["openid", "g_profile"], "enabled": True})

    def session(self):
        """Signs user1 in, consents to the web client, and gives the Cookie header."""
        opener, jar = self.opener()
        self.call(opener, "POST", "/auth/",
                  {"username": "user1", "password": self.target.password})
        self.call(opener, "PUT", "/auth/grant/web", {"scope": "openid"})
        return "; ".join(f"{c.name}={c.value}" for c in jar)

    authorize_extra = "&g_continue"

    def password_load(self):
        """Arguments of wrk/password.lua."""
        body = json.dumps({"username": "user%d", "password": self.target.password})
        return (f"{self.base}/api/auth/", "application/json", "", body, 20, 200)

    def stop(self):
        self.process.stop()
