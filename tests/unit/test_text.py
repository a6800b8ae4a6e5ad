"""Folding with its way back, words, scripts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.core.text import folded, normalise, unreadable_script, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("“30 days”", '"30 DAYS"'),
        ("it’s", "it's"),
        ("5–10", "5-10"),
        ("a\u00a0b", "a  b"),
        ("ﬁne", "fine"),
        ("café", "cafe\u0301"),
        ("soft\u00adware", "software"),
        ("２０％", "20%"),
        ("STRASSE", "straße"),
    ],
)
def test_forms_of_one_text_fold_to_the_same(one: str, other: str) -> None:
    assert normalise(one).text == normalise(other).text


@pytest.mark.parametrize(("one", "other"), [("10²", "102"), ("1½", "11/2"), ("H₂O", "H2O"), ("30", "31")])
def test_other_numbers_stay_other_numbers(one: str, other: str) -> None:
    assert normalise(one).text != normalise(other).text


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=100) | st.text(max_size=100))
def test_a_text_is_folded_as_it_is_normalised(text: str) -> None:
    assert folded(text) == normalise(text).text


@given(st.text(alphabet=st.characters(), max_size=100))
def test_every_folded_character_leads_back_in_order(text: str) -> None:
    made = normalise(text)
    assert len(made.text) == len(made.starts) == len(made.ends)
    assert list(made.starts) == sorted(made.starts)
    for at in range(len(made.text)):
        start, end = made.span(at, at + 1)
        assert 0 <= start < end <= len(text)
        assert (
            normalise(text[start:end]).text
            == made.text[made.starts.index(start) :][: made.starts.count(start)]
        )


def test_a_span_leads_back_to_the_quoted_words() -> None:
    text = "Die  „Straße“ ist lang"
    made = normalise(text)
    at = made.text.index("strasse")
    assert text[slice(*made.span(at, at + 7))] == "Straße"


@pytest.mark.parametrize("span", [(0, 0), (2, 1), (0, 9), (-1, 1)])
def test_an_impossible_span_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no such span"):
        normalise("abc").span(*span)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't stop", ["don't", "stop"]),
        ("COVID-19 and B2B", ["COVID-19", "and", "B2B"]),
        ("5-10 or 2024-01-05", ["5", "10", "or", "2024", "01", "05"]),
        ("1,250.50 at 12:30", ["1,250.50", "at", "12:30"]),
        ("the U.S. law", ["the", "U.S.", "law"]),
        ("東京です", ["東", "京", "で", "す"]),
        ("हिन्दी भाषा।", ["हिन्दी", "भाषा"]),
        ("… — !", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in words(text)] == expected


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("", None),
        ("Déjà vu in Zürich", None),
        ("30 %", None),
        ("50 µg of Ω", None),
        ("𝐁𝐨𝐥𝐝", None),
        ("退款期限为三十天。", "Han"),
        ("Срок возврата 30 дней", "Cyrillic"),
        ("مدة الاسترداد ثلاثون يوما", "Arabic"),
        ("Apple 在 2020 年发布了 iPhone 12", "Han"),
        ("Tokyo (東京) is the capital of Japan", None),
        ("\ud800", None),
    ],
)
def test_scripts_that_the_models_cannot_read_are_named(text: str, script: str | None) -> None:
    assert unreadable_script(text) == script
