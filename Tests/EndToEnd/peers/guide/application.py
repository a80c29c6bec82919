# SPDX-License-Identifier: Apache-2.0
"""An application behind nginx that believes its proxy: says who asks.

    application.py PORT
"""

import http.server
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(f"GET {self.path} by {self.headers['X-Remote-User']}\n".encode())


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
