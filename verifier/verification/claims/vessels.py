"""A statement in; the ship that it names, and whether a sentence with ``she`` speaks of one, out."""

from __future__ import annotations

import re

__all__ = ["is_of_a_vessel", "vessel_in"]

_KIND = (
    r"(?:vessel|ship|ferry|boat|yacht|liner|steamer|barge|schooner|frigate|trawler|tug|cutter|brig|lifeboat)"
)
_NAMED = re.compile(
    rf"\b(?:[Tt]he\s(?:[a-z]+\s)?{_KIND}\s|[Tt]he\s|(?=(?:HMS|SS|MS|MV|RMS|USS)\s))"
    r"(?P<name>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)"
)
"""``The Osprey Bay``, ``the vessel Maren``, ``HMS Beagle``."""
_OF_A_VESSEL = re.compile(
    r"she\s(?:(?:(?:was|is|had\sbeen|has\sbeen)\s(?:re)?(?:built|launched|fitted|converted|christened|moored|wrecked|sunk"
    r"|scrapped|lengthened|rigged)|(?:carries|carried|can\scarry)\s(?:\w+\s){0,2}?(?:\d[\d,.]*|[a-z]+)\s(?:passengers|cars"
    r"|vehicles|people|containers|tons|tonnes|guns|crew)|sails|sailed|sank|displaces|ran\saground))\b",
    re.IGNORECASE,
)
"""What is said of ships and never of people."""


def vessel_in(statement: str) -> str:
    """The one name with an article, or a ship's prefix, in a statement; ``""`` where there is none, or more than one.

    >>> vessel_in("The night route is served by the Grey Heron.")
    'The Grey Heron'
    """
    found = {match[0] for match in _NAMED.finditer(statement)}
    if len({name.removeprefix("The ").removeprefix("the ") for name in found}) != 1:
        return ""
    name = found.pop()
    return name[0].upper() + name[1:]


def is_of_a_vessel(sentence: str) -> bool:
    """Whether ``she`` at the start of a sentence can only be a ship.

    >>> is_of_a_vessel("She was launched in 1911."), is_of_a_vessel("She was born in 1911.")
    (True, False)
    """
    return _OF_A_VESSEL.match(sentence.lstrip()) is not None
