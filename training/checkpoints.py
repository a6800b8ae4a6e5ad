"""Pack a teacher's newest checkpoint as int8 in small files, and unpack it to train on.

A run folder of 110 million weights is over a gigabyte; packed it is 110 MB, in files that a repository can hold.
Matrices are kept in 8 bits with a scale of each row, all that is small in float16. The manifest says what the weights
have read and how far they came, and has the hash of every file. Only the averaged weights are packed: training that
goes on from them begins with a new optimiser, a new average and a new warm-up.
"""

from __future__ import annotations

import json
import logging
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.errors import CheckpointError
from training.parts import MANIFEST, check_whole, identity, joined, read_manifest, store_manifest, write_parts

__all__ = [
    "LARGEST",
    "MANIFEST",
    "CheckpointError",
    "Packing",
    "commit",
    "curve_of",
    "emptied",
    "from_int8",
    "identity_of_mix",
    "pack",
    "pack_weights",
    "packing_cost",
    "to_int8",
    "unpack",
    "unpack_weights",
]

log = logging.getLogger(__name__)

FORMAT = 1
NEEDED = ("record", "curve", "parts", "files", "pairs_seen")
WEIGHTS = "model.safetensors"
RECORD = "checkpoint.json"
CURVE = "curve.jsonl"
PART = "weights.{:03d}"
SCALES = ".scales"
LARGEST = 45_000_000
"""Bytes of the largest file that the repository may hold."""
SMALL = 1 << 14
"""Matrices of fewer weights stay in float16: in 8 bits they save nothing, and the last layer is one of them."""
BEGUN_ANEW = "the optimiser, the average and the warm-up are begun anew: only the averaged weights are kept"


@dataclass(frozen=True)
class Packing:
    """What :func:`pack` made: pairs that the weights have read, files of weights, and bytes of all files."""

    seen: int
    parts: int
    size: int


def to_int8(weights: Tensor) -> tuple[Tensor, Tensor]:
    """A matrix (rows, columns) as int8 in [-127, 127] with the float32 scale (rows,) of each row.

    >>> steps, scales = to_int8(torch.tensor([[1.0, -0.5], [0.0, 0.0]]))
    >>> steps.tolist()
    [[127, -64], [0, 0]]
    """
    largest = weights.abs().amax(dim=1).float()
    scales = torch.where(largest > 0, largest / 127, torch.ones_like(largest))
    steps = (weights.float() / scales[:, None]).round().clamp(-127, 127)
    return steps.to(torch.int8), scales


def from_int8(steps: Tensor, scales: Tensor) -> Tensor:
    """The float32 matrix that :func:`to_int8` made these of, but for rounding: at most half a scale."""
    return steps.float() * scales[:, None]


def pack_weights(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Named weights as int8 with scales where they are large matrices, in float16 where not; integers as they are.

    Raises:
        CheckpointError: a weight is infinite, no number, or beyond what float16 holds.
    """
    packed: dict[str, Tensor] = {}
    for name, weight in weights.items():
        if not weight.is_floating_point():
            packed[name] = weight.contiguous()
        elif weight.ndim == 2 and weight.numel() >= SMALL:
            packed[name], packed[name + SCALES] = to_int8(weight)
        else:
            packed[name] = weight.to(torch.float16).contiguous()
        # Beyond float16 is infinite in it; the 8 bits of a row with NaN would look sound.
        if not (weight.isfinite().all() and packed[name].isfinite().all()):
            raise CheckpointError(f"{name} has values that cannot be kept: infinite, or no numbers")
    return packed


def unpack_weights(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What :func:`pack_weights` packed, in float32."""
    found: dict[str, Tensor] = {}
    for name, values in packed.items():
        if name.endswith(SCALES):
            continue
        scales = packed.get(name + SCALES)
        if scales is not None:
            found[name] = from_int8(values, scales)
        else:
            found[name] = values.float() if values.is_floating_point() else values
    return found


def packing_cost(run: Path, mix: Path, rows: int, max_length: int) -> dict[str, Any]:
    """Loss, accuracy and balanced accuracy over ``rows`` held-back pairs, before packing and after it.

    Pairs are cut to ``max_length`` tokens, as the run's own curve has them.
    """
    from training.mix import read_mix
    from training.teacher import Teacher, pairs_seen, teacher_tokenizer
    from training.tokens import tokenize
    from training.train import held_back_scores

    pairs = tokenize(read_mix(mix, "held_back")[:rows], teacher_tokenizer(run, max_length))
    reader = Teacher(run)
    before = held_back_scores(reader, pairs)
    reader.body.load_state_dict(unpack_weights(pack_weights(reader.body.state_dict())))
    after = held_back_scores(reader, pairs)
    rounded = ({name: round(value, 5) for name, value in scores.items()} for scores in (before, after))
    return {
        "pairs_seen": pairs_seen(run),
        "rows": len(pairs),
        "max_length": max_length,
        **dict(zip(("before", "after"), rounded, strict=True)),
    }


def pack(
    run: Path,
    folder: Path,
    mix: Path | None = None,
    cost: Mapping[str, Any] | None = None,
    largest: int = LARGEST,
) -> Packing:
    """Write the newest checkpoint of a teacher's ``run`` to ``folder``, in the place of one that was packed there.

    Args:
        mix: the folder of what it was trained on; its hashes and counts go into the manifest.
        cost: what :func:`packing_cost` measured; goes into the manifest.
        largest: bytes of the largest file.

    Raises:
        CheckpointError: the run has no whole checkpoint of a teacher, or the folder holds something else.
    """
    from safetensors.torch import save

    _check_replaceable(folder)
    record, weights = _newest(run)
    blob = save(pack_weights(weights))
    partial = emptied(folder.with_name(f"{folder.name}.part"))
    parts = write_parts(partial, blob, PART, largest)
    for path in _shape_files(run):
        shutil.copyfile(path, partial / path.name)
    manifest = {
        "format": FORMAT,
        "made_by": "python -m training checkpoint pack",
        "goes_on": BEGUN_ANEW,
        "commit": commit(),
        "pairs_seen": record["point"]["seen"],
        "steps": record.get("steps"),
        "record": record,
        "mix": None if mix is None else identity_of_mix(mix),
        "packing": cost,
        "curve": curve_of(run),
        "parts": parts,
        "files": {path.name: identity(path) for path in sorted(partial.iterdir())},
    }
    store_manifest(partial, manifest)
    size = sum(path.stat().st_size for path in partial.iterdir())
    shutil.rmtree(folder, ignore_errors=True)
    partial.replace(folder)
    return Packing(int(record["point"]["seen"]), len(parts), size)


def unpack(folder: Path, run: Path) -> dict[str, Any]:
    """Make a run folder of a packed checkpoint, which ``python -m training teach RUN --run RUN`` goes on from.

    It has float32 weights, the shape, the tokenizer, the record and the curve so far; no state of an optimiser.

    Returns:
        The manifest.

    Raises:
        CheckpointError: a file is missing, damaged or of another kind, or ``run`` is not empty.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load, save_file

    manifest = read_manifest(folder, "packed checkpoint", FORMAT, NEEDED)
    if run.exists() and (not run.is_dir() or any(run.iterdir())):
        raise CheckpointError(f"{run} is there already: name a new folder")
    for name, promised in manifest["files"].items():
        check_whole(folder / name, promised)
    try:
        weights = unpack_weights(load(joined(folder, manifest["parts"])))
    except (SafetensorError, RuntimeError) as error:
        raise CheckpointError(f"{folder} holds no packed weights: {type(error).__name__}") from error
    partial = emptied(run.with_name(f"{run.name}.part"))
    save_file(weights, partial / WEIGHTS, metadata={"format": "pt"})
    for name in manifest["files"].keys() - set(manifest["parts"]):
        shutil.copyfile(folder / name, partial / name)
    (partial / RECORD).write_text(json.dumps(manifest["record"], indent=1) + "\n", encoding="utf-8")
    curve = "".join(json.dumps(point) + "\n" for point in manifest["curve"])
    (partial / CURVE).write_text(curve, encoding="utf-8")
    if run.exists():
        run.rmdir()
    partial.replace(run)
    log.info("%s: %d pairs seen; %s", run, manifest["pairs_seen"], BEGUN_ANEW)
    return manifest


def _newest(run: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The record and the weights of a run's newest checkpoint, both of the same one though the run may be going on."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    for name in (RECORD, WEIGHTS, "config.json", "tokenizer.json"):
        if not (run / name).is_file():
            raise CheckpointError(f"{run} holds no checkpoint of a teacher: {name} is missing")
    before = (run / RECORD).read_bytes()
    try:
        record = json.loads(before)
        weights = load_file(run / WEIGHTS)
        seen = int(record["point"]["seen"])
    except (ValueError, KeyError, TypeError, SafetensorError) as error:
        raise CheckpointError(f"the checkpoint in {run} cannot be read: {type(error).__name__}") from error
    # A checkpoint's weights are written first and its record last.
    in_between = (run / WEIGHTS).stat().st_mtime_ns > (run / RECORD).stat().st_mtime_ns
    if in_between or (run / RECORD).read_bytes() != before:
        raise CheckpointError(
            f"{run} is writing its next checkpoint after {seen} pairs: try again in a minute"
        )
    return record, weights


def _shape_files(run: Path) -> Iterator[Path]:
    """What describes the model and its tokenizer, beside the weights."""
    yield run / "config.json"
    yield from sorted(run.glob("*token*.json"))


def _check_replaceable(folder: Path) -> None:
    if (
        folder.exists()
        and not (folder / MANIFEST).is_file()
        and (not folder.is_dir() or any(folder.iterdir()))
    ):
        raise CheckpointError(f"{folder} holds something else than a packed checkpoint: name another folder")


def emptied(folder: Path) -> Path:
    """The folder, new: what an earlier try that was stopped left in it is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def curve_of(run: Path) -> list[dict[str, Any]]:
    """The points of a run's curve, none where it has no file of them."""
    path = run / CURVE
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []
    )


def identity_of_mix(mix: Path) -> dict[str, Any]:
    """A mix's name, rows of each source before it was thinned, and hashes of what was trained on and held back."""
    names = ("train.jsonl", "held_back.jsonl", "counts.json")
    if missing := [name for name in names if not (mix / name).is_file()]:
        raise CheckpointError(f"{mix} is no mix: {missing[0]} is missing")
    counts = json.loads((mix / "counts.json").read_text(encoding="utf-8"))
    return {"name": mix.name, "files": {name: identity(mix / name) for name in names[:2]}, "counts": counts}


def commit() -> str | None:
    """The commit of this code, with ``+`` where tracked files were changed after it; ``None`` outside a repository."""
    here = Path(__file__).parent
    git = ["git", "-C", str(here)]
    try:
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
        changed = subprocess.run(
            [*git, "status", "--porcelain", "--untracked-files=no"],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")
