"""Variants of a knowledge base that say the same of its claims.

What is added must be irrelevant: ``irrelevant_to`` is strict, for a few passages; ``no_new_trace``, for whole
documents of others, asks only that they bring no word, name or figure of the claim that the knowledge base did not
hold before, because such a claim would rightly be judged by the addition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from verifier_signals.syntax import FUNCTION_WORDS

from verifier.types import Document

__all__ = ["irrelevant_passages", "irrelevant_to", "no_new_trace", "reordered", "sections_reordered"]

_WORD = re.compile(r"[^\W_]+")
_SECTION = re.compile(r"(?m)^(?=## )")


def irrelevant_passages(file: Path, count: int, random: Random) -> list[Document]:
    """``count`` paragraphs of a file about foreign topics, each a document.

    Raises:
        ValueError: the file has fewer paragraphs.
    """
    paragraphs = file.read_text(encoding="utf-8").split("\n\n")
    return [
        Document(source=f"irrelevant-{n}.txt", uri=f"irrelevant:{n}", text=text.strip())
        for n, text in enumerate(random.sample(paragraphs, count), 1)
    ]


def irrelevant_to(claim: str, added: Iterable[Document]) -> bool:
    """Whether the added documents hold no content word of the claim: they speak of nothing that it speaks of."""
    content = _words(claim) - FUNCTION_WORDS
    return all(content.isdisjoint(_words(document.text)) for document in added)


def no_new_trace(claim: str, documents: str, added: Iterable[Document]) -> bool:
    """Whether the added documents hold no word of the claim that ``documents`` lack."""
    lacking = _words(claim) - _words(documents)
    return all(lacking.isdisjoint(_words(document.text)) for document in added)


def reordered(documents: Sequence[Document]) -> list[Document]:
    """The same documents, the last one first."""
    return list(reversed(documents))


def sections_reordered(documents: Sequence[Document]) -> list[Document]:
    """Each document with its sections of the second level in reverse order, what stands above them kept in front."""
    out = []
    for document in documents:
        opening, *sections = _SECTION.split(document.text)
        text = opening + "".join(section.rstrip("\n") + "\n\n" for section in reversed(sections))
        out.append(replace(document, text=text) if len(sections) > 1 else document)
    return out


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
