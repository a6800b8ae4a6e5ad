"""Options that mean the same on every command, and what they come to: settings, a console, progress bars."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import (
    BackendError,
    ConfigError,
    IngestError,
    KnowledgeBaseNotFound,
    MissingExtra,
    failing_as,
)
from verifier.interfaces.cli.output import note

if TYPE_CHECKING:
    from verifier.config import Configuration
    from verifier.knowledge.records import Progress
    from verifier.knowledge.store import GroundTruthStore
    from verifier.measure.ready import ReadySignals
    from verifier.types import Report

__all__ = [
    "STDIN",
    "ConfigFile",
    "Encoding",
    "Fixes",
    "Ignore",
    "Json",
    "KnowledgeBase",
    "Namespace",
    "OfRow",
    "OfText",
    "Quiet",
    "Strict",
    "TableFile",
    "configuration",
    "ensure_namespace",
    "ensure_ready",
    "existing_paths",
    "existing_store",
    "progress_bars",
    "read_report",
    "read_text",
    "shared_signals",
]

STDIN = Path("-")
_AS_THEY_STAND = frozenset({"text", "markdown", "csv", "jsonl"})
"""Formats of texts to check that are not taken apart."""


def _known_encoding(name: str | None) -> str | None:
    """Checks ``--encoding``, also where no file needs it."""
    if name is not None:
        try:
            b" ".decode(name)
        except UnicodeError:
            pass  # a blank is no whole character of it, but the encoding exists
        except LookupError as error:
            raise ConfigError(f"--encoding {name!r}: no such text encoding") from error
    return name


KnowledgeBase = Annotated[
    str | None,
    typer.Option(
        "--kb", metavar="DIR", help="Folder of the knowledge base, or a postgresql:// address. [default: kb]"
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Configuration. [default: verifier.toml, if there]"),
]
Namespace = Annotated[
    str | None,
    typer.Option("--namespace", metavar="NAME", help="Part of the knowledge base. [default: default]"),
]
Strict = Annotated[
    bool | None,
    typer.Option(
        "--strict", help="Approve only when every claim is supported and every cited source exists."
    ),
]
Fixes = Annotated[
    bool | None,
    typer.Option(
        "--fixes/--no-fixes",
        help="Look for the smallest edit that makes a contradicted claim pass. [default: no-fixes]",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore", metavar="PATTERN", help="Leave out such files of a folder: '*.png', 'drafts/*'."
    ),
]
TableFile = Annotated[
    Path | None,
    typer.Option(
        "--output", metavar="FILE", help="Write the figures as a table: .csv or .parquet; .md has all tables."
    ),
]
OfText = Annotated[
    str | None,
    typer.Option("--of", metavar="TEXT", help="Which text, where the report is of several."),
]
OfRow = Annotated[
    str | None, typer.Option("--id", metavar="ROW", help="Which row, where the reports are those of a batch.")
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding", callback=_known_encoding, help="Of text that is not UTF-8. [default: guessed]"
    ),
]


def configuration(
    config: Path | None,
    kb: str | Path | None = None,
    namespace: str | None = None,
    *,
    quiet: bool = False,
    **overrides: Any,
) -> Configuration:
    """The effective configuration; ``overrides`` are dotted keys with ``__`` for the dot, ``None`` if not given.

    A file that lies in a folder above is not read, and a line says so unless ``quiet``.
    """
    from verifier.config import left_out, load

    given = {key.replace("__", "."): value for key, value in overrides.items()}
    given |= {"kb.path": str(kb) if kb else None, "kb.namespace": namespace}
    if config is None and (above := left_out(os.environ)):
        place = os.path.relpath(above)
        note(f"{place} is not read, only one in the working directory is: --config {place} takes it", quiet)
    return load(config, given)


@contextmanager
def existing_store(
    configured: Configuration, *, quiet: bool = False, otherwise: str = ""
) -> Iterator[GroundTruthStore]:
    """The knowledge base of the configuration, opened; its index is made current with a progress bar.

    Args:
        configured: names it.
        quiet: no bar.
        otherwise: what does without one, for the error.

    Raises:
        KnowledgeBaseNotFound: there is none.
    """
    from verifier.factory import open_store

    with progress_bars(quiet) as progress, ExitStack() as stack:
        try:
            store = stack.enter_context(open_store(configured.settings, progress=progress))
        except KnowledgeBaseNotFound as error:
            raise KnowledgeBaseNotFound(f"{error}{otherwise and f'; {otherwise}'}") from error
        yield store


def ensure_ready(store: GroundTruthStore) -> None:
    """Load the index and its encoder now, so that what is not installed is one line and no error a claim.

    A backend that fails as it works is left to the report, which says so for the claims it hit.

    Raises:
        MissingExtra, ConfigError, KnowledgeBaseError: the configuration cannot work as it is.
    """
    with suppress(BackendError), failing_as(BackendError, "retrieval"):
        store.retrieve(["ready"], top_k=1)


def ensure_namespace(store: GroundTruthStore, namespace: str) -> None:
    """Refuse a namespace that holds nothing where others do: it is misspelt, and no claim could be checked.

    A knowledge base that holds nothing at all is left to the report.

    Raises:
        KnowledgeBaseError: the message names the namespaces there are.
    """
    if store.namespaces():
        store.refuse_empty(namespace)


def shared_signals(configured: Configuration, quiet: bool) -> ReadySignals:
    """The configured signals, to be handed to whatever builds scorers: each model is loaded once.

    Where nobody has learnt weights for the NLI model yet, the first scorer that is built learns them, with a line and
    a progress bar on stderr.

    Raises:
        ConfigError: the table of a signal, or of the reader, is wrong.
    """
    from verifier.measure.ready import ReadySignals

    return ReadySignals.of(
        configured.settings, lambda: progress_bars(quiet), lambda message: note(message, quiet)
    )


_open: list[Progress] = []
"""What the bars on the screen are told by, while there are some."""


@contextmanager
def progress_bars(quiet: bool) -> Iterator[Progress | None]:
    """Bars with rate and time left on stderr where that is a terminal, else nothing; none for what is done at once.

    Inside of others they are drawn among these.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    if _open:
        yield _open[0]
        return
    from verifier.interfaces.cli.bars import drawn_bars

    with drawn_bars() as show:
        _open.append(show)
        try:
            yield show
        finally:
            _open.clear()


def existing_paths(paths: Iterable[Path], hint: str = "") -> list[Path]:
    """The paths as given.

    Args:
        hint: what else may have been meant, for the message.

    Raises:
        ConfigError: one of them leads nowhere.
    """
    from verifier.knowledge.files import leads_nowhere

    given = list(paths)
    for path in given:
        if leads_nowhere(path):
            raise ConfigError(f"no such file or folder: {path}{hint}")
    return given


def read_text(path: Path, encoding: str | None = None) -> str:
    """A text to check, read as ``ingest`` reads documents: ``-`` is stdin, PDF, DOCX, HTML and the like become text.

    Raises:
        ConfigError: no such file, or it is no text.
        IngestError: it is of a kind of documents that cannot be read, or not here.
    """
    from verifier.knowledge.files import SUFFIXES, leads_nowhere
    from verifier.knowledge.formats.decode import decode
    from verifier.knowledge.formats.unread import UNREAD

    if path == STDIN:
        return _as_usage("stdin", lambda: decode(sys.stdin.buffer.read(), encoding).text)
    if os.path.isdir(path):
        raise ConfigError(f"{path} is a folder; give the file to check")
    if leads_nowhere(path):
        raise ConfigError(f"no such file: {path}")
    if (suffix := path.suffix.lower()) in UNREAD or SUFFIXES.get(suffix, "text") not in _AS_THEY_STAND:
        from verifier.knowledge.ingest import ReadOptions, discover, read_documents

        options = ReadOptions(encoding=encoding)
        try:
            found = [one for file in discover([path]) for one in read_documents(file, options)]
        except MissingExtra as error:
            raise IngestError(f"{path}: {error}") from error
        return "\n\n".join(document.text for document in found)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    return _as_usage(str(path), lambda: decode(raw, encoding).text)


def read_report(path: Path, text: str | None = None, row: str | None = None) -> Report:
    """A report as ``verify --json`` or ``batch`` writes it; ``-`` is standard input.

    Args:
        path: the file.
        text: of which of several texts; may be ``None`` where there is but one.
        row: of which row of a batch; the same holds.

    Raises:
        ConfigError: the file cannot be read, is no such report, or has none of that text or row.
    """
    from verifier.interfaces.batch.output import is_of_batch
    from verifier.verification.report import from_json

    if is_of_batch(path):
        from verifier.interfaces.saved import report_of_row

        if text is not None:
            raise ConfigError(f"{path} is named as the reports of a batch: give --id in the place of --of")
        return report_of_row(path, row)
    if row is not None:
        raise ConfigError(f"{path} is not named as the reports of a batch (.jsonl): leave out --id")
    try:
        raw = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not JSON: {error}; a report is what verify --json writes") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"{path} is no report; one is what verify --json writes")
    return from_json(_of_text(raw, path, text))


def _of_text(raw: dict[str, Any], path: Path, text: str | None) -> Any:
    """The JSON of one report, out of that of a run over several texts."""
    if not isinstance(raw.get("texts"), list):
        if text is not None:
            raise ConfigError(f"{path} is the report of one text: leave out --of")
        return raw
    reports = {str(one.get("name")): one.get("report") for one in raw["texts"] if isinstance(one, dict)}
    if text is None and len(reports) == 1:
        return next(iter(reports.values()))
    if text not in reports:
        raise ConfigError(f"{path} has reports of several texts: give --of, one of {', '.join(reports)}")
    return reports[text]


def _as_usage(name: str, read: Callable[[], str]) -> str:
    """A text under test that cannot be read is the wrong text to give; nothing has been checked by then."""
    try:
        return read()
    except IngestError as error:
        raise ConfigError(f"{name}: {error}" if name else str(error)) from error
