"""The contract of a backend over a table of a database, whichever database it is."""

from __future__ import annotations

import re
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import numpy as np

from verifier.core.errors import BackendError, ConfigError, VerifierError
from verifier_backends.embedding import PlacedBackend
from verifier_backends.encoders import Encoder
from verifier_backends.index.batches import batches
from verifier_backends.index.binding import recorded
from verifier_backends.index.locks import ReadWriteLock
from verifier_backends.index.records import checked_item, checked_n_results
from verifier_backends.index.storage import read_manifest, writing
from verifier_backends.tables.content import Content, Place, is_table_name
from verifier_backends.tables.rows import (
    Condition,
    Row,
    Table,
    Vectors,
    conditions_of,
    hit_of,
    key_of,
    row_of,
    unit,
)
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where
from verifier_backends.vectors import Vector

__all__ = ["TableBackend"]

_DECIMALS = 6
"""Cosines are rounded to this, as in the exact index: what lies below must not break a tie."""

_ROWS_AT_ONCE = 1_000
_BYTES_AT_ONCE = 8 << 20
_CANDIDATES = 2
"""Candidates asked for, as a multiple of ``n_results``; never fewer than ``_LEAST``."""
_LEAST = 100


class TableBackend(PlacedBackend):
    """Search by the cosine of vectors in a table; a subclass says where that lies. Scores are cosines in [-1, 1].

    Whatever the database: upserts, deletions, filters, scores and the order of hits are exact, and never fewer hits
    come than match. Where it searches by a graph, the ranking is what that finds, which may miss some; a search that
    finds fewer than it was asked for, and one whose cut goes through a tie, is done again over all rows.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default.
        place: where the table lies.
        prefix: how names of tables begin.

    Raises:
        ConfigError: the prefix is no name.
    """

    capabilities = Capabilities(delete=True, get=True, where=True, persist=True)
    vendor: ClassVar[str] = ""
    """For messages."""

    def __init__(self, encoder: Encoder | None, place: Place, prefix: str) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_]{0,25}", prefix):
            raise ConfigError(
                f"collection must be up to 26 lower-case letters, digits or underscores, a letter first; got {prefix!r}"
            )
        super().__init__(encoder)
        self._place: Place = place
        self._prefix = prefix
        self._lock = ReadWriteLock()
        self._opening = threading.Lock()
        self._opened: Content | None = None

    @abstractmethod
    def _ours(self, what: str, error: Exception) -> BackendError:
        """An error of the database as one of ours."""

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text. Many at once go faster through ``add_many``."""
        self.add_many([Item(doc_id, text, metadata)])

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts; to readers of this backend all become visible at once.

        If the database fails in between, some may be stored and others not; adding them again mends that.
        """
        self.stage(items)()

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now, store when the result is called. Opens the database, so that what is missing shows here."""
        checked = list({item.doc_id: item for item in map(checked_item, items)}.values())
        if not checked:
            return lambda: None
        rows = [row_of(item) for item in checked]
        self._content()
        vectors = unit(self._encoder.encode([item.text for item in checked]), len(checked))
        return lambda: self._store(rows, vectors)

    def _store(self, rows: list[Row], vectors: Vectors) -> None:
        weights = [len(row.item) + sum(map(len, row.tags)) + 4 * vectors.shape[1] for row in rows]
        with self._lock.writing(), self._translated("store texts"):
            table = self._content().made(self._prefix, vectors.shape[1])
            for part in batches(weights, most=_ROWS_AT_ONCE, limit=_BYTES_AT_ONCE):
                table.put(rows[part], vectors[part])

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The nearest texts by cosine."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One batch through the encoder, a search for each text."""
        hits: list[list[Hit]] = [[] for _ in texts]
        asked = [i for i, text in enumerate(texts) if text.strip()]
        conditions = conditions_of(where, self.vendor)
        if not checked_n_results(n_results) or not asked or conditions is None or self._table is None:
            return hits
        vectors = unit(self._encoder.encode([texts[i] for i in asked]), len(asked))
        with self._lock.reading(), self._translated("search"):
            table = self._table
            for i, vector in zip(asked, vectors, strict=True):
                if table is not None and vector.any():  # a zero row has no direction and so no neighbours
                    hits[i] = _ranked(table, vector, n_results, conditions)
        return hits

    def count(self) -> int:
        """Number of stored texts."""
        with self._lock.reading(), self._translated("count"):
            return 0 if self._table is None else self._table.count()

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        keys = [key_of(doc_id) for doc_id in doc_ids]
        with self._lock.reading(), self._translated("read texts"):
            table, found = self._table, dict[str, str]()
            for part in _parts(list(dict.fromkeys(keys))):
                found.update(table.items(part) if table is not None else {})
        return [hit_of(key, found[key], 0.0) if key in found else None for key in keys]

    def vectors(self, doc_ids: Sequence[str]) -> list[Vector | None]:
        """The vectors of these ids, of length 1; ``None`` where there is none."""
        keys = [key_of(doc_id) for doc_id in doc_ids]
        with self._lock.reading(), self._translated("read vectors"):
            table, found = self._table, dict[str, Sequence[float]]()
            for part in _parts(list(dict.fromkeys(keys))):
                found.update(table.vectors(part) if table is not None else {})
        return [np.array(found[key], dtype=np.float32) if key in found else None for key in keys]

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""
        keys = list(dict.fromkeys(map(key_of, doc_ids)))
        with self._lock.writing(), self._translated("delete texts"):
            table = self._table
            return sum(table.remove(part) for part in _parts(keys)) if table is not None else 0

    def save(self, directory: Path) -> None:
        """In a folder: copy the index into an empty or new directory. Elsewhere: record its table there."""
        content = self._content()
        with self._lock.writing(), writing(directory, self.identity), self._translated("save"):
            self._place.save(content, directory)

    def load(self, directory: Path) -> None:
        """In a folder: take a copy of what ``save`` wrote. Elsewhere: go on with the table that it recorded."""
        read_manifest(directory, self.identity)
        with self._translated(f"load {directory}"):
            content = self._place.load(directory)
        with self._lock.writing():
            before, self._opened = self._opened, content
        if before is not None:
            before.close()

    def discard(self, directory: Path, keeping: Sequence[Path] = ()) -> None:
        """Remove the table that ``directory`` records, unless it is in use here or kept."""
        name = recorded(directory)
        if not self._place.resident or not is_table_name(name) or name in map(recorded, keeping):
            return
        content = self._content()
        with self._lock.writing(), self._translated(f"remove the table {name!r}"):
            if content.table is None or content.table.name != name:
                content.database.drop(name)

    @property
    def _table(self) -> Table | None:
        """The table of the texts, ``None`` before the first write."""
        return self._opened.table if self._opened is not None else None

    def _content(self) -> Content:
        with self._opening:
            if self._opened is None:
                with self._translated("open the database"):
                    self._opened = self._place.open()
            return self._opened

    @contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        """Raise what the database raises inside as one of our errors."""
        try:
            yield
        except VerifierError:
            raise
        except Exception as error:
            raise self._ours(what, error) from error


def _ranked(table: Table, vector: Vectors, n_results: int, conditions: Sequence[Condition]) -> list[Hit]:
    """The ``n_results`` nearest rows, best first, ties by id, also where the cut goes through them."""
    limit, exact = max(_CANDIDATES * n_results, _LEAST), table.exact
    while True:
        found = table.nearest(vector, limit, conditions, exact=exact)
        hits = [hit_of(one.key, one.item, round(one.cosine, _DECIMALS) + 0.0) for one in found]
        hits.sort(key=lambda hit: (-hit["score"], hit["id"]))
        full = len(hits) < limit
        if full and not exact:  # a graph loses nodes, and a filter can cut it to pieces
            exact = True
        elif not full and hits[n_results - 1]["score"] == hits[-1]["score"]:
            limit, exact = 4 * limit, True
        else:
            return hits[:n_results]


def _parts(keys: list[str]) -> Iterator[list[str]]:
    return (keys[start : start + _ROWS_AT_ONCE] for start in range(0, len(keys), _ROWS_AT_ONCE))
