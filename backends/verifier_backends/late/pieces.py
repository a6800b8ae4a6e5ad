"""Cut a text that is longer than a model's window into pieces, between words where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

__all__ = ["pieces", "token_starts"]

_SPARE = 8
"""A piece gets a token in so many less than fits: a word that was cut may fall into more tokens."""


def pieces(text: str, starts: Sequence[int], room: int) -> list[str]:
    """The text in pieces of at most ``room`` tokens, cut before a word where there is one in reach.

    >>> pieces("one two three", [0, 4, 8, 11], 2)
    ['one two ', 'three']
    >>> pieces("one", [0], 2)
    ['one']

    Args:
        text: what is cut; the pieces joined give it again.
        starts: where each of its tokens begins, in code points, ascending.
        room: at least 1.
    """
    if len(starts) <= room:
        return [text]
    fits = max(1, room - room // _SPARE)
    cuts, at = [0], 0
    while len(starts) - at > fits:
        words = [i for i in range(at + 1, at + fits + 1) if text[starts[i] - 1].isspace()]
        at = words[-1] if words else at + fits
        cuts.append(starts[at])
    return [text[start:end] for start, end in pairwise([*cuts, len(text)])]


def token_starts(tokenizer: Any, text: str) -> list[int]:
    """Where the tokens of a text begin, in code points, as a tokenizer of ``transformers`` reads it."""
    read = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    return [start for start, _ in read["offset_mapping"]]
