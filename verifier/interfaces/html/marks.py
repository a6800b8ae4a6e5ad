"""Marks over a draft and its evidence: what agrees, what differs, what is absent."""

from __future__ import annotations

import re

from verifier_signals.types import Relation

from verifier.interfaces.html.types import Mark, MarkKind
from verifier.types import Aligned, ClaimVerdict, Evidence, Ledger, Span, ValuePair, Verdict

__all__ = ["WHOLE", "Marks"]

WHOLE = "sentence"
"""The kind of a pair that quotes whole texts, where a mark would say nothing."""
_KINDS: dict[Relation, MarkKind] = {
    Relation.MATCH: "same",
    Relation.CONFLICT: "differs",
    Relation.ABSENT: "absent",
}
_WORD = re.compile(r"\w[\w.,]*\w|\w")
_LONG = 4
"""Letters of a word that says something by itself."""


class Marks:
    """The marks of one claim. What belongs together on both sides has the same number, from 1."""

    def __init__(self, claim: ClaimVerdict) -> None:
        self._claim = claim
        ledger = claim.ledger or Ledger("", None, {}, ())
        self._pair: ValuePair | None = ledger.pair
        if self._pair is not None and self._pair.kind == WHOLE:
            self._pair = None
        self._aligned = _joined(ledger.aligned, claim)
        self._number = len(self._aligned) + 1

    def decides_against(self, item: Evidence) -> bool:
        """Whether the value that decided against the claim stands in this evidence."""
        conflict = self._pair is not None and self._pair.relation is Relation.CONFLICT
        return conflict and self.decisive(item) is not None

    def decisive(self, item: Evidence) -> Span | None:
        """Where the value that decided stands in a piece of evidence; ``None`` where it does not."""
        quote = self._pair.evidence if self._pair is not None else None
        if quote is None or quote.doc_id != item.doc_id or quote.start is None or quote.end is None:
            return None
        inside = item.start <= quote.start and quote.end <= item.end
        return (quote.start - item.start, quote.end - item.start) if inside else None

    def in_draft(self) -> list[Mark]:
        """Over the claim, with offsets into the draft."""
        spans: list[tuple[Span, MarkKind, int]] = []
        if self._pair is not None and self._pair.claim.start is not None:
            start = self._pair.claim.start
            number = 0 if self._pair.evidence is None else self._number
            spans.append(((start, start + len(self._pair.claim.text)), _KINDS[self._pair.relation], number))
        if self._claim.verdict is not Verdict.SUPPORTED:
            spans += [(span, "absent", 0) for span in self._absent()]
        spans += [((one.start, one.end), "same", n) for n, one in enumerate(self._aligned, 1)]
        return _apart(spans)

    def in_evidence(self, item: Evidence) -> list[Mark]:
        """Over a piece of evidence, with offsets into its text."""
        spans: list[tuple[Span, MarkKind, int]] = []
        decisive = self.decisive(item)
        if decisive is not None and self._pair is not None:
            spans.append((decisive, _KINDS[self._pair.relation], self._number))
        spans += [
            ((one.evidence_start - item.start, one.evidence_end - item.start), "same", n)
            for n, one in enumerate(self._aligned, 1)
            if one.doc_id == item.doc_id and item.start <= one.evidence_start and one.evidence_end <= item.end
        ]
        return _apart(spans or [(span, "same", 0) for span in self._shared(item)])

    def _absent(self) -> list[Span]:
        """Values of the claim of which a signal found no trace, where the draft has them once and as they are."""
        text, start = self._claim.text, self._claim.start
        values = {
            finding.claim_value
            for score in self._claim.signals.values()
            for finding in score.findings
            if finding.relation is Relation.ABSENT
        }
        found = [(text.find(value), value) for value in sorted(values) if value and text.count(value) == 1]
        return [(start + at, start + at + len(value)) for at, value in found]

    def _shared(self, item: Evidence) -> list[Span]:
        """Words of the claim that stand in evidence which nothing else is aligned with."""
        said = {word.casefold() for word in _WORD.findall(self._claim.hypothesis or self._claim.text)}
        return [
            found.span()
            for found in _WORD.finditer(item.text)
            if found[0].casefold() in said and (len(found[0]) >= _LONG or any(map(str.isdigit, found[0])))
        ]


def _joined(aligned: tuple[Aligned, ...], claim: ClaimVerdict) -> list[Aligned]:
    """The aligned stretches, those that only a space parts on both sides as one."""
    found: list[Aligned] = []
    for one in sorted(aligned, key=lambda one: (one.start, one.end)):
        last = found[-1] if found else None
        if (
            last is not None
            and last.doc_id == one.doc_id
            and claim.text[last.end - claim.start : one.start - claim.start] == " "
            and one.evidence_start - last.evidence_end == 1
        ):
            found[-1] = Aligned(last.start, one.end, one.doc_id, last.evidence_start, one.evidence_end)
        else:
            found.append(one)
    return found


def _apart(spans: list[tuple[Span, MarkKind, int]]) -> list[Mark]:
    """The spans as marks in the order of the text; of two that overlap, the first given."""
    kept: list[tuple[Span, MarkKind, int]] = []
    for span, kind, number in spans:
        free = all(span[1] <= other[0] or other[1] <= span[0] for other, _, _ in kept)
        if span[0] < span[1] and free:
            kept.append((span, kind, number))
    return [Mark(start=span[0], end=span[1], kind=kind, pair=number) for span, kind, number in sorted(kept)]
