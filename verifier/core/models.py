"""Find the folder of a model that a package embeds, with its files checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError

__all__ = [
    "ModelFolder",
    "check_files",
    "embedded_model",
    "find_weights",
    "open_model_folder",
    "promised_files",
    "read_config",
    "sha256_of",
]

_CONFIG = "config.json"
_TOKENIZER = "tokenizer.json"
_FILES = "files"
_JOINT, _ENCODER = "joint.onnx", "encoder.onnx"
"""The graphs of a model in two: the second reads pairs of what the first made of each text."""
_WEIGHTS = ("model.onnx", "onnx/model.onnx", _JOINT, _ENCODER)
"""Where exporters put the graph: flat, or under ``onnx/`` beside the original weights, or in two."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with a model's weights (an ONNX graph, mostly), tokenizer and configuration; all its files exist."""

    path: Path
    weights: Path
    tokenizer: Path
    config: Mapping[str, Any]
    encoder: Path | None = None
    """The graph that reads each text alone, where ``weights`` reads pairs of what it makes of them."""

    @property
    def graphs(self) -> tuple[Path, ...]:
        """The files of the weights, in the order in which they read."""
        return (self.weights,) if self.encoder is None else (self.encoder, self.weights)

    def fingerprint(self) -> str:
        """The sha256 of the weights (of both graphs, the encoder first), as 64 hexadecimal digits, read from the files.

        Raises:
            ConfigError: ``config.json`` promises another ``fingerprint``, or another digest of one of its ``files``:
                they are not the ones exported.
        """
        check_files(self.path, self.config)
        found = sha256_of(*self.graphs)
        promised = self.config.get("fingerprint", found)
        if found != promised:
            raise ConfigError(
                f"model {self.path} is damaged: {' with '.join(path.name for path in self.graphs)} has "
                f"sha256 {found[:12]}..., "
                f"{_CONFIG} promises {str(promised)[:12]}...; install it again"
            )
        return found


def embedded_model(package: str, name: str, weights: Sequence[str] = _WEIGHTS) -> ModelFolder | None:
    """The model that ``package`` ships under ``models/<name>``.

    Args:
        package: import name of the package that holds it: ``verifier_signals`` or ``verifier_backends``.
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
    in_two = found is not None and found.name in (_JOINT, _ENCODER)
    needed = [*((_ENCODER, _JOINT) if in_two else ()), _CONFIG, _TOKENIZER]
    lacking = [name for name in needed if not (path / name).is_file()]
    if found is None:
        lacking.insert(0, weights[0])
    if found is None or lacking:
        raise ConfigError(f"model folder {path} is incomplete: it lacks {', '.join(lacking)}")
    return ModelFolder(
        path,
        path / _JOINT if in_two else found,
        path / _TOKENIZER,
        read_config(path / _CONFIG),
        path / _ENCODER if in_two else None,
    )


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


def promised_files(folder: Path, names: Iterable[str]) -> dict[str, dict[str, str]]:
    """What ``config.json`` says of a folder's small files, so that damage to one is told: their sha256 by name."""
    return {_FILES: {name: sha256_of(folder / name) for name in names}}


def check_files(folder: Path, config: Mapping[str, Any]) -> None:
    """Compare the files of a folder with what its configuration promises of them, if anything (:func:`promised_files`).

    Raises:
        ConfigError: one is missing, or not the one that was exported.
    """
    for name, promised in config.get(_FILES, {}).items():
        if not (folder / name).is_file() or sha256_of(folder / name) != promised:
            raise ConfigError(
                f"model {folder} is damaged: {name} is not the file that its {_CONFIG} promises; install it again"
            )


def sha256_of(*paths: Path) -> str:
    """The sha256 of a file, or of several one after another, as 64 hexadecimal digits, read in pieces."""
    return _sha256_of(*((path, path.stat().st_mtime_ns, path.stat().st_size) for path in paths))


@lru_cache(maxsize=64)
def _sha256_of(*states: tuple[Path, int, int]) -> str:
    """The same of files in these states: several parts of a program ask for the one model that they share."""
    digest = hashlib.sha256()
    for path, _, _ in states:
        with path.open("rb") as stream:
            hashlib.file_digest(stream, lambda: digest)
    return digest.hexdigest()
