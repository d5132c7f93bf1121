"""Verifies the signatures of webhooks. `headers` has names in lower case, `raw_body` the bytes before any parsing."""

import base64
import hashlib
import hmac
import time


def is_genuine(headers, raw_body, client_id, client_secret):
    def signed(data):
        return hmac.new(client_secret.encode(), data, hashlib.sha256)

    message_id = headers.get("x-message-id", "")
    expected = signed(f"{message_id}+{client_id}".encode()).hexdigest()
    if not hmac.compare_digest(headers.get("x-message-signature", "").encode(), expected.encode()):  # Production sends only this one.
        return False

    if "webhook-signature" not in headers:
        return True
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = signed(f"{message_id}.{timestamp}.".encode() + raw_body).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(given.encode(), expected) for given in headers["webhook-signature"].split())
