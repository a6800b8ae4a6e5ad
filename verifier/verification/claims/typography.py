"""A response goes in; the same response in plain typography comes out, with the way back for the claims found in it.

How a statement is set must not change what is read: curly quotes or straight ones, no-break spaces, soft hyphens,
full-width digits, accents in two code points. Claims are taken from the plain text; each quotes the response as it
stands, and what is set otherwise is a substitution of the claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verifier.core.text import Folded, plain
from verifier.types import Claim, SkippedSpan, Span, Substitution
from verifier.verification.claims.types import ExtractedResponse

__all__ = ["Setting", "set_plainly"]


def set_plainly(response: str) -> Setting | None:
    """The response in plain typography; ``None`` where it is set plainly already."""
    if response.isascii():
        return None
    folded = plain(response)
    return None if folded.text == response or not folded.text else Setting(response, folded)


@dataclass(frozen=True)
class Setting:
    """A response and its plain form, character by character."""

    response: str
    folded: Folded

    def restore(self, found: ExtractedResponse) -> ExtractedResponse:
        """What was found in the plain text, quoted from the response, with spans that cover it as they did."""
        return ExtractedResponse(
            claims=tuple(map(self._claim, found.claims)),
            skipped=tuple(map(self._skipped, found.skipped)),
            notes=found.notes,
        )

    def _skipped(self, item: SkippedSpan) -> SkippedSpan:
        start, end = self.folded.span(item.start, item.end)
        return SkippedSpan(self.response[start:end], start, end, item.reason)

    def _claim(self, claim: Claim) -> Claim:
        """The claim as the response writes it: it reads as before, by the same substitutions and some more."""
        start, end = self.folded.span(claim.start, claim.end)
        made = [
            (*self._place(claim.start + item.start, claim.start + item.end), item.replacement)
            for item in claim.substitutions
        ]
        taken = [(first, last) for first, last, _ in made if first < last]
        made += [
            (first, last, new)
            for first, last, new in self._differences(claim)
            if not any(a < last and first < b for a, b in taken)
        ]
        made.sort(key=lambda edit: (edit[0], edit[1]))
        substitutions = tuple(Substitution(first - start, last - start, new) for first, last, new in made)
        return Claim(self.response[start:end], start, end, substitutions, claim.unresolved)

    def _place(self, start: int, end: int) -> Span:
        """A span of the plain text in the response; an empty one, where something is inserted, stays empty."""
        if start < end:
            return self.folded.span(start, end)
        at = self.folded.starts[start] if start < len(self.folded.text) else len(self.response)
        return at, at

    def _differences(self, claim: Claim) -> Iterator[tuple[int, int, str]]:
        """What the response writes otherwise than the plain text: span in the response, and what is read there."""
        at = claim.start
        while at < claim.end:
            first, last = self.folded.starts[at], self.folded.ends[at]
            stop = at + 1
            while stop < claim.end and self.folded.starts[stop] == first:
                stop += 1
            new = self.folded.text[at:stop]
            if self.response[first:last] != new:
                yield first, last, new
            at = stop
