"""Metadata and filters in the flat form of vector databases, and back, with nothing lost on the way.

A database's own metadata cannot hold ``None``, nor tell ``1`` from ``True`` in a filter the way Python does not. So
each record holds its text and metadata as one JSON value, and beside it, for filters alone, two flat keys for every
value that is not ``None``: ``h:key`` says that there is one, ``k:key`` holds it in a form that is equal where
Python's ``==`` is.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.core.errors import BackendRejected
from verifier_backends.filters import plain_filter
from verifier_backends.types import Hit, Item, Metadata, Where

__all__ = ["MAX_FILTER_VALUES", "PAYLOAD", "filter_of", "flat_keys", "hit_of", "stored"]

PAYLOAD = "item"
"""Key of the JSON value."""

MAX_FILTER_VALUES = 10_000
"""Values of one filter. Chroma looks them up in SQLite, which takes 32,766 variables in a statement; Pinecone
takes 10,000 in one ``$in``."""

_LONGEST = 512
"""Characters of a value that is kept as it is; a longer one is compared by its digest."""


def stored(item: Item) -> dict[str, str | bool]:
    """The metadata under which a database keeps an item.

    >>> stored(Item("a", "text", {"lang": "en", "owner": None}))
    {'item': '["text", {"lang": "en", "owner": null}]', 'h:lang': True, 'k:lang': 's:"en"'}
    """
    metadata: Metadata = item.metadata or {}
    return {PAYLOAD: json.dumps([item.text, dict(metadata)]), **flat_keys(metadata)}


def flat_keys(metadata: Metadata) -> dict[str, str | bool]:
    """What filters look at."""
    keys: dict[str, str | bool] = {}
    for key, value in metadata.items():
        if value is not None:
            name = _name(key)
            keys[f"h:{name}"], keys[f"k:{name}"] = True, _comparable(value)
    return keys


def hit_of(doc_id: str, record: Mapping[str, Any], score: float) -> Hit:
    """The item of a record that ``stored`` made, as a hit."""
    text, metadata = json.loads(record[PAYLOAD])
    return Hit(id=doc_id, text=text, score=score, metadata=metadata)


def filter_of(where: Where | None, *, absent: Mapping[str, Any], vendor: str) -> dict[str, Any] | None:
    """The database's filter with the meaning of ``verifier_backends.filters.matches``; ``None`` for no filter,
    ``{}`` for one that nothing can match.

    Args:
        where: the filter.
        absent: the condition on ``h:key`` that only records without that key meet.
        vendor: whose filter it is, for messages.

    >>> filter_of({"year": [2023, None]}, absent={"$ne": True}, vendor="Chroma")
    {'$or': [{'k:year': {'$in': ['n:2023']}}, {'h:year': {'$ne': True}}]}
    >>> filter_of({"year": []}, absent={"$ne": True}, vendor="Chroma")
    {}

    Raises:
        BackendRejected: a key has too many values.
    """
    if not where:
        return None
    parts: list[dict[str, Any]] = []
    for key, wanted in plain_filter(where).items():
        values = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else list(wanted)
        if len(values) > MAX_FILTER_VALUES:
            raise BackendRejected(
                f"a filter of {vendor} takes at most {MAX_FILTER_VALUES} values; {key!r} has {len(values)}"
            )
        given = sorted({_comparable(value) for value in values if value is not None and value == value})
        options: list[dict[str, Any]] = []
        if given:
            options.append({f"k:{_name(key)}": {"$in": given}})
        if None in values:
            options.append({f"h:{_name(key)}": dict(absent)})
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
        kept = json.dumps(value)
        return "s:" + kept if len(kept) <= _LONGEST else "d:" + hashlib.sha256(kept.encode()).hexdigest()
    if isinstance(value, float) and not (math.isfinite(value) and value.is_integer()):
        return f"n:{value!r}"
    return f"n:{int(value)}"
