"""Where a claim's capitals tell nothing, its words are read as the evidence writes them; nowhere else."""

from __future__ import annotations

import pytest

from verifier.verification.casing import recased

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
