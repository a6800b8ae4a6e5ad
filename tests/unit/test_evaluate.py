"""Evaluation of labelled rows: what counts as right, what a split row comes to, what a bad row costs."""

from __future__ import annotations

import json
import lzma
from dataclasses import replace
from pathlib import Path

import pytest
from verifier_backends.bm25 import BM25Backend

from verifier.core.errors import ConfigError
from verifier.knowledge.store import GroundTruthStore
from verifier.measure.evaluate import Prediction, acceptance, figures, predict
from verifier.measure.rows import BadRow, LabelledRow, read_rows
from verifier.measure.samples import examined
from verifier.types import Document
from verifier.verification.scorer import VerifiedScorer


def row(claim: str, label: str, premise: str | None = None, number: int = 1) -> LabelledRow:
    return LabelledRow(number, claim, label, premise, None, {"claim": claim, "verdict": label})


@pytest.fixture(scope="module")
def scorer() -> VerifiedScorer:
    return VerifiedScorer(GroundTruthStore(BM25Backend()))


def test_a_split_row_counts_with_its_worst_part(scorer: VerifiedScorer) -> None:
    premise = "Oslo is the capital of Norway. The fee is 30 euros."
    claim = "Oslo is the capital of Norway. The fee is 90 euros."
    [prediction] = predict([row(claim, "entailment", premise)], scorer, knowledge_base=False)
    assert prediction.predicted == "contradicted"


def test_a_row_that_only_says_that_something_is_not_told_is_skipped(scorer: VerifiedScorer) -> None:
    claim = "The documents do not say how old the mill is."
    [prediction] = predict([row(claim, "skipped", "The mill is old.")], scorer, knowledge_base=False)
    assert (prediction.predicted, prediction.support, prediction.is_correct) == ("skipped", 0.0, True)


def test_a_question_is_skipped_and_counts_as_not_supported(scorer: VerifiedScorer) -> None:
    [prediction] = predict([row("Is Oslo big?", "skipped", "Oslo is big.")], scorer, knowledge_base=False)
    assert (prediction.predicted, prediction.support, prediction.is_correct) == ("skipped", 0.0, True)


def test_a_row_without_premise_needs_a_knowledge_base(scorer: VerifiedScorer) -> None:
    with pytest.raises(ConfigError, match="row 7 has no 'premise'"):
        list(predict([row("Oslo is big.", "supported", number=7)], scorer, knowledge_base=False))


@pytest.mark.parametrize(
    ("label", "predicted", "right"),
    [
        ("entailment", "supported", True),
        ("contradiction", "contradicted", True),
        ("contradiction", "unverifiable", False),
        ("neutral", "fabricated", True),
        ("neutral", "unverifiable", True),
        ("not_entailment", "contradicted", True),
        ("not_entailment", "supported", False),
        ("fabricated", "unverifiable", False),
        ("supported", "error", False),
    ],
)
def test_predictions_are_judged_in_the_terms_of_the_label(label: str, predicted: str, right: bool) -> None:
    assert Prediction(row("c", label), predicted, 0.5, 0.5, "").is_correct is right


def test_figures_count_false_support_and_recall() -> None:
    predictions = [
        Prediction(row("a", "supported"), "supported", 0.9, 0.9, ""),
        Prediction(row("b", "supported"), "unverifiable", 0.4, 0.5, ""),
        Prediction(row("c", "contradicted"), "supported", 0.8, 0.8, ""),
        Prediction(row("d", "fabricated"), "fabricated", 0.1, 0.9, ""),
    ]
    result = figures(predictions)
    assert (result["n"], result["accuracy"], result["false_support"], result["support_recall"]) == (
        4,
        0.5,
        0.5,
        0.5,
    )
    assert result["balanced_accuracy"] == 0.5
    assert result["confusion"]["contradicted"] == {"supported": 1}


def test_rows_are_read_from_plain_and_packed_files_and_bad_ones_are_named(tmp_path: Path) -> None:
    lines = '{"claim": "a", "verdict": "supported"}\n\n[1]\n{"claim": "b", "verdict": "true"}\n{"hypothesis": " "}\n'
    plain, packed = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl.xz"
    plain.write_text(lines)
    packed.write_bytes(lzma.compress(lines.encode()))
    read = list(read_rows(plain))
    assert [item.number for item in read] == [1, 3, 4, 5]
    assert [isinstance(item, BadRow) for item in read] == [False, True, True, True]
    assert list(read_rows(packed)) == read


def test_a_row_is_checked_against_the_namespace_that_it_names() -> None:
    store = GroundTruthStore(BM25Backend())
    for namespace, days in (("default", 30), ("north", 60)):
        text = f"The refund period is {days} days."
        store.ingest([Document("terms.md", "terms.md", text)], namespace=namespace)
    rows = [replace(row("The refund period is 30 days.", "supported"), namespace=n) for n in (None, "north")]
    scorer = VerifiedScorer(store)
    assert [item.predicted for item in predict(rows, scorer, knowledge_base=True)] == [
        "supported",
        "contradicted",
    ]
    here, there = (sample.read.readings[0].window.premise for sample in examined(rows, scorer))
    assert ("30" in here, "60" in there) == (True, True)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"namespace": ""}, "'namespace' is not a name"),
        ({"namespace": 3}, "'namespace' is not a name"),
        ({"namespace": "north", "premise": "a"}, "a claim is checked against one of them"),
    ],
)
def test_a_namespace_that_cannot_be_meant_is_a_bad_row(
    tmp_path: Path, fields: dict[str, object], reason: str
) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps({"claim": "a", "verdict": "supported", **fields}))
    [bad] = read_rows(tmp_path / "rows.jsonl")
    assert isinstance(bad, BadRow)
    assert reason in bad.reason


def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "latin.jsonl").write_bytes(b'{"claim": "caf\xe9"}\n')
    (tmp_path / "broken.jsonl.xz").write_bytes(b"not packed")
    for name in ("absent.jsonl", "latin.jsonl", "broken.jsonl.xz"):
        with pytest.raises(ConfigError, match=name):
            list(read_rows(tmp_path / name))


def test_the_error_falls_with_the_share_that_is_accepted() -> None:
    predictions = [
        Prediction(row(str(n), "supported" if n % 4 else "contradicted"), "supported", 0.5 + n / 40, 0.9, "")
        for n in range(16)
    ]
    predictions += [Prediction(row("x", "fabricated"), "unverifiable", 0.99, 0.9, "")] * 4
    table = acceptance(predictions, steps=4)
    assert [(item["accepted"], item["share"], item["wrong"]) for item in table] == [
        (16, 0.8, 4),
        (12, 0.6, 3),
        (8, 0.4, 2),
        (4, 0.2, 1),
    ]
    assert all(item["error"] == 0.25 < item["error_at_most"] < 1 for item in table)
    assert table[0]["error_at_most"] < table[-1]["error_at_most"]


def test_equal_support_is_accepted_together_and_nothing_called_supported_makes_no_table() -> None:
    alike = [Prediction(row(str(n), "supported"), "supported", 0.7, 0.7, "") for n in range(9)]
    assert [item["accepted"] for item in acceptance(alike)] == [9]
    assert acceptance([Prediction(row("a", "supported"), "unverifiable", 0.4, 0.5, "")]) == []
