"""A text goes in, its causal links come out: what causes what, and whether that is said, denied or left open."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import CausalPhrase, causal_phrases
from verifier_signals.polarity.cue import Cue
from verifier_signals.polarity.cues import cues_in
from verifier_signals.polarity.items import items_in, relations_of
from verifier_signals.polarity.statements import body_sentence
from verifier_signals.polarity.told import Told, base_at, low_at, spells, told_of, without_sides
from verifier_signals.syntax import BE, Reading, VerbGroup, read

__all__ = ["Link", "Meanings", "links_in"]

Meanings = frozenset[str | int]
"""Stems of content words and the numbers of their senses: two texts that share one speak of one thing."""

_NOUNS = lexicon("cause reason culprit explanation source origin")
"""Nouns for a cause."""
_ALSO_ELSE = frozenset({"source", "origin"})
"""Those of them that may tell of something else."""
_AFTER_NOUN = lexicon("of for why behind that")
_PARTICLES = lexicon("off out up down away")
_NO_OBJECT = lexicon("""
    in on at by for with from to of about against between into through during before after under over within
    without per since until than as and or but when while where if because that
    """)
_COMMITTED = lexicon("a an no few fewer fewest less many most more several")
"""Behind *make* they open what somebody does, not what is brought about (``made fewer errors``)."""
_OPENERS = frozenset({"what", "that", "which"})


class Link(NamedTuple):
    """A cause and its effect at tokens ``first`` up to ``last``; ``sure`` where the words can say nothing else."""

    cause: Meanings
    effect: Meanings
    told: Told
    sure: bool
    first: int
    last: int


class _Marker(NamedTuple):
    """Words of a link, and the tokens of its two sides."""

    first: int
    last: int
    cause: range
    effect: range
    sure: bool


@lru_cache(maxsize=2048)
def links_in(text: str) -> tuple[Link, ...]:
    """The causal links of a text, in reading order; its headings hold none.

    A side that says nothing of its own (``This led to ...``) is what the sentence before tells, with what stands
    before a semicolon, and an effect is always looked for there, too (``The fall was caused by ...``).

    >>> [(link.told.value, "rain" in link.cause) for link in links_in("It was late because of rain.")]
    [('stated', True)]
    """
    reading = read(text)
    groups = {group.main: group for clause in reading.clauses for group in clause.verbs}
    cues = cues_in(reading)
    before: Meanings = frozenset()
    earlier: Meanings = frozenset()
    sentence = 0
    found: list[Link] = []
    for unit in _units(reading):
        whole = _meanings(reading, unit)
        if reading.sentences[unit.start] != sentence:
            sentence, before, earlier = reading.sentences[unit.start], earlier, frozenset()
        bare = without_sides(reading, unit, cues)
        for marker in _markers(reading, unit, groups):
            doubt = bare is not None and bare[0] is Told.OPEN and bare[1] in marker.effect
            links = _links(reading, unit, marker, cues, before)
            found.extend(link._replace(told=Told.OPEN) if doubt else link for link in links)
        if bare is not None:
            told, at = bare
            cause = whole if told is Told.DENIED else whole | before
            found.append(Link(cause, whole | before, told, False, at, at + 1))
        before, earlier = before | whole, earlier | whole
    return tuple(found)


def _units(reading: Reading) -> Iterator[range]:
    """Sentences, cut at semicolons, behind the headings."""
    start, body = 0, body_sentence(reading)
    for at in range(1, len(reading.tokens) + 1):
        ended = at == len(reading.tokens) or reading.sentences[at] != reading.sentences[start]
        if ended or reading.tokens[at].word.low == ";":
            if reading.sentences[start] >= body:
                yield range(start, at)
            start = at


def _meanings(reading: Reading, span: range) -> Meanings:
    found: set[str | int] = set()
    for item in items_in(reading, span.start, span.stop):
        found.add(item.stem)
        found.update(relations_of(item.low).senses)
    return frozenset(found)


def _markers(reading: Reading, unit: range, groups: dict[int, VerbGroup]) -> Iterator[_Marker]:
    at = unit.start
    while at < unit.stop:
        marker = _phrase(reading, unit, at, groups) or _noun(reading, unit, at) or _agent(reading, unit, at)
        if marker is not None:
            yield marker
        at = max(at + 1, marker.last if marker else 0)


def _phrase(reading: Reading, unit: range, at: int, groups: dict[int, VerbGroup]) -> _Marker | None:
    """The link that the words at a place make, by the table of causal phrases."""
    table = causal_phrases()
    for phrase in (*table.get(low_at(reading, at), ()), *table.get(base_at(reading, at), ())):
        last = at + len(phrase.words)
        if phrase.parted and (marker := _parted(reading, unit, at, phrase)):
            return marker
        if last > unit.stop or not spells(reading, at, phrase.words):
            continue
        if phrase.kind == "clause" and low_at(reading, at - 1) != ",":
            continue
        behind, sure = phrase.behind, phrase.kind == "link"
        if len(phrase.words) == 1 and not behind and reading.tokens[at].word.verb is not None:
            by = last + low_at(reading, last).endswith("ly")
            if low_at(reading, by) == "by" and not _number_at(reading, by + 1):
                behind, last = True, by + 1
            elif not _acts(reading, unit, at, groups):
                continue
            sure = sure or _cleft(reading, unit, at)
        return _sides(reading, unit, at, last, behind, sure)
    return None


def _parted(reading: Reading, unit: range, at: int, phrase: CausalPhrase) -> _Marker | None:
    """``Attributed the fall to the drought``: the effect stands within the phrase."""
    head, tail = phrase.words[: phrase.parted], phrase.words[phrase.parted :]
    start = at + len(head)
    if not spells(reading, at, head) or spells(reading, start, tail):
        return None
    for turn in range(start + 1, unit.stop - len(tail)):
        if low_at(reading, turn) == ",":
            return None
        if spells(reading, turn, tail):
            last = turn + len(tail)
            return _Marker(at, last, range(last, unit.stop), range(start, turn), sure=True)
    return None


def _number_at(reading: Reading, at: int) -> bool:
    return at < len(reading.tokens) and reading.tokens[at].word.number


def _acts(reading: Reading, unit: range, at: int, groups: dict[int, VerbGroup]) -> bool:
    """Whether a verb has an object: what it tells is done to something."""
    group = groups.get(at)
    if group is None or group.passive:
        return False
    behind = at + 1 + (low_at(reading, at + 1) in _PARTICLES)
    if low_at(reading, behind) == "at" and low_at(reading, behind + 1) in ("least", "most"):
        return True
    if behind >= unit.stop or reading.tokens[behind].word.punct:
        return False
    low = low_at(reading, behind)
    if group.lemma == "make" and low in _COMMITTED:
        return False
    return low not in _NO_OBJECT and not low.endswith("ly")


def _cleft(reading: Reading, unit: range, at: int) -> bool:
    """``It was X that drove``, ``X is what drove``, ``What drove``: says which thing did it."""
    nearest = (n for n in range(at - 1, max(at - 4, unit.start - 1), -1) if low_at(reading, n) in _OPENERS)
    opener = next(nearest, None)
    if opener is None or low_at(reading, opener) == "what":
        return opener is not None
    return any(low_at(reading, n) == "it" and low_at(reading, n + 1) in BE for n in range(unit.start, opener))


def _sides(reading: Reading, unit: range, first: int, last: int, behind: bool, sure: bool) -> _Marker:
    ahead, rest = range(unit.start, first), range(last, unit.stop)
    if not behind and low_at(reading, unit.start) == "what" and first - unit.start <= 2:
        turn = next((at for at in rest if low_at(reading, at) in BE), None)
        if turn is not None:
            return _Marker(first, last, range(turn + 1, unit.stop), range(last, turn), sure)
    if not behind:
        return _Marker(first, last, ahead, rest, sure)
    fronted = all(reading.tokens[at].word.function or reading.tokens[at].word.punct for at in ahead)
    turn = next((at for at in rest if low_at(reading, at) in (",", "that")), None) if fronted else None
    if turn is not None:
        return _Marker(first, last, range(last, turn), range(turn + 1, unit.stop), sure)
    return _Marker(first, last, rest, rest if fronted else ahead, sure)


def _agent(reading: Reading, unit: range, at: int) -> _Marker | None:
    """What a deed was done by (``cracked by frost``), or what was done to bring it about (``by mending the roof``)."""
    if low_at(reading, at) != "by" or at + 1 >= unit.stop or _number_at(reading, at + 1):
        return None
    verb = reading.tokens[at - 1].word.verb if at > unit.start else None
    done = verb is not None and verb.form == "past"
    if not (done or low_at(reading, at + 1).endswith("ing")):
        return None
    return _sides(reading, unit, at, at + 1, behind=True, sure=False)


def _noun(reading: Reading, unit: range, at: int) -> _Marker | None:
    """``X is the reason why E``, ``The cause of E was X``."""
    if low_at(reading, at) not in _NOUNS or at - 1 < unit.start:
        return None
    sure = low_at(reading, at) not in _ALSO_ELSE
    ahead = next((n for n in range(at - 1, max(at - 6, unit.start), -1) if low_at(reading, n) in BE), None)
    if ahead is not None:
        last = at + 1 + (low_at(reading, at + 1) in _AFTER_NOUN)
        return _Marker(ahead, last, range(unit.start, ahead), range(last, unit.stop), sure)
    behind = next((n for n in range(at + 1, unit.stop) if low_at(reading, n) in BE), None)
    if behind is None:
        return None
    return _Marker(at, behind + 1, range(behind + 1, unit.stop), range(at + 1, behind), sure)


def _links(
    reading: Reading,
    unit: range,
    marker: _Marker,
    cues: tuple[Cue, ...],
    before: Meanings,
) -> Iterator[Link]:
    """The link of a marker, and the one that it denies beside it (``due to rain and not to wind``)."""
    cut = _contrast(reading, marker.cause)
    parts = [(range(marker.cause.start, cut), told_of(reading, unit, marker.first, marker.last, cues))]
    if cut < marker.cause.stop:
        parts.append((range(cut, marker.cause.stop), Told.DENIED))
    effect = _meanings(reading, marker.effect) | before
    for part, told in parts:
        cause = _meanings(reading, part) or before
        yield Link(cause, effect, told, marker.sure, marker.first, marker.last)


def _contrast(reading: Reading, span: range) -> int:
    """Where the cause that is meant ends, and one that is not meant begins."""
    for at in span[1:]:
        if (low_at(reading, at) == "not" and low_at(reading, at - 1) in ("and", ",", "but")) or spells(
            reading, at, ("rather", "than")
        ):
            return at
    return span.stop
