"""Write a claim's values in the forms that a premise has them in, so that equal values read alike.

``at 18:05`` beside ``at 6:05 p.m.`` is read as ``at 6:05 p.m.``: whoever reads both need not know that they are one
time. What is then found in the restated claim is told of the claim as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.number import follows
from verifier_signals.syntax import FUNCTION_WORDS
from verifier_signals.types import Finding, Relation, SignalScore, TextPair
from verifier_signals.values import Fit, Form, Value, compare, values_of
from verifier_signals.values.modifiers import BETWEEN, FROM

from verifier.types import Span

__all__ = ["Restated", "restated"]

_ARTICLE = re.compile(r"\bthe\s+\Z", re.IGNORECASE)
_NEXT_WORD = re.compile(r"\s*-?\s*([^\W\d_]+)")
_SPACE = re.compile(r"(\s+)")
_SENTENCE_END = re.compile(r"(?:\A|[.!?:]\s|\n)\s*\Z")
_LONGEST_DOUBLED = 3
"""Words of the claim, before or behind a value, that may stand in the form that takes its place as well."""


class _Piece(NamedTuple):
    """Where the claim's own words stood (``start``, ``end``), and where other words stand now."""

    start: int
    end: int
    now_start: int
    now_end: int


@dataclass(frozen=True, slots=True)
class Restated:
    """The ``text`` that is read in the place of ``claim``; both are the same where no value is written otherwise.

    ``reckoned`` is whether the premise bears out a value of the claim that does not stand in it, but follows from those
    that do; ``loose``, whether it has one that is not the claim's, but does not deny it: a range, a rounded figure, a
    day of the month.
    """

    claim: str
    text: str
    pieces: tuple[_Piece, ...] = ()
    reckoned: bool = False
    loose: bool = False

    @classmethod
    def of(cls, claim: str) -> Restated:
        """A claim that is read as it stands."""
        return cls(claim, claim)

    def original(self, span: Span) -> Span:
        """Where a span of ``text`` stands in ``claim``; all of a form in whose place other words stand, if any of it.

        >>> from verifier_signals.number import NumberSignal
        >>> pair = TextPair("It opens at 6:05 p.m. on Sundays.", "It opens at 18:05 on Sundays.")
        >>> [score] = NumberSignal().score([pair])
        >>> found = restated(pair, score.findings)
        >>> found.text, found.original((17, 21)), found.original((22, 24))
        ('It opens at 6:05 p.m. on Sundays.', (12, 17), (18, 20))
        """
        return self._at(span[0], end=False), self._at(span[1], end=True)

    def _at(self, place: int, *, end: bool) -> int:
        shift = 0
        for piece in self.pieces:
            inside = (
                piece.now_start < place <= piece.now_end if end else piece.now_start <= place < piece.now_end
            )
            if inside:
                return piece.end if end else piece.start
            if piece.now_end <= place:
                shift = piece.end - piece.now_end
        return place + shift

    def told(self, score: SignalScore) -> SignalScore:
        """What a signal said of ``text``, of ``claim``: its findings quote that."""
        if not self.pieces or not score.findings:
            return score
        findings = dict.fromkeys(self._told(finding) for finding in score.findings)
        return replace(score, findings=tuple(findings))

    def _told(self, finding: Finding) -> Finding:
        if not finding.claim_value:  # it speaks of the claim as a whole
            return finding
        span = self.original(finding.claim_span)
        return replace(finding, claim_span=span, claim_value=self.claim[slice(*span)])


def restated(pair: TextPair, findings: Sequence[Finding]) -> Restated:
    """The claim with the premise's words for each value that both state, and state otherwise.

    Both must be one value, from whichever side it is seen: ``about 1,200`` is borne out by ``1,234``, but is another
    thing to say, and stays.

    Args:
        pair: the premise, and the claim.
        findings: what the number signal found, its spans those of ``pair``.
    """
    premise, claim = pair
    text, pieces, at = "", list[_Piece](), 0
    for span, words in sorted(_replacements(premise, claim, findings)):
        if span[0] < at:
            continue
        text += claim[at : span[0]]
        words = _undoubled(text, words, claim[span[1] :])
        words = _closed(words, claim, span)
        pieces.append(_Piece(*span, len(text), len(text) + len(words)))
        text, at = text + words, span[1]
    reckoned, loose = _reckoned(premise, claim, findings), _loose(premise, claim, findings)
    return Restated(claim, text + claim[at:], tuple(pieces), reckoned, loose)


def _replacements(premise: str, claim: str, findings: Sequence[Finding]) -> Iterator[tuple[Span, str]]:
    """Spans of the claim, each with the words of the premise for what stands there."""
    ours, theirs = _by_span(claim), _by_span(premise)
    for item in findings:
        value = ours.get(item.claim_span)
        other = theirs.get(item.evidence_span) if item.evidence_span else None
        if item.relation is not Relation.MATCH or value is None or other is None or not _one(value, other):
            continue
        whole = _compared_alike(value, other)
        if whole is None:
            continue
        span, place = _phrase(claim, value, whole=whole), _phrase(premise, other, whole=whole)
        said, words = claim[slice(*span)], premise[slice(*place)]
        if said.casefold() != words.casefold() and (not whole or _says(words, value)):
            yield span, _as_at(words, other, first=_first(premise, place[0]), then=_first(claim, span[0]))


def _reckoned(premise: str, claim: str, findings: Sequence[Finding]) -> bool:
    """Whether a value is borne out by a stretch that has several, but not it; a range that has its two ends is one."""
    ours, theirs = _by_span(claim), _by_span(premise)
    return any(
        follows(item)
        or (
            item.relation is Relation.MATCH
            and item.evidence_span is not None
            and item.evidence_span not in theirs
            and not (item.claim_span in ours and ours[item.claim_span].form is Form.RANGE)
        )
        for item in findings
    )


def _loose(premise: str, claim: str, findings: Sequence[Finding]) -> bool:
    """Whether a value of the premise bears out another of the claim, or goes with it, in words that do not show it."""
    ours, theirs = _by_span(claim), _by_span(premise)
    met = [item for item in findings if item.relation is not Relation.CONFLICT]
    pairs = [(ours.get(item.claim_span), theirs.get(item.evidence_span or (0, 0))) for item in met]
    return any(
        value is not None
        and other is not None
        and claim[slice(*value.core)].casefold() not in premise[slice(*other.core)].casefold()
        and not _one(value, other)
        for value, other in pairs
    )


@lru_cache(maxsize=2048)
def _by_span(text: str) -> dict[Span, Value]:
    return {(value.start, value.end): value for value in values_of(text).values}


def _one(value: Value, other: Value) -> bool:
    """Whether neither says more than the other; a code is more than a figure that it holds (``Form 2025``)."""
    codes = (value.kind == "code") is (other.kind == "code")
    return codes and compare(value, other).fit is compare(other, value).fit is Fit.EQUAL


def _compared_alike(value: Value, other: Value) -> bool | None:
    """Whether the comparing words of a value are replaced with it; ``None`` where it had better stay as it is.

    How sure a point is stays with the claim: ``about 538 feet`` beside ``164 m`` is ``about 164 m``.
    """
    if value.form is not other.form:
        return None
    bare = all((one.start, one.end) == one.core for one in (value, other))
    if bare or (value.form is Form.POINT and (value.approx != other.approx or not value.approx)):
        return False
    return True if value.approx == other.approx else None


def _says(words: str, value: Value) -> bool:
    """Whether comparing words say by themselves what they say where they stand: not those of ``none may weigh more
    than 23 kg``."""
    return any(_one(value, other) and other.form is value.form for other in values_of(words).values)


def _phrase(text: str, value: Value, *, whole: bool) -> Span:
    """Where a value stands, ``whole`` with its comparing words, with those that its form brings along: what opens a
    range, the article of a date."""
    start, end = (value.start, value.end) if whole else value.core
    before = text[:start]
    opening = _opening(before) if value.form is Form.RANGE else None
    if opening is None and not _counts_what_follows(text, end):
        opening = _ARTICLE.search(before)
    return (opening.start() if opening else start), end


def _opening(before: str) -> re.Match[str] | None:
    return BETWEEN.search(before) or FROM.search(before)


def _counts_what_follows(text: str, end: int) -> bool:
    """Whether a noun follows, to which the article before a value belongs: ``the 12 boats``, ``the 90-minute tour``."""
    word = _NEXT_WORD.match(text, end)
    return word is not None and word[1].casefold() not in FUNCTION_WORDS


def _first(text: str, at: int) -> bool:
    """Whether a sentence begins there."""
    return _SENTENCE_END.search(text[:at]) is not None


def _as_at(words: str, value: Value, *, first: bool, then: bool) -> str:
    """The words with a capital where a sentence begins, and without the one that they had for beginning one."""
    if then:
        return words[:1].upper() + words[1:]
    return words[:1].lower() + words[1:] if first and value.kind != "date" else words


def _undoubled(before: str, words: str, behind: str) -> str:
    """Without the words at either end that stand beside them in the claim."""
    parts = _SPACE.split(words)
    parts = parts[2 * _shared(before, words) :]
    left = len(parts) - 2 * _shared(words, behind)
    return "".join(parts[: max(left, 0)]) or words


def _shared(left: str, right: str) -> int:
    """How many words stand at the end of one text and at the beginning of the next."""
    ending = [word.casefold() for word in left.split()[-_LONGEST_DOUBLED:]]
    beginning = [word.rstrip(".,;:").casefold() for word in right.split()[:_LONGEST_DOUBLED]]
    lengths = range(min(len(ending), len(beginning)), 0, -1)
    return next((n for n in lengths if ending[-n:] == beginning[:n] and _has_no_figure(ending[-n:])), 0)


def _has_no_figure(words: Sequence[str]) -> bool:
    return not any(character.isdigit() for word in words for character in word)


def _closed(words: str, claim: str, span: Span) -> str:
    """With one full stop where the claim ends: that of ``p.m.`` may have been its last."""
    if claim[span[1] :].startswith(".") and words.endswith("."):
        return words[:-1]
    ends = span[1] == len(claim) and claim.endswith(".") and not words.endswith(".")
    return f"{words}." if ends else words
