"""A claim and the windows of its evidence in; those of the columns that it does not ask for are left out."""

from __future__ import annotations

from collections.abc import Sequence

from verifier_signals.stems import content_words

from verifier.verification.windows import Window

__all__ = ["of_asked_columns"]


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
        or _names(said, window.column)
        or not any(_names(said, other) for other in window.beside)
    ]


def _names(said: frozenset[str], head: str) -> bool:
    words = _keys(head)
    return bool(words) and words <= said


def _keys(text: str) -> frozenset[str]:
    return frozenset(word.key for word in content_words(text))
