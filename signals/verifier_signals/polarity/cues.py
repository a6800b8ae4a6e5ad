"""Cues of a text: words that negate, quantify, oblige, permit or hedge, each at its tokens.

A quantifier comes with the share of things that it speaks of (``most``: more than half). :func:`cues_in` finds all cues
of a reading; one word can give several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import by_word, lexicon
from verifier_signals.polarity.terms import is_month
from verifier_signals.syntax import FUNCTION_WORDS, Reading
from verifier_signals.values.dates import CALENDAR_WORDS
from verifier_signals.values.numerals import NUMBER_WORDS, numeral_at

__all__ = ["FORBIDDING", "HINDERING", "NO_COUNT", "Cue", "Share", "cues_in"]


class Share(NamedTuple):
    """Of how many things a quantifier speaks, as shares in [0, 1] of all of them; both ends are included."""

    low: float
    high: float


class Cue(NamedTuple):
    """One cue: what it is of, what it says there, its first token and one behind its last.

    ``negation``: value ``not``. ``quantifier``: the value is the word that stands for its kind (``all``, ``most``
    ...), ``share`` what it says as the word of a claim, ``told`` what it says as evidence, where ``some`` means not
    all. ``modal``: ``permit oblige must recommend``, after ``-`` when the word itself denies (``forbidden`` is
    ``-permit``). ``hedge``: value ``hedge``.
    """

    kind: str
    value: str
    first: int
    last: int
    share: Share = Share(0.0, 1.0)
    told: Share = Share(0.0, 1.0)

    @property
    def forbids(self) -> bool:
        """Whether it is a modal that denies by itself."""
        return self.kind == "modal" and self.value.startswith("-")


_EPS = 0.001
_HALF = 0.05
"""How far from one half a share may lie that is called one."""
_FEW, _MANY = 0.34, 0.35
_ONE_IN = 100.0
"""The largest count that ``one in ...`` takes a share of; beyond it stand years."""
_KINDS: Mapping[str, tuple[Share, Share]] = {
    "all": (Share(1.0, 1.0), Share(1.0, 1.0)),
    "most": (Share(0.5 + _EPS, 1.0), Share(0.5 + _EPS, 1.0 - _EPS)),
    "many": (Share(_MANY, 1.0), Share(_MANY, 1.0 - _EPS)),
    "half": (Share(0.5 - _HALF, 0.5 + _HALF), Share(0.5 - _HALF, 0.5 + _HALF)),
    "some": (Share(_EPS, 1.0), Share(_EPS, 1.0 - _EPS)),
    "minority": (Share(_EPS, 0.5 - _EPS), Share(_EPS, 0.5 - _EPS)),
    "few": (Share(_EPS, _FEW), Share(_EPS, _FEW)),
    "none": (Share(0.0, 0.0), Share(0.0, 0.0)),
    "notall": (Share(_EPS, 1.0 - _EPS), Share(_EPS, 1.0 - _EPS)),
    "atleastone": (Share(_EPS, 1.0), Share(_EPS, 1.0)),
}
"""Of each kind what it says as the word of a claim, and as evidence. Whoever writes *some* of what holds of all
misleads, so as evidence it means not all; a claim of *some* is borne out by all."""


_WORDS = by_word(
    {
        "all": "all every each everyone everybody everything everywhere always whole entire both invariably",
        "most": "most majority mostly usually generally mainly predominantly",
        "many": "many often numerous frequently",
        "half": "half",
        "some": "some several sometimes certain partly partially someone somebody occasionally part",
        "few": "few handful rarely seldom hardly scarcely barely",
        "minority": "minority",
        "none": "none no nobody neither nowhere",
    }
)
_OPENING = frozenset({"not", "only", "at"})
"""Words that make a quantifier of the ``one`` behind them."""
_OF_ONLY = ("part", "half", "minority", "majority", "certain")
"""Words that count only before ``of`` or behind an article."""
_SHARING = frozenset({"of", "in"})
"""Words without which a number behind no comma is no share."""
_STOPS = frozenset(".;!?")
_NEARLY = lexicon("almost nearly virtually practically")
_ARTICLES = lexicon("the a an its their our his her these those this that")
NO_COUNT = lexicon("""
    longer matter doubt more less fewer later earlier sooner better worse larger other further farther closer nearer
    higher lower greater smaller bigger shorter wider older younger heavier
    """)
"""What follows a ``no`` that counts nothing: ``no further than``."""
_NOT_BEFORE_ALL = lexicon("at after above of first in")
_EXCEPTING = lexicon("all every each everyone everybody everything everywhere")
_EXCEPT = frozenset({"except", "excepting", "excluding"})
_NOTALL = lexicon("all every everyone everybody everything everywhere always both")


def _quantifiers_in(reading: Reading) -> list[Cue]:
    """The quantifiers of a text in reading order."""
    lows = reading.lows
    found: list[Cue] = []
    for at, low in enumerate(lows):
        if low in _WORDS:
            found.extend(_word_quantifier(lows, at))
        elif low[:1].isdecimal() or low in NUMBER_WORDS:
            found.extend(_share_quantifier(reading, lows, at))
        elif low in _OPENING:
            found.extend(_single_quantifier(lows, at))
    return found


def _cue(kind: str, first: int, last: int) -> Cue:
    return Cue("quantifier", kind, first, last, *_KINDS[kind])


def _word_quantifier(lows: Sequence[str], at: int) -> list[Cue]:
    low, kind = lows[at], _WORDS[lows[at]]
    before = lows[at - 1] if at else ""
    following = lows[at + 1] if at + 1 < len(lows) else ""
    if low in _OF_ONLY and not (following == "of" or (low == "certain" and following.isalpha())):
        return []
    if low in ("no", "none", "neither") and not _counts_none(low, before, following):
        return []
    if low in ("hardly", "scarcely", "barely"):
        return [_cue("few", at, at + 2)] if following.startswith("any") or following == "ever" else []
    if kind == "all":
        return _universal_quantifier(lows, at, before, following)
    if low == "most" and (before in ("the", "at") or following.endswith(("ed", "ing"))):
        return []
    if low == "handful":
        return [_cue("few", at - 1, at + 1)] if before == "a" and following == "of" else []
    if low == "few" and before in ("a", "the"):
        return [_cue("few" if lows[at - 2 : at - 1] == ["only"] else "some", at - 1, at + 1)]
    if kind == "none" and before in _NEARLY:
        return [_cue("few", at - 1, at + 1)]
    if low == "half" and before == "than":
        kind = "most" if lows[at - 2 : at - 1] == ["more"] else "minority"
    if kind == "some" and "only" in (before, *lows[max(at - 2, 0) : at - 1]):
        return [_cue("notall", at - 1, at + 1)]
    return [_cue(kind, at, at + 1)]


def _counts_none(low: str, before: str, following: str) -> bool:
    if low == "no":
        return before != "or" and following[:1].isalpha() and following not in NO_COUNT
    return following != "nor"


def _universal_quantifier(lows: Sequence[str], at: int, before: str, following: str) -> list[Cue]:
    low = lows[at]
    if low == "all" and before in _NOT_BEFORE_ALL:
        return []
    if before in ("not", "n't") and low in _NOTALL:
        return [_cue("notall", at - 1, at + 1)]
    if before in _NEARLY:
        return [_cue("most", at - 1, at + 1)]
    end = next((place for place in range(at, len(lows)) if lows[place] in _STOPS), len(lows))
    if low in _EXCEPTING and (
        "but" in lows[at + 1 : min(end, at + 3)] or not _EXCEPT.isdisjoint(lows[at + 1 : end])
    ):
        return [_cue("notall", at, at + 1)]
    if low == "each" and (following == "other" or not following[:1].isalnum()):
        return []
    return [_cue("all", at, at + 1)]


def _single_quantifier(lows: Sequence[str], at: int) -> list[Cue]:
    """``not a single``, ``not one of``, ``only one``, ``at least one``."""
    low, behind = lows[at], lows[at + 1 : at + 3]
    if low == "at":
        return [_cue("atleastone", at, at + 3)] if behind == ["least", "one"] else []
    if behind[:1] == ["one"]:
        return [_cue("none" if low == "not" else "notall", at, at + 2)]
    return [_cue("none", at, at + 3)] if low == "not" and behind == ["a", "single"] else []


def _share_quantifier(reading: Reading, lows: Sequence[str], at: int) -> list[Cue]:
    """``17 of the 19``, ``40% of``, ``two thirds of``, ``of the 19 workers, 17``."""
    if at and (lows[at - 1] in NUMBER_WORDS or lows[at - 1] in ("than", "least", "to", "up")):
        return []
    shares = not _SHARING.isdisjoint(lows[at + 1 : at + 4]) or (at and lows[at - 1] == ",")
    read = numeral_at(reading.text, reading.tokens[at].start) if shares else None
    if read is None:
        return []
    last = at + 1
    while last < len(lows) and reading.tokens[last].start < read.end:
        last += 1
    behind = lows[last : last + 3]
    if behind[:1] in (["%"], ["percent"]) and behind[1:2] == ["of"]:
        return _shared(read.value / 100.0, at, last + 1)
    if read.kind == "fraction" and behind[:1] == ["of"]:
        return _shared(read.value, at, last)
    if behind[:2] == ["out", "of"] or behind[:1] in (["of"], ["in"]):
        begin = last + (2 if behind[0] == "out" else 1)
        begin += begin < len(lows) and lows[begin] in _ARTICLES
        whole = _count_at(reading, lows, begin)
        if behind[0] == "in" and whole > _ONE_IN:
            return []
        return _shared(read.value / whole, at, begin + 1) if 0.0 < read.value < whole else []
    if at and lows[at - 1] == ",":
        opened = next(
            (place for place in range(at - 2, max(at - 10, 0) - 1, -1) if lows[place] == "of"), None
        )
        if opened is not None:
            counts = [_count_at(reading, lows, place) for place in (opened + 1, opened + 2)]
            whole = max(counts)
            return _shared(read.value / whole, at, last) if 0.0 < read.value < whole else []
    return []


def _count_at(reading: Reading, lows: Sequence[str], at: int) -> float:
    """A count of two or more at a token, else 0."""
    if at >= len(lows) or not (lows[at][:1].isdecimal() or lows[at] in NUMBER_WORDS):
        return 0.0
    read = numeral_at(reading.text, reading.tokens[at].start)
    return read.value if read is not None and read.kind == "cardinal" and read.value >= 2.0 else 0.0


def _shared(value: float, first: int, last: int) -> list[Cue]:
    if not 0.0 <= value <= 1.0:
        return []
    share = Share(value, value)
    return [Cue("quantifier", "share", first, last, share, share)]


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
    found = _quantifiers_in(reading)
    for at, low in enumerate(lows):
        if low not in _TELLING:
            continue
        following = lows[at + 1] if at + 1 < len(lows) else ""
        if low in _NEGATIONS and _negates(reading, at, following):
            found.append(Cue("negation", "not", at, at + 1 + (low == "no" and following == "longer")))
        elif low in HINDERING and "from" in lows[at + 1 : at + 7]:
            found.append(Cue("negation", "not", at, at + 1))
        elif (low == "free" and following in ("of", "from")) or (low == "far" and following == "from"):
            found.extend(_is_absence(lows, at))
        elif (low == "rather" and following == "than") or (low in _RULING and following == "out"):
            found.append(Cue("negation", "not", at, at + 2))
        if is_month(reading, at):
            continue
        found.extend(_modal_cue(lows, at, low, following))
        if low in _HEDGES or (low in _INTENDING and following == "to"):
            found.append(Cue("hedge", "hedge", at, at + 1))
    return tuple(found)


def _is_absence(lows: Sequence[str], at: int) -> list[Cue]:
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


def _modal_cue(lows: list[str], at: int, low: str, following: str) -> list[Cue]:
    if low in _OBLIGING and following == "to":
        return [Cue("modal", "oblige", at, at + 2)]
    if low == "need" and following == "not":
        return [Cue("modal", "oblige", at, at + 1)]
    if low in _BEFORE_NOUNS and following.isalpha() and following not in FUNCTION_WORDS:
        return []
    if low in ("may", "can") and at and lows[at - 1] in ("in", "of", "the", "a"):
        return []
    return [Cue("modal", _MODALS[low], at, at + 1)] if low in _MODALS else []
