"""Cover a long text with as few windows as possible, at equal distances."""

from __future__ import annotations

__all__ = ["pieces"]


def pieces(length: int, room: int, overlap: int) -> list[tuple[int, int]]:
    """Half-open spans of at most ``room`` that cover ``length``, neighbours sharing ``overlap`` at least.

    >>> pieces(10, 4, 1)
    [(0, 4), (3, 7), (6, 10)]
    >>> pieces(3, 4, 1), pieces(0, 4, 1)
    ([(0, 3)], [(0, 0)])
    """
    if length <= room:
        return [(0, length)]
    last = length - room
    steps = -(-last // (room - overlap))
    return [(at, at + room) for at in (round(last * step / steps) for step in range(steps + 1))]
