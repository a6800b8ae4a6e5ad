"""A whole mix of every kind, over rows of the real sets: nothing that the model is judged by is in it."""

from __future__ import annotations

import json
import lzma
import os
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from training.data import (
    claim_hash,
    data_folder,
    held_out_claims,
    held_out_texts,
    read_rows,
    set_names,
)
from training.mix import read_mix, write_mix
from training.overlap import shared_premises

ROWS = 250
"""Of each training set: a mix over all of them takes minutes."""

needs_data = pytest.mark.skipif(
    not os.environ.get("VERIFIER_DATA"), reason="VERIFIER_DATA is unset: the evaluation data is not here"
)


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture(scope="module")
def planted() -> dict[str, dict[str, str]]:
    """Rows that must not come through: with a claim, a query, a premise and a passage of what is judged."""
    data = data_folder()
    judged = next(read_rows(data / "eval" / "healthver.dev.jsonl.xz"))
    asked = next(read_rows(data / "retrieval" / "healthver" / "queries.jsonl.xz"))["text"]
    passage = next(read_rows(data / "retrieval" / "healthver" / "corpus.jsonl.xz"))["text"]
    own = "The harbour of Vell was dredged in 1932."
    return {
        "claim": {"premise": f"{own} One.", "hypothesis": f"  {judged['hypothesis'].upper()} "},
        "query": {"premise": f"{own} Two.", "hypothesis": asked},
        "premise": {"premise": judged["premise"], "hypothesis": f"{own} Three."},
        "passage": {"premise": passage.upper(), "hypothesis": f"{own} Four."},
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, planted: dict[str, dict[str, str]]) -> Path:
    """The real data folder with the first rows of each training set, and the planted rows in one of them."""
    real, folder = data_folder(), tmp_path_factory.mktemp("data")
    for name in ("eval", "retrieval"):
        (folder / name).symlink_to(real / name, target_is_directory=True)
    for name in set_names(real / "train"):
        rows = list(islice(read_rows(real / "train" / f"{name}.jsonl.xz"), ROWS))
        if name == "lingnli.train":
            rows += [{**row, "label": "entailment"} for row in planted.values()]
        write_rows(folder / "train" / f"{name}.jsonl.xz", rows)
    return folder


@needs_data
def test_no_claim_and_no_premise_that_is_judged_or_searched_is_in_a_mix_of_every_kind(
    data: Path, planted: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    drawn_from = write_mix(
        data,
        tmp_path,
        7,
        synthetic=400,
        joined=60,
        sheets=150,
        irrelevant=200,
        relations=60,
        written=300,
        twins=50,
    )
    mix = read_mix(tmp_path, "train")
    kinds = Counter(pair.source.partition("/")[0] for pair in mix if "/" in pair.source)
    assert kinds.keys() == {"synthetic", "irrelevant", "bank", "relation", "written"}
    assert min(kinds.values()) > 20
    assert any(pair.source == "synthetic/distractors joined" for pair in mix)
    assert any(pair.source.startswith("synthetic/twin ") for pair in mix)
    assert Counter(pair.source for pair in mix) == drawn_from

    claims, texts = held_out_claims(data), held_out_texts(data)
    for row in planted.values():
        assert claim_hash(row["hypothesis"]) in claims or claim_hash(row["premise"]) in texts
    assert not [pair for pair in mix if claim_hash(pair.hypothesis) in claims]
    assert not [pair for pair in mix if claim_hash(pair.premise) in texts]
    held_back = read_mix(tmp_path, "held_back")
    for row in planted.values():
        pairs = [pair for pair in (*mix, *held_back) if pair.source == "lingnli.train"]
        assert not [pair for pair in pairs if pair.hypothesis == row["hypothesis"]]


@needs_data
def test_premises_in_common_are_counted_before_they_are_left_out(
    data: Path, planted: dict[str, dict[str, str]]
) -> None:
    found = shared_premises(data, seed=7)
    assert found["train"]["lingnli.train"] >= 2
    assert found["shared"] == sum(found["train"].values()) < found["rows"]
    shared, rows = found["eval"]["healthver.dev"]
    assert 1 <= shared < rows
    assert all(0 < count <= of for count, of in found["eval"].values())
