"""Content words of a text: keys with spans, one key for inflections, derivations and near synonyms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import base_form, common_words, nominal_verb, verb_of
from verifier_signals.spelling import one_spelling
from verifier_signals.syntax import FUNCTION_WORDS, fold_word, stem

__all__ = ["LIGHT_WORDS", "ContentWord", "content_words", "lemma", "word_key"]


class ContentWord(NamedTuple):
    """A content word: what it is compared by, its half-open span, and its folded form."""

    key: str
    start: int
    end: int
    low: str


_GROUPS = """
begin start commence launch
end finish terminate conclude
found establish create
buy purchase acquire
cost price charge fee pay worth amount
long length
wide width breadth
high height tall elevation altitude
deep depth
weigh weight heavy
old age aged
quick fast speed
big large size great
hot warm temperature
employee employ staff worker workforce personnel headcount
person people inhabitant population resident human folk
revenue turnover sales
profit earnings
build construct erect
customer client
holiday vacation leave
car automobile vehicle
film movie
doctor physician
show reveal indicate demonstrate
keep retain store
erase delete remove
allow permit
need require must
help assist support
rise increase grow growth climb
fall decrease decline drop shrink reduce cut lower
discount rebate reduction
refund reimburse repay
send ship deliver dispatch delivery shipment
reply answer respond response
last duration endure
refrigerator fridge
trip journey voyage
die death dead kill
birth born
win victory winner champion
lose loss defeat
annual yearly
boat ship vessel ferry
plane aircraft airplane aeroplane
bicycle bike cycle
company firm business corporation
boss manager supervisor
author writer write
inspect examine audit check
choose select pick
appoint name nominate
vanish disappear
occur happen
close shut closure
repair fix mend
mistake error
illness sickness sick ill
phone telephone
exam examination
child kid
forbid prohibit ban
immediate instant
"""
"""A line a group: what one and the same figure may be said to measure. The first word names the group."""

LIGHT_WORDS = lexicon("""
    get go come take make put turn give bring let say tell find stay run look see hold set stand mean seem become want
    know think happen call keep leave show thing way lot kind sort part case time people someone somebody anyone anybody
    everyone everybody nobody nothing something anything everything somewhere anywhere everywhere nowhere else
    away back together always often sometimes usually longer well far true certain possible possibly perhaps maybe
    new good different today now later earlier soon ago whole total full fully mere merely simple simply actually
    """)
"""Words that any sentence may hold: that a text lacks them says little about it."""

_WORD = re.compile(r"([^\W_]+)")
_CONTRACTED = re.compile(
    r"([^\W_]++(?!(?<=[^\W_]n)['’]t(?![^\W_]))|[^\W_]+(?=n['’]t))(?:n['’]t|['’](?:s|re|ve|ll|d|m))?(?![^\W_])"
)
"""A word with what is contracted into it, which is no part of the word: ``did|n't``, ``it|'s``."""


_PLURALS = (("s", ""), ("es", ""), ("ies", "y"))
"""Endings of plurals, each with what stands there in the singular."""


@lru_cache(maxsize=65536)
def lemma(low: str) -> str:
    """The base form of a folded word, as the tables of synonyms list it.

    >>> lemma("acquired"), lemma("turbines")
    ('acquire', 'turbine')
    """
    reading = verb_of(low)
    if reading is not None and reading.share > 0.5:
        return reading.lemma
    if reading is not None and reading.share == 0.5 and not low.endswith("s"):
        return base_form(low) or reading.lemma
    return base_form(low) or _singular(low)


def _singular(low: str) -> str:
    """A noun without the ending of its plural: ``ferries``, ``boxes``, ``women``; not of ``crisis``, ``status``."""
    if low.endswith("men") and low not in common_words() and low[:-3] + "man" in common_words():
        return low[:-3] + "man"
    if len(low) <= 3 or not low.endswith("s") or low.endswith("ss"):
        return low
    if low.endswith(("us", "is", "ies")) and low in common_words():
        return low
    cut = [low.removesuffix(ending) + new for ending, new in _PLURALS if low.endswith(ending)]
    return next((one for one in cut if one in common_words()), cut[0])


def _root(low: str) -> str:
    """The verb behind a form or a derived noun, else the base form of the word itself, in one spelling."""
    base = lemma(low)
    verbs = (
        _verb_behind(noun)
        for noun in dict.fromkeys((low, base, one_spelling(base)))
        if base_form(noun) is None
    )
    return one_spelling(next(filter(None, verbs), base))


def _verb_behind(noun: str) -> str | None:
    """The verb that a noun is derived from, not one that is derived from the noun: ``colour`` is not ``colourise``."""
    verb = nominal_verb(noun)
    return None if verb and verb.endswith(("ise", "ize", "ify")) and len(verb) >= len(noun) else verb


@cache
def _group_of() -> Mapping[str, str]:
    groups = (line.split() for line in _GROUPS.strip().splitlines())
    return {stem(word): words[0] for words in groups for word in words}


def word_key(surface: str) -> str:
    """What a word is compared by; ``""`` for function words.

    >>> word_key("Employees") == word_key("staff"), word_key("acquisition") == word_key("bought")
    (True, True)
    """
    return _read(surface)[0]


@lru_cache(maxsize=65536)
def _read(surface: str) -> tuple[str, str]:
    """The key of a word and its folded form."""
    low = fold_word(surface)
    if low in FUNCTION_WORDS or (len(low) == 1 and not (low.isdigit() or surface.isupper())):
        return "", low
    if not low.isalpha():
        return low, low
    groups, root = _group_of(), stem(_root(low))
    return groups.get(stem(low)) or groups.get(root, root), low


@lru_cache(maxsize=2048)
def content_words(text: str) -> tuple[ContentWord, ...]:
    """The content words of a text in order, with spans; hyphens and underscores separate words.

    >>> [word.key for word in content_words("The well-known accidents were reported.")]
    ['well', 'know', 'accid', 'report']
    """
    pattern = _CONTRACTED if "'" in text or "’" in text else _WORD
    found = []
    for match in pattern.finditer(text):
        key, low = _read(match[1])
        if key and (match[0] == match[1] or fold_word(match[0]) not in FUNCTION_WORDS):
            found.append(ContentWord(key, *match.span(1), low))
    return tuple(found)
