"""Save where a run stands (``state.pt``), so that a stopped run can go on."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.errors import StepError
from training.model import in_one_move
from training.tokens import TokenizedPairs

__all__ = [
    "ResumeError",
    "RunState",
    "Schedule",
    "check_options",
    "check_unused",
    "fingerprint",
    "is_finished",
    "read_state",
    "remove_state",
    "write_state",
]

STATE = "state.pt"


class ResumeError(StepError):
    """A run cannot be gone on with; the message is one line that says why."""


@dataclass(frozen=True)
class Schedule:
    """One run. It ends after ``pairs`` pairs, or after ``minutes`` if that comes first."""

    pairs: int = 300_000
    minutes: float | None = None
    """``None``: there is no such limit, and then nothing depends on how fast the machine is."""
    rate: float = 2e-4
    layer_decay: float = 0.85
    frozen_layers: int = 0
    """So many of the encoder's lowest layers stay as they are."""
    batch_tokens: int = 2048
    warmup: float = 0.03
    """Share of the run in which the rate rises from 0; it falls to 0 along a line afterwards."""
    done: float = 0.0
    """Share of the whole schedule that an earlier run has done: the rate starts where that one stopped."""
    relevance: float = 0.5
    """Weight of the loss of relevance."""
    taught: float = 0.5
    """Share of a teacher's probabilities in the target of a pair that has them; its label has the rest."""
    smoothing: float = 0.05
    weight_decay: float = 0.01
    average: float = 0.998
    """Decay of the moving average of the weights, a step."""
    seed: int = 13
    check_every: float = 240.0
    """Seconds between two looks at the held-back pairs (each writes a checkpoint)."""


@dataclass(frozen=True)
class RunState:
    """A run between two of its steps: with the weights that are not trained, all that its next step depends on."""

    schedule: dict[str, Any]
    """The fields of :class:`Schedule`."""
    options: dict[str, Any]
    """What else the run was started with."""
    mix: str
    """:func:`fingerprint` of what it learns from."""
    live: dict[str, Tensor]
    """The trained weights as the last step left them, by name."""
    kept: dict[str, Tensor]
    """Their moving average."""
    average_steps: int
    optimizer: dict[str, Any]
    random: Tensor
    """State of the random numbers of the processor."""
    device_random: Tensor | None
    """That of the GPU, if the model is on one."""
    earlier: int
    """Pairs that the model had been trained on before the run."""
    seen: int
    """Pairs of the run itself."""
    seconds: float
    """Time trained, checks included."""
    epoch: int
    batches: int
    """Those taken in this epoch."""
    loss: float
    """The running mean."""


def write_state(folder: Path, state: RunState) -> None:
    """Write ``state.pt`` to the run's folder, in one move."""
    in_one_move(folder / STATE, lambda path: torch.save(vars(state), path))


def read_state(folder: Path) -> RunState:
    """What :func:`write_state` wrote last.

    Raises:
        ResumeError: there is no such file, or it cannot be read.
    """
    path = folder / STATE
    if not path.is_file():
        raise ResumeError(
            f"{path} is missing: only a run that was stopped after its first check can be resumed"
        )
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, EOFError, RuntimeError, ValueError, KeyError, pickle.UnpicklingError) as error:
        raise ResumeError(f"{path} cannot be read: {type(error).__name__}") from error
    names, options = ({field.name for field in fields(kind)} for kind in (RunState, Schedule))
    if not isinstance(found, dict) or found.keys() != names or found["schedule"].keys() != options:
        raise ResumeError(f"{path} is no state of a run, or of another version")
    return RunState(**found)


def is_finished(folder: Path) -> bool:
    """Whether the folder holds the checkpoint of a run that came to its schedule's end."""
    path = folder / "checkpoint.json"
    return path.is_file() and bool(json.loads(path.read_text(encoding="utf-8")).get("finished"))


def check_unused(folder: Path) -> None:
    """Make sure that a new run in this folder writes over no other that can be gone on with.

    Raises:
        ResumeError: it would.
    """
    if (folder / STATE).is_file():
        raise ResumeError(f"{folder / STATE} is of a run that was stopped: go on with --resume, or remove it")


def remove_state(folder: Path) -> None:
    """Remove ``state.pt``, if it is there."""
    (folder / STATE).unlink(missing_ok=True)


def check_options(state: RunState, given: Mapping[str, Any]) -> None:
    """Compare options given anew, by the names of their fields, with those that the run was started with.

    Raises:
        ResumeError: one differs; the message names all that do.
    """
    # "relevance" is an option, the head, and in the schedule the weight of its loss, which no option sets.
    first = {**state.schedule, **state.options}
    wrong = [
        f"--{name.replace('_', '-')} {value} (it was started with {first.get(name)})"
        for name, value in given.items()
        if value != first.get(name)
    ]
    if wrong:
        raise ResumeError(f"a resumed run keeps its options, so these cannot be given: {', '.join(wrong)}")


def fingerprint(pairs: TokenizedPairs) -> str:
    """A digest of the rows in their order: with another one the batches of an epoch are others."""
    digest = hashlib.sha256()
    for name, column in vars(pairs).items():
        digest.update(f"{name} {column.dtype} {len(column)}\n".encode())
        digest.update(column.tobytes())
    return digest.hexdigest()
