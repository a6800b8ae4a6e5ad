"""An index in several parts: immutable folders, of which a write adds one; those before it are linked.

::

    parts.json             name and number of items of each part, in the order of their slots
    000007/                the files of a part: its items, and what is searched
    000007.dead.npy        slots of the part whose items were replaced or deleted since it was written

A saved index is a folder of its own, as before: it holds a hard link to each file that is as it was in the one saved
before (a copy, where the file system has no links), the files of one new part, and those of parts that were merged.
Parts of similar size are merged when there are ``_TIER`` of them (the log-structured merge of O'Neil et al., 1996, in
size tiers), so that an item is written O(log n) times in its life. A write of few items merges few: large merges wait
for a large write, or until there are many parts.
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected
from verifier_backends.index.checksums import damage
from verifier_backends.index.items import StoredItems
from verifier_backends.index.mapped import stored
from verifier_backends.index.records import Records
from verifier_backends.index.storage import checksums_of

__all__ = ["PARTS", "Part", "has_parts", "keep_once", "merged_from", "open_parts", "records_of", "save_parts"]

PARTS = "parts.json"

_TIER = 8
"""Parts of similar size that are merged into one."""

_SMALLEST = 512
"""Items up to which parts are of similar size; each further tier is ``_TIER`` times as large."""

_AT_ONCE = 1 << 15
"""Items that any write may merge; it takes about a second."""

_FOR_EACH = 32
"""Items that may be merged for each that is written: merging them takes no longer than cutting and indexing it."""

_MOST = 64
"""Parts beyond which they are merged whatever it takes: each has files that stay open."""

_Slots = NDArray[np.intp]


@dataclass(frozen=True)
class Part:
    """One part of a saved index.

    Attributes:
        folder: where its files are.
        size: number of its slots.
        sums: checksums of its files by name, none where the index was saved without.
    """

    folder: Path
    size: int
    sums: Mapping[str, Sequence[int]]

    @property
    def number(self) -> int:
        """Its name as a number, which no other part of the index has."""
        return int(self.folder.name)

    def is_whole(self) -> bool:
        """Whether its files are there and as they were written: what is damaged must not go into another part."""
        try:
            return damage(self.folder, self.sums) is None
        except OSError:
            return False


def has_parts(directory: Path) -> bool:
    """Whether a saved index is in parts; older ones are not."""
    return (directory / PARTS).is_file()


def open_parts(directory: Path) -> tuple[list[Part], NDArray[np.bool_]]:
    """The parts of a saved index, and which of its slots hold live items.

    Raises:
        BackendRejected: the list of parts or the slots do not fit.
    """
    sums = checksums_of(directory)
    try:
        listed = [(str(name), int(size)) for name, size in json.loads((directory / PARTS).read_bytes())]
        alive = [_alive(directory, name, size) for name, size in listed]
    except (OSError, ValueError, TypeError, IndexError) as error:
        raise BackendRejected(f"the parts of the index in {directory} cannot be read: {error}") from error
    parts = [Part(directory / name, size, _below(sums, name)) for name, size in listed]
    return parts, np.concatenate([np.zeros(0, dtype=bool), *alive])


def records_of(parts: Sequence[Part], alive: NDArray[np.bool_]) -> Records:
    """The items of parts.

    Raises:
        BackendRejected: a part holds another number of items than is said of it.
    """
    items = [StoredItems.open(part.folder) for part in parts]
    for part, own in zip(parts, items, strict=True):
        if len(own) != part.size:
            raise BackendRejected(f"{part.folder} holds {len(own)} items, not {part.size}; build it anew")
    return Records.of_parts(items, alive)


def save_parts(
    directory: Path, records: Records, parts: Sequence[Part], write: Callable[[Path, int, int], None]
) -> dict[str, Sequence[int]]:
    """Write an index in parts: link those that stay, write the tail and what is merged as new ones.

    Args:
        directory: an empty folder.
        records: the items.
        parts: those that hold the first slots of ``records``, in their order.
        write: writes what is searched of the live items from one slot up to another into the folder of a part.

    Returns:
        The checksums of the files that were linked, by name in ``directory``.
    """
    sums: dict[str, Sequence[int]] = {}
    listed: list[tuple[str, int]] = []
    number = max((part.number for part in parts), default=0)
    for start, stop, part in _planned(records, parts):
        live = start + np.flatnonzero(records.alive[start:stop])
        if part is not None and _linked(part, directory / part.folder.name):
            name, size = part.folder.name, part.size
            sums.update({f"{name}/{file}": own for file, own in part.sums.items()})
            if len(live) < size:
                dead = np.flatnonzero(~records.alive[start:stop]).astype(np.int32)
                np.save(directory / f"{name}.dead.npy", dead)
        elif len(live):
            number += 1
            name, size = f"{number:06d}", len(live)
            (directory / name).mkdir()
            records.write(directory / name, live)
            write(directory / name, start, stop)
        else:
            continue
        listed.append((name, size))
    (directory / PARTS).write_text(json.dumps(listed) + "\n", encoding="ascii")
    return sums


def keep_once(directories: Sequence[Path]) -> None:
    """Let folders of saved indexes share the files of parts that are the same in them, as the items are."""
    first, *others = directories
    for path in sorted(first.glob("[0-9]*/*")):
        for other in others:
            twin = other / path.relative_to(first)
            if twin.is_file() and not twin.samefile(path) and filecmp.cmp(path, twin, shallow=False):
                with suppress(OSError):
                    os.link(path, draft := twin.with_name(f"{twin.name}.tmp"))
                    os.replace(draft, twin)


def merged_from(sizes: Sequence[int]) -> int:
    """The first of the parts at the end that are merged into one; their number where none are.

    Args:
        sizes: live items of each part, the last of which is about to be written.

    >>> merged_from([90_000, 600, 20, 3, 1])
    5
    >>> merged_from([90_000, *[100] * 8])
    1
    >>> merged_from([*[90_000] * 7, *[20_000] * 8]), merged_from([*[90_000] * 7, *[20_000] * 7, 100])
    (7, 15)
    """
    most = sum(sizes) if len(sizes) > _MOST else max(_AT_ONCE, _FOR_EACH * sizes[-1]) if sizes else 0
    kept, tier = [*sizes], _SMALLEST
    while tier < _TIER * max(sizes, default=0):
        small = sum(1 for _ in takewhile(tier.__ge__, reversed(kept)))
        if small >= _TIER and sum(kept[-small:]) <= most:
            kept[-small:] = [sum(kept[-small:])]
        tier *= _TIER
    return len(sizes) if len(kept) == len(sizes) else len(kept) - 1


def _planned(records: Records, parts: Sequence[Part]) -> Iterator[tuple[int, int, Part | None]]:
    """The slots of each part to be: from, up to, and the part that holds them where it stays as it is.

    A part of which most items are dead is written anew.
    """
    bounds = [*records.bounds, records.size]
    lives = [int(np.count_nonzero(records.alive[a:b])) for a, b in pairwise(bounds)]
    first = merged_from(lives)
    if not all(part.is_whole() for part in parts[first:]):
        first = len(lives)
    for place, part in enumerate(parts[:first]):
        stays = 2 * lives[place] >= part.size or not part.is_whole()
        yield bounds[place], bounds[place + 1], part if stays else None
    start = bounds[min(first, len(parts))]
    if start < records.size:
        yield start, records.size, None


def _linked(part: Part, folder: Path) -> bool:
    """Put the files of a part into a new folder; whether they were there to be linked or copied."""
    try:
        folder.mkdir()
        for path in sorted(part.folder.iterdir()):
            _link(path, folder / path.name)
    except FileNotFoundError:
        shutil.rmtree(folder, ignore_errors=True)
        return False
    return True


def _link(path: Path, target: Path) -> None:
    try:
        os.link(path, target)
    except FileNotFoundError:
        raise
    except OSError:  # another disk, or a file system without links
        shutil.copyfile(path, target)


def _alive(directory: Path, name: str, size: int) -> NDArray[np.bool_]:
    alive = np.ones(size, dtype=bool)
    if (directory / f"{name}.dead.npy").exists():
        alive[stored(directory / f"{name}.dead.npy")] = False
    return alive


def _below(sums: Mapping[str, Any], name: str) -> dict[str, Sequence[int]]:
    return {file.removeprefix(f"{name}/"): own for file, own in sums.items() if file.startswith(f"{name}/")}
