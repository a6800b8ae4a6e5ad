"""Framed sentences of rendered passages, with the factuality of each of their pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from verifier_signals.syntax import read

from training.factuality.twins import Passage
from verifier.core.text import sentence_spans
from verifier.types import Span
from verifier.verification.statements.factuality import KINDS, framed_sentences
from verifier.verification.statements.types import Factuality, FramedSentence

__all__ = ["Row", "labels_of", "plain_rows", "rows_of"]

Stretches = Sequence[tuple[Span, Factuality]]


class Row(NamedTuple):
    """A framed sentence, and the factuality of its stretches; ``weight`` multiplies its loss."""

    framed: FramedSentence
    stretches: Stretches
    group: str = ""
    kind: Factuality = Factuality.ASSERTED
    weight: float = 1.0


def rows_of(passages: Iterable[Passage]) -> Iterator[Row]:
    """Every sentence of the passages."""
    for one in passages:
        spans = sentence_spans(one.text)
        framed = framed_sentences(one.text, spans, [one.above] * len(spans))
        for (start, end), sentence in zip(spans, framed, strict=True):
            inside = [
                ((max(left, start) - start, min(right, end) - start), kind)
                for (left, right), kind in one.stretches
                if left < end and start < right
            ]
            yield Row(sentence, inside, one.frame.group, one.frame.kind)


def labels_of(row: Row, spans: Sequence[Span]) -> NDArray[np.int64]:
    """For each piece the number of its factuality in :data:`KINDS`; -1 where it is not known."""
    labels = np.full(len(spans), -1)
    for (left, right), kind in row.stretches:
        for at, (start, end) in enumerate(spans):
            if left <= start and end <= right:
                labels[at] = KINDS.index(kind)
    return labels


TITLE = 90
"""Code points of a title, at most."""
CONDITIONS = frozenset({"if", "unless", "whether", "should", "provided", "until", "once"})
"""Words that open a clause of which a plain text leaves open whether it is so."""


def plain_rows(texts: Iterable[str], weight: float) -> Iterator[Row]:
    """Every sentence of plain texts, taken as asserted but for its questions and its clauses of condition.

    Of every other text a short first sentence (``Handbook, section 4.``) is taken for the heading of the others.
    """
    for number, text in enumerate(texts):
        spans = sentence_spans(text)
        above: tuple[str, ...] = ()
        if number % 2 and len(spans) > 1 and spans[0][1] - spans[0][0] < TITLE:
            above, spans = (text[slice(*spans[0])].rstrip("."),), spans[1:]
        for framed in framed_sentences(text, spans, [above] * len(spans)):
            if "?" not in framed.text:
                yield Row(framed, _unconditional(framed.text), "plain", weight=weight)


def _unconditional(sentence: str) -> list[tuple[Span, Factuality]]:
    reading = read(sentence)
    ends = [*(clause.first for clause in reading.clauses[1:]), len(reading.tokens)]
    return [
        (
            (reading.tokens[clause.first].start, reading.tokens[end - 1].end),
            Factuality.ASSERTED,
        )
        for clause, end in zip(reading.clauses, ends, strict=True)
        if clause.opener not in CONDITIONS
    ]
