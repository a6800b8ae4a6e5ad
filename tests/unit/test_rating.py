"""The coherence rating by a model: what is understood, and that nothing else passes for a rating."""

import asyncio
import json
import logging

import pytest

from verifier.core.chat import ScriptedChat
from verifier.core.errors import LLMUnavailable, SignalError
from verifier.guard.rating import NEUTRAL, LLMCoherenceRater, LocalCoherenceRater, rater_from_environment
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

TEXT = "All swans here are white. One of them is black."


@pytest.mark.parametrize(("rating", "value"), [(1, 0.0), (2, 0.25), (3, 0.5), (4, 0.75), (5, 1.0)])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_ratings_are_spread_over_the_unit_range(rating, value, asynchronous):
    rater = LLMCoherenceRater(ScriptedChat([json.dumps({"rating": rating})]))
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
        found = LLMCoherenceRater(ScriptedChat([reply])).rate(TEXT)
    assert (found.value, found.measured, found.rating) == (NEUTRAL, False, None)
    assert found.reason
    assert "not measured" in caplog.text
    assert TEXT not in caplog.text


def test_the_schema_is_strict_and_only_coherence_is_asked_for():
    chat = ScriptedChat(['{"rating": 4}'])
    LLMCoherenceRater(chat).rate(TEXT)
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
def test_without_key_and_model_the_rating_is_off(environ, monkeypatch):
    for name in ("COHERENCE_API_KEY", "COHERENCE_CHECK_MODEL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    found = rater_from_environment().rate(TEXT)
    assert not found.measured
    assert "no model is configured" in found.reason


def test_a_blank_text_is_not_rated():
    assert not LLMCoherenceRater(ScriptedChat([])).rate(" \n").measured


def test_a_text_that_contradicts_itself_is_rated_lower_than_one_that_does_not():
    local = LocalCoherenceRater(VerifiedScorer(GivenTexts(())))
    torn = local.rate("The fee is 30 EUR. Parking is free. The fee is 45 EUR.")
    whole = local.rate("The fee is 30 EUR. Parking is free. The office opens at nine.")
    assert torn.measured
    assert whole.measured
    assert torn.value < 0.5 < whole.value
    assert "The fee is 45 EUR" in torn.reason


def test_one_claim_alone_and_a_failing_signal_are_not_measured():
    assert not LocalCoherenceRater(VerifiedScorer(GivenTexts(()))).rate("The fee is 30 EUR.").measured

    class Broken(VerifiedScorer):
        def judge(self, *arguments, **options):
            raise SignalError("the model is gone")

    found = LocalCoherenceRater(Broken(GivenTexts(()))).rate("The fee is 30 EUR. The fee is 45 EUR.")
    assert (found.measured, found.reason) == (False, "the model is gone")
