"""Exact search against brute force in double precision: order, ties at the cut, filters, writes, reloads."""

import numpy as np
import pytest
from verifier_backends.index import mapped, nearest
from verifier_backends.index.exact import ExactIndex
from verifier_backends.types import Item

from verifier.core.errors import BackendRejected


def unit(rng, n, dimension=24):
    rows = rng.normal(size=(n, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def filled(vectors, ids=None):
    index = ExactIndex()
    ids = ids or [f"d{i:04}" for i in range(len(vectors))]
    index.upsert([Item(doc_id, f"text {doc_id}", {"n": int(i % 3)}) for i, doc_id in enumerate(ids)], vectors)
    return index


def brute_force(vectors, ids, query, k):
    scores = [round(float(np.dot(row.astype(np.float64), query.astype(np.float64))), 6) for row in vectors]
    return sorted(zip((-s for s in scores), ids, strict=True))[:k]


def ids(hits):
    return [hit["id"] for hit in hits]


@pytest.mark.parametrize("n", [1, 2, 50, 700])
def test_hits_are_the_nearest_rows(n):
    rng = np.random.default_rng(n)
    vectors, queries = unit(rng, n), unit(rng, 9)
    index = filled(vectors)
    names = [f"d{i:04}" for i in range(n)]
    for k in (1, 3, n):
        for query, hits in zip(queries, index.search(queries, k), strict=True):
            expected = brute_force(vectors, names, query, k)
            assert ids(hits) == [doc_id for _, doc_id in expected]
            assert [-hit["score"] for hit in hits] == pytest.approx(
                [score for score, _ in expected], abs=2e-6
            )


def test_equal_rows_tie_exactly_wherever_they_lie():
    rng = np.random.default_rng(0)
    row = unit(rng, 1, 384)
    names = [f"d{i:04}" for i in rng.permutation(1003)]
    vectors = np.repeat(row, 1003, axis=0)
    index = filled(vectors, names)
    for query in unit(rng, 5, 384):
        hits = index.search(query[None], 7)[0]
        assert ids(hits) == sorted(names)[:7]
        assert len({hit["score"] for hit in hits}) == 1


def test_a_batch_split_into_blocks_gives_what_single_queries_give(monkeypatch):
    rng = np.random.default_rng(5)
    vectors, queries = unit(rng, 300), unit(rng, 40)
    index = filled(vectors)
    single = [index.search(query[None], 5)[0] for query in queries]
    assert index.search(queries, 5) == single
    monkeypatch.setattr(nearest, "BLOCK_BYTES", 4 * 300 * 7)
    monkeypatch.setattr(nearest, "_CHUNK", 3)
    assert index.search(queries, 5) == single


def test_filters_are_those_of_a_search_over_the_matching_rows_alone():
    rng = np.random.default_rng(2)
    vectors, query = unit(rng, 200), unit(rng, 1)
    names = [f"d{i:04}" for i in range(200)]
    hits = filled(vectors).search(query, 4, {"n": [0, 2]})[0]
    kept = [i for i in range(200) if i % 3 != 1]
    expected = brute_force(vectors[kept], [names[i] for i in kept], query[0], 4)
    assert ids(hits) == [doc_id for _, doc_id in expected]


def test_writes_of_all_kinds_leave_what_a_fresh_index_would_hold():
    rng = np.random.default_rng(11)
    index, stored = ExactIndex(), {}
    for _ in range(150):
        names = [f"d{i:03}" for i in rng.integers(0, 120, size=rng.integers(1, 9))]
        vectors = unit(rng, len(names))
        index.upsert([Item(name, f"text {name}", {}) for name in names], vectors)
        stored.update(zip(names, vectors, strict=True))
        gone = {f"d{i:03}" for i in rng.integers(0, 120, size=3)}
        assert index.delete([*gone, "unknown"]) == len(gone & stored.keys())
        for name in gone:
            stored.pop(name, None)
        query = unit(rng, 1)
        expected = brute_force(list(stored.values()), list(stored), query[0], 6)
        assert ids(index.search(query, 6)[0]) == [doc_id for _, doc_id in expected]
    assert index.count() == len(stored)


def test_a_state_taken_before_a_write_is_not_changed_by_it():
    rng = np.random.default_rng(3)
    vectors = unit(rng, 50)
    index = filled(vectors)
    before = index._state
    copy, alive = before.tail.copy(), before.records.alive.copy()
    index.upsert([Item("d0000", "changed", {}), Item("new", "new", {})], unit(rng, 2))
    index.delete(["d0001", "d0002"])
    assert np.array_equal(before.tail, copy)
    assert np.array_equal(before.records.alive, alive)
    assert [item.text for item in before.records.items()] == [f"text d{i:04}" for i in range(50)]


def test_a_reloaded_index_is_mapped_and_can_be_written_to(tmp_path, monkeypatch):
    monkeypatch.setattr(mapped, "_READ", 0)
    rng = np.random.default_rng(4)
    vectors, query = unit(rng, 80), unit(rng, 1)
    index = filled(vectors)
    index.delete(["d0003"])
    index.save(tmp_path)
    loaded = ExactIndex()
    loaded.load(tmp_path)
    assert [type(matrix) for matrix in loaded._state.matrices] == [np.memmap]
    assert loaded.search(query, 10) == index.search(query, 10)
    loaded.upsert([Item("query", "query", {})], query)
    assert ids(loaded.search(query, 1)[0]) == ["query"]
    assert np.load(tmp_path / "000001" / "vectors.npy").shape == (79, 24)


def test_a_zero_query_has_no_neighbours_and_a_zero_row_is_a_hit_of_score_zero():
    vectors = np.array([[1, 0], [0, 0], [-1, 0]], dtype=np.float32)
    index = filled(vectors)
    assert index.search(np.zeros((1, 2), dtype=np.float32), 3) == [[]]
    hits = index.search(np.array([[1, 0]], dtype=np.float32), 3)[0]
    assert [(hit["id"], hit["score"]) for hit in hits] == [("d0000", 1.0), ("d0001", 0.0), ("d0002", -1.0)]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (np.full((1, 2), np.nan), "not finite"),
        (np.full((1, 2), np.inf), "not finite"),
        (np.zeros((1, 3)), "3 dimensions, the index has 2"),
        (np.zeros((2, 2)), r"shape \(2, 2\) for 1 texts"),
        (np.zeros(2), r"shape \(2,\) for 1 texts"),
    ],
)
def test_vectors_that_cannot_be_right_are_refused_and_change_nothing(vectors, message):
    index = filled(np.array([[1, 0]], dtype=np.float32))
    with pytest.raises(BackendRejected, match=message):
        index.upsert([Item("x", "x", {})], vectors)
    assert index.count() == 1
    assert index.get(["x"]) == [None]
