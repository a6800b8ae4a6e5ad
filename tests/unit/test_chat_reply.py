"""Replies of chat models as JSON objects: what is taken, what is refused, and that every reader refuses it."""

from __future__ import annotations

import json

import pytest

from verifier.core.chat import ScriptedChat, json_object
from verifier.guard.gate.evaluator import ASPECTS, understood
from verifier.guard.judge import LLMJudge
from verifier.guard.rating import LLMCoherenceRater
from verifier.verification.claims.llm import LLMExtractor

REFUSED = {
    "nothing": "",
    "prose": "I think it is fine.",
    "words around it": 'Here it is: {"rating": 5}',
    "words after it": '{"rating": 5} I hope this helps.',
    "a list": "[5]",
    "a number": "5",
    "a name twice": '{"rating": 5, "rating": 1}',
    "a name twice within": '{"rating": {"a": 1, "a": 2}}',
    "lists without end": "[" * 100_000,
    "objects without end": '{"rating":' * 100_000,
    "two fenced objects": '```json\n{"rating": 5}\n```\n```json\n{"rating": 1}\n```',
    "an object and a fenced one": '{"rating": 1}\n```json\n{"rating": 5}\n```',
    "a fenced object and another": '```json\n{"rating": 5}\n```\n{"rating": 1}',
    "a fenced object with words behind it": '```json\n{"rating": 5} I hope this helps.\n```',
    "a fenced name twice": '```json\n{"rating": 5, "rating": 1}\n```',
    "a fenced list": "```json\n[5]\n```",
    "another language": '```python\n{"rating": 5}\n```',
    "a number of 5,000 digits": f'{{"rating": {"9" * 5_000}}}',
}
refused = pytest.mark.parametrize("reply", REFUSED.values(), ids=REFUSED)


def test_an_object_is_taken_with_white_space_around_it() -> None:
    assert json_object('\n {"rating": 5, "of": {"rating": 6}}\n') == {"rating": 5, "of": {"rating": 6}}


@pytest.mark.parametrize(
    "reply",
    [
        '```json\n{"rating": 5}\n```',
        '```\n{"rating": 5}\n```\n',
        '```JSON {"rating": 5} ```',
        '```{"rating": 5}```',
        'My rating is:\n\n```json\n{"rating": 5}\n```\nI hope this helps.',
        'My rating is:\n```json\n{"rating": 5}\n',
        ' {"rating": 5} ',
    ],
)
def test_one_fenced_block_is_the_object_that_it_holds(reply: str) -> None:
    assert json_object(reply) == {"rating": 5}
    assert LLMCoherenceRater(ScriptedChat([reply])).rate("The fee is 5 euros.").rating == 5


def test_fences_within_a_string_end_no_block() -> None:
    told = {"reason": "```json\n{} is empty\n```", "verdict": "supported"}
    assert json_object(json.dumps(told)) == told
    assert json_object(f"```json\n{json.dumps(told)}\n```") == told


def test_claims_are_read_from_a_fenced_reply() -> None:
    told = json.dumps({"claims": [{"quote": "It costs 5 euros", "claim": "The pass costs 5 euros."}]})
    found = LLMExtractor(ScriptedChat([f"Here they are:\n```json\n{told}\n```"]))("It costs 5 euros.")
    assert [claim.hypothesis for claim in found.claims] == ["The pass costs 5 euros."]
    assert not found.notes


@refused
def test_whatever_is_no_object_alone_is_one_kind_of_error(reply: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - json has its own messages
        json_object(reply)


@refused
def test_no_reader_takes_or_is_broken_by_what_is_no_object(reply: str) -> None:
    script = ScriptedChat([reply], repeat=True)
    assert LLMJudge(script).judge("The fee is 5 euros.", ["The fee is 5 euros."]).error
    assert not LLMCoherenceRater(script).rate("The fee is 5 euros.").measured
    assert understood(reply).score is None
    assert LLMExtractor(script)("The fee is 5 euros.").notes


def test_points_that_are_said_twice_are_no_rating() -> None:
    whole = json.dumps(dict.fromkeys(ASPECTS, 25))
    assert understood(whole).score == 1.0
    assert understood(f"```json\n{whole}\n```\nI hope this helps.").score == 1.0
    assert understood(whole.replace("{", '{"accuracy": 0, ')).score is None
    assert understood('{"score": 81, "score": 10}').score is None
