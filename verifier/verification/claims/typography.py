"""A response goes in; the same response in plain typography comes out, with the way back for the claims found in it.

How a statement is set must not change what is read: curly quotes or straight ones, no-break spaces, soft hyphens,
full-width digits, accents in two code points, the capitals of a headline. Claims are taken from the plain text; each
quotes the response as it stands, and what is set otherwise is a substitution of the claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from verifier.core.text import Folded, plain, sentence_spans
from verifier.types import Claim, SkippedSpan, Span, Substitution
from verifier.verification.claims.spacing import edited, spaced_out
from verifier.verification.claims.types import ExtractedResponse
from verifier.verification.truecasing import is_headline, recased

__all__ = ["Setting", "set_plainly"]

_STOPS = (".", "!")
"""A line without one of them may be a title, whose capitals tell that."""
_CLOSING = "*_\"')"


def set_plainly(response: str) -> Setting | None:
    """The response in plain typography; ``None`` where it is set plainly already."""
    folded = None if response.isascii() else plain(response)
    if edits := spaced_out(response if folded is None else folded.text):
        folded = edited(folded or _as_it_stands(response), edits)
    text = _without_headlines(response if folded is None else folded.text)
    if text == response or not text:
        return None
    return Setting(response, replace(folded or _as_it_stands(response), text=text))


def _as_it_stands(text: str) -> Folded:
    return Folded(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))


def _without_headlines(text: str) -> str:
    """The text with the words of the language in small letters in each full sentence in the capitals of a headline.

    >>> _without_headlines("The Castellan Weir, Which Was Built in 1936, Is 12 m Wide. It was closed.")
    'The Castellan weir, which was built in 1936, is 12 m wide. It was closed.'
    """
    out = list(text)
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        if sentence.rstrip(_CLOSING).endswith(_STOPS) and is_headline(sentence):
            out[start:end] = recased(sentence, ())
    return "".join(out)


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
        return replace(item, text=self.response[start:end], start=start, end=end)

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
        at = self.folded.starts[start] if start < len(self.folded.text) else self.folded.ends[-1]
        return at, at

    def _differences(self, claim: Claim) -> Iterator[tuple[int, int, str]]:
        """What the response writes otherwise than the plain text: span in the response, and what is read there.

        The capitals of a claim that is a headline by itself stay, for who knows the evidence to undo them.
        """
        at = claim.start
        stays = is_headline(self.response[slice(*self.folded.span(claim.start, claim.end))])
        while at < claim.end:
            first, last = self.folded.starts[at], self.folded.ends[at]
            stop = at + 1
            while stop < claim.end and self.folded.starts[stop] == first:
                stop += 1
            new = self.folded.text[at:stop]
            written = self.response[first:last]
            if written != new and not (stays and written.lower() == new.lower()):
                yield first, last, new
            at = stop
