"""The options that mean the same on every command, and what they come to: settings, a console, progress bars."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from verifier.core.errors import ConfigError

if TYPE_CHECKING:
    from verifier.config import Configuration
    from verifier.knowledge.records import Progress
    from verifier.knowledge.store import GroundTruthStore

__all__ = [
    "ConfigFile",
    "Json",
    "KnowledgeBase",
    "Namespace",
    "Quiet",
    "configuration",
    "existing_store",
    "note",
    "progress_bars",
    "read_text",
    "write_text",
]

KnowledgeBase = Annotated[
    Path | None, typer.Option("--kb", metavar="DIR", help="Folder of the knowledge base. [default: kb]")
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Configuration. [default: verifier.toml, if there]"),
]
Namespace = Annotated[
    str | None,
    typer.Option("--namespace", metavar="NAME", help="Part of the knowledge base. [default: default]"),
]
Json = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")]


def configuration(
    config: Path | None, kb: Path | None = None, namespace: str | None = None, **overrides: Any
) -> Configuration:
    """The effective configuration; ``overrides`` are dotted keys with ``__`` for the dot, ``None`` if not given."""
    from verifier.config import load

    given = {key.replace("__", "."): value for key, value in overrides.items()}
    given |= {"kb.path": str(kb) if kb else None, "kb.namespace": namespace}
    return load(config, given)


@contextmanager
def existing_store(configured: Configuration, *, quiet: bool = False) -> Iterator[GroundTruthStore]:
    """The knowledge base of the configuration, opened; its index is made current with a progress bar.

    Raises:
        KnowledgeBaseNotFound: there is none.
    """
    from verifier.factory import open_store

    with progress_bars(quiet) as progress, open_store(configured.settings, progress=progress) as store:
        yield store


@contextmanager
def progress_bars(quiet: bool) -> Iterator[Progress | None]:
    """Bars on stderr where that is a terminal, else nothing."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:

        def show(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield show


def note(message: str, quiet: bool = False) -> None:
    """One line on stderr."""
    if not quiet:
        typer.echo(message, err=True)


def read_text(path: Path) -> str:
    """A text to check: ``-`` is stdin; PDF, DOCX and HTML are read to text, anything else must be UTF-8.

    Raises:
        ConfigError: no such file, or not text.
    """
    if str(path) == "-":
        return _decoded(sys.stdin.buffer.read(), "stdin")
    if not path.is_file():
        raise ConfigError(f"no such file: {path}")
    if path.suffix.lower() in {".pdf", ".docx", ".html", ".htm"}:
        from verifier.knowledge.ingest import discover, read_documents

        return "\n\n".join(document.text for file in discover([path]) for document in read_documents(file))
    try:
        return _decoded(path.read_bytes(), str(path))
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error


def _decoded(raw: bytes, name: str) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name} is not UTF-8 text (byte {error.start})") from error
    if "\0" in text:
        raise ConfigError(f"{name} is not text: it holds NUL bytes")
    return text


def write_text(text: str, output: Path | None) -> None:
    """To a file, or to stdout as UTF-8 whatever the locale says.

    Raises:
        ConfigError: the file cannot be written.
    """
    raw = text.encode("utf-8", errors="backslashreplace")
    if output is None:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(raw)
    except OSError as error:
        raise ConfigError(f"cannot write {output}: {error.strerror}") from error
