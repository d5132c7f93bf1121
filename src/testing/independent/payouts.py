"""A client with Python's standard library alone: threads that each keep a connection, one journal, outcomes by polling and by webhook."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

ENV = os.environ
HOST = urlsplit(ENV["URL"]).netloc
CREDENTIALS = {"clientId": ENV["CLIENT_ID"], "clientSecret": ENV["CLIENT_SECRET"]}
PAYMENTS, WORKERS, AMOUNTS = int(ENV["PAYMENTS"]), int(ENV["WORKERS"]), ENV["AMOUNTS"].split(",")


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body.get('code')}: {body.get('message')}")
        self.status, self.code = status, body.get("code")


class Journal:
    """Known values by subject, in a file that outlives the process."""

    def __init__(self, path):
        self.lock, self.facts = threading.RLock(), {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    try:
                        about, changes = json.loads(line)
                    except ValueError:
                        continue  # An incomplete last line.
                    self.facts.setdefault(about, {}).update(changes)
        self.file = open(path, "a", encoding="utf-8")
        self.file.write("\n")

    def get(self, about):
        with self.lock:
            return dict(self.facts.get(about, {}))

    def put(self, about, **changes):
        with self.lock:
            self.file.write(json.dumps([about, changes]) + "\n")
            self.file.flush()
            self.facts.setdefault(about, {}).update(changes)
            return dict(self.facts[about])


journal = Journal(os.path.join(ENV["STATE"], "journal.jsonl"))


class Tokens:
    def __init__(self):
        self.lock, self.value = threading.Lock(), None

    def get(self, refused=None):
        with self.lock:
            if self.value is None or self.value == refused:
                self.value = send("POST", "/api/oauth/client/token", CREDENTIALS, {})["accessToken"]
            return self.value


tokens, kept = Tokens(), threading.local()


def once(method, path, body, headers):
    connection = getattr(kept, "connection", None) or http.client.HTTPConnection(HOST, timeout=15)
    kept.connection = None  # The connection is kept only after a complete response.
    try:
        if body is not None:
            headers = {**headers, "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        status, parsed, after = response.status, json.loads(response.read()), float(response.headers.get("Retry-After", 0))
    except (OSError, http.client.HTTPException, ValueError):
        connection.close()
        raise
    kept.connection = connection
    return status, parsed, after


def send(method, path, body, headers):
    for attempt in range(41):
        failure, after = None, 0
        try:
            status, parsed, after = once(method, path, body, headers)
            if 200 <= status < 300:
                return parsed
            failure = Refused(status, parsed)
            if status < 500 and status != 429:
                raise failure
        except (OSError, http.client.HTTPException, ValueError) as error:
            failure = error
        time.sleep(max(min(0.1 * 2**attempt, 5) * random.uniform(0.5, 1), after))
    raise failure


def api(method, path, body=None, key=None):
    refused = None
    for _ in range(4):
        refused_before, refused = refused, tokens.get(refused)
        headers = {"Authorization": f"Bearer {refused}", **({"X-Idempotency-Key": key} if key else {})}
        try:
            return send(method, path, body, headers)
        except Refused as error:
            if error.code != "EXPIRED_ACCESS_TOKEN":
                raise
    raise RuntimeError(f"four tokens were refused, the last after {refused_before}")


def read(path):
    for wait in (0.3, 0.6, 1.2, 2.4, None):
        try:
            return api("GET", path)
        except Refused as error:
            if error.status != 404 or wait is None:
                raise
            time.sleep(wait)  # The resource may be too new to be found.


def create_once(about, path, body):
    known = journal.get(about) or journal.put(about, key=str(uuid.uuid4()))
    if "id" not in known:
        known = journal.put(about, id=api("POST", path, body, known["key"])["id"])
    return known["id"]


def prepare():
    create_once("subscription", "/api/subscriptions",
                {"url": f"http://127.0.0.1:{ENV['PORT']}/hooks", "allowRetry": True, "resources": [{"name": "OPERATION"}]})
    beneficiary = create_once("beneficiary", "/api/beneficiaries", {
        "holder": {"type": "INDIVIDUAL", "firstName": "Rui", "lastName": "Amaral", "dateOfBirth": "1988-07-30",
                   "taxId": {"type": "CPF", "value": "314.159.265-90"}},
        "relationshipType": "THIRD_PARTY",
        "paymentInstruction": {"type": "PIX", "asset": "BRL", "dictKeyType": "EMAIL", "dictKey": "rui@example.com"},
    })  # fmt: skip
    wait = 0.4
    while True:
        found = read(f"/api/beneficiaries/{beneficiary}")
        if found["status"] == "APPROVED":
            break
        time.sleep(wait)
        wait = min(wait * 1.5, 3)
    account = api("GET", "/api/accounts?limit=1&sortOrder=ASCENDING")["data"][0]["id"]
    return account, {"type": "REFERENCE", "id": beneficiary,
                     "paymentInstruction": {"type": "REFERENCE", "id": found["paymentInstructions"][0]["id"]}}  # fmt: skip


def fresh_keys(about):
    return journal.put(about, quote_key=str(uuid.uuid4()), key=str(uuid.uuid4()), quote=None)


def pay(index, account, payee):
    about = f"payment {index}"
    job = journal.get(about) or fresh_keys(about)
    while not job.get("operation") and not job.get("refusal"):
        if not job["quote"]:
            quote = {"accountId": account, "sourceAsset": "BRL", "targetAsset": "BRL", "targetAmount": AMOUNTS[index % len(AMOUNTS)]}
            job = journal.put(about, quote=api("POST", "/api/quotes", quote, job["quote_key"])["id"])
        try:
            body = {"accountId": account, "quoteId": job["quote"], "beneficiary": payee}
            job = journal.put(about, operation=api("POST", "/api/operations/withdrawal", body, job["key"])["id"])
        except Refused as error:
            if error.status >= 500:
                raise
            job = fresh_keys(about) if error.code == "QUOTE_EXPIRED" else journal.put(about, refusal=str(error))


def poll(index):
    """Reads the operation at growing intervals until it has ended."""
    operation, wait = journal.get(f"payment {index}").get("operation"), 1
    while operation and not journal.get(f"operation {operation}").get("outcome"):
        status = read(f"/api/operations/{operation}")["currentState"]["status"]
        if status in ("COMPLETED", "FAILED"):
            journal.put(f"operation {operation}", outcome=status)
        else:
            time.sleep(wait)
            wait = min(wait * 1.6, 8)


def is_genuine(headers, raw_body):
    def signed(data):
        return hmac.new(CREDENTIALS["clientSecret"].encode(), data, hashlib.sha256)
    message = headers.get("X-Message-Id", "")
    expected = signed(f"{message}+{CREDENTIALS['clientId']}".encode()).hexdigest()
    if not hmac.compare_digest(headers.get("X-Message-Signature", "").encode(), expected.encode()):
        return False
    if "webhook-signature" not in headers:
        return True
    covering = signed(f"{message}.{headers.get('webhook-timestamp', '')}.".encode() + raw_body).digest()
    expected = b"v1," + base64.b64encode(covering)
    return any(hmac.compare_digest(given.encode(), expected) for given in headers["webhook-signature"].split())


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, body)
        if genuine and not journal.get(f"message {self.headers['X-Message-Id']}"):
            kind = self.headers["X-Event-Type"]
            if kind in ("OPERATION_COMPLETED", "OPERATION_FAILED"):
                journal.put(f"operation {json.loads(body)['id']}", heard=kind)
            journal.put(f"message {self.headers['X-Message-Id']}", kind=kind)
        self.send_response(204 if genuine else 401)
        if not genuine:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format, *arguments):
        """Suppresses the log line of each request."""


def work(first, payee):
    for index in range(first, PAYMENTS, WORKERS):
        pay(index, *payee)
    for index in range(first, PAYMENTS, WORKERS):
        poll(index)


class Server(ThreadingHTTPServer):
    daemon_threads, request_queue_size = True, 64


threading.Thread(target=Server(("127.0.0.1", int(ENV["PORT"])), Receiver).serve_forever).start()
payee = prepare()
threads = [threading.Thread(target=work, args=(first, payee)) for first in range(WORKERS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
with open(os.path.join(ENV["STATE"], "done"), "w", encoding="utf-8") as done:
    json.dump([journal.get(f"payment {index}") for index in range(PAYMENTS)], done)
