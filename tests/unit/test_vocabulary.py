"""Rarity blends the knowledge base with general English, so that a small one does not wag it."""

from __future__ import annotations

import pytest

from verifier.verification.background import passage_share
from verifier.verification.retrieve import GivenTexts
from verifier.verification.vocabulary import Vocabulary

SMALL = GivenTexts.of(
    "The ferry leaves the harbour at noon. The harbour is dredged twice a year. Seals rest in the harbour."
)
LARGE = GivenTexts.of(" ".join(["The ferry takes people to the harbour."] * 4000 + ["A seal was seen."]))


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary()


def test_a_word_of_every_day_is_less_rare_than_one_that_few_texts_hold(vocabulary: Vocabulary) -> None:
    with vocabulary.over(SMALL, "default"):
        people, dredged, unheard = vocabulary.rarity(["people", "dredged", "zorvanite"])
    assert people < 0.5 < dredged <= unheard == 1.0


def test_three_sentences_of_a_small_knowledge_base_do_not_make_a_word_common(vocabulary: Vocabulary) -> None:
    with vocabulary.over(SMALL, "default"):
        assert vocabulary.rarity(["harbour"])[0] > 0.6


def test_in_a_large_knowledge_base_its_own_counts_decide(vocabulary: Vocabulary) -> None:
    with vocabulary.over(LARGE, "default"):
        harbour, seal = vocabulary.rarity(["harbour", "seal"])
    assert harbour < 0.1 < 0.7 < seal


def test_without_a_knowledge_base_every_word_is_rare_and_known(vocabulary: Vocabulary) -> None:
    assert vocabulary.rarity(["people", "zorvanite"]) == [1.0, 1.0]
    assert vocabulary.strangeness(["people", "zorvanite"]) == [0.0, 0.0]


def test_the_lack_of_a_common_word_tells_nothing_and_that_of_a_name_all(vocabulary: Vocabulary) -> None:
    with vocabulary.over(SMALL, "default"):
        strange = vocabulary.strangeness(["Followed", "Zorvan Ekholm", "1894", "harbour"])
    assert strange[0] < 0.01
    assert strange[1:] == [1.0, 1.0, 0.0]


def test_inflections_are_as_common_as_their_word() -> None:
    assert passage_share("followed") == passage_share("follow") > 0
    assert passage_share("zorvanite") == 0.0


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Tarn & Gill", True),
        ("Tarn + Gill", True),
        ("Tarn / Gill", True),
        ("Tarn – Gill", True),
        ("Gill's Tarn", True),
        ("Tarn & Moss", False),
        ("& Tarn Moss", False),
        ("&", False),
    ],
)
def test_marks_between_the_words_of_a_name_are_no_words_of_it(
    vocabulary: Vocabulary, name: str, known: bool
) -> None:
    texts = GivenTexts.of("Tarn & Gill make rope. Gill's brother left the firm of Tarn.")
    with vocabulary.over(texts, "default"):
        assert vocabulary.mentions([name]) == [known]
