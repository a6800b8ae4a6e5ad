"""What a signal reads of a window, changed or chosen for the claim beside it.

Columns of a table that the claim does not ask for are left out. Day and month are put in the order in which the
passage writes them: ``Opened on 10/3/2008`` is a day of March where another date of the passage shows it, or the
passage says so. Turns of phrase are said again in plain words, and in the claim's own where these say the same.

Where one window is not enough, wider premises are read beside it, of two kinds. Windows of different places are
*joined* when the second has content of the claim that the first lacks: the name in one sentence and the figure in
another, a comparison of two rows, a fact from each of two documents. The *whole* passage around the best window says
what a paraphrase with few shared words is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from verifier_signals.lexicon.calendar import MONTHS, WEEKDAYS
from verifier_signals.stems import content_words
from verifier_signals.syntax import read
from verifier_signals.types import Relation, SignalScore
from verifier_signals.values import values_of
from verifier_signals.values.dates import day_month_orders

from verifier.core.text import sentence_spans
from verifier.types import Span
from verifier.verification.evidence.windows import Window, is_prose, joined, whole
from verifier.verification.statements import Factuality
from verifier.verification.statements.exceptions import ExceptedStatement
from verifier.verification.statements.negation import EditedText, apply_edits
from verifier.verification.statements.opposites import edits_into_claim_words
from verifier.verification.statements.rewording import TURN, implicit_statement
from verifier.verification.statements.types import StatementPiece

__all__ = ["in_claims_words", "of_asked_columns", "wide_windows", "with_order"]


def of_asked_columns(windows: Sequence[Window], claim: str) -> list[Window]:
    """The windows without those of a column beside the one that the claim names: what the Harbour plan offers says
    nothing of the Crew plan.

    A claim names a column with all content words of its head. Where it names none, or all, every column may be meant.
    """
    said = _keys(claim)
    return [
        window
        for window in windows
        if not window.beside
        or _names_column(said, window.column)
        or not any(_names_column(said, other) for other in window.beside)
    ]


def _names_column(said: frozenset[str], head: str) -> bool:
    words = _keys(head)
    return bool(words) and words <= said


def _keys(text: str) -> frozenset[str]:
    return frozenset(word.key for word in content_words(text))


_IN_FIGURES = re.compile(r"\d[-/.]\s?\d{1,2}[-/.]\s?\d\d")
_SAID = {"dm": "Dates are DD/MM/YYYY. ", "md": "Dates are MM/DD/YYYY. "}


def with_order(window: Window) -> Window:
    """The window, told of the order of its passage where it has a date in figures that does not show it.

    >>> from verifier.types import Evidence
    >>> from verifier.verification.evidence.windows import windows_of
    >>> text = "It was due on 24/5/2019. It came on 2/6/2019."
    >>> with_order(list(windows_of(Evidence("d", "d.md", text, 0, len(text), 1.0)))[1]).premise
    'Dates are DD/MM/YYYY. It came on 2/6/2019.'
    """
    if not _IN_FIGURES.search(window.premise) or _shown(window.premise) is not None:
        return window
    order = _shown(window.evidence.text)
    if order is None:
        return window
    said = _SAID[order]
    segments = tuple((start + len(said), end + len(said), at) for start, end, at in window.segments)
    return replace(window, premise=said + window.premise, segments=segments)


@lru_cache(maxsize=512)
def _shown(text: str) -> str | None:
    """The one order that the dates of a text show; ``None`` where they show none or both."""
    found = day_month_orders(values_of(text).values)
    return next(iter(found)) if len(found) == 1 else None


_TIMES = (WEEKDAYS, MONTHS)
_EXCEPTING = re.compile(
    r"\b(?:except\w*|unless|(?:apart|aside) from|other than|but|save for|excluding|only|outside)\b",
    re.IGNORECASE,
)


def in_claims_words(window: Window, claim: str) -> Window:
    """The window with what it excepts, rules out or shows no sign of said in a second sentence, behind its own, and
    with the claim's word in the place of a denied opposite of it; itself where there is nothing of that.

    What holds of an exception is told only to a claim that speaks of it.

    >>> from verifier.types import Evidence
    >>> from verifier.verification.evidence.windows import whole
    >>> text = "All rooms but the attic are heated."
    >>> window = whole(Evidence("hut.md", "hut.md", text, 0, len(text), 1.0))
    >>> in_claims_words(window, "The attic is unheated.").premise
    'All rooms are heated except the attic. The attic is unheated.'
    >>> in_claims_words(window, "The kitchen is heated.").premise
    'All rooms but the attic are heated.'
    """
    if window.parts:
        return window
    window = _told_again(window, claim) if _has_turn(window.premise) else window
    edits = edits_into_claim_words(claim, window.premise)
    return _reworded(window, apply_edits(window.premise, 0, len(window.premise), edits)) if edits else window


@lru_cache(maxsize=4096)
def _has_turn(premise: str) -> bool:
    return TURN.search(premise) is not None


def _told_again(window: Window, claim: str) -> Window:
    """The window with the second sentence of each of its own that has one."""
    premise = window.premise
    parts: EditedText = []
    at = 0
    for start, end, _ in window.segments:
        for begin, stop in sentence_spans(premise[start:end]):
            sentence = premise[start + begin : start + stop]
            again = _again(sentence, claim)
            if again:
                parts.append(StatementPiece.quoted(premise, at, start + begin))
                parts += (part.moved(start + begin) for part in again)
                at = start + stop
    return _reworded(window, [*parts, StatementPiece.quoted(premise, at, len(premise))]) if parts else window


def _again(sentence: str, claim: str) -> EditedText:
    """A sentence with what it says again to a claim; nothing where that is nothing."""
    found = implicit_statement(sentence)
    if found is None:
        return []
    if not isinstance(found, ExceptedStatement):
        return [StatementPiece(sentence, 0), StatementPiece(" ", None), *found]
    if _EXCEPTING.search(claim):
        return []
    if _names_exception(claim, sentence, found.one):
        return found.parts
    return [StatementPiece(found.general, None)] if _of_another_time(claim, found.one) else []


def _names_exception(claim: str, sentence: str, one: str) -> bool:
    """Whether a claim has a word of an exception that the rest of its sentence lacks."""
    own = _content(one) - _content(sentence.replace(one, " "))
    return not own or not own.isdisjoint(_content(claim))


@lru_cache(maxsize=4096)
def _content(text: str) -> frozenset[str]:
    return frozenset(
        token.word.stem for token in read(text).tokens if not (token.word.punct or token.word.function)
    )


def _of_another_time(claim: str, one: str) -> bool:
    """Whether a day or a month is excepted, and the claim speaks of another: then it is one of all of them."""
    low, said = one.casefold(), claim.casefold()
    return any(any(name in low for name in names) and any(name in said for name in names) for names in _TIMES)


def _reworded(window: Window, parts: EditedText) -> Window:
    """The window with other words for its premise: each with its place in the premise that they are taken from."""
    premise = ""
    segments: list[tuple[int, int, int]] = []
    for text, at in parts:
        if at is not None:
            segments.extend(_kept(window.segments, at, at + len(text), len(premise)))
        premise += text
    return replace(window, premise=premise, segments=tuple(segments), reworded=True)


def _kept(
    segments: Sequence[tuple[int, int, int]], begin: int, end: int, to: int
) -> Iterator[tuple[int, int, int]]:
    """The segments of ``premise[begin:end]``, where that stretch is moved to a place."""
    for first, last, document in segments:
        left, right = max(first, begin), min(last, end)
        if left < right:
            yield to + left - begin, to + right - begin, document + left - first


MAX_PARTS = 3
"""Places that are joined into one premise at most."""

LEAST_ELSEWHERE = 2
"""Missing words that a window of another document must have: one common word is in every document."""

Ranked = Sequence[tuple[Window, SignalScore]]
"""Windows with their traceability, best first."""


def wide_windows(ranked: Ranked) -> list[Window]:
    """None to two windows: the joined one first, then the whole passage of the best window."""
    ranked = [item for item in ranked if item[0].factuality is Factuality.ASSERTED]
    if not ranked:
        return []
    parts = _complementary(ranked)
    found = [joined(parts)] if len(parts) > 1 else []
    best = parts[0]
    if is_prose(best.evidence.text) and len(best.evidence.text) > best.end - best.start:
        found.append(whole(best.evidence))
    return found


def _complementary(ranked: Ranked) -> list[Window]:
    """The best window and those that have most of what is still missing, each from a place of its own."""
    parts = [ranked[0][0]]
    missing = _absent(ranked[0][1])
    while missing and len(parts) < MAX_PARTS:
        apart = [
            (window, missing - _absent(score))
            for window, score in ranked
            if not any(window.overlaps(part) for part in parts)
        ]
        enough = [
            (window, gained)
            for window, gained in apart
            if len(gained) >= (1 if window.evidence.doc_id == parts[0].evidence.doc_id else LEAST_ELSEWHERE)
        ]
        if not enough:
            break
        # Among equals the better ranked one: max keeps the first.
        window, gained = max(enough, key=lambda item: len(item[1]))
        parts.append(window)
        missing -= gained
    return parts


def _absent(score: SignalScore) -> set[Span]:
    return {item.claim_span for item in score.findings if item.relation is Relation.ABSENT}
