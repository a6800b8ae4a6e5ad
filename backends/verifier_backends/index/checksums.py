"""A checksum for each mebibyte of a file, to see later which of them changed."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

__all__ = ["checksums", "damage"]

_BLOCK = 1 << 20
_THREADS = 4
"""Files that are read at a time; zlib and the system let other threads run meanwhile."""


def checksums(path: Path) -> list[int]:
    """CRC-32 of each block of a file."""
    sums = []
    with path.open("rb", buffering=0) as file:
        while block := file.read(_BLOCK):
            sums.append(zlib.crc32(block))
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
