"""Read the rows of a Hugging Face data set from its folder, some at a time, without the package ``datasets``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError
from verifier.core.registry import require

__all__ = ["arrow_rows", "parquet_rows", "shards_of"]

_ROWS_AT_ONCE = 64
_STATE, _SPLITS = "state.json", "dataset_dict.json"
_SHARD = re.compile(r"(?P<split>\w[\w.]*?)[-_]\d+(?:[-_]of[-_]\d+)?", re.ASCII)
_BESIDE = (".json", ".md", ".lock")
"""What lies beside the shards of a data set and is none of them."""


def shards_of(folder: Path, split: str | None) -> list[Path] | None:
    """The files that hold the rows of a data set, in order; ``None`` where the folder holds none.

    Args:
        folder: as ``save_to_disk`` of ``datasets`` writes it, with one split or several; or with Parquet files alone,
            in it or below.
        split: the one to read.

    Raises:
        ConfigError: there are several splits and none is chosen, or there is none of that name.
    """
    if (folder / _SPLITS).is_file():
        names = [str(name) for name in _read(folder / _SPLITS, "splits")]
        return _saved(folder / _chosen(folder, names, split))
    if (folder / _STATE).is_file():
        name = _read(folder / _STATE, "_split")
        if split not in (None, name):
            raise ConfigError(f"{folder} holds one split, {name or 'without a name'}: leave --split out")
        return _saved(folder)
    return _parquet_shards(folder, split)


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, some of one row group at a time.

    Raises:
        ConfigError: it cannot be read.
        MissingExtra: pyarrow is not installed.
    """
    parquet = require("pyarrow.parquet", extra="tables", package="pyarrow")
    errors = require("pyarrow.lib", extra="tables", package="pyarrow").ArrowException
    try:
        with parquet.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, row_groups=[group]):
                    yield from batch.to_pylist()
    except (errors, OSError) as error:
        raise ConfigError(f"{path} cannot be read as Parquet: {error}") from error


def arrow_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of Arrow's stream format, as ``save_to_disk`` writes it; it is mapped, not loaded.

    Raises:
        ConfigError: it cannot be read.
        MissingExtra: pyarrow is not installed.
    """
    arrow = require("pyarrow", extra="tables")
    try:
        with arrow.memory_map(str(path)) as file, arrow.ipc.open_stream(file) as batches:
            for batch in batches:
                for start in range(0, batch.num_rows, _ROWS_AT_ONCE):
                    yield from batch.slice(start, _ROWS_AT_ONCE).to_pylist()
    except (arrow.ArrowException, OSError) as error:
        raise ConfigError(f"{path} cannot be read as Arrow: {error}") from error


def _saved(folder: Path) -> list[Path]:
    if _read(folder / _STATE, "_indices_data_files"):
        raise ConfigError(f"{folder} holds a selection of its rows: write it with flatten_indices() first")
    files = _read(folder / _STATE, "_data_files") or []
    return [folder / str(file["filename"]) for file in files]


def _read(path: Path, key: str) -> Any:
    """A value of a JSON file.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8")).get(key)
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"{path} is not what save_to_disk writes: {error}") from error


def _parquet_shards(folder: Path, split: str | None) -> list[Path] | None:
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    shards = [path for path in files if path.suffix.lower() == ".parquet"]
    if not shards or any(path.suffix.lower() not in (".parquet", *_BESIDE) for path in files):
        return None
    splits = {path: _split_of(path, folder) for path in shards}
    chosen = _chosen(folder, list(dict.fromkeys(splits.values())), split)
    return [path for path in shards if splits[path] == chosen]


def _split_of(path: Path, folder: Path) -> str:
    """What a shard's name begins with (``test-00000-of-00002``); else its folder's name; ``train`` without either."""
    if (match := _SHARD.fullmatch(path.stem)) is not None:
        return match["split"]
    above = path.parent.name if path.parent != folder else ""
    if above and above != "data":
        return above
    return path.stem if path.stem in ("train", "test", "validation", "dev") else "train"


def _chosen(folder: Path, names: list[str], split: str | None) -> str:
    """The split to read.

    Raises:
        ConfigError: it is not there, or must be chosen.
    """
    known = ", ".join(names)
    if split is None and len(names) != 1:
        raise ConfigError(f"{folder} has several splits: choose one with --split: {known}")
    if split is not None and split not in names:
        raise ConfigError(f"{folder} has no split {split!r}; it has: {known}")
    return split or names[0]
