"""Give a split model further joint layers below its own, so that it says nearly what it said before.

The new layers copy the attention and the first half of the feed-forward from the encoder's last layers, but their
branches are silent at first: the second halves are zero, as in residual networks that start from the identity (Zhang et
al. 2019, "Fixup Initialization"). Their norms are set to give back vectors of the mean size that comes in. So the model
goes on from what it knows, and training fills the new layers.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor, nn

from training.errors import StepError
from training.model import PairModel
from training.tokens import TokenizedPairs, batches

__all__ = ["deepened"]

_SILENT = ("attention_out", "contract")
_NORMS = ("attention_norm", "output_norm")


def deepened(model: PairModel, joint_layers: int, pairs: TokenizedPairs) -> PairModel:
    """The model with ``joint_layers`` in all; ``pairs`` are read to learn how large its vectors are.

    Raises:
        StepError: it is no split model, has as many already, or fewer encoder layers than are to be added.
    """
    config = model.config
    added = joint_layers - config.joint_layers
    if not config.split or not 0 < added <= config.encoder_layers:
        raise StepError(f"no {joint_layers} joint layers can be made of {config}")
    deeper = PairModel(replace(config, joint_layers=joint_layers))
    own = {name: value for name, value in model.state_dict().items() if not name.startswith("joint.")}
    deeper.load_state_dict(own, strict=False)
    mean, size = _moments(model, pairs)
    for place, layer in enumerate(deeper.joint):
        if place >= added:
            layer.load_state_dict(model.joint[place - added].state_dict())
            continue
        layer.load_state_dict(model.encoder[config.encoder_layers - added + place].state_dict())
        with torch.no_grad():
            for name in _SILENT:
                for parameter in getattr(layer, name).parameters():
                    parameter.zero_()
            for name in _NORMS:
                getattr(layer, name).weight.fill_(size)
                getattr(layer, name).bias.fill_(mean)
    return deeper


@torch.no_grad()
def _moments(model: PairModel, pairs: TokenizedPairs) -> tuple[float, float]:
    """Mean and standard deviation within a vector that comes to the first joint layer, as means over tokens."""
    seen: list[Tensor] = []

    def note(_: nn.Module, given: tuple[Tensor, ...]) -> None:
        seen.append(given[0].flatten(0, -2))

    model.eval()
    handle = model.joint[0].register_forward_pre_hook(note)
    try:
        for batch in batches(pairs, 8192, seed=None):
            model(batch.ids, batch.attention, batch.types)
    finally:
        handle.remove()
    vectors = torch.cat(seen)
    return float(vectors.mean()), float(vectors.std(dim=1).mean())
