"""``verifier evaluate``: metrics on labelled claims."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

import typer

from verifier.core.errors import ConfigError
from verifier.core.frames import SUFFIXES, ensure_writable, write_tables
from verifier.core.visible import visible
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    TableFile,
    configuration,
    ensure_namespace,
    ensure_ready,
    existing_store,
    progress_bars,
    shared_signals,
)
from verifier.interfaces.cli.output import note, plural, refuse_overwriting, write_text
from verifier.interfaces.cli.plans import DryRun, finish, models_of, passages_in, rows_asked, summed

if TYPE_CHECKING:
    from verifier.config import Configuration
    from verifier.factory import SharedSignals
    from verifier.measure.evaluate import Prediction
    from verifier.measure.rows import LabelledRow
    from verifier.verification.scorer import VerifiedScorer

__all__ = ["as_json", "evaluate", "plan_of_rows", "read_labelled", "scorer_for"]

Data = Annotated[
    Path,
    typer.Argument(
        metavar="DATA.jsonl", help="Rows {premise, hypothesis, label} or {claim, verdict[, namespace]}."
    ),
]


def evaluate(
    data: Data,
    rows: Annotated[
        Path | None,
        typer.Option(
            "--rows", metavar="OUT", help="Write each row with its prediction: JSONL, .csv, .parquet."
        ),
    ] = None,
    output: TableFile = None,
    dry_run: DryRun = False,
    by: Annotated[
        str | None, typer.Option("--by", metavar="FIELD", help="Figures for each value of a field.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only so many rows, evenly spread.")
    ] = None,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Measure the verdicts on labelled claims. Exit 3 when a row could not be used or checked."""
    from verifier.measure.evaluate import figures, prediction_table, tables_of

    refuse_overwriting(rows, [data], "--rows")
    refuse_overwriting(output, [data], "--output")
    for file in filter(None, (output, rows if _is_table(rows) else None)):
        ensure_writable(file)
    usable, bad = read_labelled(data, limit)
    if by is not None:
        _check_field(by, usable)
    configured = configuration(config, kb, namespace, quiet=quiet)
    if dry_run:
        finish(plan_of_rows({data: (usable, bad)}, configured, quiet), json_, (rows, output))
    predictions = _predict(usable, configured, quiet)
    if _is_table(rows):
        prediction_table(predictions).write(rows)
    elif rows is not None:
        lines = (json.dumps(item.as_row(), ensure_ascii=False) + "\n" for item in predictions)
        write_text("".join(lines), rows)
    result = figures(predictions)
    if by is not None:
        groups: dict[str, list[Prediction]] = defaultdict(list)
        for item in predictions:
            groups[str(item.row.raw.get(by))].append(item)
        result["by"] = {name: figures(group) for name, group in sorted(groups.items())}
    if output is not None:
        write_tables(tables_of(result), output)
    write_text(as_json(result) if json_ else _as_text(result), None)
    raise typer.Exit(exits.INCOMPLETE if bad or result["errors"] else exits.OK)


def _is_table(path: Path | None) -> TypeGuard[Path]:
    return path is not None and path.suffix.lower() in SUFFIXES


def read_labelled(data: Path, limit: int | None = None) -> tuple[list[LabelledRow], int]:
    """The usable rows of a file, or ``limit`` of them, evenly spread, and the number of others, each with a note.

    Raises:
        ConfigError: no row is usable.
    """
    from verifier.measure.rows import BadRow, read_rows

    usable: list[LabelledRow] = []
    bad = 0
    for row in read_rows(data):
        if isinstance(row, BadRow):
            note(f"{data.name}, line {row.number}: {row.reason}")
            bad += 1
        else:
            usable.append(row)
    if not usable:
        raise ConfigError(
            f'{data} holds no usable row; one is a line of JSON: {{"claim": "...", "verdict": "supported"}}'
        )
    if limit is not None and limit < len(usable):
        usable = [usable[n * len(usable) // limit] for n in range(limit)]
    return usable, bad


def _check_field(name: str, rows: Sequence[LabelledRow]) -> None:
    fields = sorted({field for row in rows for field in row.raw})
    if name not in fields:
        raise ConfigError(f"--by {name}: no row has that field; known: {', '.join(fields)}")


def _predict(rows: Sequence[LabelledRow], configured: Configuration, quiet: bool) -> list[Prediction]:
    from verifier.knowledge.records import counted
    from verifier.measure.evaluate import predict

    shared = shared_signals(configured, quiet)
    with scorer_for(rows, configured, shared, quiet) as scorer, progress_bars(quiet) as progress:
        return list(predict(counted(rows, "claims", progress, len(rows)), scorer, knowledge_base=True))


def plan_of_rows(
    files: Mapping[Path, tuple[Sequence[LabelledRow], int]], configured: Configuration, quiet: bool
) -> dict[str, Any]:
    """What measuring the rows of files, each with its number of bad ones, would read and ask."""
    rows = [row for usable, _ in files.values() for row in usable]
    stored = sum(row.premise is None for row in rows)
    settings = configured.settings
    asked = summed([])
    if settings.reader.get("type") != "embedded":
        with scorer_for(rows, configured, shared_signals(configured, quiet), quiet) as scorer:
            asked = rows_asked(scorer, rows)
    own = plural(len(rows) - stored, "row")
    return {
        **asked,
        "rows": [f"{file}: {len(usable)}, and {bad} not usable" for file, (usable, bad) in files.items()],
        "against": f"{own} against their own premise, {stored} against {settings.kb.path}"
        + (f" ({plural(passages_in(settings), 'passage')})" if stored else ""),
        "models": models_of(settings),
    }


@contextmanager
def scorer_for(
    rows: Sequence[LabelledRow], configured: Configuration, shared: SharedSignals, quiet: bool
) -> Iterator[VerifiedScorer]:
    """The configured scorer; a knowledge base need not exist where every row brings its own premise.

    Raises:
        KnowledgeBaseError: a row has no premise, and there is no knowledge base, or nothing in the namespace that
            the row or else the configuration names.
    """
    from verifier.factory import build_scorer, temporary_store

    if all(row.premise is not None for row in rows):
        with temporary_store(configured.settings) as store:
            yield build_scorer(configured.settings, store, shared)
        return
    with existing_store(configured, quiet=quiet) as store:
        for namespace in dict.fromkeys(row.namespace for row in rows if row.premise is None):
            ensure_namespace(store, namespace or configured.settings.kb.namespace)
        scorer = build_scorer(configured.settings, store, shared)
        ensure_ready(store)
        yield scorer


def as_json(value: Any) -> str:
    """Figures, rounded to four places."""
    return json.dumps(_rounded(value), indent=2, ensure_ascii=False) + "\n"


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def _as_text(result: dict[str, Any]) -> str:
    shown = (
        "n",
        "errors",
        "accuracy",
        "balanced_accuracy",
        "auroc",
        "ece",
        "false_support",
        "support_recall",
    )
    lines = [f"{key:18} {_figure(result[key])}" for key in shown]
    lines += [f"{'f1 ' + name:18} {_figure(value)}" for name, value in result["f1"].items()]
    predicted = sorted({guess for row in result["confusion"].values() for guess in row})
    lines += ["", f"{'label / predicted':18} " + " ".join(f"{name:>13}" for name in predicted)]
    for label, row in result["confusion"].items():
        lines.append(f"{label:18} " + " ".join(f"{row.get(name, 0):13}" for name in predicted))
    lines += _acceptance(result["acceptance"])
    groups = result.get("by", {})
    width = max([18, *map(len, groups)])
    if groups:
        lines += ["", f"{'':{width}} {'n':>5} {'accuracy':>9} {'false sup.':>10} {'recall':>7}"]
    for name, part in groups.items():
        figures = (_figure(part[key]) for key in ("accuracy", "false_support", "support_recall"))
        lines.append(
            f"{name:{width}} {part['n']:5} {next(figures):>9} {next(figures):>10} {next(figures):>7}"
        )
    return visible("\n".join(lines) + "\n")


def _acceptance(rows: Sequence[dict[str, float]]) -> list[str]:
    if not rows:
        return []
    header = ("claims", "share", "wrong", "error", "at most*")
    lines = ["", f"{'supported from':18} " + " ".join(f"{name:>8}" for name in header)]
    for row in rows:
        cells = (row["accepted"], row["share"], row["wrong"], row["error"], row["error_at_most"])
        lines.append(f"{row['support_at']:<18.3f} " + " ".join(f"{_figure(cell):>8}" for cell in cells))
    return [
        *lines,
        "* with 90 % confidence, each row by itself; verifier calibrate chooses one and keeps the promise",
    ]


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
