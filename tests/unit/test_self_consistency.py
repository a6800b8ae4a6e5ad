"""Self-consistency end to end: what is asked, how failures and rounds are treated. The wire is tested elsewhere."""

import asyncio

import pytest

from verifier.core.chat import ScriptedChat
from verifier.core.errors import ConfigError, LLMRejected, LLMUnavailable
from verifier.guard.consistency import SamplingPlan, SelfConsistency
from verifier.guard.consistency.similarity import CharacterSimilarity

YES, NO = "The warranty lasts two years.", "Nobody knows how long that might be!"


def asked(script, plan, *, asynchronous):
    chat = ScriptedChat(script)
    system = SelfConsistency(chat, CharacterSimilarity(), plan)
    if asynchronous:
        return chat, asyncio.run(system.arun("How long?", instructions="Be brief.", max_tokens=50))
    return chat, system.run("How long?", instructions="Be brief.", max_tokens=50)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_each_sample_is_asked_with_the_temperature_and_the_limit(asynchronous):
    chat, result = asked([YES] * 5, SamplingPlan(temperature=1.3), asynchronous=asynchronous)
    assert [(r.instructions, r.text, r.temperature, r.max_tokens) for r in chat.requests] == [
        ("Be brief.", "How long?", 1.3, 50)
    ] * 5
    assert result.best_candidate == YES
    assert result.confidence_score == pytest.approx(1.0)


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("failure", [LLMUnavailable("down"), RuntimeError("a client's own error"), " "])
def test_one_failing_sample_does_not_lose_the_others(failure, asynchronous):
    _, result = asked([YES, failure, YES, YES, YES], SamplingPlan(parallel=1), asynchronous=asynchronous)
    assert len(result.all_candidates) == 4
    assert [one.sample for one in result.failures] == [1]
    assert result.failures[0].reason


def test_when_all_samples_fail_the_error_says_so():
    with pytest.raises(LLMUnavailable, match="none of 3 samples gave an answer; the last: no key"):
        asked([LLMRejected("no key")] * 3, SamplingPlan(num_samples=3), asynchronous=False)


@pytest.mark.parametrize(
    ("script", "temperatures"),
    [
        ([YES] * 3, [0.7] * 3),
        ([YES, NO, *[YES] * 8], [0.7] * 5 + [1.1] * 3),
        ([YES, LLMUnavailable("down"), *[YES] * 8], [0.7] * 3),
    ],
    ids=["unanimous at once", "never unanimous", "a failure is no dissent"],
)
@pytest.mark.parametrize("asynchronous", [False, True])
def test_adaptive_sampling_stops_when_all_agree_and_gets_warmer_when_not(script, temperatures, asynchronous):
    plan = SamplingPlan(adaptive=True, first=3, num_samples=5, most=8, warmer_temperature=1.1, parallel=1)
    chat, _ = asked(script, plan, asynchronous=asynchronous)
    assert [request.temperature for request in chat.requests] == temperatures


@pytest.mark.parametrize(
    "options",
    [
        {"num_samples": 0},
        {"num_samples": 21},
        {"temperature": 2.1},
        {"temperature": -0.1},
        {"parallel": 0},
        {"first": 1},
    ],
)
def test_a_plan_out_of_range_is_a_usage_error(options):
    with pytest.raises(ConfigError, match=next(iter(options))):
        SamplingPlan(**options)


def test_rounds_never_shrink():
    assert SamplingPlan(adaptive=True, first=5, num_samples=3, most=4).rounds() == [(5, 0.7)]
    assert SamplingPlan(adaptive=True, first=2, num_samples=2, most=4).rounds() == [(2, 0.7), (4, 0.7)]
