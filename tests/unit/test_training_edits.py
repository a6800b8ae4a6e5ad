"""The edit rules of the training data: each sentence is edited as its rule says, so that the label follows."""

from __future__ import annotations

import random
import re

import pytest

from training.data import Pair, assemble, claim_hash, narrowed
from training.distractors import joined_pairs, with_distractors
from training.edits import BREAKING, KEEPING, names_in, swap_name
from training.synth import edited, sentences_of, without_evidence
from training.vocabulary import OPPOSITES, SYNONYMS, UNITS


def draws(rule, sentence: str, times: int = 40) -> set[str | None]:
    return {rule(sentence, random.Random(seed)) for seed in range(times)}


@pytest.mark.parametrize(
    ("name", "sentence", "possible"),
    [
        ("number respelled", "About 20% of them left.", {"About 20 percent of them left."}),
        ("number respelled", "It cost 5 million dollars.", {"It cost 5,000,000 dollars."}),
        ("number respelled", "It has three doors.", {"It has 3 doors."}),
        ("number respelled", "It seats 1,200 people.", {"It seats 1200 people."}),
        (
            "date respelled",
            "He died on 12 March 1999.",
            {"He died on March 12, 1999.", "He died in March 1999.", "He died in 1999."},
        ),
        ("clause dropped", "In 1999, Bo (an heir) left.", {"Bo (an heir) left.", "In 1999, Bo left."}),
        ("clause dropped", "Bo, who was born in Rome, left the city.", {"Bo left the city."}),
        ("passive", "Ann Lee founded Acme Labs in 1990.", {"Acme Labs was founded by Ann Lee in 1990."}),
        ("passive", "Ann Lee wrote Dark Water.", {"Dark Water was written by Ann Lee."}),
        ("synonym", "The film is long.", {"The movie is long."}),
        ("bound kept", "It has 45 rooms.", {"It has more than 40 rooms.", "It has fewer than 50 rooms."}),
    ],
)  # fmt: skip
def test_a_keeping_edit_says_the_same_or_less(name: str, sentence: str, possible: set[str]) -> None:
    assert draws(KEEPING[name], sentence) == possible


@pytest.mark.parametrize(
    ("name", "sentence", "possible"),
    [
        ("wrong weekday", "It opens on Monday.", None),
        ("negated", "The shop is open.", {"The shop is not open.", "The shop is never open."}),
        ("negated", "The shop is not open.", {"The shop is open."}),
        ("opposite", "All of them stayed.", {"None of them stayed."}),
        ("roles swapped", "Ann Lee defeated Bo Ray.", {"Bo Ray defeated Ann Lee."}),
        ("roles swapped", "Ann Lee was hired by Bo Ray.", {"Bo Ray was hired by Ann Lee."}),
        ("wrong unit", "It took 5 seconds.", {"It took 5 minutes.", "It took 5 hours."}),
        ("bound missed", "It has 45 rooms.", {"It has more than 50 rooms.", "It has fewer than 40 rooms."}),
    ],
)  # fmt: skip
def test_a_breaking_edit_says_something_else(name: str, sentence: str, possible: set[str] | None) -> None:
    found = draws(BREAKING[name], sentence)
    assert sentence not in found
    assert None not in found
    assert possible is None or found == possible


@pytest.mark.parametrize("seed", range(30))
def test_a_wrong_number_is_another_value_of_the_same_form(seed: int) -> None:
    text = BREAKING["wrong number"]("They sold 12,500 books.", random.Random(seed))
    assert text is not None
    value = re.search(r"[\d,]+", text)
    assert value is not None
    assert int(value[0].replace(",", "")) != 12500
    assert f"{int(value[0].replace(',', '')):,}" == value[0]


def test_a_year_is_not_a_number_and_keeps_four_digits() -> None:
    assert draws(BREAKING["wrong number"], "It was built in 1987.") == {None}
    for text in draws(BREAKING["wrong year"], "It was built in 1987."):
        assert text is not None
        assert re.fullmatch(r"It was built in \d{4}\.", text)
        assert "1987" not in text


@pytest.mark.parametrize("name", sorted(BREAKING))
def test_a_rule_without_anything_to_edit_declines(name: str) -> None:
    assert draws(BREAKING[name], "Birds sing.") == {None}


def test_negation_declines_where_the_auxiliary_is_in_a_clause() -> None:
    assert draws(BREAKING["negated"], "The man who was late left.") == {None}


@pytest.mark.parametrize("table", [OPPOSITES, SYNONYMS, UNITS])
def test_no_word_stands_for_itself(table: dict[str, tuple[str, ...]]) -> None:
    assert all(others and word not in others for word, others in table.items())
    assert all(word == word.lower() for word in table)


def test_no_pair_of_words_is_both_synonym_and_opposite() -> None:
    same = {frozenset((word, other.lower())) for word, others in SYNONYMS.items() for other in others}
    against = {frozenset((word, other.lower())) for word, others in OPPOSITES.items() for other in others}
    assert not same & against


def test_a_swapped_name_comes_from_elsewhere() -> None:
    assert names_in("Later Ann Lee met Bo Ray.") == ["Later Ann Lee", "Bo Ray"]
    for seed in range(20):
        text = swap_name("Here Bo Ray sang.", ["Cy Fox", "Bo Ray"], random.Random(seed))
        assert text is not None
        assert "Cy Fox" in text
    assert swap_name("Here Bo Ray sang.", ["Bo Ray"], random.Random(0)) is None


DOCUMENT = [
    "The bridge was built in 1932 by Ann Lee.",
    "It is 450 metres long and very old.",
    "The city closed the road in March 1999.",
]


def test_edited_pairs_hold_the_true_sentence_in_their_premise() -> None:
    for seed in range(30):
        pairs = list(edited(DOCUMENT, 0, ["Cy Fox"], random.Random(seed)))
        assert {pair.label for pair in pairs} <= {"entailment", "contradiction"}
        for pair in pairs:
            assert DOCUMENT[0] in pair.premise
            if pair.label == "contradiction":
                assert pair.hypothesis not in pair.premise


def test_a_claim_without_its_evidence_is_never_called_entailed() -> None:
    for seed in range(30):
        [pair] = without_evidence(DOCUMENT, 0, [], random.Random(seed))
        assert DOCUMENT[0] not in pair.premise
        assert pair.label == "not_entailment"


def test_a_premise_stands_whole_among_its_distractors() -> None:
    joined = {with_distractors("A dog runs", DOCUMENT, random.Random(seed)) for seed in range(20)}
    assert len(joined) == len(DOCUMENT) + 1
    assert all("A dog runs." in text and all(other in text for other in DOCUMENT) for text in joined)


def test_joined_pairs_keep_the_claims_and_labels_of_their_premise() -> None:
    labels = ("entailment", "neutral", "contradiction")
    pairs = [
        Pair(f"Dog number {n} runs over the field.", f"Claim {n} {label}.", label, "snli.dev")
        for n in range(9)
        for label in labels
    ]
    joined = joined_pairs(pairs, 100, seed=3)
    assert len(joined) == 27
    assert len({pair.premise for pair in joined}) == 9
    own = {pair.hypothesis: pair for pair in pairs}
    for pair in joined:
        assert pair.label == own[pair.hypothesis].label
        assert own[pair.hypothesis].premise in pair.premise
        assert len(pair.premise) > len(own[pair.hypothesis].premise)
    assert joined_pairs(pairs, 10, seed=3) == joined[:10]


def test_sentences_that_cannot_stand_alone_are_left_out() -> None:
    assert sentences_of("Yes. The cat sat on the mat. No.") == ["The cat sat on the mat."]


def test_the_same_claim_in_another_spelling_is_held_out() -> None:
    held_out = {claim_hash("The Cat  sat, there")}
    pairs = [Pair("p", "the cat sat there.", "neutral", "s"), Pair("p", "A dog sat there.", "neutral", "s")]
    assert assemble([*pairs, pairs[1], Pair(" ", "Other words here", "neutral", "s")], held_out) == [pairs[1]]


def test_narrowing_keeps_the_sentences_the_claim_speaks_of() -> None:
    filler = [f"Nothing of note happened on day {n} at all." for n in range(30)]
    premise = " ".join([*filler[:15], "Ann Lee built the bridge.", *filler[15:]])
    claims = [f"The bridge was built by Ann Lee in {year}." for year in range(1900, 1940)]
    cut = [narrowed(Pair(premise, claim, "entailment", "s")).premise for claim in claims]
    assert all("Ann Lee built the bridge." in text for text in cut)
    lengths = [len(text.split()) for text in cut]
    assert max(lengths) <= 200
    # Most premises become short, some stay long.
    assert sum(length <= 90 for length in lengths) > sum(length > 90 for length in lengths) > 0
    table = Pair("a | b\n" * 100, "a", "entailment", "s")
    assert narrowed(table) == table
