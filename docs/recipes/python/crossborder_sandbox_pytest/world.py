"""A client of the control API: a sandbox and its worlds."""

import base64
import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone
from decimal import Decimal

TIMEOUT_SECONDS = 90  # Longer than the sandbox takes for any request.
STORY_ITEMS = 500
STORY_KINDS = "REQUEST,CONTROL,STATE,DELIVERY,LEDGER,FINDING"


class SandboxError(Exception):
    """An error response of the control API, or no response: `status` is then 0 and `code` UNREACHABLE. Decide by `code`."""

    def __init__(self, status, code, message, details=None):
        super().__init__(f"{message} ({status or 'no response'}, {code})")
        self.status, self.code, self.details = status, code, details or {}


class Sandbox:
    """A running sandbox. Defaults come from SANDBOX_URL, SANDBOX_CONTROL_URL and SANDBOX_CONTROL_TOKEN."""

    def __init__(self, url=None, control_url=None, token=None):
        self.url = (url or os.environ.get("SANDBOX_URL", "").strip() or "http://127.0.0.1:4010").rstrip("/")
        self.control_url = (control_url or os.environ.get("SANDBOX_CONTROL_URL", "").strip() or self.url).rstrip("/")
        self.token = token or os.environ.get("SANDBOX_CONTROL_TOKEN", "").strip()
        # A proxy of the organisation does not reach this machine.
        is_local = urllib.parse.urlsplit(self.control_url).hostname in ("127.0.0.1", "localhost", "::1")
        self._opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if is_local else []))

    def control(self, method, path, body=None, world=None, **query):
        """Sends a request to the control API and returns its JSON; numbers with a fraction are Decimal. `path` follows /_sandbox."""
        __tracebackhide__ = True
        url = f"{self.control_url}/_sandbox{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if world is not None:
            headers["X-Sandbox-World"] = world
        if re.match(r"client-[^:]+:.", self.token):  # The credentials of a world.
            headers["Authorization"] = "Basic " + base64.b64encode(self.token.encode()).decode()
        elif self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), headers, method=method)
        try:
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                status, text = response.status, response.read()
        except urllib.error.HTTPError as error:
            with error:
                status, text = error.code, error.read()
        except OSError as error:
            message = f"No sandbox responds at {self.control_url}: {getattr(error, 'reason', error)}. Start one, or set SANDBOX_URL to its address."
            raise SandboxError(0, "UNREACHABLE", message) from None
        try:
            answer = json.loads(text or b"null", parse_float=Decimal)
            if status < 400:
                return answer
            error = SandboxError(status, answer["code"], f"{answer['message']} [{method} {path}]", answer.get("details"))
        except (ValueError, KeyError, TypeError):
            error = SandboxError(status, "NOT_A_SANDBOX", f"{self.control_url} does not respond as a sandbox does: {text[:200]!r}.")
        raise error from None

    def ready(self, timeout_seconds=60):
        """Waits until the sandbox accepts requests."""
        end = time.monotonic() + timeout_seconds
        while True:
            try:
                return self.control("GET", "/health/ready")
            except SandboxError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def create_world(self, name, at=None, scenario=None, seed=None, fixtures=None, ttl=None):
        """
        Creates a world with a frozen clock, or replaces the world with this name.
        `at`: world time, a datetime or a timestamp in UTC. Default: now. `ttl`: deletes the world after this time without a request.
        """
        if isinstance(at, datetime):
            at = at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        clock = {"mode": "FROZEN", "now": at}
        wanted = {"scenario": scenario, "seed": seed, "fixtures": fixtures, "ttl": ttl}
        body = {"clock": _given(clock), **_given(wanted)}
        made = self.control("PUT", f"/worlds/{urllib.parse.quote(name)}", body, ifExists="replace")
        return World(self, made["name"], made["credentials"])


class World:
    """A world: its own accounts, operations, clock and faults. `credentials` are those of your application."""

    def __init__(self, sandbox, name, credentials):
        self.sandbox, self.name, self.credentials = sandbox, name, credentials

    def __repr__(self):
        return f"<World {self.name}>"

    def env(self):
        """Returns the environment variables with which an application connects to this world."""
        return {
            "SANDBOX_URL": self.sandbox.url,
            "SANDBOX_WORLD": self.name,
            "SANDBOX_CLIENT_ID": self.credentials["clientId"],
            "SANDBOX_CLIENT_SECRET": self.credentials["clientSecret"],
        }

    def control(self, method, path, body=None, **query):
        """Sends a request to the control API for this world: `world.control("GET", "/operations", limit=5)`."""
        __tracebackhide__ = True
        return self.sandbox.control(method, path, body, world=self.name, **query)

    def operation(self, id):
        return Operation(self, id)

    def inbox(self, name):
        return Inbox(self, name)

    def first(self, resource, filters=None):
        """Returns the first item of a list, for example `first("beneficiaries", "status[eq]=APPROVED")`; None if no item matches."""
        return next(iter(self.control("GET", f"/{resource}", limit=1, **_given({"filters": filters}))["data"]), None)

    def advance(self, by=None, to=None, until_idle=False):
        """Advances the frozen clock by a duration (`30s`), to a timestamp, or until no timer is left, with the webhooks that become due."""
        body = _given({"by": by, "to": to, "untilIdle": until_idle or None})
        return self.control("POST", "/clock/advance", body)

    def fault(self, rule):
        """Injects a fault, for example `{"on": "REQUEST", "times": 1, "effect": {"connectionReset": True}}`."""
        return self.control("POST", "/faults", rule)

    def findings(self):
        """Returns what the application did wrong, if no more requests follow."""
        return self.control("GET", "/findings", final="true")["data"]

    def story(self):
        """Returns what happened in this world, one line for each request, status, webhook, posting and finding: the newest 500."""
        clock = self.control("GET", "/clock")
        newest = self.control("GET", "/timeline", kinds=STORY_KINDS, reads="false", counts="false", limit=STORY_ITEMS)["data"]
        lines = [_line(each) for each in reversed(newest)]
        return "\n".join([*lines, f"{clock['now']}, {clock['mode']}, timers waiting: {clock['pendingTimers']}"])

    def save_replay(self, path, **about):
        """Writes a file with which `crossborder-sandbox replay` repeats everything that happened. `about`: file, failure, runner, commit, runUrl."""
        replay = self.control("GET", "/replay")
        replay["test"].update(about)
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(replay, file, default=float)

    def begin_test(self, name, negative=False):
        """Marks the start of a test. `negative`: the test misuses the API on purpose, so that its findings fail no report."""
        printable = re.sub(r"[^ -~\u00a0-\uffff]", " ", name)[:200]
        self.control("PUT", "/test", {"name": printable or "test", "negative": negative})

    def delete(self):
        self.sandbox.control("DELETE", f"/worlds/{urllib.parse.quote(self.name)}")


class Operation:
    """An operation of a world."""

    def __init__(self, world, id):
        self.world, self.id = world, id

    def get(self):
        found = self.world.first("operations", f"id[eq]={self.id}")
        if found is None:
            raise SandboxError(404, "RESOURCE_NOT_FOUND", f"There is no operation with id {self.id} in this world.")
        return found

    def run_to(self, status):
        """Advances the frozen clock from timer to timer until the operation has a status. Returns the operation."""
        __tracebackhide__ = True
        while True:
            why = self.world.control("GET", f"/why/{self.id}")
            if why["status"] == status:
                return self.get()
            clock = self.world.control("GET", "/clock")
            plan = why["plan"] or {"steps": [], "isWaiting": False}
            is_pending = any(step["outcome"] in ("NEXT", "LATER") for step in plan["steps"]) and not plan["isWaiting"]
            if clock["mode"] != "FROZEN" or clock["nextTimerAt"] is None or not is_pending:
                is_running = "The clock of this world is running. " if clock["mode"] != "FROZEN" else ""
                message = f"{is_running}No timer leads from {why['status']} to {status}. {' '.join(why['notes'])}".strip()
                raise SandboxError(0, "STATUS_NOT_REACHABLE", message, {"why": why})
            self.world.advance(to=clock["nextTimerAt"])

    def wait_for(self, status, timeout_ms=10_000):
        """Waits in real time until the operation has a status."""
        return self.world.control("GET", f"/operations/{self.id}/await", status=status, timeoutMs=timeout_ms)

    def force(self, action, reason=None):
        """Changes the status now: process, complete, fail, hold, require-action, resume or next. `reason`: {"code", "message"}."""
        return self.world.control("POST", f"/operations/{self.id}/{action}", _given({"reason": reason}))


class Inbox:
    """A webhook receiver inside the sandbox."""

    def __init__(self, world, name):
        self.world, self.name = world, name

    def url(self):
        """Returns the URL for a subscription. The sandbox itself can reach it."""
        base = self.world.control("GET", "")["internalUrl"]
        return f"{base}/_sandbox/inbox/{urllib.parse.quote(self.name, safe='')}?world={self.world.name}"

    def wait_for(self, event_type=None, resource_id=None, count=1, timeout_ms=10_000):
        """Waits for messages; earlier messages count too. Each has `headers` and `body`."""
        wanted = _given({"eventType": event_type, "resourceId": resource_id})
        path = f"/inbox/{urllib.parse.quote(self.name, safe='')}/await"
        return self.world.control("GET", path, count=count, timeoutMs=timeout_ms, **wanted)["data"]


def _line(item):
    """Returns a line of a story. A request has the status of its response, and whether the response arrived."""
    line = f"{item['at']} {item['summary']}"
    if "request" not in item:
        return line
    outcome = item["request"]["outcome"]
    return f"{line}: {item['status'] or 'in progress'}" + ("" if outcome in (None, "DELIVERED") else f" {outcome}")


def _given(fields):
    return {name: value for name, value in fields.items() if value is not None}
