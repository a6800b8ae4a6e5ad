"""The coherence rating by a model: what is understood, and that nothing else passes for a rating."""

import asyncio
import json
import logging

import pytest

from verifier.core.chat import ScriptedChat
from verifier.core.errors import LLMUnavailable
from verifier.guard.rating import NEUTRAL, CoherenceRater, rater_from_environment

TEXT = "All swans here are white. One of them is black."


@pytest.mark.parametrize(("rating", "value"), [(1, 0.0), (2, 0.25), (3, 0.5), (4, 0.75), (5, 1.0)])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_ratings_are_spread_over_the_unit_range(rating, value, asynchronous):
    rater = CoherenceRater(ScriptedChat([json.dumps({"rating": rating})]))
    found = asyncio.run(rater.arate(TEXT)) if asynchronous else rater.rate(TEXT)
    assert (found.value, found.measured, found.rating) == (value, True, rating)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "4",
        "[4]",
        '{"rating": 0}',
        '{"rating": 6}',
        '{"rating": 4.5}',
        '{"rating": "4"}',
        '{"rating": true}',
        '{"rating": 4, "note": "fine"}',
        "Rating: 4",
        LLMUnavailable("busy"),
        RuntimeError("a client's own"),
    ],
)
def test_whatever_is_no_rating_gives_the_neutral_value_its_flag_and_a_warning(reply, caplog):
    with caplog.at_level(logging.WARNING):
        found = CoherenceRater(ScriptedChat([reply])).rate(TEXT)
    assert (found.value, found.measured, found.rating) == (NEUTRAL, False, None)
    assert found.reason
    assert "not measured" in caplog.text
    assert TEXT not in caplog.text


def test_the_schema_is_strict_and_only_coherence_is_asked_for():
    chat = ScriptedChat(['{"rating": 4}'])
    CoherenceRater(chat).rate(TEXT)
    [request] = chat.requests
    assert request.schema == {
        "type": "object",
        "properties": {"rating": {"type": "integer", "enum": [1, 2, 3, 4, 5]}},
        "required": ["rating"],
        "additionalProperties": False,
    }
    assert "Grammar, style and whether its facts are true do not count" in request.instructions


@pytest.mark.parametrize(
    "environ", [{}, {"COHERENCE_API_KEY": "k"}, {"COHERENCE_CHECK_MODEL": "m"}, {"COHERENCE_API_KEY": ""}]
)
def test_without_key_and_model_the_rating_is_off(environ):
    found = rater_from_environment(environ).rate(TEXT)
    assert not found.measured
    assert "no model is configured" in found.reason


def test_a_blank_text_is_not_rated():
    assert not CoherenceRater(ScriptedChat([])).rate(" \n").measured
