"""Mark in the evidence what the claim says as well, and what decided; in the claim, what was put in to read it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from verifier.types import ClaimVerdict, Evidence, Ledger, Span

__all__ = ["PUT_IN", "Marks", "as_read", "has_put_in", "marked_claim", "marked_evidence"]

PUT_IN = "[ ]: filled in from the rest of the response"
"""What the brackets of :func:`as_read` mean."""

WHOLE = "sentence"
"""The kind of a pair that quotes whole texts, where a mark would say nothing."""


class Marks(NamedTuple):
    """What is put before and behind: first around words found on both sides, then around the value that decided."""

    aligned: tuple[str, str]
    decisive: tuple[str, str]


def marked_evidence(item: Evidence, ledger: Ledger | None, marks: Marks) -> str:
    """The evidence with the stretches that the ledger aligns, and the value that it names.

    Without the marks it is ``item.text`` to the character. No mark spans lines, and none stands beside a star or an
    underscore, with which Markdown would take it together.

    >>> from verifier.types import Aligned
    >>> item = Evidence("d", "d.md", "A loan lasts 30 days.", 100, 121, 1.0)
    >>> ledger = Ledger("", None, {}, (), (Aligned(0, 4, "d", 102, 106), Aligned(5, 10, "d", 107, 112)))
    >>> marked_evidence(item, ledger, Marks(("[", "]"), ("<", ">")))
    'A [loan lasts] 30 days.'
    """
    if ledger is None:
        return item.text
    quote = ledger.pair.evidence if ledger.pair is not None and ledger.pair.kind != WHOLE else None
    decisive: list[Span] = []
    if (
        quote is not None
        and quote.doc_id == item.doc_id
        and quote.start is not None
        and quote.end is not None
    ):
        decisive = [(quote.start - item.start, quote.end - item.start)]
    aligned = [
        (found.evidence_start - item.start, found.evidence_end - item.start)
        for found in ledger.aligned
        if found.doc_id == item.doc_id
    ]
    return _marked(item.text, aligned, decisive, marks)


def as_read(claim: ClaimVerdict) -> str:
    """The claim as it was read, on one line, with brackets around what the response does not say there itself.

    >>> from verifier.types import ClaimVerdict, Status
    >>> as_read(ClaimVerdict("It costs 5 EUR", 0, 14, Status.CHECKED, None, "", hypothesis="The pass costs 5 EUR."))
    '[The pass] costs 5 EUR.'
    """
    said, read = claim.text.split(), (claim.hypothesis or claim.text).split()
    alike = SequenceMatcher(None, [*map(_bare, said)], [*map(_bare, read)], autojunk=False)
    words = []
    for kind, _, _, start, end in alike.get_opcodes():
        piece = " ".join(read[start:end])
        words += [piece if kind == "equal" or not _bare(piece) else f"[{piece}]"] * bool(piece)
    return " ".join(words)


def has_put_in(claim: ClaimVerdict) -> bool:
    """Whether :func:`as_read` brackets something."""
    return as_read(claim) != " ".join((claim.hypothesis or claim.text).split())


def _bare(word: str) -> str:
    """A word without its case and the marks around it, which change where a sentence is cut."""
    return word.casefold().strip(".,;:!?*_`\"'“”‘’()[]")


def marked_claim(claim: ClaimVerdict, marks: Marks) -> str:
    """The claim as it was read, with the value that decided where it is written so in the response."""
    shown = claim.hypothesis or claim.text
    pair = claim.ledger.pair if claim.ledger is not None else None
    if shown != claim.text or pair is None or pair.kind == WHOLE or pair.claim.start is None:
        return as_read(claim)
    start = pair.claim.start - claim.start
    return _marked(shown, [], [(start, start + len(pair.claim.text))], marks)


def _marked(text: str, aligned: list[Span], decisive: list[Span], marks: Marks) -> str:
    out, at = [], 0
    for start, end, (opening, closing) in _runs(text, aligned, decisive, marks):
        out += [text[at:start], opening, text[start:end], closing]
        at = end
    return "".join([*out, text[at:]])


def _runs(
    text: str, aligned: list[Span], decisive: list[Span], marks: Marks
) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """The stretches to mark, in order, without overlaps; neighbouring aligned words are one stretch."""
    free = bytearray(len(text))
    for value, spans in ((1, aligned), (2, decisive)):
        for start, end in spans:
            if 0 <= start < end <= len(text):
                free[start:end] = bytes([value]) * (end - start)
    at = 0
    while at < len(text):
        kind, start = free[at], at
        while at < len(text) and free[at] == kind and (kind != 0 or at == start):
            at += 1
        if kind == 1:
            at = _joined(text, free, at)
        if kind and _markable(text, start, at):
            yield start, at, marks.aligned if kind == 1 else marks.decisive


def _joined(text: str, free: bytearray, at: int) -> int:
    """Where a stretch of aligned words ends that only spaces part."""
    while at < len(text):
        ahead = at
        while ahead < len(text) and text[ahead] == " " and not free[ahead]:
            ahead += 1
        if ahead == at or ahead == len(text) or free[ahead] != 1:
            return at
        at = ahead
        while at < len(text) and free[at] == 1:
            at += 1
    return at


def _markable(text: str, start: int, end: int) -> bool:
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    return "\n" not in text[start:end] and not set(beside) & {"*", "_"}
