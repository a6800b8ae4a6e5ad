"""The score of a stream's sentences, with the real scorer: what it reads, and that nothing unchecked passes."""

from __future__ import annotations

from typing import Any

import pytest

from verifier.core.errors import BackendUnavailable, ConfigError
from verifier.guard.streaming import HaltKind, StreamingKernel, StreamSession
from verifier.guard.streaming.scores import ClaimScore, ScoreKind
from verifier.types import Verdict
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

PRICES = (
    "# Refunds\n\nAn annual plan is refunded in full within 30 days of purchase.\n\n"
    "# Fees\n\nThe Basic plan costs 9 euros a month. The Team plan costs 29 euros a month."
)
TRUE = "An annual plan is refunded in full within 30 days of purchase. "
FALSE = "An annual plan is refunded in full within 60 days of purchase. "


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    return VerifiedScorer(GivenTexts.of(), suggest_fixes=False)


def kernel(scorer: VerifiedScorer, source: Any = None, kind: ScoreKind = "best_window") -> StreamingKernel:
    return StreamingKernel(ClaimScore(scorer, source or GivenTexts.of(PRICES), kind=kind))


@pytest.mark.parametrize("kind", ["support", "not_contradicted", "not_refuted", "best_window"])
def test_a_wrong_figure_halts_with_its_claim_and_what_the_document_says(
    scorer: VerifiedScorer, kind: ScoreKind
) -> None:
    session = StreamSession()
    assert list(kernel(scorer, kind=kind).release([TRUE, FALSE, TRUE], session)) == [TRUE]
    assert session.halt is not None
    assert session.halt.kind is HaltKind.HARD_LIMIT
    [claim] = session.evidence
    assert claim.verdict is Verdict.CONTRADICTED
    assert "30 days" in claim.evidence[0].text
    assert "30 days" in session.halt.reason


def test_the_formula_of_coherence_can_be_the_score(scorer: VerifiedScorer) -> None:
    session = kernel(scorer, kind="coherence").run([TRUE])
    [claim] = scorer.verify(TRUE, source=GivenTexts.of(PRICES)).claims
    assert claim.support is not None
    assert session.events[0].value == pytest.approx(1 - 0.4 * (1 - claim.support))


def test_a_pronoun_is_read_with_the_sentence_before_it(scorer: VerifiedScorer) -> None:
    seen = StreamSession()
    list(
        kernel(scorer).stream(["The Team plan costs 29 euros a month. ", "It costs 49 euros a month."], seen)
    )
    assert seen.halt is not None
    assert "Team plan" in seen.evidence[0].hypothesis


def test_what_states_nothing_has_no_score(scorer: VerifiedScorer) -> None:
    session = kernel(scorer).run(["Thank you! ", "Shall I go on?"])
    assert [event.value for event in session.events] == [None, None]
    assert not session.halted


class Down(GivenTexts):
    """A service that is not there."""

    def retrieve(self, queries: Any, *, top_k: int = 5, namespace: str = "default") -> list[list[Any]]:
        raise BackendUnavailable("the service is down")


def test_a_claim_that_cannot_be_checked_halts(scorer: VerifiedScorer) -> None:
    session = StreamSession()
    assert list(kernel(scorer, Down.of(PRICES)).release([TRUE], session)) == []
    assert session.halt is not None
    assert session.halt.kind is HaltKind.ERROR
    assert "the service is down" in session.halt.reason


def test_an_empty_knowledge_base_passes_nothing(scorer: VerifiedScorer) -> None:
    session = kernel(scorer, GivenTexts.of()).run([TRUE])
    assert "holds nothing to check against" in str(session.halt_reason)


def test_a_language_that_cannot_be_read_halts(scorer: VerifiedScorer) -> None:
    session = kernel(scorer).run(["Der Jahresplan wird innerhalb von 30 Tagen voll erstattet."])
    assert session.events[0].value == 0.0
    assert session.halted


def test_half_a_surrogate_pair_in_a_true_claim_is_never_released(scorer: VerifiedScorer) -> None:
    true = "The Team plan costs 29 euros a month."
    assert "".join(kernel(scorer).release([true])) == true
    session = StreamSession()
    assert list(kernel(scorer).release([true.replace("plan", "plan \ud83d")], session)) == []
    assert "half a surrogate pair" in str(session.halt_reason)


def test_an_unknown_score_lists_the_known_ones(scorer: VerifiedScorer) -> None:
    with pytest.raises(ConfigError, match="best_window, coherence, not_contradicted, not_refuted, support"):
        ClaimScore(scorer, GivenTexts.of(PRICES), kind="best")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        ("Does the Team plan cost 29 euros a month?", "Yes.", "No."),
        ("Is an annual plan refunded in full?", "Yes, it is.", "No, it isn't."),
        ("Is an annual plan refunded in full within 30 days of purchase?", "Correct.", "No."),
    ],
)
def test_a_bare_answer_is_checked_as_the_statement_that_it_makes(
    scorer: VerifiedScorer, prompt: str, right: str, wrong: str
) -> None:
    score = ClaimScore(scorer, GivenTexts.of(PRICES), prompt=prompt)
    assert StreamingKernel(score).run([right]).halt is None
    assert StreamingKernel(score).run([wrong]).halt is not None


def test_a_bare_answer_invents_nothing(scorer: VerifiedScorer) -> None:
    prompt = "Does the Zanzibar voucher of Omar Quill expire?"
    bare = ClaimScore(scorer, GivenTexts.of(PRICES), prompt=prompt)
    assert StreamingKernel(bare).run(["Yes."]).halt is None
    told = StreamingKernel(bare).run(["The Zanzibar voucher of Omar Quill expires."])
    assert told.halt is not None
