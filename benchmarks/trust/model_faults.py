"""Faults of models and readers: missing, damaged, silent, talkative, cut off, out of budget."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from unittest.mock import patch

from benchmarks.trust.outcomes import FACT, TEXT, Came, Condition, command, of_report, refused
from verifier.config import load
from verifier.factory import build_scorer
from verifier.verification.retrieve import GivenTexts

__all__ = ["CONDITIONS"]

_MODELS = "tests/unit/test_models.py"
_READER = "tests/unit/test_reader_verdicts.py"
_CHAT = "tests/unit/test_chat_reader.py"
_HERE = "tests/integration/test_failclosed.py::test_every_condition_comes_out_as_expected"
_EMBEDDED = Path(__file__).parents[2] / "signals" / "verifier_signals" / "models" / "nli"
_REPHRASED = "Customers get all their money back when they cancel a yearly subscription within a month."
"""Follows from ``FACT``; only a model can tell."""
_READER_ON = {"reader__type": "chat", "reader__read": "all", "reader__cache_size": 0, "signals__nli": False}
_LEFT_OPEN = "Whoever cancels an annual plan early enough gets the money back."


def _verified(place: Path, response: str = FACT, **settings: object) -> Came:
    (place / "refunds.md").write_text(TEXT)
    return command(place, "verify", "--text", response, "--source", "refunds.md", "--json", **settings)


def _with_model(damage: Callable[[Path], None]) -> Callable[[Path], Came]:
    """A check with a copy of the embedded model to which something was done."""

    def run(place: Path) -> Came:
        folder = place / "model"
        folder.mkdir()
        for path in _EMBEDDED.iterdir():
            (folder / path.name).symlink_to(path)
        damage(folder)
        return _verified(place, signals__nli__model=str(folder))

    return run


def _cut(name: str) -> Callable[[Path], None]:
    """The file ends in its middle."""

    def damage(folder: Path) -> None:
        whole = (folder / name).read_bytes()
        (folder / name).unlink()
        (folder / name).write_bytes(whole[: len(whole) // 2])

    return damage


def _not_finite(folder: Path) -> None:
    """A graph in the place of the model's that answers nothing but NaN."""
    import onnx
    from onnx import TensorProto, helper

    for name in ("encoder.onnx", "joint.onnx", "config.json"):
        (folder / name).unlink()
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMean", ["f"], ["mean"], axes=[1], keepdims=1),
        helper.make_node("Div", ["mean", "zero"], ["endless"]),
        helper.make_node("Sub", ["endless", "endless"], ["one"]),
        helper.make_node("Concat", ["one", "one", "one"], ["logits"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["b", "t"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, None)],
        [helper.make_tensor("zero", TensorProto.FLOAT, (1,), [0.0])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    labels = {"labels": ["entailment", "neutral", "contradiction"], "max_length": 256}
    (folder / "config.json").write_text(json.dumps(labels))


def _unknown_model(place: Path) -> Came:
    """The embedded model with another temperature: no shipped weights were learnt with it."""
    folder = place / "model"
    folder.mkdir()
    for path in _EMBEDDED.iterdir():
        (folder / path.name).symlink_to(path)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").unlink()
    (folder / "config.json").write_text(json.dumps({**config, "temperature": 3.0}))
    settings = load(overrides={"signals.nli": {"model": str(folder)}}).settings
    return refused(lambda: build_scorer(settings, GivenTexts.of(TEXT)).verify(FACT))


def _not_finite_model(place: Path) -> Came:
    """Such a model with rules that somebody learnt for it."""
    from verifier_signals.nli import NLISignal

    folder = place / "model"
    shutil.copytree(_EMBEDDED, folder, ignore=shutil.ignore_patterns("*.onnx"))
    for name in ("encoder.onnx", "joint.onnx"):
        (folder / name).touch()
    _not_finite(folder)
    shipped = json.loads(files("verifier.verification").joinpath("fusions/nli.json").read_text())
    weights = place / "fusion.json"
    weights.write_text(json.dumps({**shipped, "nli": NLISignal(str(folder)).fingerprint}))
    given = {"signals.nli": {"model": str(folder)}, "verdict.fusion": str(weights)}
    scorer = build_scorer(load(overrides=given).settings, GivenTexts.of(TEXT))
    return of_report(scorer.verify(_REPHRASED))


def _none_embedded(place: Path) -> Came:
    """This installation has no model, and the claim needs one."""
    with patch("verifier_signals.nli.opening.embedded_model", return_value=None):
        return _verified(place, _REPHRASED)


def _scripted(*replies: str, **options: object) -> Callable[[Path], Came]:
    """A reader over a chat model that says this."""

    def run(place: Path) -> Came:
        (place / "script.jsonl").write_text("\n".join(map(json.dumps, replies)))
        chat = {"llm__provider": "scripted", "llm__script": "script.jsonl"}
        return _verified(place, _LEFT_OPEN, **_READER_ON, **chat, **options)

    return run


def _said(label: str, quotation: str) -> str:
    """A whole reply about the one claim."""
    quoted = [{"piece": 1, "text": quotation}]
    reading = {"id": "c1", "quotations": quoted, "note": "so it is", "label": label}
    return json.dumps({"readings": [reading]})


def _served(place: Path, *, listening: bool) -> Came:
    """A reader whose server takes the connection and says nothing, or is not there."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        if listening:
            held.listen()
        settings = {
            "llm__model": "m-1",
            "llm__base_url": f"http://127.0.0.1:{held.getsockname()[1]}/v1",
            "llm__timeout": 0.3 if listening else 10,
            "llm__max_retries": 0,
        }
        return _verified(place, _LEFT_OPEN, **_READER_ON, **settings, OPENAI_API_KEY="none")


_TRUE = _said("supported", "refunded in full within 30 days of purchase")

CONDITIONS: tuple[Condition, ...] = (
    Condition(
        "no NLI model is installed, and only one could tell",
        "exit 1, rejected: unverifiable",
        "tests/unit/test_scorer.py::test_a_report_without_a_model_says_so",
        _none_embedded,
    ),
    Condition(
        "folder of the NLI model is missing",
        "exit 2",
        "tests/unit/test_nli.py::test_a_folder_that_is_not_there_is_named",
        lambda place: _verified(place, signals__nli__model="./absent"),
    ),
    Condition(
        "file of the NLI model is cut off",
        "exit 2",
        f"{_MODELS}::test_damage_to_one_of_two_graphs_is_found",
        _with_model(_cut("joint.onnx")),
    ),
    Condition(
        "tokenizer of the NLI model is cut off",
        "exit 2",
        "tests/unit/test_onnx.py::test_a_tokenizer_that_is_none_is_refused",
        _with_model(_cut("tokenizer.json")),
    ),
    Condition(
        "configuration of the NLI model is cut off",
        "exit 2",
        f"{_MODELS}::test_a_configuration_that_is_no_object_is_refused",
        _with_model(_cut("config.json")),
    ),
    Condition(
        "NLI model answers NaN",
        "rejected: error",
        "tests/unit/test_onnx.py::test_an_answer_that_is_not_finite_is_an_error",
        _not_finite_model,
    ),
    Condition(
        "NLI model for which nobody has learnt weights",
        "raises ConfigError",
        "tests/unit/test_verdict.py::test_a_model_without_a_fusion_names_the_command_that_learns_one",
        _unknown_model,
    ),
    Condition(
        "reader's server is not there",
        "exit 3, rejected: error",
        f"{_READER}::test_a_failed_reading_is_an_error_with_its_reason_and_never_a_pass",
        lambda place: _served(place, listening=False),
    ),
    Condition(
        "reader's server does not answer in time",
        "exit 3, rejected: error",
        f"{_READER}::test_a_failed_reading_is_an_error_with_its_reason_and_never_a_pass",
        lambda place: _served(place, listening=True),
    ),
    Condition(
        "reader's key is missing",
        "exit 3, rejected: error",
        "tests/integration/test_cli_reader.py::test_no_key_is_an_error_of_each_claim_that_names_the_variable",
        lambda place: _verified(place, _LEFT_OPEN, **_READER_ON, llm__model="m-1"),
    ),
    Condition("reader answers rubbish", "exit 3, rejected: error", _HERE, _scripted(*["Yes, all true."] * 8)),
    Condition("reader answers nothing", "exit 3, rejected: error", _HERE, _scripted(*[""] * 8)),
    Condition("reader's answer is cut off", "exit 3, rejected: error", _HERE, _scripted(*[_TRUE[:-9]] * 8)),
    Condition(
        "reader answers about another claim",
        "exit 3, rejected: error",
        "tests/unit/test_hostile_readings.py::test_an_id_that_was_not_asked_about_gets_no_reading_and_takes_the_others_with_it",
        _scripted(*[_TRUE.replace('"c1"', '"c7"')] * 8),
    ),
    Condition(
        "reader says supported and quotes what stands nowhere",
        "exit 1, rejected: unverifiable",
        f"{_READER}::test_an_answer_without_words_that_stand_in_the_evidence_is_unverifiable",
        _scripted(*[_said("supported", "The money is always paid back")] * 8),
    ),
    Condition(
        "reader has no reply left",
        "exit 3, rejected: error",
        _HERE,
        _scripted(),
    ),
    Condition(
        "reader's budget is used up",
        "exit 3, rejected: error",
        f"{_CHAT}::test_a_budget_that_is_used_up_is_a_failure_and_never_a_pass",
        _scripted(*[_TRUE] * 8, reader__max_tokens=10),
    ),
)
