"""A loopback HTTP server that answers every POST with the bytes it was given."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CONTENT_TYPES = {
    "json": "application/json",
    "sse": "text/event-stream; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "frames": "application/vnd.amazon.eventstream",
}
PATHS = {
    "/v1/messages",
    "/v1/responses",
    "/v1/chat/completions",
    "/v1/models/m:generateContent",
    "/v1/models/m:streamGenerateContent",
    "/v1/interactions",
    "/v2/chat",
    "/api/chat",
    "/model/m/converse",
    "/model/m/converse-stream",
}
CHUNK = 61  # a size that cuts lines, events and UTF-8 characters


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.partition("?")[0] not in PATHS:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("content-type", CONTENT_TYPES[self.server.framing])
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        body = self.server.body
        for start in range(0, len(body), CHUNK):
            piece = body[start:start + CHUNK]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # the client has seen enough and went away

    def log_message(self, *args):
        """Keep quiet."""


class Server:
    """Serves one body at a time; `with server.serving(...)` says which."""

    def __init__(self):
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def url(self):
        """The root of the server, without a slash at the end."""
        return "http://127.0.0.1:%d" % self._http.server_address[1]

    @contextmanager
    def serving(self, body, framing):
        """While this is entered every POST is answered with `body`."""
        self._http.body, self._http.framing = body, framing
        yield self.url

    def close(self):
        """Stop listening."""
        self._http.shutdown()
        self._http.server_close()
