"""The parts of the server by themselves: keys, allowances, lines of work, bodies, names of uploads, problems."""

import asyncio
import json
import threading
import time
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.errors import BackendUnavailable, ConfigError, IngestError, LLMUnavailable
from verifier.interfaces.server.access import is_loopback
from verifier.interfaces.server.bodies import nesting
from verifier.interfaces.server.keys import ApiKey, KeyRing, Right
from verifier.interfaces.server.problems import Problem, problem_of
from verifier.interfaces.server.rates import Allowance
from verifier.interfaces.server.routes.events import EventStream, event_line
from verifier.interfaces.server.uploads import shown_name
from verifier.interfaces.server.work import Busy, Line

# Keys


def test_a_key_is_kept_as_a_hash_and_known_by_the_secret_alone(tmp_path):
    ring, secret = KeyRing().with_new("ci", ["a", "b"], [Right.CHECK])
    ring.save(tmp_path / "keys.json")
    assert secret not in (tmp_path / "keys.json").read_text()
    assert (tmp_path / "keys.json").stat().st_mode & 0o077 == 0
    owner = KeyRing.load(tmp_path / "keys.json").owner(secret)
    assert owner is not None
    assert owner.name == "ci"
    assert owner.may(Right.CHECK)
    assert not owner.may(Right.WRITE)
    assert owner.may_enter("a")
    assert not owner.may_enter("c")
    for wrong in ("", secret[:-1], secret + "x", secret.swapcase(), "\ud800", owner.digest):
        assert ring.owner(wrong) is None


def test_a_star_is_every_namespace():
    assert ApiKey("ops", "", ("*",)).may_enter("anything")


def test_names_of_keys_are_unique_and_keys_can_be_taken_back():
    ring, secret = KeyRing().with_new("ci", ["*"], [Right.CHECK])
    with pytest.raises(ConfigError, match="already"):
        ring.with_new("ci", ["*"], [])
    assert ring.without("ci").owner(secret) is None
    with pytest.raises(ConfigError, match="no key named 'other'; there are: ci"):
        ring.without("other")


def test_a_file_of_keys_that_is_not_there_is_refused_with_the_command_that_makes_one(tmp_path):
    path = tmp_path / "my keys.json"
    with pytest.raises(ConfigError, match=f"verifier keys add NAME --keys '{path}'"):
        KeyRing.load(path)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"keys": [{"name": "x"}]}', '{"keys": 5}'])
def test_a_file_that_holds_no_keys_is_refused(tmp_path, content):
    (tmp_path / "keys.json").write_text(content)
    with pytest.raises(ConfigError, match="no file of API keys"):
        KeyRing.load(tmp_path / "keys.json")


# Allowance


def test_requests_a_minute_are_bounded_for_each_owner_and_come_back_with_time():
    now = [0.0]
    allowance = Allowance(3, lambda: now[0])
    assert [allowance.take("a") for _ in range(3)] == [0, 0, 0]
    assert allowance.take("a") == pytest.approx(20)
    assert allowance.take("b") == 0
    now[0] = 20.0
    assert allowance.take("a") == 0
    assert allowance.take("a") > 0


def test_a_request_that_is_as_much_as_several_is_let_in_and_paid_by_the_next():
    now = [0.0]
    allowance = Allowance(3, lambda: now[0])
    assert allowance.take("a") == 0
    allowance.charge("a", 5)
    assert allowance.take("a") == pytest.approx(80)
    allowance.charge("b", 1)
    assert [allowance.take("b") == 0 for _ in range(3)] == [True, True, False]


@given(st.lists(st.floats(0, 30), max_size=60))
def test_no_minute_ever_lets_more_through_than_twice_the_bound(pauses):
    now, taken = [0.0], []
    allowance = Allowance(5, lambda: now[0])
    for pause in pauses:
        now[0] += pause
        if allowance.take("a") == 0:
            taken.append(now[0])
    assert all(sum(start <= one < start + 60 for one in taken) <= 10 for start in taken)


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("example.org", False),
    ],
)
def test_only_this_machines_own_addresses_need_no_keys(host, own):
    assert is_loopback(host) is own


# Lines of work


def line(handle, **options):
    given = {"name": "t", "workers": 1, "bound": 100, "bound_weight": 10**9}
    return Line(handle, **{**given, **options})


class Gate:
    """A worker that waits until it is let go, and notes the batches that it was given."""

    def __init__(self):
        self.open, self.batches = threading.Event(), []

    def __call__(self, key, items):
        self.batches.append((key, list(items)))
        assert self.open.wait(10)
        return [item * 2 for item in items]


def test_waiting_jobs_of_one_key_are_done_together_and_those_of_others_are_not():
    gate = Gate()
    work = line(gate, max_batch=3)
    first = work.submit(0, key="x")
    while not gate.batches:
        time.sleep(0.001)
    rest = [work.submit(n, key=key) for n, key in ((1, "x"), (2, "y"), (3, "x"), (4, "x"), (5, "x"))]
    gate.open.set()
    assert [future.result(10) for future in (first, *rest)] == [0, 2, 4, 6, 8, 10]
    assert gate.batches == [("x", [0]), ("x", [1, 3, 4]), ("y", [2]), ("x", [5])]


def test_a_full_line_refuses_and_says_when_to_come_back():
    gate = Gate()
    work = line(gate, bound=2)
    work.submit(0)
    while not gate.batches:
        time.sleep(0.001)
    work.submit(1)
    work.submit(2)
    with pytest.raises(Busy) as refused:
        work.submit(3)
    assert refused.value.retry_after >= 1
    gate.open.set()


def test_the_weight_of_what_waits_is_bounded_too_but_one_job_always_fits():
    gate = Gate()
    work = line(gate, bound_weight=10)
    work.submit(0)
    while not gate.batches:
        time.sleep(0.001)
    work.submit(1, weight=50)
    with pytest.raises(Busy):
        work.submit(2, weight=1)
    gate.open.set()


def test_a_line_whose_wait_would_be_too_long_refuses_before_its_places_are_taken():
    gate = Gate()
    gate.open.set()
    work = line(lambda key, items: (time.sleep(0.05), gate(key, items))[1], patience=0.08)
    assert work.submit(1).result(10) == 2  # so that the time of a job is known
    gate.open.clear()
    work.submit(0)
    while work.running != 1 or work.waiting:
        time.sleep(0.001)
    with pytest.raises(Busy):
        deque((work.submit(number) for number in range(10)), maxlen=0)
    assert work.waiting < 5
    gate.open.set()


def test_places_of_jobs_that_were_cancelled_are_given_to_others():
    gate = Gate()
    work = line(gate, bound=2)
    work.submit(0)
    while not gate.batches:
        time.sleep(0.001)
    for gone in [work.submit(1), work.submit(2)]:
        gone.cancel()
    kept = work.submit(3)
    gate.open.set()
    assert kept.result(10) == 6


def test_a_cancelled_job_is_never_begun():
    gate = Gate()
    work = line(gate)
    work.submit(0)
    while not gate.batches:
        time.sleep(0.001)
    dropped, kept = work.submit(1), work.submit(2)
    assert dropped.cancel()
    gate.open.set()
    assert kept.result(10) == 4
    assert [1] not in [items for _, items in gate.batches]


def test_an_error_of_one_job_is_its_own_and_the_worker_lives_on():
    def handle(key, items):
        if "raise" in items:
            raise RuntimeError("all of them")
        return [ValueError(item) if item == "bad" else item for item in items]

    work = line(handle)
    with pytest.raises(ValueError, match="bad"):
        work.submit("bad").result(10)
    with pytest.raises(RuntimeError):
        work.submit("raise").result(10)
    assert work.submit("good").result(10) == "good"


def test_closing_finishes_what_was_accepted_and_takes_no_more():
    gate = Gate()
    work = line(gate)
    futures = [work.submit(n) for n in range(5)]
    closing = threading.Thread(target=work.close, args=(10,))
    closing.start()
    gate.open.set()
    closing.join(10)
    assert [future.result(0) for future in futures] == [0, 2, 4, 6, 8]
    with pytest.raises(Busy):
        work.submit(6)


def test_what_cannot_be_finished_in_time_is_told():
    gate = Gate()
    work = line(gate)
    futures = [work.submit(n) for n in range(2)]
    while not gate.batches:
        time.sleep(0.001)
    work.close(0.01)
    with pytest.raises(Busy):
        futures[1].result(10)
    gate.open.set()
    assert futures[0].result(10) == 0


# Bodies


@given(
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_nesting_is_counted_as_json_counts_it(value):
    def depth(inner):
        if isinstance(inner, dict):
            return 1 + max(map(depth, inner.values()), default=0)
        return 1 + max(map(depth, inner), default=0) if isinstance(inner, list) else 0

    assert nesting(json.dumps(value).encode()) == depth(value)
    assert nesting(json.dumps(value, ensure_ascii=False).encode()) == depth(value)


# Uploads


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("terms.md", "terms.md"),
        ("../../etc/passwd", "passwd"),
        ("/etc/shadow.txt", "shadow.txt"),
        ("C:\\Users\\x\\terms.pdf", "terms.pdf"),
        ("a\x00b\n.md", "ab.md"),
        ("..hidden", "hidden"),
    ],
)
def test_the_name_of_an_upload_names_no_place(given_name, shown):
    assert shown_name(given_name) == shown


@pytest.mark.parametrize("given_name", [None, "", "/", "..", "\x00"])
def test_an_upload_needs_a_name(given_name):
    with pytest.raises(Problem):
        shown_name(given_name)


# Problems


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (BackendUnavailable("cannot reach http://10.0.0.7:8000"), 503, False),
        (ConfigError("no key: set OPENAI_API_KEY"), 501, False),
        (LLMUnavailable("model at http://inside is busy"), 503, False),
        (IngestError("terms.pdf: is encrypted"), 422, True),
        (RuntimeError("secret detail"), 500, False),
        (TimeoutError(), 504, False),
        (Busy(7), 503, True),
    ],
)
def test_a_client_is_told_in_our_words_and_nothing_of_the_inside(error, status, told):
    problem = problem_of(error)
    assert problem.status == status
    assert problem.message
    assert (str(error) in problem.message) is told or not str(error)


def test_what_will_pass_says_when_to_come_back():
    assert problem_of(Busy(7)).headers == {"Retry-After": "7"}
    assert "Retry-After" in problem_of(BackendUnavailable("x")).headers


# Events


def test_what_goes_wrong_under_way_is_the_last_event():
    """A check that takes too long would take long to test."""
    sent = []

    async def lines():
        yield event_line({"event": "claims", "claims": []})
        raise TimeoutError

    async def send(message):
        sent.append(message)

    async def run():
        answer = await EventStream.begun(lines(), "some-id")
        await answer({"type": "http", "state": {}}, None, send)

    asyncio.run(run())
    assert sent[0]["status"] == 200
    assert not sent[-1]["more_body"]
    said = b"".join(message.get("body", b"") for message in sent).decode()
    first, last = (json.loads(line[6:]) for line in said.splitlines() if line.startswith("data: "))
    assert (first["event"], last["event"], last["code"]) == ("claims", "error", "timeout")
