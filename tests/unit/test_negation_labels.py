"""Names and things under a label that says the contrary of the claim."""

from __future__ import annotations

import pytest
from verifier_signals.polarity import compare

MEETING = (
    "Minutes of 3 May. **Present:** Ada Orr (chair), Ben Lee (treasurer)\n\n**Apologies:** Cy Dunn (rowing)"
)
RULES = "Admitted: children, bicycles. Not admitted: dogs, camper vans"
LISTS = "We never lend out:\n\n- kayaks,\n- tents for winter.\n\nBicycles are lent out by the day.\n\nFree:\n- maps"
VOTES = "Approved: the new fence\nRejected: the orchard wall"


def features(premise: str, claim: str) -> set[str]:
    return {clash.feature for clash in compare(claim, premise).clashes}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (MEETING, "Cy Dunn attended the meeting of 3 May."),
        (MEETING, "Ben Lee was absent from the meeting."),
        (RULES, "Dogs are admitted to the island."),
        (RULES, "Children are not admitted."),
        (VOTES, "The orchard wall was approved."),
        (VOTES, "The fence was rejected by the council."),
        (LISTS, "Kayaks are lent out."),
        ("Winners: Ada Orr, Ben Lee\nLosers: Cy Dunn", "Cy Dunn won."),
        ("Supporters: Ada Orr, Ben Lee", "Ada Orr was an opponent of the bridge."),
    ],
)
def test_a_thing_under_the_contrary_label_clashes(premise: str, claim: str) -> None:
    assert "antonym" in features(premise, claim)


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (MEETING, "Ben Lee attended the meeting of 3 May."),
        (MEETING, "Cy Dunn was absent from the meeting."),
        (MEETING, "Cy Dunn did not attend the meeting."),
        (MEETING, "Dana Hale attended the meeting."),
        (RULES, "Camper vans are not admitted."),
        (RULES, "Bicycles are admitted to the island."),
        (VOTES, "The new fence was approved."),
        (LISTS, "Bicycles are lent out by the day."),
        ("Elm Dam and Reservoir: rules. Camping is forbidden.", "Camping is forbidden at Elm Reservoir."),
        ("Present: Ada Orr\nAbsent: Ada Orr (from 5 pm)", "Ada Orr was present."),
        ("He said what all of us had been afraid of: Ada Orr was absent", "Ada Orr was present at noon."),
    ],
)
def test_a_thing_under_its_own_label_does_not(premise: str, claim: str) -> None:
    found = compare(claim, premise).clashes
    assert not [clash for clash in found if premise[clash.evidence[1] : clash.evidence[1] + 1] == ":"]


@pytest.mark.parametrize(
    ("premise", "claim", "clash"),
    [
        ("She favoured the tramway.", "She was an opponent of the tramway.", True),
        ("Lund opposed the merger.", "Lund was a supporter of the merger.", True),
        ("She opposed the tramway.", "She was an opponent of the tramway.", False),
        ("The council backed the plan.", "The council rejected the plan's arrival.", False),
        ("Departure: 14:20; arrival: 16:55", "The ferry leaves at 14:20.", False),
    ],
)
def test_who_is_called_by_a_deed_does_it(premise: str, claim: str, clash: bool) -> None:
    assert ("antonym" in features(premise, claim)) is clash
