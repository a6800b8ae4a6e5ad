"""A claim and the pieces of its evidence in; what they say together of its comparison, superlative or order, out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verifier_signals.polarity.order import Order, linked_orders
from verifier_signals.ranking import prose
from verifier_signals.ranking.asked import asked_in
from verifier_signals.ranking.counted import counted, counts
from verifier_signals.ranking.events import ordered
from verifier_signals.ranking.figures import compared, topped
from verifier_signals.ranking.keys import keys_of
from verifier_signals.ranking.pairs import told_of_two
from verifier_signals.ranking.records import Record, records_by_table
from verifier_signals.ranking.tables import Row, Table, row_in
from verifier_signals.ranking.tops import narrows, topped_by_name
from verifier_signals.ranking.types import Asked, Piece, Settled

__all__ = ["asks", "settle"]

_FIGURE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty)\b", re.I
)
_TWO = 2


def asks(claim: str) -> bool:
    """Whether a claim compares, ranks, counts or puts in order at all."""
    return bool(asked_in(claim) or linked_orders(claim) or counts(claim))


def settle(claim: str, pieces: Sequence[Piece]) -> Settled | None:
    """Whether the evidence bears out what a claim says of two things, or of one among all; ``None`` where it does not
    tell, or tells both.

    One contrary pair of values denies a claim; to bear it out takes one for each of its comparisons.

    >>> rows = ("Hall: Ash; Height: 12 m", "Hall: Elm; Height: 9 m")
    >>> settle("Elm is taller than Ash.", [Piece(row, "halls.csv") for row in rows]).holds
    False
    """
    asked, orders = asked_in(claim), linked_orders(claim)
    found = list(_settled(claim, pieces, asked, orders)) if asked or orders else list(_counted(claim, pieces))
    if len({one.holds for one in found}) != 1:
        return None
    open_ = {*(one.span for one in asked), *(one.span for one in orders)} - {one.span for one in found}
    return None if found[0].holds and (open_ or any(one.vague for one in asked)) else found[0]


def _counted(claim: str, pieces: Sequence[Piece]) -> Iterator[Settled]:
    for table in records_by_table(pieces):
        if (told := counted(claim, table)) is not None:
            yield told


def _settled(
    claim: str, pieces: Sequence[Piece], asked: Sequence[Asked], orders: Sequence[Order]
) -> Iterator[Settled]:
    tables = _tables(pieces) if asked else []
    words = keys_of(claim)
    spoken = [
        prose.Spoken(at, *prose.spoken_in(piece.text, piece.start))
        for at, piece in enumerate(pieces)
        if _FIGURE.search(piece.text, piece.start) and keys_of(piece.text) & words
    ]
    sentences = [one for one in spoken if row_in(pieces[one.piece], one.piece) is None]
    records = records_by_table(pieces) if asked else []
    for one in asked:
        for told in _ranked(one, claim, tables, records, sentences):
            yield told._replace(holds=not told.holds) if one.denied and told.holds is not None else told
    for order in orders:
        if (dated := ordered(order, claim, spoken)) is not None:
            yield dated


def _ranked(
    one: Asked,
    claim: str,
    tables: Sequence[Table],
    records: Sequence[Sequence[Record]],
    sentences: Sequence[prose.Spoken],
) -> Iterator[Settled]:
    """What tables and sentences say of one comparison or superlative."""
    for table in tables:
        if one.of_two and len(table.rows) != _TWO:
            continue
        if not one.right and any(narrows(one, claim, other) for other in records):
            continue
        told = compared(one, table) if one.right else topped(one, table, claim)
        if told is not None:
            yield told
    if not one.right and not one.of_two:
        found = (topped_by_name(one, claim, table) for table in records)
        yield from (told for told in found if told is not None)
    if one.right and (stated := prose.told(one, claim, sentences)) is not None:
        yield stated
    if one.of_two and (stated := told_of_two(one, claim, sentences)) is not None:
        yield stated


def _tables(pieces: Sequence[Piece]) -> list[Table]:
    groups: dict[str, list[Row]] = {}
    for at, piece in enumerate(pieces):
        row = row_in(piece, at)
        if row is not None:
            groups.setdefault(piece.group, []).append(row)
    return [Table(rows) for rows in groups.values()]
