"""Whether what a text says of one thing is kept apart from what it says of another."""

from __future__ import annotations

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.roles.predication import said_of_another
from verifier_signals.types import TextPair

CONFLICTS = [
    ("Group A received 5 mg. Group B received 10 mg.", "Group B received 5 mg."),
    ("Barge 7 carried gravel; barge 9 carried timber.", "Barge 9 carried gravel."),
    ("Count Orvil built the school. Countess Orvil built the inn.", "Countess Orvil built the school."),
    ("Hugo Lind Sr. built the ketch. Hugo Lind Jr. built the cutter.", "Hugo Lind Jr. built the ketch."),
    ("Ottar's sister keeps the ledger. Ottar keeps the bees.", "Ottar keeps the ledger."),
    ("The amber key opens the shed, whereas the pink key opens the roof.", "The pink key opens the shed."),
    ("Sellers pay 3 percent. Buyers pay 1 percent.", "Buyers pay 3 percent."),
    ("Lot 8 sold for 900 euros, lot 9 for 300 euros.", "Lot 9 sold for 900 euros."),
    ("Room: A; Holds: chairs\nRoom: B; Holds: desks", "Room B holds chairs."),
    ("The red tent leaks. Its rim is steel. The blue tent is wet. Its rim is oak.", "The blue tent's rim is steel."),
    ("Ida taught Per. Per taught Ole.", "Ole taught Per."),
    ("Birgit lent Anton a drill. Anton lent Karl a saw.", "Anton lent Karl a drill."),
    ("The parcel was weighed by the clerk. The letter was weighed by the porter.", "The porter weighed the parcel."),
]  # fmt: skip

OPEN = [
    ("The Moor line is old. It was opened in 1901. The Castle line.", "The Castle line was opened in 1901."),
    ("Vale hired Brandt. He had studied in Graz.", "Brandt had studied in Graz."),
    ("The dam was raised in 1904. Engineer Tova Rehn lit a fire.", "The dam was raised in 1904 by Tova Rehn."),
    ("The library was renovated in 2004. Mona Frey spoke.", "Mona Frey renovated the library in 2004."),
]  # fmt: skip

SAID = [
    ("Group A received 5 mg. Group B received 10 mg.", "Group B received 10 mg."),
    ("The Orby Sea Museum opened in 1901. The Tarn mill opened in 1934.", "The museum opened in 1901."),
    ("Edda Voss founded the choir. She taught in Hulm. Ruth Kelm sang.", "Edda Voss taught in Hulm."),
    ("Cohort A and cohort B received the grant. Cohort C paid.", "Cohort B received the grant."),
    (
        "The north mill and the south mill burned. Both were rebuilt in 1934.",
        "The south mill was rebuilt in 1934.",
    ),
    ("Ruth Kelm painted the ceiling. Edda Voss painted the stairs.", "The ceiling was painted by Ruth Kelm."),
    (
        "Ruth Kelm, the treasurer, signed the lease. Edda Voss signed it too.",
        "The treasurer signed the lease.",
    ),
    ("The physician examined the boy. The nurse examined the girl.", "The doctor examined the boy."),
    (
        "Dunmarrow's first tram ran in 1879. The second ran in 1880.",
        "The first tram in Dunmarrow ran in 1879.",
    ),
    ("Acme Ltd was founded in 1950. The company employs 40 people.", "The company was founded in 1950."),
    ("Plan A includes a phone. Plan B also includes a phone.", "Plan B includes a phone."),
    ("Lot 8 sold for 900 euros, lot 9 for 300 euros.", "Lot 9 sold for 300 euros."),
]


@pytest.mark.parametrize(("premise", "claim"), CONFLICTS)
def test_what_is_said_of_another_while_the_subject_has_something_else_is_a_conflict(
    premise: str, claim: str
) -> None:
    found = said_of_another(claim, (premise,))
    assert found is not None
    assert found.conflict


@pytest.mark.parametrize(("premise", "claim"), OPEN)
def test_what_is_said_of_another_alone_is_open(premise: str, claim: str) -> None:
    found = said_of_another(claim, (premise,))
    assert found is not None
    assert not found.conflict


@pytest.mark.parametrize(("premise", "claim"), SAID)
def test_what_is_said_of_the_subject_in_other_words_is_bound_to_it(premise: str, claim: str) -> None:
    assert said_of_another(claim, (premise,)) is None


def test_several_premises_are_read_together() -> None:
    premises = ("Adults received 20 mg.", "Children received 5 mg.")
    found = said_of_another("Children received 20 mg.", premises)
    assert found is not None
    assert (found.other, found.own) == (0, 1)
    assert said_of_another("Children received 20 mg.", premises[:1]) is None


def test_the_entity_signal_names_both_subjects() -> None:
    pair = TextPair("Group A received 5 mg. Group B received 10 mg.", "Group B received 5 mg.")
    [score] = EntitySignal().score([pair])
    assert score.features["role_conflict"] == 1.0
    [role] = [item for item in score.findings if item.kind == "role"]
    assert (role.claim_value, role.evidence_value) == ("Group B", "Group A")
