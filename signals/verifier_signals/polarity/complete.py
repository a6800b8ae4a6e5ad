"""A claim and a premise go in, where the claim adds to a list that the premise counts, or takes from it, comes out.

``Holl won three wards: Ash, Elm and Oak`` rules out that Yew was among the wards that Holl won.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from verifier.core.text import sentence_spans
from verifier_signals.polarity.clash import Clash, Span
from verifier_signals.polarity.membership import counted_in, items_of, keys_in
from verifier_signals.values import parse

__all__ = ["complete_list_clashes"]

_LISTED = re.compile(r"(?P<head>[^:;]{8,}?): (?P<items>[^:;]+)")
_LONGEST = 12
"""Things of a list that is counted."""
_SHARED = 0.6
"""Share of the words by which a claim names the whole that stand in front of the list."""


class _List(NamedTuple):
    """A list of as many things as are announced: the words in front of it, those of each thing, and where it stands."""

    head: frozenset[str]
    items: tuple[frozenset[str], ...]
    span: Span


def complete_list_clashes(claim: str, premise: str) -> Iterator[Clash]:
    """A thing that the claim counts in and a complete list of the premise does not have, or the other way round."""
    for mine in counted_in(claim) if ":" in premise else ():
        for other in _lists(premise):
            if not mine.whole or len(mine.whole & other.head) < _SHARED * len(mine.whole):
                continue
            for item in mine.items:
                named = item - other.head
                listed = any(named & one for one in other.items)
                if named and listed == mine.out:
                    yield Clash(
                        "negation.list-complete",
                        "polarity",
                        1.0,
                        mine.span,
                        other.span,
                        "the list is complete",
                    )
                    return


@lru_cache(maxsize=2048)
def _lists(text: str) -> tuple[_List, ...]:
    found = []
    for start, end in sentence_spans(text):
        for match in _LISTED.finditer(text, start, end):
            items = items_of(text, match.span("items"))
            counts = {
                value.quantities[0].low
                for value in parse(match["head"])
                if value.quantities and value.kind == "number" and not value.weak
            }
            if 1 < len(items) <= _LONGEST and len(items) in counts:
                found.append(_List(keys_in(text, match.span("head")), items, match.span("items")))
    return tuple(found)
