"""``verifier gate``: what the confidence gate decided, what people said of it, and what can be learnt from both."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.core.errors import ConfigError
from verifier.interfaces.cli.options import ConfigFile, Json, Quiet, configuration
from verifier.interfaces.cli.output import listing, note, plural, write_text

if TYPE_CHECKING:
    from verifier.guard.gate.history import GateHistory
    from verifier.guard.gate.stats import GateStats, ShadowStats

__all__ = ["app"]

app = typer.Typer(
    help="Look into the decisions of the confidence gate, and learn from them.", no_args_is_help=True
)

History = Annotated[
    Path | None, typer.Option("--history", metavar="FILE", help="The record. [default: gate.history]")
]


class Judgement(StrEnum):
    """What somebody says of an answer."""

    GOOD = "good"
    BAD = "bad"


@app.command("stats")
def stats(
    history: History = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the histogram.")
    ] = None,
    json_: Json = False,
    config: ConfigFile = None,
) -> None:
    """Count decisions: confidence, retries, fallbacks, by kind of message."""
    from verifier.guard.gate.plot import histogram_svg
    from verifier.guard.gate.stats import gate_stats

    found = gate_stats(_history(history, config).decisions())
    if plot is not None:
        write_text(histogram_svg(found), plot)
    if json_:
        write_text(json.dumps(found.to_dict(), indent=2) + "\n", None)
    else:
        write_text(_table(found), None)


@app.command("feedback")
def feedback(
    execution_id: Annotated[str, typer.Argument(metavar="ID", help="The id that `ask --gate` printed.")],
    judgement: Annotated[Judgement, typer.Argument(metavar="good|bad")],
    history: History = None,
    config: ConfigFile = None,
    quiet: Quiet = False,
) -> None:
    """Say of an answer whether it was good."""
    _history(history, config).feedback(execution_id, judgement is Judgement.GOOD)
    note(f"noted: {execution_id} was {judgement.value}", quiet)


@app.command("learn")
def learn(
    target_error: Annotated[
        float,
        typer.Option("--target-error", min=0.001, max=0.5, help="Largest share of bad answers accepted."),
    ] = 0.1,
    confidence: Annotated[
        float, typer.Option("--confidence", min=0.5, max=0.999, help="How sure that must be.")
    ] = 0.9,
    history: History = None,
    json_: Json = False,
    config: ConfigFile = None,
    quiet: Quiet = False,
) -> None:
    """Learn weights and a threshold from judged answers; prints a table for the configuration file."""
    from dataclasses import asdict

    from verifier.measure.gate import JudgedAnswer, learn_gate

    judged = [
        JudgedAnswer(one.components, one.good)
        for one in _history(history, config).decisions()
        if one.good is not None and one.components
    ]
    try:
        found = learn_gate(judged, target_error=target_error, confidence=confidence)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    if json_:
        write_text(json.dumps(asdict(found), indent=2) + "\n", None)
        return
    lines = ["[gate.weights]", *(f"{name} = {weight:.4f}" for name, weight in found.weights.items())]
    if found.threshold is None:
        note(f"{plural(found.answers, 'answer')} prove no threshold with an error of {target_error:g}", quiet)
    else:
        lines = ["[gate]", f"threshold = {found.threshold:.4f}", "", *lines]
        note(
            f"accepts {found.accepted} of {plural(found.answers, 'judged answer')}; at most {found.error_bound:.1%} of "
            f"such are bad ({confidence:.0%} confidence)",
            quiet,
        )
    write_text("\n".join(lines) + "\n", None)


def _history(given: Path | None, config: Path | None) -> GateHistory:
    from verifier.guard.gate.history import GateHistory

    path = given or configuration(config).settings.gate.history
    if path is None:
        raise ConfigError("no record of the gate: name one with --history, or set gate.history")
    return GateHistory(Path(path))


def _table(found: GateStats) -> str:
    rows = [("all", found), *found.by_kind.items()]
    header = (
        "kind",
        "decisions",
        "confidence",
        "retried",
        "accepted after retry",
        "fallback",
        "good of judged",
    )
    table = listing(
        header,
        [
            (
                name,
                one.decisions,
                "-" if one.average_confidence is None else f"{one.average_confidence:.3f}",
                _percent(one.retry_rate),
                _percent(one.accepted_after_retry),
                _percent(one.fallback_rate),
                f"{_percent(one.approval)} of {one.judged}" if one.judged else "-",
            )
            for name, one in rows
        ],
    )
    bars = [
        f"{at / 10:.1f}-{(at + 1) / 10:.1f}  {count:>5}  {'#' * round(40 * count / max(found.histogram))}".rstrip()
        for at, count in enumerate(found.histogram)
        if any(found.histogram)
    ]
    return "\n".join([table, *bars, *_watched(found.shadow)]) + "\n"


def _watched(shadow: ShadowStats | None) -> list[str]:
    if shadow is None:
        return []
    of = plural(shadow.decisions, "decision")
    said = f"{shadow.same} the same, {shadow.accepted_earlier} accepted earlier, {shadow.not_accepted} not accepted"
    return ["", f"shadow threshold, over {of}: {said}"]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
