"""Read the JSON object that a reply consists of; anything else is an error."""

from __future__ import annotations

import json
import re
from typing import Any

from verifier.core.reasoning import without_asides

__all__ = ["json_object"]

_FENCE = "```"
_LABEL = re.compile(r"(?i:json)?(?=[\s{])")
"""What may stand right behind the opening fence."""


def json_object(reply: str) -> dict[str, Any]:
    """The JSON object that ``reply`` is, or that its one fenced block is.

    Words may stand around a block, but no braces: what could be a second object makes the reply void. As in Markdown,
    a block without a closing fence goes on to the end. What a model thinks aloud before it (``<think>...</think>``) is
    not read.

    >>> json_object(' {"rating": 4} ')
    {'rating': 4}
    >>> json_object('My rating:\\n```json\\n{"rating": 4}\\n```')
    {'rating': 4}

    Raises:
        ValueError: it is no JSON, has words around it and no fence, is nested too deeply, says a name twice, or is no
            object.
    """
    try:
        values = _loaded(reply)
    except RecursionError as error:
        raise ValueError("the reply is nested too deeply") from error
    if not isinstance(values, dict):
        raise ValueError("the reply is no JSON object")
    return values


def _loaded(reply: str) -> Any:
    """The JSON of the reply as it stands, for a text in it may quote the marks of a thought; else without thoughts."""
    try:
        return json.loads(_unfenced(reply), object_pairs_hook=_without_duplicates)
    except ValueError:
        answer = without_asides(reply)
        if answer == reply:
            raise
        return json.loads(_unfenced(answer), object_pairs_hook=_without_duplicates)


def _unfenced(reply: str) -> str:
    """What stands between the first and the last fence, for JSON may quote fences; the reply where it has none."""
    before, opening, rest = reply.partition(_FENCE)
    label = _LABEL.match(rest)
    if not opening or label is None or "{" in before:
        return reply
    inside, closing, after = rest[label.end() :].rpartition(_FENCE)
    if not closing:
        return after
    return reply if "{" in after else inside


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A reply that says two things under one name says neither."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("the reply says a name twice")
    return dict(pairs)
