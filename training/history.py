"""The history of a model from the commands that made it: whose weights it holds and which mixes it read, in order."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

__all__ = ["Blend", "History", "MixStep", "read_history"]

EXPORTED = "signals/verifier_signals/models/nli"
"""Where ``export`` writes unless told otherwise, and what further training starts from under that name."""


class Blend(NamedTuple):
    """A run that is ``share`` of the weights of ``tuned`` and the rest of ``start``; all three by name."""

    run: str
    tuned: str
    start: str
    share: float


class MixStep(NamedTuple):
    """A mix that was trained on, by the name of its folder, and the files of written claims it was drawn from."""

    name: str
    genres: tuple[str, ...] = ()


@dataclass
class History:
    """What a list of commands did, up to the last model in ``signals/verifier_signals/models/nli``."""

    mixes: list[MixStep] = field(default_factory=list)
    """Each that was trained on, in order of training."""
    blends: list[Blend] = field(default_factory=list)
    weights: dict[str, float] = field(default_factory=dict)
    """Run that was trained -> its share of the weights exported last; the shares add up to 1."""

    def after(self, mix: str) -> list[MixStep]:
        """The mixes trained on after the one of this name; none where it was never trained on."""
        names = [step.name for step in self.mixes]
        return self.mixes[len(names) - names[::-1].index(mix) :] if mix in names else []


def read_history(commands: Path) -> History:
    """What a file of ``python -m training`` commands did; steps that make no model are passed over."""
    found = History()
    drawn: dict[str, MixStep] = {}
    made: dict[str, dict[str, float]] = {}
    for words in _commands(commands):
        step, named = words[0], _options(words[1:])
        mix = Path(named.get("--mix", ["mix"])[0]).name
        run = Path(named.get("--run", ["run"])[0]).name
        if step == "mix":
            drawn[mix] = MixStep(mix, tuple(named.get("--genres", ())))
        elif step == "train":
            found.mixes.append(drawn.get(mix, MixStep(mix)))
            made[run] = {run: 1.0}
        elif step == "blend":
            blend = Blend(run, _name(words[1]), _name(named["--from"][0]), float(named["--share"][0]))
            found.blends.append(blend)
            made[run] = _mean(
                made.get(blend.tuned, {blend.tuned: 1.0}),
                made.get(blend.start, {blend.start: 1.0}),
                blend.share,
            )
        elif step == "export" and "--model" not in named:
            found.weights = made[EXPORTED] = made.get(run, {run: 1.0})
    return found


def _commands(path: Path) -> list[list[str]]:
    """The words of each command behind ``python -m training``, comments left out."""
    lines = path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    read = [shlex.split(line, comments=True) for line in lines if not line.lstrip().startswith("#")]
    return [words[3:] for words in read if words[:3] == ["python", "-m", "training"] and len(words) > 3]


def _options(words: Sequence[str]) -> dict[str, list[str]]:
    """Option -> what stands behind it."""
    found: dict[str, list[str]] = {}
    behind: list[str] = []
    for word in words:
        if word.startswith("--"):
            behind = found[word] = []
        else:
            behind.append(word)
    return found


def _name(model: str) -> str:
    return model if model == EXPORTED else Path(model).name


def _mean(tuned: dict[str, float], start: dict[str, float], share: float) -> dict[str, float]:
    names = sorted({*tuned, *start}, key=lambda name: (len(name), name))
    return {name: share * tuned.get(name, 0.0) + (1.0 - share) * start.get(name, 0.0) for name in names}
