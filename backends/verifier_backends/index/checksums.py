"""A checksum for each mebibyte of a file, to see later which of them changed."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

__all__ = ["checksums", "damage"]

_BLOCK = 1 << 20
_THREADS = 4
"""Files that are read at a time; zlib and the system let other threads run meanwhile."""

_SETTLED = 2_000_000_000
"""Nanoseconds after which a change of a file shows in its time, whatever the file system."""

_known: dict[tuple[int, int, int, int], tuple[int, ...]] = {}
"""Checksums of the large files read by this process: the parts of an index are the same files from one to the next."""

_KNOWN = 4096


def checksums(path: Path) -> list[int]:
    """CRC-32 of each block of a file. A large one that this process has read and nobody changed is not read again."""
    with path.open("rb", buffering=0) as file:
        about = os.fstat(file.fileno())
        key = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns)
        if key in _known:
            return list(_known[key])
        sums = []
        while block := file.read(_BLOCK):
            sums.append(zlib.crc32(block))
    if len(sums) > 1 and time.time_ns() - about.st_mtime_ns > _SETTLED:
        for oldest in list(_known)[: 1 - _KNOWN]:
            _known.pop(oldest, None)
        _known[key] = tuple(sums)
    return sums


def damage(directory: Path, expected: Mapping[str, Sequence[int]]) -> str | None:
    """The first block that is not what it was, in words; ``None`` where all are.

    Args:
        directory: where the files are.
        expected: the checksums of each by its name in ``directory``.
    """
    with ThreadPoolExecutor(_THREADS) as pool:
        found = pool.map(lambda name: checksums(directory / name), expected)
        for (name, sums), now in zip(expected.items(), found, strict=True):
            if list(sums) != now:
                blocks = zip(sums, now, strict=False)
                changed = next((number for number, (old, new) in enumerate(blocks) if old != new), len(now))
                return f"{name} is not what was written, in its block {changed + 1} of {len(sums)}"
    return None
