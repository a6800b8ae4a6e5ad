"""Evidence in; the sentence windows that signals read out, each able to carry a span back into the document."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from verifier.core.text import sentence_spans
from verifier.types import Evidence, Span

__all__ = ["Window", "windows_of"]

MAX_PAIR_CHARS = 600
"""Two neighbouring sentences are also read as one window while both together stay below this many code points."""

_RECORD_LINE = re.compile(r"[^\n:|]{1,60}: \S")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*$")


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of one evidence, and the ``premise`` that signals read in its place.

    The premise may hold more than the piece: its headings, a list's stem, a table row's column names.
    ``segments`` says which stretches of the premise stand in the document: (start in premise, end in premise,
    start in document).
    """

    evidence: Evidence
    start: int
    end: int
    premise: str
    segments: tuple[tuple[int, int, int], ...]

    def to_document_span(self, span: Span) -> Span | None:
        """Carry a span of the premise into the document; ``None`` where it is not quoted from this piece."""
        for start, end, document_start in self.segments:
            if start <= span[0] and span[1] <= end:
                return document_start + span[0] - start, document_start + span[1] - start
        return None

    def as_evidence(self) -> Evidence:
        """The evidence narrowed to this window."""
        offset = self.evidence.start
        text = self.evidence.text[self.start - offset : self.end - offset]
        return replace(self.evidence, text=text, start=self.start, end=self.end)


def windows_of(evidence: Evidence) -> Iterator[Window]:
    """Windows of one and of two neighbouring sentences; records and table rows are read whole."""
    text = evidence.text
    rows = _table_rows(text)
    if rows:
        for start, end in rows:
            yield _row_window(evidence, start, end)
        return
    if _is_record(text):
        yield _window(evidence, 0, len(text))
        return
    spans = sentence_spans(text)
    for start, end in spans:
        yield _window(evidence, start, end)
    for (start, _), (_, end) in itertools.pairwise(spans):
        if end - start <= MAX_PAIR_CHARS:
            yield _window(evidence, start, end)


def _is_record(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and all(_RECORD_LINE.match(line) for line in lines)


def _table_rows(text: str) -> list[Span]:
    lines = list(re.finditer(r"[^\n]+", text))
    rows = [line for line in lines if _TABLE_ROW.match(line.group())]
    if len(rows) < len(lines):
        return []
    return [line.span() for line in rows if re.search(r"\w", line.group())]


def _prefix(evidence: Evidence) -> str:
    """What a reader of the document has above the piece: its headings, then the stem of its list."""
    headings = ". ".join(heading.rstrip(" .:") for heading in evidence.headings)
    stem = "" if _is_header_row(evidence.context) else evidence.context.strip()
    return "".join(f"{part}. " if part[-1] not in ".:!?" else f"{part} " for part in (headings, stem) if part)


def _window(evidence: Evidence, start: int, end: int) -> Window:
    prefix = _prefix(evidence)
    piece = evidence.text[start:end]
    at = evidence.start + start
    premise = prefix + piece
    return Window(evidence, at, evidence.start + end, premise, ((len(prefix), len(premise), at),))


def _is_header_row(context: str) -> bool:
    return bool(_TABLE_ROW.match(context.split("\n", 1)[0]))


def _row_window(evidence: Evidence, start: int, end: int) -> Window:
    """A table row is read as ``Service: Express; Price (EUR): 9.90``: a cell means nothing without its column."""
    columns = [cell.strip() for cell in _cells(evidence.context.split("\n", 1)[0])]
    out = _prefix(evidence)
    segments = []
    row = evidence.text[start:end]
    for n, (cell_start, cell_end) in enumerate(_cell_spans(row)):
        label = columns[n] if n < len(columns) else ""
        out += ("; " if n else "") + (f"{label}: " if label else "")
        document_start = evidence.start + start + cell_start
        segments.append((len(out), len(out) + cell_end - cell_start, document_start))
        out += row[cell_start:cell_end]
    return Window(evidence, evidence.start + start, evidence.start + end, out, tuple(segments))


def _cells(row: str) -> Sequence[str]:
    return [row[start:end] for start, end in _cell_spans(row)] if _TABLE_ROW.match(row) else []


def _cell_spans(row: str) -> list[Span]:
    spans = []
    for match in re.finditer(r"(?<=\|)(?:\\\||[^|\n])*(?=\|)", row):
        cell = match.group()
        left = len(cell) - len(cell.lstrip())
        spans.append((match.start() + left, match.start() + max(left, len(cell.rstrip()))))
    return spans
