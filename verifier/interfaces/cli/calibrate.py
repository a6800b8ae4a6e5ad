"""``verifier calibrate``: a fusion file with a promised error, and its reliability curve, from labelled claims."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.core.errors import ConfigError
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.evaluate import as_json, plan_of_rows, read_labelled, scorer_for
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    Quiet,
    configuration,
    progress_bars,
    shared_signals,
)
from verifier.interfaces.cli.output import note, refuse_overwriting, write_text
from verifier.interfaces.cli.plans import DryRun, finish

if TYPE_CHECKING:
    from verifier.measure.calibrate import Calibration, Unproven
    from verifier.verification.decision.verdict import Fusion

__all__ = ["calibrate"]


def calibrate(
    labelled: Annotated[
        list[Path], typer.Argument(metavar="LABELLED.jsonl", help="Rows as evaluate takes them.")
    ],
    output: Annotated[Path, typer.Option("--output", metavar="FILE", help="The fusion file to write.")],
    target_error: Annotated[
        float,
        typer.Option("--target-error", help="Largest share of the claims called supported that are not."),
    ] = 0.05,
    target_denial: Annotated[
        float,
        typer.Option(
            "--target-denial",
            help="Largest share of the supported claims that are called contradicted; for learnt weights.",
        ),
    ] = 0.1,
    confidence: Annotated[
        float, typer.Option("--confidence", help="How sure the target must be, given the labels.")
    ] = 0.9,
    only_threshold: Annotated[
        bool | None,
        typer.Option(
            "--only-threshold/--learn-weights",
            help="Keep the weights, or learn them too. [default: learn where there are labels enough]",
        ),
    ] = None,
    teaching: Annotated[
        list[Path] | None,
        typer.Option(
            "--teaching",
            metavar="TUNED.jsonl",
            help="Claims that signals were tuned on: they teach weights, and vouch for nothing. Repeatable.",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE.svg", help="Draw the reliability curve.")
    ] = None,
    dry_run: DryRun = False,
    json_: Json = False,
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Set the threshold of "supported" so that a stated error is kept; with labels enough, learn the weights too.

    Fifty labelled claims that the weights were not learnt from are enough to run it. Where they cannot prove the
    target, the reliability curve is shown, what they can prove is said, and no fusion file is written.
    """
    from verifier.factory import SharedSignals
    from verifier.measure.calibrate import Unproven, recalibrate, relearn
    from verifier.measure.samples import too_few_to_learn

    teachers = teaching or []
    refuse_overwriting(output, [*labelled, *teachers], "--output")
    refuse_overwriting(plot, [*labelled, *teachers, output], "--plot")
    if plot is not None and plot.suffix.lower() != ".svg":
        raise ConfigError(f"--plot {plot}: the curve is drawn as SVG; give a name that ends in .svg")
    read = [read_labelled(file) for file in (*labelled, *teachers)]
    rows, lessons = (
        [row for usable, _ in some for row in usable]
        for some in (read[: len(labelled)], read[len(labelled) :])
    )
    if only_threshold is None and (reason := too_few_to_learn(rows)):
        note(f"{reason}: the weights in use are kept, and only the threshold is set", quiet)
        only_threshold = True
    if only_threshold and teachers:
        raise ConfigError("--teaching is for weights, and none are learnt here")
    configured = configuration(config, kb, namespace, quiet=quiet)
    if dry_run:
        learnt = "the threshold" if only_threshold else "weights and thresholds"
        plan = plan_of_rows(dict(zip([*labelled, *teachers], read, strict=True)), configured, quiet)
        finish(plan | {"would_learn": learnt}, json_, (output, plot))
    # Weights that are about to be learnt need not be learnt from the package's claims before.
    shared = shared_signals(configured, quiet) if only_threshold else SharedSignals.of(configured.settings)
    with (
        scorer_for([*rows, *lessons], configured, shared, quiet) as scorer,
        progress_bars(quiet) as progress,
    ):
        try:
            if only_threshold:
                done = recalibrate(
                    rows,
                    scorer,
                    target_error=target_error,
                    confidence=confidence,
                    files=labelled,
                    progress=progress,
                )
            else:
                done = relearn(
                    rows,
                    scorer,
                    target_error=target_error,
                    target_denial=target_denial,
                    confidence=confidence,
                    files=[*labelled, *teachers],
                    teaching=lessons,
                    progress=progress,
                )
        except Unproven as refusal:
            if plot is not None:
                _draw(refusal, plot)
            write_text(as_json(_reliability(refusal)) if json_ else _curves(refusal), None)
            raise
    try:
        done.fusion.save(output)
    except OSError as error:
        raise ConfigError(f"cannot write {output}: {error.strerror}") from error
    if plot is not None:
        _draw(done, plot)
    write_text(as_json(_figures(done)) if json_ else _as_text(done, output), None)
    raise typer.Exit(exits.INCOMPLETE if any(bad for _, bad in read) else exits.OK)


def _of_denial(fusion: Fusion) -> str:
    """The line on the threshold of ``contradicted``, where the labels have given one."""
    if "denial" not in fusion.figures:
        return ""
    kept = fusion.figures["denial"]
    return (
        f"contradicted from {fusion.contradicted_at:.4f} on: {kept['called_contradicted']} of "
        f"{kept['supported']} supported claims; at most {kept['target_denial']:.1%} promised\n"
    )


def _figures(done: Calibration) -> dict[str, Any]:
    fusion = done.fusion
    return {
        "supported_at": fusion.supported_at,
        "contradicted_at": fusion.contradicted_at,
        "support_slope": fusion.support_slope,
        "support_offset": fusion.support_offset,
        "learnt_from": fusion.learnt_from,
        **fusion.figures,
        **_reliability(done),
    }


def _reliability(done: Calibration | Unproven) -> dict[str, Any]:
    return {"reliability": {"before": done.before.as_dict(), "after": done.after.as_dict()}}


def _as_text(done: Calibration, output: Path) -> str:
    fusion, kept = done.fusion, done.fusion.figures["guarantee"]
    return (
        f"supported from {fusion.supported_at:.4f} on: {kept['accepted']} of {kept['labels']} claims, "
        f"{kept['wrong']} of them wrongly\n"
        f"promised: of claims like these that are called supported, at most {kept['target_error']:.1%} are not "
        f"({kept['confidence']:.0%} confidence)\n"
        f"by {kept['method']}, on {kept['basis']}\n"
        "claims that are likelier supported than anything else, but below that, are withheld as unverifiable\n"
        f"{_of_denial(fusion)}"
        f"\n{_curves(done)}"
        f"\nin use with: [{'reader' if fusion.reader else 'verdict'}] fusion = {str(output)!r}\n"
    )


def _curves(done: Calibration | Unproven) -> str:
    from verifier.measure.reliability import as_bars

    return (
        f"probability of support before\n{as_bars(done.before)}"
        f"\nprobability of support after, on held-out folds\n{as_bars(done.after)}"
    )


def _draw(done: Calibration | Unproven, plot: Path) -> None:
    from verifier.measure.reliability import as_svg

    curves = {"before": done.before, "after (held-out folds)": done.after}
    write_text(as_svg(curves, "Reliability of the probability of support"), plot)
