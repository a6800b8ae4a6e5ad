"""Approximate search against exact search over the same vectors: recall, filters, ties, writes, reloads."""

import numpy as np
import pytest
from verifier_backends.ann import ANNBackend
from verifier_backends.index import approximate as module
from verifier_backends.index.approximate import ApproximateIndex
from verifier_backends.index.exact import ExactIndex
from verifier_backends.types import Item

from verifier.core.errors import BackendRejected, ConfigError, MissingExtra

pytestmark = pytest.mark.filterwarnings("ignore:builtin type:DeprecationWarning")

DIMENSION, THEMES = 32, 60


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Bases that a test can build are small; their lists are to be read all the same."""
    monkeypatch.setattr(module, "_FEW", 50)


def vectors(rng, n):
    """Unit vectors around some themes, as texts are: a few hundred of them are near each other."""
    centres = np.random.default_rng(0).normal(size=(THEMES, DIMENSION))
    rows = centres[rng.integers(0, THEMES, n)] + rng.normal(scale=1.2, size=(n, DIMENSION))
    rows = rows.astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def items(n, start=0):
    return [Item(f"d{i:05}", f"text {i}", {"part": i % 4, "rare": i % 500 == 0}) for i in range(start, n)]


def both(n=4000, seed=1, **options):
    rows = vectors(np.random.default_rng(seed), n)
    approximate, exact = ApproximateIndex(**{"scan": 1000, "exact_below": 300, **options}), ExactIndex()
    for start in range(0, n, 700):
        part = items(min(n, start + 700), start)
        approximate.upsert(part, rows[start : start + 700])
        exact.upsert(part, rows[start : start + 700])
    return approximate, exact


def ids(hits):
    return [hit["id"] for hit in hits]


def recall(approximate, exact, queries, k, where=None):
    found, true = (index.search(queries, k, where) for index in (approximate, exact))
    assert all(len(a) == len(b) for a, b in zip(found, true, strict=True))
    return np.mean([len(set(ids(a)) & set(ids(b))) / len(b) for a, b in zip(found, true, strict=True)])


def test_most_of_the_true_neighbours_are_found_and_scored_as_exact_search_scores_them():
    approximate, exact = both()
    assert approximate._state.lists.size > 3000
    queries = vectors(np.random.default_rng(9), 60)
    assert recall(approximate, exact, queries, 10) > 0.97
    true = {hit["id"]: hit["score"] for hit in exact.search(queries[:1], 4000)[0]}
    for hit in approximate.search(queries[:1], 10)[0]:
        assert hit["score"] == pytest.approx(true[hit["id"]], abs=1e-3)


def test_reading_more_codes_finds_more_and_reading_all_of_them_finds_all():
    queries = vectors(np.random.default_rng(9), 60)
    shares = []
    for scan in (20, 400, 4000):
        approximate, exact = both(scan=scan)
        shares.append(recall(approximate, exact, queries, 3))
    assert shares == sorted(shares)
    # What is left at the end is the rounding to float16.
    assert shares[0] < shares[2]
    assert shares[2] > 0.99


@pytest.mark.parametrize("where", [{"rare": True}, {"part": 2}, {"part": [0, 1, 2]}, {"part": 7}])
@pytest.mark.parametrize("k", [1, 10, 1500])
def test_a_filter_hides_no_match_however_few_it_selects(where, k):
    approximate, exact = both(scan=100)
    queries = vectors(np.random.default_rng(3), 20)
    found = approximate.search(queries, k, where)
    for hits, true in zip(found, exact.search(queries, k, where), strict=True):
        assert len(hits) == len(true), "a filter hid matches"
    if where == {"rare": True}:
        assert recall(approximate, exact, queries, k, where) > 0.99, "few are searched exactly"


def test_a_filter_whose_matches_lie_far_from_the_query_is_answered_as_well_as_any():
    """The lists nearest to the query hold none of them; reading a fixed number of lists would find nothing."""
    rng = np.random.default_rng(4)
    far, near = vectors(rng, 2000), vectors(rng, 2000)
    query = vectors(rng, 1)
    side = query[0] / np.linalg.norm(query)
    near = near + 3 * side
    near = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    approximate, exact = ApproximateIndex(scan=400, exact_below=100), ExactIndex()
    stored = [Item(f"d{i}", "text", {"far": i < 2000}) for i in range(4000)]
    for index in (approximate, exact):
        index.upsert(stored, np.concatenate([far, near]))
    assert recall(approximate, exact, query, 10, {"far": True}) >= 0.9


def test_every_number_of_results_is_given():
    approximate, _ = both(scan=50)
    query = vectors(np.random.default_rng(3), 1)
    for k in (1, 7, 200, 3999, 4000, 5000):
        hits = approximate.search(query, k)[0]
        assert len(hits) == min(k, 4000)
        assert len(set(ids(hits))) == len(hits)
        assert [(-h["score"], h["id"]) for h in hits] == sorted((-h["score"], h["id"]) for h in hits)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_in_few_dimensions_too_every_number_of_results_is_given(dimension):
    """Many vectors share a code there, and faiss leaves out those whose code says the least."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(900, dimension)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    approximate = ApproximateIndex(scan=900, exact_below=100)
    approximate.upsert(items(900), rows)
    assert approximate._state.listed == 900
    for k in (1, 60, 220):
        assert [len(hits) for hits in approximate.search(rows[:20], k, {"part": 1})] == [min(k, 225)] * 20


def test_a_batch_gives_what_single_queries_give():
    approximate, _ = both()
    queries = vectors(np.random.default_rng(6), 30)
    assert approximate.search(queries, 8) == [approximate.search(query[None], 8)[0] for query in queries]


def test_equal_rows_tie_wherever_they_lie():
    approximate, _ = both()
    row = vectors(np.random.default_rng(8), 1)
    for name in ("z", "b", "m"):
        approximate.upsert([Item(name, "same", {})], row)
        # Some of the equal rows enter the lists, some stay behind them.
        approximate.upsert(items(400), vectors(np.random.default_rng(2), 400))
    hits = approximate.search(row, 3)[0]
    assert ids(hits) == ["b", "m", "z"]
    assert len({hit["score"] for hit in hits}) == 1


def test_writes_of_all_kinds_leave_what_a_fresh_index_would_hold():
    rng = np.random.default_rng(11)
    approximate, exact = both(1500, scan=1200, exact_below=100)
    for _ in range(25):
        numbers = rng.integers(0, 2500, size=rng.integers(1, 200)).tolist()
        rows = vectors(rng, len(numbers))
        added = [Item(f"d{i:05}", f"new {i}", {"part": i % 4}) for i in numbers]
        gone = [f"d{i:05}" for i in rng.integers(0, 2500, size=120)]
        for index in (approximate, exact):
            index.upsert(added, rows)
        assert approximate.delete(gone) == exact.delete(gone)
        assert approximate.count() == exact.count()
        queries = vectors(rng, 4)
        assert recall(approximate, exact, queries, 10) > 0.9
        assert recall(approximate, exact, queries, 5, {"part": 1}) > 0.9
        assert not {hit["id"] for hits in approximate.search(queries, 50) for hit in hits} & set(gone)
    everything = [f"d{i:05}" for i in range(2500)]
    assert [hit and hit["text"] for hit in approximate.get(everything)] == [
        hit and hit["text"] for hit in exact.get(everything)
    ]


def test_deleting_most_of_a_base_compacts_it_and_loses_nothing_else():
    approximate, exact = both()
    gone = [item.doc_id for item in items(4000) if item.metadata["part"] != 1]
    for index in (approximate, exact):
        assert index.delete(gone) == 3000
    state = approximate._state
    assert state.records.size == len(state.lists.assigned) + len(state.tail) == 1000
    queries = vectors(np.random.default_rng(5), 20)
    assert recall(approximate, exact, queries, 10) > 0.97


def test_a_state_taken_before_a_write_is_not_changed_by_it():
    approximate, _ = both()
    queries = vectors(np.random.default_rng(5), 5)
    before = approximate._state
    first = list(before.lists.search(queries, 500, 50, before.selection(None).counts, None))
    approximate.upsert(items(5000, 4000), vectors(np.random.default_rng(6), 1000))
    approximate.delete(["d00001", "d03999"])
    assert approximate._state.lists is not before.lists
    again = list(before.lists.search(queries, 500, 50, before.selection(None).counts, None))
    assert [slots.tolist() for slots in first] == [slots.tolist() for slots in again]
    assert before.records.live == 4000


def test_saving_learns_the_lists_anew_when_many_vectors_came_since(tmp_path):
    approximate, _ = both(700)
    before = approximate._state.lists
    approximate.upsert(items(1100, 700), vectors(np.random.default_rng(3), 400))
    assert approximate._state.lists.trained_on == before.trained_on
    approximate.save(tmp_path)
    assert approximate._state.lists.trained_on == pytest.approx(1100, rel=0.05)
    lists = approximate._state.lists
    (tmp_path / "again").mkdir()
    approximate.save(tmp_path / "again")
    assert approximate._state.lists is lists


def test_a_reloaded_index_is_mapped_and_can_be_written_to(tmp_path):
    approximate, _ = both()
    approximate.delete(["d00003", "d00700"])
    approximate.upsert([Item("late", "late", {"part": 9})], vectors(np.random.default_rng(7), 1))
    approximate.save(tmp_path)
    loaded = ApproximateIndex(scan=1000, exact_below=300)
    loaded.load(tmp_path)
    assert isinstance(loaded._state.rows, np.memmap)
    queries = vectors(np.random.default_rng(5), 20)
    for where in (None, {"part": 2}, {"part": 9}):
        assert loaded.search(queries, 10, where) == approximate.search(queries, 10, where)
    rows = vectors(np.random.default_rng(13), 900)
    for index in (loaded, approximate):
        index.upsert(items(4900, 4000), rows)
    assert loaded._state.lists.size > 4000
    assert recall(loaded, approximate, queries, 10) > 0.97
    assert len(np.load(tmp_path / "vectors.npy")) == 3999


@pytest.mark.parametrize("name", ["lists.faiss", "assigned.npy", "vectors.npy"])
def test_a_damaged_index_is_refused_and_changes_nothing(tmp_path, name):
    approximate, _ = both(1000)
    approximate.save(tmp_path)
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) // 2])
    loaded, _ = both(500)
    with pytest.raises(BackendRejected):
        loaded.load(tmp_path)
    assert loaded.count() == 500


def test_lists_of_another_base_are_refused(tmp_path):
    for name, n in (("one", 1000), ("two", 2000)):
        (tmp_path / name).mkdir()
        both(n)[0].save(tmp_path / name)
    for name in ("lists.faiss", "centroids.npy", "assigned.npy"):
        (tmp_path / "one" / name).write_bytes((tmp_path / "two" / name).read_bytes())
    with pytest.raises(BackendRejected, match="1000 items"):
        ApproximateIndex(1000, 300).load(tmp_path / "one")


def test_a_small_base_is_exact():
    approximate, exact = both(4000, exact_below=4000)
    assert approximate._state.lists is None
    queries = vectors(np.random.default_rng(5), 40)
    assert recall(approximate, exact, queries, 10) > 0.99


def test_options_out_of_their_range_are_refused():
    with pytest.raises(ConfigError, match="at least 1; got 0"):
        ANNBackend(scan=0)


def test_without_faiss_nothing_is_stored_and_the_pip_line_is_given(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "faiss", None)
    backend = ANNBackend()
    with pytest.raises(MissingExtra, match=r"rag-claim-verifier\[ann\]"):
        backend.add("a", "a small base would not need it")
    assert backend.count() == 0
