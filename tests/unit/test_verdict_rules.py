"""The rules above the weights, each by itself, and the weights against an independent calculation."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verifier_signals.types import Outcome, SignalScore

from verifier.core.errors import ConfigError
from verifier.readers import Answer, Reading, State
from verifier.types import Claim, Evidence, Verdict
from verifier.verification.consultation.answers import Consulted
from verifier.verification.consultation.quotations import Quoted
from verifier.verification.decision.features import FEATURES, WindowScores
from verifier.verification.decision.subjects import OfAnother
from verifier.verification.decision.summary import ClaimCase
from verifier.verification.decision.verdict import OF_ANOTHER_CONTRADICTION, Fusion
from verifier.verification.evidence.windows import Window

EVEN = dict.fromkeys(Verdict, 0.25)
EVIDENCE = Evidence("a", "a.md", "The fee is 5 EUR.", 0, 17, 1.0)
WINDOW = Window(EVIDENCE, 0, 17, EVIDENCE.text, ((0, 17, 0),))
FUSION = Fusion(
    nli="none",
    weights={
        "supported": {"entity_match": 0.5},
        "contradicted": {"number_conflict": 4.0, "polarity": 6.0},
        "fabricated": {"number_untraced": 2.0, "words_untraced": 1.0},
        "unverifiable": {"hedge": 3.0},
    },
    bias={"supported": 0.5, "contradicted": -1.0, "fabricated": 0.25, "unverifiable": 0.0},
    temperature=2.0,
    supported_at=0.4,
    veto_at=0.5,
    same_thing=0.8,
    confirmed_at=0.5,
    learnt_from={},
    figures={},
    support_slope=1.5,
    support_offset=0.2,
)


def case(*, consulted: Consulted | None = None, **given: object) -> ClaimCase:
    features = {**dict.fromkeys(FEATURES, 0.0), **given.pop("features", {})}  # type: ignore[dict-item]
    return ClaimCase(Claim("c", 0, 1), (), features, None, None, consulted=consulted, **given)  # type: ignore[arg-type]


def chances(
    supported: float, contradicted: float, fabricated: float, unverifiable: float
) -> dict[Verdict, float]:
    return {
        Verdict.SUPPORTED: supported,
        Verdict.CONTRADICTED: contradicted,
        Verdict.FABRICATED: fabricated,
        Verdict.UNVERIFIABLE: unverifiable,
    }


# The weights


@given(st.dictionaries(st.sampled_from(FEATURES), st.floats(0, 1)), st.floats(0.5, 3), st.floats(-2, 2))
def test_probabilities_are_a_softmax_whose_support_is_set_right(
    features: dict[str, float], slope: float, offset: float
) -> None:
    fusion = replace(FUSION, support_slope=slope, support_offset=offset)
    logits = np.array(
        [
            (
                fusion.bias[verdict]
                + sum(w * features.get(name, 0) for name, w in fusion.weights[verdict].items())
            )
            / 2
            for verdict in Verdict
        ]
    )
    plain = np.exp(logits) / np.exp(logits).sum()
    own = plain[[*Verdict].index(Verdict.SUPPORTED)]
    expected = 1 / (1 + math.exp(-(slope * math.log(own / (1 - own)) + offset)))
    found = fusion.probabilities(features)
    assert found[Verdict.SUPPORTED] == pytest.approx(expected)
    for verdict, chance in zip(Verdict, plain, strict=True):
        if verdict is not Verdict.SUPPORTED:
            assert found[verdict] == pytest.approx(chance * (1 - expected) / (1 - own))


def test_a_fusion_file_has_sorted_keys_and_a_value_a_line(tmp_path: Path) -> None:
    FUSION.save(tmp_path / "fusion.json")
    assert (tmp_path / "fusion.json").read_text() == json.dumps(
        asdict(FUSION), indent=1, sort_keys=True
    ) + "\n"


def test_a_veto_at_its_upper_end_is_allowed(tmp_path: Path) -> None:
    replace(FUSION, veto_at=1.0).save(tmp_path / "fusion.json")
    assert Fusion.load(tmp_path / "fusion.json").veto_at == 1.0


@pytest.mark.parametrize(
    ("feature", "weight", "told"),
    [("number_conflict", 1.0, "lower"), ("coverage", -1.0, "raise")],
)
def test_which_way_a_feature_may_go_is_told(tmp_path: Path, feature: str, weight: float, told: str) -> None:
    weights = {**FUSION.weights, "supported": {feature: weight}, "contradicted": {}}
    replace(FUSION, weights=weights).save(tmp_path / "f.json")
    said = (
        rf"^fusion file .*f\.json: the feature {feature} may only {told} support, against each other verdict, "
        "and its weights do otherwise$"
    )
    with pytest.raises(ConfigError, match=said):
        Fusion.load(tmp_path / "f.json")


@pytest.mark.parametrize(
    ("verdict", "features", "feature", "signal"),
    [
        (Verdict.CONTRADICTED, {"number_conflict": 1.0, "polarity": 0.5}, "number_conflict", "number"),
        (Verdict.CONTRADICTED, {"number_conflict": 0.5, "polarity": 0.5}, "polarity", "negation"),
        # A contradiction is never put down to what is missing, nor to what lifts another verdict.
        (Verdict.CONTRADICTED, {"number_conflict": 0.1, "hedge": 1.0}, "number_conflict", "number"),
        (
            Verdict.FABRICATED,
            {"number_untraced": 1.0, "words_untraced": 1.0, "number_conflict": 1.0},
            None,
            "number",
        ),
        (Verdict.UNVERIFIABLE, {"hedge": 0.5, "number_untraced": 1.0}, "hedge", "negation"),
        (Verdict.SUPPORTED, {"entity_match": 1.0, "hedge": 1.0}, "entity_match", "entity"),
    ],
)
def test_the_feature_that_lifts_a_verdict_most_decided_it(
    verdict: Verdict, features: Mapping[str, float], feature: str | None, signal: str
) -> None:
    sure = {**dict.fromkeys(Verdict, 0.1), verdict: 0.7}
    decided = FUSION.rule(case(features=features), sure)
    assert (decided.verdict, decided.decided_by) == (verdict, signal)
    assert decided.feature == (feature or "number_untraced")


# What is told of another


def test_what_is_told_of_another_supports_nothing_and_what_is_told_otherwise_contradicts() -> None:
    other = OfAnother(WINDOW, (0, 1), (0, 3), conflict=False)
    given_chances = chances(0.6, 0.1, 0.1, 0.2)
    silent = FUSION.rule(case(of_another=other), given_chances)
    assert silent.verdict is Verdict.UNVERIFIABLE
    assert silent.probabilities == pytest.approx(chances(0.0, 0.1, 0.1, 0.8))
    denied = FUSION.rule(case(of_another=replace(other, conflict=True)), chances(0.1, 0.1, 0.4, 0.4))
    assert denied.verdict is Verdict.CONTRADICTED
    left = (1 - OF_ANOTHER_CONTRADICTION) / 2
    assert denied.probabilities == pytest.approx(chances(0.0, OF_ANOTHER_CONTRADICTION, left, left))
    sure = FUSION.rule(case(of_another=replace(other, conflict=True)), chances(0.9, 0.05, 0.05, 0.0))
    assert sure.probabilities == pytest.approx(chances(0.0, 0.95, 0.05, 0.0))


# What a reader said


def consulted(answer: Answer, *, quotes: bool = True, disputed: bool = False, **given: object) -> Consulted:
    quoted = (Quoted(EVIDENCE, 0, 17),) if quotes else ()
    reading = Reading(State.SETTLED, answer, disputed=disputed)
    return Consulted(reading, quotes, quoted, **given)  # type: ignore[arg-type]


def conflicting(strength: float) -> WindowScores:
    """A quoted place that speaks of the whole claim and has another value."""
    scores = {
        "traceability": SignalScore(
            "traceability", Outcome.CONSISTENT, 1.0, (), {"coverage": 1.0, "order": 1.0}
        ),
        "number": SignalScore("number", Outcome.CONFLICTING, 0.0, (), {"conflict": strength}),
    }
    names = {
        "polarity",
        "antonym",
        "quantifier",
        "modality",
        "condition",
        "hedge",
        "reach",
        "cause",
        "denial",
    }
    entity = dict.fromkeys(("conflict", "match", "absent", "role_conflict", "unknown"), 0.0)
    scores["negation"] = SignalScore("negation", Outcome.CONSISTENT, 1.0, (), dict.fromkeys(names, 0.0))
    scores["entity"] = SignalScore("entity", Outcome.CONSISTENT, 1.0, (), entity)
    return WindowScores(WINDOW, scores)


def test_support_of_a_reader_below_its_threshold_is_withheld_and_at_it_is_not() -> None:
    read = case(consulted=consulted(Answer.SUPPORTED))
    low = FUSION.rule(read, chances(0.39, 0.2, 0.2, 0.21))
    assert (low.verdict, low.withheld, low.conflict) == (Verdict.UNVERIFIABLE, Verdict.SUPPORTED, False)
    assert (low.decided_by, low.feature) == ("reader", "reader_supported")
    just = FUSION.rule(read, chances(0.4, 0.2, 0.2, 0.2))
    assert (just.verdict, just.withheld) == (Verdict.SUPPORTED, None)
    denied = FUSION.rule(case(consulted=consulted(Answer.CONTRADICTED)), chances(0.1, 0.1, 0.4, 0.4))
    assert (denied.verdict, denied.withheld) == (Verdict.CONTRADICTED, None)


def test_a_reader_that_quotes_nothing_is_weighed_and_one_that_quotes_is_believed() -> None:
    weighed = FUSION.rule(
        case(consulted=consulted(Answer.SUPPORTED, quotes=False)), chances(0.3, 0.5, 0.1, 0.1)
    )
    assert weighed.verdict is Verdict.CONTRADICTED
    believed = FUSION.rule(case(consulted=consulted(Answer.SUPPORTED)), chances(0.45, 0.5, 0.0, 0.05))
    assert believed.verdict is Verdict.SUPPORTED


def test_sources_that_a_reader_finds_to_disagree_support_nothing() -> None:
    decided = FUSION.rule(
        case(consulted=consulted(Answer.NOT_FOUND, disputed=True)), chances(0.6, 0.1, 0.2, 0.1)
    )
    assert (decided.verdict, decided.conflict, decided.withheld) == (Verdict.UNVERIFIABLE, True, None)
    assert decided.probabilities == pytest.approx(chances(0.0, 0.1, 0.2, 0.7))


@pytest.mark.parametrize(("strength", "conflict"), [(0.5, True), (0.0, False)])
@pytest.mark.parametrize("insisted", [True, False])
def test_support_over_a_proven_conflict_is_one_where_the_reader_insists(
    strength: float, conflict: bool, insisted: bool
) -> None:
    said = consulted(Answer.SUPPORTED, windows=(conflicting(strength),), insisted=insisted)
    decided = FUSION.rule(case(consulted=said), chances(0.9, 0.0, 0.0, 0.1))
    assert decided.conflict is (conflict and insisted)
    assert (decided.verdict is Verdict.SUPPORTED) is not (conflict and insisted)
    assert decided.withheld is None


@pytest.mark.parametrize("insisted", [True, False])
@pytest.mark.parametrize("stated", [True, False])
def test_a_denial_of_what_a_document_states_is_a_conflict_where_the_reader_insists(
    insisted: bool, stated: bool
) -> None:
    said = consulted(Answer.CONTRADICTED, windows=(conflicting(1.0),), insisted=insisted)
    decided = FUSION.rule(case(consulted=said, stated=stated), chances(0.1, 0.8, 0.0, 0.1))
    assert decided.conflict is (insisted and stated)


def test_what_a_reader_does_not_find_is_whichever_is_likelier() -> None:
    read = case(consulted=consulted(Answer.NOT_FOUND))
    assert FUSION.rule(read, chances(0.6, 0.1, 0.2, 0.1)).verdict is Verdict.FABRICATED
    assert FUSION.rule(read, chances(0.6, 0.1, 0.1, 0.2)).verdict is Verdict.UNVERIFIABLE
    assert FUSION.rule(read, EVEN).verdict is Verdict.FABRICATED
