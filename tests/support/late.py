"""Token encoders and checkpoints for tests: deterministic vectors without a model, and real small ColBERT models."""

import json
import re
import string
from functools import cache

import numpy as np


class WordVectors:
    """A token encoder that draws a vector for each word from a hash of it; a word and its plural are alike."""

    identity = "word-vectors"

    def __init__(self, dimension=32):
        self.dimension = dimension

    def token_vectors(self, texts):
        nothing = np.zeros((0, self.dimension), np.float32)
        return [
            np.array([word_vector(w, self.dimension) for w in words(t)] or nothing, np.float32) for t in texts
        ]


def words(text):
    return re.findall(r"\w+|[^\w\s]", text.lower())


@cache
def word_vector(word, dimension):
    stem = word.rstrip("s")
    own, shared = (
        np.random.default_rng(list(part.encode())).normal(size=dimension) for part in (word, stem + "#")
    )
    return (0.5 * own + shared).astype(np.float32)


SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]"]


def write_stanford_checkpoint(folder, texts, *, dimension=32, doc_maxlen=256, query_maxlen=32):
    """A small BERT of random weights with a projection, as ``colbert-ai`` stores one; vocabulary from ``texts``."""
    import torch
    from safetensors.torch import save_file
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    letters = sorted({c for text in texts for c in text.lower() if not c.isspace()} | set(string.punctuation))
    vocabulary = [*SPECIAL, *letters, *(f"##{c}" for c in letters)]
    vocabulary += sorted({w for text in texts for w in words(text)} - set(vocabulary))
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=512,
        initializer_range=0.05,
    )
    config.architectures = ["HF_ColBERT"]
    config.save_pretrained(folder)
    torch.manual_seed(7)
    weights = {f"bert.{name}": part.contiguous() for name, part in BertModel(config).state_dict().items()}
    # Positions say little here, so that the same word is nearly the same vector wherever it stands.
    weights["bert.embeddings.position_embeddings.weight"] *= 0.1
    weights["linear.weight"] = torch.randn(dimension, config.hidden_size)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    settings = {
        "query_token_id": "[unused0]",
        "doc_token_id": "[unused1]",
        "query_token": "[Q]",
        "doc_token": "[D]",
        "dim": dimension,
        "doc_maxlen": doc_maxlen,
        "query_maxlen": query_maxlen,
        "mask_punctuation": True,
        "similarity": "cosine",
        "attend_to_mask_tokens": False,
    }
    (folder / "artifact.metadata").write_text(json.dumps(settings), encoding="utf-8")
    return folder
