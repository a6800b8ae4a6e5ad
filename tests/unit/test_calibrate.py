"""Calibration: what it keeps, what it promises, what it refuses to promise, and the file that it leaves."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner
from verifier_backends.bm25 import BM25Backend

from verifier.core.errors import ConfigError
from verifier.interfaces.cli.app import app
from verifier.knowledge.store import GroundTruthStore
from verifier.measure.calibrate import Calibration, Unproven, recalibrate, relearn
from verifier.measure.rows import LabelledRow
from verifier.measure.samples import samples_of, too_few_to_learn
from verifier.types import Verdict
from verifier.verification.decision.features import FEATURES
from verifier.verification.decision.summary import summarise
from verifier.verification.decision.verdict import Fusion
from verifier.verification.scorer import VerifiedScorer, default_signals
from verifier.verification.vocabulary import Vocabulary

TOWNS = ("Arden", "Brill", "Corve", "Dunmore", "Elsdon", "Fenwick", "Garth", "Holme", "Inver", "Jarrow")
THINGS = ("library", "harbour", "museum", "stadium", "cathedral")
RULES = Fusion.embedded("none")


def row(premise: str, claim: str, label: str, town: str) -> LabelledRow:
    return LabelledRow(1, claim, label, premise, None, {"documents": [town]})


def labelled(
    supported: int, contradicted: int = 0, fabricated: int = 0, unverifiable: int = 0
) -> list[LabelledRow]:
    """Claims about what towns have and when it opened: right, with another year, about others, or beyond it."""
    rows = []
    for n in range(supported + contradicted + fabricated + unverifiable):
        town, thing, year = TOWNS[n % 10], THINGS[n // 10 % 5], 1900 + n
        premise = f"The {thing} of {town} opened in {year} and is run by the county."
        if n < supported:
            rows.append(row(premise, f"The {thing} of {town} opened in {year}.", "supported", town))
        elif n < supported + contradicted:
            claim = f"The {thing} of {town} opened in {year - 20}."
            rows.append(row(premise, claim, "contradicted", town))
        elif n < supported + contradicted + fabricated:
            claim = f"Senator Quillon paid 90 million rubles for the Zembla viaduct number {n}."
            rows.append(row(premise, claim, "fabricated", town))
        else:
            claim = f"The {thing} of {town} has a garden with old trees."
            rows.append(row(premise, claim, "unverifiable", town))
    return rows


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    signals = [signal for signal in default_signals(Vocabulary()) if signal.name != "nli"]
    return VerifiedScorer(GroundTruthStore(BM25Backend()), signals)


FIFTY = labelled(35, 15)
ENOUGH = labelled(60, 25, 25, 25)


@pytest.fixture(scope="module")
def calibrated(scorer: VerifiedScorer) -> Calibration:
    return recalibrate(FIFTY, scorer, target_error=0.1)


@pytest.fixture(scope="module")
def learnt(scorer: VerifiedScorer) -> Calibration:
    return relearn(ENOUGH, scorer, target_error=0.2)


def test_fifty_labels_set_a_threshold_and_leave_the_weights_alone(
    calibrated: Calibration, tmp_path: Path
) -> None:
    done = calibrated
    kept = ("nli", "weights", "bias", "temperature", "veto_at", "same_thing", "confirmed_at")
    assert [getattr(done.fusion, name) for name in kept] == [getattr(RULES, name) for name in kept]
    done.fusion.save(tmp_path / "fusion.json")
    assert Fusion.load(tmp_path / "fusion.json") == done.fusion


def test_the_recorded_promise_is_what_the_saved_fusion_does(scorer: VerifiedScorer) -> None:
    fusion = recalibrate(FIFTY, scorer, target_error=0.1, confidence=0.8).fusion
    guarantee = fusion.figures["guarantee"]
    verdicts = [
        fusion.decide(summarise(sample.read, same_thing=fusion.same_thing)).verdict
        for sample in samples_of(FIFTY, scorer)
    ]
    called = [
        item.label for item, verdict in zip(FIFTY, verdicts, strict=True) if verdict is Verdict.SUPPORTED
    ]
    assert (guarantee["accepted"], guarantee["wrong"]) == (len(called), called.count("contradicted"))
    assert guarantee["upper_bound"] <= guarantee["target_error"] == 0.1
    assert (guarantee["labels"], guarantee["confidence"]) == (50, 0.8)


def test_labels_that_say_only_not_entailed_count_as_well(
    scorer: VerifiedScorer, calibrated: Calibration
) -> None:
    two_way = {"supported": "entailment", "contradicted": "not_entailment"}
    rows = [replace(item, label=two_way[item.label]) for item in FIFTY]
    two = recalibrate(rows, scorer, target_error=0.1).fusion
    assert two.supported_at == calibrated.fusion.supported_at


def test_calibrating_a_calibrated_fusion_again_changes_nothing(calibrated: Calibration) -> None:
    once = calibrated.fusion
    signals = [signal for signal in default_signals(Vocabulary()) if signal.name != "nli"]
    again = VerifiedScorer(GroundTruthStore(BM25Backend()), signals, fusion=once)
    assert recalibrate(FIFTY, again, target_error=0.1).fusion == once


def test_ones_own_labels_take_away_the_note_that_nobody_has_calibrated_the_weights() -> None:
    signals = [signal for signal in default_signals(Vocabulary()) if signal.name != "nli"]
    noted = replace(RULES, learnt_from={**RULES.learnt_from, "note": "learnt from others"})
    scorer = VerifiedScorer(GroundTruthStore(BM25Backend()), signals, fusion=noted)
    assert "note" not in recalibrate(FIFTY, scorer, target_error=0.1).fusion.learnt_from


def test_a_promise_that_the_labels_cannot_keep_is_refused_with_what_they_can(scorer: VerifiedScorer) -> None:
    with pytest.raises(ConfigError, match=r"at 1\.0% with 90% .* at least 230 accepted") as refused:
        recalibrate(FIFTY, scorer, target_error=0.01)
    assert "With these 50 labels the smallest error that can be promised is about" in str(refused.value)
    assert re.search(r"if others turn out as these did, it takes \d+ labels or more", str(refused.value))


def test_the_curve_of_a_promise_that_is_refused_is_that_of_one_that_is_kept(
    scorer: VerifiedScorer, calibrated: Calibration
) -> None:
    with pytest.raises(Unproven) as refused:
        recalibrate(FIFTY, scorer, target_error=0.01)
    assert (refused.value.before, refused.value.after) == (calibrated.before, calibrated.after)


def test_a_smaller_target_is_said_to_need_more_labels_and_more_than_there_are(
    scorer: VerifiedScorer,
) -> None:
    said = {}
    for target in (0.01, 0.02, 0.05):
        with pytest.raises(Unproven) as refused:
            recalibrate(FIFTY, scorer, target_error=target)
        [number] = re.findall(r"takes (\d+) labels or more", str(refused.value))
        said[target] = int(number)
    assert said[0.01] > said[0.02] > said[0.05] > 50


def test_labels_that_are_all_wrong_promise_nothing(scorer: VerifiedScorer) -> None:
    rows = [replace(item, label="unverifiable") for item in FIFTY]
    with pytest.raises(ConfigError, match=r"nothing can be promised; too few of the surest are right"):
        recalibrate(rows, scorer, target_error=0.3)


def test_the_file_that_the_weights_were_learnt_from_cannot_vouch_for_them(
    scorer: VerifiedScorer, tmp_path: Path
) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text("".join(json.dumps(item.raw) + "\n" for item in FIFTY))
    first = recalibrate(FIFTY, scorer, target_error=0.1, files=[file]).fusion
    assert first.learnt_from["threshold"]["claims"] == 50
    learnt = replace(first, learnt_from=first.learnt_from["threshold"])
    signals = [signal for signal in default_signals(Vocabulary()) if signal.name != "nli"]
    biased = VerifiedScorer(GroundTruthStore(BM25Backend()), signals, fusion=learnt)
    with pytest.raises(ConfigError, match=r"were learnt from labels\.jsonl"):
        recalibrate(FIFTY, biased, target_error=0.1, files=[file])


def test_with_labels_enough_the_weights_are_learnt_and_the_promise_rests_on_other_folds(
    learnt: Calibration,
) -> None:
    assert too_few_to_learn(ENOUGH) is None
    assert learnt.fusion.weights != RULES.weights
    assert learnt.fusion.figures["guarantee"]["basis"] == "out-of-fold predictions"
    assert learnt.fusion.figures["accuracy"] > 0.8
    assert (learnt.before.n, learnt.after.n) == (135, 135)


def test_claims_that_only_teach_vouch_for_nothing(scorer: VerifiedScorer, learnt: Calibration) -> None:
    """Wrong labels among them cost no promise: temperature, threshold and curve come from the others."""
    wrong = [replace(item, label="unverifiable") for item in labelled(40)]
    alone, taught = learnt.fusion, relearn(ENOUGH, scorer, target_error=0.2, teaching=wrong).fusion
    assert taught.figures["guarantee"]["labels"] == alone.figures["guarantee"]["labels"] == 135
    assert taught.weights != alone.weights
    assert taught.learnt_from["claims"] == 135
    assert taught.learnt_from["teaching"] == {"claims": 40, "count": 0.1}
    assert "teaching" not in alone.learnt_from


def test_what_only_teaches_has_no_say_where_weights_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text("".join(json.dumps(_as_json(item)) + "\n" for item in FIFTY))
    asked = ["calibrate", str(file), "--teaching", str(file), "--only-threshold", "--output", "fusion.json"]
    with pytest.raises(ConfigError, match="--teaching is for weights"):
        CliRunner().invoke(app, asked, catch_exceptions=False)


def _as_json(item: LabelledRow) -> dict[str, object]:
    return {"premise": item.premise, "hypothesis": item.claim, "label": item.label}


def test_too_few_labels_of_a_verdict_are_named(scorer: VerifiedScorer) -> None:
    rows = labelled(60, 25, 3)
    assert "3 fabricated, 0 unverifiable" in (too_few_to_learn(rows) or "")
    with pytest.raises(ConfigError, match="3 fabricated, 0 unverifiable"):
        relearn(rows, scorer, target_error=0.2)


def test_fewer_than_fifty_labels_or_one_document_are_refused(scorer: VerifiedScorer) -> None:
    with pytest.raises(ConfigError, match="49 labelled claims are too few"):
        recalibrate(FIFTY[:49], scorer, target_error=0.2)
    alone = [replace(item, raw={"documents": ["one"]}) for item in FIFTY]
    with pytest.raises(ConfigError, match="share their documents"):
        recalibrate(alone, scorer, target_error=0.2)


@pytest.mark.parametrize(
    ("target", "confidence"), [(0.0, 0.9), (1.0, 0.9), (0.1, 0.0), (0.1, 1.0), (-1, 0.9)]
)
def test_a_share_outside_zero_and_one_is_refused(
    scorer: VerifiedScorer, target: float, confidence: float
) -> None:
    for way in (recalibrate, relearn):
        with pytest.raises(ConfigError, match="a share between 0 and 1"):
            way(FIFTY, scorer, target_error=target, confidence=confidence)


@given(
    st.fixed_dictionaries({name: st.floats(0, 1) for name in FEATURES}),
    st.floats(0.05, 5),
    st.floats(-5, 5),
)
def test_recalibration_moves_support_alone(features: dict[str, float], slope: float, offset: float) -> None:
    before = RULES.probabilities(features)
    after = replace(RULES, support_slope=slope, support_offset=offset).probabilities(features)
    assert sum(after.values()) == pytest.approx(1)
    others = [verdict for verdict in Verdict if verdict is not Verdict.SUPPORTED]
    left, rest = (sum(chances[verdict] for verdict in others) for chances in (after, before))
    for verdict in others:
        assert after[verdict] / left == pytest.approx(before[verdict] / rest, abs=1e-9)


@given(
    st.fixed_dictionaries({name: st.floats(0, 1) for name in FEATURES}),
    st.fixed_dictionaries({name: st.floats(0, 1) for name in FEATURES}),
)
def test_recalibration_keeps_the_order_of_claims(one: dict[str, float], other: dict[str, float]) -> None:
    moved = replace(RULES, support_slope=0.6, support_offset=1.0)
    first, second = (RULES.probabilities(item)[Verdict.SUPPORTED] for item in (one, other))
    if first < second - 1e-9:
        assert moved.probabilities(one)[Verdict.SUPPORTED] < moved.probabilities(other)[Verdict.SUPPORTED]


def test_a_fusion_file_from_before_recalibration_reads_as_one_without(tmp_path: Path) -> None:
    RULES.save(tmp_path / "fusion.json")
    raw = json.loads((tmp_path / "fusion.json").read_text())
    del raw["support_slope"], raw["support_offset"]
    (tmp_path / "old.json").write_text(json.dumps(raw))
    assert Fusion.load(tmp_path / "old.json") == RULES
