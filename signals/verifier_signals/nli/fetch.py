"""A hub id and a commit go in; the folder that holds that model's files comes out, fetched once."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verifier.core.errors import ConfigError, SignalError
from verifier.core.registry import require

__all__ = ["fetched"]

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
