"""Make a model of a given architecture with random weights and a tokenizer of its own.

Their verdicts mean nothing. They show that a family of models is loaded, given its pairs and read as it should be,
where no model can be downloaded; tests and ``benchmarks.evaluation --random`` use them.
"""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

__all__ = ["ANSWERING", "FAMILIES", "HHEM", "make"]

ANSWERING, HHEM = "t5-answer", "hhem"
WORDS = ("the", "cat", "dog", "sat", "ran", "on", "a", "mat", "not", "two", "red", "is", "predict", "premise")
THREE = ("contradiction", "entailment", "neutral")

_MARKS = string.ascii_letters + string.digits + string.punctuation
_START, _END, _PAD, _UNKNOWN, _MASK = "[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"


def make(
    family: str,
    folder: Path,
    *,
    labels: Sequence[str] = THREE,
    seed: int = 3,
    width: int = 48,
    layers: int = 2,
    heads: int = 4,
    positions: int = 128,
    words: Sequence[str] = WORDS,
) -> Path:
    """Write a model as ``save_pretrained`` leaves it.

    Args:
        family: one of ``FAMILIES``.
        folder: made here.
        labels: names of its outputs, in order.
        seed: of the weights, which are wide enough that pairs get different answers.
        width, layers, heads, positions: its shape.
        words: the words that are one token each; all else is spelt in letters.

    Returns:
        ``folder``.
    """
    folder.mkdir(parents=True)
    torch.manual_seed(seed)
    tokenizer = _TOKENIZERS[family](words)
    tokenizer.model_max_length = positions
    tokenizer.save_pretrained(folder)
    shape = {
        "vocab_size": len(tokenizer),
        "pad_token_id": tokenizer.pad_token_id,
        "id2label": dict(enumerate(labels)),
        "label2id": {label: at for at, label in enumerate(labels)},
    }
    network = _NETWORKS[family](shape, width, layers, heads, positions)
    with torch.no_grad():
        for value in network.parameters():
            if value.dim() > 1:
                value.normal_(0.0, 0.25)
    if family == HHEM:
        _save_wrapped(network, folder)
    else:
        network.save_pretrained(folder)
    return folder


def _encoder(name: str, **more: Any) -> Callable[..., Any]:
    def build(shape: Mapping[str, Any], width: int, layers: int, heads: int, positions: int) -> Any:
        config = getattr(transformers, f"{name}Config")(
            **shape,
            hidden_size=width,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            intermediate_size=2 * width,
            max_position_embeddings=positions + (2 if name == "Roberta" else 0),
            **more,
        )
        return getattr(transformers, f"{name}ForSequenceClassification")(config)

    return build


def _t5(head: str) -> Callable[..., Any]:
    def build(shape: Mapping[str, Any], width: int, layers: int, heads: int, positions: int) -> Any:
        own = {**shape, "id2label": {0: "LABEL_0", 1: "LABEL_1"}, "label2id": {"LABEL_0": 0, "LABEL_1": 1}}
        config = transformers.T5Config(
            **own,
            d_model=width,
            d_kv=width // heads,
            d_ff=2 * width,
            num_layers=layers,
            num_heads=heads,
            feed_forward_proj="gated-gelu",
            decoder_start_token_id=0,
            eos_token_id=1,
            n_positions=positions,
        )
        return getattr(transformers, f"T5For{head}")(config)

    return build


def _save_wrapped(network: Any, folder: Path) -> None:
    """As HHEM-2.1 is published: the network inside another class, and a configuration that names no sizes."""
    from safetensors.torch import save_file

    weights = {f"t5.{name}": value for name, value in network.state_dict().items()}
    weights.pop("t5.transformer.encoder.embed_tokens.weight")  # the same as the shared one
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = {
        "architectures": ["HHEMv2ForSequenceClassification"],
        "model_type": "HHEMv2",
        "auto_map": {"AutoConfig": "configuration_hhem_v2.HHEMv2Config"},
    }
    (folder / "config.json").write_text(json.dumps(config))


def _word_pieces(words: Sequence[str]) -> Any:
    tokens = [_PAD, _UNKNOWN, _START, _END, _MASK, *words, *_MARKS, *(f"##{mark}" for mark in _MARKS)]
    vocabulary = {token: at for at, token in enumerate(dict.fromkeys(tokens))}
    return transformers.BertTokenizerFast(vocab=vocabulary, do_lower_case=True)


def _unigrams(special: Sequence[str], words: Sequence[str]) -> list[tuple[str, float]]:
    """No token is ``▁0``, and one is ``▁1``, as in T5's vocabulary."""
    pieces = [*(f"▁{word}" for word in words), "▁1"]
    scored = {**dict.fromkeys(special, 0.0), "▁": -3.0, **dict.fromkeys(pieces, -1.0)}
    return [*(scored | dict.fromkeys(_MARKS, -6.0)).items()]


def _deberta(words: Sequence[str]) -> Any:
    return transformers.DebertaV2Tokenizer(vocab=_unigrams([_PAD, _START, _END, _UNKNOWN, _MASK], words))


def _t5_tokenizer(words: Sequence[str]) -> Any:
    return transformers.T5Tokenizer(vocab=_unigrams(["<pad>", "</s>", "<unk>"], words), extra_ids=0)


def _bytes(special: Mapping[str, str], *, roberta: bool) -> Callable[[Sequence[str]], Any]:
    """A byte for each token: words are spelt out."""

    def build(words: Sequence[str]) -> Any:
        del words
        tokens = [*dict.fromkeys(special.values()), *sorted(pre_tokenizers.ByteLevel.alphabet())]
        ids = {token: at for at, token in enumerate(tokens)}
        tokenizer = Tokenizer(models.BPE(vocab=ids, merges=[]))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        start, end = special["cls_token"], special["sep_token"]
        twice = f"{end}:0 {end}:0" if roberta else f"{end}:0"
        tokenizer.post_processor = processors.TemplateProcessing(
            single=f"{start}:0 $A:0 {end}:0",
            pair=f"{start}:0 $A:0 {twice} $B:0 {end}:0",
            special_tokens=[(start, ids[start]), (end, ids[end])],
        )
        return transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer,
            model_input_names=["input_ids", "attention_mask"],
            **special,
        )

    return build


_ROBERTA = {
    "cls_token": "<s>",
    "pad_token": "<pad>",
    "sep_token": "</s>",
    "eos_token": "</s>",
    "unk_token": "<unk>",
}
_MODERN = {"pad_token": _PAD, "unk_token": _UNKNOWN, "cls_token": _START, "sep_token": _END}

_TOKENIZERS: Mapping[str, Callable[[Sequence[str]], Any]] = {
    "bert": _word_pieces,
    "electra": _word_pieces,
    "distilbert": _word_pieces,
    "roberta": _bytes(_ROBERTA, roberta=True),
    "deberta-v2": _deberta,
    "modernbert": _bytes(_MODERN, roberta=False),
    ANSWERING: _t5_tokenizer,
    HHEM: _t5_tokenizer,
}


def _distilbert(shape: Mapping[str, Any], width: int, layers: int, heads: int, positions: int) -> Any:
    config = transformers.DistilBertConfig(
        **shape,
        dim=width,
        n_layers=layers,
        n_heads=heads,
        hidden_dim=2 * width,
        max_position_embeddings=positions,
    )
    return transformers.DistilBertForSequenceClassification(config)


_NETWORKS: Mapping[str, Callable[..., Any]] = {
    "bert": _encoder("Bert"),
    "electra": _encoder("Electra", embedding_size=32),
    "distilbert": _distilbert,
    "roberta": _encoder("Roberta", type_vocab_size=1),
    "deberta-v2": _encoder(
        "DebertaV2",
        relative_attention=True,
        position_buckets=16,
        pos_att_type=["p2c", "c2p"],
        share_att_key=True,
        norm_rel_ebd="layer_norm",
        position_biased_input=False,
        type_vocab_size=0,
    ),
    "modernbert": _encoder(
        "ModernBert", local_attention=16, global_attn_every_n_layers=2, bos_token_id=2, eos_token_id=3
    ),
    ANSWERING: _t5("ConditionalGeneration"),
    HHEM: _t5("TokenClassification"),
}

FAMILIES = tuple(_NETWORKS)
