"""Train a reader from a bundle for a number of minutes, and write the result in small files after each check.

The machine may be taken away at any moment. So each check leaves all that the next call needs in the work folder
(checkpoint, state, result), and the result in the output folder, too; files are moved into place one after another. A
thread of its own puts batches together, because on a GPU that takes longer than a step. ``torch.compile`` is not used:
batches are of many shapes, and compiling for them would take a good part of ten minutes (an estimate, not measured).
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch

from training.ahead import ahead
from training.bundle import LESSONS, Lessons, parsed_size, read_bundle, start_folder
from training.development import figures_of
from training.errors import CheckpointError, StepError
from training.nibbles import read_in_four_bits
from training.parts import MANIFEST, identity, read_manifest
from training.result import FORMAT, NEEDED, write_result
from training.state import RunState, Schedule, check_unused, is_finished, read_state, write_state
from training.teacher import Teacher, pairs_seen
from training.tokens import Batch, SharedBatch
from training.train import Training, held_back_scores, logits_of

__all__ = ["Call", "send", "train"]

log = logging.getLogger(__name__)

AHEAD = 16
"""Batches that wait, put together."""
OVERRIDES = ("rate", "batch_tokens", "frozen_layers", "check_every")
"""Fields of the bundle's schedule that a call may set."""


@dataclass(frozen=True)
class Call:
    """What one call was told; see :func:`training.rented.add_arguments`."""

    bundle: Path
    work: Path
    output: Path
    minutes: float | None
    stop: float | None
    resume: bool
    seeds: int
    send: tuple[int, int] | None
    part_size: int
    weights: str
    threads: int | None
    four_bits_from: float
    overrides: Mapping[str, Any]
    began: float

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Call:
        """The call of a command line.

        Raises:
            StepError: a number makes no sense.
        """
        given = vars(arguments)
        try:
            size = parsed_size(arguments.part_size)
        except ValueError as error:
            raise StepError(f"--part-size {error}") from error
        if arguments.seeds < 1 or (arguments.minutes is not None and arguments.minutes <= 0):
            raise StepError("--seeds and --minutes have to be above 0")
        own = {name: given[name] for name in OVERRIDES if given[name] is not None}
        plain = {field.name: given[field.name] for field in fields(cls) if field.name in given}
        return cls(**{**plain, "part_size": size, "overrides": own, "began": time.monotonic()})

    @property
    def result(self) -> Path:
        """The folder of the newest result, whole."""
        return self.work / "result"

    def is_over(self) -> bool:
        """Whether the call's own minutes are."""
        return self.stop is not None and time.monotonic() - self.began > 60 * self.stop


class _OutOfTime(Exception):
    """The call's own minutes are over."""


class _ByClock(Training):
    """A run that publishes its result after each check, and stops where its call does."""

    call: Call
    publish: Any

    def _batches(self) -> Iterator[Batch | SharedBatch]:
        for batch in super()._batches():
            if self.call.is_over():
                self._check()
                write_state(self.folder, self._state())
                raise _OutOfTime
            yield batch

    def _epoch(self) -> Iterator[Batch | SharedBatch]:
        return ahead(super()._epoch(), AHEAD)

    def _check(self, finished: bool = False) -> None:
        super()._check(finished)
        self.publish(self.folder)


def train(call: Call) -> str:
    """Train the readers of a call, average them, publish the best; a line says how far it came.

    Raises:
        CheckpointError: a part of the bundle is missing or damaged, or ``--work`` is of another one.
        ResumeError: there is a run in ``--work`` and ``--resume`` was not given, or it cannot be gone on with.
    """
    torch.set_num_threads(call.threads or len(os.sched_getaffinity(0)))
    manifest, blobs = read_bundle(call.bundle)
    _check_work(call)
    start = start_folder(blobs, call.work / "start")
    lessons = Lessons.of(blobs[LESSONS])
    log.info("%d pairs of %.0f tokens, %s", len(lessons.mix), lessons.mix.lengths.mean(), _device())
    runs = [call.work / f"seed-{number}" for number in range(1, call.seeds + 1)]
    figures: dict[str, Any] = {}
    publish = _publisher(call, start, figures)
    try:
        for number, run in enumerate(runs):
            _train_one(call, manifest["schedule"], number, run, start, lessons, publish)
    except _OutOfTime:
        return f"{call.work}: the call's minutes are over; --resume goes on"
    best = _best(runs, start, lessons, figures, call.work)
    publish(best)
    return f"{call.output}: {json.dumps(figures)}"


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _check_work(call: Call) -> None:
    """Make sure that the folder of the work is this bundle's, or new."""
    path, own = call.work / "bundle.json", identity(call.bundle / MANIFEST)
    if path.is_file() and json.loads(path.read_text(encoding="utf-8")) != own:
        raise CheckpointError(f"{call.work} is of another bundle: name another folder with --work")
    call.work.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(own), encoding="utf-8")


def _train_one(
    call: Call,
    schedule: Mapping[str, Any],
    number: int,
    run: Path,
    start: Path,
    lessons: Lessons,
    publish: Any,
) -> None:
    """Train one reader to its end, from its last check if it has one."""
    if is_finished(run):
        return
    state = _state_of(run, call.resume)
    own, options = (
        _told(call, schedule, number) if state is None else (Schedule(**state.schedule), state.options)
    )
    model = Teacher(start).to(_device())
    training = _ByClock(model, lessons.mix, lessons.held_back, own, run, options)
    training.call, training.publish = call, publish
    if options["four_bits_from"] < 1.0:
        read_in_four_bits(model.layers, lambda: training.progress() >= options["four_bits_from"])
    if state is None:
        training.run(pairs_seen(start))
    else:
        log.info("%s goes on after %d pairs, %.1f minutes", run, state.seen, state.seconds / 60)
        training.resume(state)


def _told(call: Call, schedule: Mapping[str, Any], number: int) -> tuple[Schedule, dict[str, Any]]:
    """The schedule and the options of a new run: the bundle's, with what the call sets."""
    shared = {"minutes": (call.minutes or 0.0) / call.seeds, "seed": schedule["seed"] + number}
    options = {"bundle": call.bundle.name, "four_bits_from": call.four_bits_from}
    return Schedule(**{**schedule, **shared, **call.overrides}), options


def _state_of(run: Path, resume: bool) -> RunState | None:
    """The state that a run goes on from; ``None`` for one that was stopped before its first check, or is new."""
    if not resume:
        check_unused(run)
    return read_state(run) if resume and (run / "state.pt").is_file() else None


def _publisher(call: Call, start: Path, figures: Mapping[str, Any]) -> Any:
    """What makes a run's newest checkpoint the result, and sends it."""
    bundle = identity(call.bundle / MANIFEST)["sha256"]
    facts = {"bundle": bundle, "device": _device_name(), "figures": figures}

    def publish(run: Path) -> None:
        write_result(run, start, call.result, call.weights, call.part_size, facts)
        send(call.result, call.output, call.send)

    return publish


def _device_name() -> str:
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"


def _best(runs: Sequence[Path], start: Path, lessons: Lessons, figures: dict[str, Any], work: Path) -> Path:
    """The run, or the average of several, with the least loss on held-back pairs; all figures of each are noted."""
    readers = list(runs) if len(runs) == 1 else [*runs, averaged(runs, start, work / "average")]
    for reader in readers:
        model = Teacher(reader).to(_device())
        if _is_in_four_bits(reader):
            read_in_four_bits(model.layers, lambda: True)
        figures[reader.name] = {
            "held_back": {
                name: round(value, 4) for name, value in held_back_scores(model, lessons.held_back).items()
            },
            "development": figures_of(lessons.development, logits_of(model, lessons.development.windows))
            if len(lessons.development.windows)
            else None,
        }
        log.info("%s: %s", reader.name, figures[reader.name])
    best = min(readers, key=lambda reader: figures[reader.name]["held_back"]["loss"])
    figures["chosen"] = best.name
    return best


def _is_in_four_bits(run: Path) -> bool:
    """Whether a reader has learnt to be read so."""
    record = json.loads((run / "checkpoint.json").read_text(encoding="utf-8"))
    return float(record["options"].get("four_bits_from", 1.0)) < 1.0


def averaged(runs: Sequence[Path], start: Path, folder: Path) -> Path:
    """A run's folder with the mean of the weights of several runs from one start (Wortsman et al. 2022)."""
    from safetensors.torch import load_file, save_file

    folder.mkdir(exist_ok=True)
    every = [load_file(run / "model.safetensors") for run in runs]
    mean = {name: _mean([weights[name] for weights in every]) for name in every[0]}
    save_file(mean, folder / "model.safetensors", metadata={"format": "pt"})
    for name in ("config.json", *(path.name for path in start.glob("*token*.json"))):
        shutil.copyfile(start / name, folder / name)
    records = [json.loads((run / "checkpoint.json").read_text(encoding="utf-8")) for run in runs]
    seen = sum(record["point"]["seen"] for record in records)
    record = {**records[0], "point": {"seen": seen}, "averaged": records}
    (folder / "checkpoint.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    curves = "".join((run / "curve.jsonl").read_text(encoding="utf-8") for run in runs)
    (folder / "curve.jsonl").write_text(curves, encoding="utf-8")
    return folder


def _mean(weights: Sequence[torch.Tensor]) -> torch.Tensor:
    return torch.stack(list(weights)).mean(0) if weights[0].is_floating_point() else weights[0]


def send(result: Path, output: Path, parts: tuple[int, int] | None) -> list[str]:
    """Copy the manifest of a result and some of its parts, or all, to ``output``; answers the names of the parts.

    Raises:
        CheckpointError: there is no result, or not so many parts.
    """
    manifest = read_manifest(result, "result", FORMAT, NEEDED)
    names: list[str] = manifest["parts"]
    first, end = parts or (0, len(names))
    if first >= len(names) > 0:
        raise CheckpointError(f"the result has {len(names)} parts: --send {first}:{end} is none of them")
    output.mkdir(parents=True, exist_ok=True)
    chosen = names[first:end]
    for name in [*chosen, MANIFEST]:
        partial = output / f"{name}.copy"
        shutil.copyfile(result / name, partial)
        partial.replace(output / name)
    return chosen
