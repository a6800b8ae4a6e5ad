"""A namespace of an index, in which a write ends when queries see it.

Pinecone shows writes with a delay. A serverless index numbers the writes of a namespace and tells with each query
up to which number it has come (``lsn_committed`` and ``lsn_reconciled`` in the client). Where these numbers are
missing, as on pods, and for deletions, whose answer the client does not hand on, a query by the mark of the write
or by the deleted ids shows whether it is visible. Pinecone counts records apart. A write waits for that count too;
if it does not come, queries are right nevertheless, so the write ends well, and asking for the count is an error.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from verifier.core.errors import BackendRejected, BackendUnavailable
from verifier_backends.index.batches import batches
from verifier_backends.index.flat import PAYLOAD
from verifier_backends.pinecone.client import sdk
from verifier_backends.pinecone.records import ID, LONG, MARK, Piece, Record, beacon, piece_ids, weight
from verifier_backends.pinecone.waiting import Waiting

__all__ = ["MOST_RESULTS", "Namespace"]

MOST_RESULTS = 10_000
"""Results of one query; https://docs.pinecone.io/reference/api/database-limits/operation-limits"""

_MOST_RECORDS = 1_000
"""Records of one upsert, and ids of one deletion."""

_REQUEST_BYTES = 1_900_000
"""Of one upsert, which may have 2 MB."""

_WITH_METADATA = 90
"""Results of a query with metadata: its answer may have 4 MB, and a record 40 KB."""

_FETCHED = 40
"""Pieces of one fetch: their ids stand in the address, and their vectors come with them."""


@dataclass(frozen=True)
class _Written:
    """One upsert that is not known to be visible."""

    mark: str
    size: int
    lsn: int | None


class Namespace:
    """The records of one backend in a namespace of ``index``, and the pieces of long texts in one beside it."""

    def __init__(
        self, index: Any, name: str, dimension: int, waiting: Waiting, expected: int | None = None
    ) -> None:
        self.name = name
        self._index, self._waiting = index, waiting
        self._nowhere = beacon(dimension)
        self._dimension = dimension
        self._expected = expected
        self._awaits_counts = True

    @property
    def _beside(self) -> str:
        return f"{self.name}-pieces"

    def count(self) -> int:
        """Number of records, once Pinecone's count has come up with what was written through this object.

        Raises:
            BackendUnavailable: it has not in time.
        """
        expected = self._expected
        if expected is None:
            return self._counted()
        self._waiting.until(lambda: self.owed() is None, _late(f"a count of {expected} texts"))
        return expected

    def owed(self) -> int | None:
        """The count that Pinecone has not come up with yet, ``None`` where it has."""
        if self._expected is not None and self._counted() == self._expected:
            self._expected = None
        return self._expected

    def _counted(self) -> int:
        known = self._index.describe_index_stats().namespaces
        return int(known[self.name].vector_count) if self.name in known else 0

    def is_empty(self) -> bool:
        """Whether queries find nothing at all."""
        return not self._query(1, None).matches

    def nearest(
        self, vector: Sequence[float], top_k: int, where: Mapping[str, Any] | None
    ) -> list[tuple[float, str, Mapping[str, Any] | None]]:
        """Score, escaped id and, where few are asked for, metadata of the ``top_k`` nearest, in Pinecone's order."""
        full = top_k <= _WITH_METADATA
        answer = self._query(top_k, where, vector, include_metadata=full)
        return [(match.score, match.id, match.metadata if full else None) for match in answer.matches]

    def read(self, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        """The metadata of those records that are there, by escaped id, as queries see them."""
        found: dict[str, Mapping[str, Any]] = {}
        for part in _parts(ids, _WITH_METADATA):
            answer = self._query(len(part), {ID: {"$in": part}}, include_metadata=True)
            found.update((match.id, match.metadata) for match in answer.matches)
        return found

    def content(self, metadata: Mapping[str, Any]) -> Mapping[str, Any]:
        """The record with its whole content under ``PAYLOAD``, put together from pieces where it is long.

        Raises:
            BackendUnavailable: a piece is missing: somebody is replacing the record.
        """
        ids = piece_ids(metadata)
        if not ids:
            return metadata
        fetched = self._fetch(ids)
        if any(piece not in fetched for piece in ids):
            raise BackendUnavailable(
                f"a long text in Pinecone's namespace {self.name!r} is incomplete: it is being replaced, "
                "or an earlier write failed; adding it again mends that"
            )
        return {**metadata, PAYLOAD: "".join(fetched[piece][PAYLOAD] for piece in ids)}

    def write(self, records: Sequence[Record], values: Sequence[Sequence[float]]) -> None:
        """Store records, replacing those of the same id; returns when queries show them.

        Raises:
            BackendUnavailable: they do not in time. They are stored, and will appear; writing again does no harm.
        """
        mark, ids = uuid.uuid4().hex, [record.id for record in records]
        total = self._total()
        new = set(ids) - self._known(ids)
        outdated = self._pieces_of(ids)
        added = [piece for record in records for piece in record.pieces]
        names = [piece.id for piece in added]
        if added:
            self._upsert(self._beside, added, [self._nowhere] * len(added), mark)
            self._waiting.until(partial(self._pieces_are_there, names), _late("pieces of a long text"))
        written = self._upsert(self.name, records, values, mark)
        if all(one.lsn is not None for one in written):
            written = written[-1:]  # Numbers rise, so the last tells of all.
        for one in written:
            self._waiting.until(partial(self._is_visible, one), _late("texts that were stored"))
        self._await_count(total + len(new))
        self._drop(self._beside, sorted(outdated.difference(names)))

    def delete(self, ids: Sequence[str]) -> int:
        """Remove records; returns how many were there, when queries no longer show them.

        Raises:
            BackendUnavailable: they still do after a while. They are removed, and will go.
        """
        known = sorted(self._known(ids))
        if not known:
            return 0
        total, outdated = self._total(), self._pieces_of(known)
        self._drop(self.name, known)
        self._waiting.until(lambda: not self._known(known), _late("the removal of texts"))
        self._await_count(total - len(known))
        self._drop(self._beside, sorted(outdated))
        return len(known)

    def remove(self) -> None:
        """Remove everything, and so the namespace."""
        for name in (self.name, self._beside):
            try:
                self._index.delete(delete_all=True, namespace=name)
            except sdk().NotFoundError:
                continue

    def _query(
        self,
        top_k: int,
        where: Mapping[str, Any] | None,
        vector: Sequence[float] | None = None,
        include_metadata: bool = False,
    ) -> Any:
        return self._index.query(
            vector=self._nowhere if vector is None else vector,
            top_k=top_k,
            namespace=self.name,
            filter=where,
            include_metadata=include_metadata,
        )

    def _known(self, ids: Sequence[str], also: Mapping[str, Any] | None = None) -> set[str]:
        """Those of the ids that queries see, and that meet ``also``."""
        found: set[str] = set()
        for part in _parts(ids, _MOST_RECORDS):
            wanted: Mapping[str, Any] = {ID: {"$in": part}}
            answer = self._query(len(part), {"$and": [wanted, also]} if also else wanted)
            found.update(match.id for match in answer.matches)
        return found

    def _upsert(
        self,
        namespace: str,
        records: Sequence[Record | Piece],
        values: Sequence[Sequence[float]],
        mark: str,
    ) -> list[_Written]:
        written = []
        weights = [weight(record, self._dimension) for record in records]
        for rows in batches(weights, most=_MOST_RECORDS, limit=_REQUEST_BYTES):
            own = f"{mark}-{rows.start}"
            vectors = [
                _vector(record, row, own) for record, row in zip(records[rows], values[rows], strict=True)
            ]
            answer = self._index.upsert(vectors=vectors, namespace=namespace)
            if answer.upserted_count != len(vectors):
                raise BackendRejected(
                    f"Pinecone stored {answer.upserted_count} of {len(vectors)} records; add them again"
                )
            written.append(_Written(own, len(vectors), answer.response_info.lsn_committed))
        return written

    def _is_visible(self, written: _Written) -> bool:
        answer = self._query(written.size, {MARK: {"$eq": written.mark}})
        reached = answer.response_info.lsn_reconciled
        if written.lsn is not None and reached is not None:
            return bool(reached >= written.lsn)
        return len(answer.matches) == written.size

    def _total(self) -> int:
        """How many records there are before a write. Until it has ended well, nobody knows what to expect."""
        total = self._counted() if self._expected is None else self._expected
        self._expected = None
        return total

    def _await_count(self, expected: int) -> None:
        """Wait for the count, unless it did not come before: then ``count`` waits, and says so."""
        self._expected = expected
        if self._awaits_counts:
            try:
                self.count()
            except BackendUnavailable:
                self._awaits_counts = False

    def _pieces_of(self, ids: Sequence[str]) -> set[str]:
        """Ids of all pieces of those of the records that are long."""
        long = self.read(sorted(self._known(ids, {LONG: {"$eq": True}})))
        return {piece for metadata in long.values() for piece in piece_ids(metadata)}

    def _pieces_are_there(self, ids: Sequence[str]) -> bool:
        return len(self._fetch(ids)) == len(set(ids))

    def _drop(self, namespace: str, ids: Sequence[str]) -> None:
        for part in _parts(ids, _MOST_RECORDS):
            self._index.delete(ids=part, namespace=namespace)

    def _fetch(self, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        found: dict[str, Mapping[str, Any]] = {}
        for part in _parts(ids, _FETCHED):
            vectors = self._index.fetch(ids=part, namespace=self._beside).vectors
            found.update((name, vector.metadata) for name, vector in vectors.items())
        return found


def _vector(record: Record | Piece, values: Sequence[float], mark: str) -> dict[str, Any]:
    metadata: dict[str, Any] = {**record.metadata, MARK: mark}
    return {"id": record.id, "values": values, "metadata": metadata}


def _parts(ids: Sequence[str], most: int) -> Iterator[list[str]]:
    for start in range(0, len(ids), most):
        yield list(ids[start : start + most])


def _late(what: str) -> str:
    return f"Pinecone has taken a write, but does not yet show {what}"
