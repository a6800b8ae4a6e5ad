"""Cut a stream into sentences as soon as what follows shows that they have ended."""

from __future__ import annotations

import re
from itertools import pairwise

from verifier.core.text import MAX_SENTENCE, sentence_spans

__all__ = ["Sentences"]

_STOP = re.compile(r"[.!?…‽⁇⁈⁉؟۔።։।॥。！？｡\n\r\u2028\u2029]")
_SETTLED = re.compile(r"[^\w\n\r\u2028\u2029]*+(?:\r?\n[ \t]*+\r?\n|\u2029|\W*+\w++\W)")
"""What must be seen behind a stop: a blank line, or the whole next word, since both decide whether it ends a
sentence (``5 p.m. on``, ``No. 5``, ``Dr. Lee``)."""


_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n|\u2029")
_LOOK_BACK = 120
"""How much of a long sentence is read again when a stop in it is looked at, in code points."""
_PATIENCE = 250
"""After how many more code points an overlong stretch is looked at again."""


class Sentences:
    """Cuts a stream into sentences as ``sentence_spans`` cuts a text, without reading anything twice.

    A sentence is given out with the white space behind it, so that the pieces put together are the stream to the
    character. It is held until the word behind it is there. The work for a piece is bounded by its own length and
    ``MAX_SENTENCE``, however long the stream.

    >>> sentences = Sentences()
    >>> sentences.push("Dr. Lee paid $2."), sentences.push("3 on Monday. It"), sentences.push(" was late.")
    ([], [], ['Dr. Lee paid $2.3 on Monday. '])
    >>> sentences.finish()
    ['It was late.']
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._stop: int | None = None
        """Where the first stop is that nothing has settled yet."""
        self._overlong_at = MAX_SENTENCE
        """The length from which on what is held is looked at though no stop is settled."""

    @property
    def pending(self) -> str:
        """What was pushed and not yet given out."""
        return "".join(self._parts)

    def push(self, text: str) -> list[str]:
        """The sentences that this piece has brought to their end."""
        if self._stop is None and (found := _STOP.search(text)):
            self._stop = self._length + found.start()
        self._parts.append(text)
        self._length += len(text)
        overlong = self._length > self._overlong_at
        if self._stop is None and not overlong:
            return []
        buffer = self._joined()
        if not overlong and not (self._stop is not None and _settled(buffer, self._stop)):
            return []
        return self._settle(buffer)

    def cut(self) -> list[str]:
        """What is held, up to the last white space (all of it where there is none), as one unfinished piece."""
        buffer = self._joined()
        at = len(buffer.rstrip()) and max(buffer.rfind(" "), buffer.rfind("\n")) + 1
        return self._give_out(buffer, [at or len(buffer)]) if buffer else []

    def finish(self) -> list[str]:
        """The sentences that are left, at the end of the stream."""
        buffer = self._joined()
        if not buffer:
            return []
        return self._give_out(buffer, [*(start for start, _ in sentence_spans(buffer)[1:]), len(buffer)])

    def _joined(self) -> str:
        buffer = "".join(self._parts)
        self._parts = [buffer] if buffer else []
        return buffer

    def _settle(self, buffer: str) -> list[str]:
        """Give out the sentences whose end is settled, and look for the next stop behind the one looked at."""
        stop = self._stop or 0
        overlong = len(buffer) > MAX_SENTENCE
        base = 0 if overlong else max(stop - _LOOK_BACK, 0)
        ends: list[int] = []
        for (begin, end), (start, _) in pairwise(sentence_spans(buffer[base:])):
            if base and base + end <= stop:  # was looked at before, with all that stands in front of it
                continue
            too_long = overlong and end - begin >= MAX_SENTENCE // 2
            if not too_long and not _SETTLED.match(buffer, base + end):
                break
            ends.append(base + start)
        ended = _BLANK_LINE.search(buffer, len(buffer.rstrip())) is not None and not buffer.isspace()
        if ended or (
            not ends and len(buffer) > 2 * MAX_SENTENCE
        ):  # the latter is next to nothing but white space
            ends.append(len(buffer))
        cut = ends[-1] if ends else 0
        pieces = self._give_out(buffer, ends)
        rest = buffer[cut:]
        found = _STOP.search(rest, max(stop + 1 - cut, 0))
        self._stop = found.start() if found else None
        self._overlong_at = max(MAX_SENTENCE, len(rest) + _PATIENCE if len(buffer) > MAX_SENTENCE else 0)
        return pieces

    def _give_out(self, buffer: str, ends: list[int]) -> list[str]:
        """The pieces that end at ``ends``; what is behind them is kept."""
        pieces = [buffer[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        rest = buffer[ends[-1] :] if ends else buffer
        self._parts, self._length = ([rest] if rest else []), len(rest)
        found = _STOP.search(rest)
        self._stop = found.start() if found else None
        return pieces


def _settled(buffer: str, stop: int) -> bool:
    """Whether enough stands behind a stop to tell if it ends a sentence."""
    return _SETTLED.match(buffer, stop if buffer[stop].isspace() else stop + 1) is not None
