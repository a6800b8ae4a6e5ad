"""Find the folder of an encoder, in the package or of the user's, check it and read its tokenizer."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from verifier.core.errors import ConfigError
from verifier.core.models import ModelFolder, embedded_model, open_model_folder, sha256_of
from verifier.core.onnx import PairTokenizer

__all__ = ["digest_of", "encoder_folder", "read_tokenizer", "whole_number", "window_of"]

_GRAPH = ("model.onnx",)


def encoder_folder(name: str, given: str | None, weights: Sequence[str] = _GRAPH) -> ModelFolder:
    """The folder ``given``, else the embedded one under ``backends/verifier_backends/models/<name>``.

    Raises:
        ConfigError: there is none, or a file of it is missing.
    """
    if given is not None:
        return open_model_folder(Path(given).expanduser(), weights)
    folder = embedded_model("verifier_backends", name, weights)
    if folder is None:
        raise ConfigError(
            f"this installation has no embedded encoder {name!r}; name a folder with model=, "
            "or set another encoder (hashing needs no model)"
        )
    return folder


def digest_of(folder: ModelFolder) -> str:
    """Names the weights and the tokenizer, the same wherever the folder lies.

    Raises:
        ConfigError: the weights are not those that were exported.
    """
    both = folder.fingerprint() + sha256_of(folder.tokenizer)
    return hashlib.sha256(both.encode()).hexdigest()[:24]


def read_tokenizer(folder: ModelFolder) -> PairTokenizer:
    """The folder's tokenizer, which must not know more words than the model: those would be read as nothing.

    Raises:
        ConfigError: it does, or is no tokenizer.
    """
    tokenizer = PairTokenizer.from_file(folder.tokenizer)
    known = whole_number(folder, "vocabulary")
    if tokenizer.largest_id >= known:
        raise ConfigError(
            f"model {folder.path} is damaged: its tokenizer has ids up to {tokenizer.largest_id}, "
            f"the model knows {known} words"
        )
    return tokenizer


def whole_number(folder: ModelFolder, key: str) -> int:
    """A value of the folder's ``config.json`` that must be a whole number above 0.

    Raises:
        ConfigError: it is not.
    """
    value = folder.config.get(key)
    if not isinstance(value, int) or value < 1:
        raise ConfigError(
            f"model {folder.path}: {key} = {value!r} in its config.json is no whole number above 0"
        )
    return value


def window_of(
    folder: ModelFolder, max_tokens: int | None, threads: int | None, *, least: int, what: str
) -> int:
    """How many tokens the model reads at a time: ``max_tokens``, or as many as it can where that is ``None``.

    Raises:
        ConfigError: it is not from ``least`` to the model's own bound, or ``threads`` is not at least 1.
    """
    if threads is not None and threads < 1:
        raise ConfigError(f"threads = {threads} of the {what}: expected at least 1")
    most = whole_number(folder, "max_length")
    window = most if max_tokens is None else max_tokens
    if not least <= window <= most:
        raise ConfigError(f"max_tokens = {window} of the {what}: expected {least} to {most}")
    return window
