"""The model of pairs (premise, hypothesis), split or a cross-encoder: NLI logits, and relevance.

Both are one class. The first ``encoder_layers`` layers are BERT layers that start from a sentence encoder; in the
*split* form they see each text alone (a block-diagonal attention mask, positions that restart), so that the vectors
of a passage do not depend on the claim. The ``joint_layers`` above them read both texts at once. A second head may say
how relevant the premise is to the hypothesis, whatever it says of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the field's usual name

from training.layers import Alignment, Layer, Likeness, Text, TextDropout, hidden_from
from training.reader import PairReader
from training.shape import ModelConfig

__all__ = [
    "LABELS",
    "PairModel",
    "from_sentence_encoder",
    "in_one_move",
    "load_checkpoint",
    "save_checkpoint",
]

LABELS = ("entailment", "neutral", "contradiction")
"""The order of the logits."""


class PairModel(PairReader):
    """Three logits, in the order of :data:`LABELS`, for each pair ``[CLS] premise [SEP] [CLS] hypothesis [SEP]``.

    With the head for relevance a fourth, the logit of its probability.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(config.vocabulary, config.hidden)
        self.places = nn.Embedding(config.positions, config.hidden)
        self.embedding_norm = nn.LayerNorm(config.hidden, config.norm_epsilon)
        self.segments = nn.Embedding(2, config.hidden)
        nn.init.normal_(self.segments.weight, std=0.02)
        self.encoder = nn.ModuleList(Layer(config) for _ in range(config.encoder_layers))
        self.joint = nn.ModuleList(Layer(config) for _ in range(config.joint_layers))
        self.alignment = Alignment(config.hidden) if config.align else None
        self.dropout = TextDropout(config.dropout)
        self.pool = nn.Linear(3 * config.hidden, config.hidden)
        self.classify = nn.Linear(config.hidden, len(LABELS))
        self.relate_pool = nn.Linear(3 * config.hidden, config.hidden) if config.relevance else None
        self.relate = nn.Linear(config.hidden, 1) if config.relevance else None

    def encode(self, ids: Tensor, attention: Tensor, types: Tensor, frozen_layers: int = 0) -> Tensor:
        """Token vectors before the joint layers, (batch, tokens, hidden); no gradient in ``frozen_layers``."""
        places = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        seen = attention[:, None, None, :]
        if self.config.split:
            premise_tokens = (attention * (1 - types)).sum(dim=1, keepdim=True)
            mask = hidden_from(seen * (types[:, None, :, None] == types[:, None, None, :]), self._dtype)
            x = self._embedded(ids, places - types * premise_tokens)
            return self._read(x, mask, 0, self.config.encoder_layers, frozen_layers)
        mask = hidden_from(seen, self._dtype)
        x = self._embedded(ids, places, types)
        x = self._read(x, mask, 0, self.config.align_before, frozen_layers)
        x = self._aligned(x, ids, attention, types)
        return self._read(x, mask, self.config.align_before, self.config.encoder_layers, frozen_layers)

    def encode_texts(self, ids: Tensor, seen: Tensor | None, frozen_layers: int = 0) -> Tensor:
        """:meth:`encode` of a split model for texts by themselves, one a row; without ``seen`` nothing is padding."""
        mask = None if seen is None else hidden_from(seen[:, None, None, :], self._dtype)
        x = self._embedded(ids, torch.arange(ids.shape[1], device=ids.device).unsqueeze(0))
        return self._read(x, mask, 0, self.config.encoder_layers, frozen_layers)

    @property
    def _dtype(self) -> torch.dtype:
        return self.words.weight.dtype

    def _embedded(self, ids: Tensor, places: Tensor, types: Tensor | None = None) -> Tensor:
        x = self.words(ids) + self.places(places)
        if types is not None:
            x = x + self.segments(types)
        return self.dropout(self.embedding_norm(x))

    def _read(self, x: Tensor, mask: Tensor | None, start: int, stop: int, frozen_layers: int) -> Tensor:
        """``x`` after the encoder's layers from ``start`` to ``stop``."""
        for depth in range(start, stop):
            with torch.set_grad_enabled(torch.is_grad_enabled() and depth >= frozen_layers):
                x = self.encoder[depth](x, mask)
        return x

    def compare(self, x: Tensor, ids: Tensor, attention: Tensor, types: Tensor) -> Tensor:
        """Logits (batch, 3 or 4) from the token vectors of :meth:`encode`."""
        if self.config.split:
            x = self._aligned(x, ids, attention, types) + self.segments(types)
        mask = hidden_from(attention[:, None, None, :], x.dtype)
        for layer in self.joint:
            x = layer(x, mask)
        return self._classified(x, attention * types)

    def _aligned(self, x: Tensor, ids: Tensor, attention: Tensor, types: Tensor) -> Tensor:
        """The vectors of pairs, each token told what stands opposite it in the other text."""
        if self.alignment is None:
            return x
        text = self.text(ids, x)
        across = attention[:, None, :] * (types[:, :, None] != types[:, None, :])
        return x + self.alignment(x, *self.alignment.facing(Likeness.of(text, text), x, across))

    def text(self, ids: Tensor, vectors: Tensor) -> Text:
        """Texts (batch, tokens) with the vectors that :meth:`encode_texts` made of them."""
        return Text(ids, vectors, F.normalize(self.words(ids), dim=-1))

    def shared(
        self,
        premises: Tensor,
        premises_seen: Tensor,
        claims: Tensor,
        claims_seen: Tensor,
        owners: Tensor,
        frozen_layers: int = 0,
    ) -> Tensor:
        """Logits of a split model for claims (rows, tokens), each with the premise that ``owners`` (rows,) names.

        A premise is encoded once for all of its claims: the logits of :meth:`forward` for less work.
        """
        premise = self.encode_texts(premises, premises_seen, frozen_layers)[owners]
        claim = self.encode_texts(claims, claims_seen, frozen_layers)
        premises = premises[owners]
        return self.compare_texts(
            self.text(premises, premise),
            self.text(claims, claim),
            premises_seen[owners],
            claims_seen,
        )

    def compare_texts(
        self, premise: Text, claim: Text, premise_seen: Tensor | None, claim_seen: Tensor | None
    ) -> Tensor:
        """:meth:`compare` for texts that :meth:`encode_texts` read; without ``_seen`` nothing is padding.

        The last layer answers at the tokens that are read off alone: the first, and those of the claim.
        """
        x = torch.cat([premise.vectors, claim.vectors], dim=1)
        if self.alignment is not None:
            likeness = Likeness.of(premise, claim)
            sides = [(likeness, claim, claim_seen), (likeness.turned(), premise, premise_seen)]
            found = [
                self.alignment.facing(like, other.vectors, None if seen is None else seen[:, None, :])
                for like, other, seen in sides
            ]
            x = x + self.alignment(x, *(torch.cat(parts, dim=1) for parts in zip(*found, strict=True)))
        segments = [torch.zeros_like(premise.ids), torch.ones_like(claim.ids)]
        x = x + self.segments(torch.cat(segments, dim=1))
        mask = None
        if premise_seen is not None and claim_seen is not None:
            mask = hidden_from(torch.cat([premise_seen, claim_seen], dim=1)[:, None, None, :], x.dtype)
        *lower, last = self.joint
        for layer in lower:
            x = layer(x, mask)
        x = last(x, mask, asked=torch.cat([x[:, :1], x[:, premise.ids.shape[1] :]], dim=1))
        of_claim = torch.ones_like(claim.ids) if claim_seen is None else claim_seen
        return self._classified(x, torch.cat([torch.zeros_like(of_claim[:, :1]), of_claim], dim=1))

    def _classified(self, x: Tensor, of_claim: Tensor) -> Tensor:
        """Logits from the last vectors; ``of_claim`` (batch, tokens) is 1 at the tokens of the hypothesis."""
        claim = of_claim.unsqueeze(-1).to(x.dtype)
        mean = (x * claim).sum(dim=1) / claim.sum(dim=1).clamp(min=1.0)
        highest = (x * claim + (claim - 1.0) * 1e4).amax(dim=1)
        pooled = torch.cat([x[:, 0], mean, highest], dim=-1)
        logits = self.classify(self.dropout(torch.tanh(self.pool(pooled))))
        if self.relate is None or self.relate_pool is None:
            return logits
        return torch.cat([logits, self.relate(self.dropout(torch.tanh(self.relate_pool(pooled))))], dim=-1)

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor, frozen_layers: int = 0
    ) -> Tensor:
        """All three inputs are int64 (batch, tokens); the answer is float (batch, 3), with relevance (batch, 4)."""
        vectors = self.encode(input_ids, attention_mask, token_type_ids, frozen_layers)
        return self.compare(vectors, input_ids, attention_mask, token_type_ids)

    def groups(self, rate: float, decay: float, frozen_layers: int) -> Iterator[dict[str, Any]]:
        """Optimiser groups: the head at ``rate``, each layer below at ``decay`` times the rate above it.

        Word and position vectors stay as they are: they hold what no mix of NLI pairs can teach anew.
        """
        self.words.requires_grad_(False)
        self.places.requires_grad_(False)
        self.embedding_norm.requires_grad_(False)
        self.encoder[:frozen_layers].requires_grad_(False)
        self.encoder[frozen_layers:].requires_grad_(True)
        fresh = [
            self.pool,
            self.classify,
            self.segments,
            *(part for part in (self.alignment, self.relate_pool, self.relate) if part is not None),
        ]
        yield {"params": [p for part in fresh for p in part.parameters()], "lr": rate * 2}
        for layer in self.joint:
            yield {"params": list(layer.parameters()), "lr": rate}
        for depth, layer in enumerate(reversed(self.encoder[frozen_layers:]), start=1):
            yield {"params": list(layer.parameters()), "lr": rate * decay**depth}

    def save(self, folder: Path, **facts: Any) -> None:
        """:func:`save_checkpoint`."""
        save_checkpoint(self, folder, **facts)


def _layer_state(source: Mapping[str, Tensor], index: int) -> dict[str, Tensor]:
    """One layer of a Hugging Face BERT state dict under our names."""
    prefix = f"encoder.layer.{index}."
    state: dict[str, Tensor] = {}
    for kind in ("weight", "bias"):
        parts = [source[f"{prefix}attention.self.{name}.{kind}"] for name in ("query", "key", "value")]
        state[f"qkv.{kind}"] = torch.cat(parts)
        state[f"attention_out.{kind}"] = source[f"{prefix}attention.output.dense.{kind}"]
        state[f"attention_norm.{kind}"] = source[f"{prefix}attention.output.LayerNorm.{kind}"]
        state[f"expand.{kind}"] = source[f"{prefix}intermediate.dense.{kind}"]
        state[f"contract.{kind}"] = source[f"{prefix}output.dense.{kind}"]
        state[f"output_norm.{kind}"] = source[f"{prefix}output.LayerNorm.{kind}"]
    return state


def from_sentence_encoder(config: ModelConfig, weights: Path) -> PairModel:
    """A model whose encoder is the BERT in ``weights`` (safetensors) and whose joint layers are its last ones.

    Raises:
        KeyError: the file is not a BERT of this shape.
    """
    from safetensors.torch import load_file

    source = {name.removeprefix("bert."): tensor for name, tensor in load_file(weights).items()}
    model = PairModel(config)
    types = source["embeddings.token_type_embeddings.weight"]
    with torch.no_grad():
        model.words.weight.copy_(source["embeddings.word_embeddings.weight"])
        # The encoder was trained with token type 0 throughout; folding it in saves a lookup.
        model.places.weight.copy_(source["embeddings.position_embeddings.weight"] + types[0])
        for kind in ("weight", "bias"):
            getattr(model.embedding_norm, kind).copy_(source[f"embeddings.LayerNorm.{kind}"])
    for index, layer in enumerate(model.encoder):
        layer.load_state_dict(_layer_state(source, index))
    layers = 1 + max(int(name.split(".")[2]) for name in source if name.startswith("encoder.layer."))
    for index, layer in enumerate(model.joint):
        layer.load_state_dict(_layer_state(source, layers - config.joint_layers + index))
    return model


def in_one_move(path: Path, write: Callable[[Path], object]) -> None:
    """Have a file written beside ``path`` and put in its place: whoever reads ``path`` sees one of the two, whole."""
    partial = path.with_name(f"{path.name}.part")
    write(partial)
    partial.replace(path)


def save_checkpoint(model: PairModel, folder: Path, **facts: Any) -> None:
    """Write ``model.pt`` and ``checkpoint.json`` (the shape and the ``facts``) to ``folder``, each in one move."""
    folder.mkdir(parents=True, exist_ok=True)
    in_one_move(folder / "model.pt", lambda path: torch.save(model.state_dict(), path))
    record = json.dumps({"model": asdict(model.config), **facts}, indent=1) + "\n"
    in_one_move(folder / "checkpoint.json", lambda path: path.write_text(record, encoding="utf-8"))


def load_checkpoint(folder: Path) -> tuple[PairModel, dict[str, Any]]:
    """The model and the facts that :func:`save_checkpoint` wrote."""
    record = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
    model = PairModel(ModelConfig(**record.pop("model")))
    model.load_state_dict(torch.load(folder / "model.pt", map_location="cpu", weights_only=True))
    return model, record
