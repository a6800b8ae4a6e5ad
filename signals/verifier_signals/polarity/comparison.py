"""Comparisons (``heavier than``, ``as deep as``), and where the premise makes them the other way round.

What stands on the two sides of a relation is paired with the sides of the premise's, as it stands and exchanged;
:mod:`verifier_signals.polarity.temporal_order` pairs its events in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import common_words, scales_of, verb_of
from verifier_signals.lexicon.denials import DENYING_FORMS
from verifier_signals.polarity.alignment import PolarityClash, Thresholds, span_of
from verifier_signals.polarity.cues import NO_COUNT
from verifier_signals.syntax import BE, Reading, read, stem
from verifier_signals.types import Span
from verifier_signals.values.numerals import NUMBER_WORDS

__all__ = [
    "RelationSides",
    "base_of",
    "clause_at",
    "comparative_before",
    "compare_measures",
    "compare_pairings",
    "content_of",
    "is_denied",
    "measured_scales",
    "pair_sides",
    "sentence_at",
]

_TIME_WORDS = lexicon("""
    second seconds minute minutes hour hours day days week weeks month months year years decade decades century
    centuries time times long soon shortly later earlier
    """)
_TIMED = lexicon("later earlier sooner")
_IRREGULAR = {
    "better": "good",
    "worse": "bad",
    "farther": "far",
    "further": "far",
    "elder": "old",
    "lesser": "small",
}


class RelationSides(NamedTuple):
    """What stands on either side of a relation, as stems; nothing on the right stands for anything else."""

    left: frozenset[str]
    right: frozenset[str]


def pair_sides(ours: RelationSides, theirs: RelationSides) -> tuple[float, float]:
    """How well the sides meet as they stand, and exchanged; each in [0, 2].

    A side that shares nothing with its counterpart makes a pairing worthless.
    """
    if not theirs.right or not ours.right:
        return _pair_with_anything(ours, theirs)
    straight = _sum(_coverage(ours.left, theirs.left), _coverage(ours.right, theirs.right))
    crossed = _sum(_coverage(ours.left, theirs.right), _coverage(ours.right, theirs.left))
    return straight, crossed


def _pair_with_anything(ours: RelationSides, theirs: RelationSides) -> tuple[float, float]:
    """The same where one side is everything else: ``more than anyone``."""
    if not ours.right:
        ours, theirs = theirs, ours
    return 2.0 * _coverage(ours.left, theirs.left), 2.0 * _coverage(ours.right, theirs.left)


def _sum(first: float, second: float) -> float:
    return first + second if first and second else 0.0


def compare_pairings(agreeing: float, contrary: float, thresholds: Thresholds) -> int:
    """-1 where the sides speak for the contrary relation, 1 where for the same, 0 where they do not tell."""
    if max(agreeing, contrary) < thresholds.ahead or abs(agreeing - contrary) < thresholds.clearly:
        return 0
    return 1 if agreeing > contrary else -1


def _coverage(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / min(len(ours), len(theirs)) if ours and theirs else 0.0


def sentence_at(reading: Reading, at: int) -> tuple[int, int]:
    """The tokens of the sentence around a token."""
    begin = end = at
    while begin and reading.sentences[begin - 1] == reading.sentences[at]:
        begin -= 1
    while end < len(reading.tokens) and reading.sentences[end] == reading.sentences[at]:
        end += 1
    return begin, end


def is_denied(reading: Reading, places: Iterable[int]) -> bool:
    """Whether one of the words denies; the ``No,`` of an answer denies the question, and not what it goes on to say,
    and ``no later than``, ``no more than ten`` set a limit."""
    return any(reading.tokens[at].word.low in DENYING_FORMS and not _sets_limit(reading, at) for at in places)


def _sets_limit(reading: Reading, at: int) -> bool:
    following = reading.tokens[at + 1].word.low if at + 1 < len(reading.tokens) else ""
    if at in reading.heads and following == ",":
        return True
    than = reading.tokens[at + 2].word.low if at + 2 < len(reading.tokens) else ""
    if reading.tokens[at].word.low not in ("no", "not") or following not in NO_COUNT or than != "than":
        return False
    behind = (token.word for token in reading.tokens[at + 3 : at + 5])
    return following in _TIMED or any(word.number or word.low in NUMBER_WORDS for word in behind)


def content_of(reading: Reading, places: Iterable[int]) -> frozenset[str]:
    """Stems of what happens or is measured, years included; a bare span of time (``90 days``) belongs to the
    numbers."""
    found = set()
    for at in places:
        word = reading.tokens[at].word
        if word.number and len(word.low) == 4 and word.low.isdecimal():
            found.add(word.low)
        elif not (
            word.punct or word.function or word.number or word.low in _TIME_WORDS or word.low in NUMBER_WORDS
        ):
            found.add(word.stem)
    return frozenset(found)


def base_of(low: str) -> str | None:
    """The positive form of a comparative; ``None`` for a word that only ends like one.

    >>> base_of("heavier"), base_of("bigger"), base_of("larger"), base_of("summer")
    ('heavy', 'big', 'large', None)
    """
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if not low.endswith("er") or len(low) < 5:
        return None
    stem = low[:-2]
    undoubled = stem[:-1] if stem[-1:] == stem[-2:-1] else stem
    candidates = (f"{stem[:-1]}y" if stem.endswith("i") else stem, f"{stem}e", undoubled)
    return next((one for one in candidates if scales_of(one) and one in common_words()), None)


_AMOUNTS = {"more": 1, "less": -1, "fewer": -1}
_REACH = 8
"""Tokens from a comparative to its ``than``."""
_DEGREES = {"nearly": -1, "almost": -1, "half": -1, "twice": 1, "just": 0, "equally": 0}
_END = frozenset({",", ";", "but", "and", "while", "whereas", "who", "which", "."})
_ANYTHING = frozenset({"anyone", "anything", "any", "everyone", "all"})
_SCALED_VERBS = lexicon("weigh cost last")


class _MeasureComparison(NamedTuple):
    """``left`` has more (1), as much (0) or less (-1) than ``right`` on each of the scales."""

    scales: frozenset[tuple[str, int]]
    sides: RelationSides
    span: Span


@lru_cache(maxsize=2048)
def _comparisons_in(text: str) -> tuple[_MeasureComparison, ...]:
    """The comparisons of a text: ``heavier than``, ``as deep as``."""
    reading = read(text)
    found = [one for at in reading.places.get("than", ()) for one in _than_comparison(reading, at)]
    found += [one for at in reading.places.get("as", ()) for one in _as_comparison(reading, at)]
    return tuple(found)


def _than_comparison(reading: Reading, than: int) -> Iterator[_MeasureComparison]:
    begin, end = clause_at(reading, than)
    at = comparative_before(reading, begin, than)
    if at is None:
        return
    scales, used = measured_scales(reading, at, than)
    left = [place for place in range(begin, than) if place not in used]
    yield from _comparison_of(reading, scales, left, range(than + 1, end), (at, than + 1))


def _as_comparison(reading: Reading, at: int) -> Iterator[_MeasureComparison]:
    """``is as deep as``, ``is not as deep as``."""
    lows = [token.word.low for token in reading.tokens[at : at + 4]]
    if len(lows) < 4 or lows[2] != "as" or not at:
        return
    before = reading.tokens[at - 1].word.low
    degree = _DEGREES.get(before)
    verb = reading.tokens[at - 1 - (degree is not None or before in DENYING_FORMS)].word.low
    if verb not in BE and before not in BE:
        return
    begin, end = clause_at(reading, at)
    sign = degree or 0
    scales = frozenset((name, way * sign) for name, way in scales_of(lows[1]) or {(stem(lows[1]), 1)})
    if before in DENYING_FORMS or before.endswith("n't"):
        scales = frozenset((name, -way) for name, way in scales_of(lows[1]) or {(stem(lows[1]), 1)})
    left, right = content_of(reading, range(begin, at)), content_of(reading, range(at + 3, end))
    if left - right and right - left:
        yield _MeasureComparison(
            scales, RelationSides(left - right, right - left), span_of(reading, at, at + 3)
        )


def clause_at(reading: Reading, at: int) -> tuple[int, int]:
    """The tokens around a comparison: its clause, with the noun before a relative pronoun; up to the next break."""
    begin, last = sentence_at(reading, at)
    for place in range(at - 1, begin - 1, -1):
        low = reading.tokens[place].word.low
        if low in ("who", "which"):
            begin = max(begin, place - 3)
            break
        if low in (";", "while", "whereas") or (low in ("and", "but") and _has_verb(reading, begin, place)):
            begin = place + 1
            break
    end = next((place for place in range(at + 3, last) if reading.tokens[place].word.low in _END), last)
    return begin, end


def _has_verb(reading: Reading, begin: int, end: int) -> bool:
    return any(begin <= group.main < end for clause in reading.clauses for group in clause.verbs)


def comparative_before(reading: Reading, begin: int, than: int) -> int | None:
    """The comparative that belongs to a ``than``: the nearest before it, or the amount that opens its clause."""
    places = range(than - 1, max(begin, than - _REACH) - 1, -1)
    near = next((at for at in places if _is_comparative(reading.tokens[at].word.low)), None)
    return begin if near is None and reading.tokens[begin].word.low in _AMOUNTS else near


@lru_cache(maxsize=8192)
def _is_comparative(low: str) -> bool:
    return low in _AMOUNTS or base_of(low) is not None


def measured_scales(reading: Reading, at: int, end: int) -> tuple[frozenset[tuple[str, int]], set[int]]:
    """The scales of a comparative and the tokens that name them."""
    low = reading.tokens[at].word.low
    base = base_of(low)
    if base is not None:
        return scales_of(base), {at}
    sign = _AMOUNTS[low]
    following = reading.tokens[at + 1].word if at + 1 < end else None
    if following is not None and not (following.function or following.punct or following.number):
        scales = scales_of(following.low) or frozenset({(following.stem, 1)})
        return frozenset((name, way * sign) for name, way in scales), {at, at + 1}
    verb = verb_of(reading.tokens[at - 1].word.low) if at else None
    if verb is not None and verb.lemma in _SCALED_VERBS:
        return frozenset((name, way * sign) for name, way in scales_of(verb.lemma)), {at, at - 1}
    return frozenset({("", sign)}), {at}


def _comparison_of(
    reading: Reading,
    scales: frozenset[tuple[str, int]],
    left: list[int],
    right: range,
    words: tuple[int, int],
) -> Iterator[_MeasureComparison]:
    mine, other = content_of(reading, left), content_of(reading, right)
    if is_denied(reading, left):
        scales = frozenset((name, -way) for name, way in scales)
    anything = not other and any(reading.tokens[place].word.low in _ANYTHING for place in right)
    if mine - other and (anything or other - mine):
        yield _MeasureComparison(scales, RelationSides(mine - other, other - mine), span_of(reading, *words))


def compare_measures(
    claim: str, premise: str, thresholds: Thresholds
) -> tuple[list[PolarityClash], list[Span]]:
    """The comparisons that the premise makes the other way round, and the spans of those that it bears out."""
    found: list[PolarityClash] = []
    agreed: list[Span] = []
    mine = _comparisons_in(claim)
    told = _comparisons_in(premise) if mine else ()
    for ours in mine if told else ():
        ways = [(_agreement(ours, theirs, thresholds), theirs) for theirs in told]
        if any(way > 0 for way, _ in ways):
            agreed.append(ours.span)
            continue
        against = next((theirs for way, theirs in ways if way < 0), None)
        if against is not None:
            found.append(
                PolarityClash(
                    "negation.comparison-contrary",
                    "antonym",
                    1.0,
                    ours.span,
                    against.span,
                    "the comparison is contrary",
                )
            )
    return found, agreed


def _agreement(ours: _MeasureComparison, theirs: _MeasureComparison, thresholds: Thresholds) -> int:
    """1 where both say the same, -1 where they say the contrary, 0 where they compare something else."""
    ways, there = _scales_with_nouns(ours, theirs), _scales_with_nouns(theirs, ours)
    pairs = [(way, there[name]) for name, way in ways.items() if name in there]
    if not pairs or _name_other_years(ours.sides.left, theirs.sides.left):
        return 0
    here, other = pairs[0]
    straight, crossed = pair_sides(ours.sides, theirs.sides)
    if not here or not other:
        told = max(straight, crossed) >= thresholds.ahead
        return (1 if here == other else -1) if told else 0
    return compare_pairings(straight, crossed, thresholds) * here * other


def _scales_with_nouns(one: _MeasureComparison, other: _MeasureComparison) -> dict[str, int]:
    """The scales of a comparison; an amount of what it names before (``58 boats, fewer than``) is one of that."""
    ways = dict(one.scales)
    if "" in ways:
        ways |= {name: ways[""] for name, _ in other.scales if name in one.sides.left}
    return ways


def _name_other_years(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether both sides name years, and no common one."""
    mine, theirs = (frozenset(filter(str.isdecimal, side)) for side in (left, right))
    return bool(mine and theirs) and mine.isdisjoint(theirs)
