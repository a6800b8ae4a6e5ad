"""None of something in words: ``no members`` are ``0 members``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.stems import word_key
from verifier_signals.values.context import ValueText
from verifier_signals.values.types import Form, Value

__all__ = ["ZeroStatement", "zero_statement_for"]

_NONE = re.compile(
    r"\b(?P<none>no|zero|not\s+(?:a\s+single|one|any|a)|(?:do|does|did|has|have|had|is|are|was|were)(?:n['’]t|\s+not)\s+(?:have\s+)?any"
    r"|without(?:\s+any)?|none\s+of\s+(?:the|its|their))\s+(?P<words>(?:[a-z][\w-]*\s+){0,2}?[a-z][\w-]*)",
    re.IGNORECASE,
)


class ZeroStatement(NamedTuple):
    """Where a text says that there are none, and the stems of what there are none of."""

    span: tuple[int, int]
    counted: frozenset[str]


@lru_cache(maxsize=512)
def _zero_statements(text: str) -> tuple[ZeroStatement, ...]:
    """What a text says that there are none of.

    >>> _zero_statements("The club has no members.")[0].span
    (13, 23)
    """
    return tuple(
        ZeroStatement(match.span(), frozenset(map(word_key, match["words"].lower().split())))
        for match in _NONE.finditer(text)
    )


def zero_statement_for(value: Value, counts: ValueText, says: ValueText) -> ZeroStatement | None:
    """Where ``says`` has in words that there are none of what ``value`` of ``counts`` counts none of."""
    if value.kind != "number" or value.form is not Form.POINT or any(one.low for one in value.quantities):
        return None
    head = counts.head(value)
    return next((found for found in _zero_statements(says.text) if found.counted & head), None)
