"""Windows of evidence: what signals read, and the way back into the document."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.knowledge.chunk import chunk
from verifier.types import Document, Evidence
from verifier.verification.evidence.premises import of_asked_columns
from verifier.verification.evidence.windows import Window, is_prose, joined, whole, windows_of
from verifier.verification.retrieve import GivenTexts
from verifier.verification.statements import Factuality


def _evidence(text: str, start: int = 0, **more: Any) -> Evidence:
    return Evidence(
        doc_id="d", source="a.md", text=text, start=start, end=start + len(text), score=1.0, **more
    )


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
    assert premises == ["Fares: Ticket: Day; Price: 12 EUR", "Fares:", "Children pay half."]


_PARTS = st.sampled_from(
    [
        *(
            "**Day ticket**",
            "NIGHT TICKET",
            "# Fees",
            "Opening hours",
            "Fee: 5 EUR. It is paid here.",
            "It is valid.",
        ),
        *(
            "Term\n: What it is.",
            "- [ ] Order\n- [x] Paint it\n- ~~Wait.~~",
            "The fine is ~~EUR 50~~ EUR 80.[^1]",
        ),
        *(
            "[^1]: A note.",
            "```\n# A comment.\nx = 1\n```",
            "Size:\n  small\nColour:\n  green",
            "☐ Call\n☑ Write",
        ),
        *(
            "| | Ash | Elm |\n|---|---|---|\n| Height | 2 m | ~~3~~ 4 m |\n| Age | 3 years | 4 years |",
            "a ~~b~~",
        ),
        *(
            "| A | B | C |\n|---|---|---|\n| All | All | All |\n| d | e | f |",
            "**Run.** On it goes.",
            "Mo: 9\nTu: 10",
        ),
    ]
)


@given(
    st.one_of(
        st.text(alphabet="ab.| \n:-#1~[]*", max_size=200),
        st.lists(_PARTS, max_size=6).map("\n\n".join),
        st.lists(_PARTS, max_size=6).map("\n".join),
    ),
    st.sampled_from(["text/markdown", "text/plain"]),
)
def test_every_window_quotes_its_document(text: str, media_type: str) -> None:
    document = Document(source="a.md", uri="a.md", text=text, media_type=media_type)
    for passage in chunk(document):
        item = _evidence(passage.text, passage.start, headings=passage.headings, context=passage.context)
        for window in [*windows_of(item), whole(item)]:
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
    assert premises == ["POOL RULES. You may dive only at the deep end."]


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
    ]


def test_a_stem_from_above_the_passage_leads_into_its_first_list_only() -> None:
    item = _evidence("- glass.\n\nBooks are lent.", context="Never lent are:")
    assert [window.premise for window in windows_of(item)] == [
        "Never lent are: glass.",
        "Books are lent.",
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


def _windows(text: str, **more: Any) -> list[Window]:
    return list(windows_of(_evidence(text, **more)))


def _premises(text: str, **more: Any) -> list[str]:
    return [window.premise for window in _windows(text, **more)]


def test_what_is_crossed_out_is_in_no_premise_and_quotations_reach_over_it() -> None:
    text = "The fine is ~~EUR 50~~ EUR 80. ~~Dogs are let in.~~"
    [window] = _windows(text)
    assert window.premise == "The fine is EUR 80."
    at = window.premise.index("EUR 80")
    assert window.place_of((at, at + 6)) == (window.evidence, (23, 29))
    assert window.place_of((4, at + 6)) == (window.evidence, (4, 29))
    assert whole(_evidence(text)).premise == "The fine is EUR 80."


def test_a_value_that_is_crossed_out_in_a_cell_is_not_read() -> None:
    assert _premises("| Soup | ~~4 EUR~~ 5 EUR |", context="| Dish | Price |") == ["Dish: Soup; Price: 5 EUR"]


def test_a_task_is_planned_until_its_box_is_ticked() -> None:
    found = _windows("- [ ] Order the lamps\n- [x] Paint the fence\n- [x] The gate was mended.")
    assert [(window.premise, window.factuality) for window in found] == [
        ("Order the lamps", Factuality.PLANNED),
        ("Paint the fence: done.", Factuality.ASSERTED),
        ("The gate was mended.", Factuality.ASSERTED),
    ]
    assert [window.factuality for window in _windows("☐ Print the flyers\n☑ Translate the menu")] == [
        Factuality.PLANNED,
        Factuality.ASSERTED,
    ]


def test_a_passage_as_a_whole_leaves_out_open_tasks() -> None:
    assert whole(_evidence("- [ ] Order the lamps\n- The fence is red.")).premise == "- The fence is red."


def test_it_below_a_title_is_what_the_title_names() -> None:
    text = "**Night ticket**\n\nIt is valid on buses. Its price is low."
    assert _premises(text, headings=("Fares", "Night ticket"))[:3] == [
        "Fares. **Night ticket**",
        "Fares. Night ticket. The Night ticket is valid on buses.",
        "Fares. Night ticket. The Night ticket's price is low.",
    ]


def test_each_label_is_read_with_its_own_value_alone() -> None:
    assert _premises("Monday: closed\nTuesday: 9 to 17") == ["Monday: closed", "Tuesday: 9 to 17"]
    assert _premises("Day ticket: It is valid on trams.\nNight ticket: It costs 5 EUR.") == [
        "Day ticket: The Day ticket is valid on trams.",
        "Night ticket: The Night ticket costs 5 EUR.",
    ]
    assert not is_prose("Monday: closed\nTuesday: 9 to 17")


def test_a_definition_is_read_with_its_term() -> None:
    assert _premises("Larch\n: Sheds its needles.\n\nSpruce\n: Keeps them.") == [
        "Larch: Sheds its needles.",
        "Spruce: Keeps them.",
    ]


def test_a_label_on_a_line_of_its_own_governs_what_stands_below() -> None:
    assert _premises("Owner:\n  Lena Voss\nTenant:\n  Piet Haan") == ["Owner: Lena Voss", "Tenant: Piet Haan"]


def test_a_comment_in_code_is_marked_and_not_asserted() -> None:
    found = _windows("```\n# The port is 9090.\nport = 8080\n```")
    assert (found[0].premise, found[0].factuality) == (
        "Comment in code. The port is 9090.",
        Factuality.ATTRIBUTED,
    )


def test_a_footnote_is_marked() -> None:
    assert _premises("Entry is 5 EUR.[^1]\n\n[^1]: Children enter free.") == [
        "Entry is 5 EUR.",
        "Footnote. Children enter free.",
    ]


def test_a_row_of_one_cell_governs_the_rows_below_it() -> None:
    text = "| Adults | Adults | Adults |\n| A1 | Pottery | 90 EUR |"
    assert _premises(text, context="Fees: | Group | Course | Fee |") == [
        "Fees: Adults",
        "Fees: Adults. Group: A1; Course: Pottery; Fee: 90 EUR",
    ]


def test_a_table_whose_columns_are_things_is_read_by_columns() -> None:
    text = "| | Ash | Elm |\n|---|---|---|\n| Height | 21 m | 30 m |\n| Age | 60 years | 140 years |"
    assert _premises(text) == [
        "Name: Ash; Height: 21 m; Age: 60 years",
        "Name: Elm; Height: 30 m; Age: 140 years",
    ]


def test_a_table_whose_kinds_do_not_tell_is_read_by_cells() -> None:
    text = "| | Crew | Harbour |\n|---|---|---|\n| Help | e-mail | telephone |\n| Place | office | quay |"
    assert _premises(text) == [
        "Name: Help; Crew: e-mail",
        "Name: Help; Harbour: telephone",
        "Name: Place; Crew: office",
        "Name: Place; Harbour: quay",
    ]


def test_a_claim_that_names_a_column_is_not_read_beside_another() -> None:
    text = "| | Crew | Harbour |\n|---|---|---|\n| Help | e-mail | telephone |"
    windows = list(windows_of(_evidence(text)))
    assert [one.column for one in of_asked_columns(windows, "Crew members get help by telephone.")] == [
        "Crew"
    ]
    assert len(of_asked_columns(windows, "Help comes by telephone.")) == 2
    assert len(of_asked_columns(windows, "Both Crew and Harbour offer help.")) == 2


def test_a_table_of_keys_and_values_has_no_head() -> None:
    assert _premises("| | |\n|---|---|\n| Weight | 2 kg |") == ["Weight: 2 kg"]
    assert _premises("| Monday | closed |\n|---|---|\n| Friday | 11 to 20 |") == [
        "Monday: closed",
        "Friday: 11 to 20",
    ]
