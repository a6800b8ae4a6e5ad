"""Quotations of a reader: where they are found, whatever typography does to them, and where they are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.readers import Quotation
from verifier.types import Evidence
from verifier.verification.consultation.quotations import located, sentence_of, window_of


def evidence(text: str, name: str = "a.md", start: int = 0) -> Evidence:
    return Evidence(name, name, text, start, start + len(text), 1.0)


FEES = evidence(
    "Fees. The hand\u00adling fee is “5\u00a0EUR” – per order, since 2030. It is never waived.", start=100
)
OTHER = evidence("The library opens at nine.", "b.md")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ('The handling fee is "5 EUR" - per order', "The hand\u00adling fee is “5\u00a0EUR” – per order"),
        ("the HANDLING fee", "The hand\u00adling fee"),
        ("“It is never waived.”", "It is never waived"),
        ("per   order,\nsince", "per order, since"),
        ("…is never waived…", "is never waived"),
    ],
)
def test_typography_and_case_do_not_hide_a_quotation(said: str, found: str) -> None:
    place = located(Quotation(1, said), [FEES, OTHER])
    assert place is not None
    assert place.text == found
    assert FEES.text[place.start - 100 : place.end - 100] == found


@pytest.mark.parametrize(
    "said", ["", " \n", "...", "30", "fee is 6 EUR", "handling fee never waived", "librar"]
)
def test_what_does_not_stand_there_is_not_found(said: str) -> None:
    assert located(Quotation(1, said), [FEES, OTHER]) is None


def test_a_quotation_of_the_wrong_piece_is_found_in_the_right_one() -> None:
    place = located(Quotation(1, "opens at nine"), [FEES, OTHER])
    assert place is not None
    assert place.evidence is OTHER


def test_the_piece_that_is_named_goes_before_the_others() -> None:
    twice = [evidence("It opens at nine.", "a.md"), evidence("It opens at nine.", "b.md")]
    found = [located(Quotation(number, "opens at nine"), twice) for number in (1, 2)]
    assert [place.evidence.doc_id for place in found if place] == ["a.md", "b.md"]


def test_scripts_without_spaces_have_no_words_to_keep_whole() -> None:
    place = located(Quotation(1, "共有二十四个座位"), [evidence("图书馆共有二十四个座位。")])
    assert place is not None
    assert place.text == "共有二十四个座位"


def test_a_quotation_is_shown_with_its_sentence() -> None:
    place = located(Quotation(1, "never waived"), [FEES])
    assert place is not None
    assert sentence_of(place).text == "It is never waived."
    window = window_of(place)
    assert window.start <= place.start
    assert place.end <= window.end


@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=60))
def test_what_is_found_carries_back_to_the_character(before: str, said: str, after: str) -> None:
    item = evidence(before + said + after, start=7)
    place = located(Quotation(1, said), [item])
    if place is not None:
        assert item.text[place.start - 7 : place.end - 7] == place.text
        assert place.text
