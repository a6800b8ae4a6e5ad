"""Make a cross-encoder of a large pretrained encoder by training on the mix, and store what it says of each pair.

The model in the package is small, and labels alone teach a small model slowly. A larger one learns more from the same
pairs, and its probabilities then teach the small one more than the labels do (Hinton, Vinyals and Dean 2015,
"Distilling the Knowledge in a Neural Network"): how near a miss was, and, of a pair known only not to be an entailment,
which of the other two it is. The teacher is a classifier of ``transformers`` in a folder as ``save_pretrained`` writes
it, which ``signals.nli.model`` opens as well.
"""

from __future__ import annotations

import inspect
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from training.calibrate import fit_temperature
from training.data import Pair
from training.model import LABELS, in_one_move
from training.reader import PairReader
from training.tokens import shorter_than, tokenize
from training.train import logits_of

__all__ = ["Teacher", "pairs_seen", "taught", "teacher_tokenizer"]

_HEAD_DROPOUT = 0.1


@dataclass(frozen=True)
class TeacherConfig:
    """What a training run asks of a model's shape."""

    layers: int
    split: bool = False
    relevance: bool = False


class Teacher(PairReader):
    """Three logits, in the order of ``LABELS``, for each pair; made of an encoder, or of a teacher, in a folder.

    Dropout is left to the head: in the few epochs of a run it only slows the encoder's layers down.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        from transformers import AutoModelForSequenceClassification

        self.folder = folder
        self.body = AutoModelForSequenceClassification.from_pretrained(
            folder,
            id2label=dict(enumerate(LABELS)),
            label2id={name: code for code, name in enumerate(LABELS)},
            attn_implementation="eager",
        )
        for part in self.body.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
        for part in self.body.classifier.modules():
            if isinstance(part, nn.Dropout):
                part.p = _HEAD_DROPOUT
        self.typed = "token_type_ids" in inspect.signature(self.body.forward).parameters
        self.config = TeacherConfig(layers=len(self.layers))

    @property
    def layers(self) -> Sequence[nn.Module]:
        """Those of the encoder, the lowest first."""
        layers: Sequence[nn.Module] = self.body.base_model.encoder.layer
        return layers

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor, frozen_layers: int = 0
    ) -> Tensor:
        """Logits (batch, 3) of int64 inputs (batch, tokens); what is frozen is so by :meth:`groups`."""
        del frozen_layers
        typed = {"token_type_ids": token_type_ids} if self.typed else {}
        logits: Tensor = self.body(input_ids=input_ids, attention_mask=attention_mask, **typed).logits
        return logits

    def groups(self, rate: float, decay: float, frozen_layers: int) -> Iterator[dict[str, Any]]:
        """Optimiser groups: the head at twice the ``rate``, each layer below at ``decay`` times the rate above it.

        The lowest ``frozen_layers``, the vectors of words and places and all else outside the layers stay as they are.
        """
        self.requires_grad_(False)
        self.body.classifier.requires_grad_(True)
        yield {"params": list(self.body.classifier.parameters()), "lr": rate * 2}
        for depth, layer in enumerate(reversed(list(self.layers)[frozen_layers:])):
            layer.requires_grad_(True)
            yield {"params": list(layer.parameters()), "lr": rate * decay**depth}

    def save(self, folder: Path, **facts: Any) -> None:
        """Write the classifier, its tokenizer and ``checkpoint.json`` (the shape and the ``facts``) to ``folder``."""
        # Beside it first: a run that is stopped while it writes goes on from this folder.
        partial = folder / "weights.part"
        self.body.save_pretrained(partial)
        for path in partial.iterdir():
            path.replace(folder / path.name)
        partial.rmdir()
        for path in self.folder.glob("*token*.json"):
            if path.parent != folder:
                shutil.copyfile(path, folder / path.name)
        record = json.dumps({"model": asdict(self.config), **facts}, indent=1) + "\n"
        in_one_move(folder / "checkpoint.json", lambda path: path.write_text(record, encoding="utf-8"))


def pairs_seen(folder: Path) -> int:
    """Pairs that the teacher in a folder has been trained on; 0 of an encoder that is none."""
    path = folder / "checkpoint.json"
    if not path.is_file():
        return 0
    return int(json.loads(path.read_text(encoding="utf-8"))["point"]["seen"])


def teacher_tokenizer(folder: Path, max_length: int) -> Tokenizer:
    """The encoder's own tokenizer; of a pair the longer text is cut to make ``max_length``."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(max_length, strategy="longest_first")
    tokenizer.no_padding()
    return tokenizer


def taught(
    pairs: Sequence[Pair], held_back: Sequence[Pair], teacher: Teacher, max_length: int
) -> tuple[list[Pair], float]:
    """The pairs with what the teacher says of each, and its temperature, which the held-back pairs fix.

    A pair of ``max_length`` tokens or more is not read whole, and gets none.
    """
    tokenizer = teacher_tokenizer(teacher.folder, max_length)
    told = shorter_than(tokenize(held_back, tokenizer), max_length)
    temperature = fit_temperature(logits_of(teacher, told), told.labels)
    rows = tokenize(pairs, tokenizer)
    whole = np.flatnonzero(rows.lengths < max_length)
    logits = logits_of(teacher, shorter_than(rows, max_length)) / temperature
    shares = torch.softmax(torch.from_numpy(logits), dim=1).numpy()
    said = dict(zip(whole.tolist(), shares.tolist(), strict=True))
    return [
        pair._replace(taught=_rounded(said[row]) if row in said else None) for row, pair in enumerate(pairs)
    ], temperature


def _rounded(shares: Sequence[float]) -> tuple[float, float, float]:
    first, second, third = (round(share, 4) for share in shares)
    return first, second, third
