"""Train a model on a tokenized mix, with checkpoints and a learning curve.

The loss is the cross-entropy of three classes where the label is one of them, and ``-log(1 - p(entailment))`` where
it is only known that the pair is not an entailment; where a teacher was asked, its probabilities are a second target
(Hinton, Vinyals and Dean 2015). With a head for relevance its binary cross-entropy is added. The
weights that are kept are an exponential moving average. A run that was stopped goes on from its last check as if it had
not been (:mod:`training.state`).
"""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training.model import PairModel
from training.precision import mixed_precision
from training.reader import PairReader
from training.state import ResumeError, RunState, Schedule, fingerprint, remove_state, write_state
from training.tokens import Batch, SharedBatch, TokenizedPairs, batches, shared_batches
from verifier.measure.metrics import auroc

__all__ = ["Training", "held_back_scores", "logits_of", "pair_loss"]

log = logging.getLogger(__name__)


def pair_loss(
    logits: Tensor,
    labels: Tensor,
    weights: Tensor,
    smoothing: float,
    taught: Tensor | None = None,
    share: float = 0.0,
) -> Tensor:
    """Weighted mean loss of logits (rows, 3) and label codes (rows,), 3 meaning "not an entailment".

    ``taught`` (rows, 3) are a teacher's probabilities, NaN where it was not asked; ``share`` of the loss is their
    cross-entropy.
    """
    binary = labels == 3
    three_way = F.cross_entropy(
        logits, labels.masked_fill(binary, 0), reduction="none", label_smoothing=smoothing
    )
    whole = torch.logsumexp(logits, dim=1)
    rest = whole - torch.logsumexp(logits[:, 1:], dim=1)
    entailed = whole - logits[:, 0]
    two_way = (1.0 - smoothing) * rest + smoothing * entailed
    loss = torch.where(binary, two_way, three_way)
    if taught is not None:
        asked = ~taught.isnan().any(dim=1)
        told = -(taught.nan_to_num() * F.log_softmax(logits, dim=1)).sum(dim=1)
        loss = torch.where(asked, (1.0 - share) * loss + share * told, loss)
    return (loss * weights).sum() / weights.sum()


def relevance_loss(logits: Tensor, relevance: Tensor, smoothing: float) -> Tensor:
    """Mean binary cross-entropy of logits (rows,) where relevance (rows,) is 0 or 1; -1 is unknown."""
    known = relevance >= 0
    if not known.any():
        return logits.sum() * 0.0
    truth = relevance[known].to(logits.dtype) * (1.0 - smoothing) + smoothing / 2
    return F.binary_cross_entropy_with_logits(logits[known], truth)


def _forward(model: PairReader, batch: Batch | SharedBatch, frozen_layers: int) -> Tensor:
    device = model.device
    if isinstance(batch, SharedBatch):
        assert isinstance(model, PairModel)
        texts = (batch.premises, batch.premises_seen, batch.claims, batch.claims_seen, batch.owners)
        with mixed_precision(device):
            return model.shared(*(part.to(device) for part in texts), frozen_layers=frozen_layers).float()
    ids, attention, types = (part.to(device) for part in (batch.ids, batch.attention, batch.types))
    with mixed_precision(device):
        logits: Tensor = model(ids, attention, types, frozen_layers)
        return logits.float()


@torch.no_grad()
def logits_of(model: PairReader, pairs: TokenizedPairs, batch_tokens: int = 8192) -> NDArray[np.float32]:
    """Logits (rows, 3 or 4) of every pair, in its order."""
    model.eval()
    found = np.zeros((len(pairs), 4 if model.config.relevance else 3), dtype=np.float32)
    for batch in batches(pairs, batch_tokens, seed=None):
        found[batch.rows] = _forward(model, batch, 0).cpu().numpy()
    return found


def held_back_scores(model: PairReader, pairs: TokenizedPairs) -> dict[str, float]:
    """Loss, three-way accuracy and balanced accuracy of entailment on the held-back pairs, and AUROC of relevance."""
    everything = torch.from_numpy(logits_of(model, pairs))
    logits = everything[:, :3]
    labels, weights = torch.from_numpy(pairs.labels), torch.from_numpy(pairs.weights)
    three = labels < 3
    entailed, guess = labels == 0, torch.softmax(logits, 1)[:, 0] >= 0.5
    scores = {
        "loss": float(pair_loss(logits, labels, weights, 0.0)),
        "accuracy": float((logits.argmax(1)[three] == labels[three]).float().mean()),
        "balanced": float((guess[entailed].float().mean() + (~guess[~entailed]).float().mean()) / 2),
    }
    if model.config.relevance:
        known = pairs.relevance >= 0
        found = auroc((pairs.relevance[known] == 1).tolist(), everything[known, 3].tolist())
        scores["relevance"] = found if found is not None else math.nan
    return scores


class Average:
    """Exponential moving average of a model's trained weights, with a warm start."""

    def __init__(self, model: PairReader, decay: float) -> None:
        self.decay, self.steps = decay, 0
        self.kept = {name: p.detach().clone() for name, p in model.named_parameters() if p.requires_grad}

    def update(self, model: PairReader) -> None:
        """Move towards the model's present weights."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        live = dict(model.named_parameters())
        torch._foreach_lerp_(
            list(self.kept.values()), [live[name].detach() for name in self.kept], 1.0 - decay
        )

    def swap(self, model: PairReader) -> None:
        """Exchange the model's weights with the average; a second call undoes the first."""
        for name, parameter in model.named_parameters():
            if name in self.kept:
                live = parameter.detach().clone()
                parameter.data.copy_(self.kept[name])
                self.kept[name] = live


def _falling(progress: float, warmup: float) -> float:
    """1 until the end of the warm-up, then down to 0 along a line."""
    return min(max((1.0 - progress) / (1.0 - warmup), 0.0), 1.0)


class Training:
    """One run: a model, what it learns from, and the folder that gets its checkpoint, its state and its curve."""

    def __init__(
        self,
        model: PairReader,
        mix: TokenizedPairs,
        held_back: TokenizedPairs,
        schedule: Schedule,
        folder: Path,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Store what the run needs.

        Args:
            options: what else it was started with; only recorded, in its state.
        """
        self.model, self.mix, self.held_back = model, mix, held_back
        self.schedule, self.folder, self.options = schedule, folder, dict(options or {})
        self.seen, self.loss = 0, math.nan
        self.epoch, self.taken = 0, 0

    def run(self, earlier_pairs: int = 0) -> None:
        """Train to the schedule's end; the model then has the averaged weights.

        Args:
            earlier_pairs: what the model had been trained on before; only recorded.
        """
        self._prepare(earlier_pairs)
        self._train()

    def resume(self, state: RunState) -> None:
        """Go on from the last check of a run that was stopped, as :meth:`run` would have.

        The model needs its shape and the weights that are not trained; the others come from the state.

        Raises:
            ResumeError: the state is of another model, or of a run on other pairs.
        """
        self._prepare(state.earlier)
        self._restore(state)
        self._train()

    def _prepare(self, earlier_pairs: int) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(self.schedule.seed)
        groups = list(
            self.model.groups(self.schedule.rate, self.schedule.layer_decay, self.schedule.frozen_layers)
        )
        self.peaks = [float(group["lr"]) for group in groups]
        decay = self.schedule.weight_decay
        self.optimizer = torch.optim.AdamW(groups, weight_decay=decay, betas=(0.9, 0.98), fused=True)
        self.average = Average(self.model, self.schedule.average)
        self.earlier, self.began = earlier_pairs, time.monotonic()
        self.of_mix = fingerprint(self.mix)

    def _train(self) -> None:
        checked = time.monotonic()
        for batch in self._batches():
            self._step(batch)
            if time.monotonic() - checked > self.schedule.check_every:
                self._check()
                write_state(self.folder, self._state())
                checked = time.monotonic()
        self._check(finished=True)
        remove_state(self.folder)
        self.average.swap(self.model)

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self.began

    def progress(self) -> float:
        """How much of the schedule is done, by pairs or by minutes; 1 at its end."""
        by_pairs, minutes = self.seen / self.schedule.pairs, self.schedule.minutes
        return by_pairs if minutes is None else max(by_pairs, self._seconds / (60 * minutes))

    def _factor(self) -> float:
        """Of the peak rate: along the whole schedule, with a warm-up of its own for each run."""
        own, done = self.progress(), self.schedule.done
        rising = min(own / self.schedule.warmup, 1.0)
        return max(rising, 0.01) * _falling(done + own * (1.0 - done), self.schedule.warmup)

    def _batches(self) -> Iterator[Batch | SharedBatch]:
        """What is left of the epoch, then epoch after epoch, to the schedule's end."""
        while True:
            for batch in self._epoch():
                if self.progress() >= 1.0:
                    return
                yield batch
            self.epoch, self.taken = self.epoch + 1, 0

    def _epoch(self) -> Iterator[Batch | SharedBatch]:
        """What is left of the epoch."""
        epoch_of: Callable[..., Iterator[Batch | SharedBatch]] = (
            shared_batches if self.model.config.split else batches
        )
        seed = self.schedule.seed + self.epoch
        return islice(epoch_of(self.mix, self.schedule.batch_tokens, seed=seed), self.taken, None)

    def _step(self, batch: Batch | SharedBatch) -> None:
        factor = self._factor()
        for group, peak in zip(self.optimizer.param_groups, self.peaks, strict=True):
            group["lr"] = peak * factor
        self.model.train()
        logits = _forward(self.model, batch, self.schedule.frozen_layers)
        labels, weights = batch.labels.to(logits.device), batch.weights.to(logits.device)
        schedule, taught = self.schedule, batch.taught.to(logits.device)
        loss = pair_loss(logits[:, :3], labels, weights, schedule.smoothing, taught, schedule.taught)
        if self.model.config.relevance:
            told = relevance_loss(logits[:, 3], batch.relevance.to(logits.device), schedule.smoothing)
            loss = loss + schedule.relevance * told
        loss.backward()
        torch.nn.utils.clip_grad_norm_(
            [p for group in self.optimizer.param_groups for p in group["params"]], 1.0
        )
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.average.update(self.model)
        self.seen += len(batch.rows)
        self.taken += 1
        self.loss = loss.item() if math.isnan(self.loss) else 0.99 * self.loss + 0.01 * loss.item()

    def _check(self, finished: bool = False) -> None:
        """Score the averaged weights on the held-back pairs, append to the curve, write the checkpoint."""
        minutes = round(self._seconds / 60, 2)
        point = {"seen": self.earlier + self.seen, "minutes": minutes, "train_loss": round(self.loss, 4)}
        self.average.swap(self.model)
        point |= {
            name: round(value, 4) for name, value in held_back_scores(self.model, self.held_back).items()
        }
        schedule = asdict(self.schedule)
        facts = {"schedule": schedule, "options": self.options, "steps": self.average.steps}
        self.model.save(self.folder, **facts, point=point, finished=finished)
        self.average.swap(self.model)
        with (self.folder / "curve.jsonl").open("a", encoding="utf-8") as curve:
            curve.write(json.dumps(point) + "\n")
        log.info("%s", point)

    def _state(self) -> RunState:
        device = self.model.device
        return RunState(
            schedule=asdict(self.schedule),
            options=self.options,
            mix=self.of_mix,
            live={name: p.detach() for name, p in self.model.named_parameters() if name in self.average.kept},
            kept=self.average.kept,
            average_steps=self.average.steps,
            optimizer=self.optimizer.state_dict(),
            random=torch.get_rng_state(),
            device_random=torch.cuda.get_rng_state(device) if device.type == "cuda" else None,
            earlier=self.earlier,
            seen=self.seen,
            seconds=self._seconds,
            epoch=self.epoch,
            batches=self.taken,
            loss=self.loss,
        )

    def _restore(self, state: RunState) -> None:
        """Stand where :meth:`_state` was taken."""
        if state.mix != self.of_mix:
            raise ResumeError(
                "the pairs are not those that it was trained on: give the same --mix and --encoder"
            )
        shapes = {name: weight.shape for name, weight in self.average.kept.items()}
        if any({name: w.shape for name, w in some.items()} != shapes for some in (state.live, state.kept)):
            raise ResumeError(f"the state in {self.folder} is not of the model beside it")
        live = dict(self.model.named_parameters())
        for name, average in self.average.kept.items():
            live[name].data.copy_(state.live[name])
            average.copy_(state.kept[name])
        self.average.steps = state.average_steps
        self.optimizer.load_state_dict(state.optimizer)
        self.seen, self.loss = state.seen, state.loss
        self.epoch, self.taken = state.epoch, state.batches
        self.began = time.monotonic() - state.seconds
        torch.set_rng_state(state.random)
        device = self.model.device
        if device.type == "cuda" and state.device_random is not None:
            torch.cuda.set_rng_state(state.device_random, device)
