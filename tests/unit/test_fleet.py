"""The board of several workers, what is divided among them, and who looks after their processes."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.support.processes import children
from verifier.config import load
from verifier.core.errors import ConfigError
from verifier.interfaces.processes import threads_each
from verifier.interfaces.server.fleet.board import LINES, Board, WorkerState
from verifier.interfaces.server.fleet.memory import available, ensure_room, private
from verifier.interfaces.server.fleet.sharing import of_each_worker, with_shared_places
from verifier.interfaces.server.lines import Lines

WAIT = 60


def settings(**given):
    return load(
        overrides={key.replace("__", "."): value for key, value in given.items()}, environ={}
    ).settings


# The board


def test_a_board_speaks_for_the_best_of_its_workers():
    board = Board(2)
    first, second = board.place(0), board.place(1)
    said = [board.readiness()]
    for place, told in (
        (first, WorkerState.LOADING),
        (second, WorkerState.UNREADABLE),
        (first, WorkerState.READY),
    ):
        place.state = told
        said.append(board.readiness())
    first.tell(full=True, counts={"checks": (5, 1)})
    said.append(board.readiness())
    second.state = WorkerState.READY
    said.append(board.readiness())
    first.state = WorkerState.DRAINING
    said.append(board.readiness())
    second.state = WorkerState.DRAINING
    said.append(board.readiness())
    assert said == ["loading", "loading", "unreadable", "ready", "full", "ready", "ready", "draining"]


def test_a_board_sums_over_workers_and_forgets_one_that_is_gone():
    board = Board(3)
    for number in range(3):
        board.place(number).tell(full=False, counts={"checks": (number, 1), "asks": (0, 2)})
    assert (board.counts("checks"), board.counts("asks")) == ((3, 3), (0, 6))
    board.place(2).clear()
    assert (board.counts("checks"), board.states()) == ((1, 2), [WorkerState.GONE] * 3)


def test_streams_are_bounded_over_all_workers():
    board = Board(2)
    with board.place(0).stream(2) as first, board.place(1).stream(2) as second:
        with board.place(1).stream(2) as third:
            assert (first, second, third) == (True, True, False)
        assert board.streams() == 2
    assert board.streams() == 0


def test_another_process_sees_the_same_board():
    board = Board(1)
    told = "from verifier.interfaces.server.fleet.board import *; import sys; "
    told += "Board(1, int(sys.argv[1])).place(0).state = WorkerState.READY"
    subprocess.run([sys.executable, "-c", told, str(board.file)], pass_fds=[board.file], check=True)
    assert board.readiness() == "ready"


def test_the_board_has_a_column_for_every_line_of_work():
    lines = Lines(settings().server, lambda key, checks: [])
    assert set(LINES) == set(lines.by_name)
    lines.close(0)


# What is shared and what is divided


def test_bounds_of_a_machine_are_divided_and_those_of_an_owner_are_not():
    whole = settings(server__processes=4, server__queue=10, server__upload_workers=2)
    own = of_each_worker(whole).server
    assert (own.queue, own.upload_workers, own.streams) == (2, 1, 16)
    assert own.requests_per_minute == whole.server.requests_per_minute


def test_several_workers_count_beside_the_knowledge_base_and_one_by_itself():
    several = with_shared_places(settings(server__processes=2, reader={"type": "chat"}))
    assert several.server.state == several.llm.budget == "kb/serving.db"
    assert (several.reader["cache"], several.cache.path) == ("kb/answers.db", "kb/reviews.db")
    alone = settings()
    assert with_shared_places(alone) == alone


def test_a_server_of_counts_keeps_answers_too_unless_they_have_a_place():
    url = "redis://counts:6379/0"
    shared = with_shared_places(settings(server__state=url, cache__path="own.db", reader={"type": "chat"}))
    assert (shared.llm.budget, shared.reader["cache"], shared.cache.path) == (url, url, "own.db")


def test_a_knowledge_base_in_memory_is_refused_by_several_with_the_remedy():
    with pytest.raises(ConfigError, match="name a folder with --kb, or serve with --workers 1"):
        with_shared_places(settings(server__processes=2, kb__path=":memory:"))


def test_several_workers_over_a_database_need_a_place_for_counts():
    given = {"server__processes": 2, "kb__path": "postgresql://db/kb"}
    with pytest.raises(ConfigError, match=r"set server\.state"):
        with_shared_places(settings(**given))
    shared = with_shared_places(settings(**given, server__state="/run/verifier/serving.db"))
    assert shared.cache.path == "/run/verifier/reviews.db"


def test_cores_are_divided_and_nobody_is_without(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    cores = threads_each(1)
    assert 1 <= cores <= len(os.sched_getaffinity(0))
    assert threads_each(100 * cores) == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert threads_each(1) == 1


# Memory


def test_more_workers_than_memory_allows_are_refused_with_the_estimate():
    with pytest.raises(ConfigError, match=r"64 workers .* about 280 MB .* room for 12; try --workers 12"):
        ensure_room(64, 200_000_000, 3_150_000_000)
    ensure_room(12, 200_000_000, 3_150_000_000)
    ensure_room(64, None, 1)
    ensure_room(64, 200_000_000, None)


def test_memory_is_read_where_the_system_tells_it():
    mine, room = private(os.getpid()), available()
    assert mine is not None
    assert room is not None
    assert 5_000_000 < mine < 20_000_000_000
    assert private(2**22 + 1) is None


# Processes

_FLEET = """
import socket, sys
from verifier.config import load
from verifier.interfaces.server.fleet.supervisor import Fleet
settings = load(overrides={"server.processes": 2, "server.drain_seconds": 600}, environ={}).settings
listening = socket.create_server(("127.0.0.1", 0))
sys.exit(Fleet(settings, listening, command=[sys.executable, "-m", "tests.support.fleet_worker", sys.argv[1]]).run())
"""


@pytest.fixture
def fleet():
    """Starts a fleet of two such workers."""
    started = []

    def start(how):
        path = os.pathsep.join(filter(None, sys.path))
        command = [sys.executable, "-c", _FLEET, how]
        process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.terminate()
        process.communicate()


def until(met):
    end = time.monotonic() + WAIT
    while not met():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_first_worker_that_cannot_start_ends_the_server_with_its_code(fleet):
    process = fleet("refuses")
    assert process.wait(WAIT) == 2


def test_a_worker_that_dies_again_and_again_is_started_after_growing_pauses(fleet):
    process = fleet("dies")
    started = time.monotonic()
    told = []
    while len(told) < 3 and (line := process.stderr.readline()):
        told += [line] if "worker_ended" in line else []
    until(lambda: len(children(process)) == 2)
    assert len(told) == 3
    assert time.monotonic() - started > 2.5  # 0, 1 and 2 seconds
    process.terminate()
    assert process.wait(WAIT) == 0


def test_a_second_signal_ends_workers_that_do_not_listen(fleet):
    process = fleet("stubborn")
    assert [process.stderr.readline() for _ in range(2)] == ["begun\n"] * 2
    process.terminate()
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(WAIT) == 0  # long before the time to drain is over


def test_workers_end_when_their_parent_is_killed(fleet):
    process = fleet("orphan")
    assert [process.stderr.readline() for _ in range(2)] == ["begun\n"] * 2
    process.kill()
    assert process.communicate(timeout=WAIT)[1].count("ended") == 2
