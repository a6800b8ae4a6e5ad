"""Keyword search by PostgreSQL's full-text vectors.

Texts are taken apart here and not by the server's parsers, so that a word is the same as in SQLite's FTS5: a run of
letters and digits, without case and accents.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from verifier.knowledge.keyword import WORD, Row, spaced, words_of

__all__ = ["PostgresWords"]

_LONGEST = 500
"""Characters of a word; PostgreSQL takes 2,046 bytes."""

_LAST = 16_383
"""The last position that a full-text vector knows."""

_RANKED = """
    WITH found AS (
        SELECT k.passage, k.length, u.lexeme, cardinality(u.positions) AS times
        FROM keywords k CROSS JOIN unnest(k.words) u
        WHERE k.namespace = %(space)s AND k.words @@ %(any)s::tsquery AND u.lexeme = ANY (%(words)s::text[])
    ), counted AS (SELECT lexeme, count(*) AS rows FROM found GROUP BY lexeme
    ), whole AS (
        SELECT count(*)::float8 AS rows, avg(length)::float8 AS length FROM keywords WHERE namespace = %(space)s
    )
    SELECT passage, sum(
        greatest(ln((w.rows - c.rows + 0.5) / (c.rows + 0.5)), 1e-6)
        * (f.times * 2.2) / (f.times + 1.2 * (0.25 + 0.75 * f.length / w.length))
    ) AS score
    FROM found f JOIN counted c USING (lexeme) CROSS JOIN whole w
    GROUP BY passage ORDER BY score DESC, passage
"""
"""BM25 as FTS5 has it: k1 = 1.2, b = 0.75, and a word in more than half of the rows counts almost nothing."""

_COUNTED = """
    SELECT a.number, (SELECT count(*) FROM keywords k WHERE k.namespace = %s AND k.words @@ a.asked)
    FROM unnest(%s::tsquery[]) WITH ORDINALITY AS a (asked, number)
"""

_OCCURRING = """
    SELECT a.number FROM unnest(%s::tsquery[]) WITH ORDINALITY AS a (asked, number)
    WHERE EXISTS (SELECT 1 FROM keywords k WHERE k.namespace = %s AND k.words @@ a.asked)
"""


class PostgresWords:
    """The words of the passages, a row each.

    Args:
        raw: a connection of psycopg in a transaction.
    """

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    def create(self, namespace: int) -> None:
        """Nothing is needed for a new namespace."""

    def drop(self, namespace: int) -> None:
        """Forget a namespace that holds nothing."""
        self._raw.execute("DELETE FROM keywords WHERE namespace = %s", [namespace])

    def add(self, namespace: int, rows: Iterable[Row]) -> None:
        """Index passages."""
        given = [(number, namespace, *_vector(head, body)) for number, head, body in rows]
        with self._raw.cursor() as cursor:
            cursor.executemany("INSERT INTO keywords VALUES (%s, %s, %s, %s)", given)

    def remove(self, namespace: int, rows: Iterable[Row]) -> None:
        """Take passages out."""
        numbers = [number for number, _, _ in rows]
        self._raw.execute(
            "DELETE FROM keywords WHERE namespace = %s AND passage = ANY (%s)", [namespace, numbers]
        )

    def search(self, namespace: int, query: str) -> Iterator[tuple[int, float]]:
        """Row id and BM25 score of the passages with any word of ``query``, best first."""
        words = list(dict.fromkeys(part for word in words_of(query) for part in _words(word)))
        if not words:
            return
        values = {"space": namespace, "any": " | ".join(map(_quoted, words)), "words": words}
        yield from self._raw.execute(_RANKED, values)

    def frequencies(self, namespace: int, phrases: Iterable[str]) -> dict[str, int]:
        """In how many passages each phrase occurs."""
        counts = dict.fromkeys(phrases, 0)
        if asked := _asked(counts):
            names = list(asked)
            for number, count in self._raw.execute(_COUNTED, [namespace, list(asked.values())]):
                counts[names[number - 1]] = count
        return counts

    def occurring(self, namespace: int, phrases: Iterable[str]) -> set[str]:
        """Those phrases that occur in a passage."""
        asked = _asked(phrases)
        if not asked:
            return set()
        names = list(asked)
        found = self._raw.execute(_OCCURRING, [list(asked.values()), namespace])
        return {names[number - 1] for (number,) in found}


def _vector(head: str, body: str) -> tuple[int, str]:
    """How many words a passage has, and its full-text vector; no phrase goes from its head into its body."""
    first, second = _words(head), _words(body)
    places: dict[str, list[int]] = {}
    for place, word in (*enumerate(first, 1), *enumerate(second, len(first) + 2)):
        places.setdefault(word, []).append(min(place, _LAST))
    vector = " ".join(f"{_quoted(word)}:{','.join(map(str, at))}" for word, at in places.items())
    return len(first) + len(second), vector


def _asked(phrases: Iterable[str]) -> dict[str, str]:
    """The query for each phrase that has words."""
    found = {phrase: _words(phrase) for phrase in dict.fromkeys(phrases)}
    return {phrase: " <-> ".join(map(_quoted, words)) for phrase, words in found.items() if words}


def _words(text: str) -> list[str]:
    """The words of a text in order.

    >>> _words("The CAFÉ in Zürich: 60-day")
    ['the', 'cafe', 'in', 'zurich', '60', 'day']
    """
    whole = unicodedata.normalize("NFD", spaced(text))
    plain = "".join(character for character in whole if not unicodedata.combining(character))
    return [word.casefold()[:_LONGEST] for word in WORD.findall(plain)]


def _quoted(word: str) -> str:
    """A word as PostgreSQL reads it in a vector or a query; it is of letters and digits alone."""
    return f"'{word}'"
