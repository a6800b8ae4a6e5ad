"""Comparisons and temporal orders settled by figures and dates that stand in sentences.

A figure belongs to the side whose words stand nearest to it, a date to the event whose words do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import common_words
from verifier_signals.polarity.temporal_order import TemporalOrder
from verifier_signals.ranking.table_figures import (
    OF_ANYTHING,
    TimeSpan,
    compare_values,
    sign_of,
    time_span_of,
)
from verifier_signals.ranking.tables import years_in
from verifier_signals.ranking.types import ComparisonQuery, Keys, LookupResult, ShownValue
from verifier_signals.stems import content_words
from verifier_signals.syntax import BE, Reading, read
from verifier_signals.values import Form, Value, ValueText, values_of
from verifier_signals.values.fields import fields_of

__all__ = ["EvidenceSentence", "sentence_parts", "settle_in_prose", "settle_order"]

_LIGHT = lexicon(
    "go hold come becom get take make put have do be alreadi first last place happen occur ahead time"
)
"""Stems that say of no event which one it is."""


class EvidenceSentence(NamedTuple):
    """A sentence of the evidence: its number among the pieces, its headings, and itself, with where it begins."""

    piece: int
    headings: Keys
    text: ValueText
    start: int


class _SentenceFigure(NamedTuple):
    """A figure of a sentence with the words that stand near it, and those that say what it counts."""

    piece: int
    quote: str
    value: Value
    near: dict[str, float]
    head: Keys

    @property
    def shown(self) -> ShownValue:
        """Where it stands."""
        return ShownValue(self.piece, *self.value.core)

    def nearness(self, names: Keys) -> float:
        """How near a side stands, in [0, 1]; 0 where one of its words is not in the sentence."""
        return min((self.near.get(name, 0.0) for name in names), default=0.0)


def settle_in_prose(
    asked: ComparisonQuery, claim: str, sentences: Sequence[EvidenceSentence]
) -> LookupResult | None:
    """Whether the figure that stands with the left side lies beyond the one that stands with the right.

    A side is called by its words that no heading has, or else by its names, whether a heading has them or not.
    """
    named = _SideKeys(claim, sentences)
    measured = named.all(asked.measured or (asked.left & asked.plain if _of_anything(asked) else frozenset()))
    counted = named.all(asked.right)
    sides = named.of(asked.left), named.of(asked.right)
    called = named.called(asked.left), named.called(asked.right)
    words = frozenset[str]().union(*sides, *called, measured, counted)
    figures = list(_figures_with(asked, words, sentences))
    pair = _counts_of_one_sentence(figures, measured, counted)
    fitting = [] if pair else _figures_measured(asked, figures, measured)
    for left, right in (sides, called) if not pair else ():
        if left and right:
            left, right = _as_called(left, fitting, claim), _as_called(right, fitting, claim)
            pair = pair or _both(_nearest_figure(fitting, left, right), _nearest_figure(fitting, right, left))
    if pair is None or pair[0].value is pair[1].value:
        return None
    ours, theirs = pair
    way = compare_values(asked, ours.value, theirs.value)
    return None if way is None else LookupResult(way == 1, asked.span, ours.shown, theirs.shown)


def _both(
    ours: _SentenceFigure | None, theirs: _SentenceFigure | None
) -> tuple[_SentenceFigure, _SentenceFigure] | None:
    return None if ours is None or theirs is None else (ours, theirs)


class _SideKeys:
    """The words of a claim as they are keyed near values, apart from those that headings of the evidence have."""

    def __init__(self, claim: str, sentences: Sequence[EvidenceSentence]) -> None:
        reading = read(claim)
        keys = {word.start: word.key for word in content_words(claim)}
        self._keys = [
            (token.word.stem, keys[token.start], _is_name(reading, at))
            for at, token in enumerate(reading.tokens)
            if token.start in keys
        ]
        self._headings = frozenset[str]().union(*(one.headings for one in sentences))

    def all(self, side: Keys) -> Keys:
        """Every word of a side."""
        return frozenset(key for stem, key, _ in self._keys if not side.isdisjoint((stem, key)))

    def events(self, side: Keys) -> Keys:
        """What happens or is done, without the words of headings, which every event of the document shares."""
        found = self.all(side - _LIGHT)
        return (found - self._headings) or found

    def named(self, side: Keys) -> Keys:
        """The words of a side with a capital inside a sentence, without those of headings."""
        return (
            frozenset(key for stem, key, name in self._keys if not side.isdisjoint((stem, key)) and name)
            - self._headings
        )

    def of(self, side: Keys) -> Keys:
        """What names a side: its words with a capital, where it has any, without those of headings, and no years."""
        mine = [one for one in self._keys if not side.isdisjoint(one[:2])]
        own = [one for one in mine if one[1] not in self._headings] or mine
        named = [one for one in own if one[2]] or own
        found = frozenset(key for _, key, _ in named)
        return found - years_in(found)

    def called(self, side: Keys) -> Keys:
        """The names of a side, with those of headings."""
        return frozenset(key for stem, key, name in self._keys if not side.isdisjoint((stem, key)) and name)


def _is_name(reading: Reading, at: int) -> bool:
    """A capital names, but for that of an ordinary word at the head of a sentence, with no other capital behind it."""
    word = reading.tokens[at].word
    if at not in reading.heads or not word.capital:
        return word.capital
    follows = at + 1 < len(reading.tokens) and reading.tokens[at + 1].word.capital
    return follows or word.low not in common_words()


def _figures_with(
    asked: ComparisonQuery, words: Keys, sentences: Sequence[EvidenceSentence]
) -> Iterator[_SentenceFigure]:
    """The figures of the sentences that have any of those words, unless they belong to another year."""
    years = years_in(asked.about)
    for piece, _, text, start in sentences:
        if not text.values or words.isdisjoint(text.keys):
            continue
        for value in text.values:
            if value.weak or value.start < start or (value.dates and sign_of(asked, value) is None):
                continue
            near = dict(text.near(value))
            other = years_in(frozenset(near))
            if not (years and other and not years & other):
                yield _SentenceFigure(piece, text.text[slice(*value.core)], value, near, text.head(value))


def _figures_measured(
    asked: ComparisonQuery, figures: Sequence[_SentenceFigure], measured: Keys
) -> list[_SentenceFigure]:
    """The figures of what is compared: where any count that, or stand nearest to it in their sentence, no others."""
    fitting = [one for one in figures if _measures(asked, one, measured)]
    if not measured or not _of_anything(asked):
        return fitting
    heads = [one for one in fitting if measured & one.head]
    if heads:
        return heads
    most: dict[int, float] = {}
    for one in fitting:
        most[one.piece] = max(one.nearness(measured), most.get(one.piece, 0.0))
    return [one for one in fitting if one.nearness(measured) == most[one.piece]]


def _measures(asked: ComparisonQuery, figure: _SentenceFigure, measured: Keys) -> bool:
    """Whether a figure counts what the claim does, or has a dimension of the scale."""
    if figure.value.kind == "number" and measured:
        return bool(measured & figure.head) or (not figure.head and measured <= figure.near.keys())
    if sign_of(asked, figure.value) is not None:
        return True
    called = _of_anything(asked) and bool(measured) and not figure.value.dates
    return called and measured <= figure.near.keys()


def _of_anything(asked: ComparisonQuery) -> bool:
    """Whether any figure can be more of what is compared (``a higher profit``)."""
    return asked.scales[0][0] in OF_ANYTHING


def _counts_of_one_sentence(
    figures: Sequence[_SentenceFigure], measured: Keys, counted: Keys
) -> tuple[_SentenceFigure, _SentenceFigure] | None:
    """The two counts of one sentence where a claim sets two sorts of things against each other (``more cars than
    lorries``)."""
    ours = [one for one in figures if measured and measured & one.head]
    theirs = [one for one in figures if counted & one.head]
    if len(ours) == len(theirs) == 1 and ours[0].piece == theirs[0].piece:
        return ours[0], theirs[0]
    return None


def _as_called(side: Keys, figures: Sequence[_SentenceFigure], claim: str) -> Keys:
    """A name by its first word, where no sentence with a figure has all of it (``Orla`` for ``Orla Ferries``)."""
    if len(side) < 2 or any(one.nearness(side) for one in figures):
        return side
    first = next((word.key for word in content_words(claim) if word.key in side), "")
    capital = any(word.key == first and claim[word.start].isupper() for word in content_words(claim))
    return frozenset({first}) if capital and any(first in one.near for one in figures) else side


def _nearest_figure(figures: Sequence[_SentenceFigure], side: Keys, other: Keys) -> _SentenceFigure | None:
    """The figure that all the words of a side stand nearest to, and nearer than those of the other side."""
    ranked = sorted(figures, key=lambda one: -one.nearness(side))
    if not ranked or ranked[0].nearness(side) <= ranked[0].nearness(other):
        return None
    level = [one for one in ranked if one.nearness(side) == ranked[0].nearness(side)]
    return level[0] if len({one.quote for one in level}) == 1 else None


@lru_cache(maxsize=1024)
def sentence_parts(text: str, start: int) -> tuple[Keys, ValueText, int]:
    """The headings in front of a sentence, as keys, the whole text with its values, and where the sentence begins."""
    return frozenset(word.key for word in content_words(text[:start])), values_of(text), start


_OPEN = frozenset({Form.BELOW, Form.ABOVE})
"""``Before May``: the event itself has no date."""
_LIMIT = lexicon("due deadline payable must")
_LIMITS = lexicon("due deadlin payabl")
"""Stems that say of what is due no more than that."""
_HAS = lexicon("has have had")
_PUT_ON, _HAPPENS = lexicon("hold put stage schedule"), lexicon("happen occur")
"""Verbs, the first in the passive, whose subject is an event, and not who does something."""
_BEGIN = lexicon("begin begins began start starts started commence commences commenced")


class _DatedWords(NamedTuple):
    """A date of the evidence, and the words that stand nearer to it than to any other date of its sentence."""

    shown: ShownValue
    moment: TimeSpan
    words: Keys
    limit: bool
    """``By 4 May``: when it is due, and not when it happens."""
    begins: bool
    """``From 4 May``: when it begins, whatever the verb."""


class _ClaimedEvent(NamedTuple):
    """The words of an event, its verb and its names among them, and whether it is the first (-1) or last (1) of its
    kind."""

    words: Keys
    needed: Keys
    nth: int
    limit: bool = False
    """Whether it is the day on which something is due."""
    begins: Keys = frozenset()
    """The verb, where it says no more than that the event begins."""


def settle_order(
    order: TemporalOrder, claim: str, sentences: Sequence[EvidenceSentence]
) -> LookupResult | None:
    """Whether the date that stands with the first event lies before the one that stands with the second; ``None``
    where either has none, or several that do not agree."""
    sides = _SideKeys(claim, sentences)
    on = any(_takes_place(claim, places) for places in order.places)
    one, two = (
        _claimed_event(claim, sides, *pair, on) for pair in zip(order.sides, order.places, strict=True)
    )
    first, second = _with_shared_words(one, two, claim, sides, order)
    dated = list(_dates_told(first.words | second.words, sentences))
    early, late = _best_dates(dated, first, second), _best_dates(dated, second, first)
    ways = {one.moment.order(two.moment) for one in early for two in late}
    if len(ways) != 1 or None in ways or (early and late and _over_new_year(early[0], late[0])):
        return None
    return LookupResult(ways == {-1}, order.span, early[0].shown, late[0].shown)


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


def _claimed_event(claim: str, sides: _SideKeys, stems: Keys, places: range, on: bool) -> _ClaimedEvent:
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
    return _ClaimedEvent(words, needed & words, ("last" in lows) - ("first" in lows), limit, begins)


def _with_shared_words(
    one: _ClaimedEvent, two: _ClaimedEvent, claim: str, sides: _SideKeys, order: TemporalOrder
) -> tuple[_ClaimedEvent, _ClaimedEvent]:
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
    filled = _ClaimedEvent(words, words, 0, whole.limit)
    told = whole._replace(needed=whole.words)
    return (filled, told) if bare[0] else (told, filled)


def _dates_told(words: Keys, sentences: Sequence[EvidenceSentence]) -> Iterator[_DatedWords]:
    for piece, _, text, start in sentences:
        if words.isdisjoint(text.keys):
            continue
        dates = [value for value in text.values if value.start >= start and _names_a_date(value)]
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
            yield _DatedWords(ShownValue(piece, *value.core), time_span_of(value), own, limit, begins)


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


def _over_new_year(one: _DatedWords, two: _DatedWords) -> bool:
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


def _names_a_date(value: Value) -> bool:
    clock = any(one.dimension == "clock" for one in value.quantities)
    return bool(value.dates or clock) and value.form not in _OPEN and not value.weak


def _date_fits_event(date: _DatedWords, event: _ClaimedEvent) -> bool:
    """Whether a date stands with the verb and the names of an event, and with most of its words."""
    words = date.words | event.begins if date.begins else date.words
    most = 2 * len(words & event.words) > len(event.words)
    return event.needed <= words and most and (event.limit or not date.limit)


def _best_dates(
    dated: Sequence[_DatedWords], event: _ClaimedEvent, other: _ClaimedEvent
) -> list[_DatedWords]:
    """The dates that most words of an event stand with, its verb and names among them, and fewer of the other event."""
    if not event.words or not other.words:
        return []
    fitting = [one for one in dated if _date_fits_event(one, event)]
    most = max((len(one.words & event.words) for one in fitting), default=0)
    found = [one for one in fitting if len(one.words & event.words) == most]
    if any(len(one.words & other.words) * len(event.words) >= most * len(other.words) for one in found):
        return []
    ends = [
        one for one in found if all(one is two or one.moment.order(two.moment) == event.nth for two in found)
    ]
    return ends if event.nth and ends else found
