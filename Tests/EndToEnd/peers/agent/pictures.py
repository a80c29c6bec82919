# SPDX-License-Identifier: Apache-2.0
"""A host of people's pictures over TLS, with nothing of ours.

    pictures.py PORT CERTIFICATE KEY LOG

Has one picture, /anna.png, and writes one line of JSON to LOG for each question: its path, and the names of
its fields. Before the first it writes `"ready"`.
"""

import http.server
import json
import ssl
import struct
import sys
import zlib


def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data
            + struct.pack(">I", zlib.crc32(kind + data)))


# One grey point (PNG section 11).
PICTURE = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
           + chunk(b"IDAT", zlib.compress(b"\x00\x80")) + chunk(b"IEND", b""))


def main():
    port, certificate, key, log = sys.argv[1:]
    lines = open(log, "a", buffering=1)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            names = sorted(name.lower() for name in self.headers)
            lines.write(json.dumps({"path": self.path, "fields": names}) + "\n")
            found = self.path == "/anna.png"
            self.send_response(200 if found else 404)
            body = PICTURE if found else b""
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    lines.write('"ready"\n')
    server.serve_forever()


if __name__ == "__main__":
    main()
