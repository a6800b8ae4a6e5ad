"""Export a checkpoint as a model folder: ONNX (int8), ``tokenizer.json``, ``config.json``.

A cross-encoder is one graph, ``model.onnx``. A split model is two: ``encoder.onnx`` reads a text by itself, and
``joint.onnx`` reads what that made of two texts (``verifier.core.split`` runs them).
"""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn

from training.arguments import PRECISIONS
from training.attention import FUSED_DOMAIN
from training.layers import Text
from training.model import LABELS, PairModel, load_checkpoint
from training.tables import shrink_tables
from training.tokens import pair_tokenizer
from verifier.core.models import promised_files, sha256_of
from verifier.core.split import ENCODED, JOINT_INPUTS

__all__ = ["PRECISIONS", "calibration_facts", "export", "export_run", "quantise", "write_graph"]

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUTS = ("logits", "relevance")
"""Those of NLI, (pairs, 3), and with a head for it the logit of relevance, (pairs, 1)."""
JOINT = "joint.onnx"
GRAPHS = ("model.onnx", "encoder.onnx", JOINT)
"""That of a cross-encoder, and those of a split model."""


def export_run(
    run: Path,
    tokenizer: Path,
    folder: Path,
    *,
    precision: str,
    max_length: int,
    sample: Sequence[tuple[str, str]] = (),
) -> PairModel:
    """:func:`export` of the checkpoint in ``run``, with its calibration if it has one; returns the model."""
    model, record = load_checkpoint(run)
    facts = {"trained_pairs": record["point"]["seen"]}
    calibration = run / "calibration.json"
    if calibration.is_file():
        facts |= calibration_facts(json.loads(calibration.read_text(encoding="utf-8")))
    export(model, tokenizer, folder, precision=precision, max_length=max_length, facts=facts, sample=sample)
    return model


def calibration_facts(found: Mapping[str, float]) -> dict[str, Any]:
    """What ``config.json`` holds of a calibration: ``temperature``, by which the model is read, and the error left.

    >>> calibration_facts({"temperature": 1.1, "ece": 0.03, "pairs": 500})
    {'temperature': 1.1, 'calibration': {'ece': 0.03, 'pairs': 500}}
    """
    told = {name: value for name, value in found.items() if name != "temperature"}
    return {"temperature": found["temperature"], **({"calibration": told} if told else {})}


def export(
    model: PairModel,
    tokenizer: Path,
    folder: Path,
    *,
    precision: str,
    max_length: int,
    facts: Mapping[str, Any],
    sample: Sequence[tuple[str, str]] = (),
) -> None:
    """Write the model folder; ``facts`` (temperature, trained_pairs ...) go into ``config.json`` as they are.

    Args:
        model: on the CPU.
        tokenizer: the sentence encoder's ``tokenizer.json``.
        folder: made if need be; its files are replaced.
        precision: one of :data:`PRECISIONS`. Weights get one scale an output channel, embeddings one in all.
        max_length: the longest pair the run time gives the model at once, in tokens.
        sample: pairs of texts that ``int8-static`` measures activations on.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in GRAPHS:
        (folder / name).unlink(missing_ok=True)
    own = pair_tokenizer(tokenizer, model.config.split, max_length)
    with tempfile.TemporaryDirectory() as scratch:
        graphs = _write_graphs(model, Path(scratch))
        for plain, inputs in zip(graphs, _inputs(graphs, own, sample), strict=True):
            weights = folder / plain.name
            if precision == "float":
                shutil.copyfile(plain, weights)
            elif precision == "int8-static":
                _quantise_static(plain, weights, inputs)
            elif precision == "int8-words4":
                quantise(plain, weights, reduced=True, only=["MatMul"])
                if plain.name != JOINT:
                    shrink_tables(weights, words_in_four_bits=True)
            else:
                quantise(plain, weights, reduced=precision == "int8-reduced")
    own.no_truncation()
    own.save(str(folder / "tokenizer.json"), pretty=False)
    config = {
        "architecture": model.config.architecture,
        "labels": list(LABELS),
        "outputs": list(OUTPUTS[: 1 + model.config.relevance]),
        "max_length": max_length,
        "vocabulary": model.config.vocabulary,
        "precision": precision,
        "fingerprint": sha256_of(*(folder / name for name in GRAPHS if (folder / name).is_file())),
        **promised_files(folder, ["tokenizer.json"]),
        "shape": asdict(model.config),
        **facts,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")


class _Encoder(nn.Module):
    """The part of a split model that reads one text."""

    def __init__(self, model: PairModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Contextual and plain vectors, both (texts, tokens, hidden) in half precision, from ids (texts, tokens)."""
        text = self.model.text(input_ids, self.model.encode_texts(input_ids, None))
        return text.vectors.half(), text.words.half()


class _Joint(nn.Module):
    """The part of a split model that reads two texts after :class:`_Encoder`."""

    def __init__(self, model: PairModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, *texts: Tensor) -> tuple[Tensor, ...]:
        """Logits (pairs, 3), and with a head for it relevance (pairs, 1), from ``JOINT_INPUTS``."""
        premise, claim = (
            Text(ids, *(part.float() for part in parts)) for ids, *parts in (texts[:3], texts[3:])
        )
        answer = self.model.compare_texts(premise, claim, None, None)
        return (answer[:, :3], answer[:, 3:]) if self.model.config.relevance else (answer,)


class _TwoOutputs(nn.Module):
    """The model with the answers of its two heads apart."""

    def __init__(self, model: PairModel) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor
    ) -> tuple[Tensor, Tensor]:
        """(pairs, 3) and (pairs, 1)."""
        answer = self.model(input_ids, attention_mask, token_type_ids)
        return answer[:, :3], answer[:, 3:]


def _write_graphs(model: PairModel, folder: Path) -> list[Path]:
    """The graphs of the model, in float, under their names."""
    answers = {name: {0: "pairs"} for name in OUTPUTS[: 1 + model.config.relevance]}
    tokens = {0: "pairs", 1: "tokens"}
    if not model.config.split:
        ids, types = torch.ones((2, 6), dtype=torch.int64), torch.tensor([[0, 0, 0, 1, 1, 1]] * 2)
        graph = _TwoOutputs(model) if model.config.relevance else model
        example = (ids, torch.ones_like(ids), types)
        return [write_graph(folder / "model.onnx", graph, example, dict.fromkeys(INPUTS, tokens), answers)]
    texts: list[Tensor] = []
    for length in (4, 3):
        shape = (2, length, model.config.hidden)
        texts += [torch.ones(shape[:2], dtype=torch.int64), *(torch.rand(shape).half() for _ in ENCODED)]
    of_each = {name: {0: "pairs", 1: f"{name.partition('_')[0]}_tokens"} for name in JOINT_INPUTS}
    encoded = dict.fromkeys(ENCODED, tokens)
    return [
        write_graph(folder / "encoder.onnx", _Encoder(model), (texts[0],), {"input_ids": tokens}, encoded),
        write_graph(folder / JOINT, _Joint(model), tuple(texts), of_each, answers),
    ]


def write_graph(
    path: Path,
    graph: nn.Module,
    example: tuple[Tensor, ...],
    inputs: Mapping[str, dict[int, str]],
    outputs: Mapping[str, dict[int, str]],
) -> Path:
    """The graph of a module; ``inputs`` and ``outputs`` name the axes that may be of any length."""
    graph.eval()
    with warnings.catch_warnings(), torch.no_grad():
        # The exporter's warnings are about its own future.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            graph,
            example,
            str(path),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={**inputs, **outputs},
            opset_version=17,
            custom_opsets={FUSED_DOMAIN: 1},
            dynamo=False,
        )
    return path


def quantise(source: Path, target: Path, *, reduced: bool, only: list[str] | None = None) -> None:
    """Weights in 7 bits (``reduced``) or 8, in nodes of all kinds or of some; activations with scales of each input."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        quantize_dynamic(
            source,
            target,
            op_types_to_quantize=only,
            per_channel=True,
            reduce_range=reduced,
            weight_type=QuantType.QInt8,
        )
    finally:
        logging.disable(level)


def _inputs(
    graphs: Sequence[Path], tokenizer: Tokenizer, sample: Sequence[tuple[str, str]]
) -> list[Iterator[dict[str, NDArray[Any]]]]:
    """What each graph of a model is given for the pairs of ``sample``, one text or pair at a time."""
    if len(graphs) == 1:
        pairs = (tokenizer.encode(*texts) for texts in sample)
        parts = ((pair.ids, pair.attention_mask, pair.type_ids) for pair in pairs)
        return [
            (
                {name: np.array([row], dtype=np.int64) for name, row in zip(INPUTS, rows, strict=True)}
                for rows in parts
            )
        ]
    texts = ({"input_ids": _ids(tokenizer, text)} for pair in sample for text in pair)
    return [texts, _joint_inputs(graphs[0], tokenizer, sample)]


def _joint_inputs(
    encoder: Path, tokenizer: Tokenizer, sample: Sequence[tuple[str, str]]
) -> Iterator[dict[str, NDArray[Any]]]:
    """What the second graph of a split model is given: what the first one, in float, makes of the two texts."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(encoder), providers=["CPUExecutionProvider"])
    for pair in sample:
        made = []
        for ids in (_ids(tokenizer, text) for text in pair):
            made += [ids, *session.run(list(ENCODED), {"input_ids": ids})]
        yield dict(zip(JOINT_INPUTS, made, strict=True))


def _ids(tokenizer: Tokenizer, text: str) -> NDArray[np.int64]:
    return np.array([tokenizer.encode(text).ids], dtype=np.int64)


def _quantise_static(source: Path, target: Path, inputs: Iterator[dict[str, NDArray[Any]]]) -> None:
    """Weights as in ``int8-reduced``, and activations with scales fixed on ``inputs``."""
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    class Sample(CalibrationDataReader):
        """The inputs, one a batch."""

        def get_next(self) -> dict[str, NDArray[Any]] | None:
            """The next ones."""
            return next(inputs, None)

    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        quantize_static(
            source,
            target,
            Sample(),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=["MatMul", "Gemm", "Gather"],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            extra_options={"MatMulConstBOnly": True},
        )
    finally:
        logging.disable(level)
