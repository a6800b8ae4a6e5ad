"""A checkpoint or an int8 model folder goes in, the model comes out, so that training can go on from it.

From an int8 folder it is the model that was exported, but for rounding.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.model import ModelConfig, PairModel, load_checkpoint

__all__ = ["read_model", "restore"]


def read_model(folder: Path) -> tuple[PairModel, int]:
    """The model of a checkpoint or of an int8 model folder, and the number of pairs it was trained on."""
    if (folder / "model.onnx").is_file():
        return restore(folder)
    model, record = load_checkpoint(folder)
    return model, int(record["point"]["seen"])


def restore(folder: Path) -> tuple[PairModel, int]:
    """The model, its int8 weights in float again, and the number of pairs it was trained on.

    Raises:
        KeyError: the folder holds no int8 export of :func:`training.export.export`.
    """
    import onnx
    from onnx import numpy_helper

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    graph = onnx.load(str(folder / "model.onnx")).graph
    # With a head for relevance the graph is the model's inside one that parts the two answers.
    inside = "model." if config["shape"].get("relevance") else ""
    stored = {tensor.name.removeprefix(inside): numpy_helper.to_array(tensor) for tensor in graph.initializer}
    # A matrix loses its name in the export; the node that multiplies by it keeps its module's.
    matrices = {
        _module(node.name).removeprefix(inside): node.input[1].removeprefix(inside)
        for node in graph.node
        if node.op_type == "MatMulInteger"
    }
    model = PairModel(ModelConfig(**config["shape"]))
    state = {name: torch.from_numpy(_weight(name, stored, matrices)) for name in model.state_dict()}
    model.load_state_dict(state)
    return model, int(config["trained_pairs"])


def _module(node: str) -> str:
    return node.strip("/").rpartition("/")[0].replace("/", ".")


def _weight(
    name: str, stored: Mapping[str, NDArray[np.generic]], matrices: Mapping[str, str]
) -> NDArray[np.float32]:
    if name in stored:
        return np.array(stored[name], dtype=np.float32)
    matrix = matrices.get(name.removesuffix(".weight"))
    quantised = matrix or f"{name}_quantized"
    base = quantised.removesuffix("_quantized")
    steps = stored[quantised].astype(np.float32) - stored[f"{base}_zero_point"].astype(np.float32)
    weight = steps * stored[f"{base}_scale"].astype(np.float32)
    return np.ascontiguousarray(weight.T if matrix else weight)
