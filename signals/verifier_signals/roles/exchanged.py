"""A claim and a premise go in; two names or two figures of which each says what the other says of the second, come out.

``4 % faded with the new dye, 11 % with the old one`` against ``11 % with the new dye, 4 % with the old one``.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import NamedTuple

from verifier.core.text import sentence_spans
from verifier_signals.names import Finder, Name, is_alias, names_in
from verifier_signals.repeated import ANY_REPEATED, Gap, gaps_in, stems_of
from verifier_signals.stems import content_words
from verifier_signals.values import Fit, Form, Value, compare, values_of

__all__ = ["exchanged_anchors", "exchanged_words"]

_CUT = re.compile(r"[;,]|\b(?:and|while|whereas|but|against|versus|compared (?:with|to))\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no|never|neither|nor)\b|n['’]t\b", re.IGNORECASE)

_MOST_PARTS = 48
"""Parts of a claim, its first ones, and of a premise, the nearest ones, of which each two are looked at."""

Span = tuple[int, int]


class _Part(NamedTuple):
    """A part of a sentence with the one anchor in it (a name or a figure), and its other words.

    ``first``: the part is the first with an anchor, so that its verb may be that of the parts behind it, too.
    """

    anchor: Name | Value
    keys: frozenset[str]
    span: Span
    first: bool


def exchanged_anchors(claim: str, premise: str, find: Finder = names_in) -> list[tuple[Span, Span]]:
    """The spans of the first of two anchors that are exchanged, in the claim and in the premise.

    Each of the two stands in one part of a sentence alone, on both sides; what the claim has with the one the premise
    has with the other, both times, and nothing with the one itself.
    """
    if _CUT.search(claim) is None or _NOT.search(claim):
        return []
    for sort in (_figure_parts, _name_parts):
        ours = sort(claim, find)[:_MOST_PARTS]
        theirs = _nearest(ours, sort(premise, find)) if len(ours) > 1 else ()
        found = [(one, other) for one in ours if (other := _counterpart(one, theirs)) is not None]
        for (one, mine), (two, other) in itertools.combinations(found, 2):
            if mine is other or _alike(one.anchor, two.anchor):
                continue
            if _crossed(one, two, mine, other):
                return [(one.span, mine.span)]
    return []


def _nearest(ours: Sequence[_Part], theirs: Sequence[_Part]) -> Sequence[_Part]:
    """Of more parts of a premise than can be looked at one by one those that share most words with the claim's."""
    if len(theirs) <= _MOST_PARTS:
        return theirs
    wanted = frozenset().union(*(one.keys for one in ours))
    places = nlargest(_MOST_PARTS, range(len(theirs)), key=lambda at: len(theirs[at].keys & wanted))
    return [theirs[at] for at in sorted(places)]


def exchanged_words(claim: str, premise: str) -> list[tuple[Span, Span]]:
    """The spans of the first of two stretches that a claim has exchanged in a sentence that it repeats otherwise.

    ``Fires are forbidden from April on and unwise before`` against ``unwise from April on and forbidden before``. Not
    in a series (``maps and books``), where the order says nothing, nor where another word stands in the place of one:
    ``A costs half as much as B`` is ``B costs twice as much as A``.
    """
    gaps = gaps_in(claim, premise, least_repeated=ANY_REPEATED)
    if len(gaps) < 2:
        return []
    for one, two in itertools.combinations(gaps, 2):
        others = (gap for gap in gaps if gap not in (one, two))
        if _changed_places(one, two) and not any(
            stems_of(gap.ours) and stems_of(gap.theirs) for gap in others
        ):
            return [((one.ours[0].start, one.ours[-1].end), (one.theirs[0].start, one.theirs[-1].end))]
    return []


def _changed_places(one: Gap, two: Gap) -> bool:
    mine, other = stems_of(one.ours), stems_of(one.theirs)
    second, first = stems_of(two.ours), stems_of(two.theirs)
    crossed = mine & first and other & second and mine.isdisjoint(other) and second.isdisjoint(first)
    replaced = (mine - first and other - second) or (second - other and first - mine)
    return bool(crossed) and not replaced and two.behind - one.behind > 1


def _crossed(one: _Part, two: _Part, mine: _Part, other: _Part) -> bool:
    here, there = one.keys - two.keys, two.keys - one.keys
    own, else_ = mine.keys - other.keys, other.keys - mine.keys
    straight = (here & own if not (one.first and mine.first) else set(), there & else_)
    return bool(here & else_ and there & own) and not any(straight)


def _counterpart(part: _Part, theirs: Sequence[_Part]) -> _Part | None:
    """The one part of the premise with the anchor of a part of the claim."""
    found = [other for other in theirs if _alike(part.anchor, other.anchor)]
    return found[0] if len(found) == 1 else None


def _alike(one: Name | Value, other: Name | Value) -> bool:
    if isinstance(one, Value):
        return isinstance(other, Value) and compare(one, other).fit is Fit.EQUAL
    return not isinstance(other, Value) and is_alias(one, other)


@lru_cache(maxsize=2048)
def _figure_parts(text: str, find: Finder) -> tuple[_Part, ...]:
    del find
    values = [
        one for one in values_of(text).values if one.form is Form.POINT and not one.weak and not one.dates
    ]
    return tuple(_parts(text, [(one, one.core) for one in values]))


@lru_cache(maxsize=2048)
def _name_parts(text: str, find: Finder) -> tuple[_Part, ...]:
    return tuple(_parts(text, [(name, (name.start, name.end)) for name in find(text)]))


def _parts(text: str, anchors: Sequence[tuple[Name | Value, Span]]) -> Iterator[_Part]:
    if len(anchors) < 2:
        return
    words = content_words(text)
    starts, places = [word.start for word in words], [span[0] for _, span in anchors]
    for first, last in sentence_spans(text):
        cuts = [first, *(match.end() for match in _CUT.finditer(text, first, last)), last]
        alone = True
        for begin, end in itertools.pairwise(cuts):
            inside = anchors[bisect_left(places, begin) : bisect_left(places, end)]
            if len(inside) != 1:
                continue
            anchor, span = inside[0]
            around = words[bisect_left(starts, begin) : bisect_left(starts, end)]
            keys = {word.key for word in around if not span[0] <= word.start < span[1]}
            yield _Part(anchor, frozenset(keys), span, alone)
            alone = False
