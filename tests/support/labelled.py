"""Write an archive of some labelled sets alone, so that a test can learn weights in seconds."""

from __future__ import annotations

from pathlib import Path

from benchmarks.labelled import packed, packed_files

__all__ = ["write_archive"]


def write_archive(path: Path, sets: tuple[str, ...] = ("f",)) -> Path:
    """As ``claims.tar.xz`` of the package, with the sets of these prefixes."""

    def of(name: str) -> str:
        return name.rpartition("/")[2].removeprefix("fresh_").partition(".")[0].partition("_")[0]

    path.write_bytes(packed({name: content for name, content in packed_files().items() if of(name) in sets}))
    return path
