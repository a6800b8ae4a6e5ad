"""Two names go in, whether one can deny the other comes out: not a name and its part, nor Ohio and a town of Ohio."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import OSA

from verifier.core.lexicon import lexicon
from verifier_signals.names.alias import APART, comparable
from verifier_signals.names.known import renamed, thing_named
from verifier_signals.names.types import Name

__all__ = ["can_be_rivals", "may_be_one"]

_REGIONS = frozenset({"Africa", "Asia", "Europe", "European Union", "Scandinavia"})
_PARTS = frozenset({"England", "Scotland", "Wales", "Bavaria", "Catalonia", "Flanders", "Sicily", "Tuscany"})
_CITIES = frozenset(
    {"Athens", "Florence", "Geneva", "Genoa", "London", "Milan", "Moscow", "Naples", "New York City", "Paris"}
    | {"Rome", "Venice", "Vienna"}
)
"""Places with a people of their own that are no countries."""
_CONTINENTS = lexicon("""
    north_america south_america latin_america central_america oceania antarctica middle_east southeast_asia
    east_asia south_asia west_africa east_africa eastern_europe western_europe central_europe new_england
    """)
_STATES = lexicon("""
    alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho illinois indiana
    iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana
    nebraska nevada new_hampshire new_jersey new_mexico north_carolina north_dakota ohio oklahoma oregon
    pennsylvania rhode_island south_carolina south_dakota tennessee texas utah vermont virginia west_virginia
    wisconsin wyoming
    """)
_SLIP_LETTERS = 5
"""From this length on a name with one wrong letter is no rival; whether it is the same one stays open."""
_SHORTENED = 3
"""So many letters of a given name may stand for it: ``Zac``, ``Zachary``."""


@lru_cache(maxsize=16384)
def can_be_rivals(name: Name, rival: Name) -> bool:
    """Whether what a text says of ``rival`` can deny what another says of ``name``.

    They must be of one sort and, if they are well-known places, of one size: who was born in Ohio may be born in Elm.
    A name that has all words of the other, or but for a letter, may well be the same.
    """
    if not comparable(name, rival) or _size_of(name) != _size_of(rival):
        return False
    return not may_be_one(name, rival)


@lru_cache(maxsize=16384)
def _size_of(name: Name) -> str:
    """How large a place a name stands for, empty for all that is no well-known one."""
    joined = "_".join(name.words)
    if joined in _CONTINENTS:
        return "region"
    if joined in _STATES:
        return "part"
    thing = thing_named(name.words)
    if thing is None or thing in _CITIES:
        return ""
    if thing in _REGIONS:
        return "region"
    if thing in _PARTS:
        return "part"
    return ""


@lru_cache(maxsize=16384)
def may_be_one(name: Name, rival: Name) -> bool:
    """Whether two names have all words of the shorter one in common, or but for a letter: ``Ada Orr``, ``Ada``."""
    ours, theirs = renamed(name.words), renamed(rival.words)
    short, long = sorted((ours, theirs), key=len)
    left = list(long)
    for word in short:
        other = next((some for some in left if _alike(word, some, short)), None)
        if other is None:
            return False
        left.remove(other)
    return not left or not APART.issuperset(left)


def _alike(first: str, second: str, words: tuple[str, ...]) -> bool:
    """Whether two words may be one: with a slip, or shortened before a surname."""
    if first == second:
        return True
    if not (first.isalpha() and second.isalpha()):
        return first.replace("-", "").replace(".", "") == second.replace("-", "").replace(".", "")
    shorter, longer = sorted((first, second), key=len)
    if len(shorter) >= _SLIP_LETTERS and OSA.distance(first, second, score_cutoff=1) <= 1:
        return True
    return len(words) > 1 and len(shorter) >= _SHORTENED and longer.startswith(shorter)
