"""Keep weights that were learnt for a model, in the user's cache folder, for the next process.

A cache may lose everything and may get nothing wrong. A file counts only for the NLI model, the signals, and the
version of rules and labelled claims that it was learnt with, and only as long as its checksum holds.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import uuid4

from verifier.core.errors import ConfigError
from verifier.core.folders import cache_folder
from verifier.core.release import RELEASE
from verifier.measure.labelled import archive_digest
from verifier.verification.decision.verdict import Fusion

__all__ = ["ORIGIN", "Kept", "Origin", "Shelf", "rules_version"]

ORIGIN = "package"
"""The key of ``Fusion.learnt_from`` under which an :class:`Origin` stands."""


@dataclass(frozen=True)
class Origin:
    """What weights were learnt with. ``version`` is that of :func:`rules_version`, ``date`` is ISO 8601.

    ``signals`` are the names and options of all signals but the NLI model, which the fusion names by its fingerprint.
    """

    model: str
    signals: Mapping[str, Any]
    version: str
    date: str
    checksum: str = ""

    @property
    def name(self) -> str:
        """A digest of what weights depend on beside the NLI model."""
        return _digest([self.signals, self.version])[:16]


@dataclass(frozen=True)
class Kept:
    """A file of the shelf; ``origin`` and ``fusion`` are ``None`` where it is damaged."""

    path: Path
    fusion: Fusion | None
    origin: Origin | None


@dataclass(frozen=True)
class Shelf:
    """The folder of such files; ``None`` where this user has none."""

    folder: Path | None

    @classmethod
    def of_user(cls) -> Shelf:
        """The one in the user's cache folder."""
        cache = cache_folder()
        return cls(None if cache is None else cache / "weights")

    def place(self, nli: str, origin: Origin) -> Path | None:
        """The file for weights of this NLI model and origin, whether it is there or not."""
        return None if self.folder is None else self.folder / f"{nli}-{origin.name}.json"

    def find(self, nli: str, origin: Origin) -> Kept | None:
        """The file for this NLI model and origin, if there is one."""
        path = self.place(nli, origin)
        if path is None or not path.is_file():
            return None
        kept = _open(path)
        fits = kept.fusion is not None and kept.origin is not None and kept.fusion.nli == nli
        return kept if fits and kept.origin and kept.origin.name == origin.name else Kept(path, None, None)

    def put(self, fusion: Fusion, origin: Origin) -> Path:
        """Keep weights, in the place of others for the same; a reader sees the old file or the new one, whole.

        Raises:
            OSError: the file cannot be written; for want of a folder, too.
        """
        path = self.place(fusion.nli, origin)
        if path is None:
            raise OSError("this user has no home folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".draft-{uuid4().hex}")
        try:
            stamped(fusion, origin).save(draft)
            os.replace(draft, path)
        except OSError:
            with suppress(OSError):
                draft.unlink()
            raise
        return path

    def __iter__(self) -> Iterator[Kept]:
        """All files, sorted by name."""
        if self.folder is not None and self.folder.is_dir():
            yield from map(_open, sorted(self.folder.glob("*.json")))


def stamped(fusion: Fusion, origin: Origin) -> Fusion:
    """The fusion with its origin and a checksum over everything."""

    def marked(checksum: str) -> Fusion:
        told = asdict(replace(origin, checksum=checksum))
        return replace(fusion, learnt_from={**fusion.learnt_from, ORIGIN: told})

    return marked(_digest(asdict(marked(""))))


def rules_version() -> str:
    """A digest that changes with the release, the weights that it ships, and its labelled claims.

    The shipped weights are learnt anew whenever signals or features change, so they stand for these.
    """
    folder = files("verifier.verification").joinpath("fusions")
    shipped = sorted((entry.name, entry.read_bytes()) for entry in folder.iterdir())
    digest = hashlib.sha256(f"{RELEASE} {archive_digest()}".encode())
    for name, content in shipped:
        digest.update(name.encode() + hashlib.sha256(content).digest())
    return digest.hexdigest()[:16]


def origin_of(fusion: Fusion) -> Origin | None:
    """Where weights come from that were learnt on the labelled claims of the package; ``None`` for all others."""
    try:
        return Origin(**fusion.learnt_from[ORIGIN])
    except (KeyError, TypeError):
        return None


def _open(path: Path) -> Kept:
    try:
        fusion = Fusion.load(path)
        origin = origin_of(fusion)
        if origin is not None and stamped(fusion, origin).learnt_from == fusion.learnt_from:
            return Kept(path, fusion, origin)
    except (ConfigError, AttributeError, KeyError, TypeError, ValueError):
        pass  # a file can hold anything
    return Kept(path, None, None)


def _digest(value: Mapping[str, Any] | Sequence[Any]) -> str:
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
