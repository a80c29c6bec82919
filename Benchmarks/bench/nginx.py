# SPDX-License-Identifier: Apache-2.0
"""nginx serving one static file of the size of a discovery document: the ceiling."""

import pathlib

from bench.process import Process, free_port

CONFIGURATION = """
worker_processes 2;
daemon off;
pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    sendfile on;
    keepalive_requests 1000000000;
    types {{ application/json json; }}
    server {{ listen 127.0.0.1:{port}; root {directory}/www; }}
}}
"""


class Nginx:
    name = "nginx"

    def __init__(self, directory, document):
        directory = pathlib.Path(directory)
        (directory / "www").mkdir(parents=True)
        directory.chmod(0o755)
        (directory / "www" / "static.json").write_bytes(document)
        port = free_port()
        configuration = directory / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(directory=directory, port=port))
        self.url = f"http://127.0.0.1:{port}/static.json"
        self.process = Process(["nginx", "-c", configuration, "-p", directory],
                               directory / "out.log")
        self.process.ready(self.url)

    def stop(self):
        self.process.stop()
