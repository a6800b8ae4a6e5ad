"""Models in a folder or on the Hugging Face hub: their identity, and loading them quietly."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verifier.core.errors import BackendUnavailable, ConfigError
from verifier.core.registry import require

__all__ = ["Checkpoint", "checkpoint_identity", "fingerprint", "load_checkpoint"]

_CONFIGS = (
    "modules.json",
    "config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "artifact.metadata",
)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_SAMPLE = 1 << 20


class Checkpoint:
    """A model that sentence-transformers reads (extra ``st``), loaded once, when it is first asked for.

    Args:
        kind: the library's class that reads it.
        name: a folder on disk, or the name of a model on the Hugging Face hub.
        device: ``cpu``, ``cuda`` ...; the library's choice by default.
        revision: branch, tag or commit of a hub model.
        pinned: whether a hub model must have a commit: a branch can come to mean other weights, whose vectors are not
            those of the index.
        check: looks at the model when it is loaded, and raises where it is of no use.

    Attributes:
        lock: held while the model loads; hold it over calls that must not run beside each other.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        *,
        device: str | None,
        revision: str | None,
        pinned: bool = False,
        check: Callable[[Any], None] = lambda _: None,
    ) -> None:
        self.name, self.lock = name, threading.RLock()
        self._kind, self._device, self._revision, self._check = kind, device, revision, check
        self._pinned = pinned
        self._model: Any = None

    @property
    def identity(self) -> str:
        """The name of a hub model, or a hash of a local one: the same wherever its folder lies."""
        return checkpoint_identity(self.name, self._revision)

    def model(self) -> Any:
        """The library's model.

        Raises:
            MissingExtra: sentence-transformers is not installed.
            ConfigError: the folder does not exist or holds no such model, or a hub model has no commit.
            BackendUnavailable: the hub has no such model or cannot be reached.
        """
        with self.lock:
            if self._model is None:
                kind = getattr(require("sentence_transformers", extra="st"), self._kind)
                options = {"device": self._device, "revision": self._revision}

                def load(local: bool) -> Any:
                    if self._pinned and not local:
                        _check_commit(self.name, self._revision)
                    return kind(self.name, local_files_only=local, **options)

                model = load_checkpoint(self.name, load, extra="st")
                self._check(model)
                self._model = model
            return self._model


def _check_commit(name: str, revision: str | None) -> None:
    if revision is None or not _COMMIT.fullmatch(revision):
        given = "has no revision" if revision is None else f"has revision = {revision!r}, which can move"
        raise ConfigError(
            f"the model {name} {given}; pin it to a commit, so that the same text always gets the same vector: "
            "revision = the 40 digits that the hub shows beside the model's files"
        )


def checkpoint_identity(name: str, revision: str | None) -> str:
    """The name of a hub model, or a hash of a local one: the same wherever its folder lies."""
    if Path(name).is_dir():
        return f"local:{fingerprint(Path(name))}"
    return f"{name}@{revision or 'main'}"


def fingerprint(folder: Path) -> str:
    """A hash of a model's configuration, and of the size, head and tail of its weights."""
    digest = hashlib.blake2b(digest_size=12)
    for name in _CONFIGS:
        path = folder / name
        digest.update(name.encode() + (path.read_bytes() if path.is_file() else b""))
    for path in sorted([*folder.rglob("*.safetensors"), *folder.rglob("pytorch_model*.bin")]):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(folder).as_posix()}:{size}".encode())
        with path.open("rb") as file:
            digest.update(file.read(_SAMPLE))
            file.seek(max(0, size - _SAMPLE))
            digest.update(file.read(_SAMPLE))
    return digest.hexdigest()


def load_checkpoint(name: str, load: Callable[[bool], Any], *, extra: str) -> Any:
    """What ``load`` gives, called with whether the model is a folder, so that no hub need be asked.

    Raises:
        ConfigError: the folder does not exist or holds no such model.
        BackendUnavailable: the hub has no such model or cannot be reached.
    """
    local = Path(name).is_dir()
    if not local and (name.count("/") > 1 or name.startswith((".", "~", "/"))):
        raise ConfigError(f"there is no folder {name!r} to load a model from")
    try:
        with _no_progress_bars(extra):
            return load(local)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        if local:
            raise ConfigError(f"{name!r} holds no model that can be loaded: {error}") from error
        raise BackendUnavailable(
            f"the model {name!r} is not on this machine and the hub does not give it; "
            "check the name and the connection, or set `model` to a folder that holds it"
        ) from error


@contextmanager
def _no_progress_bars(extra: str) -> Iterator[None]:
    """Keep the library's bars for reading weights off the user's terminal."""
    bars = require("transformers.utils.logging", extra=extra, package="transformers")
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()
