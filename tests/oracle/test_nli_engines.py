"""Small random classifiers, exported and quantised on the spot: all ways to run them agree with torch."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair

from tests.support.processor import int8_saturates
from verifier.core.errors import ConfigError, SignalError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "nli.py"
spec = importlib.util.spec_from_file_location("benchmark_of_nli", BENCHMARK)
assert spec is not None
assert spec.loader is not None
benchmark = importlib.util.module_from_spec(spec)
spec.loader.exec_module(benchmark)

WORDS = ["the", "cat", "dog", "sat", "ran", "on", "a", "mat", "not", "two", "red", "is", ".", ","]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
THREE = ("contradiction", "entailment", "neutral")
TWO = ("not_entailment", "entailment")


def bert(labels: Sequence[str], seed: int = 3) -> Any:
    """A BERT classifier with weights wide enough that its logits differ between pairs."""
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=96,
        max_position_embeddings=64,
        initializer_range=0.25,
        id2label=dict(enumerate(labels)),
        label2id={label: at for at, label in enumerate(labels)},
    )
    return transformers.BertForSequenceClassification(config).eval()


def save(model: Any, folder: Path) -> Path:
    """As ``save_pretrained`` leaves it, tokenizer included."""
    folder.mkdir()
    vocabulary = {word: at for at, word in enumerate([*SPECIAL, *WORDS])}
    tokenizer = transformers.BertTokenizerFast(vocab=vocabulary, do_lower_case=True)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three and two classes, each for torch, for ONNX in float and in int8."""
    root, made = tmp_path_factory.mktemp("models"), {}
    for name, labels in (("three", THREE), ("two", TWO)):
        made[f"{name}-torch"] = save(bert(labels), root / f"{name}-torch")
        made[f"{name}-onnx"] = benchmark.export(made[f"{name}-torch"], root / f"{name}-onnx")
        made[f"{name}-int8"] = benchmark.quantise(made[f"{name}-onnx"], root / f"{name}-int8")
    return made


def pairs(count: int = 40, seed: int = 0) -> list[TextPair]:
    """Pairs of 1 to 20 and 1 to 9 words."""
    rng = np.random.default_rng(seed)

    def text(most: int) -> str:
        return " ".join(rng.choice(WORDS, rng.integers(1, most)))

    return [TextPair(text(21), text(10)) for _ in range(count)]


def table(signal: NLISignal, asked: Sequence[TextPair]) -> np.ndarray:
    return np.array([list(score.features.values()) for score in signal.score(asked)])


def by_torch(folder: Path, asked: Sequence[TextPair]) -> np.ndarray:
    """What transformers' own tokenizer and model say, one pair at a time, in the model's order."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        logits = [model(**tokenizer(*pair, return_tensors="pt")).logits[0] for pair in asked]
    return torch.stack(logits).softmax(-1).numpy()


def expected(folder: Path, labels: Sequence[str], asked: Sequence[TextPair]) -> np.ndarray:
    rows = by_torch(folder, asked)
    if len(labels) == 2:
        return np.stack([rows[:, 1], rows[:, 0], np.zeros(len(rows))], axis=1)
    order = [labels.index(name) for name in ("entailment", "neutral", "contradiction")]
    return rows[:, order]


@pytest.mark.parametrize(("kind", "labels"), [("three", THREE), ("two", TWO)])
@pytest.mark.parametrize("engine", ["onnx", "transformers"])
def test_both_engines_give_what_transformers_gives(
    folders: dict[str, Path], kind: str, labels: Sequence[str], engine: str
) -> None:
    folder = folders[f"{kind}-{'onnx' if engine == 'onnx' else 'torch'}"]
    want = expected(folders[f"{kind}-torch"], labels, pairs())
    assert want.std(axis=0)[0] > 0.02, "the random model must tell pairs apart for this test to mean anything"
    np.testing.assert_allclose(table(NLISignal(str(folder)), pairs()), want, atol=1e-5)


@pytest.mark.parametrize(("kind", "within"), [("onnx", 1e-5), ("int8", 1e-4), ("torch", 1e-5)])
def test_a_pair_scores_the_same_alone_and_among_others(
    folders: dict[str, Path], kind: str, within: float
) -> None:
    signal = NLISignal(str(folders[f"three-{kind}"]), cache_size=0, batch_tokens=128)
    together = table(signal, pairs())
    alone = np.concatenate([table(signal, [pair]) for pair in pairs()])
    backwards = table(signal, pairs()[::-1])[::-1]
    np.testing.assert_allclose(together, alone, atol=within)
    np.testing.assert_allclose(together, backwards, atol=within)


def test_int8_in_one_padded_batch_would_depend_on_its_neighbours(folders: dict[str, Path]) -> None:
    """The reason why pairs run alone; when this fails, batching has become possible."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(folders["three-int8"] / "model.onnx"))
    rng = np.random.default_rng(0)
    ids = rng.integers(5, 5 + len(WORDS), (8, 16))
    feed = {"input_ids": ids, "token_type_ids": np.zeros_like(ids)}
    (together,) = session.run(None, feed)
    alone = [session.run(None, {name: rows[i : i + 1] for name, rows in feed.items()})[0] for i in range(8)]
    assert np.abs(together - np.concatenate(alone)).max() > 1e-4


def test_int8_stays_near_float(folders: dict[str, Path]) -> None:
    near = table(NLISignal(str(folders["three-int8"])), pairs())
    exact = table(NLISignal(str(folders["three-onnx"])), pairs())
    assert 0 < np.abs(near - exact).max() < (0.4 if int8_saturates() else 0.1)


def test_threads_and_concurrent_callers_change_nothing(folders: dict[str, Path]) -> None:
    want = table(NLISignal(str(folders["three-int8"]), threads=1), pairs())
    shared = NLISignal(str(folders["three-int8"]), threads=3, cache_size=7)
    with ThreadPoolExecutor(4) as pool:
        for got in pool.map(lambda _: table(shared, pairs()), range(8)):
            np.testing.assert_array_equal(got, want)


def test_labels_option_replaces_names_that_say_nothing(folders: dict[str, Path], tmp_path: Path) -> None:
    model = bert(["LABEL_0", "LABEL_1", "LABEL_2"])
    folder = save(model, tmp_path / "nameless")
    with pytest.raises(ConfigError, match=r"LABEL_0.*labels="):
        NLISignal(str(folder)).score(pairs(1))
    named = NLISignal(str(folder), labels=THREE)
    np.testing.assert_allclose(
        table(named, pairs()), expected(folders["three-torch"], THREE, pairs()), atol=1e-5
    )


def test_temperature_of_the_folder_softens(folders: dict[str, Path], tmp_path: Path) -> None:
    source = folders["three-onnx"]
    config = json.loads((source / "config.json").read_text())
    hot = tmp_path / "hot"
    hot.mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (hot / name).write_bytes((source / name).read_bytes())
    (hot / "config.json").write_text(json.dumps(config | {"temperature": 2.0}))
    want = np.sqrt(table(NLISignal(str(source)), pairs()))
    want /= want.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(table(NLISignal(str(hot)), pairs()), want, atol=1e-6)
    assert NLISignal(str(hot)).fingerprint != NLISignal(str(source)).fingerprint


def test_an_encoder_without_a_classifier_is_refused(tmp_path: Path) -> None:
    folder = save(bert(THREE), tmp_path / "whole")
    config = transformers.AutoConfig.from_pretrained(folder)
    transformers.BertModel(config).save_pretrained(folder)
    with pytest.raises(SignalError, match="no sequence classifier: its weights lack"):
        NLISignal(str(folder)).score(pairs(1))


def test_the_fingerprint_of_a_torch_folder_follows_its_weights_and_precision(tmp_path: Path) -> None:
    one, other = save(bert(THREE, seed=1), tmp_path / "1"), save(bert(THREE, seed=2), tmp_path / "2")
    prints = {
        NLISignal(str(one)).fingerprint,
        NLISignal(str(other)).fingerprint,
        NLISignal(str(one), dtype="bfloat16").fingerprint,
    }
    assert len(prints) == 3
    assert NLISignal(str(one)).fingerprint in prints


UNREACHABLE = """
import sys
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair
from verifier.core.errors import VerifierError
try:
    NLISignal("nobody/no-such-nli-model", revision=sys.argv[1]).score([TextPair("a cat", "a dog")])
except VerifierError as error:
    print(error)
"""


PINNED = "0123456789abcdef" * 2 + "01234567"


@pytest.mark.parametrize(
    ("revision", "message"),
    [
        (
            PINNED,
            (
                f"cannot load NLI model nobody/no-such-nli-model at {PINNED}: "
                "it is not on the hub, or the hub cannot be reached\n"
            ),
        ),
        (
            "v1",
            (
                "NLI model nobody/no-such-nli-model has revision = 'v1', which can move; pin it to a commit, so that "
                "the same text always gets the same report: revision = the 40 digits that the hub shows beside "
                "the model's files\n"
            ),
        ),
    ],
)
def test_an_unreachable_hub_is_one_clear_line(tmp_path: Path, revision: str, message: str) -> None:
    nowhere = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path), "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-c", UNREACHABLE, revision],
        capture_output=True,
        text=True,
        env=nowhere,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == message
    assert done.stderr == ""
