"""The labelled claims that the package ships, with the documents that they are about.

``claims.tar.xz`` holds the sets of ``corpora/verdicts`` that no signal was tuned on, and their documents: all invented,
no claim of the untouched half. ``python -m benchmarks.labelled pack`` makes it.
"""

from __future__ import annotations

import hashlib
import lzma
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from verifier.core.errors import ConfigError
from verifier.measure.rows import LabelledRow, read_rows
from verifier.types import Verdict

__all__ = ["ARCHIVE", "LabelledClaims", "archive_digest", "labelled_claims"]

ARCHIVE = Path(__file__).with_name("claims.tar.xz")

ROWS, DOCUMENTS = "rows", "documents"
"""Folders of the archive. A document's name begins with the namespace of its set and an underscore."""


@dataclass(frozen=True)
class LabelledClaims:
    """The archive, unpacked.

    ``rows`` are those with one of the four verdicts, set by set; each names the namespace that its label holds against.
    ``documents`` are files by namespace. ``hashes`` are the SHA-256 of the files of rows by name.
    """

    rows: Sequence[LabelledRow]
    documents: dict[str, list[Path]]
    hashes: dict[str, str]

    def spread(self, count: int) -> list[LabelledRow]:
        """So many of the rows, evenly over all sets, in their order; all of them where there are no more."""
        if count >= len(self.rows):
            return list(self.rows)
        return [self.rows[n * len(self.rows) // count] for n in range(count)]


@contextmanager
def labelled_claims(archive: Path | None = None) -> Iterator[LabelledClaims]:
    """The labelled claims of that archive, by default ``ARCHIVE``; their documents are there until the block ends.

    Raises:
        ConfigError: the archive is missing or damaged.
    """
    archive = archive or ARCHIVE
    with tempfile.TemporaryDirectory(prefix="verifier-labelled-") as name:
        folder = Path(name)
        try:
            with tarfile.open(archive, "r:xz") as packed:
                packed.extractall(folder, filter="data")
        except (OSError, EOFError, lzma.LZMAError, tarfile.TarError) as error:
            raise ConfigError(
                f"the labelled claims of this installation cannot be read from {archive}; install it again"
            ) from error
        yield _read(folder)


def _read(folder: Path) -> LabelledClaims:
    files = sorted((folder / ROWS).glob("*.jsonl"))
    rows = [row for file in files for row in read_rows(file) if isinstance(row, LabelledRow)]
    usable = [row for row in rows if row.label in set(Verdict)]
    spaces = dict.fromkeys(row.namespace for row in usable if row.namespace is not None)
    return LabelledClaims(
        usable,
        {space: sorted((folder / DOCUMENTS).glob(f"{space}_*")) for space in spaces},
        {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files},
    )


@cache
def archive_digest() -> str:
    """SHA-256 of the archive; empty where this installation has none."""
    return hashlib.sha256(ARCHIVE.read_bytes()).hexdigest() if ARCHIVE.is_file() else ""
