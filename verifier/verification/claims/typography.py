"""A response goes in; the same response in plain typography comes out, with the way back for the claims found in it.

How a statement is set must not change what is read: curly quotes or straight ones, no-break spaces, soft hyphens,
full-width digits, accents in two code points. Claims are taken from the plain text; each quotes the response as it
stands, and what is set otherwise is a substitution of the claim.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from verifier.core.text import Folded, plain
from verifier.types import Claim, SkippedSpan, Span, Substitution
from verifier.verification.claims.types import ExtractedResponse

__all__ = ["Setting", "set_plainly"]


def set_plainly(response: str) -> Setting | None:
    """The response in plain typography; ``None`` where it is set plainly already."""
    if response.isascii() and "\t" not in response:
        return None
    folded = plain(response)
    return None if folded.text == response else Setting(response, folded)


@dataclass(frozen=True)
class Setting:
    """A response and its plain form, character by character."""

    response: str
    folded: Folded

    def restore(self, found: ExtractedResponse) -> ExtractedResponse:
        """What was found in the plain text, quoted from the response, with spans that cover it as they did."""
        return ExtractedResponse(
            claims=tuple(map(self._claim, found.claims)),
            skipped=tuple(
                SkippedSpan(self.response[slice(*span)], *span, item.reason)
                for item in found.skipped
                for span in [self._span(item.start, item.end)]
            ),
            notes=found.notes,
        )

    def _span(self, start: int, end: int) -> Span:
        """The span in the response, and the characters without a width on either side of it."""
        first, last = self.folded.starts[start], self.folded.ends[end - 1]
        if start == 0 or self.folded.ends[start - 1] == first:
            first = 0 if start == 0 else first
        following = self.folded.starts[end] if end < len(self.folded.text) else len(self.response)
        return first, following if not self.response[last:following].isspace() else last

    def _claim(self, claim: Claim) -> Claim:
        start, end = self._span(claim.start, claim.end)
        made = [
            (*self._place(claim.start + item.start, claim.start + item.end), item.replacement)
            for item in claim.substitutions
        ]
        covered = [(first, last) for first, last, _ in made if first < last]
        made += [
            (first, last, new)
            for first, last, new in self._differences(claim, start, end)
            if not any(a < last and first < b for a, b in covered)
        ]
        made.sort(key=lambda item: (item[0], item[1]))
        substitutions = tuple(Substitution(first - start, last - start, new) for first, last, new in made)
        return Claim(self.response[start:end], start, end, substitutions)

    def _place(self, start: int, end: int) -> Span:
        """A span of the plain text in the response; an empty one where it inserts."""
        if start < end:
            return self.folded.starts[start], self.folded.ends[end - 1]
        at = self.folded.starts[start] if start < len(self.folded.text) else len(self.response)
        return at, at

    def _differences(self, claim: Claim, start: int, end: int) -> Iterator[tuple[int, int, str]]:
        """What the response writes otherwise than the plain text: span in the response, and what is read there."""
        at = start
        index = claim.start
        while index < claim.end:
            first, last = self.folded.starts[index], self.folded.ends[index]
            stop = index + 1
            while stop < claim.end and self.folded.starts[stop] == first:
                stop += 1
            if at < first:
                yield at, first, ""
            if self.response[first:last] != (new := self.folded.text[index:stop]):
                yield first, last, new
            at, index = last, stop
        if at < end:
            yield at, end, ""
