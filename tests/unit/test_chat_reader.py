"""The chat reader: what it asks, which replies it takes, what it asks again, and when it stops asking."""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import replace

import pytest

from tests.support.reading_model import asked_of, reading_model, replying, said
from verifier.core.chat import ChatReply, ChatRequest, ScriptedChat, TokenChances
from verifier.core.chat.adaptive import AdaptiveChat
from verifier.core.errors import ConfigError, LLMCut, LLMRefused, LLMRejected, LLMUnavailable
from verifier.readers import Answer, Case, Piece, Reading, State
from verifier.readers.chat import ChatReader
from verifier.readers.limits import Allowance, Breaker
from verifier.readers.parts import halves, merged
from verifier.readers.prompt import LABELS, request_for

PIECES = (
    Piece("An annual plan is refunded within 30 days.", "refunds.md / Plans"),
    Piece("The library opens at 9.", "library.md"),
)
CASES = [
    Case("The library opens at 9.", PIECES),
    Case("The library opens at 8.", PIECES),
    Case("Ada Dahl sings.", PIECES),
]
WHOLE = replying(
    said("c1", "supported", (2, "opens at 9")),
    said("c2", "contradicted", (2, "opens at 9")),
    said("c3", "unheard_of"),
)


def answers(readings: list[Reading]) -> list[Answer | None]:
    return [reading.answer for reading in readings]


def test_claims_that_share_their_evidence_are_one_request_with_rules_evidence_and_claims_in_that_order() -> (
    None
):
    chat = ScriptedChat([WHOLE])
    readings = ChatReader(chat).read(CASES)
    [request] = chat.requests
    pieces, claims, _ = asked_of(request)
    assert answers(readings) == [Answer.SUPPORTED, Answer.CONTRADICTED, Answer.NOT_FOUND]
    assert pieces == {1: PIECES[0].text, 2: PIECES[1].text}
    assert list(claims.values()) == [case.claim for case in CASES]
    assert request.text.index(PIECES[0].text) < request.text.index("Ada Dahl")
    assert [reading.unheard for reading in readings] == [False, False, True]
    assert len({reading.calls for reading in readings}) == 1


def test_the_rules_are_the_same_to_the_character_whatever_is_asked() -> None:
    other = (Piece("Something else.", "x.md"),)
    assert request_for(CASES).instructions == request_for([Case("Who?", other)]).instructions


def test_no_two_labels_begin_with_the_same_letter() -> None:
    assert len({label[0] for label in LABELS}) == len(LABELS)


def test_more_claims_than_a_call_holds_are_several_calls_in_order() -> None:
    chat = reading_model()
    cases = [Case(f"The library opens at {hour}.", PIECES) for hour in (9, 8, 9, 7, 9)]
    readings = ChatReader(chat, claims_a_call=2, workers=1).read(cases)
    assert [len(asked_of(request)[1]) for request in chat.requests] == [2, 2, 1]
    assert answers(readings) == [Answer.SUPPORTED, Answer.CONTRADICTED] * 2 + [Answer.SUPPORTED]


def test_cases_with_the_same_pieces_share_a_request_wherever_they_stand() -> None:
    chat = reading_model()
    other = (Piece("The tower is 40 m high.", "tower.md"),)
    cases = [CASES[0], Case("The tower is 40 m high.", other), CASES[1]]
    assert answers(ChatReader(chat, workers=1).read(cases)) == [
        Answer.SUPPORTED,
        Answer.SUPPORTED,
        Answer.CONTRADICTED,
    ]
    assert sorted(len(asked_of(request)[1]) for request in chat.requests) == [1, 2]


@pytest.mark.parametrize(
    "first",
    [
        replying(said("c1", "supported", (2, "opens at 9")), said("c3", "unheard_of")),
        replying(
            said("c1", "supported", (2, "opens at 9")),
            *[said("c2", "supported")] * 2,
            said("c3", "unheard_of"),
        ),
        replying(said("c1", "supported", (2, "opens at 9")), said("c2", "maybe"), said("c3", "unheard_of")),
        replying(
            said("c1", "supported", (2, "opens at 9")),
            said("c2", "supported", (7, "x")),
            said("c3", "unheard_of"),
        ),
    ],
    ids=["missing", "doubled", "unknown label", "unknown piece"],
)
def test_a_claim_without_a_usable_reading_is_asked_about_again_alone(first: str) -> None:
    chat = ScriptedChat([first, replying(said("c1", "contradicted", (2, "opens at 9")))])
    readings = ChatReader(chat).read(CASES)
    assert list(asked_of(chat.requests[1])[1].values()) == [CASES[1].claim]
    assert answers(readings) == [Answer.SUPPORTED, Answer.CONTRADICTED, Answer.NOT_FOUND]


def test_a_reply_with_an_id_that_nobody_asked_about_counts_for_nothing() -> None:
    wrong = replying(
        said("c1", "supported"), said("c2", "supported"), said("c3", "supported"), said("c4", "supported")
    )
    chat = ScriptedChat([wrong, WHOLE])
    assert answers(ChatReader(chat).read(CASES)) == [Answer.SUPPORTED, Answer.CONTRADICTED, Answer.NOT_FOUND]


@pytest.mark.parametrize(
    "prose", ["All of them are supported.", '{"readings": "all"}', "[]", '{"readings": [1]}', ""]
)
def test_prose_is_asked_again_and_never_becomes_an_answer(prose: str) -> None:
    readings = ChatReader(ScriptedChat([prose], repeat=True)).read(CASES)
    assert {reading.state for reading in readings} == {State.FAILED}
    assert {reading.note for reading in readings} == {"its replies were not the JSON that was asked for"}


def test_a_reply_that_is_cut_is_asked_for_once_more_with_twice_the_room() -> None:
    chat = ScriptedChat([LLMCut("cut"), WHOLE])
    assert answers(ChatReader(chat).read(CASES))[0] is Answer.SUPPORTED
    first, second = (request.max_tokens or 0 for request in chat.requests)
    assert second == 2 * first


def test_a_refusal_of_several_claims_is_one_of_those_that_are_refused_alone() -> None:
    fine = replying(said("c1", "not_said"))
    chat = ScriptedChat([LLMRefused("the model refused"), fine, LLMRefused("the model refused"), fine])
    readings = ChatReader(chat).read(CASES)
    assert [reading.state for reading in readings] == [State.SETTLED, State.FAILED, State.SETTLED]
    assert readings[1].note == "the model refused"


def test_a_server_that_fails_fails_every_claim_of_the_request() -> None:
    readings = ChatReader(ScriptedChat([LLMUnavailable("model 'm' cannot be reached")])).read(CASES)
    assert [(reading.state, reading.note) for reading in readings] == [
        (State.FAILED, "model 'm' cannot be reached")
    ] * 3


def test_a_server_that_counts_fewer_tokens_than_the_request_has_did_not_read_it() -> None:
    long = (Piece("The library opens at 9. " * 2000, "library.md"),)
    short = ScriptedChat([ChatReply(replying(said("c1", "supported", (1, "opens at 9"))), "m", 2048, 20)])
    [reading] = ChatReader(short).read([Case("The library opens at 9.", long)])
    assert reading.state is State.FAILED
    assert "read only 2048 tokens" in reading.note


def test_evidence_that_is_larger_than_the_window_is_read_in_halves_and_said() -> None:
    def reply(request: ChatRequest) -> str | Exception:
        pieces, _, _ = asked_of(request)
        if len(pieces) > 1:
            return LLMRejected("too long", refuses=["length"])
        return replying(
            said("c1", "supported" if "opens at 9" in pieces[1] else "not_said", (1, pieces[1][:7]))
        )

    [reading] = ChatReader(ScriptedChat(reply)).read(CASES[:1])
    assert (reading.answer, reading.pieces) == (Answer.SUPPORTED, (2,))
    assert "read in parts" in reading.note
    assert len(reading.calls) == 2


def test_halves_are_never_empty_and_keep_the_order() -> None:
    pieces = [Piece("a" * size) for size in (900, 10, 10)]
    assert [len(half) for half in halves(pieces)] == [1, 2]
    assert halves(pieces[:2]) == (tuple(pieces[:1]), tuple(pieces[1:2]))


def test_one_part_in_favour_and_one_against_is_a_dispute() -> None:
    one = Reading(State.SETTLED, Answer.SUPPORTED, pieces=(1,))
    both = merged(one, replace(one, answer=Answer.CONTRADICTED), 3)
    assert (both.answer, both.disputed, both.pieces) == (Answer.NOT_FOUND, True, (1, 4))
    assert merged(one, Reading.failed("no"), 3).state is State.FAILED


def test_the_event_loop_gets_the_same() -> None:
    assert asyncio.run(ChatReader(reading_model()).aread(CASES)) == ChatReader(reading_model()).read(CASES)


def test_after_several_failures_in_a_row_nothing_is_asked_until_the_pause_is_over() -> None:
    now = [0.0]
    breaker = Breaker(2, 10.0, clock=lambda: now[0])
    for _ in range(2):
        assert breaker.refusal() is None
        breaker.record(LLMUnavailable("down"))
    assert breaker.refusal() == "not asked, since its last 2 requests failed: down"
    now[0] = 10.0
    assert breaker.refusal() is None  # the trial
    assert breaker.refusal() is not None
    breaker.record(None)
    assert breaker.refusal() is None


def test_a_breaker_fails_claims_and_names_the_cause() -> None:
    chat = ScriptedChat([LLMUnavailable("down")], repeat=True)
    reader = ChatReader(chat, claims_a_call=1, workers=1, breaker_failures=2)
    readings = reader.read([Case(f"The library opens at {hour}.", PIECES) for hour in range(5)])
    assert len(chat.requests) == 2
    assert readings[-1].note == "not asked, since its last 2 requests failed: down"


@pytest.mark.parametrize(
    ("allowance", "told"),
    [
        (Allowance(requests=1), "its allowance of requests (1) is used up"),
        (Allowance(tokens=100), "its allowance of tokens (100) has no room for another 60"),
        (Allowance(cost=0.5), "its allowance of money (0.5) has no room for another 0.3"),
    ],
)
def test_what_is_used_up_is_said(allowance: Allowance, told: str) -> None:
    assert allowance.refusal(60, 0.3) is None
    assert told in (allowance.refusal(60, 0.3) or "")


def test_what_a_request_did_not_take_is_free_again() -> None:
    allowance = Allowance(tokens=100, cost=0.5)
    assert allowance.refusal(60, 0.3) is None
    allowance.settle(60, 0.3, taken=20, charged=0.1)
    assert allowance.refusal(60, 0.3) is None


@pytest.mark.parametrize(
    "options",
    [
        {"claims_a_call": 0},
        {"claims_a_call": 33},
        {"workers": 0},
        {"max_requests": -1},
        {"breaker_pause": -5},
    ],
)
def test_numbers_out_of_range_are_refused_by_name(options: dict[str, int]) -> None:
    [name] = options
    with pytest.raises(ConfigError, match=f"reader.{name} = "):
        ChatReader(reading_model(), **options)


def test_a_bound_of_money_needs_prices() -> None:
    with pytest.raises(ConfigError, match="max_cost needs prices"):
        ChatReader(reading_model(), max_cost=1.0)


def test_a_budget_that_is_used_up_is_a_failure_and_never_a_pass() -> None:
    readings = ChatReader(reading_model(), claims_a_call=1, workers=1, max_requests=2).read(CASES)
    assert [reading.state for reading in readings] == [State.SETTLED, State.SETTLED, State.FAILED]
    assert readings[2].note == "not asked, since its allowance of requests (2) is used up"


def test_the_probability_of_an_answer_is_that_of_the_first_token_of_its_labels() -> None:
    text = replying(said("c1", "supported", (2, "opens at 9")))
    at = text.index('"supported"') + 1
    chances = {"s": math.log(0.7), "contr": math.log(0.2), "n": math.log(0.05), "x": math.log(0.05)}
    tokens = (TokenChances(text[:at], {}), TokenChances("s", chances), TokenChances(text[at + 1 :], {}))
    reply = ChatReply(text, "m", tokens_said=tokens)
    [reading] = ChatReader(ScriptedChat([reply]), logprobs=True).read(CASES[:1])
    assert reading.probabilities == pytest.approx(
        {Answer.SUPPORTED: 0.7 / 0.95, Answer.CONTRADICTED: 0.2 / 0.95, Answer.NOT_FOUND: 0.05 / 0.95}
    )


def test_a_confidence_that_the_model_states_is_no_part_of_a_reply() -> None:
    boast = json.dumps({"readings": [{**said("c1", "supported", (2, "opens at 9")), "confidence": 1.0}]})
    [reading] = ChatReader(ScriptedChat([boast], repeat=True)).read(CASES[:1])
    assert reading.state is State.FAILED


def test_what_a_server_does_not_take_is_left_out_from_then_on() -> None:
    def reply(request: ChatRequest) -> str | Exception:
        if request.schema is not None:
            return LLMRejected("status 400", refuses=["schema"])
        if request.temperature is not None:
            return LLMRejected("status 400", refuses=["temperature", "schema"])
        return "fine"

    inner = ScriptedChat(reply)
    chat = AdaptiveChat(inner)
    asked = ChatRequest("Rules.", "Text.", schema={"type": "object"})
    assert [chat.complete(asked).text for _ in range(2)] == ["fine", "fine"]
    assert len(inner.requests) == 4
    assert chat.refused == {"schema", "temperature"}


def test_a_schema_is_put_in_its_other_form_before_it_is_left_out() -> None:
    def reply(request: ChatRequest) -> str | Exception:
        refused = request.schema_form == "json_schema"
        return LLMRejected("status 500", refuses=["schema"]) if refused else "fine"

    inner = ScriptedChat(reply)
    inner.schema_forms = ("json_schema", "json_object")  # type: ignore[attr-defined]
    chat = AdaptiveChat(inner)
    assert chat.complete(ChatRequest("Rules.", "Text.", schema={"type": "object"})).text == "fine"
    assert chat.complete(ChatRequest("Rules.", "Text.", schema={"type": "object"})).text == "fine"
    assert [(request.schema is None, request.schema_form) for request in inner.requests] == [
        (False, "json_schema"),
        (False, "json_object"),
        (False, "json_object"),
    ]


def test_a_rejection_for_another_reason_stays_one() -> None:
    chat = AdaptiveChat(ScriptedChat([LLMRejected("status 404")]))
    with pytest.raises(LLMRejected, match="404"):
        chat.complete(ChatRequest("Rules.", "Text."))
