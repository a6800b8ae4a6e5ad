"""Items and filters in, Chroma's metadata and ``where`` out, and back: nothing is lost on the way.

Chroma's own metadata cannot hold ``None`` or nothing, tell ``1`` from ``True`` in a filter the way Python does
not, and merge when an id is written again. So each record holds its text and metadata as one JSON value, and
beside it, for filters alone, two flat keys for every value that is not ``None``: ``h:key`` says that there is
one, ``k:key`` holds it in a form that is equal where Python's ``==`` is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from backends.types import Hit, Item, Metadata, Where
from verifier.core.errors import BackendRejected

__all__ = ["MAX_FILTER_VALUES", "filter_of", "hit_of", "stored"]

_PAYLOAD = "item"

MAX_FILTER_VALUES = 10_000
"""Values of one filter: SQLite, in which Chroma looks them up, takes 32,766 variables in a statement."""


def stored(item: Item) -> dict[str, str | bool]:
    """The metadata under which Chroma keeps an item.

    >>> stored(Item("a", "text", {"lang": "en", "owner": None}))
    {'item': '["text", {"lang": "en", "owner": null}]', 'h:lang': True, 'k:lang': 's:"en"'}
    """
    metadata: Metadata = item.metadata or {}
    record: dict[str, str | bool] = {_PAYLOAD: json.dumps([item.text, dict(metadata)])}
    for key, value in metadata.items():
        if value is not None:
            name = _name(key)
            record[f"h:{name}"], record[f"k:{name}"] = True, _comparable(value)
    return record


def hit_of(doc_id: str, record: Mapping[str, Any], score: float) -> Hit:
    """The item of a record that ``stored`` made, as a hit."""
    text, metadata = json.loads(record[_PAYLOAD])
    return Hit(id=doc_id, text=text, score=score, metadata=metadata)


def filter_of(where: Where | None) -> dict[str, Any] | None:
    """Chroma's ``where`` with the meaning of ``backends.filters.matches``; ``None`` for no filter,
    ``{}`` for one that nothing can match.

    Chroma's ``$ne`` is also met by records without the key, by which a missing value is found.

    >>> filter_of({"year": [2023, None]})
    {'$or': [{'k:year': {'$in': ['n:2023']}}, {'h:year': {'$ne': True}}]}
    >>> filter_of({"year": []})
    {}

    Raises:
        BackendRejected: a key has too many values for Chroma's database.
    """
    if not where:
        return None
    parts: list[dict[str, Any]] = []
    for key, wanted in where.items():
        values = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else list(wanted)
        if len(values) > MAX_FILTER_VALUES:
            raise BackendRejected(
                f"a filter of Chroma takes at most {MAX_FILTER_VALUES} values; {key!r} has {len(values)}"
            )
        given = sorted({_comparable(value) for value in values if value is not None and value == value})
        options: list[dict[str, Any]] = []
        if given:
            options.append({f"k:{_name(key)}": {"$in": given}})
        if None in values:
            options.append({f"h:{_name(key)}": {"$ne": True}})
        if not options:
            return {}
        parts.append(options[0] if len(options) == 1 else {"$or": options})
    return parts[0] if len(parts) == 1 else {"$and": parts}


def _name(key: str) -> str:
    """A key in ASCII, whatever it holds."""
    return json.dumps(key)[1:-1]


def _comparable(value: str | int | float | bool) -> str:
    """Equal for values that are equal in Python: ``1``, ``1.0`` and ``True`` are one."""
    if isinstance(value, str):
        return "s:" + json.dumps(value)
    if isinstance(value, float) and not (math.isfinite(value) and value.is_integer()):
        return f"n:{value!r}"
    return f"n:{int(value)}"
