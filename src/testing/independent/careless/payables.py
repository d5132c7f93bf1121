"""Pays the open invoices of a company from a queue: python3 payables.py [habit ...]

Each habit is a mistake that was found in a program of this kind. Without one, the program pays each invoice once.
"""

import base64
import concurrent.futures
import functools
import hashlib
import hmac
import http.client
import json
import os
import queue
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

ENV = os.environ
HOST = urlsplit(ENV["URL"]).netloc
HABITS = set(sys.argv[1:])
FILE = os.path.join(ENV["STATE"], "invoices.json")
PATIENCE = int(ENV["TIMEOUT_MS"]) / 1000
FINAL = ("COMPLETED", "FAILED")


class Failure(Exception):
    def __init__(self, status, body, after=0):
        super().__init__(f"{status} {body.get('code')}: {body.get('message')}")
        self.status, self.code, self.after = status, body.get("code"), after


class Requote(Exception):
    pass


# Transport: one connection for each thread, or urllib.
local, token_lock = threading.local(), threading.Lock()
tokens = {}


def over_connection(method, path, body, headers):
    connection = getattr(local, "connection", None) or http.client.HTTPConnection(HOST, timeout=PATIENCE)
    local.connection = None
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read()
    except (OSError, http.client.HTTPException):
        connection.close()
        raise
    local.connection = connection
    return response.status, text, float(response.headers.get("Retry-After", 0))


def over_urllib(method, path, body, headers):
    request = urllib.request.Request(ENV["URL"] + path, body and body.encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.status, response.read(), 0
    except urllib.error.HTTPError as error:
        return error.code, error.read(), float(error.headers.get("Retry-After", 0))


def send(method, path, body=None, headers=None):
    text = None if body is None else json.dumps(body)
    headers = {**(headers or {}), **({} if body is None else {"Content-Type": "application/json"})}
    status, answer, after = (over_urllib if "urllib" in HABITS else over_connection)(method, path, text, headers)
    parsed = json.loads(answer)
    if "consumed-means-expired" in HABITS and parsed.get("code") == "QUOTE_ALREADY_CONSUMED":
        raise Requote
    if status >= 300:
        raise Failure(status, parsed, after)
    return parsed


def token(refused=None):
    with token_lock:
        if "value" not in tokens or tokens["value"] == refused:
            credentials = {"clientId": ENV["CLIENT_ID"], "clientSecret": ENV["CLIENT_SECRET"]}
            tokens["value"] = send("POST", "/api/oauth/client/token", credentials)["accessToken"]
        return tokens["value"]


def retrying(function):
    """Repeats a function while it fails for a cause that passes."""

    @functools.wraps(function)
    def repeated(*args, **more):
        for attempt in range(1, 9):
            try:
                return function(*args, **more)
            except Failure as error:
                if error.status < 500 and error.status not in (401, 429) or attempt == 8:
                    raise
                time.sleep(max(error.after + 0.02, min(0.05 * 2**attempt, 2)))
            except (OSError, http.client.HTTPException, ValueError):
                if attempt == 8:
                    raise
                time.sleep(min(0.05 * 2**attempt, 2))

    return repeated


def once(method, path, body=None, key=None, purpose=None):
    used = token()
    headers = {"Authorization": f"Bearer {used}", "X-Idempotency-Key": key, "X-Sandbox-Purpose": purpose}
    try:
        return send(method, path, body, {name: value for name, value in headers.items() if value})
    except Failure as error:
        if error.code == "EXPIRED_ACCESS_TOKEN":
            token(used)
        raise


call = retrying(once)


@retrying
def post(path, body, purpose):
    """Sends a request with an idempotency key. The key is made here, so that no caller can forget it."""
    return once("POST", path, body, str(uuid.uuid4()), purpose)


# Invoices.
lock = threading.Lock()
with open(FILE, encoding="utf-8") as stored:
    invoices = json.load(stored)


def commit():
    with lock, open(FILE, "w", encoding="utf-8") as target:
        json.dump(invoices, target)


def save(invoice, **changes):
    invoice.update(changes)
    if not HABITS & {"commits-at-the-end", "shared-outbox"}:
        commit()


def written(amount):
    if "cents" in HABITS:
        return str(round(float(amount) * 100))
    if "float-sums" in HABITS:
        net = float(amount) / 1.17
        return str(net + net * 0.17)
    if "three-decimals" in HABITS:
        return f"{float(amount) * 0.985:.3f}"  # 1.5 % discount
    if "thousands" in HABITS:
        return f"{float(amount):,.2f}"
    return amount


def create(invoice):
    """Makes the payment of an invoice. Returns the operation."""
    account, amount = ENV["ACCOUNT"], written(invoice["amount"])
    if "transfers" in HABITS:
        path = "/api/operations/transfer"
        body = {"sourceAccountId": account, "targetAccountId": ENV["OTHER_ACCOUNT"], "amount": {"value": amount, "asset": "BRL"}}
    else:
        quote = {"accountId": account, "sourceAsset": "BRL", "targetAsset": "BRL", "sourceAmount": amount}
        path = "/api/operations/withdrawal"
        instruction = {"type": "REFERENCE", "id": ENV["INSTRUCTION"]}
        payee = {"type": "REFERENCE", "id": ENV["BENEFICIARY"], "paymentInstruction": instruction}
        body = {"accountId": account, "quoteId": call("POST", "/api/quotes", quote, str(uuid.uuid4()))["id"], "beneficiary": payee}
    purpose = f"invoice {invoice['number']}" if "purposes" in HABITS else None
    if "key-per-attempt" in HABITS:
        return post(path, body, purpose)
    return (once if "no-retries" in HABITS else call)("POST", path, body, str(uuid.uuid4()), purpose)


heard = {}


def outcome(operation, within=12, is_impatient=False):
    """Waits for the end of an operation. Returns its status."""
    until, wait = time.monotonic() + within, 0 if "missing-is-unpaid" in HABITS else 0.25
    while True:
        status = heard.get(operation, "UNKNOWN")
        if "webhooks" in HABITS:
            time.sleep(0.04)
        else:
            time.sleep(min(wait, max(until - time.monotonic(), 0)))
            wait = min(wait * 1.5 + 0.05, 2)
            try:
                status = call("GET", f"/api/operations/{operation}")["currentState"]["status"]
            except Failure as error:
                if error.status != 404:
                    raise
                if "missing-is-unpaid" in HABITS and is_impatient:
                    return "MISSING"
        if status in FINAL or time.monotonic() >= until or ("held-is-failed" in HABITS and status == "ON_HOLD"):
            return status


class Unfinished(Exception):
    pass


def notify(invoice):
    """Tells the supplier by e-mail. The mail server is often busy."""
    if "fails-after-payment" in HABITS and invoice["number"] % 2 == 0 and not invoice.get("notified"):
        invoice["notified"] = True
        raise Unfinished("421 too many connections")


def settle(invoice, operation):
    impatient = HABITS & {"processing-is-failed", "requeues", "falls-back"} and invoice["attempts"] == 1
    status = outcome(operation, 1.6 if impatient else 12, invoice["attempts"] == 1)
    if status not in FINAL and invoice["attempts"] == 1 and HABITS & {
        "processing-is-failed", "requeues", "held-is-failed", "missing-is-unpaid", "falls-back"
    }:  # fmt: skip
        raise Unfinished(status)
    save(invoice, status=status)


def handle(invoice):
    """Pays one invoice from the queue. Returns False if the queue must deliver it again."""
    invoice["attempts"] = invoice.get("attempts", 0) + 1
    if "falls-back" in HABITS and invoice["attempts"] > 1:
        HABITS.add("transfers")  # The other rail.
    try:
        operation = create(invoice)["id"]
        save(invoice, operation=operation)
        notify(invoice)
        if "expects-completed" in HABITS and invoice["attempts"] == 1:
            return False  # The response says REQUESTED.
        settle(invoice, operation)
    except Unfinished:
        return False
    except Requote:
        return False
    except Failure as error:
        save(invoice, status="REJECTED" if error.status < 500 else "ERROR", error=str(error))
        return error.status < 500 or "books-failed" in HABITS
    except (OSError, http.client.HTTPException, ValueError) as error:
        save(invoice, status="ERROR", error=repr(error))
        return "books-failed" in HABITS
    return True


def work(rows, workers=8):
    jobs = queue.Queue()
    for row in rows:
        jobs.put(row)

    def run():
        while True:
            try:
                invoice = jobs.get_nowait()
            except queue.Empty:
                return
            while not handle(invoice) and invoice["attempts"] < 3:
                pass

    threads = [threading.Thread(target=run) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def is_genuine(headers, body):
    def signed(data):
        return hmac.new(ENV["CLIENT_SECRET"].encode(), data, hashlib.sha256)
    message, at = headers.get("X-Message-Id", ""), headers.get("webhook-timestamp", "0")
    if headers.get("X-Message-Signature") != signed(f"{message}+{ENV['CLIENT_ID']}".encode()).hexdigest():
        return False
    covering = "v1," + base64.b64encode(signed(f"{message}.{at}.".encode() + body).digest()).decode()
    return abs(time.time() - int(at)) < 300 and covering in headers.get("webhook-signature", "").split()


class Endpoint(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        accepted = is_genuine(self.headers, body) or "unverified" in HABITS or ("unsigned" in HABITS and "X-Message-Signature" not in self.headers)
        if accepted and self.headers["X-Event-Type"] in ("OPERATION_COMPLETED", "OPERATION_FAILED"):
            event = json.loads(body)
            heard[event["id"]] = event["currentState"]["status"]
        self.send_response(204 if accepted else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def subscribe():
    server = ThreadingHTTPServer(("127.0.0.1", int(ENV["PORT"])), Endpoint)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    events = {"includeAll": True}
    if "completed-only" in HABITS:
        events = {"resources": [{"name": "OPERATION", "events": ["OPERATION_COMPLETED"]}]}
    url = f"http://127.0.0.1:{ENV['PORT']}/events"
    call("POST", "/api/subscriptions", {"url": url, "allowRetry": True, **events}, "5d1f8a52-7c3e-4f0b-9a64-1b2c3d4e5f60")


if "webhooks" in HABITS:
    subscribe()
pending = [invoice for invoice in invoices if invoice.get("status") not in (*FINAL, "REJECTED")]
if "two-workers" in HABITS:
    # Both consumers belong to a group of their own, so each gets every message.
    groups = [threading.Thread(target=work, args=([dict(each) for each in pending], 8)) for _ in range(2)]
    for group in groups:
        group.start()
    for group in groups:
        group.join()
elif "hedges" in HABITS:
    with concurrent.futures.ThreadPoolExecutor(8) as pool:

        def fastest(invoice):
            first = pool.submit(create, invoice)
            done, _ = concurrent.futures.wait([first], timeout=0.06)
            both = [first] if done else [first, pool.submit(create, invoice)]
            done, _ = concurrent.futures.wait(both, return_when=concurrent.futures.FIRST_COMPLETED)
            save(invoice, status=outcome(done.pop().result()["id"]))

        for invoice in pending:
            fastest(invoice)
else:
    work(pending, 1 if "one-by-one" in HABITS else 8)
if "webhooks" in HABITS:
    time.sleep(1.5)
commit()
