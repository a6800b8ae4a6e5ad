"""The texts, filters and assertions of the contract suite, and how it is given a backend."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from verifier.core.errors import UnsupportedOperation
from verifier_backends.base import VectorBackend
from verifier_backends.types import Hit, Item, MetadataValue, Where

__all__ = [
    "FILTERS",
    "ITEMS",
    "METADATA",
    "QUERY",
    "TEXTS",
    "UNKNOWN_FILTERS",
    "Suite",
    "assert_ordered",
    "ids",
    "is_torn",
    "new_folder",
    "raises",
]

TEXTS = {
    "glacier": "The glacier in the northern valley lost twelve metres of ice last summer.",
    "invoice": "An invoice must be paid within thirty days of its date of issue.",
    "violin": "The violin maker varnishes each instrument with amber resin and oil.",
    "kernel": "The operating system kernel schedules threads across processor cores.",
    "orchid": "Orchids need bright indirect light and a coarse bark substrate.",
    "harbour": "Ships enter the harbour at high tide, guided by a licensed pilot.",
}
METADATA: dict[str, dict[str, MetadataValue]] = {
    "glacier": {"lang": "en", "year": 2023, "checked": True},
    "invoice": {"lang": "en", "year": 2024, "owner": "finance"},
    "violin": {"lang": "de", "year": 2024, "share": 0.5},
    "kernel": {"lang": "de", "year": 2023},
    "orchid": {"lang": "fr", "owner": None},
    "harbour": {},
}
ITEMS = [Item(doc_id, text, METADATA[doc_id]) for doc_id, text in TEXTS.items()]
QUERY = "when must an invoice be paid"
FILTERS: list[Where] = [
    {"lang": "en"},
    {"lang": ["en", "fr"]},
    {"lang": "de", "year": 2024},
    {"year": [2023]},
    {"owner": None},
    {"checked": True},
    {"lang": "none such"},
    {"lang": []},
    {"no such key": "x"},
    {},
    {"lang": {"$eq": "en"}},
    {"lang": {"$in": ["en", "fr"]}},
    {"owner": {"$eq": None}},
    {"$and": [{"lang": {"$in": ["en", "de"]}}, {"year": 2024}]},
    {"$and": [{"lang": "en"}, {"lang": "de"}]},
]

UNKNOWN_FILTERS: list[Where] = [
    {"lang": {"$ne": "en"}},
    {"year": {"$gt": 2020}},
    {"lang": {"$in": "en"}},
    {"$or": [{"lang": "en"}, {"year": 2024}]},
]
"""What every backend refuses by a ``ValueError`` that shows the form wanted."""


class Suite(ABC):
    """Makes backends for the tests. ``make_backend`` must return an empty one each time."""

    column = ""
    """Head of the backend's column in the table of backends and checks; the class's name by default."""

    tolerance = 1e-5
    """How far the scores of a query may differ alone and in a batch, or before and after a reload."""

    long_text_sentences = 5000
    """Sentences of 36 characters in the longest text that is stored and asked. Fewer, but still many times the model's
    window, for a backend that reads a text to its end with a real model, which takes minutes over 180,000 characters.
    """

    refused: str | None = None
    """The capability whose refusal a check has tested instead, for the table."""

    @abstractmethod
    def make_backend(self) -> VectorBackend:
        """A new, empty backend; two calls give backends of equal configuration."""

    def filled(self) -> VectorBackend:
        """A backend that holds the suite's texts."""
        backend = self.make_backend()
        backend.add_many(ITEMS)
        return backend

    def assert_refused(self, backend: VectorBackend, capability: str, call: Callable[[], object]) -> None:
        assert capability in backend.capabilities.missing()
        with raises(UnsupportedOperation, f"{capability!r}, which is not declared,", naming=capability):
            call()
        self.refused = capability

    def refuses(self, backend: VectorBackend, capability: str, *calls: Callable[[], object]) -> bool:
        """Whether ``backend`` does not declare a capability; each of ``calls``, which need it, must be refused then."""
        if getattr(backend.capabilities, capability):
            return False
        for call in calls:
            self.assert_refused(backend, capability, call)
        return True

    def assert_same(self, found: list[Hit], expected: list[Hit], what: str) -> None:
        assert ids(found) == ids(expected), f"{what} gave {ids(found)} instead of {ids(expected)}"
        for one, other in zip(found, expected, strict=True):
            assert abs(one["score"] - other["score"]) <= self.tolerance, f"{what}: the score of {one['id']!r}"
            assert one["text"] == other["text"], f"{what}: the text of {one['id']!r} differs"
            assert one["metadata"] == other["metadata"], f"{what}: the metadata of {one['id']!r} differ"


def ids(hits: list[Hit]) -> list[str]:
    return [hit["id"] for hit in hits]


def is_torn(hit: Hit) -> bool:
    return not hit["text"].endswith(f" {hit['metadata']['revision']}")


def assert_ordered(hits: list[Hit]) -> None:
    keys = [(-hit["score"], hit["id"]) for hit in hits]
    assert keys == sorted(keys), f"hits must come by score descending, then by id ascending: {keys}"
    assert len(set(ids(hits))) == len(hits), f"an id occurs twice among the hits: {ids(hits)}"


@contextmanager
def raises(expected: type[Exception], what: str, naming: str = "") -> Iterator[None]:
    try:
        yield
    except expected as error:
        if naming not in str(error):
            raise AssertionError(f"the message of {what} must name {naming!r}: {error}") from error
        return
    except Exception as error:
        raise AssertionError(f"{what} must raise {expected.__name__}, not {type(error).__name__}") from error
    raise AssertionError(f"{what} must raise {expected.__name__}")


@contextmanager
def new_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)
