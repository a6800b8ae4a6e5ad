"""The confidence gate: formula, rules, evaluation, retries, fallbacks, what is kept when something dies."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verifier_backends.encoders import HashingEncoder

from verifier.core.chat import ScriptedChat
from verifier.core.errors import ConfigError, LLMRejected, LLMUnavailable
from verifier.guard.consistency import SamplingPlan, SelfConsistency
from verifier.guard.consistency.similarity import CharacterSimilarity
from verifier.guard.gate import (
    Application,
    Band,
    ChatGenerator,
    Coherence,
    ConfidenceGate,
    ConsistentGenerator,
    Ensemble,
    Evaluation,
    GatePolicy,
    Groundedness,
    LLMEvaluator,
    LLMRating,
    Question,
    Relevance,
    Rules,
    combine,
    rule_score,
)
from verifier.guard.gate.evaluator import understood
from verifier.guard.gate.kinds import kind_of
from verifier.guard.gate.types import Status
from verifier.guard.rating import LLMCoherenceRater
from verifier.guard.relevance import ContextRelevance, context_items
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

ANSWER = "Refunds are paid within 30 days of the return."


def points(total, reasoning="leaves out the fee"):
    """A reply of the evaluator with so many points in all."""
    given = {"relevance": 0, "helpfulness": 0, "accuracy": 0, "completeness": 0}
    for aspect in given:
        given[aspect] = min(25, total)
        total -= given[aspect]
    return json.dumps({"reasoning": reasoning, **given})


def gate(answers, ratings, *, policy=None, **options):
    """A gate over two scripts; answers are lines or errors, ratings totals, replies or errors."""
    writer = ScriptedChat(answers)
    judge = ScriptedChat([points(one) if isinstance(one, int) else one for one in ratings])
    built = ConfidenceGate(
        ChatGenerator(writer), [Rules(), LLMRating(LLMEvaluator(judge))], policy or GatePolicy(), **options
    )
    return built, writer, judge


# The formula


@pytest.mark.parametrize(
    ("rules", "llm", "confidence"), [(0.5, 0.96, 0.822), (0.3, 0.28, 0.286), (0.5, 0.81, 0.717)]
)
def test_the_worked_examples_hold_to_three_decimals(rules, llm, confidence):
    assert round(combine({"rules": rules, "llm": llm}, {"rules": 0.3, "llm": 0.7}), 3) == confidence


@given(st.dictionaries(st.sampled_from(["rules", "llm", "coherence"]), st.floats(0, 10), min_size=1))
def test_weights_are_normalised_or_refused(weights):
    values = dict.fromkeys(weights, 0.6)
    if any(weights.values()):
        assert combine(values, weights) == pytest.approx(0.6)
    else:
        with pytest.raises(ConfigError, match="one above"):
            combine(values, weights)


@pytest.mark.parametrize(
    ("confidence", "band"),
    [
        (0, "very low"),
        (0.299, "very low"),
        (0.3, "low"),
        (0.5, "moderate"),
        (0.749, "moderate"),
        (0.75, "good"),
        (0.9, "excellent"),
        (1, "excellent"),
    ],
)
def test_bands_begin_at_their_value(confidence, band):
    assert Band.of(confidence).value == band


# The rules


@pytest.mark.parametrize(
    ("response", "value"),
    [
        ("", 0.1),
        ("Yes.", 0.1),
        ("Absolutely yes", 0.2),
        ("I cannot help with that one.", 0.3),
        ("I can’t help with that one.", 0.3),
        ("As an AI, I have no opinion on it.", 0.3),
        ("I'm sorry, but the office is closed.", 0.3),
        ("The mini cannot be returned after use.", 0.5),
        (ANSWER, 0.5),
    ],
)
def test_the_rules_give_the_designs_values(response, value):
    assert rule_score(response).value == value


@pytest.mark.parametrize(
    ("response", "value"),
    [
        ("Customers write “I can't log in” when the cookie has expired; clear it.", 0.5),
        ("Unfortunately, I cannot see your order.", 0.3),
        ("Thank you for asking, but I don't have that figure.", 0.3),
        ("The fee is 5 EUR. I don't have more on it.", 0.5),
    ],
)
def test_refusals_at_the_opening_leave_good_answers_alone(response, value):
    assert rule_score(response, refusals="opening").value == value


def test_the_full_scale_lets_a_perfect_answer_reach_one():
    assert rule_score(ANSWER, full_scale=True).value == 1
    assert combine({"rules": 1, "llm": 1}, {"rules": 0.3, "llm": 0.7}) == pytest.approx(1)


def test_a_threshold_that_no_answer_can_reach_is_refused():
    evaluator = LLMRating(LLMEvaluator(ScriptedChat([])))
    with pytest.raises(ConfigError, match=r"0\.850"):
        ConfidenceGate(ChatGenerator(ScriptedChat([])), [Rules(), evaluator], GatePolicy(threshold=0.9))
    ConfidenceGate(
        ChatGenerator(ScriptedChat([])), [Rules(full_scale=True), evaluator], GatePolicy(threshold=0.9)
    )


# The evaluator


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        (points(96), 0.96),
        ("```json\n" + points(40) + "\n```", 0.4),
        ("SCORE: 81\nREASONING: fine", 0.81),
        ("**Score:** 7.5\n**Reasoning:** poor", 0.075),
        ("score: 100", 1.0),
    ],
)
def test_ratings_are_understood(reply, score):
    assert understood(reply).score == pytest.approx(score)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "A fine answer!",
        "SCORE: 101",
        "SCORE: 8/10",
        "SCORE: 20\nSCORE: 90",
        "{}",
        "[25, 25, 25, 25]",
        points(96).replace("25", "26", 1),
        points(96).replace("25", "-1", 1),
        points(96).replace("25", "true", 1),
        points(96).replace("25", '"25"', 1),
        points(96)[:-5],
    ],
)
def test_a_broken_rating_is_an_error_and_never_a_score(reply):
    found = understood(reply)
    assert found.score is None
    assert found.error


def test_the_evaluator_sends_the_designs_temperature_and_limit():
    chat = ScriptedChat([points(50)])
    LLMEvaluator(chat).evaluate("When?", ANSWER)
    [request] = chat.requests
    assert (request.temperature, request.max_tokens) == (0.3, 200)
    assert request.schema is not None
    assert ANSWER in request.text


class Fixed:
    """An evaluator that says what it was made with."""

    def __init__(self, score):
        self._score = score

    def evaluate(self, prompt, response):
        return Evaluation(
            self._score, f"gives {self._score}", error="" if self._score is not None else "down"
        )


def test_an_ensemble_takes_the_median_and_fails_with_its_majority():
    found = Ensemble([Fixed(0.2), Fixed(0.9), Fixed(0.8)]).evaluate("", "")
    assert found.score == 0.8
    assert found.reasoning == "gives 0.2"
    assert Ensemble([Fixed(0.2), Fixed(None), Fixed(0.8)]).evaluate("", "").score == pytest.approx(0.5)
    failed = Ensemble([Fixed(0.9), Fixed(None)]).evaluate("", "")
    assert failed.score is None
    assert "1 of 2" in failed.error


# The loop


def test_a_good_answer_is_accepted_at_once():
    built, writer, _ = gate([ANSWER], [96])
    result = built.run("When are refunds paid?", instructions="Be brief.")
    assert result.success
    assert result.content == ANSWER
    assert round(result.confidence, 3) == 0.822
    assert result.status is Status.ACCEPTED
    assert result.metadata["validation_attempts"] == 1
    assert not result.metadata["low_confidence"]
    assert "original_response" not in result.metadata
    assert writer.requests[0].instructions == "Be brief."


def test_a_retry_is_told_what_to_mend_and_shown_the_previous_answer_cut():
    long = ANSWER + " " + "More words follow here. " * 60
    built, writer, _ = gate([long, ANSWER], [60, 96])
    result = built.run("When?", instructions="Be brief.")
    assert result.metadata["validation_attempts"] == 2
    told = writer.requests[1].instructions
    assert told.startswith("Be brief.")
    assert "leaves out the fee" in told
    assert ANSWER in told
    assert "first 500 characters" in told
    assert long not in told


def test_below_the_threshold_to_the_end_the_fallback_stands_and_the_best_is_kept():
    built, _, _ = gate([f"{ANSWER} {n}" for n in range(5)], [10, 70, 30, 70, 20])
    result = built.run("When?")
    assert not result.success
    assert result.status is Status.FALLBACK
    assert result.content == built.policy.fallback
    assert result.metadata["original_response"] == f"{ANSWER} 1"
    assert result.confidence == pytest.approx(0.3 * 0.5 + 0.7 * 0.7)
    assert len(result.metadata["execution_steps"]) == 5
    json.dumps(result.to_dict())


def test_a_provider_that_dies_in_attempt_three_loses_nothing_of_one_and_two():
    built, _, _ = gate([f"{ANSWER} 1", f"{ANSWER} 2", LLMRejected("the key was revoked")], [40, 60])
    result = built.run("When?")
    assert [one.response for one in result.attempts] == [f"{ANSWER} 1", f"{ANSWER} 2", None]
    assert result.metadata["original_response"] == f"{ANSWER} 2"
    assert result.errors == ("attempt 3: no answer: the key was revoked",)
    assert result.status is Status.FALLBACK


def test_a_provider_that_recovers_is_asked_again():
    built, _, _ = gate([LLMUnavailable("busy"), ANSWER], [96])
    result = built.run("When?")
    assert result.success
    assert [one.accepted for one in result.attempts] == [False, True]


@pytest.mark.parametrize("broken", ["Looks good to me!", LLMUnavailable("500"), "SCORE: 400"])
def test_an_evaluator_that_fails_is_an_error_of_that_attempt_and_no_pass(broken):
    built, _, _ = gate([ANSWER, ANSWER], [broken, 96])
    result = built.run("When?")
    assert result.success
    first = result.attempts[0]
    assert first.confidence is None
    assert not first.accepted
    assert first.errors[0].startswith("llm: ")


def test_when_nothing_can_be_rated_the_run_has_failed_and_has_no_confidence():
    built, _, _ = gate([ANSWER] * 5, ["?"] * 5)
    result = built.run("When?")
    assert result.status is Status.FAILED
    assert result.confidence is None
    assert result.content == built.policy.fallback


def test_thresholds_differ_by_kind_of_message():
    policy = GatePolicy(thresholds={"emotional": 0.5}, max_attempts=1)
    built, _, _ = gate([ANSWER, ANSWER], [60, 60], policy=policy)
    assert built.run("I'm so worried about my refund").success
    assert not built.run("When are refunds paid?").success


def test_a_shadow_threshold_is_watched_and_decides_nothing():
    policy = GatePolicy(shadow_threshold=0.5)
    built, _, _ = gate([ANSWER, ANSWER], [60, 96], policy=policy)
    result = built.run("When?")
    assert result.metadata["shadow"] == {"threshold": 0.5, "accepted_on": 1}
    assert result.attempts[-1].number == 2


def test_the_explanation_adds_up():
    built, _, _ = gate([], [96])
    rated = built.rate("When?", ANSWER)
    assert "rules 0.500 x 0.30 = 0.150" in rated.explanation
    assert "llm 0.960 x 0.70 = 0.672" in rated.explanation
    assert rated.explanation.endswith("confidence 0.822 (good)")


# Components


def test_an_unmeasured_component_is_flagged_with_its_neutral_value():
    policy = GatePolicy(weights={"rules": 0.5, "coherence": 0.5})
    built = ConfidenceGate(
        ChatGenerator(ScriptedChat([])), [Rules(), Coherence(LLMCoherenceRater(None))], policy
    )
    rated = built.rate("When?", ANSWER)
    assert rated.unmeasured == ("coherence",)
    assert rated.confidence == pytest.approx(0.5 * 0.5 + 0.5 * 0.7)
    assert "not measured, 0.7 taken" in rated.explanation


def test_a_weight_without_its_component_is_refused():
    with pytest.raises(ConfigError, match="groundedness is above 0"):
        ConfidenceGate(
            ChatGenerator(ScriptedChat([])), [Rules()], GatePolicy(weights={"rules": 1, "groundedness": 1})
        )


def grounded(source):
    scorer = VerifiedScorer(GivenTexts.of(source))
    return Groundedness(lambda prompt, response: scorer.verify(response, prompt=prompt))


def test_groundedness_is_the_share_of_supported_claims_with_the_failing_ones_as_feedback():
    source = "Refunds are paid within 30 days. Shipping is free."
    found = grounded(source).measure(
        Question("Refunds?"), "Refunds are paid within 30 days. Shipping costs 9 EUR."
    )
    assert found.value == 0.5
    assert found.reason == "1 of 2 claims supported"
    assert len(found.feedback) == 1
    assert "Shipping costs 9 EUR." in found.feedback[0]


def test_groundedness_without_a_claim_is_not_measured_and_without_evidence_fails():
    assert grounded("Refunds are paid.").measure(Question("?"), "How can I help you?").value is None
    failed = grounded("").measure(Question("?"), "Refunds are paid within 30 days.")
    assert failed.failed


def test_relevance_measures_against_the_prompt_where_no_context_is_given():
    relevance = Relevance(ContextRelevance(HashingEncoder()))
    bare = relevance.measure(Question("When are refunds paid?"), ANSWER)
    assert bare.reason == "nearest to the prompt"
    items = tuple(context_items("Refunds", ["Paid within 30 days of the return."]))
    assert relevance.measure(Question("When?", items), ANSWER).reason == "nearest to the constraint"


def test_only_the_chosen_candidate_goes_forward_and_each_attempt_records_the_samples():
    chat = ScriptedChat([ANSWER, ANSWER, "Nobody knows, really!", *[ANSWER] * 3])
    system = SelfConsistency(chat, CharacterSimilarity(), SamplingPlan(num_samples=3, parallel=1))
    judge = ScriptedChat([points(50), points(96)])
    built = ConfidenceGate(ConsistentGenerator(system), [Rules(), LLMRating(LLMEvaluator(judge))])
    result = built.run("When?")
    assert [one.response for one in result.attempts] == [ANSWER, ANSWER]
    assert [one.sc_num_samples for one in result.attempts] == [3, 3]
    assert 0 < result.attempts[0].sc_confidence < 1 == pytest.approx(result.attempts[1].sc_confidence)


# The application


def test_the_application_suits_its_fallback_to_the_message():
    built, _, _ = gate([ANSWER] * 5, [20] * 5)
    shown = Application(built, agent="helper").respond("I feel so lonely today", "s-1")
    assert not shown.success
    assert "talk to a person" in shown.response
    assert shown.confidence == pytest.approx(0.15 + 0.7 * 0.2)
    assert shown.metadata["original_response"] == ANSWER
    assert set(shown.to_dict()) == {
        "success",
        "response",
        "confidence",
        "session_id",
        "metadata",
        "timestamp",
    }
    assert {"low_confidence", "original_confidence", "original_response", "processing_time", "agent"} <= set(
        shown.metadata
    )


def test_the_application_can_show_the_best_answer_with_its_flag():
    built, _, _ = gate([ANSWER] * 5, [20] * 5)
    shown = Application(built, below="best").respond("When are refunds paid?", "s-1")
    assert shown.response == ANSWER
    assert shown.metadata["low_confidence"]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("I'm so worried about the bill", "emotional"),
        ("this makes me really angry", "emotional"),
        ("Why are sad songs popular?", "informational"),
        ("The bill of May is wrong", "informational"),
        ("bill", "unclear"),
        ("", "unclear"),
    ],
)
def test_kinds_of_message(message, kind):
    assert kind_of(message) == kind
