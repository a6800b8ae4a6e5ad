"""The pipeline by hand: passages in Chroma by MiniLM's vectors, a cross-encoder over the best for each sentence.

Nothing of this project is used. A sentence is supported or contradicted where a passage entails or contradicts it with
half of the probability or more, whichever is the surer; else neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

__all__ = ["ByHand", "Judge", "passages", "sentences"]

Judge = Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]
"""Pairs of passage and sentence in, probabilities of entailment, neutral and contradiction out, (pairs, 3)."""

PASSAGE = 300
"""Characters of a passage at most, some 75 tokens: with its sentence as long as pairs that NLI models learn from."""
SURE = 0.5
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"“])")
_BULLET = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")
_RULE_OF_TABLE = re.compile(r"^[\s|:-]+$")


class ByHand:
    """The pipeline with its models loaded.

    Args:
        encode: texts in, unit vectors out.
        judge: the cross-encoder.
        candidates: passages read for each sentence.
    """

    def __init__(
        self, encode: Callable[[Sequence[str]], NDArray[np.float32]], judge: Judge, candidates: int = 3
    ) -> None:
        import chromadb
        from chromadb.config import Settings

        self._encode, self._judge, self._candidates = encode, judge, candidates
        self._client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
        self._collections: dict[str, Any] = {}

    def index(self, namespace: str, texts: Sequence[str]) -> None:
        """Store the passages of some texts in a collection of their own."""
        pieces = [piece for text in texts for piece in passages(text)]
        cosine: Any = {"hnsw": {"space": "cosine"}}
        collection: Any = self._client.create_collection(f"{namespace}-{uuid4().hex}", configuration=cosine)
        collection.add(
            ids=[str(number) for number in range(len(pieces))],
            embeddings=self._encode(pieces),
            documents=pieces,
        )
        self._collections[namespace] = collection

    def check(self, namespace: str, answer: str) -> list[tuple[int, int, str]]:
        """Each sentence of the answer by its span, with ``supported``, ``contradicted`` or ``neither``."""
        found = list(sentences(answer))
        texts = [text for _, _, text in found]
        if not texts:
            return []
        hits = self._collections[namespace].query(
            query_embeddings=self._encode(texts), n_results=self._candidates, include=["documents"]
        )["documents"]
        pairs = [(hit, text) for text, best in zip(texts, hits, strict=True) for hit in best]
        read = self._judge(pairs)
        ends = np.cumsum([len(best) for best in hits])[:-1]
        most = [part.max(axis=0) for part in np.split(read, ends)]
        return [(start, end, _said(row)) for (start, end, _), row in zip(found, most, strict=True)]


def _said(most: NDArray[np.float32]) -> str:
    entailment, _, contradiction = most
    if max(entailment, contradiction) < SURE:
        return "neither"
    return "supported" if entailment >= contradiction else "contradicted"


def passages(text: str, most: int = PASSAGE) -> Iterator[str]:
    """A text in pieces of whole lines, or of whole sentences where a line is longer than ``most`` characters.

    >>> list(passages("One line.\\nTwo lines.\\n\\nThree.", most=20))
    ['One line.\\nTwo lines.', 'Three.']
    """
    piece = ""
    for line in text.splitlines():
        for part in _SENTENCE_END.split(line) if len(line) > most else [line]:
            if piece and len(piece) + 1 + len(part) > most:
                yield piece.strip()
                piece = ""
            piece = f"{piece}\n{part}".strip()
    if piece:
        yield piece


def sentences(answer: str) -> Iterator[tuple[int, int, str]]:
    """Span and text of each sentence: a row of a table is one, read with its header; questions and leads are none.

    >>> [text for _, _, text in sentences("Prices:\\n| Item | Price |\\n|---|---|\\n| Tea | 3 |\\nIt is hot. Is it?")]
    ['Item: Tea; Price: 3', 'It is hot.']
    """
    at, header = 0, None
    lines = answer.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("|"):
            header = None
            yield from _prose(line, at)
        elif header is None:
            header = _cells(line)
        elif not _RULE_OF_TABLE.match(line):
            row = "; ".join(f"{name}: {cell}" for name, cell in zip(header, _cells(line), strict=False))
            yield at, at + len(line.rstrip()), row
        at += len(lines[number])


def _prose(line: str, at: int) -> Iterator[tuple[int, int, str]]:
    bullet = _BULLET.match(line)
    start = bullet.end() if bullet else 0
    for end in [*(gap.start() for gap in _SENTENCE_END.finditer(line, start)), len(line)]:
        text = line[start:end].strip()
        if text and text[-1] not in "?:" and " " in text:
            begin = at + line.index(text, start)
            yield begin, begin + len(text), text
        start = end


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def in_order(labels: Mapping[int, str]) -> list[int]:
    """Columns of entailment, neutral and contradiction of a classifier, by its names of them.

    Raises:
        ValueError: it has other names.

    >>> in_order({0: "contradiction", 1: "entailment", 2: "neutral"})
    [1, 2, 0]
    """
    by_name = {name.lower(): column for column, name in labels.items()}
    try:
        return [by_name[name] for name in ("entailment", "neutral", "contradiction")]
    except KeyError as error:
        raise ValueError(f"the cross-encoder has no label {error}, only {sorted(by_name)}") from error
