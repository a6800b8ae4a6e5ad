"""The contract of a file reader: what it is given, and the documents that it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from verifier.core.errors import IngestError
from verifier.knowledge.uris import file_uri
from verifier.types import Document

__all__ = ["Metadata", "ReadOptions", "Reader", "SourceFile"]

Metadata = dict[str, str | int | float | bool | None]
"""Metadata of a document while it is being put together."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file that was found, and what will be done with it.

    ``path`` is absolute; ``source`` is the name shown to people; ``format`` names the reader. A file that is
    left out on purpose says why in ``ignored``; one that cannot even be opened says why in ``unreadable``.
    """

    path: Path
    source: str
    format: str = ""
    ignored: str = ""
    unreadable: str = ""

    @property
    def uri(self) -> str:
        """What identifies the file: its absolute path as text that can be stored, also where the name is not valid
        UTF-8, and with no ``#``, which stands before the row of a table."""
        return file_uri(printable(self.path))


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How files are read.

    Args:
        max_bytes: the largest file that is read, in bytes (for a BEIR corpus: its longest line).
        encoding: the encoding of text files that are not UTF-8; guessed where ``None``.
        text_columns: columns of CSV and JSONL that hold a row's text. Empty: the first of ``TEXT_COLUMNS``
            (``tabular.py``) that exists, else all columns as ``column: value`` lines.
        id_column: column that identifies a row; by default ``_id``, ``id`` or ``doc_id``, else its number.
        title_column: column with a row's title; by default ``title``.
        metadata_columns: columns kept as metadata; ``None`` keeps all that are not text.
    """

    max_bytes: int = 200_000_000
    encoding: str | None = None
    text_columns: tuple[str, ...] = ()
    id_column: str | None = None
    title_column: str | None = None
    metadata_columns: tuple[str, ...] | None = None


Reader = Callable[[SourceFile, ReadOptions], Iterator[Document | IngestError]]
"""Reads one file. It raises ``IngestError`` where the whole file cannot be read, yields it for a bad row."""


def printable(path: Path) -> str:
    """A path as text without lone surrogates, which no database or terminal accepts."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
