"""pytest test_sandbox.py, with pytest and testcontainers installed."""

import json
import os
import queue
import threading
import time
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from testcontainers.core.container import DockerContainer

# docker build -t crossborder-sandbox . in this repository
IMAGE = os.environ.get("SANDBOX_IMAGE", "crossborder-sandbox")


def call(url, method, path, body=None, headers=None):
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, sent, {"Content-Type": "application/json", **(headers or {})}, method=method)
    with urllib.request.urlopen(request) as response:
        text = response.read()
    return json.loads(text) if text else None


def wait_until_ready(url, seconds=60):
    end = time.monotonic() + seconds
    while True:
        try:
            return call(url, "GET", "/_sandbox/health/ready")
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


@pytest.fixture(scope="session")
def sandbox():
    container = DockerContainer(IMAGE).with_env("SANDBOX_DATA", "memory").with_exposed_ports(4010)
    container.with_kwargs(extra_hosts={"host.docker.internal": "host-gateway"})  # For webhooks to the host.
    with container:
        url = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(4010)}"
        wait_until_ready(url)
        yield url


@pytest.fixture
def receiver():
    events = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            events.put(self.headers["X-Event-Type"])
            self.send_response(204)
            self.end_headers()

    server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)  # The container reaches no address that only this machine has.
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, events
    server.shutdown()


def test_an_application_gets_a_token_for_its_world(sandbox):
    world = call(sandbox, "PUT", "/_sandbox/worlds/orders?ifExists=replace", {"clock": {"mode": "FROZEN"}})
    token = call(sandbox, "POST", "/api/oauth/client/token", world["credentials"])["accessToken"]
    accounts = call(sandbox, "GET", "/api/accounts", headers={"Authorization": f"Bearer {token}"})
    assert accounts["data"]


def test_a_webhook_reaches_a_receiver_on_the_host(sandbox, receiver):
    port, events = receiver
    world = call(sandbox, "PUT", "/_sandbox/worlds/hooks?ifExists=replace", {})
    token = call(sandbox, "POST", "/api/oauth/client/token", world["credentials"])["accessToken"]
    hook = {"url": f"http://host.docker.internal:{port}/hooks", "includeAll": True}
    call(sandbox, "POST", "/api/subscriptions", hook, {"Authorization": f"Bearer {token}", "X-Idempotency-Key": str(uuid.uuid4())})
    call(sandbox, "POST", "/_sandbox/events", {"eventType": "OPERATION_COMPLETED"}, {"X-Sandbox-World": "hooks"})
    assert events.get(timeout=10) == "OPERATION_COMPLETED"
