"""A claim and a window of a document in; whether the document states just that, word for word or cell for cell, out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from verifier_signals.values.fields import fields_of

from verifier.core.text import COLONS, normalise, sentence_spans
from verifier.verification.claims import extract_claims
from verifier.verification.windows import Window, is_prose

__all__ = ["has_cell", "states"]

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
    >>> from verifier.verification.windows import whole
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
    start, end, place = window.segments[0]
    before = window.evidence.text[: place - window.evidence.start]
    lines = (window.premise[:start], before, *window.premise[start:end].splitlines())
    if window.premise[end:] or any(line.rstrip(" \n-*+•").endswith(COLONS) for line in lines):
        return False
    return _words(claim) in _statements(window.premise[start:end])


def has_cell(window: Window, claim: str) -> bool:
    """Whether the window is a row or a record with the very cell that the claim is: the same value, in the column and
    the row of the same names.

    A claim is a cell where an answer repeats one (``Free, Batch: no``); which of the two names stands first depends on
    how its table is turned. ``m³`` and ``_m3`` are one name.

    >>> from verifier.types import Evidence
    >>> from verifier.verification.windows import windows_of
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
    found = _PIECE.findall(normalise(text).text)
    while found and found[-1] in _END:
        found.pop()
    return tuple(found)
