"""The NLI model in the package: small, whole, described, and right about plain cases."""

from __future__ import annotations

from pathlib import Path

import pytest
from verifier_signals.nli import NLISignal
from verifier_signals.types import TextPair

from verifier.core.models import ModelFolder, embedded_model

FOLDER = embedded_model("verifier_signals", "nli")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="this installation has no embedded NLI model")

FACTS = [
    ("The museum opened in 1932 in Oslo.", "The museum opened in 1932."),
    ("Customers may return goods within 30 days of purchase.", "Goods may be returned within 30 days."),
    ("The company employs 200 people in Berlin.", "The company employs people in Berlin."),
    ("Water boils at 100 degrees Celsius at sea level.", "At sea level water boils at 100 degrees Celsius."),
]


@pytest.fixture(scope="module")
def folder() -> ModelFolder:
    assert FOLDER is not None
    return FOLDER


@pytest.fixture(scope="module")
def signal() -> NLISignal:
    return NLISignal(cache_size=0)


def supports(signal: NLISignal, pairs: list[tuple[str, str]]) -> list[float]:
    scores = signal.score([TextPair(*pair) for pair in pairs])
    return [score.support for score in scores if score.support is not None]


def test_it_is_under_thirty_megabytes(folder: ModelFolder) -> None:
    assert sum(path.stat().st_size for path in folder.path.rglob("*") if path.is_file()) < 30e6


def test_its_weights_are_those_that_were_exported(folder: ModelFolder) -> None:
    assert folder.fingerprint() == folder.config["fingerprint"]
    assert folder.config["labels"] == ["entailment", "neutral", "contradiction"]


def test_its_card_names_every_set_with_its_licence(folder: ModelFolder) -> None:
    card = (folder.path / "CARD.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in card.split("## Trained on")[1].splitlines() if line.startswith("| ")][
        1:
    ]
    assert len(rows) > 30
    assert all(row[4].strip()[:2] in ("P ", "U ") for row in rows)
    assert "Where it fails" in card


def test_what_the_premise_says_is_supported_more_than_what_it_does_not(signal: NLISignal) -> None:
    premises, claims = zip(*FACTS, strict=True)
    own = supports(signal, list(zip(premises, claims, strict=True)))
    others = supports(signal, list(zip(premises, [*claims[1:], claims[0]], strict=True)))
    assert min(own) > 0.5
    assert max(others) < 0.2


def test_a_pair_does_not_depend_on_its_batch(signal: NLISignal) -> None:
    together = supports(signal, FACTS)
    assert together == pytest.approx([supports(signal, [pair])[0] for pair in FACTS], abs=1e-4)


def test_a_pair_does_not_depend_on_what_was_read_before(signal: NLISignal) -> None:
    pairs = [(premise, claim) for premise, _ in FACTS for _, claim in FACTS]
    fresh = [supports(NLISignal(cache_size=0), [pair])[0] for pair in pairs[:3]]
    assert supports(signal, pairs) == supports(signal, pairs[::-1])[::-1]
    assert supports(signal, pairs)[:3] == fresh


def test_an_entailment_is_not_lost_in_a_long_premise(signal: NLISignal) -> None:
    for premise, claim in FACTS:
        others = " ".join(other for other, _ in FACTS if other != premise)
        [alone, among] = supports(signal, [(premise, claim), (f"{others} {premise} {others}", claim)])
        assert alone > 0.5
        assert among > 0.5


def test_the_packaged_folder_holds_nothing_else(folder: ModelFolder) -> None:
    names = {path.name for path in Path(folder.path).iterdir()}
    graphs = {path.name for path in folder.graphs}
    assert graphs in ({"model.onnx"}, {"encoder.onnx", "joint.onnx"})
    assert names == graphs | {"tokenizer.json", "config.json", "CARD.md"}
