"""Write a BERT of two layers with random weights, in the form of a sentence encoder."""

import json
from pathlib import Path

__all__ = ["WORDS", "write_tiny_bert"]

SENTENCE = "the old bridge was not built by ann lee in 1932 or 1999 , it is a closed road ."
WORDS = [*SENTENCE.split(), "open", "city", "march", "has", "doors", "three"]
"""The whole vocabulary of the tiny model."""


def write_tiny_bert(folder: Path) -> Path:
    """Write ``config.json``, ``tokenizer.json`` and ``model.safetensors``; the weights are always the same."""
    import torch
    from safetensors.torch import save_file
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    folder.mkdir(parents=True, exist_ok=True)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *map(str, range(10)), *WORDS]
    vocabulary = {piece: at for at, piece in enumerate(pieces)} | {
        f"##{n}": len(pieces) + n for n in range(10)
    }
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    shape = {
        "num_hidden_layers": 2,
        "hidden_size": 16,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "vocab_size": len(vocabulary),
        "max_position_embeddings": 64,
        "layer_norm_eps": 1e-12,
    }
    (folder / "config.json").write_text(json.dumps(shape))
    sizes = {
        "embeddings.word_embeddings.weight": (len(vocabulary), 16),
        "embeddings.position_embeddings.weight": (64, 16),
        "embeddings.token_type_embeddings.weight": (2, 16),
        "embeddings.LayerNorm.weight": (16,),
        "embeddings.LayerNorm.bias": (16,),
    }
    for layer in range(2):
        prefix = f"encoder.layer.{layer}."
        parts = {f"attention.self.{name}": (16, 16) for name in ("query", "key", "value")}
        parts |= {
            "attention.output.dense": (16, 16),
            "intermediate.dense": (32, 16),
            "output.dense": (16, 32),
        }
        for name, size in parts.items():
            sizes |= {f"{prefix}{name}.weight": size, f"{prefix}{name}.bias": size[:1]}
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            sizes |= {f"{prefix}{name}.weight": (16,), f"{prefix}{name}.bias": (16,)}
    generator = torch.Generator().manual_seed(0)
    save_file(
        {name: torch.randn(size, generator=generator) * 0.3 for name, size in sizes.items()},
        str(folder / "model.safetensors"),
    )
    return folder
