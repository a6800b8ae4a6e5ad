"""An order in time of a claim and the sentences of its evidence in; whether their dates bear it out, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.order import Order
from verifier_signals.ranking.dates import Moment, moment_of
from verifier_signals.ranking.prose import Sides, Spoken
from verifier_signals.ranking.types import Keys, Settled, Shown
from verifier_signals.syntax import BE, read
from verifier_signals.values import Form, Value, ValueText
from verifier_signals.values.fields import fields_of

__all__ = ["ordered"]

_OPEN = frozenset({Form.BELOW, Form.ABOVE})
"""``Before May``: the event itself has no date."""
_LIMIT = lexicon("due deadline payable must")
_LIMITS = lexicon("due deadlin payabl")
"""Stems that say of what is due no more than that."""
_HAS = lexicon("has have had")
_PUT_ON, _HAPPENS = lexicon("hold put stage schedule"), lexicon("happen occur")
"""Verbs, the first in the passive, whose subject is an event, and not who does something."""
_BEGIN = lexicon("begin begins began start starts started commence commences commenced")


class _Dated(NamedTuple):
    """A date of the evidence, and the words that stand nearer to it than to any other date of its sentence."""

    shown: Shown
    moment: Moment
    words: Keys
    limit: bool
    """``By 4 May``: when it is due, and not when it happens."""
    begins: bool
    """``From 4 May``: when it begins, whatever the verb."""


class _Event(NamedTuple):
    """The words of an event, its verb and its names among them, and whether it is the first (-1) or last (1) of its
    kind."""

    words: Keys
    needed: Keys
    nth: int
    limit: bool = False
    """Whether it is the day on which something is due."""
    begins: Keys = frozenset()
    """The verb, where it says no more than that the event begins."""


def ordered(order: Order, claim: str, sentences: Sequence[Spoken]) -> Settled | None:
    """Whether the date that stands with the first event lies before the one that stands with the second; ``None``
    where either has none, or several that do not agree."""
    sides = Sides(claim, sentences)
    on = any(_takes_place(claim, places) for places in order.places)
    one, two = (_event(claim, sides, *pair, on) for pair in zip(order.sides, order.places, strict=True))
    first, second = _filled(one, two, claim, sides, order)
    dated = list(_dated(first.words | second.words, sentences))
    early, late = _best(dated, first, second), _best(dated, second, first)
    ways = {one.moment.order(two.moment) for one in early for two in late}
    if len(ways) != 1 or None in ways or (early and late and _over_new_year(early[0], late[0])):
        return None
    return Settled(ways == {-1}, order.span, early[0].shown, late[0].shown)


def _takes_place(claim: str, places: range) -> bool:
    """Whether a side names what is put on: then so does a side of bare names."""
    reading = read(claim)
    groups = (group for clause in reading.clauses for group in clause.verbs if group.main in places)
    first = next(groups, None)
    if first is None:
        return False
    if first.lemma == "take":
        return reading.lows[first.main + 1 : first.main + 2] == ["place"]
    passive = any(reading.lows[at] in BE for at in range(first.first, first.main))
    return first.lemma in (_PUT_ON if passive else _HAPPENS)


def _event(claim: str, sides: Sides, stems: Keys, places: range, on: bool) -> _Event:
    reading = read(claim)
    mains = [group.main for clause in reading.clauses for group in clause.verbs if group.main in places]
    lows = {reading.tokens[at].word.low for at in places}
    verbs = frozenset(reading.tokens[at].word.stem for at in mains[:1])
    words = sides.events(stems - _LIMITS)
    if words <= sides.named(stems) and not on:  # who or where, and not what happened
        words = frozenset()
    acts = sides.events(verbs) if verbs else frozenset()
    needed = sides.named(stems) | acts
    begins = acts if mains and reading.tokens[mains[0]].word.low in _BEGIN else frozenset()
    has_to = any(
        reading.tokens[at].word.low in _HAS and reading.tokens[at + 1].word.low == "to" for at in places[:-1]
    )
    limit = has_to or not _LIMIT.isdisjoint(lows)
    return _Event(words, needed & words, ("last" in lows) - ("first" in lows), limit, begins)


def _filled(one: _Event, two: _Event, claim: str, sides: Sides, order: Order) -> tuple[_Event, _Event]:
    """``The Alder Bridge opened before the Beech Tunnel (did)``: names without a verb, with all that the other event
    says of its own; then every word of both has to be met."""
    reading = read(claim)
    verbs = {group.main for clause in reading.clauses for group in clause.verbs}
    bare = [
        not event.words
        and not any(at in places and reading.tokens[at].word.low != "did" for at in verbs)
        and sides.named(stems) == sides.events(stems) != frozenset()
        for event, stems, places in zip((one, two), order.sides, order.places, strict=True)
    ]
    if bare[0] == bare[1]:
        return one, two
    whole, stems = (two, order.sides[0]) if bare[0] else (one, order.sides[1])
    deed = whole.words - sides.named(whole.words)
    if deed.isdisjoint(whole.needed):
        return one, two
    words = sides.named(stems) | deed
    filled = _Event(words, words, 0, whole.limit)
    told = whole._replace(needed=whole.words)
    return (filled, told) if bare[0] else (told, filled)


def _dated(words: Keys, sentences: Sequence[Spoken]) -> Iterator[_Dated]:
    for piece, _, text, start in sentences:
        if words.isdisjoint(text.keys):
            continue
        dates = [value for value in text.values if value.start >= start and _tells(value)]
        for value in dates:
            beside = [
                text.near(other)
                for other in dates
                if other is not value and text.sentence(other) == text.sentence(value)
            ]
            own = _before_each(text, value, dates) or frozenset(
                key
                for key, weight in text.near(value).items()
                if all(weight >= near.get(key, 0.0) for near in beside)
            ) - _beyond_semicolons(text, value)
            begins = text.text[: value.core[0]].lower().endswith("from ")
            limit = value.form is Form.AT_MOST
            yield _Dated(Shown(piece, *value.core), moment_of(value), own, limit, begins)


def _before_each(text: ValueText, value: Value, dates: Sequence[Value]) -> Keys:
    """The words between a date and the one before it, where each date of the sentence ends what it dates: ``the sprint
    is on 4 May, the relay on 6 May``, ``*Ash* (4 May) and *Elm* (6 May)``; nothing in other sentences."""
    first, last = text.sentence(value)
    there = [one for one in dates if text.sentence(one) == (first, last)]
    begins = [first, *(one.end for one in there)]
    parts = [
        frozenset(word.key for word in text.words if begin <= word.start < one.start)
        for begin, one in zip(begins, there, strict=False)
    ]
    closed = all(text.text[one.end : last].lstrip(" *_")[:1] in ("", ",", ";", ")", ".") for one in there)
    return parts[there.index(value)] if len(there) > 1 and closed and all(parts) else frozenset()


def _over_new_year(one: _Dated, two: _Dated) -> bool:
    """Whether two dates without a year are told in one text, and in the other order: ``in November and in March``."""
    if one.shown.piece != two.shown.piece or (one.moment.first[0], two.moment.first[0]) != (None, None):
        return False
    return (one.shown.start < two.shown.start) != (one.moment.order(two.moment) == -1)


def _beyond_semicolons(text: ValueText, value: Value) -> Keys:
    """The words of the sentence of a date that stand in another part of it: ``A led it; B followed in 2003``."""
    if fields_of(text.text):
        return frozenset()  # what parts the cells of a row
    first, last = text.sentence(value)
    begin = text.text.rfind(";", first, value.start) + 1 or first
    end = text.text.find(";", value.end, last)
    end = last if end < 0 else end
    inside = {word.key for word in text.words if begin <= word.start < end}
    return frozenset(word.key for word in text.words if first <= word.start < last) - inside


def _tells(value: Value) -> bool:
    clock = any(one.dimension == "clock" for one in value.quantities)
    return bool(value.dates or clock) and value.form not in _OPEN and not value.weak


def _fits(date: _Dated, event: _Event) -> bool:
    """Whether a date stands with the verb and the names of an event, and with most of its words."""
    words = date.words | event.begins if date.begins else date.words
    most = 2 * len(words & event.words) > len(event.words)
    return event.needed <= words and most and (event.limit or not date.limit)


def _best(dated: Sequence[_Dated], event: _Event, other: _Event) -> list[_Dated]:
    """The dates that most words of an event stand with, its verb and names among them, and fewer of the other event."""
    if not event.words or not other.words:
        return []
    fitting = [one for one in dated if _fits(one, event)]
    most = max((len(one.words & event.words) for one in fitting), default=0)
    found = [one for one in fitting if len(one.words & event.words) == most]
    if any(len(one.words & other.words) * len(event.words) >= most * len(other.words) for one in found):
        return []
    ends = [
        one for one in found if all(one is two or one.moment.order(two.moment) == event.nth for two in found)
    ]
    return ends if event.nth and ends else found
