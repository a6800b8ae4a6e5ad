"""A claim and a premise go in; names under a label that says the contrary of what the claim does come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.polarity.clash import Clash, main_span, span_of
from verifier_signals.polarity.cues import cues_in
from verifier_signals.polarity.items import Item, items_in, relations_of
from verifier_signals.polarity.statement import Statement
from verifier_signals.syntax import Reading, is_common

__all__ = ["label_clashes"]

_LONGEST = 6
"""Words of a label; more are a sentence that a colon ends."""
_BULLETS = frozenset("-*•–")


class _Label(NamedTuple):
    """A label at tokens ``first`` to ``last``: its content words, whether it denies, the stems that stand under it."""

    items: tuple[Item, ...]
    denied: bool
    under: frozenset[str]
    first: int
    last: int


def label_clashes(claim: Reading, ours: Sequence[Statement], premise: Reading) -> list[Clash]:
    """``Absent: Ada Orr``, where the claim says that she was present, and ``Not admitted: dogs``, where it admits them.

    What a claim tells of its subject is set against the labels under which the premise has all of that subject, unless
    one of these says the same.
    """
    if ":" not in premise.places:
        return []
    found: list[Clash] = []
    for mine in ours:
        told = [label for label in _labels_in(premise) if mine.subjects and mine.subjects <= label.under]
        judged = [(label, _says(mine, label)) for label in told]
        if any(verdict for _, verdict in judged):
            continue
        against = (label for label, verdict in judged if verdict is False)
        for label in against:
            here = main_span(claim, mine, mine.predicates)
            found.append(
                Clash(
                    "negation.label-contrary", "antonym", 1.0, here, span_of(premise, label.first, label.last)
                )
            )
    return found


def _says(mine: Statement, label: _Label) -> bool | None:
    """Whether a label says the same as a statement, or the contrary; ``None`` where it speaks of something else."""
    for item in (mine.items[one] for one in sorted(mine.predicates)):
        known = relations_of(item.low)
        for other in label.items:
            forms = relations_of(other.low).forms
            opposed = not known.opposites.isdisjoint(forms)
            if opposed or item.stem == other.stem:
                return not (opposed ^ (item.flipped != other.flipped) ^ mine.denied ^ label.denied)
    return None


@lru_cache(maxsize=2048)
def _labels_in(reading: Reading) -> tuple[_Label, ...]:
    """The labels of a text: a few words at the head of a line or behind a full stop, up to a colon."""
    negations = {cue.first for cue in cues_in(reading) if cue.kind == "negation"}
    found: list[_Label] = []
    for first, colon, last in _stretches(reading):
        items = tuple(items_in(reading, first, colon))
        under = frozenset(item.stem for item in items_in(reading, colon + 1, last))
        denied = any(at in negations for at in range(first, colon))
        if items and under and not any(_is_heading(reading, first, at) for at in range(first, colon)):
            found.append(_Label(items, denied, under, first, colon))
    return tuple(found)


def _stretches(reading: Reading) -> Iterator[tuple[int, int, int]]:
    """Where each label begins, its colon, and where what stands under it ends."""
    heads: list[tuple[int, int]] = []
    for colon in reading.places[":"]:
        first = colon
        while first and colon - first < _LONGEST and not _parted(reading, first):
            first -= 1
        if first < colon and (first == 0 or _parted(reading, first)):
            heads.append((first, colon))
    for number, (first, colon) in enumerate(heads):
        last = heads[number + 1][0] if number + 1 < len(heads) else len(reading.tokens)
        yield first, colon, _listed_until(reading, colon + 1, last)


def _listed_until(reading: Reading, first: int, last: int) -> int:
    """Where what stands under a label ends: with its line, or its sentence, or the list below it."""
    for at in range(first + 1, last):
        new_line = _on_new_line(reading, at)
        if new_line and reading.tokens[at].word.low in _BULLETS:
            continue
        if new_line or (
            reading.sentences[at] != reading.sentences[at - 1]
            and reading.tokens[at].word.low not in _BULLETS
            and reading.tokens[at - 1].word.low not in _BULLETS
        ):
            return at
    return last


def _is_heading(reading: Reading, first: int, at: int) -> bool:
    """Whether a word makes a title of what stands before a colon: a figure, or a name (``Elm Dam: rules``)."""
    word = reading.tokens[at].word
    named = word.capital and not word.function and (at != first or not is_common(word.low))
    return word.number or named


def _on_new_line(reading: Reading, at: int) -> bool:
    return "\n" in reading.text[reading.tokens[at - 1].end : reading.tokens[at].start]


def _parted(reading: Reading, at: int) -> bool:
    """Whether something new begins at a token: behind a mark (of emphasis, too), or on a new line."""
    before, token = reading.tokens[at - 1], reading.tokens[at]
    return (before.word.punct and before.word.low not in "-'’") or "\n" in reading.text[
        before.end : token.start
    ]
