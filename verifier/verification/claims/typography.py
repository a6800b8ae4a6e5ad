"""Plain typography: a response as it is read however it is set, with the way back for the claims found in it.

How a statement is set must not change what is read: curly quotes or straight ones, no-break spaces, soft hyphens,
full-width digits, accents in two code points, the capitals of a headline. Data sets and some models write text as a
tokenizer leaves it (``56, 000 people .``, ``non - profit``, ``do n't``): the spaces say nothing, and a figure with one
in it is another figure. Claims are taken from the plain text; each quotes the response as it stands, and what is set
otherwise is a substitution of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from verifier.core.text import Folded, plain, sentence_spans
from verifier.types import Claim, SkippedSpan, Span, Substitution
from verifier.verification.claims.responses import ExtractedResponse
from verifier.verification.grammar.clauses import Replacement
from verifier.verification.truecasing import is_headline, recased

__all__ = ["Typesetting", "plain_typography"]

# -- spacing ---------------------------------------------------------------------------------------------------

_BEFORE_A_MARK = re.compile(
    r"(?<=[\w)\]%\"'’”°€$£])[ \u00a0]+(?=[.,;!?](?:\s|$)|:(?=\s(?!\d\d\b)))", re.MULTILINE
)
_BEFORE_A_STOP = re.compile(r"(?<=[\w)\]%\"'’”])[ \u00a0][.,](?=\s|$)", re.MULTILINE)
"""What only a tokenizer writes."""
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:, \d{3})+(?![\d]|[.,]\d)")
_BRACKETS = re.compile(r"(?<=[(\[])[ ]+(?=\w)|(?<=[\w.%])[ ]+(?=[)\]])")
_CONTRACTION = re.compile(r"(?<=\w)[ ]+(?=(?:n['’]t|['’](?:s|re|ll|ve|d|m))\b)")
_CLOCK = re.compile(r"(?<=\d)[ ]:[ ](?=\d\d\b)")
_HYPHEN = re.compile(r"(?<=[^\W_])[ ]-[ ](?=[^\W_])")
_PREFIX = re.compile(
    r"(?:^|(?<=\W))(?:non|anti|pre|post|co|re|semi|multi|ex|self|mid|sub|pro|inter|ultra|quasi|vice)$",
    re.IGNORECASE,
)
"""What no word of its own is, as a rule: a hyphen belongs behind it."""
_RAISED = re.compile(
    r"<sup\b[^<>]{0,200}>\s?(?:<a\b[^<>]{0,300}>)?\s?[\[(]?(\d{1,3}(?:,\s?\d{1,3}){0,9})[\])]?\s?(?:</a>)?\s?</sup>",
    re.IGNORECASE,
)
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", " ")
_LONGEST_PREFIX = 6


def _spacing_edits(text: str) -> list[Replacement]:
    """Start, end and replacement of what is to be written otherwise, in order, not overlapping.

    >>> text = "About 56, 000 people work for the non - profit ( 2 ) ."
    >>> _apply_edits(Folded(text, tuple(range(len(text))), tuple(range(1, len(text) + 1))), _spacing_edits(text)).text
    'About 56,000 people work for the non-profit (2).'
    """
    tokenised = _BEFORE_A_STOP.search(text) is not None
    found: list[Replacement] = [(*match.span(), "") for match in _BEFORE_A_MARK.finditer(text)]
    found += [(*match.span(), "") for match in (*_BRACKETS.finditer(text), *_CONTRACTION.finditer(text))]
    found += [(*match.span(), ":") for match in _CLOCK.finditer(text)]
    for match in _HYPHEN.finditer(text):
        if tokenised or _PREFIX.search(text, max(0, match.start() - _LONGEST_PREFIX), match.start()):
            found.append((*match.span(), "-"))
    for match in _THOUSANDS.finditer(text):
        if tokenised or ", 000" in match[0]:
            gaps = re.finditer(r"(?<=,) ", match[0])
            found += [(match.start() + gap.start(), match.start() + gap.end(), "") for gap in gaps]
    if "<" in text:
        found += [(*match.span(), match[1].translate(_SUPERSCRIPTS)) for match in _RAISED.finditer(text)]
    found.sort()
    return [edit for at, edit in enumerate(found) if not at or found[at - 1][1] <= edit[0]]


def _apply_edits(folded: Folded, edits: Sequence[Replacement]) -> Folded:
    """The text with the edits made; what is left out belongs to the character before it."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for start, end, new in edits:
        text.append(folded.text[at:start])
        starts += folded.starts[at:start]
        ends += folded.ends[at:start]
        first, last = folded.starts[start], folded.ends[end - 1]
        if new:
            text.append(new)
            starts += [first] * len(new)
            ends += [last] * len(new)
        else:
            ends[-1] = last
        at = end
    text.append(folded.text[at:])
    return Folded("".join(text), (*starts, *folded.starts[at:]), (*ends, *folded.ends[at:]))


# -- typography ------------------------------------------------------------------------------------------------

_STOPS = (".", "!")
"""A line without one of them may be a title, whose capitals tell that."""
_CLOSING = "*_\"')"


def plain_typography(response: str) -> Typesetting | None:
    """The response in plain typography; ``None`` where it is set plainly already."""
    folded = None if response.isascii() else plain(response)
    if edits := _spacing_edits(response if folded is None else folded.text):
        folded = _apply_edits(folded or _as_it_stands(response), edits)
    text = _without_headlines(response if folded is None else folded.text)
    if text == response or not text:
        return None
    return Typesetting(response, replace(folded or _as_it_stands(response), text=text))


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
class Typesetting:
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
        return replace(
            claim, text=self.response[start:end], start=start, end=end, substitutions=substitutions
        )

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
