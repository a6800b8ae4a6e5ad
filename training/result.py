"""Write a run's newest checkpoint in small files that travel, and make the run again out of them.

Only the weights that were trained travel: the others are those of the bundle's start.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from training.bundle import FORMAT as BUNDLE
from training.bundle import halved, read_bundle, start_folder
from training.checkpoints import CURVE, RECORD, WEIGHTS, curve_of, emptied, pack_weights
from training.errors import CheckpointError
from training.nibbles import pack_in_four_bits, unpack_in_four_bits
from training.parts import MANIFEST, check_whole, identity, joined, read_manifest, store_manifest, write_parts

__all__ = ["FORMAT", "NEEDED", "PACKED", "rewritten", "unbundle", "write_result"]

FORMAT = "result 1"
FACTS = ("bundle", "device", "figures")
NEEDED = ("parts", "files", "weights", "run", "record", "curve", *FACTS, "unchanged")
PART = "weights.{:03d}"
PACKED = {"int4": pack_in_four_bits, "int8": pack_weights, "fp16": halved}
"""Forms in which weights travel, the smallest first."""


def write_result(
    run: Path, start: Path, folder: Path, weights: str, part_size: int, facts: Mapping[str, Any]
) -> None:
    """Write the newest checkpoint of ``run`` to ``folder``, in the place of an older one.

    Args:
        start: the run's folder that it began from; weights that are still the same are left out.
        weights: one of ``PACKED``.
        part_size: bytes of the largest file.
        facts: what else the manifest says, by the names of ``FACTS``.
    """
    record = json.loads((run / RECORD).read_text(encoding="utf-8"))
    content, unchanged = _packed(run, start, weights)
    partial = emptied(folder.with_name(f"{folder.name}.part"))
    parts = write_parts(partial, content, PART, part_size)
    manifest = {
        "format": FORMAT,
        "made_by": "python -m training from-bundle",
        "parts": parts,
        "files": {path.name: identity(path) for path in sorted(partial.iterdir())},
        "weights": weights,
        "unchanged": unchanged,
        "run": run.name,
        "record": record,
        "curve": curve_of(run),
        **facts,
    }
    store_manifest(partial, manifest)
    shutil.rmtree(folder, ignore_errors=True)
    partial.replace(folder)


def _packed(run: Path, start: Path, weights: str) -> tuple[bytes, list[str]]:
    """The trained weights of a run in one of the forms of ``PACKED``, and the names of those that are the start's."""
    from safetensors.torch import load_file, save

    before, after = load_file(start / WEIGHTS), load_file(run / WEIGHTS)
    unchanged = [name for name in after if torch.equal(after[name], before[name])]
    place = "cuda" if torch.cuda.is_available() else "cpu"
    trained = {name: weight.to(place) for name, weight in after.items() if name not in set(unchanged)}
    return save({name: values.cpu() for name, values in PACKED[weights](trained).items()}), unchanged


def rewritten(folder: Path, work: Path, weights: str, part_size: int) -> None:
    """Write a result anew, of its run in ``work``, where its weights are in another form."""
    manifest = read_manifest(folder, "result", FORMAT, NEEDED)
    if manifest["weights"] != weights:
        facts = {name: manifest[name] for name in FACTS}
        write_result(work / manifest["run"], work / "start", folder, weights, part_size, facts)


def unbundle(folder: Path, bundle: Path, run: Path) -> dict[str, Any]:
    """Make the folder of a run, as ``teach`` leaves it, of a result and the bundle that it came from.

    Args:
        folder: the result's manifest and all of its parts.
        bundle: the whole bundle, for the weights that were not trained, the shape and the tokenizer.
        run: a new folder.

    Returns:
        The manifest of the result.

    Raises:
        CheckpointError: a part is missing or damaged, the result is of another bundle, or ``run`` is not empty.
    """
    if run.exists() and (not run.is_dir() or any(run.iterdir())):
        raise CheckpointError(f"{run} is there already: name a new folder")
    manifest = read_manifest(folder, "result", FORMAT, NEEDED)
    _check_result(folder, manifest, bundle)
    _, blobs = read_bundle(bundle)
    partial = run.with_name(f"{run.name}.part")
    shutil.rmtree(partial, ignore_errors=True)
    _store_weights(folder, manifest, start_folder(blobs, partial))
    (partial / RECORD).write_text(json.dumps(manifest["record"], indent=1) + "\n", encoding="utf-8")
    curve = "".join(json.dumps(point) + "\n" for point in manifest["curve"])
    (partial / CURVE).write_text(curve, encoding="utf-8")
    if run.exists():
        run.rmdir()
    partial.replace(run)
    return manifest


def _store_weights(folder: Path, manifest: Mapping[str, Any], run: Path) -> None:
    """Put a result's weights in the place of those in ``run``, which are the start's."""
    from safetensors import SafetensorError
    from safetensors.torch import load, load_file, save_file

    weights = load_file(run / WEIGHTS)
    try:
        trained = unpack_in_four_bits(load(joined(folder, manifest["parts"])))
    except (SafetensorError, RuntimeError) as error:
        raise CheckpointError(f"{folder} holds no packed weights: {type(error).__name__}") from error
    if trained.keys() | set(manifest["unchanged"]) != weights.keys():
        raise CheckpointError(f"{folder} is of another model than its bundle")
    save_file({**weights, **trained}, run / WEIGHTS, metadata={"format": "pt"})


def _check_result(folder: Path, manifest: Mapping[str, Any], bundle: Path) -> None:
    read_manifest(bundle, "bundle", BUNDLE, ())
    if manifest["bundle"] != identity(bundle / MANIFEST)["sha256"]:
        raise CheckpointError(
            f"{folder} was trained from another bundle than {bundle}: give the one it came from"
        )
    if missing := [name for name in manifest["parts"] if not (folder / name).is_file()]:
        first = manifest["parts"].index(missing[0])
        raise CheckpointError(
            f"{folder} lacks {', '.join(missing)}: fetch them with from-bundle --send {first}:{len(manifest['parts'])}"
        )
    for name in manifest["parts"]:
        check_whole(folder / name, manifest["files"][name])
