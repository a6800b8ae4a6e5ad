"""A reading goes in, its cues come out: negations, quantifiers, modals and hedges, each at its tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from signals.syntax import FUNCTION_WORDS, Reading
from verifier.core.lexicon import lexicon

__all__ = ["Cue", "cues_in"]


class Cue(NamedTuple):
    """One cue: what it is of, what it says there, its first token and one behind its last.

    ``negation``: value ``not``. ``quantifier``: ``all most many half some few none notall``. ``modal``: ``permit
    oblige must recommend``, after ``-`` when the word itself denies (``forbidden`` is ``-permit``). ``hedge``: value
    ``hedge``.
    """

    kind: str
    value: str
    first: int
    last: int


_NEGATIONS = lexicon("""
    not never cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't couldn't
    hasn't haven't hadn't mustn't needn't mayn't shan't ain't neither nor nobody nothing nowhere none no without
    hardly scarcely barely fail fails failed failing refuse refuses refused unable lack lacks lacked false untrue
    prevent prevents prevented preventing absence
    """)
_HINDERING = lexicon("keep keeps kept stop stops stopped hinder hinders hindered bar bars barred")
"""Verbs that deny what they keep one *from*."""
_NO_NEGATION = {
    "not": lexicon("only just merely necessarily"),
    "no": lexicon("matter doubt later earlier more fewer less"),
    "nothing": lexicon("but"),
    "fail": frozenset[str](),
}
"""What follows a word that would negate otherwise: ``not only``, ``no later than``."""


def _by_word(words: Mapping[str, str]) -> Mapping[str, str]:
    return {word: value for value, listed in words.items() for word in lexicon(listed)}


_QUANTIFIERS = _by_word(
    {
        "all": "all every each everyone everybody everything always whole entire both",
        "most": "most majority mostly usually generally mainly",
        "many": "many often numerous",
        "half": "half",
        "some": "some several sometimes certain partly someone",
        "few": "few rarely seldom minority hardly",
        "none": "none no nobody neither",
    }
)
_MODALS = _by_word(
    {
        "permit": """may can can't cannot mayn't allow allows allowed permit permits permitted welcome entitled
            eligible permissible able possible mustn't""",
        "must": "must shall",
        "oblige": """required require requires mandatory compulsory obligatory obliged necessary needs needn't""",
        "recommend": "should shouldn't ought recommended advised advisable",
        "-permit": """forbidden prohibited banned disallowed forbid forbids prohibit prohibits impermissible
            unwelcome ineligible impossible""",
        "-oblige": "optional voluntary unnecessary",
    }
)
_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_BEFORE_NOUNS = lexicon(
    "mandatory compulsory obligatory optional voluntary necessary unnecessary required prohibited"
)
"""Adjectives that only describe the noun right behind them: ``compulsory attendance may come``."""
_HEDGES = lexicon("""
    may might could possibly perhaps maybe probably likely apparently seemingly reportedly allegedly presumably
    appear appears appeared seem seems seemed suggest suggests suggested indicate indicates believe believed
    think thinks thought considered consider planned proposed preliminary potential potentially tentative
    tentatively expected expects uncertain unclear speculate rumoured rumored supposedly studied suspected
    """)


def cues_in(reading: Reading) -> list[Cue]:
    """All cues in reading order; one word can give several (``never`` negates and quantifies)."""
    lows = [token.word.low for token in reading.tokens]
    found: list[Cue] = []
    for at, low in enumerate(lows):
        following = lows[at + 1] if at + 1 < len(lows) else ""
        before = lows[at - 1] if at else ""
        if low in _NEGATIONS and _negates(low, before, following):
            found.append(Cue("negation", "not", at, at + 1 + (low == "no" and following == "longer")))
        if low in _QUANTIFIERS:
            found.extend(_quantifier(lows, at, before, following))
        if following == "of" or before == ",":
            found.extend(_proportion(lows, at))
        if low in _HINDERING and "from" in lows[at + 1 : at + 7]:
            found.append(Cue("negation", "not", at, at + 1))
        found.extend(_modal(lows, at, low, following))
        if low in _HEDGES:
            found.append(Cue("hedge", "hedge", at, at + 1))
    return found


def _negates(low: str, before: str, following: str) -> bool:
    if low == "no" and (before == "or" or not following[:1].isalpha()):
        return False
    if low == "without" and following == "exception":
        return False
    if low == "not" and before == "or" and following in ("", ",", ".", "the"):
        return False
    if low in ("fail", "fails", "failed", "failing", "refuse", "refuses", "refused", "unable"):
        return following == "to"
    return following not in _NO_NEGATION.get(low, frozenset())


def _quantifier(lows: list[str], at: int, before: str, following: str) -> list[Cue]:
    low = lows[at]
    if low in ("no", "none", "neither") and not _negates(low, before, following):
        return []
    if low == "hardly":
        return [Cue("quantifier", "few", at, at + 2)] if following == "any" else []
    if low == "all" and before in ("at", "after", "above", "of", "first"):
        return []
    if low == "most" and (before in ("the", "at") or following.endswith(("ed", "ing"))):
        return []
    if low == "few" and before == "a":
        return [Cue("quantifier", "some", at - 1, at + 1)]
    if low == "all" and any(word in ("except", "but") for word in lows[at + 1 : _sentence_end(lows, at)]):
        return [Cue("quantifier", "notall", at, at + 1)]
    if _QUANTIFIERS[low] == "all" and before in ("not", "n't"):
        return [Cue("quantifier", "notall", at - 1, at + 1)]
    if _QUANTIFIERS[low] == "some" and before == "only":
        return [Cue("quantifier", "notall", at - 1, at + 1)]
    return [Cue("quantifier", _QUANTIFIERS[low], at, at + 1)]


def _sentence_end(lows: list[str], at: int) -> int:
    return next((place for place in range(at, len(lows)) if lows[place] in (".", ";", "!", "?")), len(lows))


def _proportion(lows: list[str], at: int) -> list[Cue]:
    """``17 of the 19``, ``of the 19 workers, 17``: some of them, so not all."""
    part = _count(lows[at])
    if not part:
        return []
    ahead = at + 1
    if lows[ahead : ahead + 1] == ["of"]:
        ahead += 2 if lows[ahead + 1 : ahead + 2] in (["the"], ["its"], ["their"], ["our"]) else 1
        whole = _count(lows[ahead]) if ahead < len(lows) else 0
        return [Cue("quantifier", "notall", at, ahead + 1)] if part < whole else []
    if at and lows[at - 1] == ",":
        begin = max(at - 10, 0)
        opened = next((place for place in range(at - 2, begin - 1, -1) if lows[place] == "of"), None)
        whole = max(map(_count, lows[opened + 1 : opened + 3]), default=0) if opened is not None else 0
        return [Cue("quantifier", "notall", at, at + 1)] if part < whole else []
    return []


def _count(low: str) -> int:
    """A whole number, in figures or as a small word; 0 for anything else."""
    if low.isascii() and low.isdecimal() and len(low) < 7:
        return int(low)
    return _SMALL.index(low) + 1 if low in _SMALL else 0


def _modal(lows: list[str], at: int, low: str, following: str) -> list[Cue]:
    if low in ("have", "has", "had", "having", "need", "needs") and following == "to":
        return [Cue("modal", "oblige", at, at + 2)]
    if low == "need" and following == "not":
        return [Cue("modal", "oblige", at, at + 1)]
    if low in _BEFORE_NOUNS and following.isalpha() and following not in FUNCTION_WORDS:
        return []
    if low in ("may", "can") and at and lows[at - 1] in ("in", "of", "the", "a"):
        return []
    return [Cue("modal", _MODALS[low], at, at + 1)] if low in _MODALS else []
