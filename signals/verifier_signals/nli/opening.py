"""What the configuration says of a model goes in; the model that it names comes out, loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from verifier.core.errors import ConfigError, SignalError
from verifier.core.models import ModelFolder, embedded_model, find_weights, open_model_folder
from verifier.core.registry import require
from verifier_signals.nli.kinds import KINDS, Kind
from verifier_signals.nli.loaded import LoadedModel, open_onnx

__all__ = ["Engine", "ModelOptions", "is_available", "open_model"]

Engine = Literal["auto", "onnx", "transformers"]

_TORCH_ONLY = ("device", "dtype", "tokenizer", "remote_code")


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The options of ``NLISignal`` that decide which model is loaded, and how."""

    model: str | None
    kind: Kind
    engine: Engine
    labels: Sequence[str] | None
    max_tokens: int | None
    threads: int | None
    batch_tokens: int
    revision: str | None
    device: str | None
    dtype: str | None
    tokenizer: str | None
    remote_code: bool

    @property
    def title(self) -> str:
        """The model as a person named it."""
        if self.model is None:
            return "embedded model"
        return f"{self.model}@{self.revision}" if self.revision else self.model


def is_available(options: ModelOptions) -> bool:
    """Whether there is a model to ask: one is named, or this installation has the embedded one.

    Raises:
        ConfigError: the embedded model is there but incomplete.
    """
    return options.model is not None or embedded_model("verifier_signals", "nli") is not None


def open_model(options: ModelOptions) -> LoadedModel:
    """Find the model, fetch it if it lies on the hub, and load it.

    Raises:
        ConfigError: an option, or the model's configuration, is wrong.
        MissingExtra: the model needs ``transformers``, which is not installed.
        SignalError: there is no such model, or it cannot be read.
    """
    if options.engine not in get_args(Engine):
        raise ConfigError(
            f"engine = {options.engine!r} of the NLI signal; known: {', '.join(get_args(Engine))}"
        )
    if options.kind not in KINDS:
        raise ConfigError(f"kind = {options.kind!r} of the NLI signal; known: {', '.join(KINDS)}")
    if options.threads is not None and options.threads < 1:
        raise ConfigError(f"threads = {options.threads} of the NLI signal: expected at least 1")
    if options.model is None:
        return _open_graph(_embedded(options), options)
    folder = _located(options.model, options)
    if options.engine == "onnx" or (options.engine == "auto" and find_weights(folder) is not None):
        return _open_graph(open_model_folder(folder), options)
    return _open_with_torch(folder, options)


def _embedded(options: ModelOptions) -> ModelFolder:
    folder = None if options.engine == "transformers" else embedded_model("verifier_signals", "nli")
    if folder is None:
        raise SignalError(
            "no NLI model: this installation has none embedded; name one with model= "
            "(an ONNX folder, or a Hugging Face classifier with the extra transformers)"
        )
    if options.revision is not None:
        raise ConfigError("revision of the NLI signal is for a model on the hub, and none is named")
    return folder


def _located(named: str, options: ModelOptions) -> Path:
    """The folder of the model, fetched if it lies on the hub."""
    path = Path(named).expanduser()
    if path.is_dir():
        if options.revision is not None:
            raise ConfigError(
                f"revision of the NLI signal is for a model on the hub; {path} is a folder here"
            )
        return path
    if options.engine == "onnx" or _is_path(named):
        raise ConfigError(f"no model folder at {path}")
    from verifier_signals.nli.fetch import fetched

    require("transformers", extra="transformers")
    return fetched(named, options.revision, code=options.remote_code)


def _is_path(named: str) -> bool:
    """Whether it can only be meant as a path: a hub id is ``owner/name``."""
    path = Path(named).expanduser()
    return path.is_absolute() or named.startswith((".", "~")) or named.count("/") > 1


def _open_graph(folder: ModelFolder, options: ModelOptions) -> LoadedModel:
    for option in _TORCH_ONLY:
        if getattr(options, option):
            raise ConfigError(f"{option} of the NLI signal is for engine transformers, not for ONNX models")
    return open_onnx(
        folder,
        labels=options.labels,
        max_tokens=options.max_tokens,
        threads=options.threads,
        kind=options.kind,
    )


def _open_with_torch(folder: Path, options: ModelOptions) -> LoadedModel:
    from verifier_signals.nli.hub import as_loaded
    from verifier_signals.nli.networks import open_network

    torch = require("torch", extra="transformers")
    require("transformers", extra="transformers")
    if options.threads is not None:
        torch.set_num_threads(options.threads)
    tokenizer = None if options.tokenizer is None else _tokenizer_folder(options.tokenizer)
    network = open_network(
        folder,
        options.title,
        kind=options.kind,
        device=options.device,
        dtype=options.dtype,
        tokenizer=tokenizer,
        remote_code=options.remote_code,
    )
    return as_loaded(
        network,
        folder,
        options.title,
        labels=options.labels,
        max_tokens=options.max_tokens,
        batch_tokens=options.batch_tokens,
        tokenizer=tokenizer,
    )


def _tokenizer_folder(named: str) -> Path:
    path = Path(named).expanduser()
    if path.is_dir():
        return path
    model, _, commit = named.partition("@")
    if _is_path(model):
        raise ConfigError(f"no tokenizer folder at {path}")
    from verifier_signals.nli.fetch import fetched

    return fetched(model, commit or None, only=("tokenizer.json", "tokenizer_config.json"))
