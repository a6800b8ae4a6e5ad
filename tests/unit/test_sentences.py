"""Sentence spans: hard cases by hand, the covering property by generated text, linear time by size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.growth import growth
from verifier.core.text import MAX_SENTENCE, sentence_spans

CASES = [
    ["Dr. Smith arrived.", "He left."],
    ["He works for Acme Inc. in Berlin.", "It is big."],
    ["We sell to Acme Inc.", "They pay late."],
    ["See Fig. 3 and No. 5.", "Take it b.i.d. with food."],
    ["No.", "We do not."],
    ["J. R. R. Tolkien wrote it.", "G. R. R. Martin did not."],
    ["He argued at the U.S. Supreme Court.", "In the U.S.", "The law differs."],
    ["Growth was 2.3%.", "Version v2.1.3 is out.", "It costs $5.50."],
    ["Visit https://a.example.com/x?y=1&z=2.", "Then mail bob@a.example.", "Thanks!"],
    ["Visit https://a.example.com/x?y=1 now."],
    ['He said "Stop."', "Then he left."],
    ['"Stop!" he said.', '"Go."'],
    ["Wait... what?", "Yes."],
    ["Well…", "The end."],
    ["(It was late.", "He left.)", "Then she came."],
    ["It ended at 5 p.m.", "Closed on Sundays."],
    ["It ended at 5 p.m. on Monday."],
    ["It opens at 9 a.m. Monday to Friday."],
    ["1. First item here.", "2. Second item here."],
    ["Vitamin C.", "Oranges have it."],
    ["He won.[1][2]", "Then he lost.[3]"],
    ["Smith et al. (2020) showed it.", "Others did not."],
    ["**Bold end.**", "Next one."],
    ["She has a Ph.D. in physics.", "Both work."],
    ["iPhone sales rose in 2007.", "iPad came later."],
    ["the fee is 5 usd.", "shipping takes 3 days.", "it is free."],
    ["Refunds take 30 days.", "they are quick."],
    ["The firm (founded ca. 1850) is old.", "See pp. 3-5 or Art. 7."],
    ["Use e.g. The Times or ask Mr. Bean."],
    ["George W. Bush won.", "John F. Kennedy lost."],
    ["Yahoo! is a company."],
    ["Is it open?", "yes, it is."],
    ["यह एक है।", "वह दो है।"],
    ["هل هذا صحيح؟", "نعم."],
]


@pytest.mark.parametrize("sentences", CASES, ids=lambda sentences: sentences[0])
def test_hard_cases_are_cut_where_a_reader_would(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert [text[start:end] for start, end in sentence_spans(text)] == sentences


def test_han_and_kana_need_no_space_between_sentences() -> None:
    text = "今天下雨。我们走吧！好吗？「本当？」と聞いた。"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "今天下雨。",
        "我们走吧！",
        "好吗？",
        "「本当？」と聞いた。",
    ]


def test_list_items_table_rows_and_records_stand_alone() -> None:
    text = "Name: Bob\nAge: 5\n\n- one\n- two\n  goes on\n| a | b |\n| c | d |"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "Name: Bob",
        "Age: 5",
        "- one",
        "- two\n  goes on",
        "| a | b |",
        "| c | d |",
    ]


def test_a_wrapped_line_reads_on() -> None:
    text = (
        "This paragraph was wrapped at a width of about fifty\n"
        "characters by its author, who lives in the city of\n"
        "Berlin. It ends."
    )
    spans = sentence_spans(text)
    assert [text[a:b].split()[-1] for a, b in spans] == ["Berlin.", "ends."]


@given(
    st.text(alphabet=st.characters(), max_size=200)
    | st.text(alphabet="aA1.!?…。।\"'()[]- \n\r\t#|>*", max_size=200)
)
def test_spans_are_ordered_trimmed_and_cover_all_that_is_not_space(text: str) -> None:
    at = 0
    for start, end in sentence_spans(text):
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert end - start <= MAX_SENTENCE
        at = end
    assert not text[at:].strip()


@given(st.lists(st.sampled_from([s for case in CASES[:8] for s in case]), min_size=1, max_size=6))
def test_spacing_between_sentences_changes_nothing(sentences: list[str]) -> None:
    def found(text: str) -> list[str]:
        return [" ".join(text[start:end].split()) for start, end in sentence_spans(text)]

    assert found(" ".join(sentences)) == found("   ".join(sentences))


@pytest.mark.parametrize("unit", ["a b. C ", "x" * 50, "a, ", '."', ". ", "[1", "\n", "a.   "])
def test_time_grows_linearly_on_one_line(unit: str) -> None:
    assert growth(lambda size: sentence_spans(unit * (size // len(unit))), 400_000, enough=9) < 9


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("The order has the no. A-17. It was paid.", "The order has the no. A-17."),
        ("The valve is shown in fig. B. The pump is old.", "The valve is shown in fig. B."),
        ("The tour costs $5 p.p. Children go free.", "The tour costs $5 p.p."),
        ("It opens at 9 a.m. Monday. Come early.", "It opens at 9 a.m. Monday."),
        ("He said no. Bob left.", "He said no."),
        ("It was built in 1872.¹ It is tall.", "It was built in 1872.¹"),
        ("\u202eThe gate is blue.\u202c The ferry leaves.", "\u202eThe gate is blue.\u202c"),
    ],
)
def test_an_abbreviation_before_a_capital_ends_a_sentence_only_where_it_may(text: str, first: str) -> None:
    spans = sentence_spans(text)
    assert text[slice(*spans[0])] == first
    assert len(spans) == 2
