"""Blend the weights of a model with those of the model that it was trained from.

The weights of a model that was trained further are averaged with those it started from (Wortsman et al. 2022, "Robust
fine-tuning of zero-shot models"): what the new pairs taught is kept in part, and what they made it forget comes back.
"""

from __future__ import annotations

import torch

from training.errors import StepError
from training.model import PairModel

__all__ = ["blended"]


def blended(start: PairModel, tuned: PairModel, share: float) -> PairModel:
    """``share`` of the weights of ``tuned`` and the rest of ``start``, in ``tuned`` itself.

    Raises:
        StepError: the two differ in shape, or ``share`` is not in [0, 1].
    """
    if start.config != tuned.config:
        raise StepError(f"models of two shapes cannot be blended: {start.config} and {tuned.config}")
    if not 0.0 <= share <= 1.0:
        raise StepError(f"a share lies in [0, 1], not at {share}")
    before = start.state_dict()
    with torch.no_grad():
        for name, weight in tuned.state_dict().items():
            weight.lerp_(before[name], 1.0 - share)
    return tuned
