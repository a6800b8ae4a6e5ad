"""What models wrap answers in: marks of sources, spaced-out words, data, marks of direction; read without it."""

from __future__ import annotations

import pytest

from verifier.types import Claim
from verifier.verification.claims import extract_answer, extract_claims
from verifier.verification.claims.records import subject_of


def _read(response: str, prompt: str = "") -> list[str]:
    found = extract_answer(response, prompt, extract_claims)
    pieces = sorted([*found.claims, *found.skipped], key=lambda piece: (piece.start, piece.end))
    covered = bytearray(len(response))
    for piece in pieces:
        assert response[piece.start : piece.end] == piece.text
        covered[piece.start : piece.end] = b"\1" * (piece.end - piece.start)
    assert all(seen or char.isspace() for seen, char in zip(covered, response, strict=True))
    return [claim.hypothesis for claim in found.claims]


@pytest.mark.parametrize(
    "mark",
    [
        " [citation:3d1f-2a]",
        " [^1]",
        " [1, 2]",
        " [1][2]",
        " (1)",
        "²",
        "³",
        "<ref>7</ref>",
        " <ref name='a'/>",
        "<sup>1</sup>",
        "<sup>[2]</sup>",
        " 【4†source】",
        " [doc:3]",
        " [doc 3, doc 4]",
        " (Source: a.txt)",
        " [p. 7]",
        " [S2]",
        " [[2]](http://a.b/c)",
        " <cite>3</cite>",
        " :contentReference[oaicite:0]{index=0}",
        " \ue200cite\ue202turn0search1\ue201",
        " [cite: 4]",
        " [a.txt]",
    ],
)
@pytest.mark.parametrize("place", ["{}.", ".{}"])
def test_a_mark_of_a_source_is_no_part_of_what_is_read(mark: str, place: str) -> None:
    if mark == " (1)":
        place = "{}."  # behind a full stop it may as well number what follows
    first = "The canal is 14 km long" + place.format(mark)
    assert _read(first) == ["The canal is 14 km long."]
    assert _read(f"{first} It has 23 locks{place.format(mark)}")[1] == "The canal has 23 locks."


@pytest.mark.parametrize(
    "text",
    [
        "The hall covers 420 m².",
        "The dish holds 10⁵ cells.",
        "The load is 30 kg/m³.",
        "The lease runs for thirty (30) days.",
        "The rule stands in section 5 (2).",
        "See the plan [note the date].",
    ],
)
def test_what_looks_like_a_mark_and_says_something_stays(text: str) -> None:
    assert _read(text) == [text] or text.startswith("See")


def test_raised_figures_in_tags_stay_what_they_are() -> None:
    text = "It has 10<sup>5</sup> cells. It covers 420 m<sup>2</sup>.<sup>1</sup>"
    assert _read(text) == ["It has 10⁵ cells.", "It covers 420 m²."]


def test_two_marks_in_a_sentence_leave_both_its_statements() -> None:
    text = "Visits cost 6 euros [2] and last 50 minutes [3]."
    assert _read(text) == ["Visits cost 6 euros", "Visits last 50 minutes."]


@pytest.mark.parametrize(
    ("response", "read"),
    [
        ("About 56, 000 people live in Orwick .", "About 56,000 people live in Orwick."),
        ("The town runs a non - profit theatre .", "The town runs a non-profit theatre."),
        ("The pass does n't cover ( most ) trams .", "The pass doesn't cover (most) trams."),
        ("The well - known hall is Ann 's .", "The well-known hall is Ann's."),
        ("The ferry leaves at 9 : 40 .", "The ferry leaves at 9:40."),
        ("In 2019, 300 jars were sold.", "In 2019, 300 jars were sold."),
        ("Rooms 12, 300 and 415 are free.", "Rooms 12, 300 and 415 are free."),
        ("The price - 5 euros - is low.", "The price - 5 euros - is low."),
    ],
)
def test_text_that_is_spaced_out_is_read_closed_up(response: str, read: str) -> None:
    assert _read(response) == [read]


def test_marks_of_direction_do_not_join_sentences() -> None:
    text = "\u202eThe gate is blue.\u202c The ferry leaves at 9:40."
    assert _read(text) == ["The gate is blue.", "The ferry leaves at 9:40."]


@pytest.mark.parametrize(
    ("response", "prompt", "read"),
    [
        (
            '{"built": 1872, "height_m": 31, "visit_eur": 8}',
            "Facts on the Orby lighthouse as JSON",
            [
                "The Orby lighthouse was built in 1872.",
                "The height of the Orby lighthouse is 31 m.",
                "The visit of the Orby lighthouse is 8 EUR.",
            ],
        ),
        (
            '```json\n{"lighthouse": {"designed": "Ada Dahl", "opened": "3 May 1873"}}\n```',
            "Describe the Orby lighthouse in JSON",
            [
                "The Orby lighthouse was designed by Ada Dahl.",
                "The Orby lighthouse was opened on 3 May 1873.",
            ],
        ),
        (
            "built: 1872\nkeepers:\n  - Ansel Brook\n",
            "YAML on the Orby lighthouse",
            ["The Orby lighthouse was built in 1872.", "The keepers of the Orby lighthouse is Ansel Brook."],
        ),
        (
            "Height: 31 metres; built: 1872",
            "Tell me about the Orby lighthouse.",
            ["The height of the Orby lighthouse is 31 metres.", "The Orby lighthouse was built in 1872."],
        ),
        (
            '[{"name": "Attic", "price_eur": 90, "has_bath": true}, {"name": "Den", "is_open": false}]',
            "Rooms of the inn as JSON",
            [
                "The name of the inn is Attic.",
                "The price of Attic is 90 EUR.",
                "Attic has bath.",
                "The name of the inn is Den.",
                "Den is not open.",
            ],
        ),
        (
            '{"answer": "The hut was \\"built\\" in 1931.\\nIt sleeps 46 guests."}',
            "When was the hut built?",
            ['The hut was "built" in 1931.', "The hut sleeps 46 guests."],
        ),
        ('# Orby lighthouse\n\n```json\n{"built": 1872}\n```', "", ["Orby lighthouse was built in 1872."]),
    ],
)
def test_data_is_a_claim_a_value(response: str, prompt: str, read: list[str]) -> None:
    assert _read(response, prompt) == read


def test_a_value_that_is_none_abstains() -> None:
    found = extract_answer('{"owner": null, "age": "N/A"}', "JSON on the Kessel hut", extract_claims)
    assert found.claims == ()
    topics = [span.topic for span in found.skipped if span.reason == "abstention"]
    assert topics == ["the owner of the Kessel hut", "the age of the Kessel hut"]


def test_an_example_in_a_fence_beside_an_answer_in_words_is_code() -> None:
    response = 'Put this in:\n\n```json\n{"port": 8080}\n```\n\nThe server restarts within 5 seconds.'
    found = extract_claims(response)
    assert [span.reason for span in found.skipped if "8080" in span.text] == ["code"]
    assert not any("8080" in claim.text for claim in found.claims)


def test_broken_data_is_read_as_prose_and_hides_nothing() -> None:
    found = extract_claims('{"built": 1872, "owner": Ada Dahl')
    assert any("Ada Dahl" in claim.text for claim in found.claims)


def test_findings_in_a_value_map_back_to_it() -> None:
    text = '{"built": 1872}'
    [claim] = extract_answer(text, "Facts on the Orby lighthouse as JSON", extract_claims).claims
    assert isinstance(claim, Claim)
    at = claim.hypothesis.index("1872")
    assert claim.to_text_span((at, at + 4)) == (claim.text.index("1872"), claim.text.index("1872") + 4)


@pytest.mark.parametrize(
    ("prompt", "subject"),
    [
        ("Facts on the Orby lighthouse as JSON?", "the Orby lighthouse"),
        ("Give me the Orby lighthouse's height and age in YAML?", "the Orby lighthouse"),
        ("When was the Kessel hut built? Answer in JSON?", "the Kessel hut"),
        ("Key data of the Kessel hut, please?", "the Kessel hut"),
        ("Answer in JSON?", ""),
    ],
)
def test_the_subject_of_data_is_what_the_prompt_asks_about(prompt: str, subject: str) -> None:
    assert subject_of(prompt) == subject
