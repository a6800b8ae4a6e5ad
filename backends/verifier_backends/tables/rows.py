"""Items as rows of a database and filters as conditions on their tags, and back, with nothing lost.

A row has a key, the item as one JSON value, a unit vector and tags: two for each value of the metadata that is not
``None``, of which one says that there is a value and the other holds it in a form that is equal where Python's ``==``
is. Every database can ask whether a list of texts holds one of several, so filters mean the same in all.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.filters import plain_filter
from verifier_backends.index.flat import MAX_FILTER_VALUES, flat_keys
from verifier_backends.types import Hit, Item, Where

__all__ = ["Condition", "Found", "Row", "Table", "conditions_of", "hit_of", "key_of", "row_of", "unit"]

Vectors = NDArray[np.float32]


class Row(NamedTuple):
    """A row as it is stored; ``key`` is the id in ASCII, whatever it holds."""

    key: str
    item: str
    tags: list[str]


class Found(NamedTuple):
    """A row that was found, with the cosine of its vector and the one asked for."""

    cosine: float
    key: str
    item: str


@dataclass(frozen=True)
class Condition:
    """What a row must meet: one of these tags, or, where ``absent`` is set, not to have that one."""

    tags: tuple[str, ...]
    absent: str | None = None


class Table(Protocol):
    """A table of a database. Its methods raise what the database raises."""

    name: str
    exact: bool
    """Whether every search compares all rows."""

    def put(self, rows: Sequence[Row], vectors: Vectors) -> None:
        """Store rows of distinct keys, in the place of those of the same keys."""

    def remove(self, keys: Sequence[str]) -> int:
        """Remove rows; returns how many were there."""

    def count(self) -> int:
        """Number of rows."""

    def items(self, keys: Sequence[str]) -> dict[str, str]:
        """The items of those keys that are there."""

    def vectors(self, keys: Sequence[str]) -> dict[str, Sequence[float]]:
        """The vectors of those keys that are there, as they were stored; none at all where they lost precision."""

    def nearest(
        self, vector: Vectors, limit: int, conditions: Sequence[Condition], *, exact: bool
    ) -> list[Found]:
        """At most ``limit`` rows nearest to a unit vector by cosine, in any order; where ``exact``, none is missed."""

    def settle(self) -> None:
        """Make ready for being read often, as when an index is saved: join files, build an index, or nothing."""


def row_of(item: Item) -> Row:
    """The row of an item.

    >>> row_of(Item("a", "text", {"lang": "en", "owner": None}))
    Row(key='"a"', item='["text", {"lang": "en", "owner": null}]', tags=['h:lang', 'k:lang=s:"en"'])
    """
    metadata = dict(item.metadata or {})
    flat = flat_keys(metadata)
    tags = [key if value is True else f"{key}={value}" for key, value in flat.items()]
    return Row(key_of(item.doc_id), json.dumps([item.text, metadata]), sorted(tags))


def key_of(doc_id: str) -> str:
    """The key of an id: ASCII, and different for different ids."""
    return json.dumps(doc_id)


def hit_of(key: str, item: str, score: float) -> Hit:
    """A row as a hit."""
    text, metadata = json.loads(item)
    return Hit(id=json.loads(key), text=text, score=score, metadata=metadata)


def conditions_of(where: Where | None, vendor: str) -> list[Condition] | None:
    """The conditions that have the meaning of ``verifier_backends.filters.matches``; ``None`` where nothing can match.

    >>> conditions_of({"year": [2023, None]}, "Qdrant")
    [Condition(tags=('k:year=n:2023',), absent='h:year')]

    Raises:
        BackendRejected: a key has too many values.
        ValueError: the filter has an operator that is not known.
    """
    found = []
    for key, wanted in plain_filter(where or {}).items():
        values = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else list(wanted)
        if len(values) > MAX_FILTER_VALUES:
            raise BackendRejected(
                f"a filter of {vendor} takes at most {MAX_FILTER_VALUES} values; {key!r} has {len(values)}"
            )
        given = [flat_keys({key: value}) for value in values if value is not None and value == value]
        tags = {f"{name}={value}" for flat in given for name, value in flat.items() if value is not True}
        absent = next(name for name, value in flat_keys({key: True}).items() if value is True)
        if not tags and None not in values:
            return None
        found.append(Condition(tuple(sorted(tags)), absent if None in values else None))
    return found


def unit(vectors: NDArray[np.float32], n_rows: int) -> Vectors:
    """Rows of length 1; a zero row stays one.

    Raises:
        BackendRejected: an encoder gave something else than so many finite vectors.
    """
    if vectors.ndim != 2 or len(vectors) != n_rows or not np.isfinite(vectors).all():
        raise BackendRejected(f"the encoder gave no {n_rows} finite vectors but shape {vectors.shape}")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = np.divide(
        vectors, lengths, out=np.zeros_like(vectors, dtype=np.float32), where=lengths > 0
    )
    return np.ascontiguousarray(scaled, dtype=np.float32)
