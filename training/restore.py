"""Restore a model from a checkpoint or an int8 model folder, so that training can go on from it.

From an int8 folder it is the model that was exported, but for rounding.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.model import PairModel, load_checkpoint
from training.shape import ModelConfig
from training.tables import HALF, QUARTER, SCALES, unpacked
from verifier.core.models import find_weights, open_model_folder

__all__ = ["read_model", "restore"]


def read_model(folder: Path) -> tuple[PairModel, int]:
    """The model of a checkpoint or of an int8 model folder, and the number of pairs it was trained on."""
    if find_weights(folder) is not None:
        return restore(folder)
    model, record = load_checkpoint(folder)
    return model, int(record["point"]["seen"])


def restore(folder: Path) -> tuple[PairModel, int]:
    """The model, its int8 weights in float again, and the number of pairs it was trained on.

    Raises:
        ConfigError: a file of the folder is missing.
        KeyError: the folder holds no int8 export of :func:`training.export.export`.
    """
    import onnx

    opened = open_model_folder(folder)
    found: dict[str, NDArray[np.float32]] = {}
    for path in opened.graphs:
        found |= _weights(onnx.load(str(path)).graph)
    model = PairModel(ModelConfig(**opened.config["shape"]))
    model.load_state_dict({name: torch.from_numpy(found[name]) for name in model.state_dict()})
    return model, int(opened.config["trained_pairs"])


def _weights(graph: Any) -> dict[str, NDArray[np.float32]]:
    """What a graph holds, under the names that the model has for it."""
    from onnx import numpy_helper

    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    found = {
        _own(name): np.array(value, dtype=np.float32)
        for name, value in stored.items()
        if value.dtype == np.float32
    }
    for name in stored:
        if name.endswith("_quantized"):
            found[_own(name.removesuffix("_quantized"))] = _in_float(name, stored)
        elif name.endswith(HALF):
            found[_own(name.removesuffix(HALF)) + ".weight"] = stored[name].astype(np.float32)
        elif name.endswith(QUARTER):
            stem = name.removesuffix(QUARTER)
            found[_own(stem) + ".weight"] = unpacked(stored[name], stored[stem + SCALES])
    # A matrix, and half of a bias, lose their names in the export; the node that reads them keeps its module's.
    parts: dict[str, list[NDArray[np.float32]]] = defaultdict(list)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            parts[f"{_module(node.name)}.weight"].append(_in_float(node.input[1], stored).T)
        elif node.op_type == "Add":
            parts[f"{_module(node.name)}.bias"] += [
                found[_own(name)] for name in node.input if name in stored
            ]
    # A layer that answers at some columns alone has its query, the narrower part, by itself.
    joined = {name: np.concatenate(sorted(some, key=len)) for name, some in parts.items() if some}
    return found | joined


def _own(name: str) -> str:
    """A name without that of the module that stands around the model in the export."""
    return name.removeprefix("model.")


def _module(node: str) -> str:
    """The linear layer that a node belongs to; that of a whole transformer layer can only be the one for attention."""
    module = _own(node.strip("/").rpartition("/")[0].replace("/", "."))
    return f"{module}.qkv" if re.fullmatch(r"\w+\.\d+", module) else module


def _in_float(name: str, stored: Mapping[str, NDArray[np.generic]]) -> NDArray[np.float32]:
    base = name.removesuffix("_quantized")
    steps = stored[name].astype(np.float32) - stored[f"{base}_zero_point"].astype(np.float32)
    return np.ascontiguousarray(steps * stored[f"{base}_scale"].astype(np.float32))
