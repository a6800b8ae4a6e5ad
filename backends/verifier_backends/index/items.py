"""The items of a saved part of an index: they stay in their files until they are asked for."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.index.mapped import forget, raw, stored
from verifier_backends.types import Item, MetadataValue

__all__ = ["Column", "StoredItems", "hashed", "line_of", "write_items"]

_Slots = NDArray[np.intp]

_BETWEEN, _BEFORE_METADATA = b'", "', b'", {'
"""What stands between the parts of a line. Within a part the quotation mark has a backslash before it."""

_COPIED = 64 << 20
"""Bytes of lines that are copied before the memory of those read is given back."""


class Column:
    """The values of one key of the metadata by slot, ``None`` where it is absent."""

    def __init__(self, values: Iterable[MetadataValue]) -> None:
        self._codes: dict[MetadataValue, int] = {}
        known = self._codes
        self._by_slot = np.fromiter((known.setdefault(value, len(known)) for value in values), dtype=np.int32)

    def meets(self, wanted: Sequence[MetadataValue]) -> NDArray[np.bool_]:
        """Which slots have one of the wanted values."""
        codes = [self._codes[value] for value in wanted if value in self._codes]
        return np.isin(self._by_slot, codes)


class StoredItems:
    """Items in the order of their slots, never changed.

    Args:
        lines: JSON arrays ``[id, text, metadata]``, one a line, as bytes.
        starts: where each line begins, and behind them the length of all, shape [n + 1].
        hashes: of the ids, ascending, shape [n].
        order: the slot of each hash, shape [n].
    """

    def __init__(
        self,
        lines: NDArray[np.uint8],
        starts: NDArray[np.int64],
        hashes: NDArray[np.uint64],
        order: NDArray[np.int32],
    ) -> None:
        if not len(starts) == len(hashes) + 1 == len(order) + 1 or starts[-1] != len(lines):
            raise BackendRejected("the items of an index do not fit each other; build it anew")
        self._lines, self._starts, self._hashes, self._order = lines, starts, hashes, order
        self._columns: dict[str, Column] = {}

    @staticmethod
    def open(folder: Path) -> StoredItems:
        """What ``write_items`` wrote."""
        return StoredItems(
            raw(folder / "records.jsonl", np.uint8),
            *(stored(folder / f"{name}.npy") for name in ("lines", "hashes", "order")),
        )

    @staticmethod
    def scan(path: Path) -> StoredItems:
        """The items of a file of lines alone."""
        starts, hashes = array("q", [0]), array("Q")
        with path.open("rb") as file:
            for line in file:
                starts.append(starts[-1] + len(line))
                hashes.append(hashed(_id_of(line)))
        codes = np.array(hashes, dtype=np.uint64)
        order = np.argsort(codes, kind="stable").astype(np.int32)
        return StoredItems(raw(path, np.uint8), np.array(starts, dtype=np.int64), codes[order], order)

    def __len__(self) -> int:
        """Number of slots."""
        return len(self._order)

    def find(self, doc_ids: Sequence[str], hashes: NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
        """The place in ``doc_ids`` and the slot of each that is here, dead or alive.

        Args:
            doc_ids: what is looked for.
            hashes: of these ids, in their order.
        """
        first = np.searchsorted(self._hashes, hashes, "left")
        last = np.searchsorted(self._hashes, hashes, "right")
        for place in np.flatnonzero(first < last).tolist():
            for at in range(first[place], last[place]):
                if self.doc_id(slot := int(self._order[at])) == doc_ids[place]:
                    yield place, slot

    def doc_id(self, slot: int) -> str:
        """The id in a slot."""
        try:
            return _id_of(self._line(slot))
        except (ValueError, IndexError) as error:
            raise BackendRejected(f"item {slot + 1} of a saved index is damaged; build it anew") from error

    def item(self, slot: int) -> Item:
        """The item in a slot."""
        return Item(*json.loads(self._line(slot)))

    def column(self, key: str) -> Column:
        """The values of a key; kept once it was asked for."""
        if key not in self._columns:
            self._columns[key] = Column(_metadata_of(self._line(slot)).get(key) for slot in range(len(self)))
            forget(self._lines)
        return self._columns[key]

    def lines(self, slots: _Slots) -> Iterator[memoryview]:
        """The lines of these slots, which ascend, run by run."""
        copied = 0
        for run in np.split(slots, np.flatnonzero(np.diff(slots) != 1) + 1) if len(slots) else ():
            at, end = int(self._starts[run[0]]), int(self._starts[run[-1] + 1])
            for start in range(at, end, _COPIED):
                stop = min(end, start + _COPIED)
                yield self._lines[start:stop].data
                copied += stop - start
                if copied >= _COPIED:
                    forget(self._lines)
                    copied = 0

    def lengths(self, slots: _Slots) -> NDArray[np.int64]:
        """The bytes of the lines of these slots."""
        return self._starts[slots + 1] - self._starts[slots]

    def hashes(self, slots: _Slots) -> NDArray[np.uint64]:
        """The hashes of the ids in these slots."""
        by_slot = np.empty(len(self), dtype=np.uint64)
        by_slot[self._order] = self._hashes
        return by_slot[slots]

    def _line(self, slot: int) -> bytes:
        return self._lines[self._starts[slot] : self._starts[slot + 1]].tobytes()


def hashed(doc_id: str) -> int:
    """64 bits of an id, the same on any machine."""
    code = hashlib.blake2b(doc_id.encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(code.digest(), "little")


def line_of(doc_id: str, text: str, metadata: Any) -> bytes:
    """The line of an item."""
    return json.dumps([doc_id, text, metadata]).encode("ascii") + b"\n"


def write_items(
    folder: Path, lines: Iterable[bytes | memoryview], lengths: NDArray[np.int64], hashes: NDArray[np.uint64]
) -> None:
    """Write items, for ``StoredItems.open``.

    Args:
        folder: where the files go.
        lines: those of all items, in pieces of any size.
        lengths: of each line, shape [n].
        hashes: of each id, shape [n].
    """
    with (folder / "records.jsonl").open("wb") as file:
        file.writelines(lines)
    order = np.argsort(hashes, kind="stable")
    np.save(folder / "lines.npy", np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
    np.save(folder / "hashes.npy", hashes[order])
    np.save(folder / "order.npy", order.astype(np.int32))


def _id_of(line: bytes) -> str:
    """The id in a line; the rest of it is not decoded.

    >>> _id_of(b'["p1", "He said \\\\", {}\\\\".", {"page": 2}]\\n')
    'p1'
    """
    end = line.find(_BETWEEN)
    if end > 0 and b"\\" not in line[:end]:
        return line[2:end].decode("ascii")
    return str(json.loads(line)[0])


def _metadata_of(line: bytes) -> dict[str, MetadataValue]:
    """The metadata in a line; its text, which is most of it, is not decoded.

    >>> _metadata_of(b'["p1", "He said \\\\", {}\\\\".", {"page": 2}]\\n')
    {'page': 2}
    """
    end = line.rfind(_BEFORE_METADATA)
    plain = 0 < line.find(_BETWEEN) < end and b"\\" not in line[end - 1 :]
    found: dict[str, MetadataValue] = json.loads(line[end + 3 : -2]) if plain else json.loads(line)[2]
    return found
