"""Whether all rows of a table support a superlative or a count."""

from __future__ import annotations

import pytest
from verifier_signals.ranking import EvidencePiece, settle_ranking

LAMPS = (
    "model: Orla 20; mass: 3.1 kg; price: 99 eur; dimmable: yes; room: study",
    "model: Orla 35; mass: 4.2 kg; price: 140 eur; dimmable: no; room: hall",
    "model: Tessa Mini; mass: 1.9 kg; price: 64 eur; dimmable: yes; room: study",
    "model: Tessa Grand; mass: 7.5 kg; price: 260 eur; dimmable: yes; room: hall",
)
LAKES = (
    "lake: Ardmere; depth: 41 m; area: 12 km²; boats allowed: yes",
    "lake: Sulven; depth: 88 m; area: 30 km²; boats allowed: no",
    "lake: Orrin Water; depth: 63 m; area: 9 km²; boats allowed: yes",
)
CAKES = (
    "contest: Spring Bake; class: breads; cook: Ida Holm; points of 100: 88",
    "contest: Spring Bake; class: breads; cook: Per Lund; points of 100: 71",
    "contest: Spring Bake; class: tarts; cook: Una Vik; points of 100: 93",
    "contest: Spring Bake; class: tarts; cook: Ola Berg; points of 100: 90",
)


def _holds(claim: str, rows: tuple[str, ...], name: str) -> bool | str | None:
    """``"unsettled"`` where the rows do not tell."""
    found = settle_ranking(claim, [EvidencePiece(row, name, n) for n, row in enumerate(rows, 1)])
    return "unsettled" if found is None else found.holds


@pytest.mark.parametrize(
    ("claim", "rows", "name"),
    [
        ("Of all the Orla and Tessa lamps, the Tessa Mini is the cheapest.", LAMPS, "lamps.csv"),
        (
            "Of the lamps that are dimmable, the Tessa Grand costs most and is the heaviest.",
            LAMPS,
            "lamps.csv",
        ),
        ("The Orla 35 is the second heaviest lamp.", LAMPS, "lamps.csv"),
        ("Sulven is the deepest of the lakes.", LAKES, "lakes.csv"),
        ("Of the lakes that allow boats, Orrin Water is the deepest.", LAKES, "lakes.csv"),
        ("Una Vik got the highest score at the Spring Bake.", CAKES, "cakes.csv"),
        ("Of the breads, Ida Holm's got the highest score.", CAKES, "cakes.csv"),
    ],
)
def test_all_the_rows_bear_a_rank_out(claim: str, rows: tuple[str, ...], name: str) -> None:
    assert _holds(claim, rows, name) is True


@pytest.mark.parametrize(
    ("claim", "rows", "name"),
    [
        ("Of all the Orla and Tessa lamps, the Orla 20 is the cheapest.", LAMPS, "lamps.csv"),
        ("The heaviest lamp is the Orla 35.", LAMPS, "lamps.csv"),
        ("The highest score was given to Ola Berg.", CAKES, "cakes.csv"),
        ("Of the lakes that allow boats, Ardmere is the deepest.", LAKES, "lakes.csv"),
    ],
)
def test_one_row_denies_a_rank_or_a_count(claim: str, rows: tuple[str, ...], name: str) -> None:
    assert _holds(claim, rows, name) is False


@pytest.mark.parametrize(
    ("claim", "rows", "name"),
    [
        ("The Tessa Mini is the cheapest battery lamp.", LAMPS, "lamps.csv"),
        ("Sulven is the deepest lake in the country.", LAKES, "lakes.csv"),
        ("Sulven is the most popular lake.", LAKES, "lakes.csv"),
        ("Every lamp comes with a bulb.", LAMPS, "lamps.csv"),
        ("Only Ardmere freezes in winter.", LAKES, "lakes.csv"),
        ("The Tessa Grand is the longest lamp.", LAMPS, "lamps.csv"),
        ("Sulven is longer than Ardmere.", LAKES, "lakes.csv"),
        ("All the lakes allow boats in summer.", LAKES[::2], "lakes.csv"),
    ],
)
def test_what_the_table_does_not_tell_is_unsettled(claim: str, rows: tuple[str, ...], name: str) -> None:
    assert _holds(claim, rows, name) == "unsettled"
