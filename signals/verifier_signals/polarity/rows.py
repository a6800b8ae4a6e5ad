"""A claim and a premise go in, where a row of a table says otherwise comes out: by yes or no, by figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.polarity.clash import Clash, Span, main_span
from verifier_signals.polarity.direction import direction_of
from verifier_signals.polarity.statement import Statement
from verifier_signals.stems import content_words
from verifier_signals.syntax import Reading, tokenise
from verifier_signals.values import parse
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
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")


class Cell(NamedTuple):
    """A cell: the stems, the words and the years of its label, its text and its spans without and with the label."""

    label: frozenset[str]
    words: frozenset[str]
    years: frozenset[str]
    text: str
    span: Span
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
    value = text[field.start : field.end]
    return Cell(
        _stems(field.label),
        frozenset(token.word.low for token in tokenise(field.label) if not token.word.punct),
        frozenset(_YEAR.findall(field.label)),
        value,
        (field.start, field.end),
        (begin, field.end),
    )


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    """Stems of the content words of a label or cell, figures included where they name a thing (``C4``)."""
    words = (token.word for token in tokenise(text))
    return frozenset(item.stem for item in words if not (item.punct or item.function or item.number))


def row_clashes(claim: Reading, ours: Sequence[Statement], premise: Reading) -> list[Clash]:
    """What the rows of the premise say otherwise: an answer, a change between years, a comparison of columns."""
    if ": " not in premise.text:
        return []
    found: list[Clash] = []
    content = frozenset(token.word.stem for token in claim.tokens if not token.word.punct)
    for row in rows_in(premise.text):
        subject = _stems(row[0].text)
        if (
            not subject
            or not subject <= content | _stems(premise.text[: row[0].labelled[0]])
            or not subject & content
        ):
            found.extend(_column_clashes(claim, premise, row))
            continue
        found.extend(_answer_clashes(claim, ours, row, subject))
        found.extend(_change_clashes(claim, content, row, subject))
        found.extend(_column_clashes(claim, premise, row))
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


def _change_clashes(
    claim: Reading, content: frozenset[str], row: Sequence[Cell], subject: frozenset[str]
) -> Iterator[Clash]:
    """``2016: 29; 2022: 35``, where the claim says that it shrank."""
    directions = [
        (at, way)
        for at, token in enumerate(claim.tokens)
        if (way := direction_of(token.word.low)) is not None
    ]
    if len(directions) != 1:
        return
    at, way = directions[0]
    years = sorted(_YEAR.findall(claim.text))
    cells = [cell for cell in row if len(cell.years) == 1]
    for first in cells:
        for last in cells:
            (early,), (late,) = first.years, last.years
            if early >= late or first.label != last.label or (years and not {early, late} >= set(years)):
                continue
            if first.label - subject and not first.label & content:
                continue
            before, after = _amount(first.text), _amount(last.text)
            if before is None or after is None or way.kind != "change":
                continue
            if (after < before and way.up) or (after > before and not way.up):
                span = claim.tokens[at].start, claim.tokens[at].end
                yield Clash(
                    "negation.table-change",
                    "antonym",
                    1.0,
                    span,
                    (first.labelled[0], last.labelled[1]),
                    "the figures say otherwise",
                )
                return


def _column_clashes(claim: Reading, premise: Reading, row: Sequence[Cell]) -> Iterator[Clash]:
    """``Weight; A: 9.4 kg; B: 7.8 kg``, where the claim says that A weighs less than B."""
    lows = [token.word.low for token in claim.tokens]
    if lows.count("than") != 1 or "not" in lows:
        return
    than = lows.index("than")
    place = next((at for at in range(than - 1, max(than - 5, -1), -1) if direction_of(lows[at])), None)
    way = direction_of(lows[place]) if place is not None else None
    if place is None or way is None or way.kind != "size":
        return
    measured = {item.key for item in content_words(row[0].text)}
    spoken = {item.key for item in content_words(claim.text)}
    beyond = {
        token.word.stem for token in claim.tokens[than + 1 :] if not (token.word.function or token.word.punct)
    }
    if (
        not measured & spoken
        or _stems(row[0].text) & beyond
        or not beyond <= {token.word.stem for token in premise.tokens}
    ):
        return
    left, right = set(lows[:place]), set(lows[than + 1 :])
    ours = [cell for cell in row[1:] if cell.words <= left and not cell.words <= right]
    theirs = [cell for cell in row[1:] if cell.words <= right and not cell.words <= left]
    if len(ours) != 1 or len(theirs) != 1:
        return
    here, there = _amount(ours[0].text), _amount(theirs[0].text)
    if here is None or there is None or here == there or (here > there) is way.up:
        return
    span = claim.tokens[place].start, claim.tokens[than].end
    cells = sorted((ours[0].labelled, theirs[0].labelled))
    yield Clash(
        "negation.table-comparison",
        "antonym",
        1.0,
        span,
        (cells[0][0], cells[1][1]),
        "the figures say otherwise",
    )


def _amount(text: str) -> float | None:
    """The one figure of a cell in its base unit; a cell of several has none."""
    values = [value for value in parse(text) if value.quantities and not value.weak]
    if len(values) != 1:
        return None
    quantity = values[0].quantities[0]
    return quantity.low if quantity.low == quantity.high else None
