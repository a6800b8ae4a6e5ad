"""Make the cases that a reader is asked, each with its evidence.

Claims whose nearest evidence stands together share a *sheet* of evidence, so that one question can hold them all. A
sheet is filled in rounds, the best of each claim first, until it is full; what did not fit is counted and said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from verifier.core.chat.counts import tokens_of
from verifier.core.text import sentence_spans
from verifier.readers import Case, Piece
from verifier.types import Evidence
from verifier.verification.decision.summary import ReadClaim

__all__ = ["Asked", "ReadingRules", "cases_of"]

LEAST = 2
"""Passages of its own that each claim of a sheet gets before another claim is put beside it."""

_LONGEST_DOCUMENT = 400_000
"""Code points of a document that is looked at for whether it fits."""


@dataclass(frozen=True)
class ReadingRules:
    """How a reader is used.

    Args:
        read: ``open``: the claims that the other signals do not settle; ``all``: every claim.
        evidence: what it is given: the sentence ``windows`` that the NLI model reads, the ``passages`` that retrieval
            found, or their whole documents (``source``) where they fit, and passages else.
        evidence_tokens: about how many tokens of evidence stand beside the claims of one question.
        claims_a_call: claims that share a question at most.
    """

    read: Literal["open", "all"] = "open"
    evidence: Literal["windows", "passages", "source"] = "passages"
    evidence_tokens: int = 2200
    claims_a_call: int = 8


class _Documents(Protocol):
    def document_head(self, doc_id: str, characters: int) -> str | None: ...


@dataclass(frozen=True)
class Asked:
    """One claim as a reader is asked about it: its case, the evidence that its pieces are of, in their order, and how
    many of the passages that were found for it are not among them."""

    case: Case
    evidence: tuple[Evidence, ...]
    left_out: int


def cases_of(reads: Sequence[ReadClaim], rules: ReadingRules, source: object) -> list[Asked]:
    """What a reader is asked about each claim, in order.

    Args:
        reads: the claims with what was found for them.
        rules: how it is used.
        source: where whole documents can be had; one without ``document_head`` gives passages.
    """
    documents: Any = source if hasattr(source, "document_head") else None
    ranked = [_fitting(_ranked(read, rules, documents), rules.evidence_tokens) for read in reads]
    order = sorted(range(len(reads)), key=lambda n: (_place(ranked[n][0]) if ranked[n] else ("", 0, 0), n))
    asked: dict[int, Asked] = {}
    for start, end in _groups([ranked[n] for n in order], rules):
        group = order[start:end]
        sheet = _filled([ranked[n] for n in group], rules.evidence_tokens)
        pieces = tuple(Piece(item.text, _label(item)) for item in sheet)
        there = set(map(_place, sheet))
        for n in group:
            missing = sum(_place(item) not in there for item in ranked[n])
            asked[n] = Asked(Case(reads[n].claim.hypothesis, pieces), sheet, missing)
    return [asked[n] for n in range(len(reads))]


def _ranked(read: ReadClaim, rules: ReadingRules, documents: _Documents | None) -> list[Evidence]:
    """The evidence of a claim, best first, each place once: what signals found nearest, then retrieval's order."""
    if rules.evidence == "windows":
        windows = [one.window for one in read.readings if "nli" in one.scores] or [
            one.window for one in read.readings
        ]
        parts = [part for one in read.wide for part in (one.window.parts or (one.window,))]
        return _apart([window.as_evidence() for window in (*windows, *parts)])
    passages = _once([*(one.window.evidence for one in read.readings), *read.retrieved])
    if rules.evidence == "passages" or documents is None:
        return passages
    found: list[Evidence] = []
    for item in passages:
        text = documents.document_head(item.doc_id, _LONGEST_DOCUMENT + 1)
        whole = text is not None and tokens_of(text) <= rules.evidence_tokens
        if whole and text is not None:
            item = replace(
                item, text=text, start=0, end=len(text), headings=(), context="", page=None, line=None
            )
        found.append(item)
    return _once(found)


def _once(items: Sequence[Evidence]) -> list[Evidence]:
    return [*{_place(item): item for item in items}.values()]


def _apart(items: Sequence[Evidence]) -> list[Evidence]:
    """Stretches without those that another one holds; of neighbouring sentences the pair goes before its halves."""
    found: list[Evidence] = []
    for item in items:
        if not any(_holds(other, item) for other in found):
            found = [other for other in found if not _holds(item, other)] + [item]
    return found


def _holds(item: Evidence, other: Evidence) -> bool:
    return item.doc_id == other.doc_id and item.start <= other.start and other.end <= item.end


def _fitting(items: Sequence[Evidence], room: int) -> list[Evidence]:
    """The same with what is larger than a whole sheet cut between sentences."""
    return [part for item in items for part in (_cut(item, room) if _size(item) > room else [item])]


def _cut(item: Evidence, room: int) -> Iterator[Evidence]:
    start = end = 0
    for _, stop in sentence_spans(item.text) or [(0, len(item.text))]:
        if end > start and tokens_of(item.text[start:stop]) > room:
            yield _stretch(item, start, end)
            start = end
        end = stop
    yield _stretch(item, start, len(item.text))


def _stretch(item: Evidence, start: int, end: int) -> Evidence:
    return item.narrowed(item.start + start, item.start + end)


def _groups(ranked: Sequence[Sequence[Evidence]], rules: ReadingRules) -> Iterator[tuple[int, int]]:
    """Runs of claims that share a sheet: as many as fit with the best evidence of each."""
    start, taken, used = 0, set[tuple[str, int, int]](), 0
    for at, found in enumerate(ranked):
        new = {_place(item): _size(item) for item in found[:LEAST] if _place(item) not in taken}
        full = used + sum(new.values()) > rules.evidence_tokens or at - start == rules.claims_a_call
        if at > start and full:
            yield start, at
            start, taken, used = at, set(), 0
            new = {_place(item): _size(item) for item in found[:LEAST]}
        taken |= set(new)
        used += sum(new.values())
    if start < len(ranked):
        yield start, len(ranked)


def _filled(ranked: Sequence[Sequence[Evidence]], room: int) -> tuple[Evidence, ...]:
    """A sheet for these claims, in the order of documents: the best of each claim, then the next of each ..."""
    chosen: dict[tuple[str, int, int], Evidence] = {}
    used = 0
    for turn in range(max((len(found) for found in ranked), default=0)):
        for found in ranked:
            if turn >= len(found) or _place(found[turn]) in chosen:
                continue
            size = _size(found[turn])
            if turn and used + size > room:
                continue
            chosen[_place(found[turn])] = found[turn]
            used += size
    return tuple(sorted(chosen.values(), key=lambda item: (item.source, item.doc_id, item.start, item.end)))


def _place(item: Evidence) -> tuple[str, int, int]:
    return item.doc_id, item.start, item.end


def _size(item: Evidence) -> int:
    return tokens_of(item.text) + tokens_of(_label(item)) + 6


def _label(item: Evidence) -> str:
    """Where a piece stands, and what it needs to be understood."""
    headings = item.headings
    if headings and headings[-1] in item.text.lstrip().partition("\n")[0]:
        headings = headings[:-1]  # the text has it
    where = " / ".join((item.source, *headings))
    page = f", page {item.page}" if item.page is not None else ""
    return f"{where}{page}" + (f"\n{item.context}" if item.context else "")
