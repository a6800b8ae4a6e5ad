"""The ids, texts and metadata of an index, readable while they are written: saved ones in files, the rest here."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier_backends.filters import plain_filter
from verifier_backends.index.items import Column, StoredItems, hashed, line_of, write_items
from verifier_backends.types import Hit, Item, MetadataValue, Where

__all__ = ["Records", "checked_item", "checked_n_results", "grown"]

_Mask = NDArray[np.bool_]
_Slots = NDArray[np.intp]

_KNOWN = 1 << 16
"""Different metadata that are remembered to be kept once; where more differ, they are rarely equal."""

_LINES = 4096
"""Lines that are made at a time."""


def checked_item(item: Item) -> Item:
    """The item with a copy of its metadata.

    Raises:
        ValueError: the id is empty or the text is blank.
    """
    doc_id, text, metadata = item
    if not doc_id:
        raise ValueError("doc_id must not be empty")
    if not text.strip():
        raise ValueError(f"the text of {doc_id!r} is blank; there is nothing to index")
    return Item(doc_id, text, dict(metadata or {}))


def checked_n_results(n_results: int) -> int:
    """``n_results`` if it is at least 0, else ``ValueError``."""
    if n_results < 0:
        raise ValueError(f"n_results must be at least 0, got {n_results}")
    return n_results


def grown(buffer: NDArray[Any], size: int, extra: int) -> NDArray[Any]:
    """``buffer`` itself if ``extra`` more rows fit behind ``size``, else a copy of twice the capacity.

    Rows before ``size`` are never written again, so older snapshots may go on reading the old buffer.
    """
    needed = size + extra
    if needed <= len(buffer) and buffer.flags.writeable:
        return buffer
    bigger = np.zeros((max(needed, 2 * size, 64), *buffer.shape[1:]), dtype=buffer.dtype)
    bigger[:size] = buffer[:size]
    return bigger


@dataclass(frozen=True)
class Records:
    """One state of the stored items, each in a slot; the slots of replaced and deleted items are dead.

    The first slots are those of the saved parts, one part after the other; those behind them, the *tail*, are in
    memory. Texts of the tail are kept in UTF-8: a dash or a quotation mark would double what a ``str`` takes.

    The lists of the tail and its id map are shared by successive states: a state reads only its first ``size`` slots,
    which are never changed. Only the newest state may be written to (``append``, ``remove``) or asked for a
    slot by id, and that by one thread at a time.
    """

    size: int = 0
    live: int = 0
    parts: tuple[StoredItems, ...] = ()
    _ids: list[str] = field(default_factory=list)
    _texts: list[bytes] = field(default_factory=list)
    _metadata: list[Mapping[str, MetadataValue]] = field(default_factory=list)
    _known: dict[str, Mapping[str, MetadataValue]] = field(default_factory=dict)
    _slots: dict[str, int] = field(default_factory=dict)
    _alive: _Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    _columns: dict[str, Column] = field(default_factory=dict)

    @staticmethod
    def of_parts(parts: Iterable[StoredItems], alive: _Mask | None = None) -> Records:
        """The items of saved parts, all of them or those whose slots are alive."""
        parts = tuple(parts)
        alive = np.ones(sum(map(len, parts)), dtype=bool) if alive is None else alive
        return Records(size=len(alive), live=int(np.count_nonzero(alive)), parts=parts, _alive=alive)

    @cached_property
    def bounds(self) -> Sequence[int]:
        """The first slot of each part, and that of the tail."""
        return tuple(accumulate(map(len, self.parts), initial=0))

    @property
    def stored(self) -> int:
        """Number of slots of the saved parts."""
        return self.bounds[-1]

    def append(self, items: Sequence[Item]) -> Records:
        """The state with ``items`` (of distinct ids) in the next slots; older items of the same id die."""
        replaced = [slot for slot in self.slots(item.doc_id for item in items) if slot is not None]
        alive = grown(self._alive, self.size, len(items))
        if replaced:
            alive = alive.copy()
            alive[replaced] = False
        size = self.size + len(items)
        alive[self.size : size] = True
        self._slots.update((item.doc_id, slot) for slot, item in enumerate(items, self.size))
        self._ids.extend(item.doc_id for item in items)
        self._texts.extend(item.text.encode("utf-8", "surrogatepass") for item in items)
        self._metadata.extend(_shared(self._known, item.metadata or {}) for item in items)
        live = self.live + len(items) - len(replaced)
        return replace(self, size=size, live=live, _alive=alive, _columns={})

    def remove(self, doc_ids: Iterable[str]) -> Records:
        """The state without these ids; unknown ones are passed over."""
        ids = list(dict.fromkeys(doc_ids))
        slots = [slot for slot in self.slots(ids) if slot is not None]
        if not slots:
            return self
        for doc_id in ids:
            self._slots.pop(doc_id, None)
        alive = self._alive.copy()
        alive[slots] = False
        return replace(self, live=self.live - len(slots), _alive=alive, _columns={})

    def compacted(self) -> Records:
        """A state of its own with the live items only, in the same order, all of them in memory."""
        return Records().append(list(self.items()))

    def trimmed(self) -> Records:
        """A state of its own without the dead slots of the tail; what is saved stays as it is."""
        parts = Records.of_parts(self.parts, self._alive[: self.stored].copy())
        tail = self.stored + np.flatnonzero(self.alive[self.stored :])
        return parts.append([self._item(slot) for slot in tail.tolist()])

    def slots(self, doc_ids: Iterable[str]) -> list[int | None]:
        """The slot of each id, ``None`` where there is none."""
        ids = list(doc_ids)
        found = [self._slots.get(doc_id) for doc_id in ids]
        if self.parts:
            hashes = np.fromiter(map(hashed, ids), dtype=np.uint64, count=len(ids))
            for first, part in zip(self.bounds, self.parts, strict=False):
                for place, slot in part.find(ids, hashes):
                    if found[place] is None and self._alive[first + slot]:
                        found[place] = first + slot
        return found

    @property
    def wasteful(self) -> bool:
        """Whether so many slots are dead that compacting pays."""
        return self.size - self.live > max(self.live, 256)

    @property
    def untidy(self) -> bool:
        """Whether so many slots of the tail are dead that trimming pays."""
        live = int(np.count_nonzero(self.alive[self.stored :]))
        return self.size - self.stored - live > max(live, 256)

    @property
    def alive(self) -> _Mask:
        """Which slots hold a live item, shape [size]."""
        return self._alive[: self.size]

    def mask(self, where: Where | None) -> _Mask:
        """Which slots hold a live item that matches ``where`` as ``filters.matches`` has it, shape [size]."""
        if not where:
            return self.alive
        allowed = self.alive.copy()
        for key, wanted in plain_filter(where).items():
            values = [wanted] if isinstance(wanted, str) or not isinstance(wanted, Sequence) else wanted
            columns = [part.column(key) for part in self.parts]
            allowed &= np.concatenate([column.meets(values) for column in (*columns, self._column(key))])
        return allowed

    def _column(self, key: str) -> Column:
        """The values of a key in the tail."""
        if key not in self._columns:
            self._columns[key] = Column(about.get(key) for about in self._metadata[: self.size - self.stored])
        return self._columns[key]

    def best(self, slots: _Slots, scores: NDArray[np.float64], n_results: int) -> list[Hit]:
        """Fresh hits for the ``n_results`` best of ``slots``: score descending, ties by id."""
        if 0 < n_results < len(slots):
            good = scores >= np.partition(scores, len(scores) - n_results)[len(scores) - n_results]
            slots, scores = slots[good], scores[good]
        order = sorted(zip(-scores, map(self._id, slots.tolist()), slots.tolist(), strict=True))[:n_results]
        return [self._hit(slot, float(-negated)) for negated, _, slot in order]

    def get(self, doc_ids: Iterable[str]) -> list[Hit | None]:
        """A fresh hit of score 0 for each id, ``None`` where there is none."""
        return [None if slot is None else self._hit(slot, 0.0) for slot in self.slots(doc_ids)]

    def _hit(self, slot: int, score: float) -> Hit:
        doc_id, text, metadata = self._item(slot)
        return Hit(id=doc_id, text=text, score=score, metadata=dict(metadata or {}))

    def _id(self, slot: int) -> str:
        if slot >= self.stored:
            return self._ids[slot - self.stored]
        part, inner = self._place(slot)
        return part.doc_id(inner)

    def _item(self, slot: int) -> Item:
        if slot < self.stored:
            part, inner = self._place(slot)
            return part.item(inner)
        at = slot - self.stored
        return Item(self._ids[at], self._texts[at].decode("utf-8", "surrogatepass"), self._metadata[at])

    def _place(self, slot: int) -> tuple[StoredItems, int]:
        number = bisect_right(self.bounds, slot) - 1
        return self.parts[number], slot - self.bounds[number]

    def items(self) -> Iterator[Item]:
        """The live items in the order of their slots."""
        return map(self._item, np.flatnonzero(self.alive).tolist())

    def save(self, path: Path) -> None:
        """Write the live items, one JSON array a line. Lines that an earlier ``save`` has written are copied."""
        with path.open("wb") as file:
            for lines, _, _ in self._pieces(np.flatnonzero(self.alive)):
                file.writelines(lines)

    @staticmethod
    def load(path: Path) -> Records:
        """The items that ``save`` wrote. They stay in the file."""
        return Records.of_parts([StoredItems.scan(path)])

    def write(self, folder: Path, slots: _Slots) -> None:
        """Write the items of these slots, which ascend, as a part."""
        pieces = list(self._pieces(slots))
        lengths = np.concatenate([np.zeros(0, dtype=np.int64), *(lengths for _, lengths, _ in pieces)])
        hashes = np.concatenate([np.zeros(0, dtype=np.uint64), *(hashes for _, _, hashes in pieces)])
        write_items(folder, (line for lines, _, _ in pieces for line in lines), lengths, hashes)

    def _pieces(
        self, slots: _Slots
    ) -> Iterator[tuple[Iterable[bytes | memoryview], NDArray[np.int64], NDArray[np.uint64]]]:
        """The lines of these slots, the length of each and the hashes of their ids, a part or some of the tail each."""
        for first, part in zip(self.bounds, self.parts, strict=False):
            inner = slots[(first <= slots) & (slots < first + len(part))] - first
            yield part.lines(inner), part.lengths(inner), part.hashes(inner)
        tail = slots[slots >= self.stored].tolist()
        for start in range(0, len(tail), _LINES):
            lines = [line_of(*self._item(slot)) for slot in tail[start : start + _LINES]]
            codes = [hashed(self._id(slot)) for slot in tail[start : start + _LINES]]
            yield lines, np.array([len(line) for line in lines]), np.array(codes, dtype=np.uint64)


def _shared(
    known: dict[str, Mapping[str, MetadataValue]], metadata: Mapping[str, MetadataValue]
) -> Mapping[str, MetadataValue]:
    """These metadata, or equal ones that are known: in a large base they take more room than the ids."""
    key = repr(metadata)
    if key in known or len(known) < _KNOWN:
        return known.setdefault(key, metadata)
    return metadata
