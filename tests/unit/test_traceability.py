"""The traceability signal: what of the claim stands in the evidence, and where."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair

from verifier.core.errors import SignalError


def score(premise: str, hypothesis: str, signal: TraceabilitySignal | None = None) -> SignalScore:
    return (signal or TraceabilitySignal()).score([TextPair(premise, hypothesis)])[0]


PREMISE = "In September 2024 Fenwick Energy acquired Corrie Hydro for £142 million."


def test_the_same_sentence_is_covered_in_order_with_nothing_new() -> None:
    got = score(PREMISE, PREMISE)
    assert got.outcome is Outcome.CONSISTENT
    assert got.features == {"coverage": 1.0, "order": 1.0, "novel": 0.0}


def test_a_foreign_claim_is_absent_and_new() -> None:
    got = score(PREMISE, "Otters eat 3 crabs daily.")
    assert got.outcome is Outcome.ABSENT
    assert got.features["coverage"] == 0.0
    assert got.features["novel"] == 1.0


@pytest.mark.parametrize(
    "hypothesis",
    [
        "Fenwick Energy bought Corrie Hydro.",  # synonym
        "the ACQUISITION of corrie hydro by fenwick energy",  # derivation, case
        "Corrie Hydro was acquired by Fenwick Energy for 142,000,000 pounds.",  # number in another form
        "Fenwick Energy acquired Corie Hydro.",  # a slip in a name
        "Fénwick Energy acquired Corrie Hydro.",  # accent
    ],
)
def test_other_forms_of_the_same_content_are_covered(hypothesis: str) -> None:
    assert score(PREMISE, hypothesis).outcome is Outcome.CONSISTENT


def test_words_that_differ_by_a_letter_on_purpose_are_not_a_slip() -> None:
    assert score("The plan was adopted.", "The plan was adapted.").outcome is Outcome.ABSENT


def test_another_number_is_not_covered() -> None:
    got = score(PREMISE, "Fenwick Energy acquired Corrie Hydro for £124 million.")
    assert [finding.claim_value for finding in got.findings if finding.relation is Relation.ABSENT] == [
        "£124 million"
    ]


def test_the_number_of_a_name_is_found_in_a_column_of_names() -> None:
    record = "model: Corrin 40; maker: Orr; weight: 3 kg"
    assert score(record, "Orr makes the Corrin 40.").features["coverage"] == 1.0
    assert score(record, "Orr makes the Corrin 60.").features["coverage"] < 1.0


def test_spans_quote_both_sides() -> None:
    hypothesis = "Corrie Hydro was bought."
    for finding in score(PREMISE, hypothesis).findings:
        assert finding.kind == "content"
        assert hypothesis[slice(*finding.claim_span)] == finding.claim_value
        assert finding.evidence_span is not None
        assert PREMISE[slice(*finding.evidence_span)] == finding.evidence_value


def test_scattered_words_lose_order_but_no_coverage() -> None:
    kept = score(
        "The old red tractor ploughs northern fields.", "The old red tractor ploughs northern fields."
    )
    scattered = score(
        "Northern fields. Ploughs. A tractor. Red. Old.", "The old red tractor ploughs northern fields."
    )
    assert scattered.features["coverage"] == kept.features["coverage"] == 1.0
    assert scattered.features["order"] < 0.5 < kept.features["order"]


def test_rarity_weighs_the_words() -> None:
    def rarity(words: Sequence[str]) -> list[float]:
        return [1.0 if word == "zeolite" else 0.1 for word in words]

    signal = TraceabilitySignal(rarity)
    assert score("the filter holds zeolite", "the filter binds zeolite", signal).features["coverage"] > 0.8
    assert score("the filter binds sand", "the filter binds zeolite", signal).features["coverage"] < 0.2


@pytest.mark.parametrize("weights", [[1.0], [2.0, 0.5], [float("nan"), 0.5], [-0.1, 0.5]])
def test_a_bad_rarity_is_a_signal_error(weights: list[float]) -> None:
    signal = TraceabilitySignal(lambda words: weights)
    with pytest.raises(SignalError, match="one weight in"):
        score("otters swim", "otters swim", signal)


def test_rarity_of_zero_everywhere_is_no_coverage_but_no_failure() -> None:
    got = score("otters swim", "otters swim", TraceabilitySignal(lambda words: [0.0] * len(words)))
    assert got.features["coverage"] == 0.0


def test_a_claim_without_content_is_not_applicable() -> None:
    assert score(PREMISE, "It is what it is.").outcome is Outcome.NOT_APPLICABLE


def test_it_never_conflicts() -> None:
    pairs = [
        TextPair(PREMISE, f"Fenwick Energy sold Corrie Hydro for £{number} million.") for number in range(20)
    ]
    assert {got.outcome for got in TraceabilitySignal().score(pairs)} <= {Outcome.ABSENT, Outcome.CONSISTENT}


def test_words_that_any_sentence_may_hold_weigh_little() -> None:
    signal = TraceabilitySignal(rarity=lambda words: [1.0] * len(words))
    light, heavy = signal.score(
        [
            TextPair("The turbine stopped.", "The turbine actually came to stop."),
            TextPair("The turbine stopped.", "The turbine furnace melted to stop."),
        ]
    )
    assert light.features["coverage"] > heavy.features["coverage"] + 0.2


def test_contractions_and_possessives_are_read_as_one_word() -> None:
    score = TraceabilitySignal().score([TextPair("The dog sleeps.", "The dog's friend doesn’t sleep.")])[0]
    assert [finding.claim_value for finding in score.findings] == ["dog", "friend", "sleep"]
