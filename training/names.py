"""Learn the named-entity head over the embedded encoder's token vectors from annotated documents, and measure it.

The head is learnt on ``ner/redocred.train`` (Re-DocRED, MIT; text of Wikipedia, CC BY-SA). Every seventh document is
kept out of that, to choose the weight of the transitions and when to stop. ``ner/redocred.eval`` is not touched here:
``python -m benchmarks.names spans`` measures on it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from verifier_signals.names.trained import TAGS, EncodedTokens, NameHead, TokenReader, spans_of

from training.annotated import Document, documents
from verifier.core.models import open_model_folder, promised_files
from verifier.types import Span

__all__ = ["learn"]

HELD_BACK = 7
"""Every so-manieth document is held back."""
BATCH = 256
"""Tokens."""
EPOCHS = 14
RATE, DECAY_OF_RATE, WEIGHT_DECAY, DROPOUT = 2e-3, 0.8, 1e-2, 0.2
TRANSITIONS = (0.0, 0.15, 0.3, 0.45, 0.6)
"""Weights of the transitions that are tried on the documents held back."""


class _Sentence(NamedTuple):
    tokens: EncodedTokens
    tags: list[int]


def learn(data: Path, model: Path, folder: Path, *, units: int, seed: int) -> dict[str, float]:
    """Learn the head and write ``head.npz`` and ``config.json``.

    Args:
        data: the data folder.
        model: folder of the embedded model, in two graphs.
        folder: where the head goes.
        units: of the hidden layer.
        seed: of the weights and the order.

    Returns:
        Precision, recall and F1 of the documents held back, exact borders and kinds.
    """
    torch.manual_seed(seed)
    opened = open_model_folder(model)
    if opened.encoder is None:
        raise SystemExit(f"{model} is no model in two graphs: it has no encoder of single texts")
    reader = TokenReader(opened.tokenizer, opened.encoder)
    read = [_sentences(reader, document) for document in documents(data / "ner" / "redocred.train.jsonl.xz")]
    taught = [item for at, own in enumerate(read) if at % HELD_BACK for item in own]
    held = [item for at, own in enumerate(read) if not at % HELD_BACK for item in own]
    head, figures = _fitted(taught, held, units, seed)
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {name: getattr(head, name).astype(np.float16) for name in NameHead.__slots__}
    np.savez(folder / "head.npz", allow_pickle=False, **arrays)
    config = {
        "encoder": opened.fingerprint(),
        "tags": TAGS,
        "learnt_from": "Re-DocRED (tonytan48/Re-DocRED, MIT; text of Wikipedia, CC BY-SA), 500 documents",
        "command": "python -m training names",
        "held_back": {name: round(value, 3) for name, value in figures.items()},
        **promised_files(folder, ["head.npz"]),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    return figures


def _sentences(reader: TokenReader, document: Document) -> list[_Sentence]:
    return [_Sentence(tokens, _tags(tokens.spans, document.gold)) for tokens in reader(document.text)]


def _tags(tokens: Sequence[Span], gold: dict[Span, str]) -> list[int]:
    tags = [0] * len(tokens)
    for (start, end), kind in gold.items():
        inside = [at for at, span in enumerate(tokens) if span[0] < end and start < span[1]]
        for number, at in enumerate(inside):
            tags[at] = TAGS.index(f"{'I' if number else 'B'}-{kind}")
    return tags


def _fitted(
    taught: Sequence[_Sentence], held: Sequence[_Sentence], units: int, seed: int
) -> tuple[NameHead, dict[str, float]]:
    """The head of the epoch and transitions that read the sentences held back best."""
    inputs = torch.tensor(np.vstack([item.tokens.inputs for item in taught]))
    tags = torch.tensor([tag for item in taught for tag in item.tags])
    mean, scale = inputs.mean(0), inputs.std(0) + 1e-3
    inputs = (inputs - mean) / scale
    network = nn.Sequential(
        nn.Dropout(DROPOUT),
        nn.Linear(inputs.shape[1], units),
        nn.ReLU(),
        nn.Dropout(DROPOUT),
        nn.Linear(units, len(TAGS)),
    )
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=WEIGHT_DECAY)
    order = torch.Generator().manual_seed(seed)
    ratio = _transitions(taught, np.bincount(tags.numpy(), minlength=len(TAGS)))
    best: tuple[NameHead, dict[str, float]] | None = None
    for _ in range(EPOCHS):
        network.train()
        for batch in torch.randperm(len(inputs), generator=order).split(BATCH):
            loss = nn.functional.cross_entropy(network(inputs[batch]), tags[batch])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        for group in optimiser.param_groups:
            group["lr"] *= DECAY_OF_RATE
        for weight in TRANSITIONS:
            head = _head(network, mean, scale, weight * ratio)
            figures = _figures(head, held)
            if best is None or figures["f1"] > best[1]["f1"]:
                best = head, figures
    assert best is not None
    return best


def _head(
    network: nn.Sequential, mean: torch.Tensor, scale: torch.Tensor, follows: NDArray[np.float64]
) -> NameHead:
    """The network with the scaling of its inputs taken into the weights."""
    first, last = network[1], network[4]
    with torch.no_grad():
        hidden = (first.weight / scale).T
        bias = first.bias - mean @ hidden
        layers = [part.numpy().astype(np.float32) for part in (hidden, bias, last.weight.T, last.bias)]
    impossible = np.array([[two.startswith("I-") and one[2:] != two[2:] for two in TAGS] for one in TAGS])
    allowed = np.where(impossible, -np.inf, follows).astype(np.float32)
    return NameHead(layers[0], layers[1], layers[2], layers[3], allowed)


def _transitions(taught: Iterable[_Sentence], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """(tags, tags): how much likelier the second is behind the first than anywhere, as a logarithm.

    Every pair counts as seen once more than it was.
    """
    pairs = np.ones((len(TAGS), len(TAGS)))
    for item in taught:
        np.add.at(pairs, (item.tags[:-1], item.tags[1:]), 1)
    behind = pairs / pairs.sum(axis=1, keepdims=True)
    ratio: NDArray[np.float64] = np.log(behind) - np.log(counts / counts.sum())
    return ratio


def _figures(head: NameHead, sentences: Iterable[_Sentence]) -> dict[str, float]:
    right = found = annotated = 0
    for tokens, tags in sentences:
        gold = spans_of(tokens.spans, [TAGS[tag] for tag in tags])
        guess = spans_of(tokens.spans, head.tags(tokens))
        right += len(gold.items() & guess.items())
        found += len(guess)
        annotated += len(gold)
    precision, recall = right / max(found, 1), right / max(annotated, 1)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    assert math.isfinite(f1)
    return {"precision": precision, "recall": recall, "f1": f1}
