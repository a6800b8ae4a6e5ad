"""Windows: the stretches of a passage, mostly a sentence with its context, that the signals compare with a claim.

Each can carry a span back into its document.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from verifier.core.deadline import checkpoint
from verifier.core.layout import cells, unmarked
from verifier.core.onnx import side_by_side
from verifier.core.recent import RecentlyUsed, digest
from verifier.core.tables import is_row
from verifier.core.text import COLONS, sentence_spans, trimmed
from verifier.types import Evidence, Span
from verifier.verification.evidence.layout import (
    Led,
    Row,
    led_items,
    record_of,
    split_context,
    table_rows,
    told_inline,
    told_of,
    with_unit,
)
from verifier.verification.evidence.prose import Said, said_in, topic_of
from verifier.verification.evidence.shown import Shown, shown
from verifier.verification.statements import Factuality, Statement, asked_topic, row_factuality, statements_of

__all__ = ["Window", "asserted", "is_prose", "joined", "take_apart", "whole", "windows_of"]

MAX_PAIR_CHARS = 600
"""Two neighbouring sentences are also read as one window while both together stay below this many code points."""

KEPT = 2048
"""Passages whose windows are remembered: a claim has ten, and neighbouring claims share most of them."""
_TAKEN_APART: RecentlyUsed[tuple[Window, ...]] = RecentlyUsed(KEPT)

_BETWEEN = " "
"""What stands between the premises of joined windows."""

_HEADING = re.compile(r"#{1,6}[ \t].*")
_Piece = tuple[Span | None, str]
"""A stretch of what is shown, or words that are written in."""
_ROW_OF_A_FILE = re.compile(r"#\d+\Z")
_LEAST_STATED = 2
"""Words of a title that may state something."""
_DONE = ": done."
"""What a ticked box says of the task that it stands before."""


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of one evidence, and the ``premise`` that signals read in its place.

    The premise may hold more than the piece: its headings, a list's stem, a table row's column names.
    ``segments`` says which stretches of the premise stand in the document: (start in premise, end in premise,
    start in document). ``parts`` are the windows of a joined one, in the order in which its premise has them.
    ``factuality`` tells whether the document asserts what it says; only what is asserted supports a claim.
    ``reworded``: the premise says in other words, or in a further sentence, what the piece says. ``column`` heads the
    one column of a table that it is from, and ``beside`` are the heads of the others.
    """

    evidence: Evidence
    start: int
    end: int
    premise: str
    segments: tuple[tuple[int, int, int], ...]
    parts: tuple[Window, ...] = ()
    factuality: Factuality = Factuality.ASSERTED
    reworded: bool = False
    column: str = ""
    beside: tuple[str, ...] = ()

    def quoting(self, evidence: Evidence) -> Window:
        """The same stretch of the same passage, as it was found for another claim; of a window without parts."""
        if evidence is self.evidence:
            return self
        return Window(
            evidence,
            self.start,
            self.end,
            self.premise,
            self.segments,
            (),
            self.factuality,
            self.reworded,
            self.column,
            self.beside,
        )

    @property
    def begin(self) -> int:
        """Where the words that stand in the document begin in the premise, behind headings that are written in."""
        return self.segments[0][0] if self.segments else 0

    def place_of(self, span: Span) -> tuple[Evidence, Span] | None:
        """Where a span of the premise stands; ``None`` where it is not quoted from a document."""
        for at, part in self._placed():
            if at <= span[0] and span[1] <= at + len(part.premise):
                return part.place_of((span[0] - at, span[1] - at))
        first, last = (self._segment(at) for at in (span[0], max(span[1] - 1, span[0])))
        if first is None or last is None or (first != last and not self._unbroken(first, last)):
            return None
        return self.evidence, (first[2] + span[0] - first[0], last[2] + span[1] - last[0])

    def _segment(self, at: int) -> tuple[int, int, int] | None:
        return next((one for one in self.segments if one[0] <= at < one[1]), None)

    def _unbroken(self, first: tuple[int, int, int], last: tuple[int, int, int]) -> bool:
        """Whether nothing is written in between two stretches, and they stand in the document in this order."""
        between = self.segments[self.segments.index(first) : self.segments.index(last) + 1]
        return all(one[1] == other[0] and one[2] < other[2] for one, other in itertools.pairwise(between))

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
        return self.evidence.narrowed(self.start, self.end)

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


def asserted(windows: Sequence[Window]) -> list[Window]:
    """Those of what the documents assert."""
    return [window for window in windows if window.factuality is Factuality.ASSERTED]


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
    """Whether a passage has no table row, and is no record or list of labelled values."""
    if any(map(is_row, text.splitlines())) or record_of(text, row=True):
        return False
    kinds = [cell.kind for cell in cells(text)]
    return kinds.count("labelled") < 2 or 2 * kinds.count("labelled") < len(kinds)


def whole(evidence: Evidence) -> Window:
    """A passage of prose as one window, without the headings inside it: they stand before the premise already. What it
    does not assert is left out."""
    read = shown(evidence.text)
    premise = _prefix(evidence, split_context(evidence.context)[0])
    segments: list[tuple[int, int, int]] = []
    for block in _blocks(read.text, evidence.headings):
        for start, end in _asserted_in(evidence, read, block):
            start, end = trimmed(read.text, start, end)
            premise += " " if segments else ""
            for left, right, place in read.runs(start, end):
                segments.append((len(premise), len(premise) + right - left, evidence.start + place))
                premise += read.text[left:right]
    return Window(evidence, evidence.start, evidence.start + len(evidence.text), premise, tuple(segments))


def _asserted_in(evidence: Evidence, read: Shown, block: _Block) -> Iterator[Span]:
    """A block of prose, or what it asserts where it does not assert all."""
    if block.kind != "prose":
        return
    said, stated = _statements(evidence, read, block.span, [], "")
    if all(_factuality(one, said[one.start]) is Factuality.ASSERTED for one in stated):
        yield block.span
        return
    for one in stated:
        if _factuality(one, said[one.start]) is Factuality.ASSERTED:
            yield one.start, one.end


def windows_of(evidence: Evidence) -> Iterator[Window]:
    """Windows of one and of two neighbouring sentences that belong together; records and table rows are read whole.

    Headings inside the text stand before every premise; one without markup is a window, too, since it may state
    something. What is crossed out is in no premise. A passage is taken apart once for all claims that it is found for.
    """
    key = _key(evidence)
    found = _TAKEN_APART.get(key)
    if found is None:
        found = tuple(_taken_apart(evidence))
        _TAKEN_APART.update([(key, found)])
    return (window.quoting(evidence) for window in found)


def take_apart(passages: Iterable[Evidence]) -> None:
    """Have the windows of several passages at hand: while a model reads one, another is taken apart."""
    fresh = {key: item for item in passages if _TAKEN_APART.get(key := _key(item)) is None}
    if len(fresh) > 1:
        side_by_side(windows_of, [*fresh.values()], [len(item.text) for item in fresh.values()], None)


def _key(evidence: Evidence) -> bytes:
    """Names what the windows of a passage are made of: not what it was found for."""
    return digest(
        evidence.doc_id,
        evidence.source,
        evidence.text,
        str(evidence.start),
        evidence.context,
        *evidence.headings,
    )


def _taken_apart(evidence: Evidence) -> Iterator[Window]:
    checkpoint()
    read = shown(evidence.text)
    if record := record_of(read.text, row=_ROW_OF_A_FILE.search(evidence.source) is not None):
        yield _fields_window(evidence, read, Row(0, len(read.text), record))
        return
    context, head = split_context(evidence.context)
    led = led_items(read.text, context)
    prose: list[Window] = []
    leads, topic = context, ""
    for block in _blocks(read.text, evidence.headings):
        if block.kind == "heading":
            topic = topic_of(evidence.headings[: block.depth])
            prose += _title_window(evidence, read, block)
        elif block.kind == "table":
            for row in table_rows(read.text, block.lines, head):
                yield _fields_window(evidence, read, row, leads)
            head = topic = ""
        elif record := record_of(read.text[slice(*block.span)]):
            by = block.span[0]
            fields = tuple((label, start + by, end + by) for label, start, end in record)
            yield _fields_window(evidence, read, Row(*block.span, fields), context)
            topic = ""
        else:
            prose += _sentence_windows(evidence, read, block.span, led, topic)
            last = read.text[slice(*block.span)].strip()
            leads = last[slice(*sentence_spans(last)[-1])] if last.endswith(COLONS) else ""
            topic = ""
    yield from prose


class _Block(NamedTuple):
    """Lines of one kind, ``heading`` (one line), ``table`` or ``prose``; ``depth`` counts the headings down to it."""

    kind: str
    span: Span
    lines: tuple[Span, ...]
    depth: int


def _blocks(text: str, headings: Sequence[str]) -> Iterator[_Block]:
    """A text by lines that belong together, in order; paragraphs that are records are blocks of their own."""
    found: list[_Block] = []
    fenced = False
    for line in re.finditer(r"[^\n]*\S[^\n]*", text):
        fenced ^= line[0].lstrip().startswith(("```", "~~~"))
        kind, depth = "prose", 0
        if not fenced and (_HEADING.fullmatch(line[0]) or unmarked(line[0]) in headings):
            name = unmarked(line[0])
            kind, depth = (
                "heading",
                len(headings) - list(headings)[::-1].index(name) if name in headings else 0,
            )
        elif not fenced and is_row(line[0]):
            kind = "table"
        last = found[-1] if found else None
        parted = last is not None and text.count("\n", last.span[1], line.start()) > 1
        alone = parted and last is not None and record_of(text[slice(*last.span)])
        if last is None or kind != last.kind or kind == "heading" or alone or (parted and kind == "table"):
            found.append(_Block(kind, line.span(), (line.span(),), depth))
        else:
            found[-1] = _Block(kind, (last.span[0], line.end()), (*last.lines, line.span()), 0)
    return iter(found)


def _title_window(evidence: Evidence, read: Shown, block: _Block) -> Iterator[Window]:
    """A title that no markup makes a heading, as what it states, if it does."""
    line = read.text[slice(*block.span)]
    if _HEADING.fullmatch(line) or line.rstrip().endswith("?") or len(line.split()) < _LEAST_STATED:
        return
    above = replace(evidence, headings=evidence.headings[: max(block.depth - 1, 0)], context="")
    window = _window(above, read, block.span, _prefix(above, ""), [(block.span, "")])
    yield replace(window, evidence=evidence)


def _statements(
    evidence: Evidence, read: Shown, span: Span, led: Sequence[Led], topic: str
) -> tuple[dict[int, Said], Sequence[Statement]]:
    """The sentences of a stretch by where they begin, and what they state."""
    said = said_in(read.text, *span, led, topic)
    spans = tuple((one.start, one.end) for one in said)
    above = tuple(tuple(filter(None, [*evidence.headings, one.stem])) for one in said)
    return {one.start: one for one in said}, statements_of(
        read.text, spans, above, tuple(one.read_in(read.text) for one in said)
    )


def _factuality(stated: Statement, said: Said) -> Factuality:
    if stated.factuality is Factuality.ASSERTED and said.planned:
        return Factuality.PLANNED
    if stated.factuality is Factuality.PLANNED and said.done:
        return Factuality.ASSERTED
    if stated.factuality is Factuality.ASSERTED and said.aside:
        return Factuality.ATTRIBUTED
    return stated.factuality


def _sentence_windows(
    evidence: Evidence, read: Shown, span: Span, led: Sequence[Led], topic: str
) -> Iterator[Window]:
    said, stated = _statements(evidence, read, span, led, topic)
    for one in stated:
        window = _statement_window(evidence, read, one, said[one.start])
        yield replace(window, factuality=_factuality(one, said[one.start]))
    for one, other in itertools.pairwise(stated):
        first, second = said[one.start], said[other.start]
        asserted = _factuality(one, first) is _factuality(other, second) is Factuality.ASSERTED
        together = first.cell == second.cell and not (first.done or one.pieces or other.pieces)
        if asserted and together and other.end - one.start <= MAX_PAIR_CHARS:
            behind = _pieces(second) if second.named else [((second.start, second.end), "")]
            pieces = [*_pieces(first), ((first.end, second.start), ""), *behind]
            span = (one.start, other.end)
            yield _window(evidence, read, span, _prefix(evidence, first.stem), pieces)


def _statement_window(evidence: Evidence, read: Shown, stated: Statement, said: Said) -> Window:
    """One statement, in the words that it is given in."""
    span = (stated.start, stated.end)
    if not stated.pieces:
        return _sentence_window(evidence, read, said)
    pieces: list[_Piece] = [
        (None, piece.text) if piece.start is None else ((piece.start, piece.start + len(piece.text)), "")
        for piece in stated.pieces
    ]
    pieces = _opened(pieces, said)
    return replace(_window(evidence, read, span, _prefix(evidence, said.stem), pieces), reworded=True)


def _opened(pieces: list[_Piece], said: Said) -> list[_Piece]:
    """The pieces of a statement, its sentence opened as it is where it stands alone."""
    (stretch, _), own = pieces[0], _pieces(said)
    if stretch is None or stretch[0] != said.start or stretch[1] < said.start + said.at + said.length:
        return pieces
    return [*own[:-1], ((said.start + said.at + said.length, stretch[1]), ""), *pieces[1:]]


def _sentence_window(evidence: Evidence, read: Shown, said: Said) -> Window:
    """A sentence as it stands: without its bullet, with what leads into it and what its pronoun means."""
    span = (said.start, said.end)
    text = read.text[slice(*span)]
    bare = said.item and bool(said.stem) and not said.meant
    told = told_of(said.stem, text[said.skipped :]) if bare and "\n" not in text else None
    inline = told_inline(text) if not said.stem and ": " in text else None
    if inline is not None:
        (first, last), rest = inline
        things = (span[0] + first, span[0] + last)
        return _window(evidence, read, span, _prefix(evidence, ""), [(things, ""), (None, rest)])
    if told is not None:
        begin = span[0] + said.skipped
        pieces: list[_Piece] = [((begin, begin + told[1]), ""), (None, f" {told[0]}")]
        return _window(evidence, read, span, _prefix(evidence, ""), pieces)
    pieces = _pieces(said)
    if said.done and text[-1] not in ".!?":
        pieces.append((None, _DONE))
    return replace(_window(evidence, read, span, _prefix(evidence, said.stem), pieces), reworded=said.named)


def _pieces(said: Said) -> list[_Piece]:
    """The words of a sentence, with what its opening pronoun stands for in its place."""
    at = said.start + said.at
    return [((said.start + said.skipped, at), ""), (None, said.meant), ((at + said.length, said.end), "")]


def _window(evidence: Evidence, read: Shown, span: Span, prefix: str, pieces: Sequence[_Piece]) -> Window:
    """A window of stretches of the passage, and of words that are written in."""
    premise = prefix
    segments: list[tuple[int, int, int]] = []
    for stretch, written in pieces:
        premise += written
        for left, right, place in (
            read.runs(*stretch) if stretch is not None and stretch[0] < stretch[1] else ()
        ):
            if (
                segments
                and segments[-1][1] == len(premise)
                and _follows(segments[-1], evidence.start + place)
            ):
                segments[-1] = (segments[-1][0], len(premise) + right - left, segments[-1][2])
            else:
                segments.append((len(premise), len(premise) + right - left, evidence.start + place))
            premise += read.text[left:right]
    start, end = read.span(*span)
    return Window(evidence, evidence.start + start, evidence.start + end, premise, tuple(segments))


def _follows(segment: tuple[int, int, int], place: int) -> bool:
    return segment[2] + segment[1] - segment[0] == place


def _prefix(evidence: Evidence, stem: str) -> str:
    """What a reader of the document has above the piece: its headings, then the stem of its list."""
    parts = [*(asked_topic(heading).rstrip(" .:") for heading in evidence.headings), stem.strip()]
    return "".join(f"{part}. " if part[-1] not in ".:!?" else f"{part} " for part in parts if part)


def _fields_window(evidence: Evidence, read: Shown, row: Row, stem: str = "") -> Window:
    """A row is read as ``Service: Express; Price: 9.90 EUR``: a cell means nothing without its column."""
    pieces: list[_Piece] = [(None, row.lead)]
    for label, start, end in row.fields:
        if start >= end:
            continue
        label, unit = with_unit(label, read.text[start:end])
        between = "; " if len(pieces) > 1 else ""
        pieces += [(None, between + (f"{label}: " if label else "")), ((start, end), ""), (None, unit)]
    prefix = _prefix(evidence, stem) + (f"{row.group}. " if row.group else "")
    window = _window(evidence, read, (row.start, row.end), prefix, pieces)
    factuality = row_factuality(window.premise[len(prefix) :], evidence.headings)
    return replace(window, factuality=factuality, column=row.column, beside=row.beside)
