"""The NLI signal's plumbing over a graph written by hand: it looks for the words YES and NO, and needs no torch."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import verifier_signals.nli.opening
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from verifier_signals.base import Signal
from verifier_signals.nli import NLIScorer, NLISignal
from verifier_signals.nli.kinds import label_order, probabilities
from verifier_signals.nli.loaded import input_limit
from verifier_signals.nli.windows import gathered_spans, pieces_of, window_spans
from verifier_signals.testing import SignalContract
from verifier_signals.types import Outcome, Relation, TextPair

from verifier.core.errors import ConfigError, SignalError
from verifier.core.models import open_model_folder
from verifier.core.recent import RecentlyUsed, digest

VOCABULARY = {word: at for at, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "yes", "no", "lo"])}
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
for mark in [*LETTERS, *(f"##{letter}" for letter in LETTERS), *".,!?|-:%$()"]:
    VOCABULARY[mark] = len(VOCABULARY)


def write_tokenizer(path: Path) -> None:
    """Word pieces down to single letters: every English word is known, nothing else is."""
    tokenizer = Tokenizer(models.WordPiece(VOCABULARY, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    tokenizer.save(str(path))


def write_graph(path: Path) -> None:
    """Logits (entailment, neutral, contradiction) = (4 if YES occurs, 2, 4 if NO occurs)."""

    def number(name: str, value: Any, kind: int, shape: tuple[int, ...]) -> onnx.TensorProto:
        return helper.make_tensor(name, kind, shape, value)

    def occurs(word: str) -> list[onnx.NodeProto]:
        return [
            helper.make_node("Equal", ["input_ids", f"{word}_id"], [f"{word}_at"]),
            helper.make_node("Cast", [f"{word}_at"], [f"{word}_float"], to=TensorProto.FLOAT),
            helper.make_node("ReduceMax", [f"{word}_float"], [f"{word}_any"], axes=[1], keepdims=1),
            helper.make_node("Mul", [f"{word}_any", "four"], [f"{word}_logit"]),
        ]

    nodes = [
        *occurs("yes"),
        *occurs("no"),
        helper.make_node("Mul", ["yes_any", "zero"], ["none"]),
        helper.make_node("Add", ["none", "two"], ["neutral_logit"]),
        helper.make_node("Concat", ["yes_logit", "neutral_logit", "no_logit"], ["logits"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "yes-no",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["b", "t"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", 3])],
        [
            number("yes_id", [VOCABULARY["yes"]], TensorProto.INT64, (1,)),
            number("no_id", [VOCABULARY["no"]], TensorProto.INT64, (1,)),
            number("zero", [0.0], TensorProto.FLOAT, (1,)),
            number("two", [2.0], TensorProto.FLOAT, (1,)),
            number("four", [4.0], TensorProto.FLOAT, (1,)),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("yes-no")
    write_graph(path / "model.onnx")
    write_tokenizer(path / "tokenizer.json")
    config = {"labels": ["entailment", "neutral", "contradiction"], "max_length": 64}
    (path / "config.json").write_text(json.dumps(config))
    return path


@pytest.fixture
def signal(folder: Path) -> NLISignal:
    return NLISignal(str(folder), threads=1)


def softmax(*logits: float) -> list[float]:
    weights = [math.exp(logit) for logit in logits]
    return [weight / sum(weights) for weight in weights]


@pytest.mark.parametrize(
    ("premise", "outcome", "logits"),
    [
        ("yes", Outcome.CONSISTENT, (4, 2, 0)),
        ("no", Outcome.CONFLICTING, (0, 2, 4)),
        ("hm", Outcome.ABSENT, (0, 2, 0)),
        ("yes and no", Outcome.CONFLICTING, (4, 2, 4)),
    ],
)
def test_outcome_is_the_likeliest_class_and_a_tie_speaks_against(
    signal: NLISignal, premise: str, outcome: Outcome, logits: tuple[float, ...]
) -> None:
    (score,) = signal.score([TextPair(premise, "a claim")])
    assert score.outcome is outcome
    assert list(score.features.values()) == pytest.approx(softmax(*logits), abs=1e-7)
    assert score.support == score.features["entailment"]
    assert score.findings == ()


@pytest.mark.parametrize("decisive", [0, 17, 39])
@pytest.mark.parametrize(("word", "outcome"), [("yes", Outcome.CONSISTENT), ("no", Outcome.CONFLICTING)])
def test_a_long_premise_scores_as_its_decisive_sentence(
    signal: NLISignal, decisive: int, word: str, outcome: Outcome
) -> None:
    sentences = [f"Lo {'abc'[i % 3]}{i} lo." for i in range(40)]
    sentences[decisive] = f"It is {word} lo."
    (whole,) = signal.score([TextPair(" ".join(sentences), "a b")])
    (alone,) = signal.score([TextPair(sentences[decisive], "a b")])
    kind = "entailment" if word == "yes" else "contradiction"
    assert whole.outcome is alone.outcome is outcome
    assert whole.features[kind] == alone.features[kind] == pytest.approx(0.867, abs=1e-3)
    assert whole.features["neutral"] == alone.features["neutral"]


def test_a_long_premise_that_disagrees_with_itself_shows_both(signal: NLISignal) -> None:
    premise = "It is yes. " + "Lo lo lo. " * 40 + "It is no."
    (score,) = signal.score([TextPair(premise, "a b")])
    assert list(score.features.values()) == pytest.approx([0.867, 0.117, 0.867], abs=1e-3)
    assert score.outcome is Outcome.CONFLICTING


def test_a_sentence_longer_than_the_model_is_read_to_its_end(signal: NLISignal) -> None:
    (score,) = signal.score([TextPair("lo " * 500 + "yes", "a b")])
    assert score.outcome is Outcome.CONSISTENT


def test_a_claim_too_long_for_the_model_is_announced_and_not_cut(signal: NLISignal) -> None:
    claim = "yes " * 60
    (score,) = signal.score([TextPair("lo " * 30, claim)])
    assert (score.outcome, score.support) == (Outcome.ABSENT, 0.0)
    (finding,) = score.findings
    assert (finding.kind, finding.relation) == ("unread", Relation.ABSENT)
    assert "too long for the NLI model, which reads 64 tokens" in finding.note


def test_a_claim_of_unknown_words_is_announced(signal: NLISignal) -> None:
    premise = "Yes, the library opens at nine."
    scores = signal.score([TextPair(premise, "图书馆九点开门。"), TextPair("图书馆九点开门。", premise)])
    assert [score.outcome for score in scores] == [Outcome.ABSENT] * 2
    assert ["claim" in scores[0].findings[0].note, "evidence" in scores[1].findings[0].note] == [True, True]


def test_text_that_looks_like_a_special_token_is_text(signal: NLISignal) -> None:
    tokenizer = signal._loaded.tokenizer
    premise, hypothesis = tokenizer.encode(["a [SEP] yes [CLS]", "b"])
    ids = tokenizer.join(premise, hypothesis).input_ids.tolist()
    assert ids.count(VOCABULARY["[SEP]"]) == 2
    assert ids.count(VOCABULARY["[CLS]"]) == 1


def test_what_is_blank_is_never_consistent(signal: NLISignal) -> None:
    scores = signal.score([TextPair("yes", " "), TextPair("…", "yes"), TextPair("", "")])
    assert [score.outcome for score in scores] == [
        Outcome.NOT_APPLICABLE,
        Outcome.ABSENT,
        Outcome.NOT_APPLICABLE,
    ]


def count_runs(signal: NLISignal, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many inputs the model has read since."""
    classifier: Any = signal._loaded.classifier
    runs: list[int] = []
    original = classifier._run
    monkeypatch.setattr(classifier, "_run", lambda pair: runs.append(1) or original(pair))
    return lambda: len(runs)


def test_a_pair_is_read_once(signal: NLISignal, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = count_runs(signal, monkeypatch)
    pair, other = TextPair("yes", "a"), TextPair("a", "yes")
    first = signal.score([pair, other, pair])
    assert runs() == 2
    assert signal.score([pair]) == [first[0]] == [first[2]]
    assert runs() == 2


def test_without_a_cache_a_pair_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    signal = NLISignal(str(folder), threads=1, cache_size=0)
    runs = count_runs(signal, monkeypatch)
    signal.score([TextPair("yes", "a")])
    signal.score([TextPair("yes", "a")])
    assert runs() == 2


def test_the_cache_lets_go_of_what_was_not_used_longest() -> None:
    cache: RecentlyUsed[int] = RecentlyUsed(2)
    one, two, three = (digest(*TextPair(str(i), "")) for i in range(3))
    cache.update([(one, 1), (two, 2)])
    assert cache.get(one) == 1
    cache.update([(three, 3)])
    assert (cache.get(one), cache.get(two), cache.get(three), len(cache)) == (1, None, 3, 2)


def test_the_cache_tells_pairs_apart_that_join_to_the_same_text() -> None:
    cache: RecentlyUsed[int] = RecentlyUsed(8)
    cache.update([(digest(*TextPair("ab", "c")), 1), (digest(*TextPair("a", "bc")), 2)])
    assert (cache.get(digest(*TextPair("ab", "c"))), cache.get(digest(*TextPair("a", "bc")))) == (1, 2)


def test_no_model_is_said_before_and_refused_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier_signals.nli.opening, "embedded_model", lambda package, name: None)
    signal = NLISignal()
    assert (signal.available, signal.fingerprint, signal.score([])) == (False, "none", [])
    with pytest.raises(SignalError, match="no NLI model: this installation has none embedded"):
        signal.score([TextPair("a", "b")])


def test_the_embedded_model_reads_only_latin_script(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded = open_model_folder(folder)
    monkeypatch.setattr(verifier_signals.nli.opening, "embedded_model", lambda package, name: embedded)
    signal = NLISignal()
    (score,) = signal.score([TextPair("yes", "Билет не стоит 500 ₽.")])
    assert signal.available
    assert score.outcome is Outcome.ABSENT
    assert "Cyrillic script" in score.findings[0].note


def test_the_fingerprint_names_the_weights_and_what_else_moves_scores(folder: Path) -> None:
    first = NLISignal(str(folder)).fingerprint
    weights, _ = first.split("-")
    shorter = NLISignal(str(folder), max_tokens=32).fingerprint
    relabelled = NLISignal(str(folder), labels=["contradiction", "neutral", "entailment"]).fingerprint
    assert NLISignal(str(folder), threads=2, cache_size=1).fingerprint == first
    assert shorter.startswith(weights)
    assert relabelled.startswith(weights)
    assert len({first, shorter, relabelled}) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "tensorflow"}, "known: auto, onnx, transformers"),
        ({"threads": 0}, "threads = 0"),
        ({"device": "cuda"}, "device of the NLI signal is for engine transformers"),
        ({"max_tokens": 65}, "max_tokens = 65 of the NLI model: expected 8 to 64"),
        ({"labels": ["entailment", "neutral"]}, "labels="),
    ],
)
def test_wrong_options_are_one_clear_line(folder: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        NLISignal(str(folder), **options).score([TextPair("a", "b")])


@pytest.mark.parametrize("engine", ["auto", "onnx"])
def test_a_folder_that_is_not_there_is_named(tmp_path: Path, engine: Any) -> None:
    with pytest.raises(ConfigError, match=r"no model folder at .*nowhere"):
        NLISignal(str(tmp_path / "nowhere"), engine=engine).score([TextPair("a", "b")])


def test_labels_that_are_not_as_many_as_outputs_are_refused(folder: Path) -> None:
    signal = NLISignal(str(folder), labels=["entailment", "not_entailment"])
    with pytest.raises(SignalError, match="3 outputs but 2 labels"):
        signal.score([TextPair("a", "b")])


def test_scorer_is_the_name_of_the_first_design() -> None:
    assert NLIScorer is NLISignal


@pytest.mark.parametrize(
    ("config", "order"),
    [
        (
            {"id2label": {"2": "neutral", "0": "Entailment", "1": "CONTRADICTION"}},
            ("entailment", "contradiction", "neutral"),
        ),
        ({"id2label": {0: "entailment", 1: "not-entailment"}}, ("entailment", "not_entailment")),
        ({"labels": ["neutral", "entails", "contradicts"]}, ("neutral", "entailment", "contradiction")),
        (
            {"id2label": {str(i): f"{name}" for i, name in enumerate(["non_entailment", "entailment"])}},
            ("not_entailment", "entailment"),
        ),
    ],
)
def test_label_order_is_read_from_the_configuration(config: dict[str, Any], order: tuple[str, ...]) -> None:
    assert label_order(config, None, "m") == order


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}},
        {"id2label": {"0": "positive", "1": "negative"}},
        {"labels": ["entailment", "entailment", "neutral", "contradiction"]},
        {"id2label": {"a": "x"}},
    ],
)
def test_labels_that_say_nothing_are_asked_for(config: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"model m names its outputs .*labels="):
        label_order(config, None, "m")


@given(st.lists(st.tuples(*[st.integers(-50, 50)] * 3), min_size=1, max_size=5), st.floats(0.1, 10))
def test_probabilities_are_a_distribution_and_permute_with_the_labels(
    rows: list[tuple[int, int, int]], temperature: float
) -> None:
    logits = np.array(rows, dtype=np.float32)
    straight = probabilities(logits, ("entailment", "neutral", "contradiction"), temperature)
    turned = probabilities(logits[:, ::-1], ("contradiction", "neutral", "entailment"), temperature)
    np.testing.assert_allclose(straight.sum(axis=1), 1.0)
    assert (
        np.take_along_axis(straight, logits.argmax(axis=1)[:, None], axis=1)[:, 0] == straight.max(axis=1)
    ).all()
    np.testing.assert_allclose(straight, turned)


@pytest.mark.parametrize(
    ("config", "asked", "limit"),
    [
        ({}, None, 512),
        ({"labels": [], "max_length": 256, "max_position_embeddings": 512}, None, 256),
        ({"max_length": 20, "max_position_embeddings": 512}, None, 512),
        ({"max_position_embeddings": 8192}, None, 8192),
        ({"max_position_embeddings": 8192}, 1024, 1024),
        ({"max_position_embeddings": 514, "model_type": "roberta", "pad_token_id": 1}, None, 512),
        ({"max_position_embeddings": 130, "model_type": "roberta", "pad_token_id": 1}, None, 128),
    ],
)
def test_input_limit_follows_the_model(config: dict[str, Any], asked: int | None, limit: int) -> None:
    assert input_limit(config, asked) == limit


def word_offsets(text: str) -> list[tuple[int, int]]:
    spans, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        spans.append((at, at + len(word)))
        at += len(word)
    return spans


@given(st.text(alphabet="ab. \n!", max_size=400), st.integers(1, 30))
def test_windows_cover_every_token_within_the_budget_and_move_on(text: str, budget: int) -> None:
    offsets = word_offsets(text)
    spans = window_spans(pieces_of(text, offsets, budget), budget)
    inside = [{i for i, (a, b) in enumerate(offsets) if start <= a and b <= end} for start, end in spans]
    assert set().union(*inside) == set(range(len(offsets)))
    assert all(0 < len(tokens) <= budget for tokens in inside)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(spans))


def test_windows_end_with_sentences_and_share_some() -> None:
    rng = random.Random(0)
    text = " ".join("Word " + "x " * rng.randint(1, 4) + "end." for _ in range(60))
    spans = window_spans(pieces_of(text, word_offsets(text), 40), 40)
    windows = [text[start:end] for start, end in spans]
    assert len(windows) > 3
    assert all(window.startswith("Word") and window.endswith("end.") for window in windows)
    assert all(two[0] < one[1] for one, two in pairwise(spans))


@given(st.text(alphabet="ab. \n!", max_size=400), st.text(alphabet="ab ", max_size=9), st.integers(1, 30))
def test_what_is_gathered_fits_the_budget_and_keeps_the_order(text: str, claim: str, budget: int) -> None:
    offsets = word_offsets(text)
    spans = gathered_spans(text, pieces_of(text, offsets, budget), claim, budget)
    assert sum(start <= a and b <= end for start, end in spans for a, b in offsets) <= budget
    assert all(one[1] <= two[0] for one, two in pairwise(spans))


def test_far_apart_sentences_are_gathered_and_rare_words_weigh_most() -> None:
    filler = "The harbour is open to ships. " * 40
    text = (
        f"The harbour was dredged by Vestergaard Marine. {filler}Vestergaard Marine has its seat in Aarhus."
    )
    pieces = pieces_of(text, word_offsets(text), 15)
    spans = gathered_spans(text, pieces, "The harbour's dredger Vestergaard sits in Aarhus.", 15)
    assert [text[start:end] for start, end in spans] == [
        "The harbour was dredged by Vestergaard Marine.",
        "Vestergaard Marine has its seat in Aarhus.",
    ]


class TestContract(SignalContract):
    """The shipped contract over the hand-written model, which reads but 64 tokens."""

    tolerance = 1e-4
    names_values = False

    @pytest.fixture(autouse=True)
    def _model(self, folder: Path) -> None:
        self.folder = folder

    def make_signal(self) -> Signal:
        return NLISignal(str(self.folder), threads=2)

    def applicable_pair(self) -> TextPair:
        return TextPair("It is yes.", "A claim.")
