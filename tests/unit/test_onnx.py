"""The ONNX leaf over graphs written by hand: order, inputs, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from verifier.core.errors import ConfigError
from verifier.core.onnx import EncodedPair, InferenceError, OnnxClassifier, PairTokenizer, available_cores


def write(
    path: Path,
    nodes: list[onnx.NodeProto],
    inputs: tuple[str, ...] = ("input_ids",),
    kind: int = TensorProto.INT64,
) -> Path:
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, kind, ["b", "t"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, None)],
        [helper.make_tensor("zero", TensorProto.FLOAT, (1,), [0.0])],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


def summing(path: Path, kind: int = TensorProto.INT64) -> Path:
    """Logits = the sums of ids, mask and types."""
    nodes, sums = [], []
    for name in ("input_ids", "attention_mask", "token_type_ids"):
        nodes.append(helper.make_node("Cast", [name], [f"{name}_f"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("ReduceMean", [f"{name}_f"], [f"{name}_s"], axes=[1], keepdims=1))
        sums.append(f"{name}_s")
    nodes.append(helper.make_node("Concat", sums, ["logits"], axis=1))
    return write(path, nodes, ("input_ids", "attention_mask", "token_type_ids"), kind)


def pair(*ids: int, types: int = 0) -> EncodedPair:
    return EncodedPair(np.array(ids), np.full(len(ids), types))


@pytest.mark.parametrize("threads", [1, 3, None])
@pytest.mark.parametrize("kind", [TensorProto.INT64, TensorProto.INT32])
def test_rows_come_in_the_order_of_the_pairs(tmp_path: Path, threads: int | None, kind: int) -> None:
    classifier = OnnxClassifier(summing(tmp_path / "m.onnx", kind), threads=threads)
    asked = [pair(*[i] * (1 + i * 7 % 11), types=i % 2) for i in range(30)]
    np.testing.assert_array_equal(classifier.logits(asked), [[i, 1, i % 2] for i in range(30)])


def test_no_pairs_give_no_rows_and_open_nothing(tmp_path: Path) -> None:
    assert OnnxClassifier(tmp_path / "absent.onnx").logits([]).shape == (0, 0)


def test_a_file_that_is_no_graph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(b"not a graph")
    with pytest.raises(ConfigError, match=r"cannot open .*m\.onnx as an ONNX model"):
        OnnxClassifier(tmp_path / "m.onnx").logits([pair(1)])


def test_an_unknown_input_is_named(tmp_path: Path) -> None:
    cast = helper.make_node("Cast", ["pixels"], ["logits"], to=TensorProto.FLOAT)
    with pytest.raises(ConfigError, match="wants an input 'pixels'"):
        OnnxClassifier(write(tmp_path / "m.onnx", [cast], ("pixels",))).logits([pair(1)])


def test_an_output_that_is_no_row_of_classes_is_refused(tmp_path: Path) -> None:
    cast = helper.make_node("Cast", ["input_ids"], ["f"], to=TensorProto.FLOAT)
    flat = helper.make_node("ReduceMean", ["f"], ["logits"], axes=[1], keepdims=0)
    with pytest.raises(ConfigError, match=r"no sequence classifier: its output has shape \(1,\)"):
        OnnxClassifier(write(tmp_path / "m.onnx", [cast, flat])).logits([pair(1, 2)])


def test_an_answer_that_is_not_finite_is_an_error(tmp_path: Path) -> None:
    cast = helper.make_node("Cast", ["input_ids"], ["f"], to=TensorProto.FLOAT)
    divide = helper.make_node("Div", ["f", "zero"], ["logits"])
    with pytest.raises(InferenceError, match="not finite"):
        OnnxClassifier(write(tmp_path / "m.onnx", [cast, divide])).logits([pair(1)])


def test_a_failure_while_running_is_translated(tmp_path: Path) -> None:
    table = helper.make_tensor("table", TensorProto.FLOAT, (2, 2), [0.0] * 4)
    gather = helper.make_node("Gather", ["table", "input_ids"], ["rows"])
    mean = helper.make_node("ReduceMean", ["rows"], ["logits"], axes=[1], keepdims=0)
    path = write(tmp_path / "m.onnx", [gather, mean])
    model = onnx.load(path)
    model.graph.initializer.append(table)
    onnx.save(model, path)
    with pytest.raises(InferenceError, match="failed on an input of 3 tokens"):
        OnnxClassifier(path).logits([pair(0, 1, 99)])


def test_a_tokenizer_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ConfigError, match="cannot read tokenizer"):
        PairTokenizer.from_file(tmp_path / "tokenizer.json")


def test_a_sum_and_its_normalisation_stay_two_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one node they take three times as long; without the option the runtime joins them."""
    import onnxruntime

    width = 8
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["one"]),
            helper.make_node("Gather", ["table", "input_ids"], ["other"]),
            helper.make_node("Tanh", ["other"], ["bent"]),
            helper.make_node("Add", ["one", "bent"], ["sum"]),
            helper.make_node("LayerNormalization", ["sum", "scale", "bias"], ["normal"], axis=-1),
            helper.make_node("ReduceMax", ["normal"], ["logits"], axes=[1], keepdims=0),
        ],
        "g",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["pairs", "tokens"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, None)],
        [
            helper.make_tensor("table", TensorProto.FLOAT, (9, width), list(np.arange(9 * width) / 70.0)),
            helper.make_tensor("scale", TensorProto.FLOAT, (width,), [1.0] * width),
            helper.make_tensor("bias", TensorProto.FLOAT, (width,), [0.5] * width),
        ],
    )
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    session = onnxruntime.InferenceSession
    written = tmp_path / "optimised.onnx"

    def opened(weights: str, options: Any, **given: Any) -> Any:
        options.optimized_model_filepath = str(written)
        return session(weights, options, **given)

    def kinds() -> set[str]:
        return {node.op_type for node in onnx.load(str(written)).graph.node}

    monkeypatch.setattr(onnxruntime, "InferenceSession", opened)
    OnnxClassifier(path).logits([pair(1, 2, 3)])
    assert {"Add", "LayerNormalization"} <= kinds()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    opened(str(path), options, providers=["CPUExecutionProvider"])
    assert "SkipLayerNormalization" in kinds()


def test_cores_are_counted_and_capped() -> None:
    assert 1 <= available_cores() <= 8
