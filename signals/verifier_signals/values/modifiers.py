"""Words that modify a number: limits, approximations, denials and labels, ages, and its part in a change.

Numeral modifiers (``at least``, ``about``, ``just under``) stand before or behind it. ``Children under 5`` makes it an
age; ``rose from 100 by 20 to 120`` the start, the step and the end of a change.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier_signals.stems import word_key
from verifier_signals.values.ellipsis import is_bare, is_verb
from verifier_signals.values.types import Form, Quantity, Value

__all__ = [
    "BETWEEN",
    "CHANGE",
    "FROM",
    "LABEL",
    "PEOPLE",
    "ChangePart",
    "NumberCue",
    "change_part",
    "counted_back",
    "cue_after",
    "cue_before",
    "is_denied",
    "with_age",
]

_PEOPLE = lexicon("""
    child children people person persons adult adults reader readers passenger passengers patient patients kid kids
    girl girls boy boys woman women man men student students member members guest guests visitor visitors user users
    customer customers pupil pupils anyone everyone nobody those teenager teenagers traveller travellers rider riders
    driver drivers swimmer swimmers player players applicant applicants volunteer volunteers infant infants baby babies
    son sons daughter daughters
    """)
PEOPLE = frozenset(map(word_key, _PEOPLE))
"""Stems of the nouns that ages are told of: an age of children is one of people, too."""
_PERSON = rf"\b(?:{'|'.join(sorted(_PEOPLE, key=len, reverse=True))})"
_OLD = compiled_later(r"[- ]olds?\b|\s+of\s+age\b", re.IGNORECASE)
_AGED = compiled_later(
    r"\b(?:aged|age(?:\s+limit)?(?:\s+(?:of|is|was))?|(?:older|younger)\s+than)\s+(?:about\s+|over\s+|under\s+|at\s+least\s+)?\Z",
    re.IGNORECASE,
)
_LIMIT = r"\s+(?:under|over|below|above|from|between|aged)\s+(?:the\s+age\s+of\s+)?\Z"
_OF_AN_AGE = compiled_later(rf"{_PERSON}{_LIMIT}", re.IGNORECASE)
_ARE_OF_AN_AGE = compiled_later(
    rf"(?:{_PERSON}(?:\s+who)?|\b(?:whom|them)(?:\s+[\d.,]+)?)\s+(?:is|are|was|were){_LIMIT}", re.IGNORECASE
)
_OF_SO_MANY = compiled_later(rf"(?P<one>\ban?\s+)?{_PERSON}\s+of\s+\Z", re.IGNORECASE)
"""``A child of twelve``: an age, where nothing follows that the number could count."""
_LAST_WORD = compiled_later(rf"{_PERSON}\s+\Z", re.IGNORECASE)
_LAST_OF_AGE_CUES = lexicon("aged age limit of is was than about over under least below above from between")
"""The last words of what tells an age in front of a number."""
_NEXT_WORD = compiled_later(r"\s+([^\W\d_]+)")
_AGE_REACH = 40
_OLDEST = 120
_DIGITS = 6
"""Digits behind the point of an age in years, so that four years of seconds are four years again."""
_YEAR_LENGTH = 31557600.0


def with_age(text: str, value: Value) -> Value:
    """``twelve-year-old``, ``aged 12``, ``children under 5``: an age, which no duration is compared with.

    Where a limit may as well be one of the number of people, the count stays its first reading.
    """
    old = _OLD.match(text, value.core[1])
    unit = value.quantities[0].unit
    if old is not None and unit.startswith("year"):
        quantities = [_in_years(one, 1.0 / _YEAR_LENGTH) for one in value.quantities]
        end = max(value.end, old.end())
        return replace(value, quantities=tuple(quantities), end=end, core=(value.core[0], old.end()))
    if value.kind != "number" or value.quantities[0].dimension:
        return value
    before = text[max(0, value.core[0] - _AGE_REACH) : value.core[0]]
    if _LAST_OF_AGE_CUES.isdisjoint(_LETTERS.findall(before.lower())[-1:]):
        return value
    years = tuple(_in_years(one, 1.0) for one in value.quantities)
    so_few = value.quantities[0].high <= _OLDEST
    if _AGED.search(before) or (so_few and _ARE_OF_AN_AGE.search(before)):
        return replace(value, kind="unit", quantities=years)
    if _OF_AN_AGE.search(before) or (so_few and _is_so_old(text, value, before)):
        return replace(value, quantities=(*value.quantities, *years))
    return value


def _ends_with_person(before: str) -> bool:
    """Whether what follows a text says of which age the people are who stand last in it (``children`` ``under 8``)."""
    return _LAST_WORD.search(before) is not None


def _is_so_old(text: str, value: Value, before: str) -> bool:
    """Whether ``of`` and a number tell how old somebody is, and nothing follows that the number could count."""
    person = _OF_SO_MANY.search(before)
    if person is None:
        return False
    following = _NEXT_WORD.match(text, value.end)
    tells = person["one"] is not None and following is not None and is_verb(following[1])
    return tells or is_bare(text, value)


def _in_years(one: Quantity, factor: float) -> Quantity:
    low, high = (round(years * factor, _DIGITS) for years in (one.low, one.high))
    return Quantity("age", low, high, one.place * factor, one.coarse * factor)


class NumberCue(NamedTuple):
    """What stands before or behind a number; ``at`` is the outer end of its words."""

    form: Form
    approx: str
    at: int
    named: bool = False
    """Whether the number is said to be the limit (``the minimum order is``), and not to lie within it."""


_BEGINNING = "|".join(
    rf"(?<=\b{word}\s)"
    for word in lexicon("""
    free charge cost costs costing start starts starting begin begins beginning priced available apply applies discount
    discounts rooms tickets fares prices
    """)
)
"""What a sum that is a lower limit belongs to: ``free from 40 euros``, ``prices from 9 euros``."""

_BEFORE: tuple[tuple[str, Form, str], ...] = (
    (
        (
            r"at\s+least|(?:a\s+)?minimum\s+(?:of|is|was)|min\.|minimum|(?:no|not)\s+(?:less|fewer|shorter|younger|earlier"
            r"|lower|smaller)\s+than|not\s+(?:under|below)|≥|>="
            rf"|(?:{_BEGINNING})from"
        ),
        Form.AT_LEAST,
        "",
    ),
    (
        (
            r"at\s+most|(?:no|not)\s+(?:more|greater|longer|later|older|higher|larger|bigger|heavier)\s+than|not\s+(?:over|above)"
            r"|up\s+to|as\s+(?:much|many|long)\s+as|(?:a\s+)?maximum\s+(?:of|is|was)|max\.|maximum|within|(?:not|never)\s+exceed(?:s|ing)?"
            r"|limited\s+to|capped\s+at|≤|<="
        ),
        Form.AT_MOST,
        "",
    ),
    (
        r"just\s+(?:over|above)|(?:slightly|a\s+(?:little|bit))\s+(?:over|above|more\s+than)",
        Form.POINT,
        "over",
    ),
    (
        (
            r"just\s+(?:under|below|short\s+of)|(?:slightly|a\s+(?:little|bit))\s+(?:under|below|less\s+than)|not\s+quite"
            r"|nearly|almost|close\s+to|approaching|virtually|practically"
        ),
        Form.POINT,
        "under",
    ),
    (
        (
            r"(?:more|greater|longer|older|higher|larger|bigger|heavier|better|later|bigger|faster|taller|wider)\s+than|(?<!spread\s)(?<!scattered\s)(?<!distributed\s)over|above"
            r"|beyond|exceed(?:s|ed|ing)?|in\s+excess\s+of|upwards?\s+of|>"
        ),
        Form.ABOVE,
        "",
    ),
    (
        r"(?:less|fewer|shorter|younger|lower|smaller|lighter|earlier|cheaper|slower)\s+than|under|below|<",
        Form.BELOW,
        "",
    ),
    (
        (
            r"about|around|approximately|approx\.?|roughly|circa|ca\.|some|~|≈|an?\s+estimated|estimated(?:\s+at)?|more\s+or\s+less"
            r"|in\s+the\s+(?:region|order|neighbou?rhood)\s+of|something\s+like"
        ),
        Form.POINT,
        "about",
    ),
)
_HEDGED = r"(?:\s+(?:about|around|roughly|approximately|nearly|almost|some|just|the|an?|only|another|of|from|well))*"
_BEFORE_RE = compiled_later(
    "|".join(
        rf"(?P<b{at}>(?<![\w]){pattern})" if pattern[0] not in "~" else rf"(?P<b{at}>{pattern})"
        for at, (pattern, _, _) in enumerate((f"(?:{raw})", form, approx) for raw, form, approx in _BEFORE)
    ),
    re.IGNORECASE,
)
_LAST_OF_CUES = lexicon("""
    least of is was min minimum than under below most over above to much many long max maximum as within exceed exceeds
    exceeding exceeded at quite nearly almost approaching virtually practically beyond about around approximately approx
    roughly circa ca some estimated less like from
    """)
"""The last words of ``_BEFORE`` and ``_NOUN_BETWEEN``; some of them are signs instead."""
_SIGNS = compiled_later("[≥≤<>=~≈]")
_HEDGES = lexicon(
    "about around roughly approximately nearly almost some just the an a only another of from well"
)
_LETTERS = compiled_later(r"[A-Za-z]+")
_HEDGE = compiled_later(r"\b(?:about|around|roughly|approximately|some)\b", re.IGNORECASE)
_TAIL = compiled_later(_HEDGED + r"\s*\Z", re.IGNORECASE)

_RACED = compiled_later(
    r"\b(?:records?|races?|titles?|champions?(?:hips?)?|hurdles|sprints?|relays?|heats?|finals?|medals?|\w+['’]s)\s+over\Z",
    re.IGNORECASE,
)
"""``The record over 800 m``: the distance of a race, and no limit."""
_NOUN_BETWEEN = compiled_later(
    r"\b(?:(?P<least>minimum|smallest|shortest|lowest)|(?:maximum|largest|longest|highest))\s+[a-z]+\s+"
    r"(?:(?:of|for|on|in|at)\s+(?:the\s+|an?\s+)?[\w'’-]+\s+(?:is|was)|of|is|was)\s+\Z",
    re.IGNORECASE,
)
"""``The minimum order (of felt) is 25 euros``: the noun says what the limit is set on, and stays outside the value."""

_AFTER: tuple[tuple[str, Form], ...] = (
    (r"\s+or\s+(?:more|above|over|older|higher|greater|longer|later|larger|better)\b", Form.AT_LEAST),
    (
        r"\s+(?:and|&)\s+(?:over|above|older|up|upwards?|more)\b|\+(?![\w])|\s+plus\b|\s+minimum\b",
        Form.AT_LEAST,
    ),
    (r"\s+or\s+(?:less|fewer|under|below|younger|lower|earlier|sooner|smaller|shorter)\b", Form.AT_MOST),
    (r"\s+(?:and|&)\s+(?:under|below|younger|less)\b|\s+(?:at\s+most|maximum|max\b)", Form.AT_MOST),
)
_AFTER_RE = compiled_later(
    "|".join(rf"(?P<a{at}>{raw})" for at, (raw, _) in enumerate(_AFTER)), re.IGNORECASE
)
_OR_SO = compiled_later(r"\s+or\s+so\b|-ish\b|-odd\b", re.IGNORECASE)

BETWEEN = compiled_later(r"\b(?:between|range\s+of)\s+(?:the\s+|about\s+)?\Z", re.IGNORECASE)
FROM = compiled_later(r"\bfrom\s+(?:the\s+|about\s+|around\s+)?\Z", re.IGNORECASE)
CHANGE = compiled_later(
    r"\b(?:r[io]se|risen|rising|grew|grow[ns]?|growing|f[ae]ll|fallen|falls|falling|drop\w*|increas\w+|decreas\w+|reduc\w+|rais\w+|lower\w*"
    r"|cut\w*|lift\w+|went|gone|mov\w+|chang\w+|climb\w+|declin\w+|jump\w*|slip\w*|doubl\w+|shr[iau]nk\w*|extend\w+"
    r"|improv\w+|up|down|expand\w+|shorten\w*|brought|push\w+|halv\w+|slump\w*|soar\w*|plung\w*|surg\w+)\b(?:[^.;]|\.(?=\d))*\Z",
    re.IGNORECASE,
)

LABEL = compiled_later(
    r"\b(?P<label>(?i:version|release|season|episode|chapter|section|article|clause|paragraph|figure|fig\.|table|appendix|annex|page|step"
    r"|phase|type|tier|platform|route|line|track|ward|shelf|terminal|berth|room|gate|flight|rule|schedule|model|volume|issue|question|apollo|category"
    r"|grade|class|stage|level|zone|option|lot|unit|part|no\.|nr\.|#)|(?:ISO(?:/IEC)?|IEC|IEEE|RFC|EN|DIN|BS|NIST(?:\s+SP)?|ANSI|ASTM"
    r"|UL|SAE|CVE|PCI|SOC|Windows|Python|iPhone|Boeing|Airbus|Year))(?P<gap>[\s-]+|(?<=#)|(?<=\.))\Z"
)
"""What names the number behind it instead of counting: ``version 3``, ``ISO 27001``, ``No. 5``."""


_DENIED = compiled_later(
    r"\b(?:no|not|never|nobody|none|nothing|cannot|nor|without|\w+n['’]t)\b"
    r"(?:(?!\b(?:who|that|which|if|when|unless|except|because|after|until|than|but|and|or)\b)[^.;:,|\n])*\Z",
    re.IGNORECASE,
)
_OF_A_CLAUSE = compiled_later(r"\b(?:who|that|which)\s+(?:\w+\s+){1,2}\Z", re.IGNORECASE)
"""``Funds that hold no shares charge under 1 %``: such a denial ends with its relative clause."""
_AHEAD = compiled_later(r"\s+(?:before(?:hand)?|prior|ahead|in\s+advance)\b", re.IGNORECASE)
"""``No later than 10 days before``: the figure is counted back from what follows."""
_LATER = compiled_later(r"\b(?:later|earlier)\s+than\b", re.IGNORECASE)
_BACKWARDS = {
    Form.AT_MOST: Form.AT_LEAST,
    Form.AT_LEAST: Form.AT_MOST,
    Form.ABOVE: Form.BELOW,
    Form.BELOW: Form.ABOVE,
}
_TURNED = {Form.ABOVE: Form.AT_MOST, Form.BELOW: Form.AT_LEAST}
"""``No suitcase may weigh more than 23 kg`` sets a limit of 23 kg that is allowed."""


def cue_before(text: str, start: int) -> NumberCue:
    """The comparing words in front of the number that begins at ``start``.

    >>> cue_before("costs at least 5", 15).form.value
    'at_least'
    """
    low = max(0, start - 40)
    window = text[low:start]
    if not _may_end_cue(window):
        return NumberCue(Form.POINT, "", start)
    for match in _BEFORE_RE.finditer(window):
        if _RACED.search(text, max(0, low - 16), low + match.end()):
            continue
        if _TAIL.match(window, match.end()):
            _, form, approx = _BEFORE[int((match.lastgroup or "b0")[1:])]
            start = low + match.start()
            if form in _TURNED and is_denied(text, start) and not _ends_with_person(text[low:start]):
                form = _TURNED[form]
            hedged = "about" if not approx and _HEDGE.search(window, match.end()) else approx
            return NumberCue(form, hedged, start)
    noun = _NOUN_BETWEEN.search(window)
    if noun is not None:
        return NumberCue(Form.AT_LEAST if noun["least"] else Form.AT_MOST, "", start, named=True)
    return NumberCue(Form.POINT, "", start)


def _may_end_cue(window: str) -> bool:
    """Whether the last words in front of a number, or the ones before hedges, are those of a cue."""
    for word in reversed(_LETTERS.findall(window.lower())):
        if word in _LAST_OF_CUES:
            return True
        if word not in _HEDGES:
            break
    return _SIGNS.search(window) is not None


def is_denied(text: str, start: int) -> bool:
    """Whether a denial in front of a place reaches to it (``does not cost 49 euros``).

    >>> is_denied("The pass does not cost 49 euros.", 23), is_denied("No dogs, and 49 seats.", 13)
    (True, False)
    """
    denied = _DENIED.search(text, max(0, start - 60), start)
    return denied is not None and not _OF_A_CLAUSE.search(text, max(0, denied.start() - 40), denied.start())


def counted_back(text: str, cue: NumberCue, start: int, end: int) -> NumberCue:
    """The cue in front of the length of time at ``start:end``, as a limit of its length.

    What has to be done ``no later than 10 days before`` a date is done ten days before it or more.

    >>> text = "no later than 10 days before"
    >>> counted_back(text, cue_before(text, 14), 14, 21).form.value
    'at_least'
    """
    by_time = cue.form in _BACKWARDS and _LATER.search(text, cue.at, start) and _AHEAD.match(text, end)
    return cue._replace(form=_BACKWARDS[cue.form]) if by_time else cue


def cue_after(text: str, end: int) -> NumberCue:
    """The comparing words behind the number or unit that ends at ``end``.

    >>> cue_after("10 years or older", 8).form.value
    'at_least'
    """
    match = _AFTER_RE.match(text, end)
    if match is not None:
        return NumberCue(_AFTER[int((match.lastgroup or "a0")[1:])][1], "", match.end())
    so = _OR_SO.match(text, end)
    return NumberCue(Form.POINT, "about", so.end()) if so else NumberCue(Form.POINT, "", end)


class ChangePart(StrEnum):
    """What a value is to a change: ``rose from 100 (start) by 20 (step) to 120 (end)``."""

    NONE = "none"
    START = "start"
    STEP = "step"
    END = "end"

    def excludes(self, other: ChangePart) -> bool:
        """Whether two values cannot be the same figure: both parts are known, and differ."""
        return ChangePart.NONE not in (self, other) and self is not other


_CHANGE_REACH = 90
"""Code points in front of a value in which the words of a change are looked for."""
_FROM = compiled_later(r"\bfrom\s+(?:the\s+)?\Z", re.IGNORECASE)
_TO = compiled_later(r"\bto\s+(?:only\s+|just\s+)?\Z", re.IGNORECASE)
_BY = compiled_later(r"\bby\s+(?:a\s+further\s+|another\s+|only\s+|just\s+)?\Z", re.IGNORECASE)
_STEP = compiled_later(
    r"\b(?:rise|increase|fall|drop|cut|growth|gain|loss|reduction|decrease|decline)\s+of\s+\Z"
    r"|\b(?:gained|lost|saved|added)\s+\Z|(?:,|\b(?:is|was|are|were))\s+(?:up|down)\s+\Z",
    re.IGNORECASE,
)
_MOVED = compiled_later(
    r"\b(?:r[io]se|risen|rising|grew|grow[ns]?|growing|f[ae]ll|fallen|falls|falling|dropp?(?:ed|ing|s)?|increas(?:e[sd]?|ing)"
    r"|decreas(?:e[sd]?|ing)|climb(?:ed|ing|s)?|declin(?:e[sd]?|ing)|jump(?:ed|ing|s)?|slipp?(?:ed|ing|s)?|shr[aiu]nk"
    r"|slump(?:ed|ing|s)?|soar(?:ed|ing|s)?|plung(?:e[sd]?|ing)|surg(?:e[sd]?|ing))\s+(?:only\s+|just\s+|a\s+further\s+)?\Z",
    re.IGNORECASE,
)
"""``Profit fell 13 %``: a share right behind a verb of change is its step."""
_REACHED = compiled_later(
    r"\b(?:reach(?:ed|es)?|hit|totall?ed|now\s+(?:at|is|stands\s+at|costs?))\s+\Z", re.IGNORECASE
)
_LATE = compiled_later(r"\b(?:now|today|currently|nowadays|new)\b", re.IGNORECASE)
_EARLY = compiled_later(
    r"\b(?:old|former(?:ly)?|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|before(?:hand)?|once)\b",
    re.IGNORECASE,
)


def change_part(text: str, value: Value, sentence: tuple[int, int]) -> ChangePart:
    """The part that a value of the sentence at ``sentence`` plays in a change.

    >>> from verifier_signals.values.extraction import parse
    >>> text = "Fares rose from 40 to 45 crowns."
    >>> [change_part(text, value, (0, len(text))).value for value in parse(text)]
    ['start', 'end']
    """
    if value.form is Form.RANGE or not value.quantities:
        return ChangePart.NONE
    before = text[max(sentence[0], value.start - _CHANGE_REACH) : value.start]
    share = all(one.dimension in ("share", "points") for one in value.quantities)
    if _STEP.search(before) or (share and _MOVED.search(before)):
        return ChangePart.STEP
    if _REACHED.search(before):
        return ChangePart.END
    if CHANGE.search(before):
        for pattern, part in ((_FROM, ChangePart.START), (_TO, ChangePart.END), (_BY, ChangePart.STEP)):
            if pattern.search(before):
                return part
    if any(map(str.isdigit, before)):
        return ChangePart.NONE
    late, early = _LATE.search(before), _EARLY.search(before)
    if bool(late) == bool(early):
        return ChangePart.NONE
    return ChangePart.END if late else ChangePart.START
