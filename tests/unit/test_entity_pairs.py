"""Pairs of many domains with what the names of the claim come to, and the corpus of labelled pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair

CORPUS = Path(__file__).parents[2] / "corpora" / "signals" / "entity.jsonl"
ROWS = {row["id"]: row for row in map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())}


def score(premise: str, claim: str) -> SignalScore:
    return EntitySignal().score([TextPair(premise, claim)])[0]


@pytest.mark.parametrize(
    ("premise", "claim", "values"),
    [
        (
            "Jonas Halvorsen founded the firm. Its chief executive is Mira Sandvik.",
            "Jonas Halvorsen is the chief executive.",
            ("Jonas Halvorsen", "Mira Sandvik"),
        ),
        (
            "Jonas Halvorsen founded the firm. Its chief executive is Mira Sandvik.",
            "Mira Sandvik founded the firm.",
            ("Mira Sandvik", "Jonas Halvorsen"),
        ),
        (
            "Mira Sandvik heads the firm and Jonas Halvorsen chairs the board.",
            "The chair of the board is Mira Sandvik.",
            ("Mira Sandvik", "Jonas Halvorsen"),
        ),
        (
            "The firm is headed by Mira Sandvik. Jonas Halvorsen chairs the board.",
            "Jonas Halvorsen is the head of the firm.",
            ("Jonas Halvorsen", "Mira Sandvik"),
        ),
        (
            "Chief executive Mira Sandvik thanked Jonas Halvorsen.",
            "Jonas Halvorsen is the CEO.",
            ("Jonas Halvorsen", "Mira Sandvik"),
        ),
        (
            "Our data protection officer, Lea Krug, can be reached by e-mail. Press enquiries go to Max Orth.",
            "Max Orth is the data protection officer.",
            ("Max Orth", "Lea Krug"),
        ),
        (
            "Paris is the capital of France, and Madrid is the capital of Spain.",
            "Madrid is the capital of France.",
            ("Madrid", "Paris"),
        ),
    ],
)
def test_a_role_is_tied_to_the_one_who_holds_it(premise: str, claim: str, values: tuple[str, str]) -> None:
    result = score(premise, claim)
    assert result.outcome is Outcome.CONFLICTING
    assert values in [
        (finding.claim_value, finding.evidence_value)
        for finding in result.findings
        if finding.relation is Relation.CONFLICT
    ]


@pytest.mark.parametrize(
    ("premise", "right", "wrong"),
    [
        (
            "Oslo hosts the archive, Riga the laboratory.",
            "Riga hosts the laboratory.",
            "Riga hosts the archive.",
        ),
        ("Backups go to Frankfurt; logs go to Dublin.", "Logs go to Dublin.", "Backups go to Dublin."),
        (
            "Gold went to Kenya, silver to Ethiopia and bronze to Morocco.",
            "Bronze went to Morocco.",
            "Silver went to Morocco.",
        ),
        (
            "Ward A is led by Sister Byrne and Ward B by Sister Doyle.",
            "Sister Doyle leads Ward B.",
            "Ward A is led by Sister Doyle.",
        ),
        (
            "Iron is mined at Tarn, copper at Velm and tin at Roos.",
            "Copper is mined at Velm.",
            "Tin is mined at Velm.",
        ),
        (
            "Team Falcon maintains the gateway. Team Heron maintains the billing service.",
            "Team Heron maintains the billing service.",
            "Team Heron maintains the gateway.",
        ),
    ],
)
def test_a_name_swapped_among_several_matching_ones_conflicts(premise: str, right: str, wrong: str) -> None:
    assert score(premise, right).outcome is Outcome.CONSISTENT
    assert score(premise, wrong).outcome is Outcome.CONFLICTING


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Halden's takeover of Morrow was completed in May.", "Morrow took over Halden in May."),
        ("Morrow, bought by Halden in 2020, makes crates.", "Morrow bought Halden in 2020."),
        ("Halden, which bought Morrow in 2020, is based in Oslo.", "Halden was bought by Morrow in 2020."),
        ("Corvid's victory over Lindal settled the league.", "Lindal beat Corvid."),
        (
            "Danube Freight is a subsidiary of Pannon Holdings.",
            "Pannon Holdings is a subsidiary of Danube Freight.",
        ),
        ("Uri Katz is the father of Dana Katz.", "Dana Katz is the father of Uri Katz."),
        ("Nils Brekke is Greta Olsen's uncle.", "Greta Olsen is Nils Brekke's uncle."),
        ("Lena Braun wrote to Felix Orth in 1921.", "Felix Orth wrote to Lena Braun in 1921."),
        ("Enzyme Kx3 activates the receptor Rm2.", "The receptor Rm2 activates enzyme Kx3."),
    ],
)
def test_sides_exchanged_in_verbs_nouns_and_relations_are_a_role_conflict(premise: str, claim: str) -> None:
    assert score(premise, claim).features["role_conflict"] == 1.0


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The U.S. Food and Drug Administration cleared the device.", "The FDA cleared the device."),
        ("The National Health Service employs nurses.", "The N.H.S. employs nurses."),
        ("Non-disclosure agreements are kept by Corvex.", "Corvex keeps an NDA."),
        ("The chief financial officer of Larkway is Amy Rusk.", "Amy Rusk is the CFO of Larkway."),
        ("A. R. Mehta wrote the preface.", "Anil Mehta wrote the preface."),
        ("Elizabeth Crane designed the garden.", "Liz Crane designed the garden."),
        ("The Helix-9 catheter was recalled.", "The Helix 9 was recalled."),
        ("The Libyan delegation left.", "The delegation of Libya left."),
        ("The Knicks won.", "The New York Knicks won."),
        ("The rule follows ISO/IEC 27001.", "The rule follows ISO 27001."),
        ("The Swiss company was founded in Basel.", "The company from Switzerland was founded in Basel."),
    ],
)
def test_other_forms_of_a_name_are_found(premise: str, claim: str) -> None:
    assert score(premise, claim).outcome is Outcome.CONSISTENT


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Windows 11 is required.", "Windows 10 is required."),
        ("Section 4 sets out the fees.", "Section 9 sets out the fees."),
        ("Vitamin D is added to the milk.", "Vitamin B is added to the milk."),
        ("West Virginia passed the law.", "Virginia passed the law."),
        ("J. Hartley wrote the report.", "Mark Hartley wrote the report."),
    ],
)
def test_names_that_differ_in_a_number_a_letter_or_a_direction_differ(premise: str, claim: str) -> None:
    assert score(premise, claim).outcome is Outcome.CONFLICTING


@pytest.mark.parametrize(
    "claim",
    [
        "Anyone may appeal.",
        "Holiday Entitlement: employees accrue holiday monthly.",
        "The Employee shall notify the Company.",
    ],
)
def test_capitals_of_ordinary_words_make_no_missing_name(claim: str) -> None:
    premise = "the employee shall notify the company. employees accrue holiday monthly and may appeal."
    assert score(premise, claim).features["absent"] == 0.0


def test_the_corpus_names_what_stands_in_its_claims_and_repeats_no_pair() -> None:
    assert {row["relation"] for row in ROWS.values()} == {
        "consistent",
        "conflicting",
        "role_conflict",
        "absent",
    }
    assert all(name in row["claim"] for row in ROWS.values() for name in row["names"])
    assert len({(row["premise"], row["claim"]) for row in ROWS.values()}) == len(ROWS)


def test_most_labelled_pairs_are_read_as_labelled() -> None:
    outcomes = {name: score(row["premise"], row["claim"]).outcome for name, row in ROWS.items()}
    backed = [outcomes[name] for name, row in ROWS.items() if row["relation"] == "consistent"]
    wrong = [outcomes[name] for name, row in ROWS.items() if "conflict" in row["relation"]]
    absent = [outcomes[name] for name, row in ROWS.items() if row["relation"] == "absent"]
    assert sum(item is Outcome.CONFLICTING for item in backed) <= 0.05 * len(backed)
    assert sum(item is Outcome.CONFLICTING for item in wrong) >= 0.85 * len(wrong)
    assert Outcome.CONSISTENT not in absent
