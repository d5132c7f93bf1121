"""A client of the cross-border payments API, with Python's standard library alone."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal


class ApiError(Exception):
    """An error response. Decide on `code`; `details` has the facts; `retry_after` is in seconds."""

    def __init__(self, status, error, retry_after):
        super().__init__(f"{status} {error['code']}: {error['message']} {error['details']}")
        self.status, self.code, self.details, self.retry_after = status, error["code"], error["details"], retry_after


class Client:
    """The public API, with the credentials of one customer."""

    def __init__(self, base, client_id, client_secret):
        self.base, self.credentials, self.token = base, {"clientId": client_id, "clientSecret": client_secret}, None

    def get(self, path, **query):
        return self._call("GET", path, query=query)

    def post(self, path, body):
        return self._call("POST", path, json.dumps(body).encode(), "application/json")

    def upload(self, document, name, content):
        """Uploads a file: a multipart body with the parts `body` and `file`."""
        boundary = uuid.uuid4().hex
        part = f"--{boundary}\r\nContent-Disposition: form-data; name="
        body = f'{part}"body"\r\n\r\n{json.dumps(document)}\r\n{part}"file"; filename="{name}"\r\n\r\n'.encode()
        body += content + f"\r\n--{boundary}--\r\n".encode()
        return self._call("POST", "/api/documents", body, f"multipart/form-data; boundary={boundary}")

    def list(self, path, **query):
        """Returns all items of a list, page by page."""
        page = self.get(path, **query)
        yield from page["data"]
        while page["meta"]["nextCursor"] is not None:
            page = self.get(path, **query, cursor=page["meta"]["nextCursor"])
            yield from page["data"]

    def _call(self, method, path, body=None, content_type=None, query=None):
        """Sends one request. Repeats it with the same idempotency key without a response, and after 429, 503 and an expired token."""
        headers = {} if body is None else {"Content-Type": content_type, "X-Idempotency-Key": str(uuid.uuid4())}
        for pause in (0.2, 1, 5, None):
            try:
                if self.token is None:
                    self.token = send("POST", self.base + "/api/oauth/client/token", body=self.credentials)["accessToken"]
                return send(method, self.base + path, {**headers, "Authorization": f"Bearer {self.token}"}, body, query)
            except ApiError as error:
                if error.code == "EXPIRED_ACCESS_TOKEN":
                    self.token = None
                elif error.status not in (429, 503):
                    raise
                if pause is None:
                    raise
                time.sleep(max(pause, error.retry_after))
            except OSError:
                if pause is None:
                    raise
                time.sleep(pause)


def send(method, url, headers=None, body=None, query=None):
    """Sends one request, and returns the JSON of its response. Numbers with a fraction are decimals."""
    if query:
        url += "?" + urllib.parse.urlencode(query)
    headers = dict(headers or {})
    if body is not None and not isinstance(body, bytes):
        body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers, method=method), timeout=30) as response:
            return json.loads(response.read() or b"null", parse_float=Decimal)
    except urllib.error.HTTPError as error:
        with error:
            raise ApiError(error.code, json.loads(error.read()), float(error.headers.get("Retry-After", 0))) from None
