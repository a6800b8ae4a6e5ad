"""Which names of documents, as people write them, belong to documents of a knowledge base.

A name stands for a document whatever folder, ending, case or separators it is written with:
``policies/Refund_rules.pdf`` is ``refund rules``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from verifier.knowledge.connection import Connection
from verifier.types import Document

__all__ = ["called", "names_of", "read_as_names", "stem_of"]

_ENDING = re.compile(r"\.[a-z]\w{0,4}$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_MOST_PATTERNS = 40
"""Patterns of one statement; more names than these are looked for among all."""

_NAMES = """
    SELECT DISTINCT CASE instr(source, '#') WHEN 0 THEN source ELSE substr(source, 1, instr(source, '#') - 1) END, '{}'
    FROM sources WHERE namespace = ? AND %s
    UNION ALL SELECT title, '{}' FROM documents WHERE namespace = ? AND %s
    UNION ALL SELECT '', metadata FROM documents WHERE namespace = ? AND %s
"""


def stem_of(name: str) -> str:
    """The words of the name of a file, or of a title, without folders and ending.

    >>> stem_of("policies/Refund_rules.pdf"), stem_of("Refund rules"), stem_of("prices.csv#7")
    ('refund rules', 'refund rules', 'prices')
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2].partition("#")[0]
    return read_as_names(_ENDING.sub("", last))


def read_as_names(text: str) -> str:
    """The words of a text as :func:`stem_of` writes those of a name.

    >>> read_as_names("Refund_rules, 2nd edition")
    'refund rules 2nd edition'
    """
    return " ".join(_WORD.findall(text.casefold()))


def called(connection: Connection, namespace: int, stems: Iterable[str]) -> set[str]:
    """Those of ``stems`` that a source, a title or a value of the metadata of a document is called by."""
    wanted = set(stems)
    clauses, values = zip(*(_like(column, wanted) for column in ("source", "title", "metadata")), strict=True)
    arguments = [value for some in values for value in (namespace, *some)]
    rows = connection.execute(_NAMES % clauses, arguments)
    found: set[str] = set()
    for name, metadata in rows:
        found |= wanted.intersection(map(stem_of, (name, *_texts(json.loads(metadata).values()))))
        if len(found) == len(wanted):
            break
    return found


def names_of(documents: Iterable[Document]) -> set[str]:
    """What documents are called by, as :func:`stem_of` writes it."""
    return {
        stem_of(name) for one in documents for name in (one.source, one.title, *_texts(one.metadata.values()))
    }


def _like(column: str, stems: set[str]) -> tuple[str, list[str]]:
    """The clause that leaves out most of what none of the stems is a name of, and its values."""
    last = {stem.rpartition(" ")[2] for stem in stems}
    if len(last) > _MOST_PATTERNS or not all(word.isascii() for word in last):
        return f"{column} <> ''", []
    return f"({' OR '.join([f'{column} LIKE ?'] * len(last))})", [f"%{word}%" for word in sorted(last)]


def _texts(values: Iterable[object]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str))
