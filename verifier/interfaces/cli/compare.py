"""``verifier compare``: compare backends by recall, times, sizes and the verdicts that flip."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import ConfigError, UnknownPlugin
from verifier.core.frames import ensure_writable, write_tables
from verifier.core.visible import one_line
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.evaluate import as_json
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    TableFile,
    configuration,
    progress_bars,
    read_text,
    shared_signals,
)
from verifier.interfaces.cli.output import listing, note, plural, refuse_overwriting, write_text
from verifier.interfaces.cli.plans import DryRun, finish, models_of, passages_in, shown

if TYPE_CHECKING:
    from verifier.config import Settings
    from verifier.measure.comparison import Comparison, Measured
    from verifier.measure.queries import QuerySet
    from verifier.measure.trial import Candidate

__all__ = ["compare"]

CONFIGURED = "configured"
"""The name of the backend that the configuration has."""


def compare(
    backends: Annotated[
        str | None,
        typer.Option(
            "--backends",
            metavar="A,B,...",
            help="Types of backends, tables of --backend-file, or 'configured'. [default: all of --backend-file]",
        ),
    ] = None,
    backend_file: Annotated[
        Path | None,
        typer.Option("--backend-file", metavar="FILE.toml", help="Named tables, each as [backend] has it."),
    ] = None,
    queries: Annotated[
        Path | None,
        typer.Option(
            "--queries",
            metavar="FILE",
            help="Rows {query|claim, relevant}, or a BEIR folder. [default: sentences of the passages]",
        ),
    ] = None,
    response: Annotated[
        list[Path] | None,
        typer.Option(
            "--response", metavar="FILE", help="Judge the claims of this text. [default: the queries]"
        ),
    ] = None,
    top_k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Passages that count for recall.")] = 5,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only so many queries, evenly spread.")
    ] = None,
    verdicts: Annotated[
        bool, typer.Option("--verdicts/--no-verdicts", help="Judge claims over each backend.")
    ] = True,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw it.")] = None,
    output: TableFile = None,
    dry_run: DryRun = False,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Index the stored passages with each backend, ask each the same, and show where they differ.

    The knowledge base and its own index are left as they are. Exit 3 when a backend failed; its row says why.
    """
    from verifier.measure import compare as measuring

    read = [path for path in (backend_file, queries, *(response or ())) if path is not None]
    refuse_overwriting(plot, read, "--plot")
    refuse_overwriting(output, read, "--output")
    if output is not None:
        ensure_writable(output)
    if plot is not None and plot.suffix.lower() != ".svg":
        raise ConfigError(f"--plot {plot}: it is drawn as SVG; give a name that ends in .svg")
    if response and not verdicts:
        raise ConfigError("--response has claims to judge, and --no-verdicts says that none are judged")
    settings = (configured := configuration(config, kb, namespace, quiet=quiet)).settings
    candidates = _candidates(backends, backend_file, settings)
    asked = _queries(queries, limit)
    responses = [read_text(path) for path in response] if response else None
    if dry_run:
        judged = "none" if not verdicts else f"of {len(responses)} texts" if responses else "the queries"
        finish(_plan(candidates, asked, settings) | {"claims": judged}, json_, (output, plot))
    with progress_bars(quiet) as progress:
        found = measuring.compare(
            settings,
            candidates,
            asked,
            k=top_k,
            responses=responses,
            verdicts=verdicts,
            progress=progress,
            shared=shared_signals(configured, quiet),
        )
    for message in found.notes:
        note(message, quiet)
    if plot is not None:
        from verifier.measure.comparison_svg import as_svg

        write_text(as_svg(found), plot)
    if output is not None:
        write_tables(found.tables(), output)
    write_text(as_json(found.as_dict()) if json_ else _as_text(found), None)
    nothing_judged = responses is not None and not found.claims
    raise typer.Exit(exits.OK if found.is_whole and not nothing_judged else exits.INCOMPLETE)


def _plan(candidates: Sequence[Candidate], asked: QuerySet | None, settings: Settings) -> dict[str, Any]:
    """What a comparison would index, and what it would ask each backend."""
    from verifier.measure.compare import SAMPLED

    models = models_of(settings)
    return {
        "passages": f"{passages_in(settings)} of {settings.kb.path}, namespace {settings.kb.namespace}",
        "indexes": [f"{one.name}: {shown(one.config)}" for one in candidates],
        "queries": len(asked.queries) if asked else f"{SAMPLED} sentences of the passages at most",
        "models": {name: model for name, model in models.items() if name != "backend"},
    }


def _candidates(names: str | None, file: Path | None, settings: Settings) -> list[Candidate]:
    """What each name of ``--backends`` stands for: a table of the file, the configured backend, or a bare type."""
    from verifier.core.registry import BACKENDS
    from verifier.measure.trial import Candidate

    tables = _tables(file, BACKENDS.names()) if file is not None else {}
    if names is None and not tables:
        raise ConfigError(f"nothing to compare: give --backends, of {', '.join(BACKENDS.names())}")
    asked = list(tables) if names is None else [name.strip() for name in names.split(",")]
    known = {**{name: {"type": name} for name in BACKENDS.names()}, CONFIGURED: settings.backend, **tables}
    if unknown := [name for name in asked if name not in known]:
        raise UnknownPlugin("backend", unknown[0], known)
    if len(asked) < 2 or len(set(asked)) < len(asked):
        raise ConfigError(f"a comparison needs at least two different backends; given: {', '.join(asked)}")
    return [Candidate.of(name, known[name]) for name in asked]


def _tables(file: Path, types: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """The tables of a file by name; a name must not belie what its table is."""
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"cannot read {file}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is malformed: {error}") from error
    for name, table in tables.items():
        if not isinstance(table, Mapping) or "type" not in table:
            raise ConfigError(f"{file}: [{name}] must be a table with a 'type'")
        if name == CONFIGURED or "," in name or (name in types and name != table["type"]):
            raise ConfigError(f"{file}: a table cannot be named {name!r}, which means something else")
    if not tables:
        raise ConfigError(f"{file} holds no table")
    return tables


def _queries(path: Path | None, limit: int | None) -> QuerySet | None:
    from verifier.measure.queries import read_queries

    if path is None and limit is not None:
        raise ConfigError("--limit is of the queries: give --queries")
    return read_queries(path).limited(limit) if path is not None else None


def _as_text(found: Comparison) -> str:
    from verifier.measure.trial import NDCG_DEPTH

    share = "all" if found.labelled == found.queries else found.labelled
    labelled = f", {share} of them labelled" if found.labelled else ""
    depth = max(found.k, NDCG_DEPTH)
    head = (
        f"{plural(found.passages, 'passage')}; queries: {found.origin} ({found.queries}{labelled}); "
        f"recall against {found.recall_against}; times for {depth} results of one query alone"
    )
    columns = ("backend", f"recall@{found.k}", "nDCG@10", "p50 ms", "p95 ms", "index kB", "build s")
    verdicts = sorted({name for backend in found.backends for name in backend.verdicts})
    rows = [_row(backend, verdicts) for backend in found.backends]
    parts = [f"{one_line(head)}\n\n{listing((*columns, *verdicts), rows)}"]
    for backend in found.backends:
        if backend.error is not None:
            parts.append(f"{backend.name} failed: {one_line(backend.error)}\n")
        if backend.keyword:
            parts.append(
                f"{backend.name}: keyword search found the evidence of {plural(backend.keyword, 'claim')}\n"
            )
    return "".join(parts) + _flips_text(found)


def _row(backend: Measured, verdicts: Sequence[str]) -> list[str]:
    size = None if backend.index_bytes is None else backend.index_bytes / 1000
    figures = ((backend.recall, 3), (backend.ndcg_at_10, 3), (backend.p50_ms, 2), (backend.p95_ms, 2))
    cells = [_figure(value, digits) for value, digits in (*figures, (size, 1), (backend.build_seconds, 2))]
    counts = [str(backend.verdicts.get(name, 0)) if backend.verdicts else "-" for name in verdicts]
    return [backend.name, *cells, *counts]


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _flips_text(found: Comparison) -> str:
    if found.claims is None:
        return "\nno claims were judged\n"
    if not found.claims:
        return f"\nno claims were judged: {plural(found.skipped, 'text')} without one\n"
    skipped = f"; {plural(found.skipped, 'text')} without a claim" if found.skipped else ""
    lines = ["", f"{len(found.flips)} of {plural(found.claims, 'claim')} flip{skipped}"]
    for flip in found.flips:
        lines += ["", one_line(flip.claim)]
        for (verdict, reason), names in flip.grouped().items():
            lines.append(f"  {verdict} by {', '.join(names)}: {one_line(reason)}")
    return "\n".join(lines) + "\n"
