"""The folder of a Hugging Face model goes in; a classifier with all that its scores depend on comes out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from verifier.core.models import sha256_of
from verifier.core.onnx import PairTokenizer
from verifier_signals.nli.batches import TransformersClassifier
from verifier_signals.nli.joined import JoinedTokenizer
from verifier_signals.nli.labels import label_order
from verifier_signals.nli.loaded import LoadedModel, input_limit
from verifier_signals.nli.networks import Network

__all__ = ["as_loaded"]

_SAFE, _PICKLED = "*.safetensors", "pytorch_model*.bin"


def as_loaded(
    network: Network,
    folder: Path,
    name: str,
    *,
    labels: Sequence[str] | None,
    max_tokens: int | None,
    batch_tokens: int,
    tokenizer: Path | None,
) -> LoadedModel:
    """What ``networks.open_network`` gave, ready for pairs.

    Args:
        folder, tokenizer: where the model's files, and perhaps its tokenizer's, came from.
        name: what to call the model in messages.
        labels, max_tokens, batch_tokens: as ``NLISignal`` has them.

    Raises:
        ConfigError: its labels are unclear, or ``max_tokens`` is more than it can read.
        SignalError: its tokenizer cannot put a pair together.
    """
    plain = network.wording is None
    return LoadedModel(
        classifier=TransformersClassifier(
            network.module, network.head, batch_tokens=batch_tokens, pad=network.pad, typed=network.typed
        ),
        tokenizer=PairTokenizer(network.tokenizer)
        if network.wording is None
        else JoinedTokenizer(network.tokenizer, network.wording, name),
        labels=label_order(network.config, labels, name, kind=network.kind),
        limit=input_limit(network.config, max_tokens, network.longest),
        temperature=1.0,
        identity=_identity([folder, *([tokenizer] if tokenizer else [])], network, plain=plain),
    )


def _identity(folders: Sequence[Path], network: Network, *, plain: bool) -> str:
    """A digest of the weights, of how they are read, and of the precision: the same for a folder and for the hub."""
    digest = hashlib.sha256()
    for folder in folders:
        weights = sorted(folder.glob(_SAFE)) or sorted(folder.glob(_PICKLED))
        for path in [*weights, folder / "tokenizer.json", folder / "config.json"]:
            if path.is_file():
                digest.update(f"{path.name} {sha256_of(path)}\n".encode())
    digest.update(f"{network.module.dtype} {'' if plain else network.wording} {network.kind}".encode())
    return digest.hexdigest()
