"""Find the words that a reader quotes in the evidence that it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from verifier.core.text import Folded, normalise, sentence_spans
from verifier.readers import Quotation
from verifier.types import Evidence, Span
from verifier.verification.evidence.windows import Window, whole, windows_of

__all__ = ["Quoted", "located", "sentence_of", "window_of"]

_AROUND = " \t\n\r\"'“”‘’«»…."
"""What a model may set around words that it quotes."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quotation that was found: ``evidence.text[start - evidence.start : end - evidence.start] == text``."""

    evidence: Evidence
    start: int
    end: int

    @property
    def text(self) -> str:
        """The words as the document has them."""
        return self.evidence.text[self.start - self.evidence.start : self.end - self.evidence.start]


def located(quotation: Quotation, evidence: Sequence[Evidence]) -> Quoted | None:
    """Where a quotation stands: in the piece that it names, else in the first of the others; ``None`` for nowhere.

    Case, Unicode forms, kinds of quotation mark, dash and white space do not count, and neither do soft hyphens and
    what is set around the words. It begins and ends with whole words: ``30`` does not stand in ``2030``.

    Args:
        quotation: its ``piece`` is a number from 1.
        evidence: what the reader was given, in the order of the numbers.
    """
    own = evidence[quotation.piece - 1]
    for item in (own, *(other for other in evidence if other is not own)):
        span = _found(item.text, quotation.text.strip(_AROUND))
        if span is not None:
            return Quoted(item, item.start + span[0], item.start + span[1])
    return None


def sentence_of(quoted: Quoted) -> Evidence:
    """The evidence narrowed to the sentences that a quotation touches."""
    item = quoted.evidence
    start, end = quoted.start - item.start, quoted.end - item.start
    touched = [span for span in sentence_spans(item.text) if span[0] < end and start < span[1]]
    if touched:
        start, end = min(start, touched[0][0]), max(end, touched[-1][1])
    return _narrowed(item, start, end)


def window_of(quoted: Quoted) -> Window:
    """The smallest window of the evidence that holds a quotation, as signals read it; else the whole passage."""
    holding = [
        window
        for window in windows_of(quoted.evidence)
        if window.start <= quoted.start and quoted.end <= window.end
    ]
    return min(holding, key=lambda window: window.end - window.start, default=whole(quoted.evidence))


def _narrowed(item: Evidence, start: int, end: int) -> Evidence:
    return item.narrowed(item.start + start, item.start + end)


def _found(text: str, quotation: str) -> Span | None:
    wanted = _folded(quotation).text.strip()
    if not any(map(str.isalnum, wanted)):
        return None
    folded = _folded(text)
    at = folded.text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if not (_inside_a_word(folded.text, at) or _inside_a_word(folded.text, end)):
            return folded.span(at, end)
        at = folded.text.find(wanted, at + 1)
    return None


def _inside_a_word(text: str, at: int) -> bool:
    """Whether a word or a figure goes on at this place; scripts without spaces have no such words."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return before.isalnum() and after.isalnum() and (before.isascii() or after.isascii())


@lru_cache(maxsize=2048)
def _folded(text: str) -> Folded:
    """Folded, with runs of white space as one space."""
    folded = normalise(text)
    kept = [
        at
        for at, character in enumerate(folded.text)
        if not (character == " " and at and folded.text[at - 1] == " ")
    ]
    if len(kept) == len(folded.text):
        return folded
    return Folded(
        "".join(folded.text[at] for at in kept),
        tuple(folded.starts[at] for at in kept),
        tuple(folded.ends[at] for at in kept),
    )
