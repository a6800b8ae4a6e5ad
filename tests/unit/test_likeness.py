"""Words that say the same though they have nothing in common but their meaning: which, how likely, and which never."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from verifier_backends.encoders.static import StaticEncoder
from verifier_signals.likeness import CUES, Likeness, Weights, are_opposed, cues_of, shipped_weights
from verifier_signals.traceability import TraceabilitySignal
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair

from verifier.config import load
from verifier.core.errors import ConfigError, SignalError
from verifier.factory import build_signals
from verifier.verification.vocabulary import Vocabulary

ENCODER = StaticEncoder()


def score(premise: str, hypothesis: str) -> SignalScore:
    return TraceabilitySignal(vectors=ENCODER.encode).score([TextPair(premise, hypothesis)])[0]


def missing(premise: str, hypothesis: str) -> list[str]:
    return [
        item.claim_value for item in score(premise, hypothesis).findings if item.relation is Relation.ABSENT
    ]


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Forty pigeons were counted on the roof.", "Forty birds were counted on the roof."),
        ("The physicist left the institute in 1998.", "The scientist left the institute in 1998."),
        ("She keeps a laptop in the studio.", "She keeps a computer in the studio."),
        ("The flight to Bergen is included.", "The travel to Bergen is included."),
        ("His mom runs the bakery.", "His mother runs the bakery."),
    ],
)
def test_a_word_is_found_in_one_that_says_the_same(premise: str, hypothesis: str) -> None:
    got = score(premise, hypothesis)
    assert got.outcome is Outcome.CONSISTENT
    assert 0.6 < got.features["coverage"] < 1.0


@pytest.mark.parametrize(
    ("premise", "hypothesis", "word"),
    [
        ("The ferry leaves from the northern pier.", "The ferry leaves from the southern pier.", "southern"),
        ("She won a bronze medal.", "She won a silver medal.", "silver"),
        ("Attendance increases in winter.", "Attendance decreases in winter.", "decreases"),
        ("The museum closes in winter.", "The museum closes in summer.", "summer"),
        ("The patient is alive.", "The patient died.", "died"),
        ("The water was warmed.", "The water was cooled.", "cooled"),
        ("The nurse signs the form.", "The doctor signs the form.", "doctor"),
        ("Birds were counted on the roof.", "Pigeons were counted on the roof.", "Pigeons"),
        ("The report names Orlandsen.", "The report names Havgaard.", "Havgaard"),
        ("The tank holds forty litres.", "The tank holds fifty litres.", "fifty litres"),
    ],
)
def test_what_is_near_and_another_thing_stays_missing(premise: str, hypothesis: str, word: str) -> None:
    assert missing(premise, hypothesis) == [word]


def test_a_word_of_the_evidence_stands_for_one_word_of_the_claim() -> None:
    assert len(missing("Pigeons rest.", "Birds and animals rest.")) == 1


def test_a_match_by_meaning_quotes_both_sides_and_says_so() -> None:
    premise, hypothesis = "Forty pigeons rest on the roof.", "Forty birds rest on the roof."
    found = [item for item in score(premise, hypothesis).findings if item.note]
    assert [(item.claim_value, item.evidence_value) for item in found] == [("birds", "pigeons")]
    assert found[0].evidence_span is not None
    assert premise[slice(*found[0].evidence_span)] == "pigeons"


def test_the_words_beside_it_do_not_change_a_likelihood() -> None:
    (alone,) = Likeness(ENCODER.encode).of(["birds"], frozenset({"pigeons"}))
    likeness = Likeness(ENCODER.encode)
    likeness.of(["towers"], frozenset({"roof", "tower", "counted"}))
    _, among = likeness.of(["rest", "birds"], frozenset({"pigeons", "cathedral", "crane"}))
    assert among["pigeons"] == alone["pigeons"] > 0.5


def test_without_an_encoder_nothing_is_found_by_meaning() -> None:
    pair = TextPair("Forty pigeons rest on the roof.", "Forty birds rest on the roof.")
    assert TraceabilitySignal().score([pair])[0].outcome is Outcome.ABSENT


@pytest.mark.parametrize(
    "vectors",
    [
        lambda words: np.zeros((1, 8), dtype=np.float32),
        lambda words: np.full((len(words), 8), np.nan, dtype=np.float32),
        lambda words: np.zeros(len(words), dtype=np.float32),
    ],
)
def test_an_encoder_that_gives_no_vector_for_a_word_is_a_signal_error(vectors: object) -> None:
    signal = TraceabilitySignal(vectors=vectors)  # type: ignore[arg-type]
    with pytest.raises(SignalError, match="one finite vector"):
        signal.score([TextPair("Forty pigeons rest on the roof.", "Forty birds rest on the roof.")])


def test_a_word_that_the_encoder_does_not_know_is_like_none() -> None:
    def vectors(words: Sequence[str]) -> NDArray[np.float32]:
        return np.zeros((len(words), 4), dtype=np.float32)

    assert Likeness(vectors).of(["birds"], frozenset({"pigeons"})) == [{}]


def test_likelihood_is_what_a_pair_adds_to_a_claim_without_one() -> None:
    weights = Weights((2.0,) + (0.0,) * (len(CUES) - 1), bias=-1.0, least=0.5)
    without, wholly = (weights.likelihood(cues_of("", "", near)) for near in (0.0, 50.0))
    assert without == 0.0
    assert wholly == pytest.approx(1.0)


def test_the_shipped_weights_raise_a_kind_and_lower_its_siblings() -> None:
    told = dict(zip(CUES, shipped_weights().cues, strict=True))
    assert (
        min(told["near"], told["kind"], told["far_kind"])
        > 0
        > max(told["sibling"], told["cousin"], told["wider"])
    )


@pytest.mark.parametrize(("one", "two"), [("rises", "falls"), ("inside", "outside"), ("died", "alive")])
def test_opposites_are_told_apart_in_any_form(one: str, two: str) -> None:
    assert are_opposed(one, two)
    assert are_opposed(two, one)


@pytest.mark.parametrize(("encoder", "found"), [("static", True), (False, False), ({"type": "static"}, True)])
def test_the_encoder_is_named_in_the_configuration(encoder: object, found: bool) -> None:
    settings = load().settings.model_copy(update={"signals": {"traceability": {"encoder": encoder}}})
    (signal,) = build_signals(settings, Vocabulary())
    assert (
        signal.score([TextPair("Pigeons rest.", "Birds rest.")])[0].outcome is Outcome.CONSISTENT
    ) is found


def test_by_default_no_encoder_is_asked() -> None:
    settings = load().settings.model_copy(update={"signals": {"traceability": True}})
    (signal,) = build_signals(settings, Vocabulary())
    assert signal.score([TextPair("Pigeons rest.", "Birds rest.")])[0].outcome is Outcome.ABSENT


def test_an_encoder_of_a_signal_that_has_none_is_refused() -> None:
    settings = load().settings.model_copy(update={"signals": {"number": {"encoder": "static"}}})
    with pytest.raises(ConfigError, match=r"signals.number.encoder"):
        build_signals(settings, Vocabulary())
