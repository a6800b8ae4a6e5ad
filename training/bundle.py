"""Pack all that a rented GPU without network needs for training, in small parts.

A bundle is one stream of bytes cut into parts, ``manifest.json`` with the hash of each, and ``code.zip``, which runs
there by itself (``PYTHONPATH=code.zip python -m training.rented``). In the stream are the tokenized mix, held-back
pairs and development sets (:class:`Lessons`), and the start: weights, shape and tokenizer of the reader with its new
head.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.checkpoints import commit, emptied, identity_of_mix, pack_weights, unpack_weights
from training.development import DevelopmentSets
from training.errors import CheckpointError
from training.parts import check_whole, identity, joined, read_manifest, store_manifest, write_parts
from training.state import Schedule, fingerprint
from training.tokens import TokenizedPairs

__all__ = [
    *("FORMAT", "LESSONS", "PART_SIZE", "Lessons"),
    *("halved", "parsed_size", "read_bundle", "start_folder", "write_bundle"),
]

FORMAT = "bundle 1"
NEEDED = ("parts", "files", "blobs", "schedule", "max_length", "start", "mix")
PART = "part.{:03d}"
PART_SIZE = 48 << 20
"""Bytes of the largest part."""
CODE = "code.zip"
LESSONS, WEIGHTS = "lessons.npz.xz", "model.safetensors"
UNITS = {"": 1, "kB": 10**3, "MB": 10**6, "KiB": 1 << 10, "MiB": 1 << 20}


@dataclass(frozen=True)
class Lessons:
    """What is learnt from, what the curve is measured on, and the development sets."""

    mix: TokenizedPairs
    held_back: TokenizedPairs
    development: DevelopmentSets

    def stored(self) -> bytes:
        """All as one compressed archive. Premises that several pairs have in common cost little more than one."""
        arrays = {
            **_columns("mix", self.mix),
            **_columns("held_back", self.held_back),
            **_columns("windows", self.development.windows),
            **{name: getattr(self.development, name) for name in OF_SETS},
            "names": np.array(self.development.names, dtype=np.str_),
            "real": np.array(self.development.real, dtype=np.str_),
        }
        content = io.BytesIO()
        np.savez(content, **arrays)
        return lzma.compress(content.getvalue(), lzma.FORMAT_XZ, filters=[FILTER])

    @classmethod
    def of(cls, content: bytes) -> Lessons:
        """What :meth:`stored` gave."""
        with np.load(io.BytesIO(lzma.decompress(content))) as arrays:
            names = {name: [str(value) for value in arrays[name]] for name in ("names", "real")}
            columns = {name: arrays[name] for name in OF_SETS}
            windows = _pairs("windows", arrays)
            sets = DevelopmentSets(windows=windows, **columns, **names)
            return cls(_pairs("mix", arrays), _pairs("held_back", arrays), sets)


OF_SETS = ("claim_of", "row_of", "set_of", "supported")
FILTER = {"id": lzma.FILTER_LZMA2, "preset": 4, "dict_size": 1 << 28, "lc": 1, "lp": 1, "pb": 1}
"""For ids of two bytes, with a dictionary that reaches over all of them."""


def _columns(prefix: str, pairs: TokenizedPairs) -> dict[str, NDArray[Any]]:
    narrow = {"labels": np.int8, "relevance": np.int8, "claims": np.uint16}
    columns = {f"{prefix}.{name}": getattr(pairs, name).astype(kind) for name, kind in narrow.items()}
    columns |= {f"{prefix}.{name}": getattr(pairs, name) for name in ("ids", "weights", "taught")}
    return {**columns, f"{prefix}.lengths": pairs.lengths.astype(np.uint16)}


def _pairs(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> TokenizedPairs:
    wide = {
        name: arrays[f"{prefix}.{name}"].astype(np.int64)
        for name in ("labels", "relevance", "claims", "lengths")
    }
    lengths = wide.pop("lengths")
    plain = {name: arrays[f"{prefix}.{name}"] for name in ("ids", "weights", "taught")}
    return TokenizedPairs(starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), **wide, **plain)


def parsed_size(text: str) -> int:
    """Bytes of a size such as ``48MiB`` or ``45MB``.

    >>> parsed_size("48MiB"), parsed_size("2000")
    (50331648, 2000)

    Raises:
        ValueError: it is none.
    """
    number = text.rstrip("kKMiB")
    unit = text[len(number) :]
    if unit not in UNITS or not number.strip().isdecimal() or int(number) < 1:
        raise ValueError(f"{text!r} is no size: expected bytes, or a number with one of {', '.join(UNITS)}")
    return int(number) * UNITS[unit]


def write_bundle(
    folder: Path,
    lessons: Lessons,
    encoder: Path,
    mix: Path,
    schedule: Schedule,
    *,
    max_length: int,
    weights: str = "int8",
    part_size: int = PART_SIZE,
) -> dict[str, Any]:
    """Write a bundle to ``folder``, in the place of one that is there.

    Args:
        encoder: a sentence encoder or a reader's run, in a folder of ``transformers``. An encoder gets its head here,
            by the schedule's seed, so that runs with other seeds stay near enough to each other to be averaged.
        mix: the folder that the lessons are from; its hashes go into the manifest.
        weights: ``int8`` or ``fp16``.

    Returns:
        The manifest.

    Raises:
        CheckpointError: ``folder`` holds something else, or a weight cannot be kept.
    """
    from training.modules import archive_of

    if folder.exists() and any(folder.iterdir()):
        read_manifest(folder, "bundle", FORMAT, NEEDED)
    blobs = {LESSONS: lessons.stored(), **_start(encoder, schedule.seed, weights)}
    partial = emptied(folder.with_name(f"{folder.name}.part"))
    parts = write_parts(partial, b"".join(blobs.values()), PART, part_size)
    (partial / CODE).write_bytes(archive_of(["training.rented", "training.by_clock"]))
    manifest = {
        "format": FORMAT,
        "made_by": "python -m training bundle",
        "commit": commit(),
        "blobs": [{"name": name, **_identity(content)} for name, content in blobs.items()],
        "parts": parts,
        "files": {path.name: identity(path) for path in sorted(partial.iterdir())},
        "max_length": max_length,
        "schedule": asdict(schedule),
        "start": {"weights": weights, "sha256": _identity(blobs[WEIGHTS])["sha256"]},
        "mix": identity_of_mix(mix),
        **_described(lessons),
    }
    store_manifest(partial, manifest)
    emptied(folder).rmdir()
    partial.replace(folder)
    return manifest


def _described(lessons: Lessons) -> dict[str, Any]:
    sets = lessons.development
    return {
        "pairs": len(lessons.mix),
        "tokens": int(lessons.mix.lengths.sum()),
        "fingerprint": fingerprint(lessons.mix),
        "held_back": len(lessons.held_back),
        "windows": len(sets.windows),
        "development": {name: int((sets.set_of == at).sum()) for at, name in enumerate(sets.names)},
    }


def _identity(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _start(encoder: Path, seed: int, weights: str) -> dict[str, bytes]:
    """The files of a reader's run that nothing was trained of yet, or of the run that ``encoder`` is."""
    from safetensors.torch import save

    from training.teacher import Teacher, pairs_seen

    torch.manual_seed(seed)
    with tempfile.TemporaryDirectory() as scratch:
        run = Path(scratch)
        reader = Teacher(encoder)
        reader.save(run, point={"seen": pairs_seen(encoder)})
        names = ("config.json", "checkpoint.json", *sorted(path.name for path in run.glob("*token*.json")))
        small = {name: (run / name).read_bytes() for name in names}
    state = reader.body.state_dict()
    return {WEIGHTS: save(pack_weights(state) if weights == "int8" else halved(state)), **small}


def halved(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Named weights in float16.

    Raises:
        CheckpointError: one does not fit into it.
    """
    found = {name: value.half() if value.is_floating_point() else value for name, value in state.items()}
    if wrong := [name for name, value in found.items() if not value.isfinite().all()]:
        raise CheckpointError(f"{wrong[0]} has values that cannot be kept in float16: use int8")
    return {name: value.contiguous() for name, value in found.items()}


def read_bundle(folder: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest and the blobs of a bundle, all hashes compared.

    Raises:
        CheckpointError: a part is missing or damaged, or the folder holds something else.
    """
    manifest = read_manifest(folder, "bundle", FORMAT, NEEDED)
    missing = [name for name in manifest["parts"] if not (folder / name).is_file()]
    if missing:
        raise CheckpointError(f"{folder} lacks {', '.join(missing)}: bring these parts, too")
    for name in manifest["parts"]:
        check_whole(folder / name, manifest["files"][name])
    return manifest, dict(_blobs(folder, manifest["blobs"], joined(folder, manifest["parts"])))


def _blobs(folder: Path, told: Sequence[Mapping[str, Any]], content: bytes) -> list[tuple[str, bytes]]:
    found, at = [], 0
    for blob in told:
        own = content[at : at + blob["bytes"]]
        if _identity(own)["sha256"] != blob["sha256"]:
            raise CheckpointError(f"{folder} is damaged: {blob['name']} is not what its manifest promises")
        found.append((Path(blob["name"]).name, own))
        at += blob["bytes"]
    return found


def start_folder(blobs: Mapping[str, bytes], folder: Path) -> Path:
    """Write the start of a bundle as a run's folder, with weights in float32, unless it is there already."""
    from safetensors.torch import load, save_file

    if folder.is_dir():
        return folder
    partial = emptied(folder.with_name(f"{folder.name}.part"))
    save_file(unpack_weights(load(blobs[WEIGHTS])), partial / WEIGHTS, metadata={"format": "pt"})
    for name in blobs.keys() - {LESSONS, WEIGHTS}:
        (partial / name).write_bytes(blobs[name])
    return partial.replace(folder)
