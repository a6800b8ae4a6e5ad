"""A statement or question in; what it counts, which ``of them`` in the next sentence is a part of, out."""

from __future__ import annotations

import re

from verifier_signals.lexicon import common_words
from verifier_signals.values.numerals import NUMBER_WORDS
from verifier_signals.values.units import lookup

from verifier.verification.claims.verbs import finite_verb, tokens_of

__all__ = ["asked_count", "counted_in", "part_of_them"]

_NOUN = r"(?P<noun>(?:[a-z][a-z-]+\s){0,1}?[a-z][a-z-]+(?:s|men|children|people))\b(?!['’-])"
_COUNT = re.compile(
    rf"(?<![\w.,€$£])(?:\d[\d,.\u00a0]*\d|\d|{'|'.join(sorted(NUMBER_WORDS, key=len)[::-1])})\s{_NOUN}",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"[a-z][a-z-]+(?:(?<!s)s|men|children|people)")
_ASKED = re.compile(rf"\bhow\smany\s(?:of\sthe\s)?{_NOUN}", re.IGNORECASE)
_PART = re.compile(
    r"(?:(?:only|about|roughly|nearly|almost|around|just|at\s(?:least|most)|more\sthan|less\sthan|over)\s)?"
    r"(?:all|most|some|many|few|none|half|each|both|several|(?:an?|one|two|three|[\d.,]+|[a-z]+)(?:[\s-](?:in|out\sof)\s[\w]+|[\s-]"
    r"(?:thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|percent|per\scent|half))?|[\d.,]+\s?%)"
    r"\sof\s(?P<them>them|these|those)(?=\s)(?!\s(?:who|that|which)\b)",
    re.IGNORECASE,
)


def counted_in(statement: str) -> str:
    """What the only count of a statement counts, with its article; ``""`` where there is none, or more than one.

    >>> counted_in("The archive holds 8,400 letters."), counted_in("It costs 12 euros for 3 hours.")
    ('the letters', '')
    """
    found = {match["noun"] for match in _COUNT.finditer(statement) if _is_counted(match["noun"])}
    return f"the {found.pop()}" if len(found) == 1 else ""


def asked_count(question: str) -> str:
    """What a question asks the number of.

    >>> asked_count("How many boats does the club have?")
    'the boats'
    """
    asked = _ASKED.search(question)
    return f"the {asked['noun']}" if asked else ""


def names_several(statement: str) -> bool:
    """Whether a word of a statement that is not its verb may be a plural, which ``them`` may stand for."""
    tokens = tokens_of(statement)
    verb = finite_verb(statement, tokens)
    return any(_PLURAL.fullmatch(form) for at, (_, _, form) in enumerate(tokens) if at != verb)


def part_of_them(text: str) -> tuple[int, int] | None:
    """Where the pronoun of a sentence stands that begins with a part of what was counted.

    >>> part_of_them("One in seven of them can be seen."), part_of_them("All of them, who agree, may come.")
    ((16, 20), None)
    """
    part = _PART.match(text)
    return part.span("them") if part else None


def _is_counted(noun: str) -> bool:
    """Whether a plural is of things: no unit, and no verb of the third person."""
    last = noun.split()[-1]
    return not lookup(last) and last.removesuffix("s") in common_words()
