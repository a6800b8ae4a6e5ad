"""Temporal order: which of two events comes first, and where a claim and a premise put them in contrary orders."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon.denials import DENYING_FORMS
from verifier_signals.polarity.alignment import PolarityClash, Thresholds, span_of
from verifier_signals.polarity.comparison import (
    RelationSides,
    compare_pairings,
    content_of,
    is_denied,
    pair_sides,
    sentence_at,
)
from verifier_signals.polarity.statements import contexts_in
from verifier_signals.syntax import BE, Reading, read
from verifier_signals.types import Span
from verifier_signals.values.numerals import NUMBER_WORDS

__all__ = ["TemporalOrder", "compare_orders", "linked_orders"]

_LINKS = {
    "before": True,
    "after": False,
    "until": True,
    "till": True,
    "since": False,
    "following": False,
    "once": False,
}
"""Words before the second event, and whether the first is the earlier one; ``until`` orders only what is denied."""
_TWO_WORDS = {("prior", "to"): True, ("ahead", "of"): True, ("subsequent", "to"): False}
_VERBS = {
    "precede": True,
    "predate": True,
    "antedate": True,
    "follow": False,
    "succeed": False,
    "postdate": False,
}
"""Verbs between two events, and whether their subject is the earlier one."""
_COMPARED = {"earlier": True, "sooner": True, "older": True, "later": False, "newer": False, "younger": False}
"""Words before ``than``, and whether the thing before them is the earlier one."""
_THEN = lexicon("then later afterwards afterward subsequently thereafter finally next")
"""Adverbs that put their clause behind the one before it in the sentence."""
_NOT_BEFORE = {("not", "before"), ("not", "earlier"), ("not", "sooner"), ("no", "earlier"), ("no", "sooner")}
_WHEN = frozenset({"in", "on", "by", "during", "from", "around", "of"})
_PHRASAL = lexicon("look name call model")
"""Stems of verbs with which ``after`` is no time: ``looks after``, ``named after``."""
_SETTING = lexicon("in at under during within on")
_PIECES = frozenset({",", ";", "and", "but", "while", "whereas"})
_MOST_DATED = 6


class TemporalOrder(NamedTuple):
    """Two events, the left one being the earlier, the span that puts them so, and the tokens that tell of each."""

    sides: RelationSides
    span: Span
    places: tuple[range, range]


@lru_cache(maxsize=2048)
def _orders_in(text: str) -> tuple[TemporalOrder, ...]:
    """The orders in time that a text states: by a link (``before``), a verb (``precede``), an adverb (``then``),
    a comparison (``older than``) or by years."""
    reading = read(text)
    return (*linked_orders(text), *_verb_orders(reading), *_year_orders(reading))


@lru_cache(maxsize=2048)
def linked_orders(text: str) -> tuple[TemporalOrder, ...]:
    """The orders of two events that a text tells in clauses or nouns of their own: by a link, an adverb, a
    comparison."""
    reading = read(text)
    found: list[TemporalOrder] = []
    for at, token in enumerate(reading.tokens):
        low = token.word.low
        following = reading.tokens[at + 1].word.low if at + 1 < len(reading.tokens) else ""
        if low in _LINKS and _is_link(reading, at, low):
            found.extend(_linked_order(reading, at, at + 1, _LINKS[low]))
        elif (low, following) in _TWO_WORDS:
            found.extend(_linked_order(reading, at, at + 2, _TWO_WORDS[low, following]))
        elif low in _COMPARED and following == "than" and not _is_measured(reading, at + 2):
            found.extend(_linked_order(reading, at, at + 2, _COMPARED[low]))
        elif low == "by" and following == "the" and reading.places.get("time", []).count(at + 2):
            found.extend(_linked_order(reading, at, at + 3, earlier=True))
        elif low in _THEN:
            found.extend(_sequence_orders(reading, at))
        elif low == "when":
            found.extend(
                _already_order(reading, at) if "already" in reading.places else _not_before_order(reading, at)
            )
    return tuple(found)


def _is_link(reading: Reading, at: int, low: str) -> bool:
    """Whether a word links two events: ``since`` gives a reason too, ``following`` describes what comes."""
    begin, end = sentence_at(reading, at)
    lows = [reading.tokens[place].word.low for place in range(begin, end)]
    if low == "after" and at > begin and reading.tokens[at - 1].word.stem in _PHRASAL:
        return False
    if low == "since":
        return not {"has", "have", "had"}.isdisjoint(lows)
    if low == "once":
        return at + 1 < end and lows[at + 1 - begin] in (
            "the",
            "all",
            "they",
            "it",
            "he",
            "she",
            "we",
            "you",
            "its",
        )
    if low in ("until", "till"):
        return not DENYING_FORMS.isdisjoint(lows[: at - begin])
    if low == "following":
        return (
            at == begin or lows[at - begin - 1] not in ("the", "a", "its", "are", "is", "as")
        ) and at + 1 < end
    return True


def _is_measured(reading: Reading, at: int) -> bool:
    """Whether a figure stands at a token: ``later than 10 days before`` limits a length of time."""
    if at >= len(reading.tokens):
        return False
    word = reading.tokens[at].word
    return word.number or word.low in NUMBER_WORDS


def _linked_order(reading: Reading, at: int, behind: int, earlier: bool) -> Iterator[TemporalOrder]:
    begin, end = sentence_at(reading, at)
    first, second = range(begin, at), range(behind, end)
    if not content_of(reading, first):
        comma = next((place for place in range(at, end) if reading.tokens[place].word.low == ","), end)
        first, second = range(comma, end), range(behind, comma)
    else:
        first = _without_setting(reading, first)
    if is_denied(reading, first):
        earlier = not earlier
    yield from _order_of(reading, first, second, earlier, (at, behind))


def _without_setting(reading: Reading, places: range) -> range:
    """What follows the words that say where or when both events belong: ``In the plan for 2025, ...``."""
    if reading.tokens[places.start].word.low not in _SETTING:
        return places
    comma = next((at for at in places if reading.tokens[at].word.low == ","), places.stop)
    rest = range(comma + 1, places.stop)
    return rest if content_of(reading, rest) else places


def _already_order(reading: Reading, at: int) -> Iterator[TemporalOrder]:
    """``X was already over when Y began``: the clause with ``already`` is the earlier one."""
    begin, end = sentence_at(reading, at)
    comma = next((place for place in range(at, end) if reading.tokens[place].word.low == ","), end)
    when, rest = range(at + 1, comma), range(begin, at) if at > begin else range(comma, end)
    if any(reading.tokens[place].word.low == "already" for place in rest) and not is_denied(reading, rest):
        yield from _order_of(reading, rest, when, True, (at, at + 1))


def _not_before_order(reading: Reading, at: int) -> Iterator[TemporalOrder]:
    """``X only when Y``, ``X when Y, and not before``: Y is not the later one."""
    begin, end = sentence_at(reading, at)
    lows = [reading.tokens[place].word.low for place in range(begin, end)]
    denied_before = any(pair in _NOT_BEFORE for pair in itertools.pairwise(lows[at - begin :]))
    if denied_before or lows[: at - begin][-1:] == ["only"]:
        comma = next((place for place in range(at, end) if lows[place - begin] == ","), end)
        yield from _order_of(reading, range(begin, at), range(at + 1, comma), False, (at, at + 1))


def _sequence_orders(reading: Reading, at: int) -> Iterator[TemporalOrder]:
    """``First X, then Y``; ``X and later Y``; ``X. Later Y``."""
    begin, end = sentence_at(reading, at)
    cut = next(
        (place for place in range(at, begin, -1) if reading.tokens[place - 1].word.low in _PIECES), None
    )
    first, second = range(begin, cut or begin), range(cut or begin, end)
    if cut is None and begin:
        first = range(sentence_at(reading, begin - 1)[0], begin)
    yield from _order_of(reading, first, second, True, (at, at + 1))


def _verb_orders(reading: Reading) -> Iterator[TemporalOrder]:
    for clause in reading.clauses:
        for group in clause.verbs:
            if group.lemma not in _VERBS:
                continue
            begin, end = sentence_at(reading, group.main)
            behind = group.main + 1
            by = behind < end and reading.tokens[behind].word.low == "by"
            passive = by and any(
                reading.tokens[place].word.low in BE for place in range(group.first, group.main)
            )
            ahead, after = range(max(begin, clause.first), group.first), range(behind + by, end)
            if not _event_sides(reading, after) and group.lemma == "follow":
                after = range(
                    sentence_at(reading, begin - 1)[0] if clause.first == begin > 0 else begin, ahead.start
                )
            earlier = _VERBS[group.lemma] is not passive
            yield from _order_of(reading, ahead, after, earlier, (group.first, behind))


def _event_sides(reading: Reading, places: range) -> bool:
    return any(not one.isdecimal() for one in content_of(reading, places))


def _year_orders(reading: Reading) -> Iterator[TemporalOrder]:
    """``The dam was finished in 1931 and the power station in 1934``: pieces of a text with one year each."""
    if sum(token.word.number for token in reading.tokens) < 2:
        return
    dated = []
    told = {clause.sentence for clause in reading.clauses if clause.verbs}
    for first, last in _year_pieces(reading):
        if reading.sentences[first] not in told:
            continue
        years = [at for at in range(first, last) if _is_year(reading, at) and _is_date(reading, first, at)]
        content = content_of(reading, (at for at in range(first, last) if at not in years))
        if len(years) == 1 and content:
            dated.append((reading.tokens[years[0]].word.low, content, years[0], range(first, last)))
    for one, other in itertools.combinations(dated[:_MOST_DATED], 2):
        early, late = sorted((one, other))
        if early[0] != late[0] and early[1] - late[1] and late[1] - early[1]:
            sides = RelationSides(early[1] - late[1], late[1] - early[1])
            first, last = sorted((early[2], late[2]))
            yield TemporalOrder(sides, span_of(reading, first, last + 1), (early[3], late[3]))


def _is_date(reading: Reading, first: int, at: int) -> bool:
    """Whether a year says when (``in 1931``, ``on 3 May 1931``); that of a title (``Report 2024``) does not."""
    return any(reading.tokens[place].word.low in _WHEN for place in range(max(first, at - 4), at))


def _year_pieces(reading: Reading) -> Iterator[tuple[int, int]]:
    start = 0
    for at, token in enumerate(reading.tokens):
        new = at > start and reading.sentences[at] != reading.sentences[at - 1]
        if new or token.word.low in _PIECES:
            yield start, at
            start = at
    yield start, len(reading.tokens)


def _is_year(reading: Reading, at: int) -> bool:
    low = reading.tokens[at].word.low
    return len(low) == 4 and low.isdecimal() and low[:2] in ("15", "16", "17", "18", "19", "20")


def _order_of(
    reading: Reading, first: range, second: range, earlier: bool, words: tuple[int, int]
) -> Iterator[TemporalOrder]:
    mine, other = content_of(reading, first), content_of(reading, second)
    if mine - other and any(not one.isdecimal() for one in other - mine):
        sides = RelationSides(mine - other, other - mine)
        span = span_of(reading, *words)
        yield (
            TemporalOrder(sides, span, (first, second))
            if earlier
            else TemporalOrder(RelationSides(sides.right, sides.left), span, (second, first))
        )


def compare_orders(
    claim: str, premise: str, thresholds: Thresholds
) -> tuple[list[PolarityClash], list[Span]]:
    """The orders that the premise states the other way round, and the spans of those that it bears out.

    What stands in its headings holds of both events, and tells neither from the other.
    """
    found: list[PolarityClash] = []
    agreed: list[Span] = []
    mine = _orders_in(claim)
    told = _orders_in(premise) if mine else ()
    above = _headings(premise) if told else frozenset[str]()
    for ours in mine if told else ():
        best, against = 0.0, (0.0, ours)
        sides = RelationSides(*(side - above or side for side in ours.sides))
        for theirs in told:
            straight, crossed = pair_sides(sides, theirs.sides)
            way = compare_pairings(straight, crossed, thresholds)
            if way > 0:
                best = max(best, straight)
            elif way < 0:
                against = max(against, (crossed, theirs))
        if best and best >= against[0]:
            agreed.append(ours.span)
        elif against[0]:
            found.append(
                PolarityClash(
                    "negation.order-contrary",
                    "antonym",
                    1.0,
                    ours.span,
                    against[1].span,
                    "the order is contrary",
                )
            )
    return found, agreed


def _headings(premise: str) -> frozenset[str]:
    return frozenset[str]().union(*(context.above for context in contexts_in(premise).values()))
