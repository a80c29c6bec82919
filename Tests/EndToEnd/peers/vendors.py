# SPDX-License-Identifier: Apache-2.0
"""Two services that registrations ask, on one port: Apple's DeviceCheck, for which every token is a
device's, and an identity provider of the operator's own in one step, for which `data` is somebody's
number. They verify nothing: they are there to be asked while the provider is killed.

    vendors.py PORT
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if self.path.startswith("/v1/"):
            return self.say(b"")
        number = json.loads(body).get("data") or "nobody"
        self.say(json.dumps({
            "status": 2000, "user": {"sub": number, "username": f"badge-{number}"}}).encode())

    def say(self, text):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
