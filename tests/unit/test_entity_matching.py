"""Which names are one, well-known ones too, and when another name of the evidence denies a name of the claim."""

from __future__ import annotations

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.names import (
    can_be_rivals,
    is_subject,
    may_be_one,
    names_in,
    preposition_before,
    unnamed_subjects,
)
from verifier_signals.syntax import read
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair


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


def conflicts(premise: str, claim: str) -> list[str]:
    [score] = EntitySignal().score([TextPair(premise, claim)])
    return [item.claim_value for item in score.findings if item.relation is Relation.CONFLICT]


@pytest.mark.parametrize(
    ("claim", "evidence", "rivals"),
    [
        ("Ada Orr", "Mia Lund", True),
        ("Lindersund", "Orlow", True),
        ("Denmark", "Norway", True),
        ("Ohio", "Texas", True),
        ("Lindersund", "Norway", True),
        ("Europe", "Belarus", False),
        ("New England", "Boston", False),
        ("Ohio", "Lindersund", False),
        ("England", "Lindersund", False),
        ("Velluto C4", "Velluto C2", True),
        ("Velluto C4", "Velluto", False),
        ("Uta Hagan", "Uta Thyra Hagen", False),
        ("Zac Marlow", "Zachary Ambrose Marlow", False),
        ("Lois Marlow", "Lena Marlow", True),
        ("West Virginia", "Virginia", True),
        ("Orrin Town F.C.", "Orrin Town", False),
    ],
)
def test_a_name_has_no_rival_in_its_part_nor_a_place_in_one_of_another_size(
    claim: str, evidence: str, rivals: bool
) -> None:
    [ours] = names_in(f"Yesterday they spoke of {claim} there.")
    [theirs] = names_in(f"Yesterday they spoke of {evidence} there.")
    assert can_be_rivals(ours, theirs) is rivals


def test_a_given_name_may_be_the_whole_ones() -> None:
    whole, given, other = names_in("They met Ada Orr there, then Ada there, and Mia there.")
    assert may_be_one(whole, given)
    assert not may_be_one(whole, other)


@pytest.mark.parametrize(
    ("text", "unnamed"),
    [
        ("She was born in Elmford.", (True,)),
        ("The film was produced by Orr Pictures.", (True,)),
        ("In Elmford the town hall was sold to Mia Lund.", (True,)),
        ("Ada Orr left. She moved to Elmford.", (False, False)),
        ("Orlow's hall is large.", (False,)),
        ("Write to Mia Lund, head of sales.", (False,)),
        ("", ()),
    ],
)
def test_a_sentence_may_tell_of_somebody_without_a_name(text: str, unnamed: tuple[bool, ...]) -> None:
    assert unnamed_subjects(text) == unnamed


def test_what_somebody_is_called_is_passed_over_for_the_preposition() -> None:
    text = "It was shown by the director Ada Orr, whom Mia Lund met."
    reading = read(text)
    ada, mia = names_in(text)
    assert (preposition_before(reading, ada), preposition_before(reading, mia)) == ("by", "")
    assert not is_subject(reading, ada)


@pytest.mark.parametrize(
    ("premise", "claim", "expected"),
    [
        ("The ferry sails from Holmsea.", "The ferry sails from Orlow.", ["Orlow"]),
        ("Mia Lund received six nominations.", "Ada Orr received six nominations.", ["Ada Orr"]),
        ("It is now shown in the Orlow Museum.", "It is now shown in the Varn Museum.", ["Varn Museum"]),
        ("She directed Elmwood, which won six prizes.", "Ada Orr won six prizes.", []),
        ("The film was led by Mia Lund and starred Jo Falk.", "Elmwood starred Jo Falk.", []),
        ("The hall was the tallest until the Varn Tower rose.", "The Orlow Tower was the tallest.", []),
        ("Ada, daughter of Lena Marlow, began to act at 18.", "Ada Marlow began to act at 18.", []),
    ],
)
def test_the_same_place_has_the_same_words_about_it(premise: str, claim: str, expected: list[str]) -> None:
    assert conflicts(premise, claim) == expected
