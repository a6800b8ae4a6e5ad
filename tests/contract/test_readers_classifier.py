"""The embedded and the classifying reader under the shipped contract, over models of two and three classes."""

from __future__ import annotations

import inspect
import math
from pathlib import Path
from typing import ClassVar

import pytest
from verifier_signals.nli import NLISignal
from verifier_signals.nli.export import export

from verifier.core.errors import ConfigError
from verifier.readers import Answer, Case, Piece, Reader, Reading, State
from verifier.readers.classifier import ClassifierReader, EmbeddedReader
from verifier.readers.testing import SAMPLE_CASES, ReaderContract

THREE = ("contradiction", "entailment", "neutral")
OPENING = Piece("The old bridge was opened in 1932.", "bridges.md > The old bridge")


class TestEmbeddedReader(ReaderContract):
    def make_reader(self) -> Reader:
        return EmbeddedReader()

    def test_it_says_what_a_plain_text_says(self) -> None:
        claims = ("The old bridge was opened in 1932.", "The old bridge was never opened.", "Ann sells tea.")
        readings = self.make_reader().read([Case(claim, (OPENING,)) for claim in claims])
        assert [reading.answer for reading in readings] == [
            Answer.SUPPORTED,
            Answer.CONTRADICTED,
            Answer.NOT_FOUND,
        ]
        assert [reading.pieces for reading in readings] == [(1,), (1,), ()]

    def test_a_script_that_it_does_not_know_is_declined_with_the_reason(self) -> None:
        [reading] = self.make_reader().read([SAMPLE_CASES[4]])
        assert (reading.state, reading.answer, reading.probabilities) == (State.ABSTAINED, None, None)
        assert "Han script" in reading.note

    def test_a_piece_that_it_cannot_read_is_named_beside_what_the_others_say(self) -> None:
        pieces = (Piece("图书馆每天九点开门，共有二十四个座位。"), OPENING)
        [reading] = self.make_reader().read([Case("The old bridge was opened in 1932.", pieces)])
        assert (reading.answer, reading.pieces) == (Answer.SUPPORTED, (2,))
        assert reading.note.startswith("piece 1 was not read: ")

    def test_the_place_of_a_piece_is_read_with_it_and_alone_says_nothing(self) -> None:
        claim = "The Tallow Mill was sold for 40,000 crowns."
        told = Piece("It was sold for 40,000 crowns.", "mills.md > The Tallow Mill")
        bare = Piece(told.text)
        empty = Piece(" \n", claim)
        readings = self.make_reader().read([Case(claim, (piece,)) for piece in (told, bare, empty)])
        chances = [(reading.probabilities or {})[Answer.SUPPORTED] for reading in readings]
        assert chances[0] > chances[1] > chances[2] == 0.0


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Tiny models with random weights, as ONNX exports: of three classes, and of two."""
    pytest.importorskip("torch")
    from benchmarks.random_models import make

    root = tmp_path_factory.mktemp("models")
    for name, labels in (("three", THREE), ("two", ("not_entailment", "entailment"))):
        export(make("bert", root / "torch" / name, labels=labels), root / name)
    return {name: root / name for name in ("three", "two")}


class OverModels(ReaderContract):
    """The contract over one of the tiny models, which pytest hands to every test."""

    name: ClassVar[str]

    @pytest.fixture(autouse=True)
    def _models(self, models: dict[str, Path]) -> None:
        self.models = models

    def make_reader(self) -> Reader:
        return ClassifierReader(str(self.models[self.name]))

    def make_failing_reader(self) -> Reader | None:
        """The model with another number of labels than it has outputs, which shows when it has read a pair."""
        labels = ("entailment", "not_entailment") if self.name == "three" else THREE
        return ClassifierReader(str(self.models[self.name]), labels=labels)


class TestThreeClasses(OverModels):
    name = "three"

    def test_one_piece_has_the_models_own_probabilities(self) -> None:
        claim = "the cat sat on the red mat"
        piece = Piece("the cat ran on the mat")
        [reading] = self.make_reader().read([Case(claim, (piece,))])
        [score] = NLISignal(str(self.models["three"])).score([(piece.text, claim)])
        assert reading.probabilities is not None
        said = {
            Answer.SUPPORTED: score.features["entailment"],
            Answer.CONTRADICTED: score.features["contradiction"],
            Answer.NOT_FOUND: score.features["neutral"],
        }
        assert all(math.isclose(reading.probabilities[key], said[key], abs_tol=1e-6) for key in Answer)

    def test_the_strongest_piece_counts_and_the_formula_is_the_documented_one(self) -> None:
        claim = "the cat sat on the red mat"
        texts = ("the dog ran", "two red mat is not a dog", "the cat sat on the red mat", "a cat is on a mat")
        [reading] = self.make_reader().read([Case(claim, tuple(map(Piece, texts)))])
        scores = NLISignal(str(self.models["three"])).score([(text, claim) for text in texts])
        e, c = (max(score.features[name] for score in scores) for name in ("entailment", "contradiction"))
        n = min(score.features["neutral"] for score in scores)
        assert reading.probabilities is not None
        assert math.isclose(reading.probabilities[Answer.SUPPORTED], e / (e + c + n), abs_tol=1e-6)
        assert math.isclose(reading.probabilities[Answer.NOT_FOUND], n / (e + c + n), abs_tol=1e-6)
        if reading.answer is not Answer.NOT_FOUND:
            name = "entailment" if reading.answer is Answer.SUPPORTED else "contradiction"
            best = max(range(len(scores)), key=lambda at: scores[at].features[name])
            assert reading.pieces[0] == best + 1


class TestTwoClasses(OverModels):
    name = "two"

    def test_it_never_says_contradicted(self) -> None:
        readings = self.make_reader().read(SAMPLE_CASES)
        assert all(
            _chance(reading, Answer.CONTRADICTED) == 0.0 for reading in readings if reading.probabilities
        )
        assert Answer.CONTRADICTED not in {reading.answer for reading in readings}


def test_a_classifier_takes_the_options_of_the_nli_signal_and_needs_a_model() -> None:
    own, other = (inspect.signature(cls).parameters for cls in (ClassifierReader, NLISignal))
    assert own.keys() == other.keys()
    for name in own.keys() - {"model"}:
        assert (own[name].default, own[name].kind) == (other[name].default, other[name].kind)
    assert own["model"].default is inspect.Parameter.empty
    with pytest.raises(ConfigError, match="needs a model"):
        ClassifierReader("")


def test_what_is_wrong_with_the_configuration_is_raised_and_a_missing_model_is_a_failed_reading(
    tmp_path: Path,
) -> None:
    with pytest.raises(ConfigError, match="no model folder"):
        ClassifierReader(str(tmp_path / "nowhere")).read(SAMPLE_CASES)
    with pytest.raises(ConfigError, match="known: auto"):
        ClassifierReader(str(tmp_path), engine="tensorflow").read(SAMPLE_CASES)  # type: ignore[arg-type]


def _chance(reading: Reading, answer: Answer) -> float:
    return (reading.probabilities or {})[answer]
