"""A reading goes in, its cues come out: negations, quantifiers, modals and hedges, each at its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from verifier.core.lexicon import by_word, lexicon
from verifier_signals.polarity.cue import Cue
from verifier_signals.polarity.items import is_month
from verifier_signals.polarity.quantifiers import NO_COUNT, quantifiers_in
from verifier_signals.syntax import FUNCTION_WORDS, Reading
from verifier_signals.values.dates import CALENDAR_WORDS
from verifier_signals.values.numerals import NUMBER_WORDS

__all__ = ["FORBIDDING", "HINDERING", "cues_in"]


_NEGATIONS = lexicon("""
    not never cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't couldn't
    hasn't haven't hadn't mustn't needn't mayn't shan't ain't neither nor nobody nothing nowhere none no without
    hardly scarcely barely fail fails failed failing failure refuse refuses refused refusal decline declines declined
    declining unable inability lack lacks lacked lacking false untrue prevent prevents prevented preventing absence
    devoid against deny denies denied denying cease ceases ceased stop stops stopped quit avoid avoids avoided
    """)
_BEFORE_INFINITIVE = lexicon("""
    fail fails failed failing failure refuse refuses refused refusal decline declines declined declining unable
    inability cease ceases ceased
    """)
"""Words that deny an infinitive behind them and nothing else."""
_BEFORE_GERUND = lexicon(
    "deny denies denied denying stop stops stopped quit cease ceases ceased avoid avoids avoided"
)
"""Verbs that deny the form in *-ing* behind them."""
_TAKING_SIDES = lexicon("""
    vote votes voted voting argue argues argued speak speaks spoke decide decides decided rule rules ruled advise
    advises advised campaign campaigned
    """)
"""Verbs that make *against* deny what *for* affirms."""
_INFINITIVES = frozenset({"be", "have", "do"})
HINDERING = lexicon(
    "keep keeps kept stop stops stopped hinder hinders hindered bar bars barred prevent prevents prevented"
)
"""Verbs that deny what they keep one *from*."""
_NO_NEGATION = {
    "not": lexicon(
        "only just merely simply necessarily all every everyone everybody everything everywhere always both"
    ),
    "no": NO_COUNT - lexicon("longer better worse other"),
    "nothing": lexicon("but"),
}
"""What follows a word that would negate otherwise: ``not only``, ``no later than``."""


_RULING = lexicon("rule rules ruled ruling")
"""Verbs that deny what they rule *out*."""
_MODALS = by_word(
    {
        "permit": """may can can't cannot mayn't allow allows allowed permit permits permitted welcome entitled
            eligible permissible able possible mustn't""",
        "must": "must shall",
        "oblige": """required require requires mandatory compulsory obligatory obliged necessary needs needn't""",
        "recommend": "should shouldn't ought recommended advised advisable",
        "-permit": """forbidden prohibited banned disallowed forbid forbids prohibit prohibits impermissible
            unwelcome ineligible impossible""",
        "-oblige": "optional voluntary unnecessary exempt exempted",
    }
)
FORBIDDING = frozenset(word for word, value in _MODALS.items() if value.startswith("-"))
"""Words that deny as a cue, and are no opposites beside that."""
_BEFORE_NOUNS = lexicon(
    "mandatory compulsory obligatory optional voluntary necessary unnecessary required prohibited"
)
"""Adjectives that only describe the noun right behind them: ``compulsory attendance may come``."""
_HEDGES = lexicon("""
    may might could possibly perhaps maybe probably likely apparently seemingly reportedly allegedly presumably
    appear appears appeared seem seems seemed suggest suggests suggested indicate indicates believe believed
    think thinks thought considered consider considers considering planned proposed preliminary potential potentially
    tentative tentatively expected expects uncertain unclear speculate rumoured rumored supposedly suspected
    """)
_INTENDING = lexicon("""
    plan plans planning propose proposes proposing intend intends intended hope hopes hoping aim aims aiming
    want wants seek seeks seeking
    """)
"""Verbs before ``to`` that leave open whether it comes to what follows."""
_OBLIGING = frozenset({"have", "has", "had", "having", "need", "needs"})
"""Verbs that oblige before ``to``."""
_TELLING = (
    _NEGATIONS
    | HINDERING
    | {"free", "far", "rather"}
    | _RULING
    | _MODALS.keys()
    | _OBLIGING
    | _HEDGES
    | _INTENDING
)
"""All words that a cue, other than a quantifier, may begin with."""
_LIMITS = CALENDAR_WORDS | NUMBER_WORDS | lexicon("the now noon midnight age today tomorrow")
"""What stands behind a ``from`` that tells since when, or from what sum on."""


@lru_cache(maxsize=2048)
def cues_in(reading: Reading) -> tuple[Cue, ...]:
    """All cues in reading order of each kind; one word can give several (``nobody`` negates and quantifies)."""
    lows = reading.lows
    found = quantifiers_in(reading)
    for at, low in enumerate(lows):
        if low not in _TELLING:
            continue
        following = lows[at + 1] if at + 1 < len(lows) else ""
        if low in _NEGATIONS and _negates(reading, at, following):
            found.append(Cue("negation", "not", at, at + 1 + (low == "no" and following == "longer")))
        elif low in HINDERING and "from" in lows[at + 1 : at + 7]:
            found.append(Cue("negation", "not", at, at + 1))
        elif (low == "free" and following in ("of", "from")) or (low == "far" and following == "from"):
            found.extend(_rid_of(lows, at))
        elif (low == "rather" and following == "than") or (low in _RULING and following == "out"):
            found.append(Cue("negation", "not", at, at + 2))
        if is_month(reading, at):
            continue
        found.extend(_modal(lows, at, low, following))
        if low in _HEDGES or (low in _INTENDING and following == "to"):
            found.append(Cue("hedge", "hedge", at, at + 1))
    return tuple(found)


def _rid_of(lows: Sequence[str], at: int) -> list[Cue]:
    """``free of lead``, ``far from certain``; ``far from the coast`` is a distance, ``free from 40 euros`` a limit."""
    behind = lows[at + 2] if at + 2 < len(lows) else ""
    if lows[at + 1] == "from" and (behind in _LIMITS or not behind[:1].isalpha()):
        return []
    if lows[at] == "free" and lows[at + 2 : at + 3] in (["charge"], ["cost"]):
        return []
    if lows[at] == "far" and (at + 2 >= len(lows) or lows[at + 2] in FUNCTION_WORDS):
        return []
    return [Cue("negation", "not", at, at + 2)]


def _negates(reading: Reading, at: int, following: str) -> bool:
    lows = reading.lows
    low, before = lows[at], lows[at - 1] if at else ""
    if low == "no" and (before == "or" or not following[:1].isalpha()):
        return False
    if low == "without" and following == "exception":
        return False
    if low == "not" and before == "or" and (lows[at - 2] == "whether" or following in ("", ",", ".", "the")):
        return False
    if low == "nor":
        return (
            any(clause.first == at for clause in reading.clauses)
            or "neither" not in lows[max(at - 12, 0) : at]
        )
    if low == "against":
        return not _TAKING_SIDES.isdisjoint(lows[max(at - 3, 0) : at])
    if low in _BEFORE_INFINITIVE and following == "to":
        return _begins_verb(lows[at + 2 : at + 3])
    if low in _BEFORE_GERUND and (following == "that" or following.endswith("ing")):
        return True
    if low in _BEFORE_INFINITIVE or low in _BEFORE_GERUND:
        return False
    return following not in _NO_NEGATION.get(low, frozenset())


def _begins_verb(words: Sequence[str]) -> bool:
    """Whether an infinitive can start so: ``declined to sign``, not ``declined to 40``, ``to the ground``."""
    return bool(words) and words[0].isalpha() and (words[0] not in FUNCTION_WORDS or words[0] in _INFINITIVES)


def _modal(lows: list[str], at: int, low: str, following: str) -> list[Cue]:
    if low in _OBLIGING and following == "to":
        return [Cue("modal", "oblige", at, at + 2)]
    if low == "need" and following == "not":
        return [Cue("modal", "oblige", at, at + 1)]
    if low in _BEFORE_NOUNS and following.isalpha() and following not in FUNCTION_WORDS:
        return []
    if low in ("may", "can") and at and lows[at - 1] in ("in", "of", "the", "a"):
        return []
    return [Cue("modal", _MODALS[low], at, at + 1)] if low in _MODALS else []
