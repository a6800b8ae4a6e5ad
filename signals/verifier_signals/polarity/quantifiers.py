"""Folded words go in, the quantifiers among them come out, each with the share of things that it speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verifier.core.lexicon import by_word, lexicon
from verifier_signals.polarity.cue import Cue, Share
from verifier_signals.syntax import Reading
from verifier_signals.values.numerals import NUMBER_WORDS, numeral_at

__all__ = ["NO_COUNT", "quantifiers_in"]

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


def quantifiers_in(reading: Reading) -> list[Cue]:
    """The quantifiers of a text in reading order."""
    lows = reading.lows
    found: list[Cue] = []
    for at, low in enumerate(lows):
        if low in _WORDS:
            found.extend(_of_word(lows, at))
        elif low[:1].isdecimal() or low in NUMBER_WORDS:
            found.extend(_of_number(reading, lows, at))
        elif low in _OPENING:
            found.extend(_of_one(lows, at))
    return found


def _cue(kind: str, first: int, last: int) -> Cue:
    return Cue("quantifier", kind, first, last, *_KINDS[kind])


def _of_word(lows: Sequence[str], at: int) -> list[Cue]:
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
        return _of_all(lows, at, before, following)
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


def _of_all(lows: Sequence[str], at: int, before: str, following: str) -> list[Cue]:
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


def _of_one(lows: Sequence[str], at: int) -> list[Cue]:
    """``not a single``, ``not one of``, ``only one``, ``at least one``."""
    low, behind = lows[at], lows[at + 1 : at + 3]
    if low == "at":
        return [_cue("atleastone", at, at + 3)] if behind == ["least", "one"] else []
    if behind[:1] == ["one"]:
        return [_cue("none" if low == "not" else "notall", at, at + 2)]
    return [_cue("none", at, at + 3)] if low == "not" and behind == ["a", "single"] else []


def _of_number(reading: Reading, lows: Sequence[str], at: int) -> list[Cue]:
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
        whole = _whole(reading, lows, begin)
        if behind[0] == "in" and whole > _ONE_IN:
            return []
        return _shared(read.value / whole, at, begin + 1) if 0.0 < read.value < whole else []
    if at and lows[at - 1] == ",":
        opened = next(
            (place for place in range(at - 2, max(at - 10, 0) - 1, -1) if lows[place] == "of"), None
        )
        if opened is not None:
            counts = [_whole(reading, lows, place) for place in (opened + 1, opened + 2)]
            whole = max(counts)
            return _shared(read.value / whole, at, last) if 0.0 < read.value < whole else []
    return []


def _whole(reading: Reading, lows: Sequence[str], at: int) -> float:
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
