"""What the form of a response alone says of it: too short, a refusal, or nothing against it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from verifier.core.text import normalise, sentence_spans, words

__all__ = ["HIGHEST", "REFUSALS", "Refusals", "RuleScore", "rule_score"]

REFUSALS = (
    "i cannot",
    "i can't",
    "i don't have",
    "i'm unable",
    "as an ai",
    "i apologize, but",
    "i'm sorry, but",
)
"""Phrases with which models refuse or report an error; the design's list."""

Refusals = Literal["anywhere", "opening"]

_PHRASE = re.compile(r"\b(?:" + "|".join(re.escape(phrase) for phrase in REFUSALS) + r")(?!\w)")
_OPENING = re.compile(r"(?:[^,;:]*[,;:]\s*)??(?:but\s+|and\s+|so\s+)?(?:" + _PHRASE.pattern + ")")
HIGHEST = 0.5
"""The most that the plain rules give."""


@dataclass(frozen=True, slots=True)
class RuleScore:
    """The value of the rules, and the rule that gave it."""

    value: float
    reason: str


def rule_score(response: str, *, refusals: Refusals = "anywhere", full_scale: bool = False) -> RuleScore:
    """Under 10 characters 0.1; under 3 words 0.2; a refusal 0.3; else 0.5. Typographic apostrophes count as plain ones.

    Args:
        response: the text.
        refusals: where a refusal is looked for. ``anywhere`` is the design's rule, which also meets good answers that
            quote one; ``opening`` looks only where the first sentence, or a clause after its first comma, begins.
        full_scale: divide by 0.5, so that a text against which nothing speaks has 1 and not 0.5.

    >>> rule_score("We refund within 30 days.").value, rule_score("I'm sorry, but that is closed.").value
    (0.5, 0.3)
    >>> quoting = "Many ask what I cannot say."
    >>> rule_score(quoting).value, rule_score(quoting, refusals="opening").value
    (0.3, 0.5)
    """
    found = _found(response.strip(), refusals)
    return RuleScore(found.value / HIGHEST, found.reason) if full_scale else found


def _found(response: str, refusals: Refusals) -> RuleScore:
    if len(response) < 10:
        return RuleScore(0.1, "shorter than 10 characters")
    if len(words(response)) < 3:
        return RuleScore(0.2, "fewer than 3 words")
    if phrase := _refusal(response, refusals):
        return RuleScore(0.3, f"says {phrase!r}")
    return RuleScore(HIGHEST, "nothing in its form speaks against it")


def _refusal(response: str, refusals: Refusals) -> str | None:
    folded = normalise(response).text
    if refusals == "anywhere":
        found = _PHRASE.search(folded)
        return found.group() if found else None
    start, end = next(iter(sentence_spans(folded)), (0, len(folded)))
    opening = _OPENING.match(folded[start:end])
    found = _PHRASE.search(opening.group()) if opening else None
    return found.group() if found else None
