"""Read the rows of a file or a folder as they are, one at a time, with the reason where one cannot be read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError, IngestError, MissingExtra
from verifier.interfaces.batch.datasets import arrow_rows, parquet_rows, shards_of
from verifier.interfaces.batch.lines import MOST, BoundedLines, TooLong, opened

__all__ = ["Cells", "Raw", "Unread", "raw_rows"]


@dataclass(frozen=True, slots=True)
class Unread:
    """A row that cannot be read, and why; ``id`` where it is known all the same."""

    reason: str
    id: str | None = None


class Cells(dict[str, Any]):
    """A row of a table of text, in which a list is written as JSON."""


Raw = Mapping[str, Any] | Unread
_COMPRESSED = (".gz", ".xz")


def raw_rows(
    path: Path,
    ignored: Callable[[str, str], None] = lambda _name, _reason: None,
    *,
    split: str | None = None,
) -> Iterator[Raw]:
    """The rows of a file or of a data set, or the documents of a folder, in order; memory does not grow.

    Args:
        path: a file of JSON lines, CSV, TSV (also compressed: ``.gz``, ``.xz``), Parquet or Arrow's stream format; a
            folder of a Hugging Face data set, as :func:`shards_of` knows it; or a folder of documents.
        ignored: told of each file of a folder that is left out: its name, and why.
        split: of a data set.

    Raises:
        ConfigError: there is nothing at the path, it is of no kind that can be read, or it breaks off.
        MissingExtra: Parquet and Arrow need an optional dependency.
    """
    shards = shards_of(path, split) if path.is_dir() else None
    if split is not None and shards is None:
        raise ConfigError(f"--split is for the folder of a data set, and {path} is none")
    if shards is not None:
        return chain.from_iterable(map(_reader(shards[0]), shards)) if shards else iter(())
    return _documents(path, ignored) if path.is_dir() else _reader(path)(path)


def _reader(path: Path) -> Callable[[Path], Iterator[Raw]]:
    """What reads files of that kind.

    Raises:
        ConfigError: nothing does, or there is no such file.
    """
    suffix = Path(path.stem).suffix if path.suffix.lower() in _COMPRESSED else path.suffix
    reader = _READERS.get(suffix.lower())
    if reader is None:
        known = ", ".join(_READERS)
        raise ConfigError(
            f"{path} is of no kind that a batch is read from: {known}, or a folder of documents or of a data set"
        )
    if not path.exists():
        raise ConfigError(f"no such file or folder: {path}")
    return reader


def _json_lines(path: Path) -> Iterator[Raw]:
    with opened(path) as file:
        lines = BoundedLines(file)
        while True:
            try:
                line = next(lines)
            except StopIteration:
                return
            except TooLong as error:
                yield Unread(str(error))
                continue
            if line.strip():
                yield _object(line.rstrip())


def _object(line: str) -> Raw:
    if not _is_text(line):
        return Unread("not text in UTF-8")
    try:
        raw = json.loads(line)
    except json.JSONDecodeError as error:
        return Unread(f"not JSON: {error.msg} at character {error.pos + 1} of {len(line)}")
    except (ValueError, RecursionError):
        return Unread("not JSON that can be read: a number too long, or nested too deep")
    return (
        raw if isinstance(raw, dict) else Unread(f"a JSON {type(raw).__name__}, where an object is expected")
    )


def _csv(path: Path) -> Iterator[Raw]:
    return _cells(path, ",")


def _tsv(path: Path) -> Iterator[Raw]:
    return _cells(path, "\t")


def _cells(path: Path, delimiter: str) -> Iterator[Raw]:
    csv.field_size_limit(MOST)
    with opened(path) as file:
        reader = csv.reader(BoundedLines(file), delimiter=delimiter, strict=True)
        header: list[str] | None = None
        while True:
            try:
                cells = next(reader)
            except StopIteration:
                return
            except (csv.Error, TooLong) as error:
                if header is None:
                    raise ConfigError(f"the header of {path} cannot be read: {error}") from error
                yield Unread(str(error))
                continue
            if header is None:
                header = [name.strip() for name in cells]
            elif cells:
                yield _named(header, cells)


def _named(header: list[str], cells: list[str]) -> Raw:
    """The cells by the names of their columns; an empty one is none."""
    if len(cells) != len(header):
        return Unread(f"{len(cells)} cells, where the header has {len(header)}")
    if not all(map(_is_text, cells)):
        return Unread("not text in UTF-8")
    return Cells((name, cell) for name, cell in zip(header, cells, strict=True) if cell)


def _is_text(line: str) -> bool:
    return line.isascii() or not any("\udc80" <= char <= "\udcff" for char in line)


def _documents(folder: Path, ignored: Callable[[str, str], None]) -> Iterator[Raw]:
    """Each document is a response; its name is its id."""
    from verifier.knowledge.ingest import discover, read_documents

    for found in discover([folder]):
        if found.ignored:
            ignored(found.source, found.ignored)
            continue
        bad: list[IngestError] = []
        try:
            for document in read_documents(found, on_bad_row=bad.append):
                yield {"id": document.source, "response": document.text}
            yield from (Unread(str(error), found.source) for error in bad)
        except (IngestError, MissingExtra) as error:
            yield Unread(str(error), found.source)


_READERS: Mapping[str, Callable[[Path], Iterator[Raw]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".tsv": _tsv,
    ".parquet": parquet_rows,
    ".arrow": arrow_rows,
}
