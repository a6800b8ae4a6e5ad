"""The text of a reply goes in; the JSON object that it is comes out, or an error where it is anything else."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["json_object"]


def json_object(reply: str) -> dict[str, Any]:
    """The JSON object that ``reply`` is, with nothing but white space around it.

    >>> json_object(' {"rating": 4} ')
    {'rating': 4}

    Raises:
        ValueError: it is no JSON, has words around it, is nested too deeply, says a name twice, or is no object.
    """
    try:
        values = json.loads(reply, object_pairs_hook=_without_duplicates)
    except RecursionError as error:
        raise ValueError("the reply is nested too deeply") from error
    if not isinstance(values, dict):
        raise ValueError("the reply is no JSON object")
    return values


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A reply that says two things under one name says neither."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("the reply says a name twice")
    return dict(pairs)
