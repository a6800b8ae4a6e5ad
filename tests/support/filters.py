"""Check that a backend's filters let through what ``filters.matches`` does, with values of any type."""

import random

from verifier_backends.base import VectorBackend
from verifier_backends.filters import matches
from verifier_backends.types import Item

_VALUES = [None, True, False, 0, 1, 1.0, 2.5, -3, 10**20, "", "1", "True", "é\x00\n", 'quo"te', float("inf")]


def assert_filters_are_exact(backend: VectorBackend) -> None:
    """Fill an empty backend; compare what filters of one value and of several find, and what it gives back."""
    rng = random.Random(1)
    values = [*_VALUES, "x" * 9000]
    items = [
        Item(str(i), "same words", {key: rng.choice(values) for key in ("a", "$", "ç") if rng.random() < 0.7})
        for i in range(80)
    ]
    backend.add_many(items)
    wheres = [{key: value} for key in "aç" for value in values]
    wheres += [{"a": rng.sample(values, 3), "$": rng.sample(values, 4)} for _ in range(30)]
    for where in wheres:
        found = {hit["id"] for hit in backend.query_many(["same words"], 100, where)[0]}
        assert found == {item.doc_id for item in items if matches(item.metadata, where)}, where
    stored = [hit["metadata"] for hit in backend.get([item.doc_id for item in items])]
    assert stored == [item.metadata for item in items]
    given = [[type(value) for value in item.metadata.values()] for item in items]
    assert [[type(value) for value in metadata.values()] for metadata in stored] == given
