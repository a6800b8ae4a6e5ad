"""Claims and their evidence go in; the projection of token vectors for late interaction comes out.

``python -m training.late_interaction --dimension 96`` reads pairs of the data folder's ``train/``, encodes them with
the embedded encoder, and writes ``backends/models/late``. The encoder itself stays as it is: only a matrix and the
weights of the query's tokens are learnt (``backends.late.embedded.Projection``), from the principal axes on, so that
the evidence of a claim gets a greater MaxSim than that of others and than the nearest wrong premise.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from backends.encoders import EmbeddedEncoder
from backends.late.embedded import Projection, unit
from backends.late.store import pooled
from backends.late.tokens import TokenEncoder, TokenVectors
from training.data import data_folder, read_set

__all__ = ["Evidence", "evidence_pairs", "is_measured", "learn", "principal_axes"]

FOLDER = Path(__file__).parent.parent / "backends" / "models" / "late"
SETS = {
    "fever_nli.dev": 1600,
    "boolq_qa.val": 400,
    "evidence_inference.train": 400,
    "scifact_rte.train": 400,
    "semiauto_sim_wiki.train": 400,
}
"""How many pairs of each set are learnt from. Half of the first is kept apart, to measure on."""
LONGEST = 900
"""Premises of more characters are left out, as knowledge bases have none."""


class Evidence(NamedTuple):
    """A claim and a premise that confirms or denies it."""

    claim: str
    premise: str


def is_measured(premise: str) -> bool:
    """Whether a premise belongs to the half that nothing is learnt from."""
    return hashlib.sha256(premise.encode()).digest()[0] % 2 == 0


def evidence_pairs(data: Path, name: str, *, measured: bool) -> list[Evidence]:
    """The pairs of one set whose premise lies in the half asked for, each claim once, in a fixed random order."""
    found = {
        pair.hypothesis: Evidence(pair.hypothesis, pair.premise)
        for pair in read_set(data / "train", name)
        if pair.label in ("entailment", "contradiction")
        and len(pair.premise) <= LONGEST
        and is_measured(pair.premise) is measured
    }
    pairs = sorted(found.values())
    random.Random(13).shuffle(pairs)
    return pairs


@dataclass(frozen=True)
class _Encoded:
    """Token vectors of claims and premises, and which premise belongs to which claim."""

    claims: list[TokenVectors]
    premises: list[TokenVectors]
    owner: NDArray[np.intp]
    rivals: NDArray[np.intp]
    """For each claim the nearest premises that are not its own, [claims, 8]."""


def _encoded(pairs: Sequence[Evidence], encoder: TokenEncoder) -> _Encoded:
    texts = list(dict.fromkeys(pair.premise for pair in pairs))
    place = {text: at for at, text in enumerate(texts)}
    owner = np.array([place[pair.premise] for pair in pairs])
    claims = encoder.token_vectors([pair.claim for pair in pairs])
    premises = encoder.token_vectors(texts)
    near = pooled(claims, encoder.dimension) @ pooled(premises, encoder.dimension).T
    near[np.arange(len(pairs)), owner] = -np.inf
    return _Encoded(claims, premises, owner, np.argsort(-near, axis=1)[:, :8])


class _Head(torch.nn.Module):
    """The projection while it is learnt."""

    def __init__(self, matrix: NDArray[np.float32]) -> None:
        super().__init__()
        self.matrix = torch.nn.Parameter(torch.from_numpy(matrix.copy()))
        self.weigher = torch.nn.Parameter(torch.zeros(len(matrix)))
        self.offset = torch.nn.Parameter(torch.tensor(float(np.log(np.expm1(1)))))  # softplus of it is 1
        self.scale = torch.nn.Parameter(torch.tensor(20.0))

    def forward(self, claims: list[TokenVectors], premises: list[TokenVectors]) -> torch.Tensor:
        """Mean weighted MaxSim times the scale, [claims, premises]."""
        asked, asked_mask = _padded(claims)
        held, held_mask = _padded(premises)
        weights = torch.nn.functional.softplus(asked @ self.weigher + self.offset) * asked_mask
        queries = torch.nn.functional.normalize(asked @ self.matrix, dim=-1)
        documents = torch.nn.functional.normalize(held @ self.matrix, dim=-1)
        similarity = torch.einsum("qid,pjd->qpij", queries, documents)
        best = similarity.masked_fill(~held_mask[None, :, None], -torch.inf).amax(dim=-1)
        total = torch.einsum("qpi,qi->qp", best, weights)
        return self.scale * total / weights.sum(dim=1, keepdim=True)


def _padded(texts: list[TokenVectors]) -> tuple[torch.Tensor, torch.Tensor]:
    rows = [torch.from_numpy(vectors) for vectors in texts]
    mask = [torch.ones(len(vectors), dtype=torch.bool) for vectors in texts]
    pad = torch.nn.utils.rnn.pad_sequence
    return pad(rows, batch_first=True), pad(mask, batch_first=True)


def learn(
    pairs: Sequence[Evidence],
    encoder: TokenEncoder,
    *,
    dimension: int,
    epochs: int,
    batch: int = 32,
    seed: int = 13,
) -> Projection:
    """The projection to ``dimension`` learnt from ``pairs``; ``epochs=0`` gives the principal axes."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    data = _encoded(pairs, encoder)
    head = _Head(principal_axes(data.premises, dimension))
    optimizer = torch.optim.AdamW(head.parameters(), lr=1e-3, weight_decay=0.0)
    steps = epochs * (len(pairs) // batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0.0, 1 - step / max(steps, 1)))
    for epoch in range(epochs):
        losses = []
        order = rng.permutation(len(pairs))
        for start in range(0, len(order) - batch + 1, batch):
            loss = _loss(head, data, order[start : start + batch], rng)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", flush=True)
    return Projection(
        head.matrix.detach().numpy(),
        head.weigher.detach().numpy(),
        float(head.offset.detach()),
        encoder.identity,
    )


def _loss(head: _Head, data: _Encoded, chosen: NDArray[np.intp], rng: np.random.Generator) -> torch.Tensor:
    """Cross entropy of each claim's own premise among those of the batch and one rival of each claim."""
    rivals = data.rivals[chosen, rng.integers(0, data.rivals.shape[1], len(chosen))]
    shown, places = np.unique(np.concatenate([data.owner[chosen], rivals]), return_inverse=True)
    logits = head([data.claims[i] for i in chosen], [data.premises[i] for i in shown])
    return torch.nn.functional.cross_entropy(logits, torch.from_numpy(places[: len(chosen)]))


def principal_axes(texts: Sequence[TokenVectors], dimension: int) -> NDArray[np.float32]:
    """The directions along which unit token vectors are longest, [encoder's dimension, dimension]."""
    rows = unit(np.concatenate(texts))
    _, axes = np.linalg.eigh(rows.T @ rows)
    return np.ascontiguousarray(axes[:, ::-1][:, :dimension], dtype=np.float32)


def main() -> None:
    """Learn one projection and write it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="data folder; by default the variable VERIFIER_DATA")
    parser.add_argument("--dimension", type=int, default=96)
    parser.add_argument("--epochs", type=int, default=8, help="0 takes the principal axes as they are")
    parser.add_argument("--share", type=float, default=1.0, help="of the pairs of each set")
    parser.add_argument("--encoder", help="folder of another encoder than the package's")
    parser.add_argument("--output", type=Path, default=FOLDER)
    given = parser.parse_args()
    data = data_folder(given.data)
    pairs = [
        pair
        for name, most in SETS.items()
        for pair in evidence_pairs(data, name, measured=False)[: int(most * given.share)]
    ]
    started = time.perf_counter()
    projection = learn(pairs, EmbeddedEncoder(given.encoder), dimension=given.dimension, epochs=given.epochs)
    facts = {"pairs": len(pairs), "epochs": given.epochs}
    projection.save(given.output, facts)
    print(json.dumps({"output": str(given.output), **facts, "seconds": round(time.perf_counter() - started)}))


if __name__ == "__main__":
    main()
