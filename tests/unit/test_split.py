"""A model in two graphs, written by hand: every text is encoded once, memory has a bound, and changes no result."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper

import verifier.core.split
from verifier.core.errors import ConfigError
from verifier.core.onnx import EncodedPair, InferenceError, OnnxGraph
from verifier.core.split import ENCODED, JOINT_INPUTS, SplitClassifier

HIDDEN = 4
BYTES_A_TOKEN = 8 + 2 * HIDDEN


def save(path: Path, nodes: list[onnx.NodeProto], inputs: dict[str, int], outputs: dict[str, int]) -> Path:
    """A graph whose inputs ``*ids`` are whole numbers and the others of the type that they name; so are its outputs."""
    graph = helper.make_graph(
        nodes,
        "g",
        [
            helper.make_tensor_value_info(
                name, kind, [f"{name}{i}" for i in range(2 + (kind != TensorProto.INT64))]
            )
            for name, kind in inputs.items()
        ],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs.items()],
        [
            helper.make_tensor("ones", TensorProto.FLOAT, (1, 1, HIDDEN), [1.0] * HIDDEN),
            helper.make_tensor("thirds", TensorProto.FLOAT, (1, 1, HIDDEN), [1 / 3] * HIDDEN),
            helper.make_tensor("last", TensorProto.INT64, (1,), [2]),
        ],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


def write_encoder(path: Path, kind: int) -> Path:
    """Vectors: a third of the id; words: the id; of the type ``kind``."""
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["plain"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["plain", "last"], ["column"]),
    ]
    for name, factor in zip(ENCODED, ("thirds", "ones"), strict=True):
        nodes.append(helper.make_node("Mul", ["column", factor], [f"{name}_float"]))
        nodes.append(helper.make_node("Cast", [f"{name}_float"], [name], to=kind))
    return save(path, nodes, {"input_ids": TensorProto.INT64}, dict.fromkeys(ENCODED, kind))


def write_joint(path: Path, kind: int) -> Path:
    """Logits: the highest vector of the premise, the highest word and the highest id of the claim.

    It takes vectors of the type ``kind``.
    """
    read = ("premise_vectors", "claim_words", "claim_ids")
    nodes = [helper.make_node("Constant", [], ["one"], value_ints=[1])]
    for name in read:
        axes = [1] if name == "claim_ids" else [1, 2]
        nodes.append(helper.make_node("Cast", [name], [f"{name}_float"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("ReduceMax", [f"{name}_float"], [f"{name}_max"], axes=axes, keepdims=0))
        nodes.append(helper.make_node("Unsqueeze", [f"{name}_max", "one"], [f"{name}_row"]))
    nodes.append(helper.make_node("Concat", [f"{name}_row" for name in read], ["logits"], axis=1))
    inputs = {name: TensorProto.INT64 if name.endswith("ids") else kind for name in JOINT_INPUTS}
    return save(path, nodes, inputs, {"logits": TensorProto.FLOAT})


@pytest.fixture(scope="module", params=[TensorProto.FLOAT, TensorProto.FLOAT16], ids=["float", "half"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A split model whose graphs hand vectors over in float, or in half precision."""
    path = tmp_path_factory.mktemp("split")
    write_encoder(path / "encoder.onnx", request.param)
    write_joint(path / "joint.onnx", request.param)
    return path


def opened(folder: Path, **options: int) -> SplitClassifier:
    return SplitClassifier(folder / "encoder.onnx", folder / "joint.onnx", **options)


def pair(premise: list[int], claim: list[int]) -> EncodedPair:
    types = [0] * len(premise) + [1] * len(claim)
    return EncodedPair(np.array([*premise, *claim]), np.array(types))


def wanted(premise: list[int], claim: list[int]) -> list[float]:
    return [float(np.float16(max(premise) * np.float32(1 / 3))), max(claim), max(claim)]


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> Counter[bytes]:
    """How often each text went through the first graph."""
    runs: Counter[bytes] = Counter()
    run = OnnxGraph.run

    def counting(self: OnnxGraph, values: dict[str, NDArray[np.int64]], tokens: int) -> object:
        if "input_ids" in values:
            runs[values["input_ids"].tobytes()] += 1
        return run(self, values, tokens)

    monkeypatch.setattr(OnnxGraph, "run", counting)
    return runs


PREMISES = [[2, i, 3, 50 + i] for i in range(10, 20)]
CLAIMS = [[2, 30 + i, 3] for i in range(10)]
CROSSED = [(premise, claim) for claim in CLAIMS for premise in PREMISES]


@pytest.mark.parametrize("threads", [1, 3])
def test_rows_come_in_the_order_of_the_pairs(folder: Path, threads: int) -> None:
    logits = opened(folder, threads=threads).logits([pair(*texts) for texts in CROSSED])
    np.testing.assert_array_equal(logits, np.array([wanted(*texts) for texts in CROSSED], np.float32))


def test_no_pairs_give_no_rows_and_open_nothing(tmp_path: Path) -> None:
    assert opened(tmp_path).logits([]).shape == (0, 0)


def test_a_text_is_encoded_once_for_all_that_it_is_paired_with(folder: Path, encoded: Counter[bytes]) -> None:
    opened(folder, memory=0, threads=1).logits([pair(*texts) for texts in CROSSED])
    assert set(encoded.values()) == {1}
    assert len(encoded) == len(PREMISES) + len(CLAIMS)


def test_a_text_is_remembered_from_call_to_call(folder: Path, encoded: Counter[bytes]) -> None:
    model = opened(folder, threads=1)
    for texts in CROSSED:
        model.logits([pair(*texts)])
    assert set(encoded.values()) == {1}


def test_memory_keeps_to_its_bytes_and_the_texts_used_last(folder: Path, encoded: Counter[bytes]) -> None:
    room = len(CLAIMS[0]) + 2 * len(PREMISES[0])
    model = opened(folder, threads=1, memory=room * BYTES_A_TOKEN)
    for premise in (*PREMISES, PREMISES[-2], PREMISES[0]):
        model.logits([pair(premise, CLAIMS[0])])
        assert model.remembered <= room * BYTES_A_TOKEN
    assert model.remembered == room * BYTES_A_TOKEN
    runs = {
        name: encoded[np.array(PREMISES[at]).tobytes()] for name, at in (("first", 0), ("last but one", -2))
    }
    assert runs == {"first": 2, "last but one": 1}
    assert encoded[np.array(CLAIMS[0]).tobytes()] == 1


@pytest.mark.parametrize("memory", [0, 200, 10**6])
def test_a_call_of_many_texts_is_read_in_portions_with_the_same_results(
    folder: Path, memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = [pair(*texts) for texts in CROSSED]
    expected = opened(folder, threads=1).logits(pairs)
    monkeypatch.setattr(verifier.core.split, "_CALL_TOKENS", 9)
    model = opened(folder, threads=1, memory=memory)
    np.testing.assert_array_equal(model.logits(pairs), expected)
    np.testing.assert_array_equal(model.logits(pairs[::-1]), expected[::-1])


@pytest.mark.parametrize("types", [[0, 0, 0], [1, 1, 1], [0, 1, 0]])
def test_texts_that_cannot_be_told_apart_are_refused(folder: Path, types: list[int]) -> None:
    with pytest.raises(ConfigError, match="does not write a pair as a text of type 0 and one of type 1"):
        opened(folder).logits([EncodedPair(np.array([2, 5, 3]), np.array(types))])


@pytest.mark.parametrize("name", ["encoder.onnx", "joint.onnx"])
def test_a_file_that_is_no_graph_is_named(folder: Path, tmp_path: Path, name: str) -> None:
    for other in ("encoder.onnx", "joint.onnx"):
        (tmp_path / other).write_bytes((folder / other).read_bytes() if other != name else b"not a graph")
    with pytest.raises(ConfigError, match=rf"cannot open .*{name} as an ONNX model"):
        opened(tmp_path).logits([pair(*CROSSED[0])])


def test_a_graph_in_the_place_of_the_other_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"encoder\.onnx wants an input 'input_ids'"):
        SplitClassifier(folder / "encoder.onnx", folder / "encoder.onnx").logits([pair(*CROSSED[0])])
    with pytest.raises(ConfigError, match=r"joint\.onnx has no output 'vectors'"):
        SplitClassifier(folder / "joint.onnx", folder / "joint.onnx").logits([pair(*CROSSED[0])])


def test_a_text_beyond_half_precision_is_an_error_and_no_score(folder: Path) -> None:
    with pytest.raises(InferenceError, match=r"encoder\.onnx answered a value that is not finite"):
        opened(folder).logits([pair([2, 10**6], [2, 3])])
