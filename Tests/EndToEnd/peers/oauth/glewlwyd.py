#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Glewlwyd as somebody else's identity provider, set up as the benchmarks set it up.

    glewlwyd.py serve FOLDER REDIRECT_URI [JWKS_URI]
                                            configures it, writes FOLDER/ready.json, becomes it;
                                            with JWKS_URI it encrypts ID tokens to the key there
    glewlwyd.py authorize URL               user1 signs in and agrees; prints where that leads
"""

import json
import os
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from bench.glewlwyd import SECRET, Glewlwyd  # noqa: E402

CLIENT = "gatehouse"
PASSWORD = "correct horse battery staple"


def encrypting(server, admin, jwks_uri):
    """Has the plugin encrypt, and gives what the client says of it."""
    plugin = json.loads(admin.open(server.base + "/api/mod/plugin/oidc").read())
    plugin["parameters"] |= {
        "encrypt-out-token-allow": True, "client-jwks_uri-parameter": "jwks_uri",
        "client-alg-parameter": "alg", "client-enc-parameter": "enc",
        "client-alg_kid-parameter": "alg_kid",
        "client-encrypt_id_token-parameter": "encrypt_id_token"}
    server.call(admin, "PUT", "/mod/plugin/oidc", plugin)
    keys = json.loads(urllib.request.urlopen(jwks_uri).read())["keys"]
    (key,) = [key for key in keys if key.get("use") == "enc"]
    return {"jwks_uri": jwks_uri, "alg": "ECDH-ES", "enc": "A256GCM", "alg_kid": key["kid"],
            "encrypt_id_token": "1"}


def serve(folder, redirect_uri, jwks_uri=None):
    folder = pathlib.Path(folder).resolve()
    server = Glewlwyd(folder / "glewlwyd")
    admin, _ = server.opener()
    server.call(admin, "POST", "/auth/", {"username": "admin", "password": "password"})
    server.call(admin, "POST", "/client/", {
        "client_id": CLIENT, "name": CLIENT, "confidential": True, "client_secret": SECRET,
        "authorization_type": ["code"], "scope": ["openid"], "enabled": True,
        "redirect_uri": [redirect_uri],
        "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"],
        **(encrypting(server, admin, jwks_uri) if jwks_uri else {})})
    server.stop()
    ready = {"issuer": server.base + "/api/oidc", "port": server.port, "client_id": CLIENT,
             "client_secret": SECRET}
    (folder / "ready.json").write_text(json.dumps(ready))
    os.chdir(server.directory)
    # From here on this process is Glewlwyd itself: whoever ends it ends that.
    os.execvp("glewlwyd", ["glewlwyd", f"--config-file={server.directory}/glewlwyd.conf"])


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def authorize(url):
    cookies = urllib.request.HTTPCookieProcessor()
    browser = urllib.request.build_opener(cookies, Stay())
    api = url.split("/api/")[0] + "/api"

    def call(method, path, body):
        browser.open(urllib.request.Request(
            api + path, method=method, data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})).read()

    call("POST", "/auth/", {"username": "user1", "password": PASSWORD})
    call("PUT", f"/auth/grant/{CLIENT}", {"scope": "openid"})
    try:
        answer = browser.open(url + "&g_continue")
    except urllib.error.HTTPError as error:
        answer = error
    print(json.dumps({"status": answer.status, "location": answer.headers.get("Location")}))


if __name__ == "__main__":
    {"serve": serve, "authorize": authorize}[sys.argv[1]](*sys.argv[2:])
