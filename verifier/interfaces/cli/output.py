"""Write texts and rows to stdout, stderr or a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from verifier.core.errors import ConfigError
from verifier.core.visible import one_line

__all__ = [
    "StdoutFailed",
    "discard",
    "flush_stdout",
    "listing",
    "note",
    "open_closed_streams",
    "plural",
    "refuse_overwriting",
    "write_text",
]


class StdoutFailed(Exception):
    """Stdout does not take what is written. No ``OSError``, which typer would turn into exit 1: rejected."""

    def __init__(self, cause: OSError) -> None:
        self.reader_gone = isinstance(cause, BrokenPipeError)
        super().__init__(f"cannot write to stdout: {cause.strerror}")


def note(message: str, quiet: bool = False) -> None:
    """One line on stderr. Where stderr takes nothing, nobody reads it and the outcome stays what it is."""
    if quiet:
        return
    try:
        sys.stderr.write(one_line(message) + "\n")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr)


def write_text(text: str, output: Path | None) -> None:
    """To a file, or to stdout as UTF-8 whatever the locale says.

    Raises:
        ConfigError: the file cannot be written.
        StdoutFailed: stdout is full, or its reader has gone.
    """
    raw = text.encode("utf-8", errors="backslashreplace")
    try:
        if output is not None:
            output.write_bytes(raw)
            return
    except OSError as error:
        raise ConfigError(f"cannot write {output}: {error.strerror}") from error
    try:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
    except OSError as error:
        raise StdoutFailed(error) from error


def flush_stdout() -> None:
    """Write what is still held back, while a failure can be reported.

    Raises:
        StdoutFailed: stdout is full, or its reader has gone.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        raise StdoutFailed(error) from error


def open_closed_streams() -> None:
    """Python has ``None`` for a stream that the shell has closed (``>&-``); what goes there is not wanted."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open until the process ends
            setattr(sys, name, nowhere)


def discard(stream: TextIO) -> None:
    """Send what a broken stream still holds to nowhere, so that Python's own flush at the end cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def refuse_overwriting(output: Path | None, inputs: Iterable[Path], option: str) -> None:
    """Never write over what was read, nor find out at the end that there is nowhere to write.

    Raises:
        ConfigError: ``output`` is one of ``inputs``, a folder, or in a folder that is not there.
    """
    if output is None:
        return
    if output.is_dir():
        raise ConfigError(f"{option} {output} is a folder; name a file")
    if not output.parent.exists():
        raise ConfigError(f"{option} {output}: there is no folder {output.parent}; make it first")
    if not output.exists():
        return
    for path in inputs:
        if path.exists() and output.samefile(path):
            raise ConfigError(f"{option} {output} would overwrite what is read from it")


def plural(number: int, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "source"), plural(2, "index")
    ('1 source', '2 indexes')
    """
    ending = "" if number == 1 else "es" if noun.endswith(("x", "s", "ch")) else "s"
    return f"{number} {noun}{ending}"


def listing(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A small table as plain text: a column is as wide as it needs, numbers to the right, one line a row."""
    cells = [[one_line(str(cell)) for cell in row] for row in rows]
    table = [list(header), *cells]
    widths = [max(len(row[at]) for row in table) for at in range(len(header))]
    numeric = [bool(cells) and all(row[at].isdecimal() for row in cells) for at in range(len(header))]
    lines = (
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        )
        for row in table
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)
