"""``verifier verify``: a text and a knowledge base (or files on the spot) in, a report out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError, IngestError
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    existing_store,
    note,
    read_text,
    write_text,
)

if TYPE_CHECKING:
    from verifier.config import Configuration
    from verifier.knowledge.store import GroundTruthStore
    from verifier.types import Report

__all__ = ["verify"]


class Format(StrEnum):
    """Names of ``verifier.verification.render.FORMATS``, spelt out here so that ``--help`` stays light."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    MARKDOWN = "markdown"


def verify(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE|-]", help="The text to check; - is stdin.")
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="The text to check, given here.")] = None,
    source: Annotated[
        list[Path] | None,
        typer.Option("--source", metavar="FILE", help="Check against these files, with no knowledge base."),
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option("--prompt", help="The question that the text answers: completes short answers."),
    ] = None,
    output_format: Annotated[Format, typer.Option("--format", help="What to print.")] = Format.TABLE,
    json_: Json = False,
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Write it there.")] = None,
    fail_on: Annotated[
        str | None, typer.Option("--fail-on", help="Verdicts that reject. [default: contradicted,fabricated]")
    ] = None,
    min_groundedness: Annotated[
        float | None,
        typer.Option("--min-groundedness", help="Least share of supported claims. [default: 0.5]"),
    ] = None,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Check a text claim by claim: exit 0 approved, 1 rejected, 2 usage, 3 not (wholly) checked."""
    if (file is None) == (text is None):
        raise ConfigError("give a FILE (or - for stdin) or --text, one of them")
    if source and kb:
        raise ConfigError("--source checks against files on the spot: it does not go with --kb")
    configured = configuration(
        config, kb, namespace, decision__fail_on=fail_on, decision__min_groundedness=min_groundedness
    )
    response = text if text is not None else read_text(file or Path("-"))
    from verifier.factory import build_scorer

    with _knowledge(configured, source, quiet) as store:
        report = build_scorer(configured.settings, store).verify(response, prompt=prompt)
    if not response.strip():
        note("the response is empty: nothing to check", quiet)
    _show(report, Format.JSON if json_ else output_format, output)
    raise typer.Exit(exits.of_report(report))


@contextmanager
def _knowledge(
    configured: Configuration, sources: list[Path] | None, quiet: bool
) -> Iterator[GroundTruthStore]:
    if not sources:
        with existing_store(configured, quiet=quiet) as store:
            yield store
        return
    from verifier.factory import temporary_store
    from verifier.knowledge.ingest import discover, read_documents

    with temporary_store(configured.settings) as store:
        for found in discover(sources):
            # A source that was named and cannot be read must stop the check: less evidence is no evidence.
            if found.ignored:
                note(f"ignored {found.source}: {found.ignored}", quiet)
            store.ingest(read_documents(found), namespace=configured.settings.kb.namespace)
        if not store.passage_count(configured.settings.kb.namespace):
            raise IngestError("the sources hold no text to check against")
        yield store


def _show(report: Report, output_format: Format, output: Path | None) -> None:
    if output_format is Format.TABLE and output is None and sys.stdout.isatty():
        from rich.console import Console

        from verifier.verification.render.table import print_table

        print_table(report, Console())
        return
    from verifier.verification.render import FORMATS

    write_text(FORMATS[output_format](report), output)
