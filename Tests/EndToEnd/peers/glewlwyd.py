#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Glewlwyd as somebody else's identity provider, set up as the benchmarks set it up.

    glewlwyd.py serve FOLDER REDIRECT_URI   configures it, writes FOLDER/ready.json, becomes it
    glewlwyd.py authorize URL               user1 signs in and agrees; prints where that leads
"""

import json
import os
import pathlib
import sys
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from bench.glewlwyd import SECRET, Glewlwyd  # noqa: E402

CLIENT = "gatehouse"
PASSWORD = "correct horse battery staple"


def serve(folder, redirect_uri):
    folder = pathlib.Path(folder).resolve()
    server = Glewlwyd(folder / "glewlwyd")
    admin, _ = server.opener()
    server.call(admin, "POST", "/auth/", {"username": "admin", "password": "password"})
    server.call(admin, "POST", "/client/", {
        "client_id": CLIENT, "name": CLIENT, "confidential": True, "client_secret": SECRET,
        "authorization_type": ["code"], "scope": ["openid"], "enabled": True,
        "redirect_uri": [redirect_uri],
        "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"]})
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
