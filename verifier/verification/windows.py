"""Evidence in; the windows that signals read out, each able to carry a span back into its document."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from signals.values import label_units
from verifier.core.text import LIST_ITEM, sentence_spans
from verifier.types import Evidence, Span
from verifier.verification.antecedents import Antecedent, antecedents
from verifier.verification.lists import Led, led_items, told_inline, told_of

__all__ = ["Window", "is_prose", "joined", "whole", "windows_of"]

MAX_PAIR_CHARS = 600
"""Two neighbouring sentences are also read as one window while both together stay below this many code points."""

_BETWEEN = " "
"""What stands between the premises of joined windows."""

_RECORD_LINE = re.compile(r"[ \t]*([^\n:|]{1,60}): +(\S[^\n]*)")
_TABLE_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*")
_RULE_ROW = re.compile(r"[\s|:-]+")
_HEADING = re.compile(r"#{1,6}[ \t].*")
_CELL = re.compile(r"(?<=\|)(?:\\\||[^|\n])*(?=\|)")
_BARE_NUMBER = re.compile(r"[\d.,]*\d")

_Field = tuple[str, int, int]
"""A labelled value: its label, and its span in the evidence's text."""


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of one evidence, and the ``premise`` that signals read in its place.

    The premise may hold more than the piece: its headings, a list's stem, a table row's column names.
    ``segments`` says which stretches of the premise stand in the document: (start in premise, end in premise,
    start in document). ``parts`` are the windows of a joined one, in the order in which its premise has them.
    """

    evidence: Evidence
    start: int
    end: int
    premise: str
    segments: tuple[tuple[int, int, int], ...]
    parts: tuple[Window, ...] = ()

    def place_of(self, span: Span) -> tuple[Evidence, Span] | None:
        """Where a span of the premise stands; ``None`` where it is not quoted from a document."""
        for at, part in self._placed():
            if at <= span[0] and span[1] <= at + len(part.premise):
                return part.place_of((span[0] - at, span[1] - at))
        for start, end, document_start in self.segments:
            if start <= span[0] and span[1] <= end:
                return self.evidence, (document_start + span[0] - start, document_start + span[1] - start)
        return None

    def span_of(self, part: Window, span: Span) -> Span:
        """Where a span of the premise of one of the ``parts``, or of this very window, stands in the premise.

        Raises:
            ValueError: the window is not made of that part.
        """
        if part is self:
            return span
        for at, one in self._placed():
            if one is part:
                return at + span[0], at + span[1]
        raise ValueError("no part of this window")

    def _placed(self) -> Iterator[tuple[int, Window]]:
        """The parts, each with where it begins in the premise."""
        at = 0
        for part in self.parts:
            yield at, part
            at += len(part.premise) + len(_BETWEEN)

    def as_evidence(self) -> Evidence:
        """The evidence narrowed to this window."""
        offset = self.evidence.start
        text = self.evidence.text[self.start - offset : self.end - offset]
        return replace(self.evidence, text=text, start=self.start, end=self.end)

    def overlaps(self, other: Window) -> bool:
        """Whether both quote a common stretch of one document."""
        same = self.evidence.doc_id == other.evidence.doc_id
        return same and self.start < other.end and other.start < self.end

    def holds(self, other: Window) -> bool:
        """Whether the other quotes nothing but what this one quotes."""
        same = self.evidence.doc_id == other.evidence.doc_id
        return same and self.start <= other.start and other.end <= self.end

    def includes(self, other: Window) -> bool:
        """Whether the other is one of the places that this one joins, or lies in the stretch that it quotes."""
        return other in self.parts if self.parts else self.holds(other)


def joined(windows: Sequence[Window]) -> Window:
    """Several windows read as one premise; those of one document in its order. The first is where it stands."""
    first = windows[0]
    parts = sorted(
        windows, key=lambda window: (window.evidence.doc_id != first.evidence.doc_id, window.start)
    )
    premise = _BETWEEN.join(part.premise for part in parts)
    return Window(first.evidence, first.start, first.end, premise, (), tuple(parts))


@lru_cache(maxsize=1024)
def is_prose(text: str) -> bool:
    """Whether a passage has no table row, and is no record of labelled values."""
    return not any(map(_TABLE_ROW.fullmatch, text.splitlines())) and not _record(text)


def whole(evidence: Evidence) -> Window:
    """A passage of prose as one window, without the headings inside it: they stand before the premise already."""
    premise = _prefix(evidence, _stem(evidence))
    segments: list[tuple[int, int, int]] = []
    for start, end in _blocks(evidence.text, evidence.headings):
        text = evidence.text[start:end].strip()
        premise += " " if segments else ""
        at = start + evidence.text[start:end].index(text)
        segments.append((len(premise), len(premise) + len(text), evidence.start + at))
        premise += text
    return Window(evidence, evidence.start, evidence.start + len(evidence.text), premise, tuple(segments))


def windows_of(evidence: Evidence) -> Iterator[Window]:
    """Windows of one and of two neighbouring sentences; records and table rows are read whole.

    Headings inside the text are left out: they stand before every premise already.
    """
    text = evidence.text
    if record := _record(text):
        yield _fields_window(evidence, 0, len(text), record)
        return
    prose: list[Span] = []
    columns = _columns(evidence.context)
    for start, end in _blocks(text, evidence.headings):
        row = text[start:end]
        if not _TABLE_ROW.fullmatch(row):
            prose.append((start, end))
        elif _RULE_ROW.fullmatch(row):
            continue
        elif _is_header(text, end):
            columns = _columns(row)
        else:
            yield _fields_window(evidence, start, end, _row(row, start, columns))
    led = led_items(text, _stem(evidence)) if prose else []
    for start, end in prose:
        yield from _sentence_windows(evidence, start, end, led)


def _blocks(text: str, headings: Sequence[str]) -> Iterator[Span]:
    """Table rows one by one, and the prose between them; heading lines belong to neither."""
    at = 0
    for line in re.finditer(r"[^\n]+", text):
        heads = _HEADING.fullmatch(line.group()) is not None or line.group().strip() in headings
        if heads or _TABLE_ROW.fullmatch(line.group()):
            if text[at : line.start()].strip():
                yield at, line.start()
            if not heads:
                yield line.span()
            at = line.end()
    if text[at:].strip():
        yield at, len(text)


def _is_header(text: str, end: int) -> bool:
    """Whether the row that ends here has a rule below it."""
    below = text[end + 1 :].split("\n", 1)[0]
    return bool(_TABLE_ROW.fullmatch(below) and _RULE_ROW.fullmatch(below))


def _columns(row: str) -> list[str]:
    first = row.split("\n", 1)[0]
    if not _TABLE_ROW.fullmatch(first):
        return []
    return [match.group().strip() for match in _CELL.finditer(first)]


def _row(row: str, offset: int, columns: Sequence[str]) -> list[_Field]:
    fields = []
    for n, match in enumerate(_CELL.finditer(row)):
        cell = match.group()
        start = offset + match.start() + len(cell) - len(cell.lstrip())
        label = columns[n] if n < len(columns) else ""
        fields.append((label, start, start + len(cell.strip())))
    return fields


def _record(text: str) -> list[_Field]:
    """The fields of a text that is nothing but ``label: value`` lines, as rows of a CSV file are stored."""
    lines = [line for line in re.finditer(r"[^\n]+", text) if line.group().strip()]
    matches = [_RECORD_LINE.fullmatch(line.group()) for line in lines]
    if len(lines) < 2 or not all(matches):
        return []
    return [
        (match[1].strip(), line.start() + match.start(2), line.start() + match.end(2))
        for line, match in zip(lines, matches, strict=True)
        if match
    ]


def _sentence_windows(evidence: Evidence, start: int, end: int, led: Sequence[Led]) -> Iterator[Window]:
    spans = [(start + left, start + right) for left, right in sentence_spans(evidence.text[start:end])]
    stems = [next((item.stem for item in led if _within(span, item.span)), "") for span in spans]
    meant = antecedents(evidence.text, spans)
    for span, stem, opening in zip(spans, stems, meant, strict=True):
        yield _sentence_window(evidence, *span, stem, opening)
    for ((left, _), (_, right)), stem, opening in zip(itertools.pairwise(spans), stems, meant, strict=False):
        if right - left <= MAX_PAIR_CHARS:
            yield _sentence_window(evidence, left, right, stem, opening)


def _within(span: Span, item: Span) -> bool:
    return item[0] <= span[0] < item[1]


def _prefix(evidence: Evidence, stem: str) -> str:
    """What a reader of the document has above the piece: its headings, then the stem of its list."""
    parts = [*(heading.rstrip(" .:") for heading in evidence.headings), stem.strip()]
    return "".join(f"{part}. " if part[-1] not in ".:!?" else f"{part} " for part in parts if part)


def _stem(evidence: Evidence) -> str:
    """What leads into the list that the evidence begins in the midst of."""
    return "" if _columns(evidence.context) else evidence.context


def _sentence_window(evidence: Evidence, start: int, end: int, stem: str, opening: Antecedent) -> Window:
    text = evidence.text[start:end]
    at = evidence.start + start
    # A stem and its item are one sentence; the bullet between them would part it in two.
    bullet = LIST_ITEM.match(text) if stem else None
    skipped = bullet.end() if bullet else opening.length
    told = told_of(stem, text[skipped:]) if bullet and "\n" not in text else None
    inline = told_inline(text) if not stem and ": " in text else None
    if inline is not None:
        (skipped, last), rest = inline
        prefix, length = _prefix(evidence, ""), last - skipped
    elif told is None:
        prefix, length, rest = _prefix(evidence, stem), len(text) - skipped, ""
        prefix += "" if bullet else opening.text
    else:
        prefix, length, rest = _prefix(evidence, ""), told[1], f" {told[0]}"
    premise = prefix + text[skipped : skipped + length]
    segment = (len(prefix), len(premise), at + skipped)
    return Window(evidence, at, evidence.start + end, premise + rest, (segment,))


def _fields_window(evidence: Evidence, start: int, end: int, fields: Sequence[_Field]) -> Window:
    """A row is read as ``Service: Express; Price: 9.90 EUR``: a cell means nothing without its column."""
    out = _prefix(evidence, _stem(evidence))
    segments: list[tuple[int, int, int]] = []
    for label, left, right in fields:
        value = evidence.text[left:right]
        if not value:
            continue
        label, unit = _with_unit(label, value)
        out += "" if not segments else "; "
        out += f"{label}: " if label else ""
        segments.append((len(out), len(out) + len(value), evidence.start + left))
        out += value + unit
    return Window(evidence, evidence.start + start, evidence.start + end, out, tuple(segments))


def _with_unit(label: str, value: str) -> tuple[str, str]:
    """Move a unit from the label of a bare number behind it: ``altitude_m`` 2490 is read as ``altitude: 2490 m``."""
    told = label_units(label)
    if told.units and told.scale == 1.0 and _BARE_NUMBER.fullmatch(value):
        return told.name.replace("_", " "), f" {told.units[0].spelling}"
    return label.replace("_", " "), ""
