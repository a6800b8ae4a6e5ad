"""A text in, its values with what each one measures out: the content words around a value, by nearness."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import cached_property

from signals.stems import ContentWord, content_words
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

_BARRIERS = re.compile(r"[,;:()–—|]|\b(?:and|or|but|while|whereas|than|against|compared)\b", re.IGNORECASE)
_RULE = re.compile(r"\s*\|?[\s:|-]*-{2,}[\s:|-]*")
_HEAD_STOP = re.compile(r"[^\s\w’'-]")
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
            row = self._row(value)
            self._near[value.start] = row if row is not None else self._around(value)
        return self._near[value.start]

    def _around(self, value: Value) -> dict[str, float]:
        start, end = self.sentence(value)
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

    def _row(self, value: Value) -> dict[str, float] | None:
        """In a table: the words of the row's first cell and of the column's header."""
        start = self.text.rfind("\n", 0, value.start) + 1
        end = self.text.find("\n", value.start)
        line = self.text[start : end if end >= 0 else len(self.text)]
        if line.count("|") < 2:
            return None
        column = line[: value.core[0] - start].count("|") - (1 if line.lstrip().startswith("|") else 0)
        found = dict.fromkeys(_stems(line), 0.4)
        cells = _cells(line)
        header = self._header(start)
        if 0 <= column < len(header):
            found |= dict.fromkeys(_stems(header[column]), 1.0)
        if cells and column != 0:
            found |= dict.fromkeys(_stems(cells[0]), 1.0)
        return found

    def _header(self, row_start: int) -> list[str]:
        """Cells of the header above a row: the line over the rule, or the first line of the table."""
        end = row_start
        header = ""
        while end > 0:
            start = self.text.rfind("\n", 0, end - 1) + 1
            line = self.text[start : end - 1]
            if line.count("|") < 2:
                break
            if not _RULE.fullmatch(line):
                header = line
            end = start
        return _cells(header) if header else []

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


def _stems(text: str) -> list[str]:
    return [word.key for word in content_words(text)]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


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
