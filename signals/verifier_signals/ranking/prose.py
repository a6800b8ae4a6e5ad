"""A comparison and the sentences of its evidence in; whether the figures of the two bear it out, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import common_words
from verifier_signals.ranking.figures import OF_ANYTHING, beyond, sign_of
from verifier_signals.ranking.keys import years_in
from verifier_signals.ranking.types import Asked, Keys, Settled, Shown
from verifier_signals.stems import content_words
from verifier_signals.syntax import Reading, read
from verifier_signals.values import Value, ValueText, values_of

__all__ = ["Sides", "Spoken", "spoken_in", "told"]


_LIGHT = lexicon(
    "go hold come becom get take make put have do be alreadi first last place happen occur ahead time"
)
"""Stems that say of no event which one it is."""


class Spoken(NamedTuple):
    """A sentence of the evidence: its number among the pieces, its headings, and itself, with where it begins."""

    piece: int
    headings: Keys
    text: ValueText
    start: int


class _Figure(NamedTuple):
    """A figure of a sentence with the words that stand near it, and those that say what it counts."""

    piece: int
    quote: str
    value: Value
    near: dict[str, float]
    head: Keys

    @property
    def shown(self) -> Shown:
        """Where it stands."""
        return Shown(self.piece, *self.value.core)

    def nearness(self, names: Keys) -> float:
        """How near a side stands, in [0, 1]; 0 where one of its words is not in the sentence."""
        return min((self.near.get(name, 0.0) for name in names), default=0.0)


def told(asked: Asked, claim: str, sentences: Sequence[Spoken]) -> Settled | None:
    """Whether the figure that stands with the left side lies beyond the one that stands with the right.

    A side is called by its words that no heading has, or else by its names, whether a heading has them or not.
    """
    named = Sides(claim, sentences)
    measured = named.all(asked.measured or (asked.left & asked.plain if _of_anything(asked) else frozenset()))
    counted = named.all(asked.right)
    sides = named.of(asked.left), named.of(asked.right)
    called = named.called(asked.left), named.called(asked.right)
    words = frozenset[str]().union(*sides, *called, measured, counted)
    figures = list(_figures(asked, words, sentences))
    pair = _counted(figures, measured, counted)
    fitting = [] if pair else _measuring(asked, figures, measured)
    for left, right in (sides, called) if not pair else ():
        if left and right:
            left, right = _as_called(left, fitting, claim), _as_called(right, fitting, claim)
            pair = pair or _both(_nearest(fitting, left, right), _nearest(fitting, right, left))
    if pair is None or pair[0].value is pair[1].value:
        return None
    ours, theirs = pair
    way = beyond(asked, ours.value, theirs.value)
    return None if way is None else Settled(way == 1, asked.span, ours.shown, theirs.shown)


def _both(ours: _Figure | None, theirs: _Figure | None) -> tuple[_Figure, _Figure] | None:
    return None if ours is None or theirs is None else (ours, theirs)


class Sides:
    """The words of a claim as they are keyed near values, apart from those that headings of the evidence have."""

    def __init__(self, claim: str, sentences: Sequence[Spoken]) -> None:
        reading = read(claim)
        keys = {word.start: word.key for word in content_words(claim)}
        self._keys = [
            (token.word.stem, keys[token.start], _is_name(reading, at))
            for at, token in enumerate(reading.tokens)
            if token.start in keys
        ]
        self._headings = frozenset[str]().union(*(one.headings for one in sentences))

    def all(self, side: Keys) -> Keys:
        """Every word of a side."""
        return frozenset(key for stem, key, _ in self._keys if not side.isdisjoint((stem, key)))

    def events(self, side: Keys) -> Keys:
        """What happens or is done, without the words of headings, which every event of the document shares."""
        found = self.all(side - _LIGHT)
        return (found - self._headings) or found

    def named(self, side: Keys) -> Keys:
        """The words of a side with a capital inside a sentence, without those of headings."""
        return (
            frozenset(key for stem, key, name in self._keys if not side.isdisjoint((stem, key)) and name)
            - self._headings
        )

    def of(self, side: Keys) -> Keys:
        """What names a side: its words with a capital, where it has any, without those of headings, and no years."""
        mine = [one for one in self._keys if not side.isdisjoint(one[:2])]
        own = [one for one in mine if one[1] not in self._headings] or mine
        named = [one for one in own if one[2]] or own
        found = frozenset(key for _, key, _ in named)
        return found - years_in(found)

    def called(self, side: Keys) -> Keys:
        """The names of a side, with those of headings."""
        return frozenset(key for stem, key, name in self._keys if not side.isdisjoint((stem, key)) and name)


def _is_name(reading: Reading, at: int) -> bool:
    """A capital names, but for that of an ordinary word at the head of a sentence, with no other capital behind it."""
    word = reading.tokens[at].word
    if at not in reading.heads or not word.capital:
        return word.capital
    follows = at + 1 < len(reading.tokens) and reading.tokens[at + 1].word.capital
    return follows or word.low not in common_words()


def _figures(asked: Asked, words: Keys, sentences: Sequence[Spoken]) -> Iterator[_Figure]:
    """The figures of the sentences that have any of those words, unless they belong to another year."""
    years = years_in(asked.about)
    for piece, _, text, start in sentences:
        if not text.values or words.isdisjoint(text.keys):
            continue
        for value in text.values:
            if value.weak or value.start < start or (value.dates and sign_of(asked, value) is None):
                continue
            near = dict(text.near(value))
            other = years_in(frozenset(near))
            if not (years and other and not years & other):
                yield _Figure(piece, text.text[slice(*value.core)], value, near, text.head(value))


def _measuring(asked: Asked, figures: Sequence[_Figure], measured: Keys) -> list[_Figure]:
    """The figures of what is compared: where any count that, or stand nearest to it in their sentence, no others."""
    fitting = [one for one in figures if _measures(asked, one, measured)]
    if not measured or not _of_anything(asked):
        return fitting
    heads = [one for one in fitting if measured & one.head]
    if heads:
        return heads
    most: dict[int, float] = {}
    for one in fitting:
        most[one.piece] = max(one.nearness(measured), most.get(one.piece, 0.0))
    return [one for one in fitting if one.nearness(measured) == most[one.piece]]


def _measures(asked: Asked, figure: _Figure, measured: Keys) -> bool:
    """Whether a figure counts what the claim does, or has a dimension of the scale."""
    if figure.value.kind == "number" and measured:
        return bool(measured & figure.head) or (not figure.head and measured <= figure.near.keys())
    if sign_of(asked, figure.value) is not None:
        return True
    called = _of_anything(asked) and bool(measured) and not figure.value.dates
    return called and measured <= figure.near.keys()


def _of_anything(asked: Asked) -> bool:
    """Whether any figure can be more of what is compared (``a higher profit``)."""
    return asked.scales[0][0] in OF_ANYTHING


def _counted(figures: Sequence[_Figure], measured: Keys, counted: Keys) -> tuple[_Figure, _Figure] | None:
    """The two counts of one sentence where a claim sets two sorts of things against each other (``more cars than
    lorries``)."""
    ours = [one for one in figures if measured and measured & one.head]
    theirs = [one for one in figures if counted & one.head]
    if len(ours) == len(theirs) == 1 and ours[0].piece == theirs[0].piece:
        return ours[0], theirs[0]
    return None


def _as_called(side: Keys, figures: Sequence[_Figure], claim: str) -> Keys:
    """A name by its first word, where no sentence with a figure has all of it (``Orla`` for ``Orla Ferries``)."""
    if len(side) < 2 or any(one.nearness(side) for one in figures):
        return side
    first = next((word.key for word in content_words(claim) if word.key in side), "")
    capital = any(word.key == first and claim[word.start].isupper() for word in content_words(claim))
    return frozenset({first}) if capital and any(first in one.near for one in figures) else side


def _nearest(figures: Sequence[_Figure], side: Keys, other: Keys) -> _Figure | None:
    """The figure that all the words of a side stand nearest to, and nearer than those of the other side."""
    ranked = sorted(figures, key=lambda one: -one.nearness(side))
    if not ranked or ranked[0].nearness(side) <= ranked[0].nearness(other):
        return None
    level = [one for one in ranked if one.nearness(side) == ranked[0].nearness(side)]
    return level[0] if len({one.quote for one in level}) == 1 else None


@lru_cache(maxsize=1024)
def spoken_in(text: str, start: int) -> tuple[Keys, ValueText, int]:
    """The headings in front of a sentence, as keys, the whole text with its values, and where the sentence begins."""
    return frozenset(word.key for word in content_words(text[:start])), values_of(text), start
