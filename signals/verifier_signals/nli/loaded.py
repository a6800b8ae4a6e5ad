"""A loaded NLI model: its classifier with all that turns its outputs into scores; ONNX exports are opened here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import ConfigError, SignalError
from verifier.core.models import ModelFolder, read_config, sha256_of
from verifier.core.onnx import EncodedPair, PairTokenizer
from verifier.core.split import open_graphs
from verifier_signals.nli.families import HHEM_WORDING, JoinedTokenizer, Wording, minicheck_wording
from verifier_signals.nli.kinds import Kind, is_encoder_decoder, kind_of, label_order, probabilities

__all__ = ["Classifier", "LoadedModel", "input_limit", "open_onnx"]

_UNSTATED_LIMIT = 512
"""Tokens, for a model that says nowhere how long its input may be."""
_UNLIMITED = 1_000_000
"""From here on a tokenizer's limit is only its library's word for none."""
_OFFSET_POSITIONS = frozenset({"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl"})
"""Model types whose first position is ``pad_token_id + 1``."""


class Classifier(Protocol):
    """What the two engines have in common."""

    def logits(self, pairs: Sequence[EncodedPair]) -> NDArray[np.float32]:
        """Raw outputs, (pairs, classes), in order, each independent of the others."""
        ...


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A classifier with what turns its outputs into probabilities."""

    classifier: Classifier
    tokenizer: PairTokenizer
    labels: tuple[str, ...]
    limit: int
    """The longest pair it may be given, in tokens, special ones included."""
    temperature: float
    identity: str
    """What names the weights: a digest, or a commit of the hub."""

    def probabilities(self, pairs: Sequence[EncodedPair]) -> NDArray[np.float64]:
        """(pairs, 3) in the order of ``kinds.CLASSES``; every pair must be within ``limit``.

        Raises:
            SignalError: the model has not as many outputs as labels.
        """
        logits = self.classifier.logits(pairs)
        if logits.shape[1] != len(self.labels):
            raise SignalError(
                f"the NLI model has {logits.shape[1]} outputs but {len(self.labels)} labels: "
                f"{', '.join(self.labels)}"
            )
        return probabilities(logits, self.labels, self.temperature)

    @property
    def fingerprint(self) -> str:
        """``<weights>-<rest>``: changes whenever the same pair could get another score."""
        rest = json.dumps([self.labels, self.limit, self.temperature])
        return f"{self.identity[:16]}-{hashlib.sha256(rest.encode()).hexdigest()[:8]}"


def open_onnx(
    folder: ModelFolder,
    *,
    labels: Sequence[str] | None,
    max_tokens: int | None,
    threads: int | None,
    kind: Kind = "auto",
) -> LoadedModel:
    """Read an ONNX export; its graphs are opened when the first pair comes.

    Raises:
        ConfigError: the folder is damaged, its kind or its labels are unclear, or a value of its configuration is
            wrong.
    """
    name, beside = str(folder.path), _tokenizer_config(folder.path)
    kind = kind_of(folder.config, kind, name)
    wording = _wording(folder.config, beside, kind, name)
    tokenizer = PairTokenizer.from_file(folder.tokenizer)
    return LoadedModel(
        classifier=open_graphs(folder, threads=threads),
        tokenizer=tokenizer if wording is None else JoinedTokenizer.of(tokenizer, wording, name),
        labels=label_order(folder.config, labels, name, kind),
        limit=input_limit(folder.config, max_tokens, beside.get("model_max_length")),
        temperature=_temperature(folder),
        identity=_identity(folder, wording),
    )


def input_limit(config: Mapping[str, Any], asked: int | None, longest: Any = None) -> int:
    """How many tokens a pair may have: what is asked for, as far as the model has positions for it.

    Args:
        config: the model's. Its ``max_length`` counts only beside ``labels``, as our exports have them: elsewhere it
            is the length of texts that a model writes.
        asked: from the user; ``None`` for all that the model states it can.
        longest: what its tokenizer states, which is no more than advice.

    Raises:
        ConfigError: more is asked than the model can read, or too little to read anything.
    """
    positions = config.get("max_position_embeddings")
    bounds = [positions, config.get("max_length") if "labels" in config else None]
    if isinstance(positions, int) and config.get("model_type") in _OFFSET_POSITIONS:
        bounds.append(positions - int(config.get("pad_token_id") or 0) - 1)
    most = min((bound for bound in bounds if isinstance(bound, int) and bound > 0), default=None)
    if asked is None:
        stated = [most, config.get("n_positions"), longest]
        known = (value for value in stated if isinstance(value, int) and 0 < value < _UNLIMITED)
        return min(known, default=_UNSTATED_LIMIT)
    if config.get("relative_attention") and not config.get("position_biased_input"):
        most = None
    if asked < 8 or (most is not None and asked > most):
        raise ConfigError(f"max_tokens = {asked} of the NLI model: expected 8 to {most or 'any number'}")
    return asked


def _wording(config: Mapping[str, Any], beside: Mapping[str, Any], kind: Kind, name: str) -> Wording | None:
    """What stands around the two texts: as our export wrote it down, or as that kind of model is published."""
    written = config.get("pair")
    if isinstance(written, Mapping):
        return Wording(str(written.get("before", "")), str(written.get("between", "")))
    if kind == "hhem":
        return HHEM_WORDING
    if kind != "minicheck":
        return None
    if is_encoder_decoder(config):
        raise ConfigError(
            f"model {name} writes its answer in a second graph; export it in one with: "
            "python -m verifier_signals.nli.export MODEL FOLDER --kind minicheck"
        )
    end = beside.get("eos_token") or beside.get("sep_token")
    return minicheck_wording(end["content"] if isinstance(end, Mapping) else end, name, writes=False)


def _tokenizer_config(folder: Path) -> Mapping[str, Any]:
    path = folder / "tokenizer_config.json"
    return read_config(path) if path.is_file() else {}


def _identity(folder: ModelFolder, wording: Wording | None) -> str:
    """The digest of the graph, with that of the weights beside it and of what stands around a pair, where there are."""
    graph = folder.fingerprint()
    outside = sorted(folder.weights.parent.glob(f"{folder.weights.name}?data*"))
    more = [sha256_of(path) for path in outside] + ([repr(wording)] if wording else [])
    return hashlib.sha256(" ".join([graph, *more]).encode()).hexdigest() if more else graph


def _temperature(folder: ModelFolder) -> float:
    value = folder.config.get("temperature", 1.0)
    if not isinstance(value, int | float) or not 0.0 < value < float("inf"):
        raise ConfigError(
            f"model {folder.path}: temperature = {value!r} in its config.json is no number above 0"
        )
    return float(value)
