"""A place in a text goes in; whether a causal link is stated, denied or left open there comes out."""

from __future__ import annotations

from enum import Enum

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.cue import Cue
from verifier_signals.polarity.statements import KNOWING
from verifier_signals.syntax import BE, Reading

__all__ = ["Told", "base_at", "low_at", "spells", "told_of", "without_sides"]

_TIES = lexicon("link connection relationship cause reason source causes reasons effect influence why")
"""Nouns by which a sentence speaks of a causal link without telling its sides."""
_UNSURE = frozenset(
    {"open", "unclear", "unknown", "unsettled", "unresolved", "undecided", "unproven", "unexplained"}
)
_UNSETTLED = lexicon("""
    stud studi test decid settl separ claim judg investig examin trace attribut assess clear clarifi explain design
    """)
"""More stems of finding out, beside those of showing and knowing."""
_DISPUTE = lexicon("disagree disagrees disagreed dispute disputes disputed debate debated divided")
_TOGETHER = lexicon(
    "correlated correlates correlate correlation associated association coincided coincides coincide"
)
_SUPPOSING = lexicon("""
    suspect suspects suspected assume assumes assumed guess suppose supposed theory hypothesis speculated rumour believe
    believes believed think thinks thought
    """)
_CONDITIONAL = frozenset({"whether", "if", "unless"})
_MODALS = frozenset({"may", "might", "could"})
_OTHERWISE = (("rule", "out"), ("nothing", "to", "do", "with"), ("unrelated", "to"), ("independent", "of"))
"""Phrases that deny a link, their verbs by the base form."""
_UNTRUE = frozenset({"false", "untrue", "myth", "unfounded", "baseless"})


class Told(Enum):
    """What a text says of a link."""

    STATED = "stated"
    DENIED = "denied"
    OPEN = "open"


def low_at(reading: Reading, at: int) -> str:
    """The folded form of a token; empty beyond the text."""
    return reading.lows[at] if 0 <= at < len(reading.lows) else ""


def base_at(reading: Reading, at: int) -> str:
    """The base form of a token where it can be a verb, else its folded form."""
    low = low_at(reading, at)
    if low in BE:
        return "be"
    verb = reading.tokens[at].word.verb if low else None
    return low if verb is None else verb.lemma


def spells(reading: Reading, at: int, words: tuple[str, ...]) -> bool:
    """Whether some words stand from a token on, each in this form or as a verb's base form."""
    for place, word in enumerate(words, at):
        if word != low_at(reading, place) and word != base_at(reading, place):
            return False
    return True


def told_of(reading: Reading, unit: range, first: int, last: int, cues: tuple[Cue, ...]) -> Told:
    """What a sentence says of the link that its tokens ``first`` up to ``last`` make."""
    if _in_doubt(reading, unit, first, last, cues):
        return Told.OPEN
    near = range(max(first - 3, unit.start), last)
    denied = any(cue.kind == "negation" and cue.first in near for cue in cues)
    own = any(low_at(reading, at) in (",", "because") for at in range(near.start, first))
    return Told.DENIED if denied and not own else Told.STATED


def _in_doubt(reading: Reading, unit: range, first: int, last: int, cues: tuple[Cue, ...]) -> bool:
    """Whether the words of a link stand under a question, a reserve, or a denial that one knows."""
    if low_at(reading, unit.stop - 1) == "?":
        return True
    lows = {low_at(reading, at) for at in range(unit.start, last)}
    if not lows.isdisjoint(_CONDITIONAL | _SUPPOSING | _DISPUTE | _UNSURE):
        return True
    for cue in cues:
        if cue.first not in unit or cue.first >= last or low_at(reading, cue.first - 1) in ("than", "as"):
            continue
        near = first - cue.last <= 3 or cue.first >= first
        if cue.kind == "hedge" and (near or low_at(reading, cue.first) not in _MODALS):
            return True
        if cue.kind == "negation" and _knowing(reading, range(cue.last, first)):
            return True
    return False


def _knowing(reading: Reading, span: range) -> bool:
    return any(reading.tokens[at].word.stem in KNOWING | _UNSETTLED for at in span)


def without_sides(reading: Reading, unit: range, cues: tuple[Cue, ...]) -> tuple[Told, int] | None:
    """A sentence that leaves some link open or denies one, and where: ``No link has been established``."""
    denials = [cue for cue in cues if cue.kind == "negation" and cue.first in unit]
    for at in unit:
        low, base = low_at(reading, at), base_at(reading, at)
        if any(words[0] in (low, base) and spells(reading, at, words) for words in _OTHERWISE):
            return (Told.OPEN if denials and low != "nothing" else Told.DENIED), at
        if low in _UNTRUE and not denials:
            return Told.DENIED, at
        if low in _TOGETHER:
            return Told.OPEN, at
        if low in _SUPPOSING and any(_knowing(reading, range(cue.last, unit.stop)) for cue in denials):
            return Told.OPEN, at
        if low in _TIES or low == "whether":
            doubted = denials and (_knowing(reading, unit) or low_at(reading, denials[0].first) == "without")
            if doubted or any(low_at(reading, n) in _UNSURE | _DISPUTE for n in unit):
                return Told.OPEN, at
    return None
