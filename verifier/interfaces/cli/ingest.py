"""``verifier ingest``: put files and folders into a knowledge base."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import ConfigError
from verifier.core.registry import require
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Encoding,
    Ignore,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    existing_paths,
    progress_bars,
)
from verifier.interfaces.cli.output import note, plural, write_text
from verifier.interfaces.cli.plans import DryRun, finish, models_of

if TYPE_CHECKING:
    from verifier.config import Configuration, Settings
    from verifier.knowledge.cutting import CutDocument
    from verifier.knowledge.ingest import ReadOptions, SourceFile
    from verifier.knowledge.records import FailedSource, IngestSummary, Progress
    from verifier.knowledge.store import GroundTruthStore
    from verifier.knowledge.web.pages import Site
    from verifier.types import Document

__all__ = ["holds_nothing", "ingest"]

_MOST = 5
"""Paths told of that are no longer there."""


def ingest(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH", help="Files, folders and https:// addresses."),
    ],
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove what has vanished from these paths.")
    ] = False,
    ignore: Ignore = None,
    text_column: Annotated[
        list[str] | None, typer.Option("--text-column", help="CSV, JSONL: columns that hold a row's text.")
    ] = None,
    id_column: Annotated[str | None, typer.Option("--id-column", help="CSV, JSONL: names a row.")] = None,
    title_column: Annotated[
        str | None, typer.Option("--title-column", help="CSV, JSONL: a row's title.")
    ] = None,
    metadata_column: Annotated[
        list[str] | None,
        typer.Option("--metadata-column", help="CSV, JSONL: kept as metadata. [default: all]"),
    ] = None,
    sitemap: Annotated[
        bool,
        typer.Option("--sitemap", help="Of an address: all pages below it that its site's sitemap lists."),
    ] = False,
    max_pages: Annotated[
        int | None, typer.Option("--max-pages", min=1, help="Pages of a sitemap at most. [default: 500]")
    ] = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Fetch from this machine and private networks, too.")
    ] = False,
    encoding: Encoding = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            max=64,
            help="Processes: one embeds and writes, the others read files for it. [default: by cores and by how much "
            "there is to read]",
        ),
    ] = None,
    read_ahead: Annotated[
        bool,
        typer.Option(
            "--read-ahead",
            help="Also read what the passages assert, so that the first checks need not; about 20 ms each.",
        ),
    ] = False,
    dry_run: DryRun = False,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Add documents to a knowledge base: what is unchanged costs nothing, what has changed is replaced.

    Of an address its page is read, or the file that lies there, as its site's robots.txt permits (extra web).

    Exit 3 when a document could not be read, or a folder holds none that can be (unless with --prune); the others are
    in, and what is checked against them says what was not read.
    """
    from verifier.factory import open_store
    from verifier.interfaces.parsing.share import readers_for
    from verifier.knowledge.ingest import ReadOptions, SourceFile, discover
    from verifier.knowledge.records import counted
    from verifier.knowledge.web.address import is_web_address, root_uri
    from verifier.knowledge.web.pages import MAX_PAGES, Site

    configured = configuration(config, kb, namespace, quiet=quiet)
    into = configured.settings.kb.namespace
    urls = [path for path in paths if is_web_address(path)]
    places = [Path(path) for path in paths if not is_web_address(path)]
    if (sitemap or max_pages or allow_private) and not urls:
        raise ConfigError("--sitemap, --max-pages and --allow-private need an address: https://...")
    if urls:
        require("trafilatura", extra="web", package="trafilatura")
    with progress_bars(quiet) as progress:
        files = list(counted(discover(existing_paths(places), ignore or ()), "files found", progress))
    roots = [*(SourceFile(Path(os.path.abspath(path)), "").uri for path in places), *map(root_uri, urls)]
    sites = [Site(url, sitemap, max_pages or MAX_PAGES, prune) for url in urls]
    if dry_run:
        finish(_plan(files, urls, configured), json_)
    options = ReadOptions(
        encoding=encoding,
        text_columns=tuple(text_column or ()),
        id_column=id_column,
        title_column=title_column,
        metadata_columns=tuple(metadata_column) if metadata_column else None,
    )
    others = readers_for(files, workers or configured.settings.ingest.workers)
    with (
        progress_bars(quiet) as progress,
        open_store(configured.settings, create=True, progress=progress) as store,
        _documents(files, options, configured.settings, others, store, progress) as documents,
    ):
        summary = store.ingest(
            chain(
                documents,
                counted(_pages(sites, options, allow_private), "pages read", progress),
            ),
            namespace=into,
            prune_under=roots if prune else (),
            told_under=roots,
        )
        if read_ahead:
            from verifier.verification.evidence import ahead

            ahead.read_ahead(store, into, progress)
        folders = [root for path, root in zip(places, roots, strict=False) if os.path.isdir(path)]
        gone = _gone(store, into, None if prune else folders)
    ignored = [(file.source, file.ignored) for file in files if file.ignored]
    # A folder that was mistyped, or is not mounted, looks empty; --prune may mean just that.
    empty = [path for path in places if holds_nothing(path, ignore or ())]
    for path in empty:
        note(f"nothing to read in {path}")
    if prune:
        _tell_kept(gone)
    elif gone:
        number = plural(sum(gone.values()), "file")
        note(f"still in the knowledge base, but no longer there: {number}; with --prune, ingest removes them")
    _report(summary, ignored, json_, quiet)
    raise typer.Exit(exits.INCOMPLETE if summary.failed or (empty and not prune) else exits.OK)


@contextmanager
def _documents(
    files: Sequence[SourceFile],
    options: ReadOptions,
    settings: Settings,
    others: int,
    store: GroundTruthStore,
    progress: Progress | None,
) -> Iterator[Iterator[Document | CutDocument | FailedSource]]:
    """The documents of the files, read by so many other processes, or by this one."""
    from verifier.knowledge.records import counted

    if not others:
        from verifier.interfaces.parsing.documents import documents_of

        yield documents_of(counted(files, "files read", progress, len(files)), options, note)
        return
    from verifier.interfaces.parsing.pool import FileReaders

    chunking, known = (
        settings.chunking.model_dump(),
        partial(store.known_hash, namespace=settings.kb.namespace),
    )
    with FileReaders(files, options, chunking, processes=others, known=known) as readers:
        yield readers.documents(note, progress)


def _plan(files: Iterable[SourceFile], urls: Sequence[str], configured: Configuration) -> dict[str, Any]:
    """What would be read into which knowledge base, and what embeds it."""
    settings = configured.settings
    found = list(files)
    return {
        "files": [f"{one.source} ({one.format})" for one in found if not (one.ignored or one.unreadable)],
        **({"addresses": list(urls)} if urls else {}),
        "ignored": [f"{one.source}: {one.ignored}" for one in found if one.ignored],
        "not_read": [f"{one.source}: {one.unreadable}" for one in found if one.unreadable],
        "into": f"{settings.kb.path}, namespace {settings.kb.namespace}",
        "models": {"backend": models_of(settings)["backend"]},
    }


def holds_nothing(path: Path, ignore: Sequence[str] = ()) -> bool:
    """Whether a path is a folder without a file that would be read."""
    from verifier.knowledge.ingest import discover

    return os.path.isdir(path) and all(file.ignored for file in discover([path], ignore))


def _gone(store: GroundTruthStore, namespace: str, folders: Sequence[str] | None) -> dict[str, int]:
    """Stored files that are no longer there, below these folders or, for ``None``, anywhere."""
    from verifier.knowledge.uris import is_under
    from verifier.knowledge.vanished import vanished

    if folders is None:
        return vanished(store.source_uris(namespace))
    if not folders:  # then none of a perhaps long list is read
        return {}
    uris = store.source_uris(namespace)
    return vanished(uri for uri in uris if any(is_under(uri, folder) for folder in folders))


def _tell_kept(kept: Mapping[str, int]) -> None:
    """What is gone from elsewhere than the paths of this call, and was kept: perhaps it was moved to them."""
    for path, number in list(kept.items())[:_MOST]:
        command = f"verifier kb delete {shlex.quote(path)}"
        note(f"{path} is no longer there; kept of it: {plural(number, 'file')}, which {command} removes")
    if len(kept) > _MOST:
        note(f"nor are {plural(len(kept) - _MOST, 'other path')}")


def _pages(
    sites: Iterable[Site], options: ReadOptions, allow_private: bool
) -> Iterator[Document | FailedSource]:
    """The documents of addresses of the web."""
    from verifier.knowledge.web.fetch import Web
    from verifier.knowledge.web.pages import read_site

    web = Web(allow_private=allow_private)
    for site in sites:
        yield from read_site(site, web, options, note)


def _report(summary: IngestSummary, ignored: list[tuple[str, str]], json_: bool, quiet: bool) -> None:
    for name, reason in summary.failed:
        note(f"not read: {name}: {reason}")
    for name, reason in ignored:
        note(f"ignored: {name}: {reason}", quiet)
    if json_:
        raw = asdict(summary) | {"ignored": ignored}
        write_text(json.dumps(raw, indent=2, ensure_ascii=False) + "\n", None)
        return
    counts = {
        "added": summary.added,
        "replaced": summary.replaced,
        "unchanged": summary.unchanged,
        "pruned": summary.pruned,
        "failed": len(summary.failed),
        "ignored": len(ignored),
    }
    parts = [f"{n} {name}" for name, n in counts.items() if n]
    if summary.duplicates:
        parts.append(plural(summary.duplicates, "duplicate"))
    embedded = summary.passages_embedded
    done = f"{plural(embedded, 'passage')} embedded" if embedded else "nothing embedded"
    write_text(f"{', '.join(parts) or 'no documents'}; {done}\n", None)
