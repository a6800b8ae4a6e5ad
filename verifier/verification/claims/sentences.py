"""A sentence of a block in; where its statement begins, and why it may be none as it stands, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from verifier.verification.claims.answers import opening_end as answer_end
from verifier.verification.claims.verbs import SUBJECT_PRONOUNS, tokens_of
from verifier.verification.claims.worth import preamble_end, skip_reason

__all__ = ["completed_reason", "leaves_open", "opening_end", "opens_with_pronoun", "with_markup"]

_LEAVES_OPEN = re.compile(
    r"(?:perhaps|maybe|possibly|(?:it|that)(?: all)? depends(?: (?:up)?on [^.,;:\d]{1,40})?)[.!…]*",
    re.IGNORECASE,
)
"""Answers that say nothing: what the question asks must not be put down to them."""
_POINTING = (SUBJECT_PRONOUNS | {"its", "their", "his", "her"}) - {"there", "you", "we", "i"}


def leaves_open(text: str) -> bool:
    """Whether an answer says nothing."""
    return _LEAVES_OPEN.fullmatch(text.strip()) is not None


def with_markup(source: str, contents: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Widen sentence spans so that all markup between them belongs to one: closing marks to the left one."""
    spans = [list(content) for content in contents]
    spans[0][0] = 0
    spans[-1][1] = len(source)
    for left, right in pairwise(spans):
        gap = source[left[1] : right[0]]
        closing = next((at for at, mark in enumerate(gap) if mark.isspace()), len(gap))
        rest = gap[closing:]
        left[1] += closing
        right[0] -= len(rest.lstrip())
    return [(start, end) for start, end in spans]


def opening_end(text: str) -> int:
    """Length of all that comes before the statement itself: ``Yes, according to the documents, in short: ``."""
    end = 0
    while step := preamble_end(text[end:]) or answer_end(text[end:]):
        end += step
    return end


def opens_with_pronoun(text: str) -> bool:
    tokens = tokens_of(text[:40])
    return bool(tokens) and tokens[0][2].split("'")[0] in _POINTING


def completed_reason(text: str) -> str | None:
    """Why an item that its introduction makes a sentence of is still no claim."""
    reason = skip_reason(text)
    return reason if reason in ("markup", "question", "url only") else None
