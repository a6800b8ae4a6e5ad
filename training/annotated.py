"""Read annotated documents: their texts as people write them, and the names in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from training.data import read_rows
from verifier.types import Span

__all__ = ["TYPES", "Document", "documents"]

TYPES = ("PER", "ORG", "LOC", "MISC")
"""What is annotated as a name; times and numbers are none."""


class Document(NamedTuple):
    """A detokenised text and its annotated names: span to type."""

    text: str
    gold: dict[Span, str]


def documents(path: Path) -> Iterator[Document]:
    """The documents of a file of ``ner/``."""
    for row in read_rows(path):
        text = ""
        gold: dict[Span, str] = {}
        for tokens, tags in zip(row["sentences"], row["tags"], strict=True):
            text += " " if text else ""
            text, spans = _written(text, tokens)
            gold |= {span: kind for span, kind in _tagged(spans, tags) if kind in TYPES}
        yield Document(text, gold)


def _written(text: str, tokens: Sequence[str]) -> tuple[str, list[Span]]:
    """``text`` with a sentence put behind it as people write it, and the spans of the sentence's tokens."""
    spans, quoted, glued = [], False, True
    for token in tokens:
        closes = token in {",", ".", ";", ":", "?", "!", ")", "]", "%", "-", "/"} or token.startswith(
            ("'", "’")
        )
        opens = token in {"(", "[", "-", "/", "$", "£"}
        if token == '"':
            closes, opens, quoted = quoted, not quoted, not quoted
        text += "" if closes or glued else " "
        spans.append((len(text), len(text) + len(token)))
        text, glued = text + token, opens
    return text, spans


def _tagged(spans: Sequence[Span], tags: Sequence[str]) -> Iterator[tuple[Span, str]]:
    start = None
    for at, tag in enumerate((*tags, "O")):
        if start is not None and not tag.startswith("I-"):
            yield (spans[start][0], spans[at - 1][1]), tags[start][2:]
            start = None
        if tag.startswith("B-"):
            start = at
