"""A package and a model's name go in; the embedded model's folder comes out, checked, or ``None``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError

__all__ = ["ModelFolder", "embedded_model", "find_weights", "open_model_folder", "read_config", "sha256_of"]

_CONFIG = "config.json"
_TOKENIZER = "tokenizer.json"
_WEIGHTS = ("model.onnx", "onnx/model.onnx")
"""Where exporters put the graph: flat, or under ``onnx/`` beside the original weights."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with a model's weights (an ONNX graph, mostly), tokenizer and configuration; all three files exist."""

    path: Path
    weights: Path
    tokenizer: Path
    config: Mapping[str, Any]

    def fingerprint(self) -> str:
        """The sha256 of the weights, as 64 hexadecimal digits, read from the file.

        Raises:
            ConfigError: ``config.json`` promises another ``fingerprint``: the file is not the one exported.
        """
        found = sha256_of(self.weights)
        promised = self.config.get("fingerprint", found)
        if found != promised:
            raise ConfigError(
                f"model {self.path} is damaged: {self.weights.name} has sha256 {found[:12]}..., "
                f"{_CONFIG} promises {str(promised)[:12]}...; install it again"
            )
        return found


def embedded_model(package: str, name: str, weights: Sequence[str] = _WEIGHTS) -> ModelFolder | None:
    """The model that ``package`` ships under ``models/<name>``.

    Args:
        package: import name of the package that holds it: ``signals`` or ``backends``.
        name: the model's folder.
        weights: names that the file of the weights may have.

    Returns:
        The folder, its weights not yet hashed (``ModelFolder.fingerprint`` does that); ``None`` when this
        installation has no such model.

    Raises:
        ConfigError: there is a model but a needed file is missing or unreadable.
    """
    path = Path(str(files(package))) / "models" / name
    if not any((path / part).exists() for part in (_CONFIG, _TOKENIZER, *weights)):
        return None
    return open_model_folder(path, weights)


def open_model_folder(path: Path, weights: Sequence[str] = _WEIGHTS) -> ModelFolder:
    """Look at a folder that an exporter wrote; ``weights`` are the names that the file of the weights may have.

    Raises:
        ConfigError: no such folder, a needed file is missing, or ``config.json`` is not a JSON object.
    """
    if not path.is_dir():
        raise ConfigError(f"no model folder at {path}")
    found = find_weights(path, weights)
    lacking = [name for name in (_CONFIG, _TOKENIZER) if not (path / name).is_file()]
    if found is None:
        lacking.insert(0, weights[0])
    if found is None or lacking:
        raise ConfigError(f"model folder {path} is incomplete: it lacks {', '.join(lacking)}")
    return ModelFolder(path, found, path / _TOKENIZER, read_config(path / _CONFIG))


def find_weights(path: Path, weights: Sequence[str] = _WEIGHTS) -> Path | None:
    """The weights in a folder, by default an ONNX graph; ``None`` when it has none (or is none)."""
    return next((path / name for name in weights if (path / name).is_file()), None)


def read_config(path: Path) -> Mapping[str, Any]:
    """A model's ``config.json`` as a mapping.

    Raises:
        ConfigError: it is not there or not a JSON object.
    """
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path}: {error}") from error
    if not isinstance(config, dict):
        raise ConfigError(f"cannot read {path}: expected a JSON object")
    return config


def sha256_of(path: Path) -> str:
    """The sha256 of a file, as 64 hexadecimal digits, read in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
