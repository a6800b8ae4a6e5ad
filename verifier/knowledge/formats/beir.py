"""Read the corpus of a BEIR folder, compressed or not: a document for each row."""

from __future__ import annotations

import gzip
import lzma
import zlib
from collections.abc import Iterator
from typing import IO

from verifier.core.errors import IngestError
from verifier.knowledge.formats.base import ReadOptions, SourceFile
from verifier.knowledge.formats.bounds import check_unpacked
from verifier.knowledge.formats.tabular import bounded, json_rows, rows_to_documents
from verifier.types import Document

__all__ = ["read_beir"]

_PACKED = frozenset({".gz", ".xz"})
_LONGEST_PACKED = 10_000_000
"""Bytes of a line of a packed corpus."""


def read_beir(file: SourceFile, options: ReadOptions) -> Iterator[Document | IngestError]:
    """Read ``corpus.jsonl``, ``.gz`` or ``.xz``: rows with ``_id``, ``title`` and ``text``, in UTF-8.

    The file is read line by line, so that a corpus may be larger than memory; ``options.max_bytes`` bounds a
    line. The column options are those of JSONL.

    Raises:
        IngestError: the file cannot be opened or unpacked, unpacks to far more than a text does, is not UTF-8, or has
            no rows.
    """
    found = False
    rows = json_rows(_lines(file, options.max_bytes))
    if file.path.suffix in _PACKED:
        rows = bounded(rows, file.path.stat().st_size)
    for item in rows_to_documents(file, options, rows, {"format": "beir"}):
        found = True
        yield item
    if not found:
        raise IngestError("empty")


def _open(file: SourceFile) -> IO[bytes] | gzip.GzipFile | lzma.LZMAFile:
    match file.path.suffix:
        case ".gz":
            return gzip.open(file.path)
        case ".xz":
            return lzma.open(file.path)
    return file.path.open("rb")


def _lines(file: SourceFile, max_bytes: int) -> Iterator[str]:
    try:
        with _open(file) as stream:
            packed, unpacked = file.path.stat().st_size, 0
            most = min(max_bytes, _LONGEST_PACKED) if file.path.suffix in _PACKED else max_bytes
            while line := stream.readline(most + 1):
                if len(line) > most:
                    raise IngestError(f"a line larger than the limit of {most / 1e6:g} MB")
                unpacked += len(line)
                check_unpacked(packed, unpacked)
                yield line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise IngestError("not valid UTF-8, which BEIR files are written in") from error
    except (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error) as error:
        raise IngestError(f"cannot be unpacked: {error}") from error
    except OSError as error:
        raise IngestError(f"cannot be read: {error.strerror or error}") from error
