"""The ablation: a silent signal leaves no trace in any feature, and the others keep theirs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from verifier_signals.types import Finding, Outcome, Relation, SignalScore

from benchmarks.ablation import Figures, lines, without
from verifier.config import SIGNALS
from verifier.measure.samples import Sample
from verifier.types import Claim, Evidence, Verdict
from verifier.verification.decision.features import FEATURES, WindowScores, signal_of
from verifier.verification.decision.joined_facts import Related
from verifier.verification.decision.summary import ReadClaim, summarise
from verifier.verification.evidence.windows import whole

NAMES = {
    "traceability": ("coverage", "order", "novel"),
    "number": ("conflict", "match", "absent"),
    "entity": ("conflict", "match", "absent", "role_conflict", "unknown"),
    "negation": (
        *("polarity", "antonym", "quantifier", "modality", "condition"),
        *("hedge", "reach", "cause", "denial"),
    ),
    "nli": ("entailment", "neutral", "contradiction"),
}
SETTLED = ("borne_out", "ruled_out")
"""Features of which one at most is there."""
CLAIM = Claim("The lock holds 30 boats, more than any.", 0, 39)
PREMISE = "The lock is deep, but it held no water in 1990 and in 1995."


def _sample() -> Sample:
    """A claim of which every signal says something."""
    absent = Finding("number", Relation.ABSENT, "30", (15, 17))
    cause = Finding("cause", Relation.ABSENT, "holds", (9, 14))
    found = {"negation": (absent, cause)}
    scores = {
        signal: SignalScore(
            signal, Outcome.ABSENT, 0.5, found.get(signal, (absent,)), dict.fromkeys(names, 0.6)
        )
        for signal, names in NAMES.items()
    }
    reading = WindowScores(whole(Evidence("d", "d.md", PREMISE, 0, len(PREMISE), 1.0)), scores)
    return Sample(ReadClaim(CLAIM, (reading,), (reading,), 0.5), Verdict.FABRICATED, 0)


def _features(sample: Sample) -> dict[str, float]:
    return dict(summarise(sample.read, same_thing=0.8).features)


@pytest.mark.parametrize("silent", [name for name in SIGNALS if name != "traceability"])
def test_a_silent_signal_leaves_no_trace(silent: str) -> None:
    before, after = _features(_sample()), _features(without(_sample(), [silent]))
    for name in FEATURES:
        if signal_of(name) == silent:
            assert before[name] > 0.0 or name in SETTLED
            assert after[name] == 0.0
        elif name not in ("nearly_whole", "words_untraced"):
            assert after[name] == before[name]


@pytest.mark.parametrize(("holds", "feature"), [(True, "borne_out"), (False, "ruled_out")])
def test_without_negation_nothing_is_settled_either(holds: bool, feature: str) -> None:
    sample = _sample()
    window, score = sample.read.readings[0].window, sample.read.readings[0].scores["negation"]
    settled = replace(sample, read=replace(sample.read, settled=Related(holds, window, score)))
    assert _features(settled)[feature] == 1.0
    after = _features(without(settled, ["negation"]))
    assert (after["borne_out"], after["ruled_out"]) == (0.0, 0.0)


def test_silent_traceability_says_the_same_of_every_window_and_keeps_the_conflicts() -> None:
    after = _features(without(_sample(), ["traceability"]))
    assert (after["coverage"], after["order"], after["novel"], after["words_untraced"]) == (
        1.0,
        1.0,
        0.0,
        0.0,
    )
    assert after["number_conflict"] > 0.0


def test_the_table_gives_the_difference_to_all_signals() -> None:
    rows = [Figures("all signals", (), 0.75, 0.02, 0.9), Figures("without number", (), 0.5, 0.1, 0.9)]
    assert list(lines(rows))[3] == "| without number | 50.0% | -25.0 | 10.0% | 90.0% |"
