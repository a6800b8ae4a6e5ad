"""What verdicts gain by an NLI model: sets are left out whole, and a model that tells more is seen to."""

from __future__ import annotations

from random import Random

from verifier_signals.types import Outcome, SignalScore

from benchmarks.left_out import Figures, left_out, lines
from verifier.measure.samples import Sample
from verifier.types import Claim, Evidence, Verdict
from verifier.verification.decision.features import WindowScores
from verifier.verification.decision.summary import ReadClaim
from verifier.verification.evidence.windows import whole

CLAIM = Claim("The lock holds 30 boats.", 0, 24)
PREMISE = "The lock is deep and holds boats."
TRACED = {"coverage": 0.8, "order": 0.8, "novel": 0.2}


def a_sample(verdict: Verdict, entailment: float) -> Sample:
    """A claim of which the NLI model alone says something."""
    nli = {"entailment": entailment, "neutral": 1.0 - entailment, "contradiction": 0.0}
    scores = {
        name: SignalScore(name, Outcome.ABSENT, 0.5, (), features)
        for name, features in (("traceability", TRACED), ("nli", nli))
    }
    reading = WindowScores(whole(Evidence("d", "d.md", PREMISE, 0, len(PREMISE), 1.0)), scores)
    return Sample(ReadClaim(CLAIM, (reading,), (reading,), 0.2), verdict, 0)


def a_set(seed: int, told: float, high: Verdict = Verdict.SUPPORTED) -> list[Sample]:
    """Forty claims, ten of each verdict; in the share ``told`` of them entailment is high for ``high`` alone."""
    rng = Random(seed)
    return [
        a_sample(verdict, rng.uniform(0.7, 0.9) if (verdict is high) is (rng.random() < told) else 0.2)
        for verdict in Verdict
        for _ in range(10)
    ]


def test_a_model_that_tells_more_is_seen_to() -> None:
    found = [
        left_out("m", {"a": a_set(1, told), "b": a_set(2, told), "t": a_set(3, told)}, "x", ["a", "b"])
        for told in (1.0, 0.6)
    ]
    assert [row.claims for row in found] == [80, 80]
    assert found[0].nli_alone == found[0].auroc == 1.0
    assert (found[0].false_support, found[0].supported_recall) == (0.0, 1.0)
    assert found[1].nli_alone < 0.8
    assert found[1].log_loss > found[0].log_loss + 0.1


def test_a_set_is_judged_by_what_the_others_taught() -> None:
    """One in which high entailment goes with fabricated claims does not teach that to itself."""
    odd = {"a": a_set(1, 1.0), "b": a_set(2, 1.0), "odd": a_set(3, 1.0, Verdict.FABRICATED)}
    assert left_out("m", odd, "x", ["odd", "a"]).supported_recall <= 0.5
    assert left_out("m", odd, "x", ["a", "b"]).supported_recall == 1.0


def test_the_table_has_a_row_a_model() -> None:
    rows = [Figures("nli", 560, 0.719, 0.7237, 0.695, 0.823, 0.304, 0.865)]
    assert list(lines(rows))[2] == "| nli | 560 | 0.719 | 0.7237 | 0.695 | 0.823 | 0.304 | 0.865 |"
