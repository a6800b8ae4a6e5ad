"""The ids, texts and metadata of an index, readable while they are written."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier_backends.filters import plain_filter
from verifier_backends.index.texts import Texts
from verifier_backends.types import Hit, Item, MetadataValue, Where

__all__ = ["Records", "checked_item", "checked_n_results", "grown"]

_Mask = NDArray[np.bool_]

_BETWEEN, _BEFORE_METADATA = b'", "', b'", {'
"""What stands between the parts of a line. Within a part the quotation mark has a backslash before it."""

_KNOWN = 1 << 16
"""Different metadata that are remembered to be kept once; where more differ, they are rarely equal."""


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

    The texts, the lists and the id map are shared by successive states: a state reads only its first ``size`` slots,
    which are never changed. Only the newest state may be written to (``append``, ``remove``) or asked for a
    slot by id, and that by one thread at a time.
    """

    size: int = 0
    live: int = 0
    _ids: list[str] = field(default_factory=list)
    _texts: Texts = field(default_factory=Texts)
    _metadata: list[Mapping[str, MetadataValue]] = field(default_factory=list)
    _known: dict[str, Mapping[str, MetadataValue]] = field(default_factory=dict)
    _slots: dict[str, int] = field(default_factory=dict)
    _alive: _Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    _columns: dict[str, dict[MetadataValue, NDArray[np.intp]]] = field(default_factory=dict)

    def append(self, items: Sequence[Item]) -> Records:
        """The state with ``items`` (of distinct ids) in the next slots; older items of the same id die."""
        replaced = [self._slots[item.doc_id] for item in items if item.doc_id in self._slots]
        alive = grown(self._alive, self.size, len(items))
        if replaced:
            alive = alive.copy()
            alive[replaced] = False
        size = self.size + len(items)
        alive[self.size : size] = True
        self._slots.update((item.doc_id, slot) for slot, item in enumerate(items, self.size))
        self._ids.extend(item.doc_id for item in items)
        self._texts.extend(item.text for item in items)
        self._metadata.extend(_shared(self._known, item.metadata or {}) for item in items)
        live = self.live + len(items) - len(replaced)
        return replace(self, size=size, live=live, _alive=alive, _columns={})

    def remove(self, doc_ids: Iterable[str]) -> Records:
        """The state without these ids; unknown ones are passed over."""
        slots = [self._slots.pop(doc_id) for doc_id in dict.fromkeys(doc_ids) if doc_id in self._slots]
        if not slots:
            return self
        alive = self._alive.copy()
        alive[slots] = False
        return replace(self, live=self.live - len(slots), _alive=alive, _columns={})

    def compacted(self) -> Records:
        """A state of its own with the live items only, in the same order."""
        return Records().append(list(self.items()))

    def slots(self, doc_ids: Iterable[str]) -> list[int | None]:
        """The slot of each id, ``None`` where there is none."""
        return [self._slots.get(doc_id) for doc_id in doc_ids]

    @property
    def wasteful(self) -> bool:
        """Whether so many slots are dead that compacting pays."""
        return self.size - self.live > max(self.live, 256)

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
            column = self._column(key)
            meets = np.zeros(self.size, dtype=bool)
            for value in values:
                meets[column.get(value, [])] = True
            allowed &= meets
        return allowed

    def _column(self, key: str) -> dict[MetadataValue, NDArray[np.intp]]:
        if key not in self._columns:
            slots: dict[MetadataValue, list[int]] = {}
            for slot in range(self.size):
                slots.setdefault(self._metadata[slot].get(key), []).append(slot)
            self._columns[key] = {value: np.array(found) for value, found in slots.items()}
        return self._columns[key]

    def best(self, slots: NDArray[np.intp], scores: NDArray[np.float64], n_results: int) -> list[Hit]:
        """Fresh hits for the ``n_results`` best of ``slots``: score descending, ties by id."""
        if 0 < n_results < len(slots):
            good = scores >= np.partition(scores, len(scores) - n_results)[len(scores) - n_results]
            slots, scores = slots[good], scores[good]
        order = sorted(zip(-scores, (self._ids[slot] for slot in slots), slots, strict=True))[:n_results]
        return [self._hit(slot, float(-negated)) for negated, _, slot in order]

    def get(self, doc_ids: Iterable[str]) -> list[Hit | None]:
        """A fresh hit of score 0 for each id, ``None`` where there is none."""
        slots = self.slots(doc_ids)
        return [None if slot is None else self._hit(slot, 0.0) for slot in slots]

    def _hit(self, slot: int, score: float) -> Hit:
        return Hit(
            id=self._ids[slot], text=self._texts[slot], score=score, metadata=dict(self._metadata[slot])
        )

    def items(self) -> Iterable[Item]:
        """The live items in the order of their slots."""
        for slot in np.flatnonzero(self.alive).tolist():
            yield Item(self._ids[slot], self._texts[slot], self._metadata[slot])

    def save(self, path: Path) -> None:
        """Write the live items, one JSON array a line. Lines that an earlier ``save`` has written are copied."""
        live = np.flatnonzero(self.alive)
        with path.open("wb") as file:
            file.writelines(self._texts.lines(live))
            for slot in self._texts.in_memory(live).tolist():
                line = json.dumps([self._ids[slot], self._texts[slot], self._metadata[slot]])
                file.write(line.encode("ascii") + b"\n")

    @staticmethod
    def load(path: Path) -> Records:
        """The items that ``save`` wrote. Their texts stay in the file; equal metadata are kept once."""
        ids: list[str] = []
        metadata: list[Mapping[str, MetadataValue]] = []
        starts = array("q", [0])
        known: dict[str, Mapping[str, MetadataValue]] = {}
        with path.open("rb") as file:
            for line in file:
                doc_id, found = _about(line)
                ids.append(doc_id)
                metadata.append(_shared(known, found))
                starts.append(starts[-1] + len(line))
        return Records(
            size=len(ids),
            live=len(ids),
            _ids=ids,
            _texts=Texts(path, np.frombuffer(starts, dtype=np.int64)),
            _metadata=metadata,
            _known=known,
            _slots={doc_id: slot for slot, doc_id in enumerate(ids)},
            _alive=np.ones(len(ids), dtype=bool),
        )


def _about(line: bytes) -> tuple[str, Mapping[str, MetadataValue]]:
    """Id and metadata of an item in the line that ``save`` wrote; its text, which is most of it, is not decoded.

    >>> _about(b'["p1", "He said \\\\", {}\\\\".", {"page": 2}]\\n')
    ('p1', {'page': 2})
    """
    id_ends, text_ends = line.find(_BETWEEN), line.rfind(_BEFORE_METADATA)
    plain = 0 < id_ends < text_ends and b"\\" not in line[:id_ends] and b"\\" not in line[text_ends - 1 :]
    if not plain:
        doc_id, _, metadata = json.loads(line)
        return doc_id, metadata
    return line[2:id_ends].decode("ascii"), json.loads(line[text_ends + 3 : -2])


def _shared(
    known: dict[str, Mapping[str, MetadataValue]], metadata: Mapping[str, MetadataValue]
) -> Mapping[str, MetadataValue]:
    """These metadata, or equal ones that are known: in a large base they take more room than the ids."""
    key = repr(metadata)
    if key in known or len(known) < _KNOWN:
        return known.setdefault(key, metadata)
    return metadata
