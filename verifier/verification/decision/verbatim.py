"""Whether evidence states a claim word for word or cell for cell, and what a claim adds to a sentence that it repeats.

A word that evidence lacks is mostly a paraphrase where the claim is told in other words. Where it repeats a sentence,
the word is what was added, or put in the place of another: ``the ring is made by hand`` of a source that says that it
is made, and nothing of hands.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from verifier_signals.content import content_of
from verifier_signals.repeated import Gap, gaps_in, stems_of
from verifier_signals.values.fields import fields_of

from verifier.core.text import COLONS, folded, sentence_spans
from verifier.types import Span
from verifier.verification.claims import extract_claims
from verifier.verification.decision.features import WindowScores, absent_from_all
from verifier.verification.evidence.windows import Window, is_prose

__all__ = ["has_cell", "holds_context", "is_part_of", "repeats", "said_beyond", "states"]

_PIECE = re.compile(r"[^\W_]+(?:[.,:/'-][^\W_]+)*|[^\w\s*`]")
"""Words, figures and marks, but those of emphasis."""
_END = ".!;,"
_NAME = re.compile(r"[^\W_]+")


def states(window: Window, claim: str) -> bool:
    """Whether a sentence of the window, or a claim that an answer with its text would make, is the claim.

    What :func:`~verifier.core.text.normalise` folds, emphasis and end marks aside. Of a reworded window each sentence
    of its premise counts. What stands below words that lead into it (``never lent: - maps``) is no sentence of its own,
    and neither is a table row.

    >>> from verifier.types import Evidence
    >>> from verifier.verification.evidence.windows import whole
    >>> text = "The pass costs 5 EUR, and it is valid for a day. Dogs are let in unless they bark."
    >>> window = whole(Evidence("pass.md", "pass.md", text, 0, len(text), 1.0))
    >>> states(window, "The pass is valid for a day"), states(window, "Dogs are let in.")
    (True, False)
    """
    if window.reworded:
        return any(
            _words(claim) == _words(window.premise[slice(*one)]) for one in sentence_spans(window.premise)
        )
    if len(window.segments) != 1 or not is_prose(window.evidence.text):
        return False
    start, end, _ = window.segments[0]
    alone = not window.premise[end:] and not _introduces(window.premise[:start])
    return alone and _words(claim) in _statements(_prose(window))


def holds_context(window: Window, sentences: Sequence[str]) -> bool:
    """Whether the last of these sentences is one of the window, and the others stand right before it in its passage.

    A claim that is a part of them then says what the passage says, whatever its pronoun stands for and however either
    was split.

    >>> from verifier.types import Evidence
    >>> from verifier.verification.evidence.windows import whole
    >>> text = "The pass costs 5 EUR. It is valid for a day."
    >>> window = whole(Evidence("pass.md", "pass.md", text, 0, len(text), 1.0))
    >>> holds_context(window, ["The pass costs 5 EUR.", "It is valid for a day."])
    True
    """
    if window.parts or not repeats(window.evidence.text, sentences):  # one look for all windows of a passage
        return False
    return _words(sentences[-1]) in _sentences(_prose(window))


def _prose(window: Window) -> str:
    """What a window quotes, where it is prose and no line of it, nor what stands before, leads into a list."""
    evidence = window.evidence
    at = window.start - evidence.start
    quoted = evidence.text[at : window.end - evidence.start]
    if not is_prose(quoted) or any(map(_introduces, (evidence.text[:at], *quoted.splitlines()))):
        return ""
    return quoted


def _introduces(text: str) -> bool:
    return text.rstrip(" \n-*+•").endswith(COLONS)


def repeats(text: str, sentences: Sequence[str]) -> bool:
    """Whether sentences stand in a text, one right behind the other, with the words that :func:`states` counts.

    >>> repeats("Ash is old. It is tall. Elm is new.", ["Ash is old.", "It is tall."])
    True
    >>> repeats("Ash is old. It is tall. Elm is new.", ["Elm is new.", "It is tall."])
    False
    """
    told, wanted = _sentences(text), [*map(_words, sentences)]
    return any(list(told[at : at + len(wanted)]) == wanted for at in range(len(told) - len(wanted) + 1))


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(_words(text[start:end]) for start, end in sentence_spans(text))


def is_part_of(claim: str, sentences: Sequence[str]) -> bool:
    """Whether a claim has no word that these sentences, of which it is a part, do not have.

    >>> is_part_of("Ash is tall.", ["Ash is old.", "It is tall."]), is_part_of("Not true: Ash.", ["Ash is old."])
    (True, False)
    """
    return {*_words(claim)} <= {word for sentence in sentences for word in _words(sentence)}


def has_cell(window: Window, claim: str) -> bool:
    """Whether the window is a row or a record with the very cell that the claim is: the same value, in the column and
    the row of the same names.

    A claim is a cell where an answer repeats one (``Free, Batch: no``); which of the two names stands first depends on
    how its table is turned. ``m³`` and ``_m3`` are one name.

    >>> from verifier.types import Evidence
    >>> from verifier.verification.evidence.windows import windows_of
    >>> text = "| Plan | Batch |\\n|---|---|\\n| Free | no |"
    >>> [window] = windows_of(Evidence("plans.md", "plans.md", text, 0, len(text), 1.0))
    >>> has_cell(window, "Free, Batch: no"), has_cell(window, "Batch, Free: no"), has_cell(window, "Free, Batch: yes")
    (True, True, False)
    """
    name, colon, value = claim.rpartition(": ")
    if not colon or window.parts or is_prose(window.evidence.text):
        return False
    wanted, told, premise = _names(name), _words(value), window.premise
    for field in fields_of(premise):
        column, first = _names(field.label), _names(premise[slice(*field.first)])
        written = _words(premise[field.start : field.end])
        unit = _names(" ".join(written[len(told) :]))  # ``52.0 m3`` of a column whose name has the unit
        turned = (first + column + unit, column + unit + first)
        if told and written[: len(told)] == told and wanted in turned:
            return True
    return False


def _names(text: str) -> tuple[str, ...]:
    return tuple(_NAME.findall(unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=4096)
def _statements(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(map(_words, _told(text))) - {()}


def _told(text: str) -> Iterator[str]:
    for start, end in sentence_spans(text):
        yield text[start:end]
    for claim in extract_claims(text).claims:
        yield claim.hypothesis


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    found = _PIECE.findall(folded(text))
    while found and found[-1] in _END:
        found.pop()
    return tuple(found)


WIDEST = 1.5
"""Words, for one of the claim, among which the repeated ones stand at most. What takes a long sentence together has
words of its own, which as often as not are right."""
LEAST_COVERAGE = 0.5
"""Windows that cover less of a claim repeat no sentence with most of its words."""


def said_beyond(readings: Sequence[WindowScores], claim: str) -> tuple[str, ...]:
    """The words of a claim that none of its windows has, where the best that it repeats a sentence of denies nothing.

    Names and values are left out, but for a name in the place of another word: a claim may tell of whom a document
    speaks and when, and their own signals look for them.
    """
    near = (one for one in readings if one.feature("traceability", "coverage") >= LEAST_COVERAGE)
    repeating = ((one, gaps) for one in near if (gaps := gaps_in(claim, one.window.premise, WIDEST)))
    reading, gaps = next(repeating, (None, ()))
    if reading is None or reading.conflict > 0:
        return ()
    missing = absent_from_all(readings, "traceability").keys()
    anybody = _names_and_values(claim)
    spans = [span for gap in gaps for span in _in_gap(gap, missing, anybody)]
    return tuple(claim[slice(*span)] for span in spans)


def _names_and_values(claim: str) -> set[Span]:
    content = content_of(claim)
    return {
        (unit.start, unit.end) for at, unit in enumerate(content.units) if content.is_name(at) or not unit.key
    }


def _in_gap(gap: Gap, missing: Set[Span], anybody: set[Span]) -> Iterator[Span]:
    """What is missing of what the claim has in a gap, a name only where the sentence has a word in its place."""
    places = {token.start for token in gap.ours}
    allowed = missing if stems_of(gap.theirs) else missing - anybody
    yield from sorted(span for span in allowed if span[0] in places)
