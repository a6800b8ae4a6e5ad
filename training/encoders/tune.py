"""Tune a sentence encoder to find claims and their evidence by each other."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.encoders.model import TextEncoder
from training.encoders.static import Lesson, batches, contrast, evidence_rows, same_evidence
from training.precision import mixed_precision

__all__ = ["Tuning", "tune"]


@dataclass(frozen=True)
class Tuning:
    """How the encoder is tuned. Word and position vectors stay as they are."""

    minutes: float = 20.0
    steps: int = 100_000
    batch: int = 32
    rate: float = 2e-5
    temperature: float = 0.05
    hard: int = 1
    max_tokens: int = 128
    seed: int = 13


def tune(model: TextEncoder, lesson: Lesson, plan: Tuning, path: Path | None = None) -> float:
    """Tune ``model`` in place until the time or the steps are over; its weights go to ``path``.

    Returns:
        The mean loss of the last steps, 50 of them or fewer.
    """
    torch.manual_seed(plan.seed)
    rows_of = batches(np.random.default_rng(plan.seed), len(lesson.claims), plan.batch)
    model.train()
    for part in (model.words, model.places, model.norm):
        part.requires_grad_(False)
    learning = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=plan.rate, weight_decay=0.01)
    started, recent = time.monotonic(), [0.0]
    for step in range(plan.steps):
        spent = max(step / plan.steps, (time.monotonic() - started) / (60 * plan.minutes))
        if spent >= 1.0:
            break
        for group in optimiser.param_groups:
            group["lr"] = plan.rate * min(1.0, (step + 1) / 50) * (1.0 - spent)
        rows = next(rows_of)
        evidence = evidence_rows(lesson, rows, plan.hard)
        asked = _pooled(model, [lesson.claims[row] for row in rows], plan.max_tokens)
        found = _pooled(model, [lesson.evidence[row] for row in evidence], plan.max_tokens)
        loss = contrast(asked, found, same_evidence(lesson, evidence, len(rows)), plan.temperature)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimiser.step()
        recent = [*recent[-49:], loss.item()] if step else [loss.item()]
        if (step + 1) % 50 == 0:
            logging.info("step %d: loss %.4f, %.0f s", step + 1, np.mean(recent), time.monotonic() - started)
    model.eval()
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        torch.save(model.state_dict(), path)
    return float(np.mean(recent))


def _pooled(model: TextEncoder, texts: Sequence[Sequence[int]], max_tokens: int) -> Tensor:
    """Unit vectors (texts, hidden) of framed ids, cut to ``max_tokens`` with the last one kept."""
    cut = [[*text[: max_tokens - 1], text[-1]] if len(text) > max_tokens else list(text) for text in texts]
    width = max(map(len, cut))
    ids = torch.tensor([[*text, *[0] * (width - len(text))] for text in cut])
    mask = torch.tensor([[1] * len(text) + [0] * (width - len(text)) for text in cut])
    with mixed_precision(ids.device):
        return model.pooled(ids, mask)
