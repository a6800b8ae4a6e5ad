"""Framed sentences in; the vectors of their pieces and of all that frames them out, as the factuality head reads them.

Each sentence is read once, by itself, by the embedded model's encoder, and kept: a sentence is its neighbours' frame
too. What a piece is to the sentence in question (its own, its heading's, the next sentence's) and how it is written
stand beside its vector.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from verifier.core.onnx import OnnxGraph, PairTokenizer, side_by_side
from verifier.core.text import LIST_ITEM
from verifier.types import Span
from verifier.verification.statements.types import Framed

__all__ = ["MARKS", "PLACES", "Encoded", "FrameReader", "Pieces"]

PLACES = ("itself", "heading", "outer heading", "before", "two before", "after", "two after")
"""What a piece can belong to, seen from the sentence in question."""
MARKS = ("whole", "quoted", "label", "labelled", "asks", "leads", "short", "shared")
"""How a piece is written: it stands for its whole sentence; in quotation marks; ahead of the sentence's colon; behind
it; in a sentence that ends with a question mark, with a colon, that is short; or is a piece of the sentence in question
too (or, in that one, of its frame)."""

LONGEST, LONGEST_NEAR, LONGEST_FAR = 160, 28, 12
"""Pieces that are read of a sentence, of one that frames it, and of one behind that; the middle of a longer one is left
out."""
SHORT = 7
"""Pieces of a short sentence, at most: ``That is not true.``"""
LABEL = 6
"""Pieces of a label, at most: ``The true state of things: ...``"""

_QUOTED = re.compile(r"[\"“„«]([^\"”“»\n]*)[\"”“»]|(?<!\w)['‘]([^'’\n]+)['’](?!\w)")
_MARKUP = re.compile(r"[*_#`>|~]+")


@dataclass(frozen=True, slots=True)
class Pieces:
    """A sentence as the encoder reads it: the first row stands for the whole.

    ``values`` (1 + pieces, 2 * hidden), the vectors of the pieces in their sentence and those of them by themselves, or
    (1 + pieces, width) once they are narrowed; ``marks`` (1 + pieces, marks) without ``shared``; ``ids`` of the pieces
    and their ``spans`` in the sentence.
    """

    values: NDArray[np.float32]
    marks: NDArray[np.float32]
    ids: tuple[int, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence with its frame: its own pieces first, ``spans`` of these in it (without the first, for the whole).

    ``values`` (n, as those of :class:`Pieces`), ``marks`` (n, marks), ``places`` (n,), indices into :data:`PLACES`.
    """

    values: NDArray[np.float32]
    marks: NDArray[np.float32]
    places: NDArray[np.int64]
    spans: tuple[Span, ...]


class FrameReader:
    """Turns framed sentences into what the head reads.

    Args:
        tokenizer: of the encoder.
        encoder: its graph: ``input_ids`` in, ``vectors`` and ``words`` (1, tokens, hidden) out, those of the pieces in
            their sentence and by themselves.
        narrow: what is made of the values of a sentence before they are kept; they themselves by default.
        kept: how many sentences' values are kept.
    """

    def __init__(
        self,
        tokenizer: Path,
        encoder: Path,
        *,
        narrow: Callable[[NDArray[np.float32]], NDArray[np.float32]] = np.asarray,
        kept: int = 8192,
    ) -> None:
        self._narrow = narrow
        self._tokenizer = PairTokenizer.from_file(tokenizer)
        self._encoder = OnnxGraph(encoder, ("input_ids",), ("vectors", "words"))
        self._read = lru_cache(maxsize=kept)(self._pieces)

    def __call__(self, framed: Framed) -> Encoded:
        """The vectors of a sentence and its frame."""
        own = self._read(_plain(framed.text))
        parts = [(0, own), *((at, self._frame_of(at, text)) for at, text in _frame(framed))]
        around = {piece for _, part in parts[1:] for piece in part.ids}
        shared = [
            [0.0, *(float(piece in (around if at == 0 else own.ids)) for piece in part.ids)]
            for at, part in parts
        ]
        return Encoded(
            np.concatenate([part.values for _, part in parts]),
            np.column_stack(
                [np.concatenate([part.marks for _, part in parts]), np.concatenate(shared)]
            ).astype(np.float32),
            np.concatenate([np.full(len(part.values), at) for at, part in parts]),
            own.spans,
        )

    def prepare(self, sentences: Sequence[Framed]) -> None:
        """Have the encoder read what several sentences and their frames hold, on as many cores as there are."""
        texts = [
            *dict.fromkeys(
                _plain(text)
                for one in sentences
                for text in (one.text, *(around for _, around in _frame(one)))
            )
        ]
        side_by_side(self._read, texts, [len(text) for text in texts], None)

    def _frame_of(self, place: int, text: str) -> Pieces:
        far = PLACES[place].startswith(("two", "outer"))
        return _ends(self._read(_plain(text)), LONGEST_FAR if far else LONGEST_NEAR)

    def _pieces(self, sentence: str) -> Pieces:
        [encoding] = self._tokenizer.encode([sentence])
        before, behind = self._tokenizer.frame
        ids, spans = list(encoding.ids), [tuple(span) for span in encoding.offsets]
        if len(ids) > LONGEST:
            half = LONGEST // 2
            ids, spans = ids[:half] + ids[-half:], spans[:half] + spans[-half:]
        given = np.array([*before, *ids, *behind], dtype=np.int64)
        vectors, words = self._encoder.run({"input_ids": given}, len(given))
        read = slice(len(before) - 1, len(before) + len(ids))
        values = np.hstack([vectors[0, read], words[0, read]]).astype(np.float32)
        return Pieces(self._narrow(values), _marks(sentence, spans), tuple(ids), tuple(spans))


def _ends(read: Pieces, most: int) -> Pieces:
    """The beginning and the end of a long sentence."""
    size = len(read.ids)
    if size <= most:
        return read
    last = most // 3
    at = [*range(most - last), *range(size - last, size)]
    rows = [0, *(one + 1 for one in at)]
    return Pieces(
        read.values[rows],
        read.marks[rows],
        tuple(read.ids[one] for one in at),
        tuple(read.spans[one] for one in at),
    )


def _plain(sentence: str) -> str:
    """The sentence without bullets and marks of emphasis; every character keeps its place."""
    bullet = LIST_ITEM.match(sentence)
    kept = " " * bullet.end() + sentence[bullet.end() :] if bullet else sentence
    return _MARKUP.sub(lambda match: " " * len(match[0]), kept)


def _frame(framed: Framed) -> Iterator[tuple[int, str]]:
    """What frames a sentence, the nearest first of each kind, with its place."""
    for kind, texts in (
        (("heading", "outer heading"), framed.above[::-1]),
        (("before", "two before"), framed.before[::-1]),
        (("after", "two after"), framed.after),
    ):
        yield from (
            (PLACES.index(place), text) for place, text in zip(kind, texts, strict=False) if text.strip()
        )


def _marks(sentence: str, spans: Sequence[Span]) -> NDArray[np.float32]:
    """(1 + pieces, marks - 1)"""
    quotes = [match.span() for match in _QUOTED.finditer(sentence)]
    told = sentence.rstrip(" *_\"'”’)")
    asks, leads, short = told.endswith("?"), told.endswith(":"), len(spans) <= SHORT
    colon = next((at for at, span in enumerate(spans[: LABEL + 1]) if sentence[slice(*span)] == ":"), -1)
    rows = [(True, False, False, False, asks, leads, short)]
    for at, (start, end) in enumerate(spans):
        quoted = any(left <= start and end <= right for left, right in quotes)
        rows.append((False, quoted, at < colon, -1 < colon < at, asks, leads, short))
    return np.array(rows, dtype=np.float32)
