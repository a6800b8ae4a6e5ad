"""Shrink the look-up tables of an ONNX graph: words in 4 bits, positions in half precision."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.attention import FUSED_DOMAIN

__all__ = [
    *("BLOCK", "EIGHTH", "HALF", "QUARTER", "SCALES"),
    *("four_bit", "packed", "shrink_tables", "unpacked", "words_in_eight_bits", "words_in_four_bits"),
]

HALF, EIGHTH, QUARTER, SCALES = ".half", ".eighth", ".quarter", ".scales"
"""What stands for ``.weight`` in the name of a table in half precision, in 8 and 4 bits, and of that of its scales."""

BLOCK = 32
"""Values in a row that share a scale, unless said otherwise."""


def four_bit(table: NDArray[np.float32], block: int = BLOCK) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Values -8 to 7 of ``table``'s shape, and a scale for each ``block`` of a row, of least square error.

    The scale's sign puts the largest value of a block at -8, the one step more that two's complement has.
    """
    rows = table.reshape(-1, block)
    largest = rows[np.arange(len(rows)), np.abs(rows).argmax(axis=1)]
    best_scale = np.ones(len(rows), dtype=np.float32)
    best_error = np.full(len(rows), np.inf)
    for part in np.linspace(0.6, 1.05, 19):
        for steps in (-8, 7):
            scale = (largest * part / steps).astype(np.float16).astype(np.float32)
            scale[scale == 0] = 1e-4
            error = ((_steps(rows, scale) * scale[:, None] - rows) ** 2).sum(axis=1)
            better = error < best_error
            best_scale[better], best_error[better] = scale[better], error[better]
    values = _steps(rows, best_scale).astype(np.int8).reshape(table.shape)
    return values, best_scale.reshape(len(table), -1).astype(np.float16)


def _steps(rows: NDArray[np.float32], scale: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.clip(np.rint(rows / scale[:, None]), -8, 7)


def packed(values: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Two values a byte, the low half first: (rows, columns / 2)."""
    halves = values.astype(np.uint8) & 15
    bytes_: NDArray[np.uint8] = halves[:, 0::2] | halves[:, 1::2] << 4
    return bytes_


def unpacked(values: NDArray[Any], scales: NDArray[np.float16]) -> NDArray[np.float32]:
    """The table that :func:`four_bit` gave, in float again."""
    steps = values.astype(np.float32)
    return steps * np.repeat(scales.astype(np.float32), steps.shape[1] // scales.shape[1], axis=1)


def shrink_tables(path: Path, *, words_in_four_bits: bool) -> None:
    """Rewrite a graph's two look-ups, ``words`` and ``places``: in half precision, or words in 4 bits.

    Raises:
        ValueError: the graph does not have each table once.
    """
    import onnx
    from onnx import numpy_helper

    model = onnx.load(path)
    words, places = (_Table(model.graph, name) for name in ("words.weight", "places.weight"))
    places.replace(numpy_helper.from_array(places.values.astype(np.float16), places.stem + HALF))
    if words_in_four_bits:
        _in_four_bits(model, words)
    else:
        words.replace(numpy_helper.from_array(words.values.astype(np.float16), words.stem + HALF))
    onnx.save(model, path)


def words_in_four_bits(model: Any, name: str) -> None:
    """Keep the look-up that is called ``name`` in 4 bits, with a scale for each ``BLOCK`` of a row.

    Raises:
        ValueError: the graph does not have it once.
    """
    _in_four_bits(model, _Table(model.graph, name))


def words_in_eight_bits(model: Any, name: str) -> None:
    """Keep the look-up that is called ``name`` in 8 bits, with a scale for each row; the nodes are of plain ONNX.

    Raises:
        ValueError: the graph does not have it once.
    """
    from onnx import numpy_helper

    table = _Table(model.graph, name)
    scales = np.maximum(np.abs(table.values).max(axis=1, keepdims=True), 1e-12) / np.float32(127)
    steps = np.rint(table.values / scales).astype(np.int8)
    table.replace_scaled(
        numpy_helper.from_array(steps, table.stem + EIGHTH),
        numpy_helper.from_array(scales.astype(np.float32), table.stem + SCALES),
    )


def _in_four_bits(model: Any, words: _Table) -> None:
    import onnx
    from onnx import helper, numpy_helper

    block = math.gcd(BLOCK, words.values.shape[1])
    values, scales = four_bit(words.values, block)
    words.replace(
        helper.make_tensor(
            words.stem + QUARTER, onnx.TensorProto.INT4, values.shape, packed(values).tobytes(), raw=True
        ),
        numpy_helper.from_array(scales, words.stem + SCALES),
        block_size=block,
        gather_axis=0,
        quantize_axis=1,
    )
    if all(own.domain != FUSED_DOMAIN for own in model.opset_import):
        model.opset_import.append(helper.make_opsetid(FUSED_DOMAIN, 1))
    model.ir_version = max(model.ir_version, 10)  # the first that knows 4-bit integers


class _Table:
    """A table of a graph in float, and the nodes that look things up in it."""

    def __init__(self, graph: Any, name: str) -> None:
        from onnx import numpy_helper

        found = [tensor for tensor in graph.initializer if tensor.name.endswith(name)]
        if len(found) != 1:
            raise ValueError(f"the graph has {len(found)} tables named {name}")
        self.graph, (self.tensor,) = graph, found
        self.stem = self.tensor.name.removesuffix(".weight")
        self.values = numpy_helper.to_array(self.tensor)

    def replace(self, *stored: Any, **attributes: Any) -> None:
        """Put what is stored in its place, and nodes that read it, with ``attributes`` in blocks of 4 bits."""
        from onnx import TensorProto, helper

        kind, domain = ("GatherBlockQuantized", FUSED_DOMAIN) if attributes else ("Gather", "")
        for node in [node for node in self.graph.node if self.tensor.name in node.input[:1]]:
            half = f"{node.output[0]}_half"
            given = [stored[0].name, node.input[1], *(tensor.name for tensor in stored[1:])]
            place = list(self.graph.node).index(node)
            self.graph.node.remove(node)
            self.graph.node.insert(place, helper.make_node(kind, given, [half], domain=domain, **attributes))
            cast = helper.make_node("Cast", [half], node.output, to=TensorProto.FLOAT)
            self.graph.node.insert(place + 1, cast)
        self.graph.initializer.remove(self.tensor)
        self.graph.initializer.extend(stored)

    def replace_scaled(self, steps: Any, scales: Any) -> None:
        """Put steps (rows, columns) and scales (rows, 1) in its place, and nodes that multiply what they look up."""
        from onnx import TensorProto, helper

        for node in [node for node in self.graph.node if self.tensor.name in node.input[:1]]:
            rows, plain, scale = (f"{node.output[0]}_{part}" for part in ("steps", "plain", "scale"))
            place = list(self.graph.node).index(node)
            self.graph.node.remove(node)
            nodes = [
                helper.make_node("Gather", [steps.name, node.input[1]], [rows]),
                helper.make_node("Cast", [rows], [plain], to=TensorProto.FLOAT),
                helper.make_node("Gather", [scales.name, node.input[1]], [scale]),
                helper.make_node("Mul", [plain, scale], node.output),
            ]
            for at, made in enumerate(nodes, place):
                self.graph.node.insert(at, made)
        self.graph.initializer.remove(self.tensor)
        self.graph.initializer.extend([steps, scales])
