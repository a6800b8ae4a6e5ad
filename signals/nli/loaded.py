"""A model folder and options go in; a classifier with all that its scores depend on comes out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from signals.nli.labels import label_order, probabilities
from verifier.core.errors import ConfigError, SignalError
from verifier.core.models import ModelFolder
from verifier.core.onnx import EncodedPair, OnnxClassifier, PairTokenizer

__all__ = ["Classifier", "LoadedModel", "input_limit", "open_onnx"]

_USUAL_LIMIT = 512
"""Tokens. NLI data hardly ever holds longer pairs, so no model is given more unasked."""
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
        """(pairs, 3) in the order of ``labels.CLASSES``; every pair must be within ``limit``.

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
    folder: ModelFolder, *, labels: Sequence[str] | None, max_tokens: int | None, threads: int | None
) -> LoadedModel:
    """Read an ONNX export; the graph itself is opened when the first pair comes.

    Raises:
        ConfigError: the folder is damaged, its labels are unclear, or a value of its configuration is wrong.
    """
    return LoadedModel(
        classifier=OnnxClassifier(folder.weights, threads=threads),
        tokenizer=PairTokenizer.from_file(folder.tokenizer),
        labels=label_order(folder.config, labels, str(folder.path)),
        limit=input_limit(folder.config, max_tokens),
        temperature=_temperature(folder),
        identity=folder.fingerprint(),
    )


def input_limit(config: Mapping[str, Any], asked: int | None) -> int:
    """How many tokens a pair may have: what is asked for, as far as the model has positions for it.

    Raises:
        ConfigError: more is asked than the model can read, or too little to read anything.
    """
    positions = config.get("max_position_embeddings")
    bounds = [config.get("max_length"), positions]
    if isinstance(positions, int) and config.get("model_type") in _OFFSET_POSITIONS:
        bounds.append(positions - int(config.get("pad_token_id") or 0) - 1)
    most = min((bound for bound in bounds if isinstance(bound, int) and bound > 0), default=None)
    if asked is None:
        return min(_USUAL_LIMIT, most or _USUAL_LIMIT)
    if asked < 8 or (most is not None and asked > most):
        raise ConfigError(f"max_tokens = {asked} of the NLI model: expected 8 to {most or 'any number'}")
    return asked


def _temperature(folder: ModelFolder) -> float:
    value = folder.config.get("temperature", 1.0)
    if not isinstance(value, int | float) or not 0.0 < value < float("inf"):
        raise ConfigError(
            f"model {folder.path}: temperature = {value!r} in its config.json is no number above 0"
        )
    return float(value)
