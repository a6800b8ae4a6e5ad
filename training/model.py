"""Token ids of a (premise, hypothesis) pair go in, NLI logits and relevance come out: split model and cross-encoder.

Both are one class. The first ``encoder_layers`` layers are BERT layers that start from a sentence encoder; in the
*split* form they see each text alone (a block-diagonal attention mask, positions that restart), so that the vectors
of a passage do not depend on the claim. The ``joint_layers`` above them read both texts at once. A second head may say
how relevant the premise is to the hypothesis, whatever it says of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - the field's usual name

__all__ = [
    "LABELS",
    "ModelConfig",
    "PairModel",
    "Text",
    "from_sentence_encoder",
    "load_checkpoint",
    "save_checkpoint",
]

LABELS = ("entailment", "neutral", "contradiction")
"""The order of the logits."""


@dataclass(frozen=True)
class ModelConfig:
    """The shape of a model. ``joint_layers == 0`` with ``split == False`` is the usual cross-encoder."""

    split: bool = True
    encoder_layers: int = 6
    joint_layers: int = 2
    align: bool = True
    """Whether the joint layers start from an explicit alignment of the two texts (:class:`Alignment`)."""
    align_before: int = 0
    """The cross-encoder's layer that the alignment stands before; the split model's stands before the joint ones."""
    relevance: bool = False
    """Whether there is a head for relevance."""
    hidden: int = 384
    heads: int = 12
    intermediate: int = 1536
    vocabulary: int = 30522
    positions: int = 512
    dropout: float = 0.1
    norm_epsilon: float = 1e-12

    @classmethod
    def around(
        cls,
        encoder: Path,
        *,
        split: bool,
        joint_layers: int,
        encoder_layers: int | None = None,
        align_before: int | None = None,
        relevance: bool = False,
    ) -> ModelConfig:
        """The shape of a model around the BERT whose ``config.json`` is in ``encoder``, or around its lowest layers."""
        bert = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
        return cls(
            split=split,
            encoder_layers=encoder_layers or bert["num_hidden_layers"],
            joint_layers=joint_layers if split else 0,
            align=split or align_before is not None,
            align_before=align_before or 0,
            relevance=relevance,
            hidden=bert["hidden_size"],
            heads=bert["num_attention_heads"],
            intermediate=bert["intermediate_size"],
            vocabulary=bert["vocab_size"],
            positions=bert["max_position_embeddings"],
            norm_epsilon=bert["layer_norm_eps"],
        )

    @property
    def architecture(self) -> str:
        """``split`` or ``cross-encoder``."""
        return "split" if self.split else "cross-encoder"


class Text(NamedTuple):
    """Texts as the alignment needs them."""

    ids: Tensor
    """(batch, tokens)."""
    vectors: Tensor
    """Contextual, (batch, tokens, hidden)."""
    words: Tensor
    """Plain word vectors, (batch, tokens, hidden)."""


def _attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float) -> Tensor:
    """Attention; written out for training, where the fused CPU kernel's backward pass outweighs all products."""
    if not torch.is_grad_enabled():
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
    scores = (q * scale) @ k.transpose(-1, -2)
    if mask is not None:
        scores = scores + mask
    with torch.autocast(q.device.type, enabled=False):
        # Autocast would carry the largest tensor of the model through float32 and back.
        weights = scores.softmax(dim=-1)
    return weights @ v


class TextDropout(nn.Module):
    """Dropout with one mask a text, shared by its tokens: 40 times fewer random numbers than a mask a token."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, x: Tensor) -> Tensor:
        """``x`` (batch, ..., hidden)."""
        if not self.training or self.rate == 0.0:
            return x
        shape = (x.shape[0], *(1 for _ in x.shape[1:-1]), x.shape[-1])
        keep = 1.0 - self.rate
        return x * (torch.rand(shape, device=x.device) < keep).to(x.dtype).div_(keep)


class Layer(nn.Module):
    """One post-norm transformer layer, as in BERT (Devlin et al. 2019)."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads, self.scale = config.heads, (config.hidden // config.heads) ** -0.5
        self.qkv = nn.Linear(config.hidden, 3 * config.hidden)
        self.attention_out = nn.Linear(config.hidden, config.hidden)
        self.attention_norm = nn.LayerNorm(config.hidden, config.norm_epsilon)
        self.expand = nn.Linear(config.hidden, config.intermediate)
        self.contract = nn.Linear(config.intermediate, config.hidden)
        self.output_norm = nn.LayerNorm(config.hidden, config.norm_epsilon)
        self.dropout = TextDropout(config.dropout)

    def forward(self, x: Tensor, mask: Tensor | None, asked: Tensor | None = None) -> Tensor:
        """The layer's answer at every column of ``x``, or at some alone, the rest of which is only attended to.

        Args:
            x: (batch, tokens, hidden).
            mask: (batch, 1, tokens or 1, tokens), 0 where visible, else very low; ``None``: all is visible.
            asked: (batch, columns, hidden), some columns of ``x``; ``None``: all of them.
        """
        if asked is None:
            q, k, v = self._heads(self.qkv(x), 3)
            return self._answer(x, q, k, v, mask)
        hidden = self.qkv.in_features
        (q,) = self._heads(F.linear(asked, self.qkv.weight[:hidden], self.qkv.bias[:hidden]), 1)
        k, v = self._heads(F.linear(x, self.qkv.weight[hidden:], self.qkv.bias[hidden:]), 2)
        return self._answer(asked, q, k, v, mask)

    def _heads(self, products: Tensor, parts: int) -> tuple[Tensor, ...]:
        """(batch, tokens, parts * hidden) as so many times (batch, heads, tokens, hidden / heads)."""
        batch, tokens, _ = products.shape
        return products.view(batch, tokens, parts, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)

    def _answer(self, x: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        mask = None if mask is None else mask.to(q.dtype)
        seen = _attend(q, k, v, mask, self.scale).transpose(1, 2).reshape(x.shape)
        x = self.attention_norm(x + self.dropout(self.attention_out(seen)))
        return self.output_norm(x + self.dropout(self.contract(F.gelu(self.expand(x)))))


def hidden_from(seen: Tensor, dtype: torch.dtype) -> Tensor:
    """The additive attention mask of ``seen`` (1 visible, 0 hidden); -1e4 is within reach of every float type."""
    return (1.0 - seen.to(dtype)) * -1e4


class Alignment(nn.Module):
    """Tells every token what stands opposite it in the other text, before the joint layers read both.

    As in decomposable attention (Parikh et al. 2016): each token attends to the other text by similarity and is
    compared with what it finds. Three plain facts go along: whether the very token occurs there, the highest cosine
    of its word vector, and of its contextual vector. A small model needs many pairs to learn these by itself.
    """

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.sharpness = nn.Parameter(torch.tensor(10.0))
        self.compare = nn.Linear(3 * hidden + 3, hidden)
        nn.init.normal_(self.compare.weight, std=0.005)
        nn.init.zeros_(self.compare.bias)

    def forward(self, found: Tensor) -> Tensor:
        """What to add to the vectors of texts, (batch, tokens, hidden), by what :meth:`facing` found for them."""
        return self.compare(found)

    def facing(self, text: Text, other: Text, across: Tensor | None) -> Tensor:
        """What stands opposite every token of ``text``, and the plain facts: (batch, tokens, 3 * hidden + 3).

        Args:
            text: the tokens that are told.
            other: what may stand opposite them.
            across: (batch, 1 or tokens, tokens of ``other``), 1 where it does stand opposite; ``None``: everywhere.
        """
        x = text.vectors
        similar = F.normalize(x, dim=-1) @ F.normalize(other.vectors, dim=-1).transpose(1, 2)
        alike = F.normalize(text.words, dim=-1) @ F.normalize(other.words, dim=-1).transpose(1, 2)
        same = text.ids[:, :, None] == other.ids[:, None, :]
        weights = similar * self.sharpness
        if across is not None:
            hidden = hidden_from(across, x.dtype)
            same = same & across.bool()
            weights, similar, alike = weights + hidden, similar + hidden, alike + hidden
        opposite = weights.softmax(dim=-1).to(x.dtype) @ other.vectors
        facts = [same.to(x.dtype).amax(dim=-1), alike.amax(dim=-1), similar.amax(dim=-1)]
        # A text without a counterpart has no highest cosine; without the floor it would be -1e4.
        facts = [fact.clamp(min=-1.0) for fact in facts]
        return torch.cat([opposite, x * opposite, x - opposite, torch.stack(facts, dim=-1)], dim=-1)


class PairModel(nn.Module):
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
        text = Text(ids, x, self.words(ids))
        across = attention[:, None, :] * (types[:, :, None] != types[:, None, :])
        return x + self.alignment(self.alignment.facing(text, text, across))

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
            Text(premises, premise, self.words(premises)),
            Text(claims, claim, self.words(claims)),
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
            facing = self.alignment.facing
            found = [
                facing(premise, claim, None if claim_seen is None else claim_seen[:, None, :]),
                facing(claim, premise, None if premise_seen is None else premise_seen[:, None, :]),
            ]
            x = x + self.alignment(torch.cat(found, dim=1))
        sides = [torch.zeros_like(premise.ids), torch.ones_like(claim.ids)]
        x = x + self.segments(torch.cat(sides, dim=1))
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

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """All three inputs are int64 (batch, tokens); the answer is float (batch, 3), with relevance (batch, 4)."""
        vectors = self.encode(input_ids, attention_mask, token_type_ids)
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


def save_checkpoint(model: PairModel, folder: Path, **facts: Any) -> None:
    """Write ``model.pt`` and ``checkpoint.json`` (the shape and the ``facts``) to ``folder``, each in one move."""
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / "model.pt.part"
    torch.save(model.state_dict(), partial)
    partial.replace(folder / "model.pt")
    record = {"model": asdict(model.config), **facts}
    (folder / "checkpoint.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def load_checkpoint(folder: Path) -> tuple[PairModel, dict[str, Any]]:
    """The model and the facts that :func:`save_checkpoint` wrote."""
    record = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
    model = PairModel(ModelConfig(**record.pop("model")))
    model.load_state_dict(torch.load(folder / "model.pt", map_location="cpu", weights_only=True))
    return model, record
