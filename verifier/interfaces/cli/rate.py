"""``verifier rate``: the confidence in a text, its relevance to its context, or its coherence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.visible import one_line
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Encoding,
    Json,
    Namespace,
    Quiet,
    configuration,
    existing_store,
    read_text,
    shared_signals,
)
from verifier.interfaces.cli.output import note, write_text

if TYPE_CHECKING:
    from verifier.guard.relevance import ContextItem

__all__ = ["app"]

app = typer.Typer(help="Rate a text that is already there.", no_args_is_help=True)

Text = Annotated[Path, typer.Argument(metavar="FILE", help="The text; - is stdin.")]
Scope = Annotated[str, typer.Option("--scope", help="What the problem is about.")]
Constraints = Annotated[list[str] | None, typer.Option("--constraint", help="What holds for it; repeatable.")]
Assumptions = Annotated[list[str] | None, typer.Option("--assumption", help="What is assumed; repeatable.")]


@app.command("confidence")
def confidence(
    file: Text,
    prompt: Annotated[str, typer.Option("--prompt", metavar="P", help="The question that it answers.")],
    scope: Scope = "",
    constraint: Constraints = None,
    assumption: Assumptions = None,
    json_: Json = False,
    kb: Annotated[
        str | None, typer.Option("--kb", metavar="DIR", help="Knowledge base, for groundedness.")
    ] = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
) -> None:
    """Rate an answer by the parts of [gate.weights]. Exit 1 below gate.threshold, 3 where a part failed."""
    from verifier.factory import build_chat, build_scorer
    from verifier.guard.gate.components import Question
    from verifier.guard.gate.configured import build_rater

    settings = (configured := configuration(config, kb, namespace, quiet=quiet)).settings
    answer = read_text(file, encoding)
    asks = settings.gate.weights.llm > 0 and not settings.gate.evaluators
    chat = build_chat(settings.llm) if asks else None
    with existing_store(configured, quiet=quiet) if kb else nullcontext() as store:
        shared = shared_signals(configured, quiet)
        scorer = build_scorer(settings, store, shared) if store else None
        rater = build_rater(settings, chat, scorer, shared)
        found = rater.rate(Question(prompt, tuple(_items(scope, constraint, assumption))), answer)
    _show(found.to_dict(), found.explanation, json_)
    if found.confidence is None:
        raise typer.Exit(exits.INCOMPLETE)
    if found.confidence < settings.gate.threshold:
        raise typer.Exit(exits.REJECTED)


@app.command("relevance")
def relevance(
    file: Text,
    scope: Scope = "",
    constraint: Constraints = None,
    assumption: Assumptions = None,
    json_: Json = False,
    config: ConfigFile = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
) -> None:
    """How near a text is to its context, by meaning. Exit 3 where there is nothing to compare."""
    from verifier.factory import build_encoder
    from verifier.guard.relevance import ContextRelevance

    settings = configuration(config, quiet=quiet).settings
    rater = ContextRelevance(build_encoder(settings.relevance.encoder))
    found = rater.rate(read_text(file, encoding), _items(scope, constraint, assumption))
    lines = [
        f"{item.similarity:.3f}  {item.item.kind}: {one_line(item.item.text)}"
        for item in sorted(found.items, key=lambda one: -one.similarity)
    ]
    _show(found.to_dict(), "\n".join(lines), json_)
    if found.score is None:
        note(f"relevance not measured: {found.reason}", quiet)
        raise typer.Exit(exits.INCOMPLETE)


@app.command("coherence")
def coherence(
    file: Text,
    local: Annotated[
        bool,
        typer.Option("--local", help="By contradictions among its own claims, without a language model."),
    ] = False,
    json_: Json = False,
    config: ConfigFile = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
) -> None:
    """How coherent a text is. Exit 3 where it was not measured; the neutral 0.7 stands for it then."""
    from verifier.guard.consistency.configured import cross_checker
    from verifier.guard.rating import LocalCoherenceRater, rater_from_environment

    settings = (configured := configuration(config, quiet=quiet)).settings
    text = read_text(file, encoding)
    if local or settings.gate.coherence == "local":
        checker = cross_checker(settings, shared_signals(configured, quiet))
        found = LocalCoherenceRater(checker).rate(text)
    else:
        found = rater_from_environment().rate(text)
    measured = "" if found.measured else "  (not measured)"
    _show(asdict(found), f"{found.value:.3f}{measured}  {one_line(found.reason)}".rstrip(), json_)
    if not found.measured:
        note(f"coherence not measured: {found.reason}", quiet)
        raise typer.Exit(exits.INCOMPLETE)


def _items(scope: str, constraints: list[str] | None, assumptions: list[str] | None) -> list[ContextItem]:
    from verifier.guard.relevance import context_items

    return context_items(scope, constraints or (), assumptions or ())


def _show(values: Mapping[str, Any], text: str, as_json: bool) -> None:
    shown = json.dumps(values, indent=2, ensure_ascii=False) if as_json else text
    if shown:
        write_text(shown + "\n", None)
