"""Rows of a table that answer yes or no, where a claim says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.polarity.clash import Clash, Span, main_span
from verifier_signals.polarity.statement import Statement
from verifier_signals.syntax import Reading, tokenise
from verifier_signals.values.fields import Field, fields_of

__all__ = ["row_clashes"]

_ANSWERS = {
    "yes": True,
    "no": False,
    "none": False,
    "true": True,
    "false": False,
    "included": True,
    "excluded": False,
}


class Cell(NamedTuple):
    """A cell: the stems of its label, its text, and its span with the label."""

    label: frozenset[str]
    text: str
    labelled: Span


@lru_cache(maxsize=2048)
def rows_in(text: str) -> tuple[tuple[Cell, ...], ...]:
    """The rows of two cells or more, in reading order; a heading before a row is no cell of it."""
    rows: dict[Span, list[Field]] = {}
    for field in fields_of(text):
        rows.setdefault(field.row, []).append(field)
    found = []
    for fields in rows.values():
        inside = [field for field in fields if text[field.end : field.end + 1] in ("", ";", "\n")]
        if len(inside) > 1:
            found.append(tuple(_cell(text, field) for field in inside))
    return tuple(found)


def _cell(text: str, field: Field) -> Cell:
    begin = max(text.rfind(field.label, 0, field.start), 0)
    return Cell(_stems(field.label), text[field.start : field.end], (begin, field.end))


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    """Stems of the content words of a label or cell, figures included where they name a thing (``C4``)."""
    words = (token.word for token in tokenise(text))
    return frozenset(item.stem for item in words if not (item.punct or item.function or item.number))


def row_clashes(claim: Reading, ours: Sequence[Statement], premise: Reading) -> list[Clash]:
    """The answers, yes or no, that the rows of the premise give and a claim says otherwise."""
    if ": " not in premise.text:
        return []
    found: list[Clash] = []
    content = frozenset(token.word.stem for token in claim.tokens if not token.word.punct)
    for row in rows_in(premise.text):
        subject = _stems(row[0].text)
        known = content | _stems(premise.text[: row[0].labelled[0]])
        if subject & content and subject <= known:
            found.extend(_answer_clashes(claim, ours, row, subject))
    return found


def _answer_clashes(
    claim: Reading, ours: Sequence[Statement], row: Sequence[Cell], subject: frozenset[str]
) -> Iterator[Clash]:
    """``Dogs: no``, where the claim affirms of the row's subject what the label says; and the other way round."""
    for cell in row[1:]:
        answer = _ANSWERS.get(cell.text.strip(" .*").casefold())
        if answer is None or not cell.label:
            continue
        for mine in ours:
            shared = mine.stems & cell.label
            rest = mine.stems - subject - cell.label
            if len(shared) * 2 < len(cell.label) or mine.compares or len(rest) > 2 + len(shared):
                continue
            if mine.negative is answer:
                yield Clash(
                    "negation.table-answer", "polarity", 1.0, main_span(claim, mine, shared), cell.labelled
                )
