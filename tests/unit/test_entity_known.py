"""Names that everybody knows in several forms, peoples of places, numbered rulers, institutions with commas in them."""

from __future__ import annotations

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.names import names_in
from verifier_signals.types import Outcome, SignalScore, TextPair


def score(premise: str, claim: str) -> SignalScore:
    [found] = EntitySignal().score([TextPair(premise, claim)])
    return found


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Volkswagen closed the plant in Emden.", "VW closed the plant in Emden."),
        ("The mill was sold in the United Kingdom.", "The mill was sold in Britain."),
        ("The drug was approved in the USA.", "The drug was approved in America."),
        ("The drug was approved in the U.S.", "The drug was approved in the United States of America."),
        ("The backup runs on PostgreSQL 14.", "The backup runs on Postgres 14."),
        ("It was launched by the USSR.", "It was launched by the Soviet Union."),
        (
            "The grant came from the British Treasury.",
            "The grant came from the Treasury of the United Kingdom.",
        ),
        ("The bridge fell in the Second World War.", "The bridge fell in World War II."),
        ("A Norwegian yard built the hull.", "A yard in Norway built the hull."),
        ("Two Dutch engineers drew it.", "Two engineers from the Netherlands drew it."),
        ("The French supplier delivers it.", "The supplier delivers it from France."),
        ("The South Korean maker sells it.", "The maker sells it in South Korea."),
        ("The Tessarian team won the cup.", "The team of Tessary won the cup."),
    ],
)
def test_well_known_names_of_one_thing_match(premise: str, claim: str) -> None:
    found = score(premise, claim)
    assert found.outcome is Outcome.CONSISTENT
    assert found.features["match"] == 1.0


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("An Australian yard built the hull.", "A yard in Austria built the hull."),
        ("An Iraqi firm won the order.", "A firm from Iran won the order."),
        ("The North Korean maker sells it.", "The maker sells it in South Korea."),
        ("The office is in Ireland.", "The office is in Northern Ireland."),
        ("The office is in Wales.", "The office is in the United Kingdom."),
        ("The order went to Swedish Rail.", "The order went to Swiss Rail."),
        ("MySQL 8 holds the sessions.", "Postgres holds the sessions."),
    ],
)
def test_different_things_do_not_match(premise: str, claim: str) -> None:
    assert score(premise, claim).features["match"] == 0.0


@pytest.mark.parametrize(
    ("premise", "claim", "rival"),
    [
        (
            "The church was built under Elizabeth II.",
            "The church was built under Elizabeth I.",
            "Elizabeth II",
        ),
        ("John Paul II visited Orsk in 1979.", "John Paul I visited Orsk in 1979.", "John Paul II"),
        ("The mill burnt down in World War I.", "The mill burnt down in World War II.", "World War I"),
    ],
)
def test_numbered_names_conflict_with_another_number(premise: str, claim: str, rival: str) -> None:
    assert rival in [
        item.evidence_value for item in score(premise, claim).findings if item.relation == "conflict"
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Elizabeth I died in 1603.", ["Elizabeth I"]),
        ("The pump of Phase I failed.", ["Phase I"]),
        ("Yesterday I went to Oslo.", ["Oslo"]),
        ("In Oslo I met Charles.", ["Oslo", "Charles"]),
        ("I told Charles I have the key.", ["Charles"]),
        ("Then I saw Kessmere.", ["Kessmere"]),
    ],
)
def test_i_is_a_numeral_only_behind_what_is_numbered(text: str, names: list[str]) -> None:
    assert [name.text for name in names_in(text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "It was listed by the United Nations Educational, Scientific and Cultural Organization in 1998.",
            ["United Nations Educational, Scientific and Cultural Organization"],
        ),
        (
            "The Department for Digital, Culture, Media and Sport paid half of it.",
            ["Department for Digital, Culture, Media and Sport"],
        ),
        (
            "The plan of the Health, Safety and Environment Committee was refused.",
            ["Health, Safety and Environment Committee"],
        ),
        ("Trains leave for Oslo, Bergen and Lillevik Station daily.", ["Oslo", "Bergen", "Lillevik Station"]),
        ("We saw Anna, Bert and the Council there.", ["Anna", "Bert", "Council"]),
        ("The Bank of Elm, Marl and Orr signed it.", ["Bank of Elm", "Marl", "Orr"]),
        ("It opens in May, June and July for members.", []),
    ],
)
def test_commas_stay_inside_the_name_of_an_institution(text: str, names: list[str]) -> None:
    assert [name.text for name in names_in(text)] == names


def test_an_institution_with_commas_has_its_acronym() -> None:
    premise = "The site was listed by the United Nations Educational, Scientific and Cultural Organization."
    assert score(premise, "The site was listed by UNESCO.").outcome is Outcome.CONSISTENT
