"""``verifier review``: a coherence review of a response to a prompt."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError
from verifier.core.visible import one_line
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    STDIN,
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    ensure_ready,
    existing_store,
    read_text,
    shared_signals,
)
from verifier.interfaces.cli.output import listing, write_text

if TYPE_CHECKING:
    from verifier.guard.review import Review

__all__ = ["review"]


def review(
    response: Annotated[
        str, typer.Option("--response", metavar="TEXT|-", help="The response to review; - is stdin.")
    ],
    prompt: Annotated[str, typer.Option("--prompt", help="What the response answers.")] = "",
    no_kb: Annotated[
        bool, typer.Option("--no-kb", help="There is no knowledge base: the facts are unknown.")
    ] = False,
    unknown: Annotated[
        str | None,
        typer.Option(
            "--unknown",
            metavar="POLICY",
            help="Where the facts are unknown: reject, abstain or logical_only. [default: reject]",
        ),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", min=0.0, max=1.0, help="Least coherence. [default: 0.5]")
    ] = None,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Review a response for coherence: exit 0 approved, 1 rejected, 2 usage, 3 not (wholly) checked."""
    configured = configuration(
        config, kb, namespace, coherence__unknown=unknown, coherence__threshold=threshold, quiet=quiet
    )
    if os.path.isfile(response):  # Path.is_file would raise where a text is too long for a name
        raise ConfigError(f"--response takes the text itself; for the file: --response - < {response}")
    text = read_text(STDIN) if response == "-" else response
    from verifier.guard.factory import build_coherence_scorer

    with ExitStack() as stack:
        store = None if no_kb else stack.enter_context(existing_store(configured, quiet=quiet))
        shared = shared_signals(configured, quiet)
        scorer = build_coherence_scorer(configured.settings, store, shared=shared)
        if store is not None and text.strip():
            ensure_ready(store)
        found = scorer.review(prompt, text)
    shown = json.dumps(found.to_dict(), indent=2, ensure_ascii=False) + "\n" if json_ else _table(found)
    write_text(shown, None)
    raise typer.Exit(_exit_code(found))


def _exit_code(review: Review) -> int:
    """0 approved, 1 rejected by the gate, 3 where something was not checked or nothing could be decided."""
    from verifier.guard.review import ReviewDecision

    if review.approved:
        return exits.OK
    unchecked = review.errors or review.coherence is None
    decided = review.decision is ReviewDecision.REJECTED
    return exits.REJECTED if decided and not unchecked else exits.INCOMPLETE


def _table(review: Review) -> str:
    """The review in words."""
    rows = [
        ("coherence", _number(review.coherence), f"threshold {review.threshold:g}"),
        ("H_logical", _number(review.h_logical), review.logical.reason if review.logical else ""),
        ("H_factual", _number(review.h_factual), ""),
    ]
    lines = [
        f"{review.decision.value}: {one_line(review.reason)}",
        "",
        listing(("", "value", ""), rows).rstrip(),
    ]
    claims = [
        (
            claim.verdict.value if claim.verdict else claim.status.value,
            _number(claim.support),
            " ".join(claim.text.split()),
            claim.reason,
        )
        for claim in review.claims
    ]
    if claims:
        lines += ["", listing(("verdict", "support", "claim", "reason"), claims).rstrip()]
    asked = [
        (
            item.judgement.verdict.value if item.judgement.verdict else "error",
            f"{item.before:.2f} -> {item.after:.2f}",
            item.judgement.error or item.judgement.reason,
        )
        for item in review.judge
    ]
    if asked:
        lines += ["", listing(("judge", "divergence", "reason"), asked).rstrip()]
    lines += [f"note: {one_line(note)}" for note in review.notes]
    return "\n".join(lines) + "\n"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
