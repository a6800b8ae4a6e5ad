"""Which files among the sources are no longer on this machine, or say something else than is stored."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from verifier.core.errors import VerifierError
from verifier.knowledge.files import discover, leads_nowhere
from verifier.knowledge.uris import file_part, former_uri

__all__ = ["edited", "vanished"]

_MOST_READ = 4_000_000
"""Bytes of files that are read to see whether they say something else."""


def vanished(uris: Iterable[str]) -> dict[str, int]:
    """How many files are no longer there, by the outermost path that is gone: a folder, or the file itself.

    Uris that are no absolute paths name no file of this machine, and one that stands for a path that is no UTF-8 does
    not tell where it is.
    """
    files = {file_part(uri): uri for uri in uris if os.path.isabs(uri) and "\\" not in uri}
    found = Counter(
        _outermost(Path(former_uri(file)))
        for file, uri in files.items()
        if leads_nowhere(Path(former_uri(file))) and leads_nowhere(Path(uri))
    )
    return {str(path): number for path, number in sorted(found.items())}


def _outermost(path: Path) -> Path:
    """The outermost part of a path that leads nowhere."""
    return next((part for part in reversed(path.parents) if leads_nowhere(part)), path)


def edited(uris: Iterable[str], since: float, known: Callable[[str], str | None]) -> list[Path]:
    """The files that were written after ``since`` and say something else than is stored, the newest first.

    They are read as ``ingest`` reads them without options, until some megabytes were. What cannot be read is none.

    Args:
        uris: of the sources, sorted.
        since: seconds since the epoch.
        known: the content hash of what is stored under a uri.
    """
    newer: list[tuple[float, int, Path, set[str]]] = []
    for file, rows in groupby(uris, file_part):
        path = Path(former_uri(file))
        with suppress(OSError, ValueError):
            about = path.stat()
            if path.is_absolute() and about.st_mtime > since:
                newer.append((about.st_mtime, about.st_size, path, set(rows)))
    read, found = 0, []
    for _, size, path, own in sorted(newer, key=lambda one: -one[0]):
        read += size
        if read <= _MOST_READ and _says_else(path, own, known):
            found.append(path)
    return found


def _says_else(path: Path, uris: set[str], known: Callable[[str], str | None]) -> bool:
    """Whether a file has other documents than those of these uris, or others under them."""
    from verifier.knowledge.ingest import read_documents
    from verifier.knowledge.records import content_hash

    try:
        now = {
            document.uri: content_hash(document)
            for source in discover([path])
            for document in read_documents(source, on_bad_row=lambda _: None)
        }
    except (VerifierError, ValueError):
        return False
    return bool(now) and (now.keys() != uris or any(known(uri) != said for uri, said in now.items()))
