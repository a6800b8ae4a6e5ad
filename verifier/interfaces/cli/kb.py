"""``verifier kb``: look into a knowledge base, and keep it in order."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import ConfigError
from verifier.core.visible import one_line, visible
from verifier.interfaces.cli.copy import copy
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    existing_store,
)
from verifier.interfaces.cli.output import listing, plural, write_text

if TYPE_CHECKING:
    from verifier.knowledge.records import DocumentRecord
    from verifier.knowledge.store import GroundTruthStore

__all__ = ["app"]

app = typer.Typer(help="Look into a knowledge base, and keep it in order.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="DOCUMENT", help="Id of a document, or name of its source.")]


@app.command("stats")
def stats(
    json_: Json = False, kb: KnowledgeBase = None, config: ConfigFile = None, namespace: Namespace = None
) -> None:
    """Counts, sizes, versions, and the indexes on disk."""
    with existing_store(configuration(config, kb, namespace), quiet=True) as store:
        described = store.stats()
    write_text(_json(described) if json_ else _stats_text(described), None)


@app.command("list")
def list_(
    json_: Json = False, kb: KnowledgeBase = None, config: ConfigFile = None, namespace: Namespace = None
) -> None:
    """The documents, one a line: id, namespace, passages, sources."""
    with existing_store(configuration(config, kb, namespace), quiet=True) as store:
        records = store.documents(namespace)
    if json_:
        write_text(_json([asdict(record) for record in records]), None)
        return
    rows = [
        (record.doc_id, record.namespace, record.passages, ", ".join(s.source for s in record.sources))
        for record in records
    ]
    write_text(listing(("document", "namespace", "passages", "sources"), rows), None)


@app.command("show")
def show(
    document: Name,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
) -> None:
    """A document as it is stored: its passages with their offsets."""
    configured = configuration(config, kb, namespace)
    with existing_store(configured, quiet=True) as store:
        record = _find(store, document, configured.settings.kb.namespace)
        passages = store.passages(record.doc_id)
    if json_:
        write_text(_json({**asdict(record), "passage_list": [asdict(p) for p in passages]}), None)
        return
    head = f"{one_line(record.source)}  ({record.doc_id}, {plural(record.characters, 'character')})"
    write_text(f"{head}\n", None)
    for passage in passages:
        where = f"{passage.start}-{passage.end}" + (f", page {passage.page}" if passage.page else "")
        path = f"  {one_line(' > '.join(passage.headings))}" if passage.headings else ""
        write_text(f"\n[{where}]{path}\n{visible(passage.text)}\n", None)


@app.command("delete")
def delete(
    document: Name, kb: KnowledgeBase = None, config: ConfigFile = None, namespace: Namespace = None
) -> None:
    """Remove a document, one of its sources, or all that was read below the path of a folder."""
    from verifier.knowledge.uris import file_uri

    configured = configuration(config, kb, namespace)
    with existing_store(configured, quiet=True) as store:
        removed = store.delete(document, configured.settings.kb.namespace)
        if not removed and os.sep in document:
            folder = file_uri(os.path.abspath(document))
            removed = store.prune([folder], keep=(), namespace=configured.settings.kb.namespace)
    if not removed:
        raise ConfigError(
            f"no document or source {document!r} in namespace {configured.settings.kb.namespace!r}"
        )
    write_text(f"{plural(removed, 'source')} removed\n", None)


@app.command("reindex")
def reindex(kb: KnowledgeBase = None, config: ConfigFile = None, quiet: Quiet = False) -> None:
    """Build the index of the configured backend anew from the stored passages."""
    with existing_store(configuration(config, kb, quiet=quiet), quiet=quiet) as store:
        store.reindex()
        passages = store.stats()["passages"]
    write_text(f"{plural(passages, 'passage')} indexed\n", None)


@app.command("gc")
def gc(kb: KnowledgeBase = None, config: ConfigFile = None) -> None:
    """Remove indexes of other configurations and what broken-off runs left behind."""
    with existing_store(configuration(config, kb), quiet=True) as store:
        summary = store.gc()
    removed = plural(len(summary.removed), "index")
    write_text(f"{removed} removed, {_size(summary.freed_bytes)} freed\n", None)


@app.command("export")
def export(
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Write it there.")] = None,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
) -> None:
    """Every document with its text, one JSON line each."""
    with existing_store(configuration(config, kb), quiet=True) as store:
        rows = (json.dumps(row, ensure_ascii=False) + "\n" for row in store.export())
        if output is not None:
            write_text("".join(rows), output)
            return
        for row in rows:
            write_text(row, None)


app.command("copy")(copy)


def _find(store: GroundTruthStore, name: str, namespace: str) -> DocumentRecord:
    record = store.resolve(name, namespace)
    if record is None:
        raise ConfigError(f"no document or source {name!r} in namespace {namespace!r}")
    return record


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _stats_text(described: dict[str, Any]) -> str:
    """The counts, then a table of the namespaces and one of the indexes."""
    counted = ("documents", "sources", "passages", "characters")
    single = {key: value for key, value in described.items() if not isinstance(value, dict | list)}
    single["database_bytes"] = _size(described["database_bytes"])
    width = max(map(len, single))
    parts = ["".join(f"{key.replace('_', ' '):{width}}  {value}\n" for key, value in single.items())]
    spaces = described["namespaces"].items()
    parts.append(
        listing(("namespace", *counted), [(name, *(row[key] for key in counted)) for name, row in spaces])
    )
    if unread := described["unread"]:
        told = [(row["namespace"], row["source"], row["reason"]) for row in unread]
        parts.append(listing(("namespace", "not read", "why"), told))
    header = ("index", "backend", "passages", "revision", "size", "state")
    indexes = described["indexes"]
    parts.append(listing(header, [_index_row(index) for index in indexes]))
    old = sum(index["old_generations"] for index in indexes)
    others = [index for index in indexes if not index["in_use"]]
    if old or others:
        left = [plural(old, "old generation")] if old else []
        left += [plural(len(others), "index") + " not in use"] if others else []
        size = sum(index["old_bytes"] for index in indexes) + sum(index["bytes"] for index in others)
        parts.append(f"besides: {' and '.join(left)}, {_size(size)}; verifier kb gc frees them\n")
    return "\n".join(parts)


def _index_row(index: dict[str, Any]) -> tuple[object, ...]:
    backend = (index["identity"] or {}).get("type", "-").rpartition(":")[2]
    state = index["problem"] or ("in use" if index["in_use"] else "of another configuration")
    known = ("-" if index[key] is None else index[key] for key in ("passages", "revision"))
    return (index["fingerprint"], backend, *known, _size(index["bytes"]), state)


def _size(size: int) -> str:
    """Bytes as people read them, in powers of 1000.

    >>> _size(999), _size(337_597)
    ('999 bytes', '337.6 kB')
    """
    if size < 1000:
        return plural(size, "byte")
    value, units = size / 1000, ["kB", "MB", "GB"]
    while value >= 999.95 and len(units) > 1:
        value, _ = value / 1000, units.pop(0)
    return f"{value:.1f} {units[0]}"
