"""Windows of evidence: what signals read, and the way back into the document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.knowledge.chunk import chunk
from verifier.types import Document, Evidence
from verifier.verification.retrieve import GivenTexts
from verifier.verification.windows import joined, windows_of


def _evidence(text: str, start: int = 0, **more: object) -> Evidence:
    return Evidence(
        doc_id="d", source="a.md", text=text, start=start, end=start + len(text), score=1.0, **more
    )  # type: ignore[arg-type]


def test_sentences_are_read_alone_and_in_pairs() -> None:
    text = "Refunds take 30 days. Fees stay. Ask us."
    pieces = [window.as_evidence().text for window in windows_of(_evidence(text, start=100))]
    assert pieces == [
        "Refunds take 30 days.",
        "Fees stay.",
        "Ask us.",
        "Refunds take 30 days. Fees stay.",
        "Fees stay. Ask us.",
    ]


def test_headings_and_a_stem_are_read_and_not_quoted() -> None:
    item = _evidence("Skis", 40, headings=("Rental", "Winter"), context="The fee covers:")
    [window] = windows_of(item)
    assert window.premise == "Rental. Winter. The fee covers: Skis"
    assert window.place_of((len(window.premise) - 4, len(window.premise))) == (window.evidence, (40, 44))
    assert window.place_of((0, 6)) is None


def test_a_span_of_a_part_is_found_in_the_windows_joined() -> None:
    first, second, third = list(windows_of(_evidence("Refunds take 30 days. Fees stay. Ask us.")))[:3]
    both = joined([second, first])
    assert both.premise[slice(*both.span_of(second, (5, 9)))] == "stay"
    assert both.place_of(both.span_of(second, (5, 9))) == second.place_of((5, 9))
    assert first.span_of(first, (0, 7)) == (0, 7)
    with pytest.raises(ValueError, match="no part"):
        both.span_of(third, (0, 3))


def test_a_table_row_is_read_with_its_columns() -> None:
    item = _evidence("| Express | 9.90 EUR |\n| Standard | 4.90 EUR |", 30, context="| Service | Price |")
    first, second = windows_of(item)
    assert first.premise == "Service: Express; Price: 9.90 EUR"
    assert second.premise == "Service: Standard; Price: 4.90 EUR"
    at = second.premise.index("4.90")
    place = second.place_of((at, at + 4))
    assert place is not None
    start, end = place[1]
    assert item.text[start - 30 : end - 30] == "4.90"


def test_a_record_is_read_whole() -> None:
    text = "hut: Arven\nbeds: 40\nopen: June to October"
    [window] = windows_of(_evidence(text))
    assert window.premise == "hut: Arven; beds: 40; open: June to October"
    assert window.as_evidence().text == text


def test_a_unit_in_a_label_is_read_behind_its_number() -> None:
    text = "altitude_m: 2490\nhalf_board_eur: 69\nroom_no: 7\nreheat_c: 75"
    [window] = windows_of(_evidence(text, 10))
    assert window.premise == "altitude: 2490 m; half board: 69 eur; room no: 7; reheat: 75 °C"
    at = 10 + text.index("2490")
    assert window.place_of((10, 14)) == (window.evidence, (at, at + 4))


def test_headings_inside_the_text_are_not_read_twice() -> None:
    item = _evidence("## Safety\n\nThere were 9 accidents.", headings=("Report", "Safety"))
    assert [window.premise for window in windows_of(item)] == ["Report. Safety. There were 9 accidents."]


def test_a_table_with_its_header_in_the_passage_is_read_by_rows_between_prose() -> None:
    text = "Fares:\n\n| Ticket | Price (EUR) |\n|---|---|\n| Day | 12 |\n\nChildren pay half."
    premises = [window.premise for window in windows_of(_evidence(text))]
    assert premises == ["Ticket: Day; Price: 12 EUR", "Fares:", "Children pay half."]


@given(st.text(alphabet="ab.| \n:-#1", max_size=200))
def test_every_window_quotes_its_document(text: str) -> None:
    document = Document(source="a.md", uri="a.md", text=text, media_type="text/markdown")
    for passage in chunk(document):
        item = _evidence(passage.text, passage.start, headings=passage.headings, context=passage.context)
        for window in windows_of(item):
            assert text[window.start : window.end] == window.as_evidence().text
            for start, end, at in window.segments:
                assert window.premise[start:end] == text[at : at + end - start]


def test_given_texts_know_their_words() -> None:
    given_texts = GivenTexts.of("Oslo is in Norway. Oslo has a port.", "Bergen has a port.")
    assert given_texts.passage_count() == 3
    assert given_texts.term_document_frequency(["oslo", "Port", "osl", "Paris"]) == {
        "oslo": 2,
        "Port": 2,
        "osl": 0,
        "Paris": 0,
    }


def test_a_title_of_plain_text_stands_before_its_sentences_and_is_none_itself() -> None:
    text = "May I dive?\nOnly at the deep end."
    premises = [
        window.premise for window in windows_of(_evidence(text, headings=("POOL RULES", "May I dive?")))
    ]
    assert premises == ["POOL RULES. May I dive? Only at the deep end."]


def test_an_item_is_read_with_what_leads_into_its_list() -> None:
    text = "Ask us.\n\nThe following are never lent:\n\n- silk,\n- glass.\n\nBooks are lent."
    premises = [window.premise for window in windows_of(_evidence(text, headings=("Loans",)))]
    assert premises == [
        "Loans. Ask us.",
        "Loans. The following are never lent:",
        "Loans. silk are never lent.",
        "Loans. glass are never lent.",
        "Loans. Books are lent.",
        "Loans. Ask us.\n\nThe following are never lent:",
        "Loans. The following are never lent:\n\n- silk,",
        "Loans. The following are never lent: silk,\n- glass.",
        "Loans. The following are never lent: glass.\n\nBooks are lent.",
    ]


def test_a_stem_from_above_the_passage_leads_into_its_first_list_only() -> None:
    item = _evidence("- glass.\n\nBooks are lent.", context="Never lent are:")
    assert [window.premise for window in windows_of(item)] == [
        "Never lent are: glass.",
        "Books are lent.",
        "Never lent are: glass.\n\nBooks are lent.",
    ]


TOWERS = (
    "The Harlow Tower was completed in 1931. It was designed by Ruth Keller. Visitors like its roof, and many come. "
    "The Medwin Tower is in Selby. Its roof is flat."
)


def test_a_sentence_that_opens_with_a_pronoun_is_read_with_what_it_stands_for() -> None:
    premises = [window.premise for window in windows_of(_evidence(TOWERS))]
    assert premises[1] == "The Harlow Tower was designed by Ruth Keller."
    assert premises[4] == "The Medwin Tower's roof is flat."


def test_what_a_pronoun_stands_for_is_not_quoted() -> None:
    window = list(windows_of(_evidence(TOWERS, start=100)))[1]
    at = TOWERS.index("was designed")
    begin = window.premise.index("was designed")
    assert window.place_of((begin, begin + 3)) == (window.evidence, (100 + at, 103 + at))
    assert window.place_of((0, 4)) is None
    assert window.as_evidence().text == "It was designed by Ruth Keller."


def test_a_pronoun_with_two_antecedents_is_left() -> None:
    text = "The Harlow Tower faces the Medwin Tower. It was completed in 1931."
    assert [window.premise for window in windows_of(_evidence(text))][1] == "It was completed in 1931."
