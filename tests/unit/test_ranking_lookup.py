"""Whether the row of a table that a claim names has the cell that the claim states."""

from __future__ import annotations

import pytest
from verifier_signals.ranking import EvidencePiece, look_up

HUTS = (
    "hut: Elm Hut; altitude: 2115 m; beds: 38; open from: 1 June; open until: 15 October; dogs: no; warden: Ada Orr",
    "hut: Ash Hut; altitude: 1960 m; beds: 24; open from: 20 May; open until: 30 September; dogs: yes; warden: Bo Lind",
    "hut: Oak Hut; beds: 64; open from: 1 July; dogs: yes; warden: Cy Marsh; half board: 86 chf; shower: yes",
)
FARES = (
    "Tram tickets. Ticket: Single; Adult: 3.20 eur; Child: 1.60 eur; Valid for: 90 minutes",
    "Tram tickets. Ticket: Day; Adult: 9.50 eur; Child: free; Valid for: 24 hours",
    "Tram tickets. Ticket: Night; Adult: 4.80 eur; Valid for: 6 hours",
)
DOSES = (
    "Drug: Velorin; Dose: 20 mg; Taken: with food; Prescription: yes",
    "Drug: Ostamol; Dose: 35 mg; Taken: before meals; Prescription: no",
)
SALES = (
    "Segment: Pumps; Revenue 2023 (£m): 44; Revenue 2024 (£m): 51",
    "Segment: Valves; Revenue 2023 (£m): 70; Revenue 2024 (£m): 62",
)


def _holds(claim: str, rows: tuple[str, ...], name: str = "huts.csv") -> bool | str | None:
    """``"unsettled"`` where no row tells."""
    found = look_up(claim, [EvidencePiece(row, name, n) for n, row in enumerate(rows, 1)])
    return "unsettled" if found is None else found.holds


@pytest.mark.parametrize(
    ("claim", "rows"),
    [
        ("Elm Hut lies at 2,115 metres.", HUTS),
        ("The Ash Hut opens on 20 May.", HUTS),
        ("Ash Hut opens on 20 May and closes on 30 September.", HUTS),
        ("Dogs are welcome at the Oak Hut.", HUTS),
        ("Dogs are forbidden at Elm Hut.", HUTS),
        ("Bo Lind is the warden of Ash Hut.", HUTS),
        ("An adult pays 9.50 euros for a day ticket.", FARES),
        ("Children pay nothing for a day ticket.", FARES),
        ("A single ticket is valid for an hour and a half.", FARES),
        ("The dose of Ostamol is 35 mg.", DOSES),
        ("Velorin's dose is 20 mg.", DOSES),
        ("In 2024 the revenue of the Valves segment was £62 million.", SALES),
    ],
)
def test_a_row_bears_out_what_it_states(claim: str, rows: tuple[str, ...]) -> None:
    assert _holds(claim, rows) is True


@pytest.mark.parametrize(
    ("claim", "rows"),
    [
        ("Elm Hut has 64 beds.", HUTS),
        ("The Oak Hut opens on 1 June.", HUTS),
        ("You can take a dog to the Elm Hut.", HUTS),
        ("Ada Orr runs the Oak Hut.", HUTS),
        ("A single ticket costs an adult 9.50 euros.", FARES),
        ("No prescription is required for Velorin.", DOSES),
        ("In 2024 the revenue of the Pumps segment was £44 million.", SALES),
    ],
)
def test_a_row_denies_what_it_states_otherwise(claim: str, rows: tuple[str, ...]) -> None:
    assert _holds(claim, rows) is False


@pytest.mark.parametrize(
    ("claim", "rows"),
    [
        ("Half board at Ash Hut costs 70 francs.", HUTS),
        ("Elm Hut has a shower.", HUTS),
        ("A night ticket is free for children.", FARES),
        ("A child pays 2.40 euros for a night ticket.", FARES),
        ("Ada Orr is the warden of Fir Hut.", (*HUTS, "hut: Fir Hut; altitude: 1820 m; beds: 12; dogs: no")),
    ],
)
def test_an_empty_cell_leaves_a_claim_open(claim: str, rows: tuple[str, ...]) -> None:
    assert _holds(claim, rows) is None


@pytest.mark.parametrize(
    ("claim", "rows"),
    [
        ("Every hut has a shower.", HUTS),
        ("Elm Hut sold 64 meals.", HUTS),
        ("Ada Orr visited the Oak Hut.", HUTS),
        ("Ada Orr and Bo Lind are wardens.", HUTS),
        ("The Elm Hut is 300 metres from the station.", HUTS),
        ("Elm Hut has more than 30 beds.", HUTS),
        ("Birch Hut has 38 beds.", HUTS),
        ("Elm Hut has 38 beds and a sauna.", HUTS),
        ("Velorin is sold as a syrup.", DOSES),
        ("The Valves segment was sold in 2024.", SALES),
    ],
)
def test_what_no_row_tells_is_unsettled(claim: str, rows: tuple[str, ...]) -> None:
    assert _holds(claim, rows) == "unsettled"


def test_a_label_without_content_words_tells_the_sides_apart() -> None:
    rows = (
        "ferry: F1; from: Mull; to: Iona; departure: 08:20",
        "ferry: F2; from: Iona; to: Mull; departure: 09:40",
    )
    assert _holds("Ferry F1 goes from Mull to Iona.", rows) is True
    assert _holds("Ferry F1 goes from Iona to Mull.", rows) == "unsettled"


@pytest.mark.parametrize(
    ("claim", "pointed_at"),
    [("The Elm Hut is run by Bo Lind.", "Bo Lind"), ("Elm Hut has 64 beds.", "64")],
)
def test_what_a_row_denies_is_pointed_at(claim: str, pointed_at: str) -> None:
    found = look_up(claim, [EvidencePiece(row, "huts.csv", n) for n, row in enumerate(HUTS, 1)])
    assert found is not None
    assert found.holds is False
    assert claim[slice(*found.span)].startswith(pointed_at)
