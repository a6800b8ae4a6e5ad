"""What the reranked backend adds to the contract: what is read, what is remembered, and how it is configured."""

import itertools

import numpy as np
import pytest
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.memory import InMemoryBackend
from verifier_backends.reranked import RerankedBackend
from verifier_backends.rerankers import LateReranker
from verifier_backends.rerankers.windows import pieces
from verifier_backends.types import Item

from tests.support.shared_words import SharedWords
from verifier.core.errors import ConfigError
from verifier.core.recent import RecentlyUsed, digest
from verifier.factory import backend_description, build_backend

ITEMS = [Item(f"d{n}", f"lantern number {n} hangs in the harbour") for n in range(10)]


def filled(reranker: SharedWords, **options: object) -> RerankedBackend:
    backend = RerankedBackend(InMemoryBackend(HashingEncoder()), reranker, **options)  # type: ignore[arg-type]
    backend.add_many(ITEMS)
    return backend


def test_only_the_candidates_are_read() -> None:
    reranker = SharedWords()
    assert len(filled(reranker, top_n=4).query("lantern harbour", 10)) == 10
    assert reranker.asked == 4


def test_a_pair_is_read_once_also_within_a_batch() -> None:
    reranker = SharedWords()
    backend = filled(reranker)
    backend.query_many(["lantern", "harbour", "lantern"], 3)
    assert reranker.asked == 20
    backend.query("lantern", 10)
    assert reranker.asked == 20


def test_without_a_cache_each_query_is_read_anew() -> None:
    reranker = SharedWords()
    backend = filled(reranker, cache_size=0)
    first = backend.query("lantern", 3)
    assert backend.query("lantern", 3) == first
    assert reranker.asked == 20


def test_a_changed_text_is_read_anew() -> None:
    backend = filled(SharedWords(), weight=1.0)
    assert backend.query("copper bell", 10)[0]["id"] != "d3"
    backend.add("d3", "a copper bell")
    first, *others = backend.query("copper bell", 10)
    assert (first["id"], first["score"]) == ("d3", 1.0)
    assert {hit["score"] for hit in others} == {0.0}


def test_the_cache_is_bounded_and_lets_the_longest_unused_go() -> None:
    cache: RecentlyUsed[float] = RecentlyUsed(2)
    cache.update([(b"a", 0.1), (b"b", 0.2)])
    assert cache.get(b"a") == 0.1
    cache.update([(b"c", 0.3)])
    assert cache.get(b"b") is None
    assert (cache.get(b"a"), cache.get(b"c"), len(cache)) == (0.1, 0.3, 2)


def test_the_cache_is_bounded_by_what_its_values_take() -> None:
    cache: RecentlyUsed[str] = RecentlyUsed(6, cost=len)
    cache.update([(b"a", "xxx"), (b"b", "xx"), (b"a", "xxxx")])
    assert (cache.get(b"b"), cache.get(b"a")) == ("xx", "xxxx")
    cache.update([(b"c", "x")])
    assert (cache.get(b"b"), cache.get(b"a"), cache.get(b"c")) == (None, "xxxx", "x")
    cache.update([(b"d", "too long for it")])
    assert len(cache) == 0


def test_a_digest_knows_where_each_text_ends() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("a", "b") == digest("a", "b") != digest("b", "a")


def test_the_index_is_that_of_the_inner_backend(tmp_path) -> None:
    backend, plain = filled(SharedWords()), InMemoryBackend(HashingEncoder())
    assert backend.identity == plain.identity
    backend.save(tmp_path / "index")
    plain.load(tmp_path / "index")
    assert plain.count() == len(ITEMS)


@pytest.mark.parametrize("options", [{"top_n": 0}, {"weight": 1.5}, {"weight": -0.1}, {"cache_size": -1}])
def test_parameters_out_of_range_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        RerankedBackend(InMemoryBackend(HashingEncoder()), SharedWords(), **options)  # type: ignore[arg-type]


def test_configuration_nests_the_inner_backend_and_the_reranker() -> None:
    backend = build_backend(
        {"type": "reranked", "top_n": 7, "inner": "bm25", "reranker": {"type": "embedded"}}
    )
    assert isinstance(backend, RerankedBackend)
    assert type(backend.inner).__name__ == "BM25Backend"
    assert type(backend.reranker).__name__ == "EmbeddedReranker"
    by_default = build_backend({"type": "reranked"})
    assert isinstance(by_default, RerankedBackend)
    assert type(by_default.inner).__name__ == "HybridBackend"
    assert type(by_default.reranker).__name__ == "LateReranker"


def test_the_late_reranker_is_the_default_by_name_and_by_class() -> None:
    described = backend_description({"type": "reranked", "inner": "bm25"})
    assert described == backend_description(
        {"type": "reranked", "inner": "bm25", "reranker": {"type": "late"}}
    )
    assert described["reranker"]["type"] == "late"
    assert isinstance(RerankedBackend(BM25Backend()).reranker, LateReranker)


def test_an_unknown_reranker_names_those_there_are() -> None:
    with pytest.raises(ConfigError, match="cross-encoder, embedded, late"):
        build_backend({"type": "reranked", "reranker": "best"})


@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 12, 37, 100])
def test_pieces_cover_everything_and_overlap(length: int) -> None:
    found = pieces(length, 10, 3)
    covered = np.zeros(length, dtype=bool)
    for start, end in found:
        assert end - start <= 10
        covered[start:end] = True
    assert covered.all()
    assert all(after[0] <= before[1] - 3 for before, after in itertools.pairwise(found))
