"""A receiver of webhooks that verifies signatures and handles each message once."""

import hashlib
import hmac
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def is_genuine(headers, client_id, client_secret):
    """Returns True if X-Message-Signature was made with the client secret. It does not cover the body."""
    signed = f"{headers.get('X-Message-Id', '')}+{client_id}".encode()
    expected = hmac.new(client_secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(headers.get("X-Message-Signature", "").encode(), expected.encode())


class Receiver(ThreadingHTTPServer):
    """Listens on a free port. `events` has the type and body of each new message with a valid signature."""

    def __init__(self, client_id, client_secret):
        super().__init__(("127.0.0.1", 0), Handler)
        self.credentials, self.handled, self.events, self.rejected = (client_id, client_secret), set(), [], 0
        self.url = f"http://127.0.0.1:{self.server_port}/webhooks"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, *self.server.credentials)
        if not genuine:
            self.server.rejected += 1
        elif self.headers["X-Message-Id"] not in self.server.handled:
            self.server.handled.add(self.headers["X-Message-Id"])  # In production, store these ids in your database.
            self.server.events.append((self.headers["X-Event-Type"], json.loads(body)))
        self.send_response(204 if genuine else 401)
        self.end_headers()

    def log_message(self, format, *arguments):
        """No line for each request."""
