"""Sums of money for several: what people, things or days cost together at the prices of the evidence.

Also at prices that the evidence gives as a share of another one (``half the adult fare``, ``15 percent less``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.stems import content_words, word_key
from verifier_signals.values import arithmetic
from verifier_signals.values.alignment import tie
from verifier_signals.values.arithmetic import Derived
from verifier_signals.values.comparison import compare
from verifier_signals.values.context import ValueText
from verifier_signals.values.ellipsis import is_verb
from verifier_signals.values.types import Fit, Form, Quantity, Value
from verifier_signals.values.units import is_currency, lookup

__all__ = [
    "Member",
    "announces_sum",
    "costs",
    "counts_for",
    "is_for_several",
    "lengths_for",
    "members_of",
    "price_of_one",
]

_SUM = re.compile(
    r"\b(?:total(?:s|led|ling)?|altogether|together|in\s+all|combined|overall|both|sum|took\s+part)\b",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"\b(?:each|every|one|an?)\s+[^\W\d_]+(?:\s+[^\W\d_]+){0,3}\s+(?:[$£€]\s?)?\Z", re.IGNORECASE
)
_APIECE = re.compile(r"\s+(?:each|apiece|per|an?|every)\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:whole|all|total(?:s|led)?|altogether|together|in\s+all|entire|full|comes?\s+to|add(?:s|ing)?\s+up)\b",
    re.IGNORECASE,
)
_SO = re.compile(r"\b(?:so|hence|thus|therefore|which\s+makes)\b", re.IGNORECASE)
_EVEN = 1e-6
"""Relative error by which a multiple may be off: that of binary fractions (``3 x 0.10``)."""


def _money_of(value: Value) -> Quantity | None:
    """A value in the reading in which it is an amount of money."""
    for one in value.quantities:
        if is_currency(one.dimension):
            return one
    return None


def counts_for(text: ValueText, value: Value) -> list[Value]:
    """The counts in front of a sum of money that it is paid for: ``two adults and a child pay 31 euros``."""
    if _money_of(value) is None:
        return []
    start, _ = text.sentence(value)
    before = [one for one in text.values if start <= one.start < value.start and not one.may_be_age]
    counts = [one for one in before if one.kind == "number" and one.form is Form.POINT and text.head(one)]
    return counts if len(counts) == len(before) and any(one.quantities[0].low > 1 for one in counts) else []


def price_of_one(text: ValueText, value: Value) -> Value | None:
    """The price of one of several that a sum in the same sentence is a multiple of: ``each dose costs 64 pounds, so
    the whole course costs 192``."""
    start, end = text.sentence(value)
    if not value.quantities or not is_currency(value.quantities[-1].dimension):
        return None
    for one in reversed([one for one in text.values if start <= one.start < value.start]):
        shared = [
            (mine.low, each.low)
            for mine in value.quantities
            for each in one.quantities
            if mine.dimension == each.dimension and is_currency(mine.dimension) and each.low > 0
        ]
        behind = text.text[one.core[1] : end]
        apiece = _ONE_OF.search(text.text[start : one.start]) or _APIECE.match(behind)
        concludes = _WHOLE.search(behind) or _SO.search(text.text, one.core[1], value.start)
        if shared and apiece and concludes and _times_of(*shared[0]) > 1:
            return one
    return None


def announces_sum(text: ValueText, value: Value) -> bool:
    """Whether the sentence of a value says that it is a total (``altogether``, ``in all``)."""
    return bool(value.quantities) and _SUM.search(text.text, *text.sentence(value)) is not None


def _times_of(whole: float, part: float) -> int:
    """How many times a part goes into a whole, 0 where it does not go into it evenly."""
    number = round(whole / part)
    return number if abs(number * part - whole) <= _EVEN * whole else 0


_PORTION = re.compile(r"\s+(?:of\s+)?(?:the|that|what|an?|its|their)\s|\s+(?:price|fare)\b", re.IGNORECASE)
_LESS_BEHIND = re.compile(r"\s+(?:less|off|cheaper|discount|reduction|rebate)\b", re.IGNORECASE)
_LESS_BEFORE = re.compile(
    r"\b(?:discount|reduction|rebate|reduced\s+by|cheaper\s+by)\s+(?:of\s+)?\Z", re.IGNORECASE
)
_EVERY = re.compile(r"\b(?:every|each|all|any)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:]|\.(?!\d)|\Z")
_ARTICLE = re.compile(
    r"(?<!\bin )(?<!\bof )(?<!\bat )(?<!\bon )(?<!\bto )(?<!\bfor )(?<!\bfrom )\b(?:an?|the)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""What a sum is paid for, and not where or in what company."""
_PAIR = re.compile(
    r"\s*(?P<one>[A-Za-z-]+(?:\s[a-z-]+)?)\s(?:and|with|plus)\s(?P<two>[a-z-]+(?:\s[a-z-]+)?)\s(?:together\s)?"
    r"(?:costs?|comes?\sto|(?:is|are)\s)",
)
_PHRASE_END = re.compile(r"[,;]|\b(?:and|with|plus|of|for|in|on|at|to|or|who|that|which|is|are|has|have)\b")
_COSTS = lexicon("cost costs price prices fare fares fee fees charge charges surcharge fine sum amount total")
_LONGEST = 2
"""Words of a noun phrase that name what is paid for."""
_COST = re.compile(r"\b(?:costs?|costing)\b", re.IGNORECASE)
_GENERAL = frozenset(map(word_key, _COSTS | lexicon("pay pays get gets")))
"""Stems that tell of prices, and of nobody who pays them."""
_SAME = {"children": "child", "women": "woman", "men": "man"}
_PERIODS = lexicon("day night hour week minute month")
"""What prices are stated for."""


class Member(NamedTuple):
    """So many of what ``keys`` name, which a sum is paid for."""

    number: float
    keys: frozenset[str]


class _Price(NamedTuple):
    """What one costs. ``told`` is the value that says for whom: the price, or the share of another one."""

    amount: float
    told: Value
    sources: tuple[Value, ...]


def costs(claim: ValueText, value: Value, evidence: ValueText) -> Iterator[Derived]:
    """What the claim's sum must be, reckoned from the prices of the evidence; nothing where they leave it open."""
    unit = _money_of(value)
    if unit is None:
        return
    stated = [one for one in evidence.values if _is_price(evidence, one, unit.dimension)]
    shared = list(_prices_by_share(claim, value, evidence, stated))
    members = members_of(claim, value)
    times = _periods(claim, value, stated)
    if len(members) > 1:
        yield from _costs_together(evidence, members, [*map(_stated, stated), *shared], unit, times)
    else:
        yield from (_derived_cost(price, unit, 1.0) for price in shared)
        nearest = max(stated, key=lambda one: tie(claim, value, evidence, one).strength, default=None)
        if times > 1 and nearest is not None and nearest.per in _PERIODS and not value.per:
            count = members[0].number if members else 1.0
            yield _derived_cost(_stated(nearest), unit, count * times)


def members_of(text: ValueText, value: Value) -> list[Member]:
    """Whom or what a sum of money is said to be for, in front of it: ``two adults and a child pay 31 euros``.

    What stands in front of another sum before it is paid with that one, and who stands behind a verb that costs pays
    it (``the roof cost the club 900 euros``).
    """
    counts = counts_for(text, value)
    found = [Member(one.quantities[0].low, _folded_stems(text.head(one))) for one in counts]
    start, _ = text.sentence(value)
    others = [one.end for one in text.values if start <= one.start < value.start and _money_of(one)]
    start = max([start, *others])
    if not _has_verb(text.text[start : value.start]):
        return found
    verb = next(reversed(list(_COST.finditer(text.text, start, value.start))), None)
    for article in _ARTICLE.finditer(text.text, start, verb.start() if verb else value.start):
        words = _phrase(text.text[article.end() : value.start])
        counted = any(article.start() <= one.start < article.end() + 1 for one in counts)
        if words and not counted:
            found.append(Member(1.0, _folded_stems(words)))
    return found or _bare_members(text.text[start : value.start])


def _bare_members(before: str) -> list[Member]:
    """``Supper and breakfast``: things that are named without an article or a count."""
    pair = _PAIR.match(before)
    phrases = [_phrase(pair[name]) for name in ("one", "two")] if pair else []
    return [Member(1.0, _folded_stems(words)) for words in phrases] if all(phrases) else []


def _has_verb(before: str) -> bool:
    """Whether a sum has a verb before it; ``and the course 35 euros`` takes that of another one up."""
    words = before.split()
    return any(is_verb(word) or word in _COSTS for word in words)


def _phrase(text: str) -> list[str]:
    """The stems of the noun phrase that a text begins with; none where it is the period of a rate (``a day``)."""
    stop = _PHRASE_END.search(text)
    found: list[str] = []
    for word in content_words(text[: stop.start() if stop else len(text)]):
        surface = text[word.start : word.end]
        if surface in _PERIODS or is_verb(surface) or surface in _COSTS:
            break
        found.append(word.key)
    return found[:_LONGEST]


def is_for_several(text: ValueText, value: Value) -> bool:
    """Whether a sum of money is said to be for more than one, or for a length of time."""
    return _money_of(value) is not None and (
        len(members_of(text, value)) > 1 or bool(lengths_for(text, value))
    )


def lengths_for(text: ValueText, value: Value) -> list[Value]:
    """The lengths of time that a sum of money is said to be paid for (``three days cost 6 euros``)."""
    if _money_of(value) is None or value.per:
        return []
    start, end = text.sentence(value)
    return [
        one
        for one in text.values
        if start <= one.start < end
        and one.form is Form.POINT
        and one.quantities
        and one.quantities[0].dimension == "time"
    ]


def _periods(claim: ValueText, value: Value, stated: Sequence[Value]) -> float:
    """How many of the periods that the prices are stated for the claim speaks of; 1 where it speaks of none."""
    pers = {one.per for one in stated if one.per in _PERIODS}
    lengths = lengths_for(claim, value)
    if len(pers) != 1 or len(lengths) != 1:
        return 1.0
    period = pers.pop()
    [unit] = lookup("day" if period == "night" else period)
    number = lengths[0].quantities[0].low / unit.factor
    return float(round(number)) if abs(number - round(number)) < 1e-6 else 1.0


def _is_price(evidence: ValueText, value: Value, dimension: str) -> bool:
    """A single amount of money that is not the price of several."""
    money = any(one.dimension == dimension for one in value.quantities)
    return money and value.form is Form.POINT and not counts_for(evidence, value)


def _stated(value: Value) -> _Price:
    return _Price(_amount(value), value, (value,))


def _amount(value: Value) -> float:
    money = _money_of(value)
    return money.low if money else 0.0


def _derived_cost(price: _Price, unit: Quantity, count: float) -> Derived:
    return arithmetic.derived(unit.dimension, count * price.amount, *price.sources, unit=unit.unit)


def _costs_together(
    evidence: ValueText,
    members: Sequence[Member],
    prices: Sequence[_Price],
    unit: Quantity,
    times: float,
) -> Iterator[Derived]:
    """The sum of what each member costs, where the evidence names a price for every one, and no two share theirs."""
    total, sources, told = 0.0, list[Value](), list[Value]()
    for member in members:
        price = _price_of(evidence, member, prices)
        if price is None or price.told in told:
            return
        told.append(price.told)
        total += member.number * price.amount * times
        sources += price.sources
    yield arithmetic.derived(unit.dimension, total, *dict.fromkeys(sources), unit=unit.unit)


def _price_of(evidence: ValueText, member: Member, prices: Sequence[_Price]) -> _Price | None:
    """The price that the words of a member stand nearest to, if they stand much nearer to it than to others."""
    named = sorted(
        ((_nearness(evidence, member, price), at) for at, price in enumerate(prices)), reverse=True
    )
    if not named or named[0][0] < evidence.ties.priced:
        return None
    best = prices[named[0][1]]
    alike = [prices[at] for near, at in named[1:] if near > named[0][0] - evidence.ties.priced_alike]
    return None if any(other.amount != best.amount for other in alike) else best


def _nearness(evidence: ValueText, member: Member, price: _Price) -> float:
    """Mean nearness of a member's words to the value that tells its price; the words of a share's base are not its."""
    near = evidence.near(price.told)
    base = _folded_stems(_base_words(evidence, price.told)) if len(price.sources) > 1 else frozenset()
    weights = {_SAME.get(key, key): weight for key, weight in near.items()}
    return sum(weights.get(key, 0.0) for key in member.keys if key not in base) / len(member.keys)


def _folded_stems(keys: Iterator[str] | frozenset[str] | Sequence[str]) -> frozenset[str]:
    return frozenset(_SAME.get(key, key) for key in keys)


def _base_words(evidence: ValueText, share: Value) -> list[str]:
    """What a share is one of: the words behind it in its clause."""
    end = _CLAUSE_END.search(evidence.text, share.core[1])
    stop = end.start() if end else len(evidence.text)
    return [word.key for word in evidence.words if share.core[1] <= word.start < stop]


def _prices_by_share(
    claim: ValueText, value: Value, evidence: ValueText, stated: Sequence[Value]
) -> Iterator[_Price]:
    """The prices that the evidence gives as a share of another one, where the claim speaks of such a case."""
    for share in evidence.values:
        factor = _factor(evidence, share)
        base = _base_price(claim, evidence, share, stated) if factor else None
        if base is not None and _speaks_of(claim, value, evidence, share, base):
            yield _Price(factor * _amount(base), share, (base, share))


def _factor(evidence: ValueText, share: Value) -> float:
    """What a price is multiplied by (``half the fare``: 0.5, ``15 percent less``: 0.85); 0 for other shares."""
    if not share.quantities or share.quantities[0].dimension != "share" or share.form is not Form.POINT:
        return 0.0
    part = share.quantities[0].low
    before = evidence.text[evidence.sentence(share)[0] : share.start]
    if not 0 < part < 1:
        return 0.0
    if _LESS_BEHIND.match(evidence.text, share.core[1]) or _LESS_BEFORE.search(before):
        return 1.0 - part
    return part if _PORTION.match(evidence.text, share.core[1]) else 0.0


def _base_price(claim: ValueText, evidence: ValueText, share: Value, stated: Sequence[Value]) -> Value | None:
    """The price that a share is taken of: the one its words name, of several alike the one the claim speaks of."""
    words = _base_words(evidence, share)
    if _EVERY.search(evidence.text, share.core[1], evidence.sentence(share)[1]):
        words = []
    scores = [sum(evidence.near(one).get(key, 0.0) for key in words) for one in stated]
    ties = evidence.ties
    named = [one for one, score in zip(stated, scores, strict=True) if score > max(scores) - ties.share_base]
    told = claim.keys - _GENERAL - frozenset(words)
    nearness = [sum(evidence.near(one).get(key, 0.0) for key in told) for one in named]
    best = [
        one for one, near in zip(named, nearness, strict=True) if near > max(nearness) - ties.priced_alike
    ]
    return best[0] if len({_amount(one) for one in best}) == 1 else None


def _speaks_of(claim: ValueText, value: Value, evidence: ValueText, share: Value, base: Value) -> bool:
    """Whether the claim is about those who pay the share: it gives the share, or their limit holds, or it names them.

    What names them stands near the share, and not in what the share is one of.
    """
    start, end = claim.sentence(value)
    counts = [value, *counts_for(claim, value)]
    others = [one for one in claim.values if start <= one.start < end and one not in counts]
    limit = _limit_of_share(evidence, share)
    fits = [compare(one, limit).fit for one in others] if limit is not None else []
    limited = [fit for fit in fits if fit is not Fit.UNRELATED]
    if limited:
        return all(fit in (Fit.EQUAL, Fit.COMPATIBLE) for fit in limited)
    if any(compare(one, share).fit is Fit.EQUAL for one in others):
        return True
    common, there = _folded_stems(_base_words(evidence, share)) | _GENERAL, evidence.near(base)
    least = evidence.ties.share_words
    nearer = (key for key, near in evidence.near(share).items() if near >= max(least, there.get(key, 0.0)))
    own = _folded_stems([*nearer]) - common
    return not own.isdisjoint(_folded_stems(claim.keys))


def _limit_of_share(evidence: ValueText, share: Value) -> Value | None:
    """The limit that the sentence of a share sets for those who pay it (``groups of ten or more``)."""
    start, _ = evidence.sentence(share)
    before = [one for one in evidence.values if start <= one.start < share.start]
    limits = [
        one for one in before if one.form is not Form.POINT and one.quantities and _money_of(one) is None
    ]
    return limits[-1] if limits else None
