"""Give a saved verdict the present ids of its documents, if none of its passages moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from verifier.types import ClaimVerdict, Evidence, Ledger, Quote, ReaderSaid, Report

__all__ = ["rebuilt", "relocated"]


def relocated(verdict: ClaimVerdict, found: Sequence[Evidence]) -> ClaimVerdict | None:
    """The verdict with the ids and scores of today; ``None`` where what it quotes is in another place.

    ``found`` are the passages that it rests on. Rows that were read of a whole table stand where they stood.
    """
    ids: dict[str, str] = {}
    quoted = []
    for item in verdict.evidence:
        home = (
            item if item.retrieved_by == "table" else next((one for one in found if _holds(one, item)), None)
        )
        if home is None:
            return None
        ids[item.doc_id] = home.doc_id
        quoted.append(replace(item, doc_id=home.doc_id, score=home.score))
    return _renamed(replace(verdict, evidence=tuple(quoted)), ids)


def _holds(passage: Evidence, quoted: Evidence) -> bool:
    """Whether a passage has these words in this place."""
    if passage.source != quoted.source or not passage.start <= quoted.start <= quoted.end <= passage.end:
        return False
    own = passage.narrowed(quoted.start, quoted.end)
    return (own.text, own.line, own.page) == (quoted.text, quoted.line, quoted.page)


def _renamed(verdict: ClaimVerdict, ids: Mapping[str, str]) -> ClaimVerdict:
    return replace(
        verdict,
        ledger=None if verdict.ledger is None else _ledger(verdict.ledger, ids),
        reader=None if verdict.reader is None else _reader(verdict.reader, ids),
    )


def _ledger(ledger: Ledger, ids: Mapping[str, str]) -> Ledger:
    pair = ledger.pair
    if pair is not None and pair.evidence is not None:
        pair = replace(pair, evidence=_quote(pair.evidence, ids))
    aligned = tuple(replace(one, doc_id=ids.get(one.doc_id, one.doc_id)) for one in ledger.aligned)
    return replace(ledger, pair=pair, aligned=aligned)


def _reader(said: ReaderSaid, ids: Mapping[str, str]) -> ReaderSaid:
    return replace(said, quotations=tuple(_quote(one, ids) for one in said.quotations))


def _quote(quote: Quote, ids: Mapping[str, str]) -> Quote:
    return replace(quote, doc_id=ids.get(quote.doc_id, quote.doc_id)) if quote.doc_id else quote


def rebuilt(report: Report) -> str:
    """The text that an old report is of, from its claims and skipped spans; white space between them as lines tell.

    Without lines, a gap of one character is taken for a space and a longer one for an empty line.
    """
    return "".join(_pieces(report))


def _pieces(report: Report) -> Iterator[str]:
    at, line = 0, 1
    for claim in sorted(report.claims, key=lambda one: (one.start, one.end)):
        if claim.start < at:
            continue
        gap = claim.start - at
        ends = (claim.line - line) if claim.line is not None else (gap if gap > 1 else 0)
        ends = max(0, min(gap, ends))
        yield "\n" * ends + " " * (gap - ends)
        yield claim.text
        at = claim.end
        line = (claim.line or line) + claim.text.count("\n")
