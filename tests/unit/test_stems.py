"""Keys of content words: one for all forms, derivations and spellings of a word."""

from __future__ import annotations

import pytest
from verifier_signals.lexicon import common_words, senses_of
from verifier_signals.spelling import one_spelling
from verifier_signals.stems import lemma, word_key


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("children", "child"),
        ("mice", "mouse"),
        ("criteria", "criterion"),
        ("wives", "wife"),
        ("ferries", "ferry"),
        ("boxes", "box"),
        ("houses", "house"),
        ("women", "woman"),
        ("rides", "ride"),
        ("wines", "wine"),
        ("planes", "plane"),
        ("hopes", "hope"),
        ("goes", "go"),
        ("watches", "watch"),
        ("codes", "code"),
        ("statuses", "status"),
        ("heavier", "heavy"),
        ("cheapest", "cheap"),
        ("worst", "bad"),
        ("went", "go"),
        ("written", "write"),
    ],
)
def test_an_inflected_form_has_the_lemma_of_its_base(form: str, base: str) -> None:
    assert lemma(form) == base
    assert word_key(form) == word_key(base) != ""


@pytest.mark.parametrize(
    "word", ["status", "crisis", "series", "species", "glass", "famous", "number", "owner", "abdomen"]
)
def test_a_word_that_only_ends_like_an_inflection_is_its_own_lemma(word: str) -> None:
    assert lemma(word) == word


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("colour", "color"),
        ("neighbouring", "neighboring"),
        ("favourite", "favorite"),
        ("labourers", "laborers"),
        ("organised", "organized"),
        ("privatisation", "privatization"),
        ("analysing", "analyzing"),
        ("centres", "center"),
        ("theatre", "theaters"),
        ("travelled", "traveled"),
        ("licences", "license"),
        ("programmes", "program"),
        ("catalogue", "catalogs"),
        ("paediatricians", "pediatrician"),
        ("archaeology", "archeology"),
        ("foetus", "fetus"),
        ("aluminium", "aluminum"),
        ("fulfilled", "fulfill"),
        ("judgement", "judgment"),
        ("instalments", "installment"),
    ],
)
def test_british_and_american_spelling_have_one_key(british: str, american: str) -> None:
    assert word_key(british) == word_key(american)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("four", "for"),
        ("prise", "prize"),
        ("timbre", "timber"),
        ("scourer", "scorer"),
        ("poet", "pet"),
        ("organ", "organise"),
        ("number", "numb"),
        ("colour", "cooler"),
        ("rates", "rat"),
        ("codes", "cod"),
    ],
)
def test_words_that_differ_keep_their_own_keys(one: str, two: str) -> None:
    assert word_key(one) != word_key(two)


def test_no_spelling_rule_makes_one_of_two_words_of_the_language() -> None:
    known = {
        "defence",
        "draught",
        "instalment",
        "mitre",
        "colour",
    }  # one word, though WordNet keeps them apart
    merged = {
        word
        for word in common_words()
        if (spelt := one_spelling(word)) != word
        and spelt in common_words()
        and senses_of(word)
        and senses_of(spelt)
        and not senses_of(word) & senses_of(spelt)
    }
    assert merged <= known


@pytest.mark.parametrize(
    ("noun", "verb"),
    [("colour", "colourise"), ("system", "systemize"), ("woman", "womanise"), ("class", "classify")],
)
def test_a_noun_does_not_take_the_key_of_a_verb_made_of_it(noun: str, verb: str) -> None:
    assert word_key(noun) != word_key(verb)
