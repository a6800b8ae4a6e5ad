"""The coherence scorer: the formula by hand, the steps, the policies, and a pass for nothing that failed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from verifier_signals.base import Signal

from verifier.core.chat import ChatRequest, ScriptedChat
from verifier.core.errors import BackendUnavailable, ConfigError, LLMUnavailable, SignalError
from verifier.guard.coherence import CoherenceScorer, JudgeRule, coherence_of
from verifier.guard.judge import JudgeVerdict, LLMJudge
from verifier.guard.review import Review, ReviewDecision
from verifier.verification.claims import ExtractedResponse, extract_claims
from verifier.verification.retrieve import GivenTexts, KnowledgeSource
from verifier.verification.scorer import VerifiedScorer

HANDBOOK = (
    "# Refunds\n\nAn annual plan is refunded in full within 30 days of purchase. "
    "Set-up fees are never refunded.\n\n# Support\n\nSupport answers on weekdays from 8:00 to 18:00."
)
TRUE = "An annual plan is refunded in full within 30 days of purchase."
FALSE = "An annual plan is refunded in full within 60 days of purchase."


@pytest.fixture(scope="module")
def source() -> GivenTexts:
    return GivenTexts.of(HANDBOOK)


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    return VerifiedScorer(GivenTexts.of(), suggest_fixes=False)


@pytest.fixture(scope="module")
def coherence(scorer: VerifiedScorer, source: GivenTexts) -> CoherenceScorer:
    return CoherenceScorer(scorer, source)


# -- the formula ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("h_logical", "h_factual", "expected"),
    [
        (0.0, 0.0, 1.0),
        (1.0, 0.0, 0.4),
        (0.0, 1.0, 0.6),
        (1.0, 1.0, 0.0),
        (0.5, 0.5, 0.5),
        (0.1, 0.2, 0.86),  # 1 - (0.06 + 0.08)
        (0.25, 0.9, 0.49),  # 1 - (0.15 + 0.36)
        (0.7, 0.3, 0.46),  # 1 - (0.42 + 0.12)
    ],
)
def test_the_formula_gives_what_was_reckoned_by_hand(
    h_logical: float, h_factual: float, expected: float
) -> None:
    assert coherence_of(h_logical, h_factual) == pytest.approx(expected, abs=1e-12)


def test_other_weights_enter_the_formula() -> None:
    assert coherence_of(0.5, 0.2, w_logic=0.25, w_fact=0.75) == pytest.approx(1 - (0.125 + 0.15))


def test_a_review_is_the_formula_over_its_own_parts(coherence: CoherenceScorer) -> None:
    for response in (TRUE, FALSE, f"{TRUE} Set-up fees are never refunded."):
        review = coherence.review("How are refunds made?", response)
        assert review.logical is not None
        assert review.h_logical == max(review.logical.prompt, review.logical.inner)
        supports = [claim.support for claim in review.claims if claim.support is not None]
        assert review.h_factual == pytest.approx(1 - min(supports))
        assert review.h_logical is not None
        assert review.h_factual is not None
        assert review.coherence == pytest.approx(1 - (0.6 * review.h_logical + 0.4 * review.h_factual))


def test_the_mean_over_claims_can_be_asked_for(scorer: VerifiedScorer, source: GivenTexts) -> None:
    review = CoherenceScorer(scorer, source, factual="mean").review("", f"{TRUE} {FALSE}")
    supports = [claim.support or 0.0 for claim in review.claims]
    assert len(supports) == 2
    assert review.h_factual == pytest.approx(1 - sum(supports) / 2)


# -- the gate -------------------------------------------------------------------------------------------


def test_a_true_answer_is_approved_with_its_evidence(coherence: CoherenceScorer) -> None:
    review = coherence.review("When is an annual plan refunded?", TRUE)
    assert (review.approved, review.errors, review.cached) == (True, (), False)
    assert "30 days" in review.evidence[0].text


def test_a_wrong_figure_is_rejected_though_the_formula_alone_would_pass_it(
    coherence: CoherenceScorer, scorer: VerifiedScorer, source: GivenTexts
) -> None:
    review = coherence.review("", FALSE)
    assert review.decision is ReviewDecision.REJECTED
    assert "claim says within 60 days, evidence says within 30 days" in review.reason
    assert review.coherence is not None
    assert review.coherence > 0.5
    assert CoherenceScorer(scorer, source, veto=False).review("", FALSE).approved


@pytest.mark.parametrize(
    "response",
    [
        "The galleries are open on Mondays. The galleries are never open on Mondays.",
        "Photography is allowed in the galleries. Photography is not allowed in the galleries.",
    ],
)
def test_a_response_that_contradicts_itself_is_found_without_any_document(
    scorer: VerifiedScorer, response: str
) -> None:
    review = CoherenceScorer(scorer, None, unknown="logical_only").review("", response)
    assert review.logical is not None
    assert review.logical.inner > 0.5
    assert review.decision is ReviewDecision.REJECTED


def test_a_response_that_contradicts_what_the_prompt_states_is_found(scorer: VerifiedScorer) -> None:
    only_logic = CoherenceScorer(scorer, None, unknown="logical_only")
    prompt = "The contract was signed by Anna Berg. Who approved it?"
    wrong = only_logic.review(prompt, "The contract was signed by Karl Holm.")
    assert wrong.logical is not None
    assert wrong.logical.prompt > 0.5
    assert wrong.decision is ReviewDecision.REJECTED


def test_a_question_states_nothing(coherence: CoherenceScorer) -> None:
    review = coherence.review("Is an annual plan refunded within 90 days?", TRUE)
    assert review.logical is not None
    assert (review.logical.statements, review.logical.prompt) == (0, 0.0)


def test_pairs_beyond_the_bound_are_left_out_and_it_is_said(
    scorer: VerifiedScorer, source: GivenTexts
) -> None:
    response = " ".join(f"The fee of plan {letter} is {n} euros." for n, letter in enumerate("ABCDE"))
    review = CoherenceScorer(scorer, source, max_pairs=4).review("", response)
    assert review.logical is not None
    assert (review.logical.pairs_read, review.logical.pairs) == (4, 10)
    assert any("of 10 pairs" in note and "4 were compared" in note for note in review.notes)


# -- what is not known ----------------------------------------------------------------------------------


class EmptyHanded(GivenTexts):
    """Holds texts, and finds none of them."""

    def retrieve(self, queries: Any, *, top_k: int = 5, namespace: str = "default") -> list[list[Any]]:
        return [[] for _ in queries]


@pytest.mark.parametrize(
    ("knowledge", "why"),
    [
        (None, "there is no knowledge base"),
        (GivenTexts.of(), "is empty"),
        (EmptyHanded.of(HANDBOOK), "nothing was retrieved"),
    ],
)
@pytest.mark.parametrize(
    ("policy", "decision"), [("reject", ReviewDecision.REJECTED), ("abstain", ReviewDecision.ABSTAINED)]
)
def test_unknown_facts_are_said_and_never_neutral(
    scorer: VerifiedScorer, knowledge: KnowledgeSource | None, why: str, policy: Any, decision: ReviewDecision
) -> None:
    review = CoherenceScorer(scorer, knowledge, unknown=policy).review("", f"{TRUE} Fees are never refunded.")
    assert (review.decision, review.coherence, review.h_factual) == (decision, None, None)
    assert why in review.reason
    assert any(why in note for note in review.notes)
    assert review.h_logical is not None


def test_logic_alone_is_1_minus_its_divergence(scorer: VerifiedScorer) -> None:
    review = CoherenceScorer(scorer, None, unknown="logical_only").review("", f"{TRUE} Support is free.")
    assert review.h_logical is not None
    assert review.coherence == pytest.approx(1 - review.h_logical)
    assert review.approved
    assert any("facts are unknown" in note for note in review.notes)


def test_logic_alone_passes_nothing_where_there_is_nothing_to_compare(scorer: VerifiedScorer) -> None:
    review = CoherenceScorer(scorer, None, unknown="logical_only").review("How long?", TRUE)
    assert (review.decision, review.coherence) == (ReviewDecision.NOTHING_TO_CHECK, None)


@pytest.mark.parametrize("response", ["", "  \n", "\x00", "How are you?", "Thank you!"])
def test_a_response_without_claims_has_nothing_to_check(coherence: CoherenceScorer, response: str) -> None:
    review = coherence.review("", response)
    assert (review.decision, review.approved) == (ReviewDecision.NOTHING_TO_CHECK, False)


def test_an_empty_prompt_is_said(coherence: CoherenceScorer) -> None:
    assert "there is no prompt to compare with" in coherence.review(" ", TRUE).notes


# -- what fails -----------------------------------------------------------------------------------------


def test_a_megabyte_is_refused_whole(coherence: CoherenceScorer) -> None:
    review = coherence.review("", (TRUE + " ") * 16_500)
    assert review.decision is ReviewDecision.REJECTED
    [error] = review.errors
    assert error.part == "input"
    assert "nothing of it was checked" in error.reason


class Down(GivenTexts):
    """A service that is not there."""

    def retrieve(self, queries: Any, *, top_k: int = 5, namespace: str = "default") -> list[list[Any]]:
        raise BackendUnavailable("the service is down")


def test_a_backend_that_is_down_is_an_error_and_no_pass(scorer: VerifiedScorer) -> None:
    review = CoherenceScorer(scorer, Down.of(HANDBOOK)).review("", TRUE)
    assert (review.decision, review.h_factual) == (ReviewDecision.REJECTED, None)
    assert [error.part for error in review.errors] == ["factual"]
    assert "the service is down" in review.reason


class Broken(Signal):
    """A model that cannot be read."""

    name = "negation"
    feature_names = ("polarity", "antonym", "quantifier", "modality", "condition", "hedge")

    def score(self, pairs: Any) -> Any:
        if pairs:
            raise SignalError("the model is gone")
        return []


def test_a_signal_that_fails_is_an_error_of_both_parts() -> None:
    working = VerifiedScorer(GivenTexts.of()).signals
    signals = [signal for name, signal in working.items() if name != "negation"]
    broken = VerifiedScorer(GivenTexts.of(), [*signals, Broken()])
    review = CoherenceScorer(broken, GivenTexts.of(HANDBOOK)).review("", f"{TRUE} {FALSE}")
    assert {error.part for error in review.errors} == {"logical", "factual"}
    assert (review.approved, review.coherence) == (False, None)


def test_half_a_surrogate_pair_is_no_pass(coherence: CoherenceScorer) -> None:
    assert coherence.review("", TRUE).approved
    review = coherence.review("", TRUE.replace("plan", "plan \ud83d"))
    assert (review.approved, review.coherence) == (False, None)
    assert [error.part for error in review.errors] == ["input"]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"threshold": float("nan")}, "threshold"),
        ({"threshold": -1}, "threshold"),
        ({"w_logic": float("nan")}, "w_logic"),
        ({"max_pairs": -1}, "max_pairs"),
        ({"workers": 0}, "workers"),
        ({"fail_on": ("contradictd",)}, "contradictd"),
        ({"namespace": "other"}, "the scorer reads 'default'"),
    ],
)
def test_options_out_of_bounds_are_refused(
    scorer: VerifiedScorer, source: GivenTexts, option: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        CoherenceScorer(scorer, source, **option)


def test_the_fingerprint_names_how_the_scorer_reads(source: GivenTexts) -> None:
    def other(response: str) -> ExtractedResponse:
        return extract_claims(response)

    signals = list(VerifiedScorer(GivenTexts.of()).signals.values())
    made = [
        CoherenceScorer(VerifiedScorer(GivenTexts.of(), signals), source),
        CoherenceScorer(VerifiedScorer(GivenTexts.of(), signals, top_k=9), source),
        CoherenceScorer(VerifiedScorer(GivenTexts.of(), signals, max_windows=3), source),
        CoherenceScorer(VerifiedScorer(GivenTexts.of(), signals, extractor=other), source),
        CoherenceScorer(VerifiedScorer(GivenTexts.of(), signals), source, extractor=other),
    ]
    assert len({scorer.fingerprint for scorer in made}) == len(made)
    again = CoherenceScorer(VerifiedScorer(GivenTexts.of(), signals), source)
    assert again.fingerprint == made[0].fingerprint


def test_a_language_that_cannot_be_read_is_rejected(coherence: CoherenceScorer) -> None:
    assert not coherence.review("", "Der Jahresplan wird innerhalb von 30 Tagen voll erstattet.").approved


# -- the judge ------------------------------------------------------------------------------------------


def answering(*verdicts: str) -> ScriptedChat:
    return ScriptedChat(
        [json.dumps({"reason": "it says so", "verdict": verdict}) for verdict in verdicts], repeat=True
    )


def judged(scorer: VerifiedScorer, source: KnowledgeSource, chat: ScriptedChat, **rule: Any) -> Review:
    made = CoherenceScorer(scorer, source, judge=LLMJudge(chat), judge_rule=JudgeRule(**rule))
    return made.review("When?", TRUE)


@pytest.mark.parametrize(("verdict", "divergence"), [("yes", 0.2), ("no", 0.8)])
def test_the_judge_is_blended_by_the_formula(
    scorer: VerifiedScorer, source: GivenTexts, verdict: str, divergence: float
) -> None:
    review = judged(scorer, source, answering(verdict), always=True)
    [item] = review.judge
    assert item.judgement.verdict is JudgeVerdict(verdict)
    assert item.after == pytest.approx(0.7 * item.before + 0.3 * divergence)
    assert review.h_factual == pytest.approx(item.after)


def test_the_judge_is_asked_only_where_the_divergence_is_uncertain(
    scorer: VerifiedScorer, source: GivenTexts
) -> None:
    chat = answering("no")
    assert judged(scorer, source, chat, margin=0.0).judge == ()
    assert not chat.requests
    assert len(judged(scorer, source, chat, margin=0.5).judge) == 1


@pytest.mark.parametrize(
    "reply",
    ["I think it is fine.", "", LLMUnavailable("model answered with status 500")],
    ids=["prose", "nothing", "500"],
)
def test_a_judge_that_fails_is_an_error_and_never_a_pass(
    scorer: VerifiedScorer, source: GivenTexts, reply: Any
) -> None:
    review = judged(scorer, source, ScriptedChat([reply], repeat=True), always=True)
    assert (review.approved, review.decision) == (False, ReviewDecision.REJECTED)
    assert [error.part for error in review.errors] == ["judge"]
    [item] = review.judge
    assert item.after == item.before


def test_no_reply_of_a_judge_lifts_a_claim_that_the_documents_contradict(
    scorer: VerifiedScorer, source: GivenTexts
) -> None:
    made = CoherenceScorer(
        scorer, source, judge=LLMJudge(answering("yes")), judge_rule=JudgeRule(always=True)
    )
    assert not made.review("", FALSE).approved


# -- twins and JSON -------------------------------------------------------------------------------------


def test_the_twins_say_the_same(coherence: CoherenceScorer) -> None:
    cases = [("When?", TRUE), ("", FALSE), ("", "")]
    expected = [coherence.review(*case) for case in cases]
    assert coherence.review_many(cases) == expected
    assert asyncio.run(coherence.areview_many(cases)) == expected
    assert asyncio.run(coherence.areview(*cases[1])) == expected[1]


@pytest.mark.parametrize("response", [TRUE, FALSE, "", f"{TRUE} Is that all? Fees are waived."])
def test_a_review_survives_json(scorer: VerifiedScorer, source: GivenTexts, response: str) -> None:
    made = CoherenceScorer(
        scorer, source, judge=LLMJudge(answering("unsure")), judge_rule=JudgeRule(always=True)
    )
    review = made.review("When?", response)
    assert Review.from_dict(json.loads(json.dumps(review.to_dict()))) == review


def test_values_that_are_no_review_are_refused() -> None:
    with pytest.raises(ConfigError, match="not a review"):
        Review.from_dict({"decision": "perhaps"})


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda scorer: CoherenceScorer(scorer, None, w_logic=0.7), "sum to 1"),
        (
            lambda scorer: CoherenceScorer(scorer, None, unknown="pass"),
            "known: abstain, logical_only, reject",
        ),
        (lambda scorer: CoherenceScorer(scorer, None, factual="best"), "known: mean, worst"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    scorer: VerifiedScorer, build: Callable[[VerifiedScorer], CoherenceScorer], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        build(scorer)


def test_the_prompt_reaches_the_judge_as_a_question(scorer: VerifiedScorer, source: GivenTexts) -> None:
    asked: list[ChatRequest] = []

    def rule(request: ChatRequest) -> str:
        asked.append(request)
        return json.dumps({"reason": "it says so", "verdict": "yes"})

    judged(scorer, source, ScriptedChat(rule), always=True)
    assert "When?" in asked[0].text
