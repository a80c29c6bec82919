# SPDX-License-Identifier: Apache-2.0
"""Web sites on 127.0.0.1:443, or another port, for browser tests, all hosts alike.

    webauthn_sites.py CERTIFICATE KEY FOLDER [PORT]

`/` is an empty page, `/frame?URL` a page with that page in a frame that may use credentials,
`/plain?URL` in one that may not, and `/.well-known/webauthn` the file `webauthn.json` of the
folder. Writes `ready` into the folder.
"""

import http.server
import pathlib
import ssl
import sys
import urllib.parse

CERTIFICATE, KEY, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
PORT = int(sys.argv[4]) if len(sys.argv) > 4 else 443
FRAME = '<iframe id="frame" src="{}" width="600" height="700"{}></iframe>'
ALLOW = ' allow="publickey-credentials-get *; publickey-credentials-create *"'


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/.well-known/webauthn":
            self.answer("application/json", (FOLDER / "webauthn.json").read_bytes())
        elif path in ("/frame", "/plain"):
            lent = ALLOW if path == "/frame" else ""
            self.answer("text/html", FRAME.format(urllib.parse.unquote(query), lent).encode())
        else:
            self.answer("text/html", b"<!doctype html><title>site</title><button>Go</button>")

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Site)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True)
(FOLDER / "ready").write_text("ready")
server.serve_forever()
