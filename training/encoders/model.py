"""The sentence encoder in torch: token vectors or pooled unit vectors of texts."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training.layers import hidden_from
from training.model import from_sentence_encoder
from training.shape import ModelConfig

__all__ = ["TextEncoder", "load_encoder"]


class TextEncoder(nn.Module):
    """A BERT that reads one text alone, its segment vector folded into the positions."""

    def __init__(self, folder: Path) -> None:
        """The encoder in ``folder``: ``config.json`` and ``model.safetensors`` of a Hugging Face BERT."""
        super().__init__()
        self.config = ModelConfig.around(folder, split=False, joint_layers=0)
        trunk = from_sentence_encoder(self.config, folder / "model.safetensors")
        self.words, self.places = trunk.words, trunk.places
        self.norm, self.layers = trunk.embedding_norm, trunk.encoder

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        """``input_ids`` (batch, tokens) and their mask, 1 where a token is; token vectors (batch, tokens, hidden)."""
        places = torch.arange(input_ids.shape[1], device=input_ids.device)[None]
        x = self.norm(self.words(input_ids) + self.places(places))
        seen = x.new_ones((1, 1)) if attention_mask is None else attention_mask
        mask = hidden_from(seen[:, None, None, :], x.dtype)
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def pooled(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """The mean of the token vectors, at length 1: (batch, hidden)."""
        weights = attention_mask.unsqueeze(-1)
        vectors = self(input_ids, attention_mask).float()
        return F.normalize((vectors * weights).sum(dim=1) / weights.sum(dim=1), dim=-1)


def load_encoder(folder: Path, tuned: Path | None = None) -> TextEncoder:
    """The encoder of ``folder``, for use; with the weights that ``training.encoders tune`` wrote to ``tuned``."""
    model = TextEncoder(folder).eval()
    if tuned is not None:
        model.load_state_dict(torch.load(tuned, map_location="cpu", weights_only=True))
    return model
