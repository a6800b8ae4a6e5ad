"""A claim that one of two has more, and the sentences of its evidence in; what their like figures say of it, out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verifier_signals.ranking.figures import beyond, sign_of
from verifier_signals.ranking.prose import Sides, Spoken
from verifier_signals.ranking.types import Asked, Keys, Settled, Shown
from verifier_signals.values import Form, Value, ValueText

__all__ = ["told_of_two"]

_GOES_ON = re.compile(r"\s*(?:it|they|this|these|which|that)\b", re.IGNORECASE)
_ALIKE = 0.5
"""Two sentences speak of two like things where so large a share of the words around their figures is the same."""


class _Figure(NamedTuple):
    """A figure of the piece with that number, with the words around it and those that say what it counts."""

    piece: int
    value: Value
    near: Keys
    head: Keys


def told_of_two(asked: Asked, claim: str, sentences: Sequence[Spoken]) -> Settled | None:
    """Whether every figure that stands with the one named lies beyond its like that stands with the other one.

    ``The Elm is the larger of the two`` names but one of them; the other is known by the only figure of the same kind
    that stands in a sentence with mostly the same words. ``None`` where there is none or more than one such figure, or
    where several differ in what they say.
    """
    left = Sides(claim, sentences).of(asked.left)
    if not left:
        return None
    figures = [one for one in _figures(sentences) if _measures(asked, one.value)]
    ours = [one for one in figures if left <= one.near]
    others = [one for one in figures if not left <= one.near]
    ways: set[int | None] = set()
    shown: list[tuple[Shown, Shown]] = []
    for one in ours:
        rivals = [other for other in others if _is_like(one, other, left)]
        if len({other.value.quantities or other.value.dates for other in rivals}) == 1:
            ways.add(beyond(asked, one.value, rivals[0].value))
            shown.append((_shown(one), _shown(rivals[0])))
        elif rivals:
            return None
    if len(ways) != 1 or not ways <= {1, -1}:
        return None
    return Settled(ways == {1}, asked.span, *shown[0])


def _figures(sentences: Sequence[Spoken]) -> Iterator[_Figure]:
    for piece, _, text, start in sentences:
        for value in text.values:
            if value.start >= start and not value.weak and value.form is Form.POINT:
                yield _Figure(piece, value, _words_around(text, value), text.head(value))


def _words_around(text: ValueText, value: Value) -> Keys:
    """The words of the part of a sentence that a figure stands in, up to a semicolon; of the part before too, where a
    pronoun takes its subject up."""
    start, end = text.sentence(value)
    begins = start
    for mark in re.finditer(";", text.text[start:end]):
        at = start + mark.end()
        if at > value.start:
            end = at
            break
        begins = begins if _GOES_ON.match(text.text, at) else at
    return frozenset(word.key for word in text.words if begins <= word.start < end)


def _measures(asked: Asked, value: Value) -> bool:
    """Whether a figure is one of the asked scale; of sizes, any but a date."""
    if sign_of(asked, value) is not None:
        return True
    return asked.scales[0][0] == "size" and not value.dates and value.kind in ("unit", "number")


def _is_like(one: _Figure, other: _Figure, left: Keys) -> bool:
    """Whether two figures are of one kind, in sentences that say the same of two things."""
    if one.value.kind != other.value.kind or bool(one.value.dates) != bool(other.value.dates):
        return False
    mine = {each.dimension for each in one.value.quantities}
    if mine != {each.dimension for each in other.value.quantities} or one.head != other.head:
        return False
    common = (one.near & other.near) - one.head
    told = one.near - left - one.head
    return bool(told) and len(common - left) >= _ALIKE * len(told)


def _shown(figure: _Figure) -> Shown:
    return Shown(figure.piece, *figure.value.core)
