"""A claim's windows in; whether figures or dates of several of them settle its comparison or order, out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from signals.negation import NegationSignal
from signals.ranking import Piece, Settled, asks, settle
from signals.types import Finding, Outcome, Relation, SignalScore
from verifier.types import Evidence
from verifier.verification.windows import Window, joined, windows_of

__all__ = ["Related", "Tables", "pieces_of", "related"]

Tables = Callable[[str], Sequence[Evidence]]
"""``tables(file)``: all rows of a file of rows, or none where they cannot be had."""


@dataclass(frozen=True, slots=True)
class Related:
    """What settles a claim: whether it ``holds``, the windows that show it, as one, and what is found there."""

    holds: bool
    window: Window
    score: SignalScore


def related(claim: str, windows: Sequence[Window], tables: Tables) -> Related | None:
    """What the windows of a claim's evidence say together of its comparison or order; ``None`` where they do not.

    A file of rows that has some of them is read whole: the highest of ten rows need not be that of the table.
    """
    if not asks(claim):
        return None
    pairs = list(pieces_of(_with_tables(windows, tables)))
    found = settle(claim, [piece for _, piece in pairs])
    if found is None:
        return None
    ours, theirs = pairs[found.ours.piece][0], pairs[found.theirs.piece][0]
    window = ours if ours is theirs else joined([ours, theirs])
    return Related(found.holds, window, _score(claim, found, ours, theirs, window))


def _with_tables(windows: Sequence[Window], tables: Tables) -> Iterator[Window]:
    """The windows, those of each file of rows in place of the ones that were found of it."""
    files = dict.fromkeys(name for window in windows if (name := _file_of(window.evidence.source)))
    whole = {name: rows for name in files if (rows := tables(name))}
    yield from (window for window in windows if _file_of(window.evidence.source) not in whole)
    for rows in whole.values():
        for row in rows:
            yield from windows_of(row)


def _file_of(source: str) -> str:
    """The file of which a source is a row, ``""`` for one that is none."""
    name, _, row = source.rpartition("#")
    return name if row.isdecimal() else ""


def pieces_of(windows: Iterable[Window]) -> Iterator[tuple[Window, Piece]]:
    """Each window with the piece that it is: rows of one file, or under one heading, are those of one table. Windows
    that begin with a smaller one are left out."""
    seen: set[tuple[str, int]] = set()
    for window in windows:
        item = window.evidence
        if (item.doc_id, window.start) in seen:
            continue
        seen.add((item.doc_id, window.start))
        source, _, row = item.source.partition("#")
        number = int(row) if row.isdecimal() else 0
        group = "\n".join((source, *item.headings)) if not number else source
        yield window, Piece(window.premise, group, number, window.segments[0][0])


def _score(claim: str, found: Settled, ours: Window, theirs: Window, window: Window) -> SignalScore:
    """The finding as the negation signal would give it, could it read both places at once."""
    quotes = [
        " ".join(part.premise[shown.start : shown.end].split())
        for part, shown in ((ours, found.ours), (theirs, found.theirs))
    ]
    span = window.span_of(theirs, (found.theirs.start, found.theirs.end))
    finding = Finding(
        "antonym",
        Relation.MATCH if found.holds else Relation.CONFLICT,
        claim[slice(*found.span)],
        found.span,
        window.premise[slice(*span)],
        span,
        f"{quotes[0]} against {quotes[1]}",
    )
    features = dict.fromkeys(NegationSignal.feature_names, 0.0) | {"antonym": float(not found.holds)}
    outcome = Outcome.CONSISTENT if found.holds else Outcome.CONFLICTING
    return SignalScore(NegationSignal.name, outcome, float(found.holds), (finding,), features)
