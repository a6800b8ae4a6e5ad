"""``verifier batch``: check a file of answers and write a file of reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError
from verifier.core.visible import visible
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    ensure_namespace,
    ensure_ready,
    existing_paths,
    existing_store,
    progress_bars,
)
from verifier.interfaces.cli.output import note, write_text

if TYPE_CHECKING:
    from verifier.config import Configuration, Settings
    from verifier.interfaces.batch.by_batches import BatchedEngine
    from verifier.interfaces.batch.engine import Engine
    from verifier.interfaces.batch.source import Source

__all__ = ["EngineName", "batch"]


class EngineName(StrEnum):
    """What has the rows of a batch checked."""

    LOCAL = "local"
    RAY = "ray"


def batch(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN",
            help="Rows {id, response, contexts or source, prompt, namespace} as JSON lines, CSV, TSV or Parquet; a "
            "folder of a Hugging Face data set, or of documents.",
        ),
    ],
    output: Annotated[Path, typer.Argument(metavar="OUT.jsonl", help="A record of each row, in order.")],
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, max=4096, help="Processes. [default: one a core, at most 8; ray: one a CPU]"
        ),
    ] = None,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="Processes of this machine, or actors on a Ray cluster.")
    ] = EngineName.LOCAL,
    ray_address: Annotated[
        str | None,
        typer.Option(
            "--ray-address",
            metavar="HOST:PORT",
            envvar="RAY_ADDRESS",
            help="A Ray cluster, of which this machine is a part. [default: a Ray of this machine]",
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option("--split", metavar="NAME", help="Of a data set with several.")
    ] = None,
    columns: Annotated[
        str,
        typer.Option(
            "--columns",
            metavar="FIELD=NAME,...",
            help="Columns under other names, as response=reply,contexts=passages; FIELD= for none.",
        ),
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an output that is there.")] = False,
    reader_batch: Annotated[
        bool,
        typer.Option(
            "--reader-batch",
            help="Ask the chat reader by the batch endpoint of OpenAI or Anthropic: half the price, within 24 hours.",
        ),
    ] = False,
    poll: Annotated[
        float,
        typer.Option(
            "--poll", metavar="SECONDS", min=0.01, max=3600, help="Between two looks at such batches."
        ),
    ] = 60.0,
    cancel_batches: Annotated[
        bool, typer.Option("--cancel-batches", help="Cancel the batches of OUT that are under way, and stop.")
    ] = False,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Check many texts by several processes. Exit 0 all checked, 3 a row could not be."""
    _ensure_apart(source, output)
    configured = configuration(config, kb, namespace, quiet=quiet)
    from verifier.interfaces.batch.columns import Columns
    from verifier.interfaces.batch.run import run_batch
    from verifier.interfaces.batch.source import Source
    from verifier.knowledge.places import is_named

    if cancel_batches:
        _cancel(configured.settings, output, quiet)
        return
    rows = Source(source, split, Columns.parsed(columns))
    has_base = kb is not None or is_named(configured.settings.kb.path)
    rows.ensure_usable(has_base=has_base)
    batched = None
    if reader_batch:
        batched = _by_batches(configured.settings, output, engine, resume, has_base, workers, poll, quiet)
    else:
        _ensure_none_waits(output)
    chosen = batched or _engine(engine, configured.settings, rows, has_base, workers, ray_address)
    if has_base:
        _prepare(configured, quiet, namespace)
    with progress_bars(quiet) as progress, _telling_what_goes_on(output if batched else None, quiet):
        if batched is not None:
            batched.progress = progress
        summary = run_batch(
            configured.settings,
            rows,
            output,
            engine=chosen,
            resume=resume,
            progress=progress,
            total=rows.count() if progress is not None else None,
            ignored=lambda name, reason: note(f"ignored {name}: {reason}", quiet),
        )
    told = summary.as_json()
    write_text(
        json.dumps(told, indent=2, ensure_ascii=False) + "\n" if json_ else visible(summary.as_text()), None
    )
    raise typer.Exit(exits.INCOMPLETE if summary.errors else exits.OK)


def _engine(
    name: EngineName,
    settings: Settings,
    source: Source,
    has_base: bool,
    workers: int | None,
    address: str | None,
) -> Engine:
    """The engine of that name.

    Raises:
        MissingExtra: it needs an optional dependency.
    """
    if name is EngineName.RAY:
        from verifier.interfaces.batch.ray_data import RayEngine

        return RayEngine(settings, source, has_base=has_base, workers=workers, address=address)
    from verifier.interfaces.batch.local import LocalEngine

    return LocalEngine(settings, has_base=has_base, workers=workers)


def _by_batches(
    settings: Settings,
    output: Path,
    engine: EngineName,
    resume: bool,
    has_base: bool,
    workers: int | None,
    poll: float,
    quiet: bool,
) -> BatchedEngine:
    """The engine that asks the reader by batches.

    Raises:
        ConfigError: another engine is asked for, or something that would be paid for in each round.
    """
    from verifier.interfaces.batch.by_batches import BatchedEngine

    if engine is not EngineName.LOCAL:
        raise ConfigError(
            "--reader-batch goes with --engine local alone: its replies are kept on this machine"
        )
    if settings.claims.decomposer == "llm":
        raise ConfigError(
            "--reader-batch goes with claims.decomposer = 'rules' alone: a row is checked several times, and a model "
            "would be asked for its claims each time"
        )
    return BatchedEngine(
        settings,
        output,
        resume=resume,
        has_base=has_base,
        workers=workers,
        poll=poll,
        tell=lambda line: note(line, quiet),
    )


def _ensure_none_waits(output: Path) -> None:
    """No run asks directly what another has sent by a batch.

    Raises:
        ConfigError: it would.
    """
    from verifier.interfaces.batch.by_batches import box_of

    if box_of(output).exists():
        raise ConfigError(
            f"{output} waits for batches of its reader ({box_of(output)}): go on with --resume --reader-batch"
        )


def _cancel(settings: Settings, output: Path, quiet: bool) -> None:
    """Cancel what is under way, and tell how to go on."""
    from verifier.interfaces.batch.by_batches import cancel_batches

    count = cancel_batches(settings, output)
    note(
        f"cancelled: {count} of its batches; --resume --reader-batch writes what was answered",
        quiet,
    )


@contextmanager
def _telling_what_goes_on(output: Path | None, quiet: bool) -> Iterator[None]:
    """Where the block breaks off, say what goes on without it."""
    from verifier.interfaces.batch.by_batches import under_way

    try:
        yield
    except BaseException:
        if output is not None and (count := under_way(output)):
            note(
                f"still under way at the vendor: {count} of its batches; go on with --resume --reader-batch, or "
                "cancel them with --cancel-batches",
                quiet,
            )
        raise


def _ensure_apart(source: Path, output: Path) -> None:
    """Nothing is written over what is read, nor among it.

    Raises:
        ConfigError: it would be, there is nothing to read, or the output is named as another kind of file.
    """
    [source] = existing_paths([source])
    if output.suffix.lower() in (".csv", ".tsv", ".parquet", ".json", ".gz", ".xz"):
        raise ConfigError(f"{output}: records are written as JSON lines; name it {output.stem}.jsonl")
    if output.resolve().is_relative_to(source.resolve()):
        raise ConfigError(f"{output} lies in what is read: choose another output")


def _prepare(configured: Configuration, quiet: bool, namespace: str | None) -> None:
    """Make the index current once, before several processes open it."""
    with existing_store(configured, quiet=quiet) as store:
        if namespace is not None:
            ensure_namespace(store, namespace)
        ensure_ready(store)
