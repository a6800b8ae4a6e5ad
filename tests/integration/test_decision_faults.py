"""Every fault of a server of decision models through the real clients: what is tried again, and what is said."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("openai")
pytest.importorskip("typesafe_sdk")

from tests.support.decision_readers import (
    CASES,
    DENIED,
    DESKS,
    FOREIGN,
    KEY,
    PLANS,
    SPOKEN,
    both,
    both_ways,
    read,
    reader_of,
    served,
    states,
)
from tests.support.decision_server import DecisionServer
from tests.support.llm_server import Answer as Fault
from tests.support.llm_server import broken, drop, silence, status
from verifier.readers.types import Answer, Case, Piece, State


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[DecisionServer]:
    with served(monkeypatch) as running:
        yield running


CUT = Fault(body=b'{"model": "d-1", "answers": {"c1": {"type": "choice"', headers={"Cut": "1"})
PASSING: list[Fault] = [
    status(429),
    status(500),
    status(503, body=b"<html>busy</html>"),
    broken(b'{"model": "d-1", "answers": '),
    broken(b""),
    broken(b"\xff\xfe{"),
    drop(),
    CUT,
]


@both_ways
@both
@pytest.mark.parametrize("fault", PASSING, ids=range(len(PASSING)))
def test_a_fault_that_may_pass_is_tried_again_and_fails_every_claim_of_the_request_in_the_end(
    kind: str, how: str, fault: Fault, server: DecisionServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.script = [fault, fault]
    assert [reading.answer for reading in read(reader_of(kind, server), [DENIED], how)] == [
        Answer.CONTRADICTED
    ]
    server.always = fault
    with caplog.at_level(logging.INFO):
        readings = read(reader_of(kind, server), CASES, how)
    assert states(readings) == [State.FAILED] * 3
    assert len(server.requests) == 6
    (note,) = {reading.note for reading in readings}
    assert note.startswith("model 'd-1' ")
    assert KEY not in note + caplog.text
    assert "busy" not in note


@both_ways
@both
def test_the_server_is_waited_for_as_long_as_it_asks(kind: str, how: str, server: DecisionServer) -> None:
    waited: list[float] = []
    server.script = [status(429, retry_after="9"), status(500)]
    (reading,) = read(reader_of(kind, server, waited), [DENIED], how)
    assert (reading.state, waited) == (State.SETTLED, [9.0, 2.0])


@both_ways
@both
@pytest.mark.parametrize(
    "fault", [silence(), broken(b'{"model": "d-1"}').dripping(0.1)], ids=["silent", "drips"]
)
def test_a_server_that_does_not_come_to_an_end_is_given_up_on(
    kind: str, how: str, fault: Fault, server: DecisionServer
) -> None:
    server.always = fault
    readings = read(reader_of(kind, server, timeout=0.3, max_retries=1), [DENIED], how)
    assert [reading.state for reading in readings] == [State.FAILED]
    assert "gave no answer in 0.3 s" in readings[0].note
    assert len(server.requests) == 2
    server.release()


@both
def test_a_server_that_is_not_there_is_said(kind: str, server: DecisionServer) -> None:
    reader = reader_of(kind, server, base_url="http://127.0.0.1:9/v1", max_retries=0)
    (reading,) = reader.read([DENIED])
    assert reading.state is State.FAILED
    assert reading.note.startswith("model 'd-1' cannot be reached")


def wrong_key(server: DecisionServer) -> dict[str, Any]:
    server.key = "sk-another"
    return {}


def wrong_model(server: DecisionServer) -> dict[str, Any]:
    return {"model": "d-2"}


def always(fault: Fault) -> Callable[[DecisionServer], dict[str, Any]]:
    def set_up(server: DecisionServer) -> dict[str, Any]:
        server.always = fault
        return {}

    return set_up


PAGE = Fault(body=b"<!doctype html><title>Sign in</title>", headers={"Content-Type": "text/html"})
WRONG: list[tuple[Callable[[DecisionServer], dict[str, Any]], str]] = [
    (wrong_key, "status 401: the key of {key_env} is not accepted"),
    (wrong_model, "status 404: no such model, or no such service at http://127"),
    (
        always(status(404, body=b"<html>not here</html>")),
        "status 404: no such model, or no such service at http://",
    ),
    (always(status(403)), "status 403: the key of {key_env} is not accepted"),
    (always(status(400, body=b'{"error": "no"}')), "model 'd-1' answered with status 400"),
    (always(status(501, body=b'{"error": "no read strategy"}')), "model 'd-1' answered with status 501"),
    (always(status(429, body=b'{"error": {"code": "insufficient_quota"}}')), "the quota is used up"),
    (always(PAGE), "does not speak {route}: is base_url right?"),
    (always(broken(b'{"id": "chatcmpl-1", "choices": []}')), "does not speak {route}: is base_url right?"),
    (always(broken(b"[]")), "does not speak {route}: is base_url right?"),
]


@both_ways
@both
@pytest.mark.parametrize(("set_up", "note"), WRONG, ids=range(len(WRONG)))
def test_what_no_second_try_mends_is_one_clear_line_after_the_first(
    kind: str,
    how: str,
    set_up: Callable[[DecisionServer], dict[str, Any]],
    note: str,
    server: DecisionServer,
) -> None:
    reader = reader_of(kind, server, **set_up(server))
    readings = read(reader, CASES, how)
    assert states(readings) == [State.FAILED] * 3
    (said,) = {reading.note for reading in readings}
    assert note.format(key_env=reader.model.key_env, route=reader.model.route) in said
    assert "\n" not in said
    assert KEY not in said
    assert len(server.requests) == 1


@both
def test_a_server_of_the_other_protocol_is_said(kind: str, server: DecisionServer) -> None:
    other = {
        "systemone": b'{"answers": [], "model": "d-1", "usage": null}',
        "decisions": b'{"answers": {"c1": {"type": "choice"}}, "model": "d-1", "usage": {}}',
    }
    server.always = broken(other[kind])
    (reading,) = reader_of(kind, server, max_retries=0).read([DENIED])
    assert reading.state is State.FAILED
    assert reading.note in {
        "model 'd-1' sent what is no answer",
        f"what answers at {server.url} does not speak POST /v1/decisions: is base_url right?",
    }


LONG = Piece("The harbour office keeps a register of every boat that enters the bay. " * 400)


@both_ways
@both
def test_a_request_that_was_read_in_part_only_is_a_failure_that_says_how_much(
    kind: str, how: str, server: DecisionServer
) -> None:
    server.window = 2048
    cases = [replace(case, pieces=(*case.pieces, LONG)) for case in CASES]
    readings = read(reader_of(kind, server), cases, how)
    assert states(readings) == [State.FAILED] * 3
    (note,) = {reading.note for reading in readings}
    assert note.startswith("the server read only 2048 tokens of about ")
    assert {call.input_tokens for reading in readings for call in reading.calls} == {2048}
    server.window = None
    assert states(read(reader_of(kind, server), cases, how)) == [State.SETTLED] * 3


@both
def test_a_server_that_tells_no_tokens_is_believed(kind: str, server: DecisionServer) -> None:
    server.usage = {"input_tokens": None, "output_tokens": None}
    (reading,) = reader_of(kind, server, price_per_million_input=1.0, price_per_million_output=1.0).read(
        [DENIED]
    )
    (call,) = reading.calls
    assert (reading.state, call.input_tokens, call.output_tokens, call.cost) == (
        State.SETTLED,
        None,
        None,
        None,
    )


@both
@pytest.mark.parametrize("usage", [{"truncated": True}, {"state_tokens_dropped": 7}])
def test_a_server_that_says_itself_that_it_has_cut_is_a_failure(
    kind: str, usage: dict[str, Any], server: DecisionServer
) -> None:
    server.usage = usage
    (reading,) = reader_of(kind, server).read([DENIED])
    assert (reading.state, reading.note) == (
        State.FAILED,
        "the server says that it did not read all that was sent",
    )


@both_ways
@both
@pytest.mark.parametrize("code", [400, 413])
def test_evidence_that_is_larger_than_the_models_window_is_read_in_parts_and_this_is_said(
    kind: str, how: str, code: int, server: DecisionServer
) -> None:
    server.too_long = code
    others = tuple(Piece(f"{number}. {LONG.text[:3000]}") for number in range(4))
    case = Case(SPOKEN.claim, (*others, DESKS))
    server.longest = 2600
    readings = read(reader_of(kind, server), [case, replace(FOREIGN, pieces=(DESKS, PLANS))], how)
    assert [reading.answer for reading in readings] == [Answer.SUPPORTED, Answer.NOT_FOUND]
    assert "in parts" in readings[0].note
    assert "in parts" not in readings[1].note
    assert len(readings[0].calls) > 1


@both
def test_one_piece_that_is_larger_than_the_models_window_is_a_failure(
    kind: str, server: DecisionServer
) -> None:
    server.longest = 2000
    (reading,) = reader_of(kind, server).read([Case("The office keeps a register.", (LONG,))])
    assert (reading.state, reading.note) == (State.FAILED, "model 'd-1' answered with status 400")
