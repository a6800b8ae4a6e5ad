"""Tables of figures as Markdown, CSV, Parquet or a pandas data frame."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError
from verifier.core.registry import require
from verifier.core.visible import cell, visible

__all__ = ["SUFFIXES", "Table", "ensure_writable", "write_tables"]

SUFFIXES = (".md", ".csv", ".parquet")
"""Ends of the names of files that a table is written to."""


class Table:
    """Rows with values by column; a row that lacks a column is empty there.

    Columns stand in the order in which they come up, behind those of ``columns``. A value that is no number, text or
    truth value becomes its JSON; so does a whole column whose values are of several kinds, since a column of Parquet
    has one.

    >>> print(Table([{"name": "bm25", "recall": 1.0}, {"name": "memory"}]).as_csv(), end="")
    name,recall
    bm25,1.0
    memory,
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> None:
        names = dict.fromkeys([*columns, *(name for row in rows for name in row)])
        self.columns = {name: _of_one_kind([_plain(row.get(name)) for row in rows]) for name in names}

    def rows(self) -> list[tuple[Any, ...]]:
        """The rows, a value for each column."""
        return list(zip(*self.columns.values(), strict=True))

    def as_markdown(self) -> str:
        """A table between pipes; numbers that are no counts with three digits."""
        lines = [[*self.columns], ["---"] * len(self.columns), *(map(_shown, row) for row in self.rows())]
        return visible("".join(f"| {' | '.join(map(cell, line))} |\n" for line in lines))

    def as_csv(self) -> str:
        """CSV with a line of names, as RFC 4180 has it but for line feeds."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([[*self.columns], *self.rows()])
        return out.getvalue()

    def to_df(self) -> Any:
        """A pandas ``DataFrame``.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return require("pandas", extra="tables").DataFrame(self.columns)

    def write(self, path: Path) -> None:
        """Write the table in the format that the file's name ends with.

        Raises:
            ConfigError: it ends with none of ``SUFFIXES``, or cannot be written.
            MissingExtra: pyarrow, which writes Parquet, is not installed.
        """
        ensure_writable(path)
        if path.suffix.lower() != ".parquet":
            _write_text(self.as_csv() if path.suffix.lower() == ".csv" else self.as_markdown(), path)
            return
        table = require("pyarrow", extra="tables").table(self.columns)
        try:
            require("pyarrow.parquet", extra="tables", package="pyarrow").write_table(table, path)
        except OSError as error:
            raise ConfigError(f"cannot write {path}: {error.strerror or error}") from error


def write_tables(tables: Mapping[str, Table], path: Path) -> None:
    """Write tables by name: all of them, below headings, to Markdown, and else the first alone.

    Raises:
        ConfigError, MissingExtra: as :meth:`Table.write`.
    """
    first = next(iter(tables.values()))
    if path.suffix.lower() != ".md":
        first.write(path)
        return
    parts = [f"## {name}\n\n{table.as_markdown()}" for name, table in tables.items() if table.rows()]
    _write_text("\n".join(parts), path)


def _write_text(text: str, path: Path) -> None:
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror or error}") from error


def ensure_writable(path: Path) -> None:
    """Refuse a file that no table is written to, and Parquet without what writes it, before any work is done.

    Raises:
        ConfigError: its name ends with none of ``SUFFIXES``.
        MissingExtra: pyarrow is not installed.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise ConfigError(f"{path}: a table is written as {', '.join(SUFFIXES)}, by the end of the name")
    if path.suffix.lower() == ".parquet":
        require("pyarrow", extra="tables")


def _plain(value: Any) -> str | int | float | bool | None:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _of_one_kind(values: list[Any]) -> list[Any]:
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) < 2:
        return values
    if kinds == {int, float}:
        return [None if value is None else float(value) for value in values]
    return [
        value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for value in values
    ]


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
