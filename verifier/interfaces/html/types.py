"""The shape of what ``view.js`` shows, as JSON: the server's page and the HTML report give it the same.

All offsets are half-open and in code points. Those of the draft, of claims and of their marks point into
``View.draft.text``; those of evidence point into its document, those of its marks into its own ``text``.
"""

from __future__ import annotations

from typing import Literal, TypedDict

__all__ = [
    "BlockView",
    "ClaimView",
    "Difference",
    "DraftView",
    "EvidenceView",
    "Fix",
    "Mark",
    "MarkKind",
    "Piece",
    "Stance",
    "Style",
    "Unread",
    "View",
]

Stance = Literal["agrees", "differs", ""]

MarkKind = Literal["same", "differs", "absent"]


class Mark(TypedDict):
    """A stretch of one of two quotations that are set side by side."""

    start: int
    end: int
    kind: MarkKind
    """``same`` stands on both sides, ``differs`` decided against the claim, ``absent`` stands in no source."""
    pair: int
    """Equal in the draft and in the evidence for what belongs together; 0 for nothing."""


class EvidenceView(TypedDict):
    """A quotation of a document: ``document.text[start:end] == text``."""

    source: str
    page: int | None
    row: int | None
    """The row of a table in a file, from 1."""
    lines: list[int] | None
    """The first and the last line, from 1: of the page, where there is one, else of the file; ``None`` where a format
    has no lines that a person could count."""
    paragraphs: list[int] | None
    """The first and the last, counted from the last of ``headings``, which is 0; of formats that are cited so."""
    start: int
    end: int
    text: str
    before: str
    after: str
    """What stands right before and behind it in the document, shortened."""
    headings: list[str]
    context: str
    """What the quotation is not understood without and stands elsewhere: the header of its table."""
    marks: list[Mark]
    stance: Stance
    """How it stands to the claim, where two sources disagree over that or it decided against it."""


class Difference(TypedDict):
    """What the draft says differs from what the evidence says; no edit, unless the claim was judged again with it."""

    claim: str
    evidence: str
    note: str


class Fix(TypedDict):
    """The smallest edit after which the claim was judged again, what it then reads, and its verdict then."""

    label: str
    text: str
    verdict: str


class ClaimView(TypedDict):
    """One claim of the draft, with what was found for it."""

    number: int
    """As in the table and for ``verifier explain``, from 1."""
    start: int
    end: int
    label: str
    """A verdict, or ``abstained`` or ``error``, where there is none."""
    sure: str
    """``96 %``: the calibrated probability of the verdict; empty where there is none."""
    reading: str
    """The claim as it was read, where that is not as it is written; else empty."""
    reason: str
    conflict: bool
    """Two sources disagree; both are in ``evidence``."""
    difference: Difference | None
    fix: Fix | None
    marks: list[Mark]
    evidence: list[EvidenceView]


class Piece(TypedDict):
    """A stretch of the draft that is no claim and why: ``heading``, ``question``, ``in a comment`` ..."""

    start: int
    end: int
    why: str


class Style(TypedDict):
    """A stretch of the draft that its markup sets otherwise, or (``mark``) the markup itself."""

    start: int
    end: int
    kind: Literal["strong", "emphasis", "code", "struck", "mark"]


class BlockView(TypedDict):
    """A block of the draft. ``text_at`` is where its text begins, behind a heading's or a list item's mark."""

    kind: Literal["prose", "heading", "item", "header row", "row", "code", "markup"]
    start: int
    end: int
    text_at: int
    level: int
    """Of a heading, from 1; of an item, how deep it stands, from 0."""
    marker: str
    """What stands before an item: ``2.``, or nothing where it has a bullet."""
    cells: list[list[int]]
    """The spans of a row's cells."""
    quoted: bool
    """Whether it stands in a quotation, behind ``>``."""


class DraftView(TypedDict):
    """The text under test with its structure, as far as it is known; what no block covers is blank, or markup."""

    name: str
    text: str
    blocks: list[BlockView]
    styles: list[Style]


class Unread(TypedDict):
    """A source that could not be read, or not as a whole."""

    source: str
    why: str


class View(TypedDict, total=False):
    """All that is shown. Only ``draft`` must be there; ``view.update`` takes the rest when it is known."""

    draft: DraftView
    claims: list[ClaimView]
    skipped: list[Piece]
    hidden: list[Piece]
    """What whoever reads the rendered draft does not see."""
    unknown_sources: list[Piece]
    """Sources that the draft cites and that are not there."""
    unread: list[Unread]
    checked_against: str
    """What the draft was checked against, in a few words: ``12 documents in sources``."""
    decision: str
    """``approved``, ``rejected`` or ``nothing_to_check``."""
    rule: str
    groundedness: float | None
    notes: list[str]
    program: str
    """``rag-claim-verifier 0.1.0``."""
