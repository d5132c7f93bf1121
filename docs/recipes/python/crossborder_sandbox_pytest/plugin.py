"""The pytest plugin: the fixtures `sandbox` and `world`, and the markers `negative` and `world`."""

import hashlib
import os
import re
import shutil
import subprocess
import uuid

import pytest

from .world import Sandbox

HASH_LENGTH = 8
WORLD = pytest.StashKey()
HAS_FAILED = pytest.StashKey()
MAX_FAILURE = 2000


def pytest_configure(config):
    config.addinivalue_line("markers", "negative: misuses the API on purpose; the findings of this test fail no report.")
    config.addinivalue_line("markers", "world(at, scenario, seed, fixtures): options for the world of this test.")


@pytest.fixture(scope="session")
def sandbox():
    """The sandbox at SANDBOX_URL, or one that this fixture starts with the command crossborder-sandbox of the npm package."""
    if os.environ.get("SANDBOX_URL", "").strip():
        shared = Sandbox()
        shared.run = uuid.uuid4().hex[:6]
        shared.ready()
        yield shared
        return
    command = shutil.which("crossborder-sandbox", path=os.pathsep.join(["node_modules/.bin", os.environ.get("PATH", "")]))
    if command is None:
        raise RuntimeError(
            "There is no sandbox for the tests. Start one (docker run --rm -p 127.0.0.1:4010:4010 crossborder-sandbox) and set "
            "SANDBOX_URL=http://127.0.0.1:4010, or install the npm package crossborder-sandbox, or put its command on the PATH."
        )
    command = [command, "--port", "0", "--data", "memory", "--log-level", "warn"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = next((line.split()[-1] for line in process.stdout if "Base URL" in line), None)
        if url is None:
            raise RuntimeError(f"The sandbox did not start: exit code {process.wait()}; its standard error says why.")
        own = Sandbox(url=url, control_url=url)
        own.run = None
        yield own
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@pytest.fixture
def world(request, sandbox):
    """A world with a frozen clock for this test, deleted after it. A shared sandbox keeps the world of a failed test for an hour."""
    item = request.node
    name = world_name(item.nodeid, sandbox.run)
    recorded = os.environ.get("SANDBOX_REPLAY_WORLD", "")  # Set by the command `replay --live`, which repeats one test.
    if recorded[-HASH_LENGTH:] == name[-HASH_LENGTH:]:
        name = recorded
    options = {key: value for marker in reversed(list(item.iter_markers("world"))) for key, value in marker.kwargs.items()}
    made = sandbox.create_world(name, ttl="1h" if sandbox.run else None, **options)
    item.stash[WORLD] = made
    if item.get_closest_marker("negative"):
        made.begin_test(item.name, negative=True)
    yield made
    if not (sandbox.run and item.stash.get(HAS_FAILED, False)):
        made.delete()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    made = item.stash.get(WORLD, None)
    if report.failed and call.when != "teardown" and made is not None:
        item.stash[HAS_FAILED] = True
        report.sections.append((f"World {made.name}", _story(made, item, str(call.excinfo.value))))


def _story(world, item, failure):
    try:
        lines = [world.story()]
        if world.sandbox.run:
            lines.append(f"The world is kept for an hour: {world.sandbox.control_url}/_sandbox/console/{world.name}")
        directory = os.environ.get("SANDBOX_REPLAY_DIR") or (".crossborder/replays" if os.environ.get("CI") else None)
        if directory:
            path = os.path.join(directory, f"{world.name}.replay.json").replace("\\", "/")
            world.save_replay(path, runner="pytest", file=item.nodeid, failure=_without_secrets(failure, world), **_ci_run())
            lines.append(f"To repeat the test: npx crossborder-sandbox replay {path} --at-failure")
        else:
            lines.append("To keep a file that repeats the test, run it with SANDBOX_REPLAY_DIR=replays.")
        return "\n\n".join(lines)
    except Exception as error:  # The report of the failed test matters more than its story.
        return f"The story of this world is not available: {error}"


def _without_secrets(text, world):
    text = text[:MAX_FAILURE].replace(world.credentials["clientSecret"], "[secret]")
    return re.sub(r"(?<![A-Za-z0-9._-])eyJ[A-Za-z0-9._-]*", "[token]", text)


def _ci_run():
    """Returns the commit and the address of the run, from the environment variables of GitHub and GitLab."""
    env = os.environ
    run_url = env.get("CI_JOB_URL")
    if "GITHUB_RUN_ID" in env:
        run_url = f"{env.get('GITHUB_SERVER_URL')}/{env.get('GITHUB_REPOSITORY')}/actions/runs/{env['GITHUB_RUN_ID']}"
    found = {"commit": env.get("GITHUB_SHA") or env.get("CI_COMMIT_SHA"), "runUrl": run_url}
    return {name: value for name, value in found.items() if value}


def world_name(nodeid, run=None):
    """Returns a name that is unique for each test, and equal in each run: ids and bytes are then repeatable."""
    suffix = hashlib.sha256(nodeid.encode()).hexdigest()[:HASH_LENGTH]
    file, _, test = nodeid.partition("::")
    words = [run or "", re.sub(r"^test_|\.py$", "", os.path.basename(file)), test]
    slugs = [re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-") for word in words]
    readable = "-".join(filter(None, slugs))[: 63 - HASH_LENGTH - 1].rstrip("-")
    return f"{readable}-{suffix}"
