"""Role clashes: roles of the claim's events that the premise fills with others, or crosswise.

Beside events, two further exchanges are found here: routes that run the other way (``from A to B``), and two stretches
of a sentence that the claim repeats otherwise.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.names import Finder, Name, can_be_rivals, is_alias, names_in
from verifier_signals.repeated import ANY_REPEATED, Gap, gaps_in, stems_of
from verifier_signals.roles.events import events_in, possible_event_kinds
from verifier_signals.roles.fillers import Event, Filler
from verifier_signals.stems import word_key
from verifier_signals.syntax import Reading, read
from verifier_signals.types import Span

__all__ = ["RoleClash", "comparable_kinds", "fills_alike", "role_clashes"]

_TO = lexicon("to into onto")
_BOTH_WAYS = re.compile(
    r"\b(?:distance|way|road|route|line|path|trail|journey|trip|ride|walk|drive|flight|crossing|ferry|ferries|bus|buses"
    r"|trains?|trams?|boats?|sail(?:s|ed)?|runs?|ran|leads?|goes|went|km|kilometres?|miles?|back|both ways|"
    r"each way|return)\b",
    re.IGNORECASE,
)
"""What is true of both directions, or tells of a way that goes back."""
_ROUTE_STOPS = lexicon(". ; : , ( ) and or but which who that when while because by on at for with in until")
_LONGEST = 6
"""Tokens between ``from`` and ``to``, and behind ``to``."""


class Route(NamedTuple):
    """Two ends, as the words of each, at characters ``start`` to ``end``; ``by`` are the words that lead into them."""

    origin: frozenset[str]
    goal: frozenset[str]
    by: frozenset[str]
    start: int
    end: int


def _reversed_routes(claim: str, premise: str) -> list[tuple[Span, Span]]:
    """The spans of the directions that the premise states the other way round, on both sides.

    None where it states one of them as the claim does, too, or where the claim tells of a way, that leads back as well.
    """
    ours = _routes_in(claim)
    if not ours or _BOTH_WAYS.search(claim):
        return []
    told = _routes_in(premise)
    if any(
        _ends_alike(one.origin, other.origin) and _ends_alike(one.goal, other.goal)
        for one in ours
        for other in told
    ):
        return []
    return [
        ((one.start, one.end), (other.start, other.end))
        for one in ours
        for other in told
        if _ends_alike(one.origin, other.goal) and _ends_alike(one.goal, other.origin) and one.by & other.by
    ]


@lru_cache(maxsize=2048)
def _routes_in(text: str) -> tuple[Route, ...]:
    """The directions of a text: ``from Riga to Oslo``, ``out of the lake into the canal``.

    >>> [(sorted(one.origin), sorted(one.goal)) for one in _routes_in("It was moved from Riga to Oslo.")]
    [(['riga'], ['oslo'])]
    """
    reading = read(text)
    return tuple(_routes(reading)) if "from" in reading.places else ()


def _routes(reading: Reading) -> Iterator[Route]:
    for at in reading.places["from"]:
        to = _end_within_reach(reading, at, at + 1, _TO)
        if to is None:
            continue
        end = _end(reading, to + 1)
        origin, goal = _end_words(reading, range(at + 1, to)), _end_words(reading, range(to + 1, end))
        by = _end_words(reading, range(max(at - _LONGEST, 0), at))
        if origin and goal and not origin & goal:
            yield Route(origin, goal, by, reading.tokens[at].start, reading.tokens[end - 1].end)


def _end_within_reach(reading: Reading, at: int, first: int, wanted: frozenset[str]) -> int | None:
    for place in range(first + 1, min(first + _LONGEST, len(reading.tokens))):
        low = reading.tokens[place].word.low
        if low in wanted and reading.sentences[place] == reading.sentences[at]:
            return place
        if low in _ROUTE_STOPS:
            return None
    return None


def _end(reading: Reading, first: int) -> int:
    last = min(first + _LONGEST, len(reading.tokens))
    stops = (place for place in range(first, last) if reading.tokens[place].word.low in _ROUTE_STOPS)
    return next(stops, last)


def _end_words(reading: Reading, places: range) -> frozenset[str]:
    found = set()
    for at in places:
        word = reading.tokens[at].word
        if not (word.punct or word.function):
            found.add(word_key(word.low) or word.low)
    return frozenset(found)


def _ends_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


def _exchanged_words(claim: str, premise: str) -> list[tuple[Span, Span]]:
    """The spans of the first of two stretches that a claim has exchanged in a sentence that it repeats otherwise.

    ``Fires are forbidden from April on and unwise before`` against ``unwise from April on and forbidden before``. Not
    in a series (``maps and books``), where the order says nothing, nor where another word stands in the place of one:
    ``A costs half as much as B`` is ``B costs twice as much as A``.
    """
    gaps = gaps_in(claim, premise, least_repeated=ANY_REPEATED)
    if len(gaps) < 2:
        return []
    for one, two in itertools.combinations(gaps, 2):
        others = (gap for gap in gaps if gap not in (one, two))
        if _changed_places(one, two) and not any(
            stems_of(gap.ours) and stems_of(gap.theirs) for gap in others
        ):
            return [((one.ours[0].start, one.ours[-1].end), (one.theirs[0].start, one.theirs[-1].end))]
    return []


def _changed_places(one: Gap, two: Gap) -> bool:
    mine, other = stems_of(one.ours), stems_of(one.theirs)
    second, first = stems_of(two.ours), stems_of(two.theirs)
    crossed = mine & first and other & second and mine.isdisjoint(other) and second.isdisjoint(first)
    replaced = (mine - first and other - second) or (second - other and first - mine)
    return bool(crossed) and not replaced and two.behind - one.behind > 1


_GIVING_ROLES = {
    "transfer": {"giver": "giver", "taker": "taker", "thing": "thing"},
    "loan": {"lender": "giver", "borrower": "taker", "thing": "thing"},
    "supply": {"supplier": "giver", "receiver": "taker", "supplied": "thing"},
    "award": {"giver": "giver", "receiver": "taker", "award": "thing"},
    "trade": {"seller": "giver", "buyer": "taker", "goods": "thing"},
}
"""Kinds of events by which something passes from one to another."""
_OPPOSITE_ROLES = (
    ("giver", "taker", "thing"),
    ("taker", "giver", "thing"),
    ("landlord", "tenant", "leased"),
    ("tenant", "landlord", "leased"),
    ("teacher", "pupil", "subject"),
    ("pupil", "teacher", "subject"),
)
"""A role, the one across that the same party does not fill, and what lies between them."""
_YEAR_DIGITS = 4
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_DENIES = re.compile(r"\b(?:not|never|no|nobody|nothing|without|neither)\b|n['’]t\b", re.IGNORECASE)


class RoleClash(NamedTuple):
    """A filler of the claim where the premise has another one. ``swapped``: the premise has both, crosswise."""

    claim: Filler
    evidence: Filler
    swapped: bool


def role_clashes(claim: str, premise: str, find: Finder = names_in) -> list[RoleClash]:
    """What the premise's telling of the same events contradicts.

    An event of the claim that any event of the premise bears out clashes with none. Roles that only one side
    fills are not compared.
    """
    found: list[RoleClash] = []
    for ours in events_in(claim, find):
        kinds = comparable_kinds(ours.kind)
        if kinds.isdisjoint(possible_event_kinds(premise)):
            continue
        same = [theirs for theirs in events_in(premise, find) if theirs.kind in kinds]
        sided = _is_told_from_one_side(ours, claim, premise)
        clash = None
        for theirs in same:
            across = _on_other_side(ours, theirs) if sided else None
            if across is None and _bears_out(ours, theirs):
                clash = None
                break
            clash = clash or _event_clashes(ours, theirs, same) or across
        if clash is not None:
            found.append(clash)
    crossed = _reversed_routes(claim, premise) or _exchanged_words(claim, premise)
    found += [
        RoleClash(Filler(None, "", *ours), Filler(None, "", *other), swapped=True) for ours, other in crossed
    ]
    return found


def comparable_kinds(kind: str) -> frozenset[str]:
    """The kinds of events that may tell of the same as one of that kind."""
    return frozenset(_GIVING_ROLES) if kind in _GIVING_ROLES else frozenset({kind})


def fills_alike(ours: Event, theirs: Event) -> bool:
    """Whether an event has every role of the claim's filled by the same."""
    if theirs.kind not in comparable_kinds(ours.kind):
        return False
    if ours.kind != theirs.kind:
        ours, theirs = _as_giving(ours), _as_giving(theirs)
    return all(role in theirs.roles and _fill_alike(ours, theirs, role) for role in ours.roles)


def _event_clashes(ours: Event, theirs: Event, told: Sequence[Event]) -> RoleClash | None:
    """What an event contradicts; of another kind of giving it only contradicts who gives and who gets."""
    if ours.kind == theirs.kind:
        return _swapped_roles(ours, theirs, told) or _other_filler(ours, theirs)
    mine, other = _as_giving(ours), _as_giving(theirs)
    return _swapped_roles(mine, other, [_as_giving(one) for one in told])


def _as_giving(event: Event) -> Event:
    """The event with one name for who gives, what, and who gets it."""
    return Event(
        "giving", {_GIVING_ROLES[event.kind].get(role, role): who for role, who in event.roles.items()}, 0, 0
    )


def _shared(ours: Event, theirs: Event) -> list[str]:
    return [role for role in ours.roles if role in theirs.roles]


def _bears_out(ours: Event, theirs: Event) -> bool:
    shared = _shared(ours, theirs)
    return bool(shared) and all(_fill_alike(ours, theirs, role) for role in shared)


def _is_told_from_one_side(ours: Event, claim: str, premise: str) -> bool:
    """Whether the premise has no word for the claim's deed, denies nothing and knows of no less time than the claim:
    one may buy a mill, and sell it years later."""
    verbs = {token.word.stem for token in read(claim).tokens if ours.start <= token.start < ours.end}
    return (
        verbs.isdisjoint(read(premise).stems)
        and set(_YEAR.findall(claim)) <= set(_YEAR.findall(premise))
        and not _DENIES.search(claim)
        and not _DENIES.search(premise)
    )


def _on_other_side(ours: Event, theirs: Event) -> RoleClash | None:
    """One party on the other side of the same thing (``A sold the mill``, where ``A bought the mill``).

    None where the claim names the one on the side that is left, unless the thing has a name: what is borrowed from one
    may be lent to another.
    """
    if ours.kind in _GIVING_ROLES and theirs.kind in _GIVING_ROLES:
        ours, theirs = _as_giving(ours), _as_giving(theirs)
    for one, other, thing in _OPPOSITE_ROLES:
        if (
            one not in ours.roles
            or other not in theirs.roles
            or (other in ours.roles and one in theirs.roles)
        ):
            continue
        if not {thing} <= ours.roles.keys() & theirs.roles.keys() or not _fill_alike(ours, theirs, thing):
            continue
        if other in ours.roles and not any(filler.name for filler in ours.roles[thing]):
            continue
        pair = _matching_fillers(ours.roles[one][:1], theirs.roles[other][:1])
        if pair is not None:
            return RoleClash(*pair, swapped=True)
    return None


def _swapped_roles(ours: Event, theirs: Event, told: Sequence[Event]) -> RoleClash | None:
    """Two roles filled crosswise. A third one that is filled by something else tells of another event, and so does any
    where the premise tells the like the same way round, too (``A pays B rent, and B pays A interest``)."""
    for first in ours.roles:
        for second in theirs.roles:
            if first == second or first not in theirs.roles or second not in ours.roles:
                continue
            if not _of_one_matter(ours, theirs, told, {first, second}):
                continue
            if _fill_alike(ours, theirs, first) or _fill_alike(ours, theirs, second):
                continue
            here = _matching_fillers(ours.roles[first], theirs.roles[second])
            there = _matching_fillers(ours.roles[second], theirs.roles[first])
            if here is not None and there is not None:
                return RoleClash(here[0], there[1], swapped=True)
    return None


def _of_one_matter(ours: Event, theirs: Event, told: Sequence[Event], crossed: set[str]) -> bool:
    further = [role for role in _shared(ours, theirs) if role not in crossed]
    alike = [role for role in further if _fill_alike(ours, theirs, role)]
    if any(_are_things(ours, theirs, role) for role in further if role not in alike):
        return False
    straight = any(
        crossed <= one.roles.keys() and all(_fill_alike(ours, one, role) for role in crossed) for one in told
    )
    return bool(alike) or not straight


def _are_things(ours: Event, theirs: Event, role: str) -> bool:
    """Whether no name fills a role on either side: what a name stands for may be told by any word."""
    return not any(filler.name for filler in (*ours.roles[role], *theirs.roles[role]))


def _other_filler(ours: Event, theirs: Event) -> RoleClash | None:
    """One role filled by another name while another role, a name or a thing, is filled alike.

    Alike is judged by the head: ``the towers of the bridge`` are not the bridge.
    """
    shared = _shared(ours, theirs)
    alike = [role for role in shared if _share_filler(ours.roles[role][:1], theirs.roles[role])]
    unlike = [role for role in shared if role not in alike]
    if not alike or len(unlike) != 1:
        return None
    if {item.head for item in ours.roles[unlike[0]]} & {item.head for item in theirs.roles[unlike[0]]}:
        return None  # a name beside the same thing: ``voting in the EU``
    for claim in ours.roles[unlike[0]]:
        for evidence in theirs.roles[unlike[0]]:
            if claim.name and evidence.name and can_be_rivals(claim.name, evidence.name):
                return RoleClash(claim, evidence, swapped=False)
    return None


def _fill_alike(ours: Event, theirs: Event, role: str) -> bool:
    """Whether the same thing fills a role, judged by its head: a time or a phrase behind it fills none."""
    return _share_filler(ours.roles[role][:1], theirs.roles[role][:1])


def _share_filler(ours: Sequence[Filler], theirs: Sequence[Filler]) -> bool:
    return _matching_fillers(ours, theirs) is not None


def _matching_fillers(ours: Sequence[Filler], theirs: Sequence[Filler]) -> tuple[Filler, Filler] | None:
    """Fillers that are the same; where both sides have names only these count (``firm of A``, ``firm of B``)."""
    named = any(filler.name for filler in ours) and any(filler.name for filler in theirs)
    for claim in ours:
        for evidence in theirs:
            if named and not (claim.name and evidence.name):
                continue
            if _is_same_filler(claim, evidence):
                return claim, evidence
    return None


def _is_same_filler(claim: Filler, evidence: Filler) -> bool:
    if claim.name is not None and evidence.name is not None:
        return is_alias(claim.name, evidence.name) or _without_year(claim.name) == _without_year(
            evidence.name
        )
    if claim.name is None and evidence.name is None:
        return claim.head == evidence.head
    name, head = (claim.name, evidence.head) if claim.name else (evidence.name, claim.head)
    return name is not None and any(word.startswith(head) for word in name.words)


def _without_year(name: Name) -> tuple[str, ...]:
    """A prize and the prize of a year (``Kestrel Prize 2023``) are one where only one of them tells the year."""
    return tuple(word for word in name.words if not (len(word) == _YEAR_DIGITS and word.isdecimal()))
