"""Collect the texts to check from paths and the command line, and what could not be read of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from verifier.core.errors import ConfigError
from verifier.interfaces.cli.ingest import holds_nothing
from verifier.interfaces.cli.options import STDIN, existing_paths, read_text
from verifier.interfaces.cli.output import note
from verifier.interfaces.formats import FORMATS
from verifier.interfaces.formats.base import Checked, Run, Unread

if TYPE_CHECKING:
    from verifier.knowledge.ingest import SourceFile
    from verifier.types import Document, Report

__all__ = ["Given", "Texts", "also_written", "run_of", "sources_beside", "texts_of", "with_documents"]

EMPTY = "the response is empty: nothing to check"


@dataclass(frozen=True, slots=True)
class Given:
    """A text to check: its name, its file (``None`` without one), and what is doubtful of how it could be read."""

    name: str
    text: str
    path: str | None = None
    as_written: bool = True
    doubts: tuple[str, ...] = ()


class Texts(NamedTuple):
    """The texts to check; ``several`` where more than one was asked for, or a folder."""

    given: tuple[Given, ...]
    unread: tuple[Unread, ...]
    several: bool


def texts_of(
    paths: Sequence[Path], text: str | None = None, encoding: str | None = None, *, quiet: bool = False
) -> Texts:
    """The texts to check. Several files and folders are read as ``ingest`` reads them: a row of a table is a text.

    Raises:
        ConfigError: a path leads nowhere, or the one text cannot be read.
        MissingExtra: the format of the one text needs an optional dependency.
    """
    if text is not None:
        return Texts((Given("text", text),), (), False)
    if len(paths) == 1 and not os.path.isdir(paths[0]):
        return Texts((_one(paths[0], encoding),), (), False)
    found = list(_each(paths, encoding, quiet))
    return Texts(
        tuple(one for one in found if isinstance(one, Given)),
        tuple(one for one in found if isinstance(one, Unread)),
        True,
    )


def _one(path: Path, encoding: str | None) -> Given:
    text = read_text(path, encoding)
    if path == STDIN:
        return Given("stdin", text)
    from verifier.knowledge.files import AS_WRITTEN, SUFFIXES

    read_as = SUFFIXES.get(path.suffix.lower(), "text")
    converted = read_as not in AS_WRITTEN | {
        "csv",
        "jsonl",
    }  # a table that is named alone is read as it stands
    return Given(_shown(path), text, _shown(path), not converted)


def _each(paths: Sequence[Path], encoding: str | None, quiet: bool) -> Iterator[Given | Unread]:
    """What is at and below the paths, in order, each file once; what is left out of a folder is noted."""
    from verifier.interfaces.parsing.documents import documents_of
    from verifier.knowledge.ingest import ReadOptions, discover
    from verifier.knowledge.records import FailedSource

    if STDIN in paths:
        yield Given("stdin", read_text(STDIN, encoding))
    named = existing_paths((path for path in paths if path != STDIN), "; for a text itself use --text")
    for file in discover(named):
        if file.ignored:
            note(f"ignored {_shown(file.path)}: {file.ignored}", quiet)
            continue
        for one in documents_of([file], ReadOptions(encoding=encoding), note):
            path = _shown(file.path)
            yield Unread(path, one.reason, path) if isinstance(one, FailedSource) else _given(one, file)
    yield from (Unread(str(path), "nothing to read in it") for path in named if holds_nothing(path))


def _given(document: Document, file: SourceFile) -> Given:
    """A document, or a row of one, under the name of its file."""
    from verifier.knowledge.files import AS_WRITTEN
    from verifier.knowledge.ingest import doubts_about

    path = _shown(file.path)
    row = document.source.removeprefix(file.source)
    as_written = file.format in AS_WRITTEN
    return Given(f"{path}{row}", document.text, path, as_written, tuple(doubts_about(document)))


def _shown(path: Path) -> str:
    """A path as it leads to a file from the working directory, where it lies below; else as it is."""
    whole, here = os.path.abspath(path), os.getcwd()
    return os.path.relpath(whole, here) if whole.startswith(here.rstrip(os.sep) + os.sep) else whole


def run_of(texts: Texts, reports: Sequence[Report], doubts: Sequence[str] = ()) -> Run:
    """The texts with their reports, which say what was doubtful of them and, as ``doubts``, of the sources."""
    checked = (
        Checked(one.name, one.text, _noted(one, report, doubts), one.path, one.as_written)
        for one, report in zip(texts.given, reports, strict=True)
    )
    return Run(tuple(checked), texts.unread, texts.several)


def with_documents(run: Run, document: Callable[[str], Document | None]) -> Run:
    """The run with the documents that its evidence is from, each looked up once."""
    ids = {item.doc_id for text in run.checked for claim in text.report.claims for item in claim.evidence}
    known = {one: found for one in sorted(ids) if (found := document(one)) is not None}
    return replace(run, checked=tuple(replace(text, documents=known) for text in run.checked))


def sources_beside(
    texts: Iterable[Path], sources: Iterable[Path], ignore: Sequence[str] = ()
) -> Iterator[SourceFile]:
    """The files of the sources; ignored are the texts to check, which would bear themselves out, and pages of ours.

    Raises:
        ConfigError: a path leads nowhere.
    """
    from verifier.interfaces.html import is_page
    from verifier.knowledge.ingest import discover

    own = {_identity(path) for path in texts if path.exists()}
    for file in discover(existing_paths(sources), ignore):
        if file.path.exists() and _identity(file.path) in own:
            yield replace(file, ignored="the text to check itself")
        elif is_page(file.path):
            yield replace(file, ignored="a page of a report")
        else:
            yield file


def _identity(path: Path) -> tuple[int, int]:
    """Equal for two paths to one file."""
    status = path.stat()
    return status.st_dev, status.st_ino


def _noted(given: Given, report: Report, doubts: Sequence[str]) -> Report:
    # How claims of an empty text would have been checked is beside the point.
    notes = report.notes if given.text.strip() else (EMPTY,)
    return replace(report, notes=(*notes, *given.doubts, *doubts))


def also_written(asked: Sequence[str]) -> dict[str, Path]:
    """The files of ``--also NAME=FILE`` by format.

    Raises:
        ConfigError: it is no such pair, or a format comes twice.
        UnknownPlugin: there is no format of that name.
    """
    files: dict[str, Path] = {}
    for pair in asked:
        name, _, file = pair.partition("=")
        if not file or name in files:
            raise ConfigError(
                f"--also {pair}: give NAME=FILE, each format once, as in --also junit=verify.xml"
            )
        FORMATS.ensure(name)
        files[name] = Path(file)
    return files
