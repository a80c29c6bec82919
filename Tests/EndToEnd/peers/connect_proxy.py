# SPDX-License-Identifier: Apache-2.0
"""A proxy that tunnels (RFC 9110 section 9.3.6) to this machine and nowhere else.

    connect_proxy.py PORT

Says `CONNECT host:port` for each tunnel.
"""
import select
import socket
import socketserver
import sys


class Tunnel(socketserver.StreamRequestHandler):
    def handle(self):
        method, place, _ = self.rfile.readline().decode().split(" ", 2)
        while self.rfile.readline().strip():
            pass
        print(method, place, flush=True)
        host, port = place.rsplit(":", 1)
        if method != "CONNECT" or host != "localhost":
            self.wfile.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            return
        with socket.create_connection(("127.0.0.1", int(port))) as other:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            ends = {self.connection: other, other: self.connection}
            while True:
                for end in select.select(list(ends), [], [])[0]:
                    data = end.recv(65536)
                    if not data:
                        return
                    ends[end].sendall(data)


class Proxy(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Proxy(("127.0.0.1", int(sys.argv[1])), Tunnel).serve_forever()
