"""A text in, its values with what each one measures out: the content words around a value, by nearness."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import cached_property

from signals.stems import ContentWord, content_words
from signals.values.fields import Field, field_at, fields_of
from signals.values.grammar import parse
from signals.values.types import Value
from verifier.core.text import sentence_spans

__all__ = ["ValueText", "tie"]

_STEP = 0.2
"""How fast nearness falls with each content word in between: 1 / (1 + 0.2 * distance)."""
_BARRIER = 2.0
"""A comma, a conjunction or another value in between counts as this many words."""
_ELSEWHERE = 0.12
"""Nearness of words outside the sentence: what the whole text is about."""
_ANCHOR = 2.0
"""Years, codes and other figures in the claim that name the case weigh this much more than plain words."""
_HEAD_WORDS = 3
_SAME_ROW = 0.4
"""Nearness of the other cells of a row."""
_SHORT_CELL = 3
_LABEL_OF_PROSE = 0.5
"""A cell of more words than ``_SHORT_CELL`` is prose: its own words are nearer than its label."""

_BARRIERS = re.compile(r"[,;:()–—|]|\b(?:and|or|but|while|whereas|than|against|compared)\b", re.IGNORECASE)
_ANCHOR_TEXT = re.compile(r"(?:1[4-9]|20)\d\d|\d*[A-Za-z]+\d\w*|[A-Z]\w*-?\d\w*")


class ValueText:
    """A text with its values; what its words say is worked out only when a value is compared."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._near: dict[int, Mapping[str, float]] = {}

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The values of the text, in reading order."""
        return parse(self.text)

    @cached_property
    def words(self) -> list[ContentWord]:
        """Content words, those of plain quantities left out; years and codes stay, as they name the case."""
        found = content_words(self.text)
        out, at = [], 0
        for word in found:
            while at < len(self.values) and self.values[at].end <= word.start:
                at += 1
            inside = at < len(self.values) and self.values[at].start <= word.start
            if not inside or self.values[at].kind in ("code", "date"):
                out.append(word)
        return out

    @cached_property
    def _starts(self) -> list[int]:
        return [word.start for word in self.words]

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        return sentence_spans(self.text)

    @cached_property
    def _barriers(self) -> list[int]:
        marks = [match.start() for match in _BARRIERS.finditer(self.text)]
        return sorted([*marks, *(value.core[0] for value in self.values)])

    @cached_property
    def stems(self) -> frozenset[str]:
        """Every stem of the text."""
        return frozenset(word.key for word in self.words)

    def sentence(self, value: Value) -> tuple[int, int]:
        """The span of the sentence, list item or table row that a value stands in."""
        at = bisect_right(self._sentences, (value.core[0], len(self.text))) - 1
        return self._sentences[max(at, 0)] if self._sentences else (0, len(self.text))

    def near(self, value: Value) -> Mapping[str, float]:
        """The stems of the value's sentence, each with its nearness in (0, 1]."""
        if value.start not in self._near:
            field = field_at(fields_of(self.text), value.core[0])
            self._near[value.start] = (
                self._labelled(value, field) if field else self._around(value, self.sentence(value))
            )
        return self._near[value.start]

    def _around(self, value: Value, stretch: tuple[int, int]) -> dict[str, float]:
        start, end = stretch
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        left, right = bisect_left(self._starts, value.core[0]), bisect_left(self._starts, value.core[1])
        found: dict[str, float] = {}
        for at in range(first, last):
            word = self.words[at]
            if value.core[0] <= word.start < value.core[1]:
                continue
            if word.start < value.core[0]:
                distance = left - at - 1 + _BARRIER * self._between(word.end, value.start)
            else:
                distance = at - right + _BARRIER * self._between(value.core[1], word.start)
            weight = 1.0 / (1.0 + _STEP * distance)
            found[word.key] = max(weight, found.get(word.key, 0.0))
        return found

    def _between(self, start: int, end: int) -> int:
        return max(0, bisect_left(self._barriers, end) - bisect_left(self._barriers, start))

    def _labelled(self, value: Value, field: Field) -> dict[str, float]:
        """In a table or record: the words of the label and of the row's first cell name what a figure means."""
        prose = self._around(value, (field.start, field.end))
        named = 1.0 if len(prose) <= _SHORT_CELL else _LABEL_OF_PROSE
        found = dict.fromkeys(_keys(self.text[slice(*field.row)]), _SAME_ROW)
        for stem, weight in prose.items():
            found[stem] = max(weight, found.get(stem, 0.0))
        for key in _keys(field.label):
            found[key] = max(named, found.get(key, 0.0))
        if field.start != field.first[0]:
            for key in _keys(self.text[slice(*field.first)]):
                found[key] = max(named, found.get(key, 0.0))
        return found

    def head(self, value: Value) -> frozenset[str]:
        """Stems of what is counted: the words right behind the value, to the next function word or mark."""
        end = value.core[1] if value.core[1] > value.start else value.end
        at = bisect_left(self._starts, end)
        found: list[str] = []
        last = max(end, value.end)
        for word in self.words[at : at + _HEAD_WORDS]:
            gap = self.text[last : word.start]
            if gap.strip(" -‑\u00a0\u202f'’") and not (not found and gap.strip() in ("of", "of the")):
                break
            found.append(word.key)
            last = word.end
        return frozenset(found)


def _keys(text: str) -> list[str]:
    return [word.key for word in content_words(text)]


def tie(claim: ValueText, mine: Value, evidence: ValueText, theirs: Value) -> float:
    """How surely two values measure the same thing: weighted overlap of the words near them, in [0, 1].

    1 for the same sentence. Words of the claim that stand elsewhere in the evidence count a little.
    """
    near, other = claim.near(mine), evidence.near(theirs)
    total = got = 0.0
    for stem, weight in near.items():
        weight *= _ANCHOR if _ANCHOR_TEXT.fullmatch(stem) else 1.0
        total += weight * near[stem]
        got += weight * (other.get(stem) or (_ELSEWHERE if stem in evidence.stems else 0.0))
    return min(1.0, got / total) if total else 0.0
