"""A tokenized mix and a model go in, checkpoints and a learning curve come out.

The loss is the cross-entropy of three classes where the label is one of them, and ``-log(1 - p(entailment))`` where
it is only known that the pair is not an entailment. The weights that are kept are an exponential moving average.
"""

from __future__ import annotations

import json
import logging
import math
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training.model import PairModel, save_checkpoint
from training.tokens import Batch, TokenizedPairs, batches

__all__ = ["Schedule", "logits_of", "pair_loss", "train"]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Schedule:
    """One run. It ends after ``pairs`` pairs, or after ``minutes`` if that comes first."""

    pairs: int = 300_000
    minutes: float = 1e9
    rate: float = 2e-4
    layer_decay: float = 0.85
    frozen_layers: int = 0
    """So many of the encoder's lowest layers stay as they are."""
    batch_tokens: int = 2048
    warmup: float = 0.03
    """Share of the run in which the rate rises from 0; it falls to 0 along a line afterwards."""
    smoothing: float = 0.05
    weight_decay: float = 0.01
    average: float = 0.998
    """Decay of the moving average of the weights, a step."""
    seed: int = 13
    check_every: float = 240.0
    """Seconds between two looks at the held-back pairs (each writes a checkpoint)."""


def pair_loss(logits: Tensor, labels: Tensor, weights: Tensor, smoothing: float) -> Tensor:
    """Weighted mean loss of logits (rows, 3) and label codes (rows,), 3 meaning "not an entailment"."""
    binary = labels == 3
    three_way = F.cross_entropy(
        logits, labels.masked_fill(binary, 0), reduction="none", label_smoothing=smoothing
    )
    whole = torch.logsumexp(logits, dim=1)
    rest = whole - torch.logsumexp(logits[:, 1:], dim=1)
    entailed = whole - logits[:, 0]
    two_way = (1.0 - smoothing) * rest + smoothing * entailed
    return (torch.where(binary, two_way, three_way) * weights).sum() / weights.sum()


def _forward(model: PairModel, batch: Batch, frozen_layers: int) -> Tensor:
    device = model.words.weight.device
    ids, attention, types = (part.to(device) for part in (batch.ids, batch.attention, batch.types))
    with torch.autocast(device.type, dtype=torch.bfloat16):
        vectors = model.encode(ids, attention, types, frozen_layers)
        return model.compare(vectors, ids, attention, types).float()


@torch.no_grad()
def logits_of(model: PairModel, pairs: TokenizedPairs, batch_tokens: int = 8192) -> NDArray[np.float32]:
    """Logits (rows, 3) of every pair, in its order."""
    model.eval()
    found = np.zeros((len(pairs), 3), dtype=np.float32)
    for batch in batches(pairs, batch_tokens, seed=None):
        found[batch.rows] = _forward(model, batch, 0).cpu().numpy()
    return found


def held_back_scores(model: PairModel, pairs: TokenizedPairs) -> dict[str, float]:
    """Loss, three-way accuracy and balanced accuracy of entailment on the held-back pairs."""
    logits = torch.from_numpy(logits_of(model, pairs))
    labels, weights = torch.from_numpy(pairs.labels), torch.from_numpy(pairs.weights)
    three = labels < 3
    entailed, guess = labels == 0, torch.softmax(logits, 1)[:, 0] >= 0.5
    return {
        "loss": float(pair_loss(logits, labels, weights, 0.0)),
        "accuracy": float((logits.argmax(1)[three] == labels[three]).float().mean()),
        "balanced": float((guess[entailed].float().mean() + (~guess[~entailed]).float().mean()) / 2),
    }


class Average:
    """Exponential moving average of a model's trained weights, with a warm start."""

    def __init__(self, model: PairModel, decay: float) -> None:
        self.decay, self.steps = decay, 0
        self.kept = {name: p.detach().clone() for name, p in model.named_parameters() if p.requires_grad}

    def update(self, model: PairModel) -> None:
        """Move towards the model's present weights."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        live = dict(model.named_parameters())
        torch._foreach_lerp_(
            list(self.kept.values()), [live[name].detach() for name in self.kept], 1.0 - decay
        )

    def swap(self, model: PairModel) -> None:
        """Exchange the model's weights with the average; a second call undoes the first."""
        for name, parameter in model.named_parameters():
            if name in self.kept:
                live = parameter.detach().clone()
                parameter.data.copy_(self.kept[name])
                self.kept[name] = live


def _rate_factor(progress: float, warmup: float) -> float:
    if progress < warmup:
        return max(progress / warmup, 0.01)
    return max((1.0 - progress) / (1.0 - warmup), 0.0)


def train(
    model: PairModel, mix: TokenizedPairs, held_back: TokenizedPairs, schedule: Schedule, run: Path
) -> None:
    """Train ``model`` in place; ``run`` gets the averaged checkpoint and ``curve.jsonl`` (score against pairs seen)."""
    run.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(schedule.seed)
    groups = list(model.groups(schedule.rate, schedule.layer_decay, schedule.frozen_layers))
    peaks = [float(group["lr"]) for group in groups]
    optimizer = torch.optim.AdamW(groups, weight_decay=schedule.weight_decay, betas=(0.9, 0.98), fused=True)
    average = Average(model, schedule.average)
    began, checked, seen, epoch, running = time.monotonic(), time.monotonic(), 0, 0, math.nan
    progress = 0.0
    while progress < 1.0:
        for batch in batches(mix, schedule.batch_tokens, seed=schedule.seed + epoch):
            progress = max(seen / schedule.pairs, (time.monotonic() - began) / (60 * schedule.minutes))
            if progress >= 1.0:
                break
            for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                group["lr"] = peak * _rate_factor(progress, schedule.warmup)
            model.train()
            loss = pair_loss(
                _forward(model, batch, schedule.frozen_layers),
                batch.labels,
                batch.weights,
                schedule.smoothing,
            )
            loss.backward()
            torch.nn.utils.clip_grad_norm_([p for group in groups for p in group["params"]], 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            average.update(model)
            seen += len(batch.rows)
            running = loss.item() if math.isnan(running) else 0.99 * running + 0.01 * loss.item()
            if time.monotonic() - checked > schedule.check_every:
                _check(model, average, held_back, schedule, run, seen, running, began)
                checked = time.monotonic()
        epoch += 1
    _check(model, average, held_back, schedule, run, seen, running, began)
    average.swap(model)


def _check(
    model: PairModel,
    average: Average,
    held_back: TokenizedPairs,
    schedule: Schedule,
    run: Path,
    seen: int,
    running: float,
    began: float,
) -> None:
    """Score the averaged weights on the held-back pairs, append to the curve, write the checkpoint."""
    average.swap(model)
    point = {
        "seen": seen,
        "minutes": round((time.monotonic() - began) / 60, 2),
        "train_loss": round(running, 4),
    }
    point |= {name: round(value, 4) for name, value in held_back_scores(model, held_back).items()}
    save_checkpoint(model, run, schedule=asdict(schedule), point=point)
    average.swap(model)
    with (run / "curve.jsonl").open("a", encoding="utf-8") as curve:
        curve.write(json.dumps(point) + "\n")
    log.info("%s", point)
