"""Where a claim's capitals tell nothing, its words are read as the evidence writes them; nowhere else."""

from __future__ import annotations

import pytest

from verifier.verification.truecasing import is_headline, recased

EVIDENCE = (
    "Trench A lies in the north.",
    "In May the rotor blades were made by Castellan Cables in Port Ellary. On the Falcon Path dogs are kept on a lead.",
    "A dose of 0.12 mg was given to the NASA crew by Dr Osei, who doesn't smoke.",
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            "The Rotor Blades Were Made by Castellan Cables.",
            "The rotor blades were made by Castellan Cables.",
        ),
        ("Dogs Are Kept on a Lead on the Falcon Path.", "Dogs are kept on a lead on the Falcon Path."),
        (
            "THE ROTOR BLADES WERE MADE BY CASTELLAN CABLES.",
            "The rotor blades were made by Castellan Cables.",
        ),
        (
            "In Trench A the Falcon Path Was Quietly Closed.",
            "In Trench A the Falcon Path was quietly closed.",
        ),
        ("A DOSE OF 0.12 MG WAS GIVEN TO THE NASA CREW.", "A dose of 0.12 mg was given to the NASA crew."),
        ("the nasa crew met in port ellary.", "The NASA crew met in Port Ellary."),
        ("Nobody Doesn't Love Zorvan's Quiet Garden.", "Nobody doesn't love Zorvan's quiet garden."),
    ],
)
def test_capitals_that_tell_nothing_are_read_as_the_evidence_has_them(written: str, read: str) -> None:
    assert recased(written, EVIDENCE) == read
    assert len(written) == len(read)


@pytest.mark.parametrize(
    "text",
    [
        "The Rotor blades were made by Castellan Cables.",
        "Dogs are kept on a lead.",
        "Marguerite Osei-Lund led Castellan Cables.",
        "",
        "42",
    ],
)
def test_capitals_that_tell_are_kept(text: str) -> None:
    assert recased(text, EVIDENCE) == text


LODGE = (
    "Holm Lodge",
    "On the Summit tariff guests pay 40 EUR; within office hours the lodge answers calls. Summit guests ski free.",
    "The Marlow Office Annex was let in 2019. Dr Tess Marlow likes the Great Barn and the old barn.",
    "Lifts A and B run daily; Lift D was built by Perrin & Vale in May 2021, as was Gate 3. The MV Heron sank.",
    "Seismologist on duty: Ola Brekke. Brekkevik has 1,620 m of piste. They mended the snowplough.",
)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("The Piste is 400 m Long and Quite Icy.", "The piste is 400 m long and quite icy."),
        ("The Barn Was Built in the Late 1950s.", "The barn was built in the late 1950s."),
        ("Guests Call the Lodge Within Office Hours.", "Guests call the lodge within office hours."),
        ("The Summit Tariff Suits Every Guest.", "The Summit tariff suits every guest."),
        ("Skiers Slept in the Great Barn.", "Skiers slept in the Great Barn."),
        ("Skiers Slept in the New Barn.", "Skiers slept in the new barn."),
        ("The Highest Lift is Lift A.", "The highest lift is Lift A."),
        ("The Longest Gate Stood Behind Gate 7.", "The longest gate stood behind Gate 7."),
        ("Lift C is Faster than Lift A in Winter.", "Lift C is faster than Lift A in winter."),
        ("The Builders Were Perrin & Vale.", "The builders were Perrin & Vale."),
        ("The Owners Were Sable & Thorn.", "The owners were Sable & Thorn."),
        ("The Ferry MV Heron Sank in May 2021.", "The ferry MV Heron sank in May 2021."),
        ("Skiers March Home in the Middle of March.", "Skiers march home in the middle of March."),
        ("The Lodge May Open on Tuesdays.", "The lodge may open on Tuesdays."),
        ("Skiers Love Their Zwiebelkellers.", "Skiers love their zwiebelkellers."),
        ("The Snowploughs Were Soon Mended.", "The snowploughs were soon mended."),
        ("The Seismologist on Call Saw Smoke.", "The seismologist on call saw smoke."),
        ("The Lodge Used 300 Megawatt-hours Last Year.", "The lodge used 300 megawatt-hours last year."),
        ("The IT Office Lost a B and an M.", "The IT office lost a B and an M."),
        ("MARLOW'S LIFTS DATE FROM THE 1950S.", "Marlow's lifts date from the 1950s."),
        ("BREKKEVIK HAS 1,620 M OF PISTE.", "Brekkevik has 1,620 m of piste."),
        ("the lodge in brekkevik opens in june.", "The lodge in Brekkevik opens in June."),
    ],
)
def test_a_word_is_read_by_what_stands_beside_it_in_the_evidence(written: str, read: str) -> None:
    assert recased(written, LODGE) == read
    assert len(written) == len(read)


def test_what_is_read_instead_of_a_part_of_a_headline_does_not_hide_that_it_is_one() -> None:
    written = "It is Not Impossible to Book the Barn Online."
    assert (
        recased("It is possible to Book the Barn Online.", LODGE) == "It is possible to Book the Barn Online."
    )
    assert (
        recased("It is possible to Book the Barn Online.", LODGE, written)
        == "It is possible to book the barn online."
    )


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee owns 12 m of Holm Lodge.",
        "Holm Lodge",
        "Marlow met Ola Brekke and Tess Vale at noon.",
        "In 2019",
        "",
    ],
)
def test_a_sentence_with_names_is_no_headline(text: str) -> None:
    assert not is_headline(text)
