"""A clause in; how far the phrase before its subject reaches out: ``In 2024, profit fell``, ``in Bergen it rose``."""

from __future__ import annotations

from verifier_signals.syntax import is_common

from verifier.core.lexicon import lexicon
from verifier.verification.claims.grammar import DETERMINERS, PREPOSITIONS, is_finite, main_verb, tense
from verifier.verification.claims.verbs import SUBJECT_PRONOUNS, SUBORDINATORS, Token, finite_verb

__all__ = ["CALENDAR", "OPENERS", "adjunct_end", "fronted_end", "is_dated", "leading_scope"]

OPENERS = lexicon("""
    in on at for since during from by with under until after before as despite within without besides
    according over throughout per upon given following near
    """)
_SCOPING = OPENERS | lexicon("between outside inside above below beyond compared")
_LEADING = _SCOPING | lexicon("of among")
_OF_A_CAUSE = lexicon("thanks because due owing although though")
_OF_A_PAST = lexicon("when while after before since as until once by")
"""What a clause opens with that tells, in the past, what was so and not what would have to be."""
_ENDS = lexicon("; : ( – — and or but")
_JOINING = lexicon("and or but while whereas ,")
CALENDAR = lexicon("""
    january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays spring summer autumn
    winter today tomorrow yesterday
    """)
_TAKES_A_CLAUSE = lexicon("time moment day night week month year way case event extent")
_POSSESSIVES = lexicon("its their his her")
_DEFINITE = lexicon("the this that these those same")
_LONGEST_ADJUNCT = 10
_YEAR_LENGTH = 4


def leading_scope(text: str, tokens: list[Token], first: int) -> int:
    """Index behind the comma of the phrase that a sentence opens with; ``first`` where there is none."""
    if first >= len(tokens) or tokens[first][2] not in _LEADING:
        return first
    for index in range(first + 2, min(len(tokens) - 1, first + _LONGEST_ADJUNCT)):
        form, following = tokens[index][2], tokens[index + 1][2]
        if form in _ENDS or form in SUBORDINATORS:
            return first
        if form == ",":
            ends = following not in _JOINING | OPENERS and _is_phrase(text, tokens, first, index, comma=True)
            return index + 1 if ends else first
    return first


def adjunct_end(text: str, tokens: list[Token], opening: int) -> int:
    """Index of the subject behind the phrase that a clause opens with (``in 1990 it``); ``opening`` if there is none.

    Without a comma only a year, a name or a phrase right before another article, name or pronoun is seen to end.
    """
    if opening >= len(tokens) or tokens[opening][2] not in _SCOPING:
        return opening
    scope = leading_scope(text, tokens, opening)
    if scope > opening or tokens[opening][2] not in OPENERS:
        return scope
    for index in range(opening + 2, min(len(tokens) - 1, opening + _LONGEST_ADJUNCT)):
        start, _, form = tokens[index]
        before = tokens[index - 1][2]
        if form in ",;:()–—" or form in ("and", "or", "that", "who", "which"):
            return opening
        if before in PREPOSITIONS | DETERMINERS:
            continue
        begins = form in SUBJECT_PRONOUNS | DETERMINERS
        named = text[start].isupper() and not text[tokens[index - 1][0]].isupper() and form not in CALENDAR
        if begins or named or (_is_year(before) and is_common(form) and form not in PREPOSITIONS):
            return index if _is_phrase(text, tokens, opening, index) else opening
    return opening


def fronted_end(text: str, tokens: list[Token]) -> int:
    """Index behind the comma of a cause or a clause in the past that a sentence opens with; 0 where there is none.

    ``Thanks to the pump,`` and ``When the mill burned,`` tell of what follows them, and of no other part.
    """
    opener = tokens[0][2] if tokens else ""
    if opener not in _OF_A_CAUSE | _OF_A_PAST:
        return 0
    mark = next((index for index in range(2, len(tokens)) if tokens[index][2] in ",;:()–—"), 0)
    comma = mark if tokens[mark][2] == "," else 0
    verb = next((index for index in range(2, comma) if is_finite(text, tokens, index)), None)
    if opener in _OF_A_CAUSE or (verb is not None and tense(tokens, verb) == "past"):
        return comma + 1 if comma else 0
    return 0


def _is_phrase(text: str, tokens: list[Token], first: int, last: int, *, comma: bool = False) -> bool:
    """Whether there is no verb in it, and none to come: ``By the time Acme closed`` is a clause without ``that``."""
    if tokens[last - 1][2] in _TAKES_A_CLAUSE and not _takes_no_clause(tokens, first, last, comma=comma):
        return False
    return main_verb(text, tokens, first, last) is None and finite_verb(text, tokens[first:last]) is None


def _takes_no_clause(tokens: list[Token], first: int, last: int, *, comma: bool) -> bool:
    """Whether ``year`` or ``time`` is told by what stands before it (``in a dry year``), and by no sentence before."""
    forms = [form for _, _, form in tokens[first:last]]
    if first == 0:
        return comma or forms[1] in _POSSESSIVES or forms[1] in ("a", "an")
    return forms[1] in ("a", "an") or (comma and (_DEFINITE | _POSSESSIVES).isdisjoint(forms))


def _is_year(form: str) -> bool:
    return form.isdigit() and len(form) == _YEAR_LENGTH


def is_dated(tokens: list[Token]) -> bool:
    """Whether a clause tells by itself when it holds."""
    return any(_is_year(form) or form in CALENDAR for _, _, form in tokens)
