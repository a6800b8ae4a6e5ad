"""``verifier ask``: answer a question, check the answer, and try again where it has to be."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import ConfigError
from verifier.core.visible import visible
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    Namespace,
    Quiet,
    configuration,
    existing_store,
    shared_signals,
)
from verifier.interfaces.cli.output import note, plural, write_text

if TYPE_CHECKING:
    from verifier.guard.ask import Asked

__all__ = ["ask"]


def ask(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT")],
    self_consistency: Annotated[
        bool | None,
        typer.Option("--self-consistency", "-sc", help="Ask several times, take what the others bear out."),
    ] = None,
    num_samples: Annotated[
        int | None,
        typer.Option("--num-samples", "-n", min=1, max=20, help="Answers to ask for. [default: 5]"),
    ] = None,
    sc_temperature: Annotated[
        float | None, typer.Option("--sc-temperature", min=0, max=2, help="Of these answers. [default: 0.7]")
    ] = None,
    gate: Annotated[
        bool, typer.Option("--gate", help="Rate the answer; retry until it is good enough.")
    ] = False,
    model: Annotated[
        str | None, typer.Option("--model", metavar="NAME", help="Chat model. [default: llm.model]")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="A server that speaks OpenAI's API.")
    ] = None,
    json_: Json = False,
    kb: Annotated[
        str | None,
        typer.Option("--kb", metavar="DIR", help="Knowledge base to answer from and to check against."),
    ] = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Answer a question with a chat model; with --kb from the knowledge base, and checked against it.

    Exit 1 where the gate or the check rejects the answer, 3 where it could not be rated or holds nothing to check.
    """
    from verifier.guard.ask import answer

    if not prompt.strip():
        raise ConfigError("the prompt is empty")
    configured = configuration(
        config,
        kb,
        namespace,
        consistency__use_self_consistency=self_consistency,
        consistency__sc_num_samples=num_samples,
        consistency__sc_temperature=sc_temperature,
        llm__model=model,
        llm__base_url=base_url,
        quiet=quiet,
    )
    opened = existing_store(configured, quiet=quiet) if kb else nullcontext(None)
    with opened as store:
        asked = answer(
            configured.settings, prompt, store, gate=gate, shared=shared_signals(configured, quiet)
        )
    if json_:
        write_text(json.dumps(asked.to_dict(), indent=2, ensure_ascii=False) + "\n", None)
    else:
        write_text(visible(asked.content) + "\n", None)
        for line in _remarks(asked):
            note(line, quiet)
    raise typer.Exit(_code(asked))


def _remarks(asked: Asked) -> list[str]:
    lines = []
    if asked.gate is not None:
        found: dict[str, Any] = asked.gate.metadata
        confidence = "none" if asked.gate.confidence is None else f"{asked.gate.confidence:.3f}"
        lines.append(
            f"{asked.gate.status.value}: confidence {confidence}, threshold {asked.gate.threshold:g}, "
            f"{plural(found['validation_attempts'], 'attempt')}, id {asked.gate.execution_id}"
        )
        lines += list(asked.gate.errors)
    if asked.consistency is not None:
        score = asked.consistency.confidence_score
        lines.append(
            f"{plural(len(asked.consistency.all_candidates), 'answer')} compared, consistency "
            + ("not measured" if score is None else f"{score:.3f}")
        )
        lines += [f"sample {one.sample + 1} failed: {one.reason}" for one in asked.consistency.failures]
    if asked.report is not None:
        checked = asked.report
        grounded = "-" if checked.groundedness is None else f"{checked.groundedness:.2f}"
        lines.append(f"checked against the knowledge base: {checked.decision.value}, groundedness {grounded}")
        lines += [
            f'{claim.verdict.value}: "{claim.text}": {claim.reason}'
            for claim in checked.claims
            if claim.verdict is not None and claim.verdict.value in {"contradicted", "fabricated"}
        ]
    return lines


def _code(asked: Asked) -> int:
    if asked.gate is not None and not asked.gate.success:
        return exits.INCOMPLETE if asked.gate.best is None else exits.REJECTED
    return exits.OK if asked.report is None else exits.of_report(asked.report)
