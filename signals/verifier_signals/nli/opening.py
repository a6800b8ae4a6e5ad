"""Opening the model that the configuration names: embedded, in a folder, or on the hub and fetched from there once."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from verifier.core.errors import ConfigError, SignalError
from verifier.core.models import ModelFolder, embedded_model, find_weights, open_model_folder
from verifier.core.registry import require
from verifier_signals.nli.kinds import KINDS, Kind
from verifier_signals.nli.loaded import LoadedModel, open_onnx

__all__ = ["Engine", "ModelOptions", "fetched", "is_available", "open_model"]

_PATIENCE = 10.0
"""Seconds to wait for the hub to say what it has."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_DESCRIPTION = ["*.json", "*.txt", "*.model"]
_SAFE, _PICKLED = "model*.safetensors", "pytorch_model*.bin"
_GRAPH = ["*.onnx", "*.onnx_data", "*.onnx.data"]


def fetched(model: str, revision: str | None, *, code: bool = False, only: Sequence[str] = ()) -> Path:
    """The local folder of a model on the hub; the network is asked only for what is not there yet.

    A branch or a tag can come to mean other weights, and with them the same text would get another report. So only a
    commit is taken; the message to anything else names the commit that it means now.

    Args:
        model: ``owner/name``.
        revision: the commit, 40 hexadecimal digits.
        code: whether to fetch the model's own Python files too.
        only: the files wanted, if not the whole model.

    Raises:
        ConfigError: the revision is none, or is not a commit.
        MissingExtra: ``transformers`` is not installed.
        SignalError: there is no such model or commit, or the hub cannot be reached.
    """
    hub = require("huggingface_hub", extra="transformers")
    if revision is None or not _COMMIT.fullmatch(revision):
        raise ConfigError(_unpinned(hub, model, revision))
    if (kept := _kept(hub, model, revision, only)) is not None:
        return kept
    try:
        found = hub.model_info(model, revision=revision, timeout=_PATIENCE)
        wanted = only or _wanted([item.rfilename for item in found.siblings or ()], code)
        return Path(hub.snapshot_download(model, revision=revision, allow_patterns=list(wanted)))
    except _failures(hub) as error:
        raise SignalError(
            f"cannot load NLI model {model} at {revision}: it is not on the hub, or the hub cannot be reached"
        ) from error


def _unpinned(hub: Any, model: str, revision: str | None) -> str:
    given = "has no revision" if revision is None else f"has revision = {revision!r}, which can move"
    message = (
        f"NLI model {model} {given}; pin it to a commit, so that the same text always gets the same report: "
    )
    try:
        commit = hub.model_info(model, revision=revision, timeout=_PATIENCE).sha
    except _failures(hub):
        return message + "revision = the 40 digits that the hub shows beside the model's files"
    return message + f'revision = "{commit}" (what it is now)'


def _kept(hub: Any, model: str, revision: str, only: Sequence[str]) -> Path | None:
    """The folder in the hub's cache, if an earlier call fetched all of it."""
    found = hub.try_to_load_from_cache(model, (only or ["config.json"])[0], revision=revision)
    if not isinstance(found, str):
        return None
    folder = Path(found).parent
    if only:
        return folder if all((folder / name).is_file() for name in only) else None
    return folder if _is_whole(folder) else None


def _is_whole(folder: Path) -> bool:
    """Whether no download broke off: every part that an index names is there, or the one file that holds all."""
    indexes = [*folder.glob("*.safetensors.index.json"), *folder.glob("pytorch_model*.bin.index.json")]
    parts = {part for index in indexes for part in json.loads(index.read_text())["weight_map"].values()}
    if parts:
        return all((folder / part).is_file() for part in parts)
    return any(any(folder.glob(pattern)) for pattern in (_SAFE, _PICKLED, "*.onnx", "onnx/model.onnx"))


def _wanted(names: Sequence[str], code: bool) -> list[str]:
    """One form of the weights, not all that are offered."""
    own = [name for name in names if "/" not in name]
    if any(name.endswith(".safetensors") for name in own):
        weights = [_SAFE]
    elif any(name.endswith(".bin") for name in own):
        weights = [_PICKLED]
    else:
        weights = [*_GRAPH]
    return [*_DESCRIPTION, *weights, *(["*.py"] if code else [])]


def _failures(hub: Any) -> tuple[type[Exception], ...]:
    # The HTTP library beneath differs by version; the hub's own error derives from that library's.
    return (*hub.errors.HfHubHTTPError.__bases__, OSError, ValueError)


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
    from verifier_signals.nli.opening import fetched

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
    from verifier_signals.nli.torch_models import as_loaded, open_network

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
    from verifier_signals.nli.opening import fetched

    return fetched(model, commit or None, only=("tokenizer.json", "tokenizer_config.json"))
