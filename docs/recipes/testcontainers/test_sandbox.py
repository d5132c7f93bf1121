"""pytest test_sandbox.py, with pytest and testcontainers installed."""

import json
import os
import time
import urllib.error
import urllib.request

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
    with container:
        url = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(4010)}"
        wait_until_ready(url)
        yield url


def test_an_application_gets_a_token_for_a_world_of_its_own(sandbox):
    world = call(sandbox, "PUT", "/_sandbox/worlds/orders", {"clock": {"mode": "FROZEN"}})
    token = call(sandbox, "POST", "/api/oauth/client/token", world["credentials"])["accessToken"]
    accounts = call(sandbox, "GET", "/api/accounts", headers={"Authorization": f"Bearer {token}"})
    assert accounts["data"]
