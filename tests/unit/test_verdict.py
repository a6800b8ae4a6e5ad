"""Fusion: weights to probabilities, the rules above them, and the file they live in."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verifier_signals.types import Finding, Outcome, Relation, SignalScore

from verifier.core.errors import ConfigError
from verifier.types import Claim, Evidence, Span, Verdict
from verifier.verification.decision.features import CONFLICTS, FEATURES, IN_FAVOUR, WindowScores
from verifier.verification.decision.summary import ClaimCase, ReadClaim, summarise
from verifier.verification.decision.verdict import ANY_CHECK, BEYOND_ODDS, Decided, Fusion
from verifier.verification.evidence.windows import Window, joined
from verifier.verification.statements import Factuality

SIGNAL_FEATURES = {
    "traceability": ("coverage", "order", "novel"),
    "number": ("conflict", "match", "absent"),
    "entity": ("conflict", "match", "absent", "role_conflict", "unknown"),
    "negation": (
        *("polarity", "antonym", "quantifier", "modality", "condition"),
        *("hedge", "reach", "cause", "denial"),
    ),
    "nli": ("entailment", "neutral", "contradiction"),
}
FUSION = Fusion(
    nli="none",
    weights={
        "supported": {},
        "contradicted": {"number_conflict": 8.0, "coverage": -1.0},
        "fabricated": {"coverage": -6.0, "entity_unknown": 2.0},
        "unverifiable": {"coverage": -3.0, "hedge": 4.0},
    },
    bias={"supported": 0.0, "contradicted": -2.0, "fabricated": 3.0, "unverifiable": 1.0},
    temperature=1.0,
    supported_at=0.5,
    veto_at=0.5,
    same_thing=0.8,
    confirmed_at=0.5,
    learnt_from={},
    figures={},
)
SHIPPED = [
    Fusion.load(Path(str(path))) for path in files("verifier.verification").joinpath("fusions").iterdir()
]


def _reading(doc_id: str = "a", at: Span = (0, 1), **given_features: float) -> WindowScores:
    """``_reading(traceability_coverage=0.9)``: every other feature is 0."""
    scores = {}
    for signal, names in SIGNAL_FEATURES.items():
        values = {name: given_features.get(f"{signal}_{name}", 0.0) for name in names}
        scores[signal] = SignalScore(signal, Outcome.CONSISTENT, 0.5, (), values)
    item = Evidence(doc_id=doc_id, source=f"{doc_id}.md", text="x", start=0, end=1, score=1.0)
    return WindowScores(Window(item, *at, "x", ((0, 1, 0),)), scores)


def _case(*readings: WindowScores) -> ClaimCase:
    return summarise(ReadClaim(Claim("c", 0, 1), readings, (), 0.0), same_thing=FUSION.same_thing)


def test_full_coverage_without_conflict_is_supported() -> None:
    decided = FUSION.decide(_case(_reading(traceability_coverage=1.0)))
    assert decided.verdict is Verdict.SUPPORTED
    assert decided.confidence == decided.probabilities[Verdict.SUPPORTED]
    assert sum(decided.probabilities.values()) == pytest.approx(1.0)


def test_a_conflicting_number_contradicts_and_names_its_signal() -> None:
    decided = FUSION.decide(_case(_reading(traceability_coverage=1.0, number_conflict=1.0)))
    assert (decided.verdict, decided.decided_by) == (Verdict.CONTRADICTED, "number")


def test_a_wrong_name_is_not_made_up_whether_it_is_known_or_not() -> None:
    told = _features(_reading(traceability_coverage=1.0, entity_conflict=1.0, entity_unknown=1.0))
    assert (told["entity_conflict"], told["entity_unknown"]) == (1.0, 0.0)
    unheard = _features(_reading(traceability_coverage=0.4, entity_unknown=1.0))
    assert unheard["entity_unknown"] == 1.0


def test_no_evidence_is_fabricated_here_and_never_supported() -> None:
    assert FUSION.decide(_case()).verdict is Verdict.FABRICATED


@pytest.mark.parametrize("name", sorted(CONFLICTS))
def test_a_conflict_in_the_best_window_forbids_support_whatever_the_weights_say(name: str) -> None:
    signal, feature = CONFLICTS[name]
    kind = replace(FUSION, weights={**FUSION.weights, "contradicted": {}})
    case = _case(_reading(traceability_coverage=1.0, **{f"{signal}_{feature}": 0.5}))
    decided = kind.decide(case)
    assert decided.vetoed == name
    assert decided.verdict is not Verdict.SUPPORTED


def test_support_below_its_threshold_is_withheld() -> None:
    case = _case(_reading(traceability_coverage=1.0))
    assert replace(FUSION, supported_at=0.99).decide(case).verdict is not Verdict.SUPPORTED


def test_contradiction_below_its_threshold_is_withheld_and_told() -> None:
    case = _case(_reading(traceability_coverage=1.0, number_conflict=0.3))
    sure = FUSION.decide(case).probabilities[Verdict.CONTRADICTED]
    decided = replace(FUSION, contradicted_at=sure + 0.01).decide(case)
    assert (decided.verdict, decided.withheld) == (Verdict.UNVERIFIABLE, Verdict.CONTRADICTED)
    assert replace(FUSION, contradicted_at=sure).decide(case).verdict is Verdict.CONTRADICTED


def test_a_veto_gives_what_spoke_for_support_to_the_contradiction() -> None:
    weak = replace(FUSION, weights={**FUSION.weights, "contradicted": {}})
    decided = weak.decide(_case(_reading(traceability_coverage=1.0, number_conflict=0.5)))
    assert decided.verdict is Verdict.CONTRADICTED
    assert decided.confidence > 0.5
    assert decided.probabilities[Verdict.SUPPORTED] == 0


def _vetoed(check: str, vetoes: dict[str, float]) -> Decided:
    """What is decided of a well covered claim with a conflict that a check found."""
    reading = _reading(traceability_coverage=1.0, number_conflict=0.5)
    finding = Finding("number", Relation.CONFLICT, "12", (0, 2), "13", (0, 2), check=check)
    number = replace(reading.scores["number"], findings=(finding,))
    reading = replace(reading, scores={**reading.scores, "number": number})
    weak = replace(FUSION, weights={**FUSION.weights, "contradicted": {}}, vetoes=vetoes)
    return weak.decide(_case(reading))


def test_a_veto_leaves_support_the_share_that_its_check_is_wrong_in() -> None:
    decided = _vetoed("number.other-value", {"number.other-value": 0.9, ANY_CHECK: 0.85})
    assert decided.verdict is Verdict.CONTRADICTED
    assert decided.probabilities[Verdict.SUPPORTED] == pytest.approx(0.1)
    unknown = _vetoed("number.other-date", {"number.other-value": 0.9, ANY_CHECK: 0.85})
    assert unknown.probabilities[Verdict.SUPPORTED] == pytest.approx(0.15)


def test_a_check_that_is_often_wrong_vetoes_nothing() -> None:
    decided = _vetoed("number.other-value", {"number.other-value": 0.79, ANY_CHECK: 0.9})
    assert (decided.vetoed, decided.verdict) == (None, Verdict.SUPPORTED)


def test_nothing_is_made_up_that_the_knowledge_base_mentions() -> None:
    reading = _reading(traceability_coverage=0.1)
    assert FUSION.decide(_case(reading)).verdict is Verdict.UNVERIFIABLE
    assert FUSION.decide(replace(_case(reading), untraced=("Ember",))).verdict is Verdict.FABRICATED


@pytest.mark.parametrize("way", [one for one in Factuality if one is not Factuality.ASSERTED])
def test_what_a_document_does_not_assert_never_supports(way: Factuality) -> None:
    said = replace(_reading(traceability_coverage=1.0, nli_entailment=1.0), barred=way)
    denied = way is Factuality.DENIED
    for case in (_case(said), _case(said, _reading(at=(5, 6), traceability_coverage=0.5))):
        decided = FUSION.decide(case)
        assert case.unasserted is said
        assert decided.verdict is (Verdict.CONTRADICTED if denied else Verdict.UNVERIFIABLE)
        assert decided.probabilities[Verdict.SUPPORTED] == 0


def test_a_mention_that_is_not_asserted_takes_nothing_from_a_document_that_asserts_it_elsewhere() -> None:
    mention = replace(_reading(at=(5, 6), traceability_coverage=1.0), barred=Factuality.DENIED)
    assert FUSION.decide(_case(_reading(traceability_coverage=1.0), mention)).verdict is Verdict.SUPPORTED


def test_a_document_that_denies_what_another_asserts_is_a_conflict_of_sources() -> None:
    denying = replace(_reading("b", traceability_coverage=1.0), barred=Factuality.DENIED)
    decided = FUSION.decide(_case(_reading("a", traceability_coverage=1.0), denying))
    assert (decided.verdict, decided.conflict) == (Verdict.UNVERIFIABLE, True)


def test_what_is_added_to_a_repeated_sentence_lowers_the_odds_of_support() -> None:
    plain = _case(_reading(traceability_coverage=0.8))
    added = replace(plain, beyond=("hand",))
    before, after = (FUSION.decide(case).probabilities for case in (plain, added))
    odds = [chances[Verdict.SUPPORTED] / (1 - chances[Verdict.SUPPORTED]) for chances in (before, after)]
    assert odds[1] == pytest.approx(odds[0] * BEYOND_ODDS)
    assert sum(after.values()) == pytest.approx(1.0)
    assert after[Verdict.UNVERIFIABLE] > before[Verdict.UNVERIFIABLE]
    assert after[Verdict.CONTRADICTED] == before[Verdict.CONTRADICTED]


def test_sources_that_disagree_are_never_supported() -> None:
    confirming = _reading("a", traceability_coverage=1.0)
    conflicting = _reading("b", traceability_coverage=0.9, number_conflict=1.0)
    decided = FUSION.decide(_case(confirming, conflicting))
    assert (decided.verdict, decided.conflict) == (Verdict.UNVERIFIABLE, True)
    assert decided.probabilities[Verdict.SUPPORTED] == 0
    assert sum(decided.probabilities.values()) == pytest.approx(1.0)


def test_sources_disagree_though_another_passage_speaks_of_more_of_the_claim() -> None:
    confirming = _reading("a", traceability_coverage=0.7)
    conflicting = _reading("b", traceability_coverage=1.0, number_conflict=1.0)
    aside = _reading("b", at=(1, 2), traceability_coverage=0.6, number_conflict=1.0)
    assert FUSION.decide(_case(confirming, conflicting)).conflict
    assert FUSION.decide(_case(_reading("a", traceability_coverage=1.0), aside)).conflict


def test_a_passage_without_the_claims_value_confirms_nothing_that_another_denies() -> None:
    lacking = _reading("a", traceability_coverage=0.9, number_absent=1.0)
    conflicting = _reading("b", traceability_coverage=0.9, number_conflict=1.0)
    assert not FUSION.decide(_case(lacking, conflicting)).conflict


def test_sources_that_disagree_name_the_signal_of_what_they_differ_in() -> None:
    confirming = _reading("a", traceability_coverage=1.0)
    conflicting = _reading("b", traceability_coverage=0.9, entity_conflict=1.0)
    assert FUSION.decide(_case(confirming, conflicting)).decided_by == "entity"


@pytest.mark.parametrize(("beside", "disputed"), [(0.5, 0.9), (0.9, 0.0), (1.0, 0.0)])
def test_a_document_that_confirms_as_much_elsewhere_disputes_nothing(beside: float, disputed: float) -> None:
    confirming = _reading("a", traceability_coverage=1.0)
    otherwise = _reading("b", traceability_coverage=0.9, number_conflict=1.0)
    elsewhere = _reading("b", at=(2, 3), traceability_coverage=beside)
    assert _case(confirming, otherwise, elsewhere).features["disputed"] == disputed


def test_nothing_is_disputed_without_a_second_document() -> None:
    confirming = _reading("a", traceability_coverage=1.0)
    otherwise = _reading("a", at=(2, 3), traceability_coverage=0.9, number_conflict=1.0)
    assert _case(confirming, otherwise).features["disputed"] == 0.0


def test_two_rows_of_a_table_are_no_sources_that_disagree() -> None:
    rows = []
    for doc_id, conflict in (("a", 0.0), ("b", 1.0)):
        reading = _reading(doc_id, traceability_coverage=1.0, number_conflict=conflict)
        text = "model: C4\nprice: 40"
        evidence = replace(reading.window.evidence, text=text, end=len(text))
        rows.append(replace(reading, window=replace(reading.window, evidence=evidence)))
    assert not FUSION.decide(_case(*rows)).conflict


@pytest.mark.parametrize(("text", "disagree"), [("x", True), ("model: C4\nmaker: Orr", False)])
def test_a_table_row_of_another_name_is_no_other_source(text: str, disagree: bool) -> None:
    confirming = _reading("a", traceability_coverage=1.0)
    other = _reading("b", traceability_coverage=0.9, entity_conflict=1.0)
    evidence = replace(other.window.evidence, text=text, end=len(text))
    row = replace(other, window=replace(other.window, evidence=evidence))
    assert FUSION.decide(_case(confirming, row)).conflict is disagree


def test_the_sentence_beside_one_that_bears_the_claim_out_denies_nothing() -> None:
    own = _reading(at=(0, 40), traceability_coverage=1.0)
    neighbour = _reading(at=(40, 80), traceability_coverage=0.95, number_conflict=1.0)
    decided = FUSION.decide(_case(neighbour, own))
    assert (decided.verdict, decided.conflict) == (Verdict.SUPPORTED, False)


@pytest.mark.parametrize("lacking", [{"number_absent": 0.5}, {"entity_absent": 0.5}])
def test_a_sentence_without_all_values_of_the_claim_settles_nothing(lacking: dict[str, float]) -> None:
    partial = _reading(at=(0, 40), traceability_coverage=1.0, **lacking)
    neighbour = _reading(at=(40, 80), traceability_coverage=0.95, number_conflict=1.0)
    assert _case(neighbour, partial).features["number_conflict"] == 0.95


def _with_number(reading: WindowScores, relation: Relation) -> WindowScores:
    """The reading with one finding of its number signal, about the value at the head of the claim."""
    score = replace(reading.scores["number"], findings=(Finding("unit", relation, "7 m", (0, 3)),))
    return replace(reading, scores={**reading.scores, "number": score})


def test_a_cause_that_the_evidence_states_says_nothing_of_another_one_in_the_claim() -> None:
    unstated = Finding("cause", Relation.ABSENT, "because", (4, 11))
    stated = Finding("cause", Relation.MATCH, "by", (0, 2), "by", (0, 2))
    reading = _reading(traceability_coverage=1.0, negation_cause=0.9)

    def cause(*findings: Finding) -> float:
        score = replace(reading.scores["negation"], findings=findings)
        return _case(replace(reading, scores={**reading.scores, "negation": score})).features["cause"]

    assert cause(unstated, stated) == 0.9
    assert cause(unstated, replace(unstated, relation=Relation.MATCH)) == 0.0


def test_a_row_that_states_the_value_settles_the_row_that_has_another() -> None:
    own = _with_number(_reading(at=(0, 40), traceability_coverage=0.7), Relation.MATCH)
    other = _with_number(
        _reading(at=(40, 80), traceability_coverage=0.7, number_conflict=1.0), Relation.CONFLICT
    )
    assert _case(own, other).features["number_conflict"] == 0.0


def test_a_row_that_speaks_of_less_of_the_claim_settles_nothing() -> None:
    stated = _with_number(_reading(at=(0, 40), traceability_coverage=0.68), Relation.MATCH)
    denied = _with_number(
        _reading(at=(40, 80), traceability_coverage=0.7, number_conflict=1.0), Relation.CONFLICT
    )
    assert _case(stated, denied).features["number_conflict"] == 0.7


@pytest.mark.parametrize("read_together", [True, False])
def test_a_value_is_absent_only_where_no_place_that_is_read_together_has_it(read_together: bool) -> None:
    best = _with_number(_reading(at=(0, 40), traceability_coverage=0.7, number_absent=1.0), Relation.ABSENT)
    second = _with_number(_reading(at=(40, 80), traceability_coverage=0.4), Relation.MATCH)
    wide = (WindowScores(joined([best.window, second.window]), {}),) if read_together else ()
    read = ReadClaim(Claim("c", 0, 1), (best, second), wide, 0.0)
    case = summarise(read, same_thing=FUSION.same_thing)
    assert case.features["number_absent"] == float(not read_together)


def test_a_passage_settles_nothing_that_a_sentence_of_it_denies() -> None:
    passage = _reading(at=(0, 80), traceability_coverage=1.0)
    sentence = _reading(at=(40, 80), traceability_coverage=0.95, negation_polarity=1.0)
    assert _case(passage, sentence).features["polarity"] == 0.95


def test_another_document_that_speaks_of_more_of_the_claim_still_denies_it() -> None:
    own = _reading("a", traceability_coverage=0.95)
    other = _reading("b", traceability_coverage=1.0, number_conflict=1.0)
    assert _case(own, other).features["number_conflict"] == 1.0


def test_evidence_about_something_else_does_not_contradict() -> None:
    confirming = _reading("a", traceability_coverage=1.0)
    elsewhere = _reading("b", traceability_coverage=0.4, number_conflict=1.0)
    decided = FUSION.decide(_case(confirming, elsewhere))
    assert (decided.verdict, decided.conflict) == (Verdict.SUPPORTED, False)


@given(
    st.fixed_dictionaries({name: st.floats(0, 1) for name in FEATURES}),
    st.sampled_from(FEATURES),
    st.floats(0, 1),
)
def test_shipped_weights_are_monotone_in_every_feature(
    features: dict[str, float], name: str, raised: float
) -> None:
    for fusion in SHIPPED:
        higher = {**features, name: max(features[name], raised)}
        before = fusion.probabilities(features)[Verdict.SUPPORTED]
        after = fusion.probabilities(higher)[Verdict.SUPPORTED]
        if name in IN_FAVOUR:
            assert after >= before - 1e-9
        else:
            assert after <= before + 1e-9


def test_a_fusion_file_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    FUSION.save(tmp_path / "fusion.json")
    assert Fusion.load(tmp_path / "fusion.json") == FUSION


def test_a_broken_fusion_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "fusion.json"
    with pytest.raises(ConfigError, match="cannot read"):
        Fusion.load(path)
    path.write_text("{")
    with pytest.raises(ConfigError, match="malformed"):
        Fusion.load(path)
    path.write_text(json.dumps({"nli": "none"}))
    with pytest.raises(ConfigError, match="malformed"):
        Fusion.load(path)
    FUSION.save(path)
    raw = json.loads(path.read_text())
    raw["weights"]["supported"]["telepathy"] = 1.0
    path.write_text(json.dumps(raw))
    with pytest.raises(ConfigError, match="verifier calibrate"):
        Fusion.load(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "0.5", None])
@pytest.mark.parametrize("name", ["supported_at", "confirmed_at", "temperature", "bias", "weights"])
def test_what_is_no_number_in_a_fusion_file_is_refused(tmp_path: Path, name: str, value: object) -> None:
    path = tmp_path / "fusion.json"
    FUSION.save(path)
    raw = json.loads(path.read_text())
    if name in ("bias", "weights"):
        row = raw[name] if name == "bias" else raw[name]["contradicted"]
        row[next(iter(row))] = value
    else:
        raw[name] = value
    path.write_text(json.dumps(raw))
    with pytest.raises(ConfigError, match="must be a number"):
        Fusion.load(path)


def test_a_model_without_a_fusion_names_the_command_that_learns_one() -> None:
    with pytest.raises(ConfigError, match="verifier calibrate"):
        Fusion.embedded("f00d")


def _edited(tmp_path: Path, verdict: str, feature: str, weight: float) -> Path:
    FUSION.save(tmp_path / "fusion.json")
    raw = json.loads((tmp_path / "fusion.json").read_text())
    raw["weights"][verdict][feature] = weight
    (tmp_path / "fusion.json").write_text(json.dumps(raw))
    return tmp_path / "fusion.json"


@pytest.mark.parametrize(
    ("verdict", "feature", "weight"),
    [
        *[("supported", name, 0.1) for name in CONFLICTS],
        ("contradicted", "number_conflict", -0.5),
        ("supported", "coverage", -2.0),
        ("unverifiable", "borne_out", 0.5),
    ],
)
def test_a_weight_that_turns_a_feature_the_wrong_way_is_refused_by_its_name(
    tmp_path: Path, verdict: str, feature: str, weight: float
) -> None:
    with pytest.raises(ConfigError, match=rf"feature {feature} may only (raise|lower) support"):
        Fusion.load(_edited(tmp_path, verdict, feature, weight))


def test_a_weight_of_supported_is_held_against_those_of_the_others(tmp_path: Path) -> None:
    assert Fusion.load(_edited(tmp_path, "supported", "number_conflict", -1.0))
    assert Fusion.load(_edited(tmp_path, "supported", "coverage", 1.0))


@pytest.mark.parametrize("field", ["support_slope", "temperature"])
@pytest.mark.parametrize("value", [0.0, -1.0])
def test_a_slope_or_temperature_that_turns_every_weight_around_is_refused(
    tmp_path: Path, field: str, value: float
) -> None:
    replace(FUSION, **{field: value}).save(tmp_path / "fusion.json")
    with pytest.raises(ConfigError, match="must be above 0"):
        Fusion.load(tmp_path / "fusion.json")


@pytest.mark.parametrize("veto_at", [0.0, 2.0])
def test_a_veto_that_is_out_of_reach_is_refused(tmp_path: Path, veto_at: float) -> None:
    replace(FUSION, veto_at=veto_at).save(tmp_path / "fusion.json")
    with pytest.raises(ConfigError, match="veto_at must be above 0 and at most 1"):
        Fusion.load(tmp_path / "fusion.json")


def test_a_piece_of_a_window_that_tells_the_deed_of_others_bears_nothing_out() -> None:
    whole = _reading("a", (0, 9), traceability_coverage=1.0, entity_conflict=1.0)
    piece = _reading("a", (4, 9), traceability_coverage=0.95, entity_match=1.0)
    assert _features(whole, piece)["entity_conflict"] > 0


def _features(*readings: WindowScores) -> dict[str, float]:
    return dict(_case(*readings).features)
