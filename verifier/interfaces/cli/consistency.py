"""``verifier consistency``: choose among several answers to one question the one that the others support best."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError
from verifier.core.visible import one_line
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    STDIN,
    ConfigFile,
    Encoding,
    Json,
    Quiet,
    configuration,
    read_text,
    shared_signals,
)
from verifier.interfaces.cli.output import listing, note, plural, write_text

if TYPE_CHECKING:
    from verifier.guard.consistency import ConsistencyResult

__all__ = ["consistency"]


class Measure(StrEnum):
    """How two answers are compared."""

    EMBEDDING = "embedding"
    ENTAILMENT = "entailment"
    CHARACTERS = "characters"
    WORDS = "words"
    COMMAND = "command"


def consistency(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="One answer each; - is stdin.")],
    similarity: Annotated[
        Measure | None,
        typer.Option("--similarity", help="How two answers are compared. [default: embedding]"),
    ] = None,
    prompt: Annotated[
        str | None, typer.Option("--prompt", metavar="P", help="The question: short answers need it.")
    ] = None,
    claims: Annotated[
        bool, typer.Option("--claims", help="List the claims that the other answers do not share.")
    ] = False,
    fail_below: Annotated[
        float | None, typer.Option("--fail-below", min=0, max=1, help="Exit 1 at a lower confidence.")
    ] = None,
    json_: Json = False,
    config: ConfigFile = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
) -> None:
    """Compare several answers to one question: which to take, and how far they agree.

    Exit 1 where the confidence is below --fail-below, 3 where it could not be measured.
    """
    from verifier.guard.consistency import Choice, rate_candidates
    from verifier.guard.consistency.configured import build_similarity, cross_checker

    configured = configuration(config, consistency__similarity=similarity and similarity.value, quiet=quiet)
    settings = configured.settings
    texts = _answers(files, encoding)
    shared = shared_signals(configured, quiet)
    result = rate_candidates(
        texts,
        build_similarity(settings, context=prompt or "", shared=shared),
        among=Choice(settings.consistency.choose),
        scorer=cross_checker(settings, shared) if claims else None,
        prompt=prompt or "",
    )
    if json_:
        shown = {**result.to_dict(), "files": [str(file) for file in files]}
        write_text(json.dumps(shown, indent=2, ensure_ascii=False) + "\n", None)
    else:
        write_text(_table(result, files), None)
    if result.confidence_score is None:
        note(result.reason, quiet)
        raise typer.Exit(exits.INCOMPLETE)
    if result.confidence_score < settings.consistency.ambiguous_below:
        note("the answers disagree: the question may be ambiguous, or the answers made up", quiet)
    if fail_below is not None and result.confidence_score < fail_below:
        raise typer.Exit(exits.REJECTED)


def _answers(files: Sequence[Path], encoding: str | None) -> list[str]:
    if files.count(STDIN) > 1:
        raise ConfigError("- (stdin) can be read only once")
    texts = [read_text(file, encoding) for file in files]
    blank = [str(file) for file, text in zip(files, texts, strict=True) if not text.strip()]
    if blank:
        raise ConfigError(f"holds no text: {', '.join(blank)}")
    return texts


def _table(result: ConsistencyResult, files: Sequence[Path]) -> str:
    if result.confidence_score is None or result.agreement is None:
        head = f"confidence not measured: {plural(len(files), 'answer')}\n"
    else:
        head = (
            f"confidence {result.confidence_score:.3f} ({result.agreement.value}): "
            f"{plural(len(files), 'answer')} compared by {result.similarity}\n"
        )
    averages = ["-" if value is None else f"{value:.3f}" for value in result.average_similarities]
    places = {index: n for n, cluster in enumerate(result.clusters, 1) for index in cluster}
    rows = [
        ("*" if at == result.best_candidate_index else "", at + 1, places[at], averages[at], file)
        for at, file in enumerate(files)
    ]
    lines = [head, "\n", listing(("best", "answer", "cluster", "to the others", "file"), rows)]
    lines.append(f"\nsemantic entropy {result.semantic_entropy:.3f} nats\n")
    for found in result.disagreements or ():
        against = ", ".join(str(index + 1) for index in found.contradicted_by)
        lines.append(
            f"not shared: {one_line(found.text)}\n  said by {found.supported_by} of {found.others} others"
            + (f"; contradicted by answer {against}" if against else "")
            + (f"; {found.unread} could not be asked" if found.unread else "")
            + "\n"
        )
    if result.disagreements == ():
        lines.append("every claim of the best answer is shared by most of the others\n")
    return "".join(lines)
