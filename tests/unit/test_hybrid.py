"""How a hybrid backend is put together: any two or more parts, by code and by configuration."""

import pytest
from verifier_backends.bm25 import BM25Backend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.hybrid import HybridBackend
from verifier_backends.memory import InMemoryBackend

from verifier.core.errors import ConfigError, UnknownPlugin
from verifier.factory import backend_description, build_backend


def test_the_default_is_vectors_and_words() -> None:
    backend = build_backend({"type": "hybrid"})
    assert {name: type(part) for name, part in backend.parts.items()} == {
        "dense": InMemoryBackend,
        "sparse": BM25Backend,
    }


def test_named_parts_are_all_there_are() -> None:
    table = {
        "type": "hybrid",
        "method": "convex",
        "weights": {"words": 0.25},
        "inner": {"stems": "bm25", "words": {"type": "bm25", "language": None}},
    }
    assert {name: type(part) for name, part in build_backend(table).parts.items()} == {
        "stems": BM25Backend,
        "words": BM25Backend,
    }
    described = backend_description(table)
    assert described["inner"]["words"]["language"] is None
    assert described["inner"]["stems"]["k1"] == 1.2
    assert "dense" not in described


def test_dense_and_sparse_stand_beside_named_parts_where_they_are_given() -> None:
    table = {"type": "hybrid", "dense": "memory", "inner": {"a": "bm25", "b": {"type": "hybrid"}}}
    assert list(build_backend(table).parts) == ["dense", "a", "b"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"inner": {"only": "bm25"}}, "at least two backends .* has 1"),
        ({"inner": {}}, "has 0"),
        ({"inner": "bm25"}, "backend.inner: expected a table of tables or names"),
        ({"inner": {"a": "bm25", "../b": "bm25"}}, "'../b' cannot name"),
        ({"inner": {"a": "bm25", "dense": "bm25"}}, "'dense' cannot name"),
        ({"inner": {"a": "bm25", "b": "bm25"}, "weights": {"c": 1}}, "no backend of inner; known: a, b"),
        ({"weights": {"dense": 2.0}}, "known: none .*dense_weight"),
        ({"inner": {"a": "bm25", "b": "bm25"}, "weights": {"a": 0, "b": 0}}, "not all 0"),
        ({"inner": {"a": "bm25", "b": {"type": "bm25", "k3": 1}}}, "unknown key backend.inner.b.k3"),
    ],
)
def test_what_cannot_be_fused_is_refused(table, message) -> None:
    with pytest.raises(ConfigError, match=message):
        build_backend({"type": "hybrid", **table})


def test_an_unknown_part_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(UnknownPlugin, match=r"unknown backend 'bm52'; known: .*bm25"):
        build_backend({"type": "hybrid", "inner": {"a": "bm25", "b": "bm52"}})


def test_an_index_of_two_parts_keeps_its_identity() -> None:
    identity = HybridBackend(InMemoryBackend(HashingEncoder()), BM25Backend()).identity
    assert sorted(identity) == ["dense", "sparse", "type"]
