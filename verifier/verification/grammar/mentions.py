"""Mentions: the pronouns that point out of a sentence, and what in a sentence a later pronoun may stand for.

That is a name, a person, a thing of which one of several may be meant, and what was counted (``of them``).
"""

from __future__ import annotations

import re

from verifier_signals.lexicon import common_words
from verifier_signals.lexicon.calendar import MONTH_FORMS, WEEKDAY_ABBREVIATIONS
from verifier_signals.syntax import is_common
from verifier_signals.values.numerals import NUMBER_WORDS
from verifier_signals.values.units import lookup

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.verification.grammar.verbs import WordToken, finite_verb, is_finite, main_verb, tokens_of
from verifier.verification.grammar.words import (
    AUXILIARIES,
    DETERMINERS,
    MONTHS_AND_WEEKDAYS,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
)

__all__ = [
    "asked_counted_noun",
    "counted_noun",
    "has_competing_antecedent",
    "has_plural_antecedent",
    "is_expletive",
    "is_impersonal",
    "looks_like_a_person",
    "names_in",
    "object_name",
    "object_pronoun",
    "opens_with_pronoun",
    "partitive_pronoun",
    "person_names",
    "pronoun_behind_adjunct",
    "unresolved_pronoun",
]

# -- pronouns and names ----------------------------------------------------------------------------------------

_SUBJECTS = lexicon("it he she they")
_OBJECTS = lexicon("it him her them")
_ADJUNCTS = PREPOSITIONS | lexicon(
    "however moreover today later then afterwards since meanwhile also furthermore"
)
_TITLES = lexicon("dr mr mrs ms prof professor sir dame")
_PLACING = lexicon("in at from near to into through across around outside between on")
_ORGANISED = lexicon("""
    inc ltd llc corp corporation gmbh ag plc group holdings company foundation fund society association institute
    university college museum gallery library hospital council committee ministry department office agency choir
    orchestra canal lighthouse prize award act treaty
    """)
"""What a name is of that is no person's."""
_LONGEST_ADJUNCT = 8
_LONGEST_CONTEXT = 4
"""Sentences that speak of one thing by pronouns and are compared with evidence as one stretch."""
_PRONOUNS = (SUBJECT_PRONOUNS | {"its", "their", "his", "her"}) - {"there", "you", "we", "i"}
_POINTING = lexicon("it he she they its their his her it's he's she's they're they've they'll it'll")
_IS_OR_HAS = lexicon("is are was were has have had costs cost takes take includes include applies apply")
_BEING = (
    r"it(?:['’]s|\s(?:is|was|will\sbe|would\sbe|may\sbe|might\sbe|can\sbe|could\sbe|must\sbe|has\sbeen))\s"
)
_IMPERSONAL = compiled_later(
    rf"{_BEING}(?:not\s|also\s|very\s|quite\s|still\s|now\s)*"
    r"(?:(?!(?:there|here|then|thus|something|one|all|this|the|so|such|more|less|everything|nothing)\b)[\w-]+\s(?:that|whether)\b"
    r"|that\b"
    r"|(?:possible|impossible|important|necessary|essential|forbidden|allowed|permitted|prohibited|common|usual|customary|easy|hard|"
    r"difficult|best|better|advisable|wise|worthwhile)\s(?:for\s[\w\s]{1,30}?\s)?to\s\w+\s"
    r"(?:an?|the|one['’]s|your|more|\d[\w.,]*)\s"
    r"|(?:in|on|at|by|from|until|before|after)\s(?:\w+\s){0,3}?\d\w*\s(?:\w+\s){0,3}?that\b"
    r"|(?:the\s)?(?-i:[A-Z][\w'’&.-]*\s){1,5}(?:who|that)\b)"
    r"|it\s(?:seems|appears|follows)\sthat\b|it\s(?:rains|rained|snows|snowed)\b",
    re.IGNORECASE,
)
_EXPLETIVE = compiled_later(
    r"it(?:['’]s|\s(?:is|was|will\sbe|would\sbe|may\sbe|can\sbe|must\sbe|has\sbeen))\s(?:not\s|also\s|very\s)?[\w-]+\s"
    r"(?:in\s\w+\s)?(?:that|to|who|whether)\b|it\s(?:takes?|took|seems?|appears?|follows?|rains?|snows?)\b|"
    r"it(?:['’]s|\s(?:is|was))\s(?:in|on|at|because|only|not\suntil|\w+\s(?:who|that))\b|it\s\w+\sout\b|"
    r"it(?:['’]s|\s(?:is|was))\s(?:important|possible|impossible|necessary|essential|common|easy|hard|difficult|"
    r"best|better|usual|normal|rare|good)\sfor\b|"
    r"it(?:['’]s|\s(?:is|was))\s(?:not\s)?(?:the\s)?(?-i:[A-Z][\w'’&.-]*\s){1,6}(?:who|that)\b",
    re.IGNORECASE,
)
_MAY_BE_EXPLETIVE = compiled_later(
    r"(?:it|they)\b.*?\b(?:that|who|whom|which|whose|to|whether|if|when|where|say|says|said|call|called)\b|it\b.*?\b\w+ing\b|"
    r"it(?:['’]s|\s(?:is|was|will\sbe))\s(?:(?:very|too|quite|so|not|now|already|about|almost|still)\s)?(?:\w+\s)?"
    r"(?:cold|warm|hot|dark|light|late|early|sunny|windy|cloudy|wet|dry|time|\d|morning|noon|night|true|false|forbidden|"
    r"allowed|prohibited|permitted|advisable|recommended)",
    re.IGNORECASE | re.DOTALL,
)
"""Sentences whose ``it`` or ``they`` may stand for nothing at all."""


def pronoun_behind_adjunct(text: str, tokens: list[WordToken]) -> int | None:
    """Index of the pronoun that is the subject behind ``In 1995,`` or ``In Bonn``; no other name stands before it."""
    if not tokens or tokens[0][2] not in _ADJUNCTS:
        return None
    for index in range(1, min(len(tokens) - 1, _LONGEST_ADJUNCT)):
        start, _, form = tokens[index]
        if form in _SUBJECTS:
            follows = is_finite(text, tokens, index + 1) or tokens[index + 1][2] in AUXILIARIES
            return index if follows and tokens[index - 1][2] not in PREPOSITIONS else None
        named = text[start].isupper() and form not in MONTHS_AND_WEEKDAYS
        placed = tokens[0][2] in PREPOSITIONS and all(text[at].isupper() for at, _, _ in tokens[1:index])
        if (named and not placed) or is_finite(text, tokens, index):
            return None
    return None


def object_pronoun(text: str, tokens: list[WordToken]) -> int | None:
    """Index of the pronoun right behind the main verb (``The hospital hired her in 1995``), where it is an object."""
    verb = main_verb(text, tokens, 0, len(tokens))
    if verb is None or any(form in _OBJECTS | _SUBJECTS for _, _, form in tokens[: verb + 1]):
        return None
    index = verb + 1
    while (
        index < len(tokens) - 1 and tokens[index - 1][2] in AUXILIARIES and tokens[index][2] not in _OBJECTS
    ):
        index += 1
    if index >= len(tokens) or tokens[index][2] not in _OBJECTS or tokens[index - 1][2] in AUXILIARIES:
        return None
    ends = index + 1 == len(tokens) or tokens[index + 1][2] in PREPOSITIONS
    return index if ends and _is_alone(tokens, index) else None


def _is_alone(tokens: list[WordToken], index: int) -> bool:
    """Whether no second pronoun stands in the sentence."""
    return not any(form in _OBJECTS | _SUBJECTS for n, (_, _, form) in enumerate(tokens) if n != index)


def names_in(text: str, tokens: list[WordToken]) -> list[str]:
    """The proper names of a sentence in order, with ``the`` and common words between capitals (``the Gold plan``)."""
    names: list[str] = []
    index = 0
    while index < len(tokens):
        start, _, form = tokens[index]
        if (
            not text[start].isupper()
            or form in MONTHS_AND_WEEKDAYS
            or (index == 0 and (is_common(form) or form in DETERMINERS | _ADJUNCTS))
        ):
            index += 1
            continue
        last = index
        while last + 1 < len(tokens) and text[tokens[last + 1][0]].isupper():
            last += 1
        name = text[start : tokens[last][1]]
        if name not in names:
            names.append(name)
        index = last + 1
    return names


def person_names(text: str, tokens: list[WordToken]) -> list[str]:
    """The names of two words or more that may be a person's: none behind an article or where a place stands.

    >>> text = "Anna Berg, 40, leads the Fyns Choir in New York."
    >>> person_names(text, tokens_of(text))
    ['Anna Berg']
    """
    found: list[str] = []
    at = 0
    while at < len(tokens):
        last = at
        while last + 1 < len(tokens) and _name_continues(text, tokens, last):
            last += 1
        name = text[tokens[at][0] : tokens[last][1]]
        before = tokens[at - 1][2] if at else ""
        if (
            _is_personal(text, tokens[at : last + 1])
            and before not in DETERMINERS | _PLACING
            and name not in found
        ):
            found.append(name)
        at = last + 1
    return found


def _name_continues(text: str, tokens: list[WordToken], last: int) -> bool:
    """Whether a name goes on with the next word."""
    start = tokens[last + 1][0]
    opened = text[tokens[last][0]].isupper()
    return opened and text[start].isupper() and not text[tokens[last][1] : start].strip(" .")


def _is_personal(text: str, words: list[WordToken]) -> bool:
    forms = [form for _, _, form in words]
    written = all(
        text[start].isupper() and text[start:end].replace("-", "").isalpha() for start, end, _ in words
    )
    if (
        len(words) < 2
        or not written
        or forms[0] in DETERMINERS | PREPOSITIONS
        or MONTHS_AND_WEEKDAYS & {*forms}
    ):
        return False
    organised = _ORGANISED & {*forms} or _is_described(forms)
    return not organised and not all(text[start:end].isupper() for start, end, _ in words)


def _is_described(words: list[str]) -> bool:
    """Whether a name of three words or more ends in two of the language, as names of firms and places do."""
    return len(words) > 2 and is_common(words[-1]) and is_common(words[-2])


def looks_like_a_person(name: str, *, surely: bool = False) -> bool:
    """Whether a name has a title, or two words or more that are not all words of the language.

    Nor may the last two of three or more be: ``Corbin Fire Services`` is no person, ``Anna Stone`` may be one.

    Args:
        name: a proper name.
        surely: its last word must be none, so that ``Birch Foods`` and ``Norfell Bridge`` are no persons.

    >>> [looks_like_a_person(name) for name in ("Maria Lund", "Birch Foods", "Larkdesk", "Corbin Fire Services")]
    [True, False, False, False]
    """
    words = name.replace(".", "").lower().split()
    if words and words[0] in _TITLES:
        return True
    if len(words) < 2 or words[0] == "the":
        return False
    return not is_common(words[-1]) or not (surely or is_common(words[0]) or _is_described(words))


def is_expletive(text: str) -> bool:
    """Whether the ``it`` that a sentence opens with stands for nothing (``It is important to book``)."""
    return _EXPLETIVE.match(text) is not None


def is_impersonal(text: str) -> bool:
    """Whether the ``it`` that a sentence opens with can stand for nothing before it.

    >>> is_impersonal("It is not true that the hut burned."), is_impersonal("It is open to visitors.")
    (True, False)
    """
    return _IMPERSONAL.match(text) is not None


def unresolved_pronoun(text: str) -> str:
    """The pronoun that a sentence opens with and that certainly stands for something outside of it; ``""`` if none.

    >>> list(map(unresolved_pronoun, ("It closes at 5.", "Its roof leaks.", "It is cold to sit there.")))
    ['It', 'Its', '']
    """
    tokens = tokens_of(text)
    if len(tokens) < 2 or _EXPLETIVE.match(text) or _MAY_BE_EXPLETIVE.match(text):
        return ""
    start, end, form = tokens[0]
    pointing = form in _POINTING or (form in ("this", "these", "those") and tokens[1][2] in _IS_OR_HAS)
    return re.split("['’]", text[start:end])[0] if pointing else ""


def context_of(sentence: str, before: tuple[str, ...]) -> tuple[str, ...]:
    """A sentence behind those that its pronoun points back to; empty where it has none to point to, or many.

    >>> context_of("It is new.", context_of("The hall is big.", ()))
    ('The hall is big.', 'It is new.')
    """
    if not opens_with_pronoun(sentence):
        return (sentence,)
    return (*before, sentence) if 0 < len(before) < _LONGEST_CONTEXT else ()


def opens_with_pronoun(text: str) -> bool:
    """Whether a sentence opens with a pronoun of the third person, whatever it stands for."""
    tokens = tokens_of(text[:40])
    return bool(tokens) and tokens[0][2].split("'")[0] in _PRONOUNS


def object_name(text: str, tokens: list[WordToken], verb: int) -> str:
    """The name right behind the verb at ``verb``, where it is the only one of the sentence there and no person's."""
    first = last = verb + 1
    while last < len(tokens) and text[tokens[last][0]].isupper():
        last += 1
    name = text[tokens[first][0] : tokens[last - 1][1]] if first < last else ""
    alone = not any(
        text[start].isupper() and form not in MONTHS_AND_WEEKDAYS for start, _, form in tokens[last:]
    )
    return name if name and alone and not looks_like_a_person(name) else ""


# -- counted things --------------------------------------------------------------------------------------------

_NOUN = r"(?P<noun>(?:[a-z][a-z-]+\s){0,1}?[a-z][a-z-]+(?:s|men|children|people))\b(?!['’-])"
_COUNT = compiled_later(
    rf"(?<![\w.,€$£])(?:\d[\d,.\u00a0]*\d|\d|{'|'.join(sorted(NUMBER_WORDS, key=len)[::-1])})\s{_NOUN}",
    re.IGNORECASE,
)
_PLURAL = compiled_later(r"[a-z][a-z-]+(?:(?<!s)s|men|children|people)")
_ASKED = compiled_later(rf"\bhow\smany\s(?:of\sthe\s)?{_NOUN}", re.IGNORECASE)
_PART = compiled_later(
    r"(?:(?:only|about|roughly|nearly|almost|around|just|at\s(?:least|most)|more\sthan|less\sthan|over)\s)?"
    r"(?:all|most|some|many|few|none|half|each|both|several|(?:an?|one|two|three|[\d.,]+|[a-z]+)(?:[\s-](?:in|out\sof)\s[\w]+|[\s-]"
    r"(?:thirds?|quarters?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|percent|per\scent|half))?|[\d.,]+\s?%)"
    r"\sof\s(?P<them>them|these|those)(?=\s)(?!\s(?:who|that|which)\b)",
    re.IGNORECASE,
)


def counted_noun(statement: str) -> str:
    """What the only count of a statement counts, with its article; ``""`` where there is none, or more than one.

    >>> counted_noun("The archive holds 8,400 letters."), counted_noun("It costs 12 euros for 3 hours.")
    ('the letters', '')
    """
    found = {match["noun"] for match in _COUNT.finditer(statement) if _is_counted(match["noun"])}
    return f"the {found.pop()}" if len(found) == 1 else ""


def asked_counted_noun(question: str) -> str:
    """What a question asks the number of.

    >>> asked_counted_noun("How many boats does the club have?")
    'the boats'
    """
    asked = _ASKED.search(question)
    return f"the {asked['noun']}" if asked else ""


def mentions_plural(statement: str) -> bool:
    """Whether a word of a statement that is not its verb may be a plural, which ``them`` may stand for."""
    tokens = tokens_of(statement)
    verb = finite_verb(statement, tokens)
    return any(_PLURAL.fullmatch(form) for at, (_, _, form) in enumerate(tokens) if at != verb)


def partitive_pronoun(text: str) -> tuple[int, int] | None:
    """Where the pronoun of a sentence stands that begins with a part of what was counted.

    >>> partitive_pronoun("One in seven of them can be seen."), partitive_pronoun("All of them, who agree, may come.")
    ((16, 20), None)
    """
    part = _PART.match(text)
    return part.span("them") if part else None


def _is_counted(noun: str) -> bool:
    """Whether a plural is of things: no unit, and no verb of the third person."""
    last = noun.split()[-1]
    return not lookup(last) and last.removesuffix("s") in common_words()


# -- competing antecedents -------------------------------------------------------------------------------------

_CALENDAR_AND_SHORT_FORMS = MONTHS_AND_WEEKDAYS | MONTH_FORMS | WEEKDAY_ABBREVIATIONS | {"tues", "thurs"}
_MEASURES = lexicon("""
    second minute hour day week month year metre meter kilometre mile gram kilogram litre euro dollar pound cent degree
    percent time point inch
    """)


def has_competing_antecedent(statement: str, tokens: list[WordToken], verb: int, *, named: bool) -> bool:
    """Whether something behind the verb could be meant as well: another name, or else a thing brought in there."""
    behind = tokens[verb + 1 :]
    copular = tokens[verb][2] in ("is", "was", "are", "were")
    for position, (start, end, form) in enumerate(behind):
        if (
            statement[start].isupper()
            and form not in _CALENDAR_AND_SHORT_FORMS
            and not statement[start:end].isupper()
        ):
            return named and not (
                position and behind[position - 1][2] in ("in", "from", "at", "near", "by", "on", "since")
            )
        if named:
            continue
        if form in ("a", "an") and not (copular and position == 0) and not _measures(behind, position):
            return True
        if form in ("the", "its", "this") and position == 0 and not copular:
            return True
    return False


def has_plural_antecedent(tokens: list[WordToken], verb: int) -> bool:
    """Whether a plural that is no measure stands behind the verb: ``they`` may be it (``receive two tablets``)."""
    behind = tokens[verb + 1 :]
    return any(
        form.endswith("s")
        and not form.endswith(("ss", "us", "is"))
        and len(form) > 3
        and form.removesuffix("s") not in _MEASURES
        and (not position or behind[position - 1][2] not in PREPOSITIONS)
        for position, (_, _, form) in enumerate(behind)
    )


def _measures(tokens: list[WordToken], position: int) -> bool:
    """``a day``, ``a year``: a rate or a time, nothing to refer to."""
    following = tokens[position + 1][2] if position + 1 < len(tokens) else ""
    return following in (
        "day",
        "week",
        "month",
        "year",
        "hour",
        "minute",
        "person",
        "night",
        "total",
        "few",
        "maximum",
    )
