"""Export a base reader as a model folder: ONNX with weights in 4 bits, in files of at most 45 MB.

Matrices are ``MatMulNBits`` nodes (4 bits, a scale for each 32 weights, products in int8), the word table is in 8 bits
with a scale for each row, or in 4 bits. The graph is small; the weights lie beside it as external data, which
onnxruntime finds by itself, in as many files as it takes to keep each under the limit.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.attention import FUSED_DOMAIN
from training.checkpoints import LARGEST
from training.data import Pair
from training.export import calibration_facts, quantise, write_graph
from training.model import LABELS
from training.tables import (
    BLOCK,
    QUARTER,
    SCALES,
    four_bit,
    packed,
    words_in_eight_bits,
    words_in_four_bits,
)
from training.teacher import Teacher, pairs_seen, teacher_tokenizer
from verifier.core.models import promised_files, sha256_of

__all__ = ["export_base", "report", "split_weights"]

GRAPH = "model.onnx"
WORDS = "word_embeddings.weight"
SMALL = 4096
"""Bytes up to which a tensor stays in the graph; larger ones begin at a multiple of this."""


class _Answering(nn.Module):
    """The reader of one pair at a time, which needs no mask: there is no padding to hide."""

    def __init__(self, reader: Teacher) -> None:
        super().__init__()
        self.body = reader.body

    def forward(self, input_ids: Tensor) -> Tensor:
        """Logits (pairs, 3) of ids (pairs, tokens)."""
        logits: Tensor = self.body(input_ids=input_ids, attention_mask=torch.ones_like(input_ids)).logits
        return logits


def export_base(
    run: Path, folder: Path, *, precision: str = "int4", max_length: int = 384, largest: int = LARGEST
) -> None:
    """Write the model folder of the reader in ``run``, as :mod:`verifier_signals.nli` opens it.

    Args:
        run: what ``teach`` or ``unbundle`` left, with its ``calibration.json`` if it has one.
        folder: made if need be; its graph and weights are replaced.
        precision: one of ``BASE_PRECISIONS``.
        max_length: the longest pair that the run time gives the model at once, in tokens.
        largest: bytes of the largest file; a tensor that is larger has a file by itself.
    """
    import onnx

    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob(f"{GRAPH}*"):
        path.unlink()
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / GRAPH
        ids = torch.full((2, 6), 5, dtype=torch.int64)
        axes = {"input_ids": {0: "pairs", 1: "tokens"}}
        write_graph(plain, _Answering(Teacher(run)), (ids,), axes, {"logits": {0: "pairs"}})
        model = _in_precision(plain, precision)
    data = split_weights(model, folder / GRAPH, largest)
    onnx.checker.check_model(str(folder / GRAPH))
    _write_config(run, folder, data, precision=precision, max_length=max_length)


def _write_config(run: Path, folder: Path, data: Sequence[str], *, precision: str, max_length: int) -> None:
    """``tokenizer.json`` and ``config.json``, which promises the hash of every other file."""
    tokenizer = teacher_tokenizer(run, max_length)
    tokenizer.no_truncation()
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    config = {
        "architecture": "cross-encoder",
        "labels": list(LABELS),
        "max_length": max_length,
        "precision": precision,
        "fingerprint": sha256_of(folder / GRAPH),
        **promised_files(folder, ["tokenizer.json", *data]),
        "trained_pairs": pairs_seen(run),
        **_calibration(run),
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


def _calibration(run: Path) -> Mapping[str, Any]:
    path = run / "calibration.json"
    return calibration_facts(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _in_precision(plain: Path, precision: str) -> Any:
    """The graph of a file with its weights in that precision."""
    import onnx

    if precision == "int8":
        quantise(plain, plain, reduced=False, only=["MatMul"])
    model = _four_bits(onnx.load(plain)) if precision.startswith("int4") else onnx.load(plain)
    if precision == "int4-words4":
        words_in_four_bits(model, WORDS)
    elif precision != "float":
        words_in_eight_bits(model, WORDS)
    return model


def _four_bits(model: Any) -> Any:
    """The graph with a ``MatMulNBits`` node for each product with a matrix; products in int8 (accuracy level 4)."""
    from onnx import helper, numpy_helper

    graph = model.graph
    matrices = {tensor.name: tensor for tensor in graph.initializer if len(tensor.dims) == 2}
    for place, node in reversed(list(enumerate(graph.node))):
        tensor = matrices.get(node.input[1]) if node.op_type == "MatMul" else None
        if tensor is None or tensor.dims[0] % BLOCK:
            continue
        stored = _matrix_in_four_bits(numpy_helper.to_array(tensor), tensor.name)
        graph.initializer.remove(tensor)
        graph.initializer.extend(stored)
        scales = f"{stored[1].name}.float"
        few, many = tensor.dims
        shape = {"K": few, "N": many, "bits": 4, "block_size": BLOCK, "accuracy_level": 4}
        given, made = [node.input[0], stored[0].name, scales], list(node.output)
        node.CopyFrom(
            helper.make_node("MatMulNBits", given, made, name=node.name, domain=FUSED_DOMAIN, **shape)
        )
        graph.node.insert(place, helper.make_node("Cast", [stored[1].name], [scales], to=1))
    if all(own.domain != FUSED_DOMAIN for own in model.opset_import):
        model.opset_import.append(helper.make_opsetid(FUSED_DOMAIN, 1))
    return model


def _matrix_in_four_bits(matrix: NDArray[np.float32], name: str) -> tuple[Any, Any]:
    """The tensors of a matrix (in, out) as ``MatMulNBits`` reads it: steps from 0 to 15 of which 8 is zero, and scales.

    Scales are stored in half precision; onnxruntime turns them into float once, when it opens the graph.
    """
    from onnx import numpy_helper

    values, scales = four_bit(np.ascontiguousarray(matrix.T), BLOCK)
    steps = packed(values + np.int8(8)).reshape(len(values), -1, BLOCK // 2)
    return (
        numpy_helper.from_array(steps, name + QUARTER),
        numpy_helper.from_array(scales.reshape(-1), name + SCALES),
    )


def split_weights(model: Any, path: Path, largest: int) -> list[str]:
    """Write a graph to ``path``, and its large tensors beside it in files of at most ``largest`` bytes.

    Returns:
        The names of these files, ``model.onnx_data``, ``model.onnx_data1`` and so on.
    """
    import onnx
    from onnx.external_data_helper import set_external_data

    names: list[str] = []
    size = largest
    for tensor in model.graph.initializer:
        content = tensor.raw_data
        if len(content) <= SMALL:
            continue
        if size + len(content) > largest:
            names.append(f"{path.name}_data{len(names) or ''}")
            size = 0
        with (path.parent / names[-1]).open("ab") as stream:
            stream.write(bytes(size - stream.tell()) + content)
        set_external_data(tensor, names[-1], offset=size, length=len(content))
        tensor.ClearField("raw_data")
        size = -(-(size + len(content)) // SMALL) * SMALL
    onnx.save(model, path)
    return names


def report(run: Path, folder: Path, pairs: Sequence[Pair], max_length: int) -> dict[str, Any]:
    """Size of an export, how it reads pairs beside the same weights in float, and milliseconds a pair.

    ``models`` is what :func:`training.compare.compare` says of both (CPU time of one thread); ``wall_milliseconds`` is
    the time that passes for a pair with one thread and with two.
    """
    from training.compare import compare

    scratch = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        export_base(run, scratch / "float", precision="float", max_length=max_length)
        found = [row._asdict() for row in compare([scratch / "float", folder], pairs)]
    finally:
        shutil.rmtree(scratch)
    return {
        "pairs": len(pairs),
        "files": {path.name: path.stat().st_size for path in sorted(folder.iterdir())},
        "models": found,
        "wall_milliseconds": {threads: _wall(folder, pairs, threads) for threads in (1, 2)},
    }


def _wall(folder: Path, pairs: Sequence[Pair], threads: int) -> float:
    from verifier_signals.nli import NLISignal
    from verifier_signals.types import TextPair

    signal = NLISignal(str(folder), threads=threads, cache_size=0)
    asked = [TextPair(pair.premise, pair.hypothesis) for pair in pairs]
    signal.score(asked[:2])
    began = time.perf_counter()
    signal.score(asked)
    return round(1000 * (time.perf_counter() - began) / len(asked), 2)
