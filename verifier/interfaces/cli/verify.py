"""``verifier verify``: a report of each text, against a knowledge base or files named on the spot."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from verifier.core.errors import ConfigError, IngestError
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    STDIN,
    ConfigFile,
    Encoding,
    Fixes,
    Ignore,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    Strict,
    configuration,
    ensure_namespace,
    ensure_ready,
    existing_paths,
    existing_store,
    progress_bars,
    read_text,
    shared_signals,
)
from verifier.interfaces.cli.output import note, plural, refuse_overwriting, write_text
from verifier.interfaces.cli.plans import DryRun, asking, finish, models_of, passages_in, summed
from verifier.interfaces.cli.texts import (
    Texts,
    also_written,
    run_of,
    sources_beside,
    texts_of,
    with_documents,
)
from verifier.interfaces.early import models_opening
from verifier.interfaces.formats import FORMATS
from verifier.types import Detail

if TYPE_CHECKING:
    from verifier.config import Configuration
    from verifier.interfaces.formats.base import Run
    from verifier.knowledge.records import FailedSource
    from verifier.knowledge.store import GroundTruthStore
    from verifier.types import Document

__all__ = ["verify"]

_WITHOUT = "or check against files, with no knowledge base: verifier verify TEXT --source FILE"
_DETAILED = frozenset({"json", "jsonl"})
"""Formats that write reports in the detail that is asked for."""


@dataclass
class _Sources:
    """Files to check against, and what is to be said of them once they were read."""

    paths: list[Path]
    encoding: str | None
    ignore: list[str]
    texts: list[Path]
    """The files to check, which are no sources, wherever they lie."""
    doubts: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def verify(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH|-", help="Texts to check: files, folders; - is stdin."),
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="The text to check, given here.")] = None,
    source: Annotated[
        list[Path] | None,
        typer.Option(
            "--source",
            metavar="FILE",
            help="Check against this file or folder, with no knowledge base; - is stdin. Repeat for several.",
        ),
    ] = None,
    ignore: Ignore = None,
    prompt: Annotated[
        str | None,
        typer.Option("--prompt", help="The question that the text answers: completes short answers."),
    ] = None,
    output_format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="text, json, jsonl, markdown, html, junit, sarif, github, or a plugin's. [default: text]",
            autocompletion=FORMATS.names,
        ),
    ] = None,
    json_: Json = False,
    detail: Annotated[
        Detail, typer.Option("--detail", help="Of JSON: full has what each signal found and weighed.")
    ] = Detail.BRIEF,
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Write it there.")] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(
            "--also", metavar="NAME=FILE", help="Write this format to that file, too. Repeat for several."
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", metavar="FILE", help="JSON of an earlier run: fail on what got worse."),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="VERDICT,...",
            help="Verdicts that reject. [default: contradicted,fabricated]",
        ),
    ] = None,
    min_groundedness: Annotated[
        float | None,
        typer.Option(
            "--min-groundedness", min=0.0, max=1.0, help="Least share of supported claims. [default: 0.5]"
        ),
    ] = None,
    strict: Strict = None,
    fixes: Fixes = None,
    dry_run: DryRun = False,
    encoding: Encoding = None,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Check texts claim by claim: exit 0 all approved, 1 one rejected, 2 usage, 3 not (wholly) checked."""
    named = list(paths or ())
    _ensure_texts(named, text, source or [])
    if source and kb:
        raise ConfigError("--source checks against files on the spot: it does not go with --kb")
    if source and len(named) > 1:
        note(f"{len(named)} paths are texts to check; for several sources repeat --source", quiet)
    shape = _format(output_format, json_)
    beside = also_written(also or [])
    _check_verdicts(fail_on)
    if detail is Detail.FULL and _DETAILED.isdisjoint((shape, *beside)):
        note(f"--detail full changes nothing of {shape}: it is for --json and --format jsonl", quiet)
    configured = configuration(
        config,
        kb,
        namespace,
        decision__fail_on=fail_on,
        decision__min_groundedness=min_groundedness,
        decision__strict=strict,
        verdict__suggest_fixes=fixes,
        quiet=quiet,
    )
    texts = texts_of(named, text, encoding, quiet=quiet)
    own = [Path(one.path) for one in texts.given if one.path]
    earlier = None
    if baseline is not None:
        from verifier.interfaces.cli.baseline import against, read_baseline

        earlier = read_baseline(baseline)
    inputs = [
        *named,
        *(source or ()),
        *filter(None, [baseline]),
        *own,
    ]
    refuse_overwriting(output, inputs, "--output")
    for file in beside.values():
        refuse_overwriting(file, inputs, "--also")
    if dry_run and configured.settings.reader.get("type") == "embedded":
        finish(
            {**summed([]), **_plan(texts, source or [], configured)},
            shape == "json",
            [output, *beside.values()],
        )
    sources = _Sources(source or [], encoding, ignore or [], own)
    with ExitStack() as stack:
        stack.enter_context(models_opening(configured.settings))
        from verifier.factory import build_scorer

        store = stack.enter_context(_knowledge(configured, sources, quiet))
        scorer = build_scorer(configured.settings, store, shared_signals(configured, quiet))
        if any(one.text.strip() for one in texts.given):
            ensure_namespace(store, configured.settings.kb.namespace)
            ensure_ready(store)
        if dry_run:
            asked = asking(scorer, [one.text for one in texts.given], prompt)
            finish(
                {**asked, **_plan(texts, source or [], configured)},
                shape == "json",
                [output, *beside.values()],
            )
        progress = stack.enter_context(progress_bars(quiet))
        cases = [(one.text, prompt) for one in texts.given]
        reports = scorer.verify_many(cases, progress=progress)
        run = replace(run_of(texts, reports, sources.doubts), detail=detail)
        if "html" in (shape, *beside):
            run = with_documents(run, store.whole_document)
    if earlier is not None:
        run = against(run, earlier)
    for name, file in beside.items():
        write_text(FORMATS.load(name)().render(run), file)
    _show(run, shape, output)
    code = exits.of_run(run)
    raise typer.Exit(exits.INCOMPLETE if sources.failed and code == exits.OK else code)


def _plan(texts: Texts, sources: list[Path], configured: Configuration) -> dict[str, Any]:
    """What a check would read, and with which models."""
    settings = configured.settings
    against_: object = [str(path) for path in existing_paths(path for path in sources if path != STDIN)]
    if not sources:
        passages = plural(passages_in(settings), "passage")
        against_ = f"{passages} of {settings.kb.path}, namespace {settings.kb.namespace}"
    return {
        "texts": [one.name for one in texts.given],
        "not_read": [f"{one.name}: {one.reason}" for one in texts.unread],
        "against": against_,
        "models": models_of(settings),
    }


def _ensure_texts(paths: list[Path], text: str | None, sources: list[Path]) -> None:
    """Refuse no text at all, two kinds of them, and stdin twice."""
    if bool(paths) == (text is not None):
        several = "; for several sources repeat the option: --source A --source B" if sources else ""
        raise ConfigError(f"give a FILE or a folder (or - for stdin), or --text, one of them{several}")
    if [*paths, *sources].count(STDIN) > 1:
        raise ConfigError("- stands for stdin, which can be read only once")


def _format(asked: str | None, json_: bool) -> str:
    """The name of the format. ``table`` was the name of ``text``.

    Raises:
        UnknownPlugin: there is none of that name.
    """
    if json_ and asked not in (None, "json"):
        raise ConfigError(f"--json and --format {asked} ask for two formats; give one of them")
    name = "json" if json_ else "text" if asked in (None, "table") else asked
    FORMATS.ensure(name)
    return name


def _check_verdicts(fail_on: str | None) -> None:
    from verifier.config import FailingVerdict

    known = get_args(FailingVerdict)
    for name in (part.strip() for part in (fail_on or "").split(",")):
        if name and name not in known:
            raise ConfigError(
                f"--fail-on {name!r} (command line): no such verdict; known: {', '.join(known)}"
            )


@contextmanager
def _knowledge(configured: Configuration, sources: _Sources, quiet: bool) -> Iterator[GroundTruthStore]:
    """The store to check against: the knowledge base, or one that is made of the sources."""
    if not sources.paths:
        with existing_store(configured, quiet=quiet, otherwise=_WITHOUT) as store:
            yield store
        return
    from verifier.factory import temporary_store
    from verifier.knowledge.records import counted

    namespace = configured.settings.kb.namespace
    with progress_bars(quiet) as progress, temporary_store(configured.settings) as store:
        store.progress = progress
        found = counted(_documents(sources, quiet), "sources", progress)
        failed = store.ingest(found, namespace=namespace).failed
        sources.failed += [f"{name}: {reason}" for name, reason in failed]
        if not store.passage_count(namespace):
            told = ": ".join(["the sources hold no text to check against", *sources.failed[:1]])
            raise IngestError("; ".join([told, *sources.failed[1:]]))
        for told in sources.failed:
            note(f"not read: {told}")
        yield store


def _documents(sources: _Sources, quiet: bool) -> Iterator[Document | FailedSource]:
    """The documents of the sources, and what could not be read of them."""
    from verifier.interfaces.parsing.documents import documents_of
    from verifier.knowledge.ingest import ReadOptions
    from verifier.types import Document

    if STDIN in sources.paths:
        yield Document("stdin", "stdin", read_text(STDIN, sources.encoding))
    paths = (path for path in sources.paths if path != STDIN)
    found = list(sources_beside(sources.texts, paths, sources.ignore))
    for file in found:
        if file.ignored:
            note(f"ignored {file.source}: {file.ignored}", quiet)
    yield from documents_of(found, ReadOptions(encoding=sources.encoding), note, sources.doubts.append)


def _show(run: Run, name: str, output: Path | None) -> None:
    """The run in its format; a table as wide as the terminal, in its colours."""
    if name != "text":
        write_text(FORMATS.load(name)().render(run), output)
        return
    from verifier.interfaces.formats.text import WIDTH, TextFormat

    if output is None and sys.stdout.isatty():
        from rich.console import Console

        TextFormat().print(run, Console())
        return
    columns = os.environ.get("COLUMNS", "")
    write_text(TextFormat().render(run, int(columns) if columns.isdecimal() else WIDTH), output)
