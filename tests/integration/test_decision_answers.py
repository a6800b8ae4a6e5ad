"""Replies of decision models through the real clients: ids, options and probabilities are checked exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("openai")
pytest.importorskip("typesafe_sdk")

from tests.support.decision_readers import (
    CASES,
    SAID,
    SPOKEN,
    both,
    both_ways,
    read,
    reader_of,
    served,
    states,
)
from tests.support.decision_server import Answered, DecisionServer, Edit
from tests.support.llm_server import broken
from verifier.readers.types import Answer, State


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[DecisionServer]:
    with served(monkeypatch) as running:
        yield running


def without(name: str) -> Edit:
    return lambda answers: [answer for answer in answers if answer.name != name]


def doubled(name: str) -> Edit:
    return lambda answers: [*answers, *(answer for answer in answers if answer.name == name)]


def renamed(name: str, other: str) -> Edit:
    return lambda answers: [
        replace(answer, name=other) if answer.name == name else answer for answer in answers
    ]


def changed(name: str, **values: Any) -> Edit:
    return lambda answers: [
        replace(answer, **values) if answer.name == name else answer for answer in answers
    ]


def added(answers: list[Answered]) -> list[Answered]:
    return [*answers, Answered("c9", dict(answers[0].probabilities))]


UNCLEAR: list[tuple[Edit, list[int]]] = [
    (without("c2"), [1]),
    (doubled("c2"), [1]),
    (renamed("c2", "c3"), [1, 2]),
    (renamed("c2", "C2"), [0, 1, 2]),
    (added, [0, 1, 2]),
    (lambda answers: [], [0, 1, 2]),
]


@both_ways
@both
@pytest.mark.parametrize(("edit", "again"), UNCLEAR, ids=range(len(UNCLEAR)))
def test_a_claim_without_exactly_one_answer_is_asked_about_again_alone_and_once(
    kind: str, how: str, edit: Edit, again: list[int], server: DecisionServer
) -> None:
    server.script = [edit]
    readings = read(reader_of(kind, server), CASES, how)
    assert states(readings) == [State.SETTLED] * 3
    assert [reading.answer for reading in readings] == SAID
    alone = [asked.claim for request in server.requests[1:] for asked in request.questions]
    assert alone == [CASES[place].claim for place in again]
    assert all(len(request.questions) == 1 for request in server.requests[1:])


@both
def test_a_claim_that_has_no_answer_alone_either_is_failed_and_never_padded(
    kind: str, server: DecisionServer
) -> None:
    server.script = [without("c2"), lambda answers: []]
    readings = reader_of(kind, server).read(CASES)
    assert states(readings) == [State.SETTLED, State.FAILED, State.SETTLED]
    assert "no answer, or more than one" in readings[1].note
    assert len(server.requests) == 2
    assert len({call.key for reading in readings for call in reading.calls}) == 2


def test_an_option_that_stands_twice_is_no_answer_of_systemone(server: DecisionServer) -> None:
    twice = b'"answers": {"c1": {"type": "choice", "choice": "supported", "confidence": 1, "probabilities": {'
    twice = (
        b'{"model": "d-1", '
        + twice
        + b'"supported": 0, "supported": 1, "contradicted": 0, "not mentioned": 0}}}, '
        b'"usage": {"input_tokens": 9999, "output_tokens": 1}}'
    )
    server.script = [broken(twice), broken(twice)]
    (reading,) = reader_of("systemone", server).read([SPOKEN])
    assert (reading.state, len(server.requests)) == (State.FAILED, 2)


def test_answers_of_decisions_without_names_count_in_the_order_that_is_promised(
    server: DecisionServer,
) -> None:
    server.always = lambda answers: [replace(answer, name=None) for answer in answers]
    readings = reader_of("decisions", server).read(CASES)
    assert [reading.answer for reading in readings] == SAID
    server.script = [lambda answers: [replace(answer, name=None) for answer in answers[1:]]]
    server.always = None
    assert states(reader_of("decisions", server).read(CASES)) == [State.SETTLED] * 3
    assert [len(request.questions) for request in server.requests[1:]] == [3, 1, 1, 1]


def test_a_refusal_of_one_question_is_a_failure_of_that_claim(server: DecisionServer) -> None:
    server.script = [changed("c2", kind="refusal")]
    readings = reader_of("decisions", server).read(CASES)
    assert states(readings) == [State.SETTLED, State.FAILED, State.SETTLED]
    assert readings[1].note == "the model refused"
    assert len(server.requests) == 1


def chances(supported: Any, contradicted: Any, not_mentioned: Any, **others: Any) -> dict[str, Any]:
    return {"supported": supported, "contradicted": contradicted, "not mentioned": not_mentioned, **others}


UNUSABLE: list[tuple[dict[str, Any], str]] = [
    ({"probabilities": chances(0.5, 0.3, 0.1)}, r"sum to 0\.9"),
    ({"probabilities": chances(0.5, 0.3, 0.23)}, r"sum to 1\.03"),
    ({"probabilities": chances(1.2, -0.1, -0.1)}, "no probability"),
    ({"probabilities": {"supported": 0.9, "contradicted": 0.1}}, "other options"),
    ({"probabilities": chances(0.4, 0.3, 0.2, other=0.1)}, "other options"),
    ({"probabilities": {"Supported": 0.9, "contradicted": 0.1, "not mentioned": 0.0}}, "other options"),
    ({"choice": "nothing of this"}, "other options"),
    ({"choice": "supported"}, "not its most probable"),
]


@both
@pytest.mark.parametrize(("values", "reason"), UNUSABLE, ids=range(len(UNUSABLE)))
def test_an_answer_that_is_no_distribution_over_the_options_fails_its_claim(
    kind: str, values: dict[str, Any], reason: str, server: DecisionServer
) -> None:
    server.script = [changed("c2", **values)]
    readings = reader_of(kind, server).read(CASES)
    assert states(readings) == [State.SETTLED, State.FAILED, State.SETTLED]
    assert re.search(reason, readings[1].note)


ODD: list[dict[str, Any]] = [
    {"probabilities": chances(float("nan"), 0.5, 0.5), "choice": "contradicted"},
    {"probabilities": chances(float("inf"), 0.0, 0.0)},
    {"probabilities": chances("most", 0.1, 0.1), "choice": "supported"},
    {"probabilities": chances(None, 0.5, 0.5), "choice": "contradicted"},
    {"choice": {"value": "supported"}},
]


@pytest.mark.parametrize("values", ODD, ids=range(len(ODD)))
def test_what_is_no_number_fails_its_claim(values: dict[str, Any], server: DecisionServer) -> None:
    server.always = changed("c2", **values)
    readings = reader_of("decisions", server).read(CASES)
    assert states(readings) == [State.SETTLED, State.FAILED, State.SETTLED]
    assert len(server.requests) == 1


@pytest.mark.parametrize("values", [*ODD, {"kind": 7}], ids=range(len(ODD) + 1))
def test_an_answer_that_systemones_client_does_not_take_fails_the_request(
    values: dict[str, Any], server: DecisionServer
) -> None:
    server.always = changed("c2", **values)
    readings = reader_of("systemone", server, max_retries=1).read(CASES)
    assert states(readings) == [State.FAILED] * 3
    assert {reading.note for reading in readings} == {"model 'd-1' sent what is no answer"}
    assert len(server.requests) == 2


@both
def test_probabilities_that_were_rounded_are_scaled_to_one(kind: str, server: DecisionServer) -> None:
    server.judge = lambda asked: {"supported": 0.33, "contradicted": 0.33, "not mentioned": 0.33}
    (reading,) = reader_of(kind, server).read([SPOKEN])
    assert reading.probabilities == pytest.approx(dict.fromkeys(Answer, 1 / 3))
    assert reading.answer is Answer.CONTRADICTED
