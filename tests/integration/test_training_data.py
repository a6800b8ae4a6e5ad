"""Nothing that the model is judged by is in what it is trained on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from training.data import (
    assemble,
    claim_hash,
    data_folder,
    held_out_claims,
    held_out_texts,
    read_rows,
    read_training,
    set_names,
)
from training.relevance import with_relevance, without_relevance
from training.synth import synthesise

needs_data = pytest.mark.skipif(
    not os.environ.get("VERIFIER_DATA"), reason="VERIFIER_DATA is unset: the evaluation data is not here"
)


@needs_data
def test_no_training_claim_occurs_in_the_evaluation_or_the_queries() -> None:
    data = data_folder()
    held_out = held_out_claims(data)
    asked = {
        claim_hash(row["text"])
        for path in (data / "retrieval").glob("*/queries.jsonl.xz")
        for row in read_rows(path)
    }
    judged = {
        claim_hash(row["hypothesis"])
        for name in set_names(data / "eval")
        for row in read_rows(data / "eval" / f"{name}.jsonl.xz")
    }
    assert asked
    assert judged
    assert held_out == asked | judged
    texts = held_out_texts(data)
    pairs = assemble(map(with_relevance, read_training(data, seed=13)), held_out, texts)
    made = [
        *synthesise(pairs[::20], rows=2000, seed=13),
        *without_relevance(pairs[::20], pairs[::4], 500, 13),
    ]
    mix = assemble([*pairs, *made], held_out, texts)
    assert len(mix) > 100_000
    assert not [pair for pair in mix if claim_hash(pair.hypothesis) in held_out]
    assert not [pair for pair in mix if claim_hash(pair.premise) in texts]


@needs_data
def test_the_held_out_texts_are_the_judged_premises_and_the_passages_searched() -> None:
    data = data_folder()
    texts = held_out_texts(data)
    premise = next(read_rows(data / "eval" / "frank.valid.jsonl.xz"))["premise"]
    passage = next(read_rows(data / "retrieval" / "healthver" / "corpus.jsonl.xz"))["text"]
    assert {claim_hash(premise), claim_hash(passage)} <= texts


def test_without_a_data_folder_the_message_says_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VERIFIER_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="VERIFIER_DATA"):
        data_folder()


def test_a_folder_without_training_sets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="train"):
        data_folder(tmp_path)
