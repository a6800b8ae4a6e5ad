"""``python -m benchmarks.checks``: what leaving out a skip, a split or a feature changes."""

from __future__ import annotations

import pytest

from benchmarks.checks import effect_of, effects_of_claims, lines
from verifier.measure.rows import LabelledRow
from verifier.measure.samples import examined
from verifier.verification.claim_checks import CLAIM_CHECKS
from verifier.verification.decision.feature_checks import FEATURE_CHECKS
from verifier.verification.decision.summary import summarise
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

PREMISE = "The hall is open. The pool is closed. The design is beautiful."


def row(number: int, claim: str, label: str, premise: str = PREMISE) -> LabelledRow:
    return LabelledRow(number, claim, label, premise, None, {})


ROWS = [
    row(1, "The hall is open, and the pool is closed.", "supported"),
    row(2, "The design is beautiful.", "skipped"),
    row(3, "The view is breathtaking.", "supported", "The view is breathtaking."),
    row(4, "The hall was sold.", "fabricated"),
]


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    return VerifiedScorer(GivenTexts.of(""))


def test_a_skip_is_right_on_what_is_no_claim_and_makes_claims_when_it_is_left_out(
    scorer: VerifiedScorer,
) -> None:
    [effect] = effects_of_claims([CLAIM_CHECKS["claims.skip-opinion"]], [(ROWS, scorer, True)])
    assert (effect.claims, effect.fires, effect.right, effect.appear) == (4, 2, 0.5, 2)
    assert effect.found == 0.5  # the supported opinion is found, the other supported row is not touched
    assert effect.accuracy == 0.0  # one more is right, and one that is no claim is called supported


def test_a_split_that_is_left_out_takes_claims_away(scorer: VerifiedScorer) -> None:
    [effect] = effects_of_claims([CLAIM_CHECKS["claims.split-clauses"]], [(ROWS, scorer, True)])
    assert (effect.fires, effect.appear) == (1, -1)
    assert effect.found == 0.0


def test_a_feature_is_measured_on_the_claims_that_raise_it(scorer: VerifiedScorer) -> None:
    samples = examined([one for one in ROWS if one.label != "skipped"], scorer)
    cases = [summarise(sample.read, same_thing=scorer.fusion.same_thing) for sample in samples]
    whole = [scorer.fusion.decide(case) for case in cases]
    assert sum(case.features["coverage"] > 0 for case in cases) == 3
    effect = effect_of(FEATURE_CHECKS["feature.coverage"], samples, scorer.fusion, None, cases, whole)
    assert (effect.fires, effect.right) == (3, None)
    assert effect.log_loss != 0
    assert "| feature.coverage | 3 | - |" in "\n".join(lines("some", [effect]))
