"""Content units of a text in reading order: content words, and values in place of the words that state them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter

from verifier_signals.lexicon import common_words, senses_of
from verifier_signals.stems import LIGHT_WORDS, ContentWord, content_words, lemma
from verifier_signals.values import Value, ValueIndex, values_of

__all__ = ["Content", "content_of", "is_plain", "senses_of_word"]

_OPENING = " \"'“‘(*_"
"""What may stand between the end of a sentence and the first word of the next."""
_NEAR = 16
"""So many code points of it are passed over in most cases."""


class Content:
    """A text as units in reading order: its content words, and its values in place of the words that state them.

    The indices are those of its words; a value is a unit without a key.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        stated = [value for value in values_of(text).values if not value.weak]
        words = content_words(text)
        self.units: Sequence[ContentWord] = _laid_out(words, stated) if stated else words
        self.places: dict[str, list[int]] = {}
        """Positions in ``units`` by key."""
        for at, unit in enumerate(self.units):
            self.places.setdefault(unit.key, []).append(at)
        self.values: Mapping[int, Value] = dict(zip(self.places.pop("", ()), stated, strict=True))
        """The values by their positions in ``units``."""

    @cached_property
    def figures(self) -> Mapping[str, list[int]]:
        """Positions in ``units`` of values, as they are written."""
        found: dict[str, list[int]] = {}
        for at in self.values:
            found.setdefault(self.quote(at), []).append(at)
        return found

    @cached_property
    def by_figure(self) -> ValueIndex:
        """The values, by what they say, in the order of ``values``."""
        return ValueIndex(list(self.values.values()))

    @cached_property
    def positions(self) -> Sequence[int]:
        """The positions of the values, in the order of ``values``."""
        return list(self.values)

    @cached_property
    def by_sense(self) -> Mapping[int, list[str]]:
        """The keys of the words that have a sense."""
        found: dict[int, list[str]] = {}
        for word, key in self.words.items():
            for sense in senses_of_word(word):
                found.setdefault(sense, []).append(key)
        return found

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The key of each distinct folded word."""
        return {unit.low: unit.key for unit in self.units if unit.key}

    @cached_property
    def senses(self) -> frozenset[int]:
        """The senses of all words."""
        return frozenset().union(*map(senses_of_word, self.words))

    @cached_property
    def initials(self) -> Mapping[str, list[str]]:
        """The distinct words of letters alone, by the first one."""
        return _by_initial(self.words)

    @cached_property
    def strange(self) -> Mapping[str, list[str]]:
        """Those of them that no dictionary lists."""
        return _by_initial(word for word in self.words if word not in common_words())

    @cached_property
    def plain(self) -> Mapping[str, list[int]]:
        """Positions in ``units`` of the folded words that :func:`is_plain` and that are no names."""
        found: dict[str, list[int]] = {}
        for at, unit in enumerate(self.units):
            if unit.key and is_plain(unit.low) and not self.is_name(at):
                found.setdefault(unit.low, []).append(at)
        return found

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of ``plain``."""
        return frozenset(self.plain)

    def quote(self, at: int) -> str:
        """A unit as it is written."""
        return self.text[self.units[at].start : self.units[at].end]

    def is_name(self, at: int) -> bool:
        """Whether a unit is a word with a capital that the head of a sentence does not explain."""
        unit = self.units[at]
        if not unit.key or not self.text[unit.start].isupper():
            return False
        before = self.text[max(0, unit.start - _NEAR) : unit.start].rstrip(_OPENING)
        before = before or self.text[: unit.start].rstrip(_OPENING)
        heads = not before or before[-1] in ".!?:\n|"
        return not heads or common_words().isdisjoint((unit.low, lemma(unit.low)))


def _by_initial(words: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        if word.isalpha():
            found.setdefault(word[0], []).append(word)
    return found


def _laid_out(words: Sequence[ContentWord], values: Sequence[Value]) -> list[ContentWord]:
    """The values and the words outside them, in reading order."""
    units = [ContentWord("", *value.core, "") for value in values]
    at = 0
    for word in words:
        while at < len(values) and values[at].end <= word.start:
            at += 1
        if at == len(values) or word.start < values[at].start:
            units.append(word)
    return sorted(units, key=attrgetter("start"))


@lru_cache(maxsize=16384)
def is_plain(word: str) -> bool:
    """Whether a folded word is one of letters alone that not any sentence may hold."""
    return word.isalpha() and word not in LIGHT_WORDS and lemma(word) not in LIGHT_WORDS


@lru_cache(maxsize=16384)
def senses_of_word(word: str) -> frozenset[int]:
    """The senses of a folded word by its base form."""
    return senses_of(lemma(word))


@lru_cache(maxsize=2048)
def content_of(text: str) -> Content:
    """The text, read once: claims meet the same windows, and windows the same claim."""
    return Content(text)
