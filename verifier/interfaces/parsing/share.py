"""How many processes read the files of an ingest."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.interfaces.processes import threads_each
from verifier.knowledge.formats.base import SourceFile

__all__ = ["readers_for"]

_BYTES = 4_000_000
"""Of files for each process: to start one takes as long as reading a megabyte or less of most formats."""

_MOST = 7


def readers_for(files: Iterable[SourceFile], workers: int | None = None) -> int:
    """How many processes read files for the one that embeds and writes; 0 where that one reads itself.

    Args:
        files: what there is to read.
        workers: all processes together; by default one more for every four megabytes, and no more than there are
            cores, nor than 8.
    """
    if workers is not None:
        return workers - 1
    most = min(_MOST, threads_each(1) - 1)
    size = 0
    for file in files:
        if size >= most * _BYTES:
            break
        size += _size(file)
    return min(most, size // _BYTES)


def _size(file: SourceFile) -> int:
    """Its bytes; none where it is not read or cannot be."""
    try:
        return 0 if file.ignored or file.unreadable else file.path.stat().st_size
    except OSError:
        return 0
