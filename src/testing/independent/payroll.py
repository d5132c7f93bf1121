"""A payroll program without packages. One run is one process: it makes each payment of its task once, and learns how it ends.

A payment is stored before it is sent, so that the next run continues where this one was killed.
"""

import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import signal
import threading
import time
import urllib.parse
import uuid

TASK = json.loads(os.environ["TASK"])
STATE = pathlib.Path(TASK["state"])
HOST = urllib.parse.urlsplit(TASK["url"]).netloc
WAY = TASK.get("connection", "keep")
local = threading.local()
token_lock = threading.Lock()
token = None


def load(name):
    file = STATE / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else None


def store(name, value):
    temporary = STATE / f"{name}.{os.getpid()}.{threading.get_ident()}"
    temporary.write_text(json.dumps(value))
    temporary.rename(STATE / f"{name}.json")
    return value


def die(name, moment):
    """Kills this process if its task says so."""
    if TASK.get("killed") == {"payment": name, "moment": moment}:
        time.sleep(0.03)  # Enough for the request to arrive.
        os.kill(os.getpid(), signal.SIGKILL)


class Http10(http.client.HTTPConnection):
    _http_vsn = 10
    _http_vsn_str = "HTTP/1.0"


def once(method, path, body, headers, name):
    """Sends one request. Returns status 0 without a whole response."""
    connection = getattr(local, "connection", None) or (Http10 if WAY == "http10" else http.client.HTTPConnection)(
        HOST, timeout=TASK.get("timeoutMs", 15000) / 1000
    )
    local.connection = connection
    if WAY == "close":
        headers = {**headers, "Connection": "close"}
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        die(name, "sent")
        response = connection.getresponse()
        text = response.read()
        result = response.status, float(response.getheader("Retry-After") or 0), json.loads(text) if text else None
        keeps = WAY == "keep" and not response.will_close
    except (OSError, http.client.HTTPException, ValueError):
        result, keeps = (0, 0, None), False
    if not keeps:
        connection.close()
        local.connection = None
    return result


def get_token(refused=None):
    """Returns the token of this process, or the one that all processes share."""
    global token
    with token_lock:
        if TASK.get("sharesToken") and token is None:
            token = (load("token") or {}).get("token")
        if token is None or token == refused:
            credentials = {"clientId": TASK["clientId"], "clientSecret": TASK["clientSecret"]}
            token = send("POST", "/api/oauth/client/token", credentials, {})[1]["accessToken"]
            store("token", {"token": token})
        return token


def send(method, path, body, headers, name=None, is_over=lambda: None):
    """Repeats the same request until it has a response, with growing waits and not before Retry-After."""
    for attempt in range(40):
        status, after, received = once(method, path, body, {"Content-Type": "application/json", **headers}, name)
        if status and status != 429 and status < 500:
            return status, received
        if status == 0 and (found := is_over()):
            return 200, found
        time.sleep(max(min(0.05 * 2**attempt, 3) * random.uniform(0.5, 1), after and after + 0.02))
    raise SystemExit(f"{method} {path} had no response: {status} {received}")


def api(method, path, body=None, key=None, purpose=None, name=None, is_over=lambda: None):
    used = get_token()
    for _ in range(4):
        headers = {"Authorization": f"Bearer {used}"}
        if key:
            headers["X-Idempotency-Key"] = key
        if purpose:
            headers["X-Sandbox-Purpose"] = purpose
        status, received = send(method, path, body, headers, name, is_over)
        if status != 401:
            return status, received
        used = get_token(used)
    raise SystemExit("No token is accepted.")


def read(path):
    for attempt in range(8):
        status, received = api("GET", path)
        if status != 404:
            return received
        time.sleep(0.1 * 2**attempt)  # It may be too new to be found.
    raise SystemExit(f"{path} does not exist.")


def find_announced(payment):
    """Looks for a payment whose response was lost in the list of webhook deliveries, and reads it."""
    known = {(load(each["name"]) or {}).get("operation") for each in TASK["payments"]}
    for _ in range(4):
        cursor = ""
        while cursor is not None:
            path = f"/api/subscriptions/{TASK['subscription']}/executionLogs?limit=50&filters=eventType[eq]=OPERATION_REQUESTED{cursor}"
            page = api("GET", path)[1]
            for log in page["data"]:
                event = json.loads(log["payload"])
                if event["id"] not in known and event["sourceAmount"]["value"] == payment["amount"]:
                    return read(f"/api/operations/{event['id']}")
            cursor = page["meta"]["nextCursor"] and f"&cursor={urllib.parse.quote(page['meta']['nextCursor'])}"
        time.sleep(0.15)
    return None


def new_key(payment):
    """Returns an idempotency key in the format of the payment."""
    kind = payment.get("keys", "v4")
    if kind == "v5":
        return str(uuid.uuid5(uuid.UUID(TASK["account"]), payment["name"]))
    if kind == "v7":
        bits = int(time.time() * 1000) << 80 | 7 << 76 | random.getrandbits(12) << 64 | 2 << 62 | random.getrandbits(62)
        return str(uuid.UUID(int=bits))
    if kind == "v8":
        return str(uuid.UUID(int=uuid.uuid4().int & ~(15 << 76) | 8 << 76))
    return str(uuid.uuid4()).upper() if kind == "upper" else str(uuid.uuid4())


def fresh(payment):
    return {"key": new_key(payment), "quoteKey": str(uuid.uuid4())}


def create(payment, job):
    name, purpose = payment["name"], payment.get("purpose")
    # Only a program that makes one payment at a time can recognise a lost one in a list.
    is_over = (lambda: find_announced(payment)) if TASK.get("recovery") == "deliveries" else (lambda: None)
    if payment.get("kind") != "withdrawal":
        amount = {"value": payment["amount"], "asset": "BRL"}
        ends = {"sourceAccountId": payment.get("from", TASK["account"]), "targetAccountId": payment.get("to", TASK["other"])}
        return api("POST", "/api/operations/transfer", {**ends, "amount": amount}, job["key"], purpose, name, is_over)
    wanted = {"accountId": TASK["account"], "sourceAsset": "BRL", "targetAsset": "BRL", "targetAmount": payment["amount"]}
    quote = api("POST", "/api/quotes", wanted, job["quoteKey"])[1]
    body = {"accountId": TASK["account"], "quoteId": quote["id"], "beneficiary": payment.get("payee", TASK["payee"])}
    return api("POST", "/api/operations/withdrawal", body, job["key"], purpose, name, is_over)


def pay(payment):
    name = payment["name"]
    job = load(name) or store(name, fresh(payment))
    while "operation" not in job and "refusal" not in job:
        die(name, "stored")
        status, received = create(payment, job)
        die(name, "received")
        if status < 300:
            job = store(name, {**job, "operation": received["id"]})
        elif received["code"] == "QUOTE_EXPIRED":
            job = store(name, fresh(payment))
        else:
            job = store(name, {**job, "refusal": received["code"]})
    wait = 0.1
    while TASK.get("reads", True) and "operation" in job and "outcome" not in job:
        status = read(f"/api/operations/{job['operation']}")["currentState"]["status"]
        if status in ("COMPLETED", "FAILED"):
            job = store(name, {**job, "outcome": status})
        else:
            time.sleep(wait)
            wait = min(wait * 1.5, 2)
    return job


with concurrent.futures.ThreadPoolExecutor(TASK.get("workers", 1)) as pool:
    print(json.dumps(list(pool.map(pay, TASK["payments"]))))
