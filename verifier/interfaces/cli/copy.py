"""``verifier kb copy``: copy a knowledge base, indexed by the configured backend."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.interfaces.cli.options import ConfigFile, Json, Quiet, configuration, progress_bars
from verifier.interfaces.cli.output import plural, write_text

if TYPE_CHECKING:
    from verifier.config import Settings
    from verifier.knowledge.records import Progress

__all__ = ["copy"]


def copy(
    source: Annotated[
        str, typer.Argument(metavar="FROM", help="The knowledge base to copy: a folder or an address.")
    ],
    target: Annotated[str, typer.Argument(metavar="TO", help="A folder or a database that holds none.")],
    config: ConfigFile = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Copy a knowledge base and index it by the configured backend; vectors of the same encoder are taken over."""
    settings = configuration(config, target, quiet=quiet).settings
    with progress_bars(quiet) as progress:
        passages, taken = _copied(source, target, settings, progress)
    if json_:
        write_text(json.dumps({"passages": passages, "vectors_taken_over": taken}, indent=2) + "\n", None)
        return
    write_text(f"{plural(passages, 'passage')} copied; {plural(taken, 'vector')} taken over\n", None)


def _copied(source: str, target: str, settings: Settings, progress: Progress | None) -> tuple[int, int]:
    """How many passages the copy has, and how many vectors were taken over."""
    from verifier.factory import backend_description, backend_table, build_backend, stored_backend
    from verifier.knowledge.copying import KeptVectors, copy_database
    from verifier.knowledge.store import GroundTruthStore

    kept = KeptVectors(source, partial(build_backend, home=source))
    backend = stored_backend(settings, kept.over)
    copy_database(source, target, shared=settings.kb.shared)
    with GroundTruthStore(
        backend,
        target,
        fingerprint_of=backend_description(backend_table(settings)),
        progress=progress,
        chunk_options=settings.chunking.model_dump(),
    ) as store:
        store.ingest([])  # brings the index up to the documents, and saves it
        return int(store.stats()["passages"]), kept.taken
