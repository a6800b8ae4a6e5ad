"""``verifier search``: the passages that a claim like the query would be checked against."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError
from verifier.core.visible import one_line, visible
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    ensure_namespace,
    existing_store,
)
from verifier.interfaces.cli.output import note, write_text

if TYPE_CHECKING:
    from verifier.types import Evidence

__all__ = ["search"]

FOREIGN = "no passage has half of what the query names; the documents may not cover it"


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY")],
    top_k: Annotated[int, typer.Option("-k", min=1, help="Passages to show.")] = 5,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Show the passages nearest to a query, best first.

    A search by meaning finds the nearest ones of whatever there is: a line on stderr says where none of them holds
    half of what the query names; the JSON has that share as "coverage". Exit 3 when nothing was found.
    """
    from verifier.verification.decision.verbatim import LEAST_COVERAGE
    from verifier.verification.explanation.reasons import locate

    if not query.strip():
        raise ConfigError("the query is empty")
    configured = configuration(config, kb, namespace, quiet=quiet)
    asked = configured.settings.kb.namespace
    with existing_store(configured, quiet=quiet) as store:
        ensure_namespace(store, asked)
        [found] = store.retrieve([query], top_k=top_k, namespace=asked)
    covered = _coverage(query, found)
    if json_:
        rows = [
            {**asdict(item), "coverage": round(share, 3)} for item, share in zip(found, covered, strict=True)
        ]
        write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", None)
    else:
        for rank, item in enumerate(found, 1):
            by = "" if item.retrieved_by == "vector" else f"  [{item.retrieved_by} search]"
            write_text(
                f"{rank}. {item.score:.4f}  {one_line(locate(item))}{by}\n{_indented(item.text)}\n\n", None
            )
    if not found:
        note("nothing found", quiet)
        raise typer.Exit(exits.INCOMPLETE)
    if max(covered) < LEAST_COVERAGE:
        note(FOREIGN, quiet)


def _coverage(query: str, found: Sequence[Evidence]) -> list[float]:
    """How much of the words and values of a query each passage holds, in [0, 1]."""
    from verifier_signals.traceability import TraceabilitySignal
    from verifier_signals.types import TextPair

    pairs = [TextPair("\n".join([*item.headings, item.context, item.text]), query) for item in found]
    return [score.features["coverage"] for score in TraceabilitySignal().score(pairs)]


def _indented(text: str) -> str:
    return "\n".join(f"   {line}" for line in visible(text).strip().splitlines())
