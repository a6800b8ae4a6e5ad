"""The corpus of the scale benchmark: the same each time, true neighbours, noise beyond the real passages."""

import json
import lzma

import numpy as np
import pytest
from verifier_backends.encoders import HashingEncoder

from benchmarks.passages import noisy_copies, prepare
from benchmarks.scale import cell, items, recall


@pytest.fixture
def data(tmp_path):
    rows = [
        {"premise": f"Paragraph {i} of the lease speaks of {w}.", "hypothesis": f"{w} is in the lease"}
        for i, w in enumerate(
            ["rent", "heating", "pets", "keys", "gardens", "repairs", "noise", "deposits"] * 5
        )
    ]
    (tmp_path / "data" / "train").mkdir(parents=True)
    with lzma.open(tmp_path / "data" / "train" / "a.jsonl.xz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return tmp_path / "data"


def test_neighbours_are_those_of_brute_force_also_under_the_filter(data, tmp_path):
    encoder = HashingEncoder(64)
    corpus = prepare(data, encoder, 35, 6, tmp_path, parts=5, top=4)
    stored = [item for batch in items(corpus.folder) for item in batch]
    vectors = encoder.encode([item.text for item in stored])
    queries = json.loads((corpus.folder / "queries.json").read_text())
    for query, near, filtered in zip(
        encoder.encode(queries), corpus.neighbours, corpus.filtered_neighbours, strict=True
    ):
        scores = vectors @ query
        assert sorted(scores)[-4:] == pytest.approx(sorted(scores[int(name[1:])] for name in near), abs=1e-5)
        assert {int(name[1:]) % 5 for name in filtered} == {3}
    assert prepare(data, encoder, 35, 6, tmp_path, parts=5, top=4) == corpus


def test_the_queries_on_which_constants_are_chosen_are_not_those_that_measure(data, tmp_path):
    corpora = [prepare(data, HashingEncoder(64), 30, 4, tmp_path, tuning=tuning) for tuning in (False, True)]
    measuring, tuning = (json.loads((corpus.folder / "queries.json").read_text()) for corpus in corpora)
    assert len(measuring) == len(tuning) == 4
    assert not set(measuring) & set(tuning)
    vectors = [(corpus.folder / "vectors.f32").read_bytes() for corpus in corpora]
    assert vectors[0] == vectors[1]


def test_beyond_the_real_passages_stand_numbered_copies_with_noise(data, tmp_path):
    corpus = prepare(data, HashingEncoder(64), 50, 3, tmp_path, real=20)
    texts = [item.text for batch in items(corpus.folder) for item in batch]
    assert texts[20] == f"{texts[0]} (20)"
    assert len(set(texts)) == 50
    assert corpus.described.endswith("20 of them real")


def test_copies_are_near_their_original_and_of_length_one():
    rng = np.random.default_rng(1)
    real = rng.normal(size=(40, 256)).astype(np.float32)
    real /= np.linalg.norm(real, axis=1, keepdims=True)
    rows = np.concatenate(list(noisy_copies(real, 100)))
    assert np.array_equal(rows[:40], real)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert (rows[40:80] * real).sum(axis=1).mean() == pytest.approx(0.89, abs=0.02)


def test_recall_passes_over_queries_without_true_neighbours_and_those_not_asked():
    assert recall([["a", "b"], ["c"]], [["a", "x"], [], ["y"]]) == 0.5


def test_a_cell_has_three_digits_and_a_missing_figure_is_a_dash():
    assert [cell(value).strip() for value in (None, 0.12345, 12345.6)] == ["-", "0.123", "12346"]
