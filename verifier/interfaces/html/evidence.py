"""The quotations that a person is shown for a claim, with page, lines, surroundings and marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from verifier.core.lines import Lines, line_ends, paragraph_ends
from verifier.interfaces.html.marks import Marks
from verifier.interfaces.html.types import EvidenceView, Stance
from verifier.types import ClaimVerdict, Document, Evidence, Verdict

__all__ = ["Documents", "evidence_views"]

Documents = Callable[[str], Document | None]
"""A document by its id, for the lines and the surroundings of a quotation; ``None`` where it is not at hand."""

_AROUND = 120
"""Code points before and behind a quotation that are shown with it."""
_DELIMITER = re.compile(r"^\|[-:| ]+\|$", re.MULTILINE)
_LINED = frozenset({None, "text", "markdown", "pdf"})
"""Formats whose text has the lines of the file, or of the page; the others are put into Markdown as they are read."""


def evidence_views(claim: ClaimVerdict, documents: Documents) -> list[EvidenceView]:
    """The evidence of a claim, of stretches that overlap one alone."""
    marks = Marks(claim)
    return [_view(claim, item, documents(item.doc_id), marks) for item in _apart(claim.evidence, marks)]


def _apart(evidence: Sequence[Evidence], marks: Marks) -> Iterator[Evidence]:
    """Of stretches that overlap, the shortest with the value that decided, or else the first of them."""
    shown: list[Evidence] = []
    for item in evidence:
        if any(_overlap(item, other) for other in shown):
            continue
        deciding = [other for other in evidence if _overlap(item, other) and marks.decisive(other)]
        shown.append(min(deciding, key=lambda other: len(other.text), default=item))
        yield shown[-1]


def _overlap(one: Evidence, other: Evidence) -> bool:
    return one.doc_id == other.doc_id and one.start < other.end and other.start < one.end


def _view(claim: ClaimVerdict, item: Evidence, document: Document | None, marks: Marks) -> EvidenceView:
    before, after = ("", "") if document is None else _around(item, document)
    return EvidenceView(
        source=item.source,
        page=item.page,
        row=row if isinstance(row := item.metadata.get("row"), int) else None,
        lines=_lines(item, document),
        paragraphs=_paragraphs(item),
        start=item.start,
        end=item.end,
        text=item.text,
        before=before,
        after=after,
        headings=list(item.headings),
        context=_DELIMITER.sub("", item.context).strip(),
        marks=marks.in_evidence(item),
        stance=_stance(claim, item, marks),
    )


def _lines(item: Evidence, document: Document | None) -> list[int] | None:
    """The first and last line of a quotation, from 1, on its page or else in its file."""
    if document is None:
        return None if item.line is None else [item.line, item.line + line_ends(item.text.rstrip())]
    if document.metadata.get("format") not in _LINED:
        return None
    lines = _lines_of(document.text)
    top = max((page.start for page in document.pages if page.start <= item.start), default=0)
    last = item.start + len(item.text.rstrip())
    return [lines.place(at).line - lines.place(top).line + 1 for at in (item.start, last)]


def _paragraphs(item: Evidence) -> list[int] | None:
    """The first and last paragraph of a quotation."""
    if item.paragraph is None:
        return None
    last = item.paragraph + paragraph_ends(item.text.strip())
    return [min(max(item.paragraph, 1), last), last]


@lru_cache(8)
def _lines_of(text: str) -> Lines:
    """The lines of a document, of which several quotations are."""
    return Lines(text)


def _around(item: Evidence, document: Document) -> tuple[str, str]:
    """What stands before and behind a quotation in its paragraph, cut at a word."""
    if document.text[item.start : item.end] != item.text or item.text.startswith("|"):
        return "", ""  # what stands around the row of a table are other rows
    before = document.text[max(0, item.start - _AROUND) : item.start].rpartition("\n\n")[2]
    after = document.text[item.end : item.end + _AROUND].partition("\n\n")[0]
    if len(before) == _AROUND:
        before = "… " + before.partition(" ")[2]
    if len(after) == _AROUND:
        after = after.rpartition(" ")[0] + " …"
    return before, after


def _stance(claim: ClaimVerdict, item: Evidence, marks: Marks) -> Stance:
    """Which of two sources that disagree confirms the claim; or that the evidence decided against it."""
    against = marks.decides_against(item)
    if claim.conflict:
        return "differs" if against else "agrees"
    return "differs" if against and claim.verdict is Verdict.CONTRADICTED else ""
