"""Halve evidence that is too large for one question, and merge the readings of the halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verifier.readers.types import Answer, Piece, Reading, State

__all__ = ["halves", "merged"]

_SPLIT = "the evidence was read in parts, since it is larger than the model's window"


def halves(pieces: Sequence[Piece]) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The pieces in two parts of about the same length, neither empty; at least two are needed."""
    half, seen, at = sum(len(piece.text) for piece in pieces) / 2, 0, 0
    while at < len(pieces) - 1 and (at == 0 or seen + len(pieces[at].text) <= half):
        seen += len(pieces[at].text)
        at += 1
    return tuple(pieces[:at]), tuple(pieces[at:])


def merged(first: Reading, second: Reading, before: int) -> Reading:
    """What two readings of one claim say together; the pieces of the second are numbered behind ``before`` others.

    A failure of one part is one of the whole, since the other part might have said otherwise. An answer goes before
    *not found*; one part in favour and one against is a dispute.
    """
    second = replace(
        second,
        pieces=tuple(number + before for number in second.pieces),
        quotations=tuple(replace(one, piece=one.piece + before) for one in second.quotations),
    )
    calls = tuple(dict.fromkeys((*first.calls, *second.calls)))
    for reading in (first, second):
        if reading.state is not State.SETTLED:
            return replace(reading, calls=calls)
    said = {first.answer, second.answer}
    if said == {Answer.SUPPORTED, Answer.CONTRADICTED} or first.disputed or second.disputed:
        return Reading(
            State.SETTLED,
            Answer.NOT_FOUND,
            quotations=(*first.quotations, *second.quotations),
            pieces=(*first.pieces, *second.pieces),
            note=_told(first.note, second.note),
            disputed=True,
            calls=calls,
        )
    chosen = second if first.answer is Answer.NOT_FOUND else first
    unheard = chosen.unheard and first.unheard and second.unheard
    return replace(chosen, unheard=unheard, note=_told(chosen.note), calls=calls)


def _told(*notes: str) -> str:
    """The notes, and once that they are of parts, however often the evidence was split."""
    behind = f" ({_SPLIT})"
    return "; ".join(note.removesuffix(behind) for note in notes) + behind
