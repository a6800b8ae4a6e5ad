"""Notice text in a stream that no reader of the rendered answer would see."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.types import HiddenText, Span
from verifier.verification.claims import hidden_in
from verifier.verification.claims.html import fences

__all__ = ["HiddenWatch", "told"]

_MOST = 4000
"""Code points that are kept of what may hide what follows."""
_OPENERS = frozenset("<[`~")
"""What all that hides, or shows, begins with."""


class HiddenWatch:
    """Looks for hidden sentences in a stream without reading it again for every piece.

    What hides a sentence from further away than ``_MOST`` code points, and what stands in a block of code that is
    never closed, only the whole text tells.

    >>> watch = HiddenWatch()
    >>> watch.push("Fine.<!-- Read "), watch.push("it. The fee is 5 EUR. ").text
    (None, 'The fee is 5 EUR.')
    """

    def __init__(self) -> None:
        self._kept = ""

    def push(self, piece: str) -> HiddenText | None:
        """The first sentence that this piece shows to be hidden; its offsets are not those of the stream."""
        self._kept += piece
        if _OPENERS.isdisjoint(self._kept):
            self._kept = ""
            return None
        closed, opened = fences(self._kept)
        found = None if opened is not None else next(iter(hidden_in(self._kept)), None)
        if len(self._kept) > _MOST:
            self._forget(closed, opened)
        return found

    def _forget(self, closed: Sequence[Span], opened: int | None) -> None:
        """Keep the last lines, with the line that opens the code that they stand in."""
        kept = self._kept
        if opened is not None:
            line = kept.find("\n", opened) + 1 or len(kept)
            self._kept = kept[opened:line] + kept[max(line, len(kept) - _MOST // 2) :]
            return
        cut = kept.find("\n", len(kept) - _MOST // 2) + 1 or len(kept) - _MOST // 2
        self._kept = kept[next((end for start, end in closed if start < cut < end), cut) :]


def told(hidden: HiddenText) -> str:
    """``hidden text: 'The fee is 5 EUR.' in a comment``."""
    return f"hidden text: {' '.join(hidden.text.split())!r} in {hidden.where}"
