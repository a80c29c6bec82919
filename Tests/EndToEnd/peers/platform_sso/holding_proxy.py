# SPDX-License-Identifier: Apache-2.0
"""What stands between a machine and its provider, and cuts them off from each other in the middle of a request: it
loses the request, delivers it when nobody waits for the answer any more, holds the answer, or takes the provider
away."""

import http.client
import http.server
import threading

HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host"}


class HoldingProxy:
    """Between `port`, where the machine looks for the provider, and `behind`, where that is."""

    def __init__(self, port, behind):
        self.behind, self.lock = behind, threading.Lock()
        self.path, self.number, self.when = None, 0, None
        self.held, self.released, self.away = threading.Event(), threading.Event(), False
        self.delivered = threading.Event()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                proxy.answer(self)
            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def cut(self, path, number, when):
        """The `number`th request to that path from now on. Until `whole` is called it is held `before` the provider
        has it, which then never hears of it; or which gets it `late`; or `after` the provider has dealt with it, its
        answer is held. Or, `away`, from then on nobody is there."""
        with self.lock:
            self.path, self.number, self.when = path, number, when
            for event in (self.held, self.released, self.delivered):
                event.clear()

    def whole(self):
        """Nothing is held any more, and the provider is there again."""
        with self.lock:
            self.path, self.away = None, False
        self.released.set()

    def answer(self, request):
        size = int(request.headers.get("Content-Length") or 0)
        body = request.rfile.read(size) if size else None
        with self.lock:
            is_it = self.path is not None and request.path.split("?")[0] == self.path
            if is_it:
                self.number -= 1
                is_it = self.number == 0
            when = self.when if is_it else None
            if when == "away":
                self.away = True
            away = self.away
        if away:
            self.held.set()
            request.close_connection = True
            return
        if when in ("before", "late"):
            self.stay()
        if when == "before":
            request.close_connection = True
            return
        try:
            answer = self.forward(request, body)
        except OSError:
            # There is nobody behind it yet, or any more.
            request.close_connection = True
            return
        if when == "late":
            self.delivered.set()
        if when == "after":
            self.stay()
        try:
            self.send(request, answer)
        except (BrokenPipeError, ConnectionResetError):
            # Whoever asked was killed.
            request.close_connection = True

    def stay(self):
        self.held.set()
        self.released.wait(60)

    def forward(self, request, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=60)
        headers = {name: value for name, value in request.headers.items()
                   if name.lower() not in HOP - {"host"}}
        connection.request(request.command, request.path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def send(self, request, answer):
        answer, content = answer
        request.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in HOP:
                request.send_header(name, value)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)
