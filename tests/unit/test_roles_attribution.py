"""What stands in brackets, in apposition or in a relative clause belongs to one name of several."""

from __future__ import annotations

import pytest
from verifier_signals.names import Name
from verifier_signals.roles import attached_to_another, other_holder

PASSES = "The passes are Corran, the only one open all winter, and Teyl, which a landslide blocked in 1962."
JURY = "The jury: Ada Orr (coach of the national team), Ben Lee (judge from Osaka) and Cy Dunn (last year's winner)."
CREW = "Aboard were Mara Veil, who had rowed across the Baltic, and Pim Dekker, a nurse from Utrecht."


@pytest.mark.parametrize(
    ("premise", "claim", "name", "rival"),
    [
        (PASSES, "Teyl is the only pass that is open all winter.", "Teyl", "Corran"),
        (PASSES, "Corran was blocked by a landslide in 1962.", "Corran", "Teyl"),
        (JURY, "Ben Lee coaches the national team.", "Ben Lee", "Ada Orr"),
        (JURY, "Ada Orr is a judge from Osaka.", "Ada Orr", "Ben Lee"),
        (CREW, "Pim Dekker had rowed across the Baltic.", "Pim Dekker", "Mara Veil"),
        (CREW, "Mara Veil is a nurse.", "Mara Veil", "Pim Dekker"),
    ],
)
def test_what_is_attached_to_another_name_conflicts(premise: str, claim: str, name: str, rival: str) -> None:
    assert {one.text: other.text for one, other in attached_to_another(claim, premise).items()} == {
        name: rival
    }


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        (PASSES, "Corran is the only pass that is open all winter."),
        (PASSES, "Teyl was blocked by a landslide in 1962."),
        (PASSES, "Teyl is not open all winter."),
        (PASSES, "Unlike Teyl, Corran is open all winter."),
        (JURY, "Ada Orr coaches the national team."),
        (f"{CREW} Pim Dekker had rowed across the Baltic before.", "Pim Dekker had rowed across the Baltic."),
        (f"{CREW} He had rowed across the Baltic, too.", "Pim Dekker had rowed across the Baltic."),
        ("Corran and Teyl, which a landslide blocked, are passes.", "Corran was blocked by a landslide."),
        (
            "Ada Orr of Elm, who won the cup, and Ben Lee of Thane, who came second, sat.",
            "Ada Orr won the cup.",
        ),
        ("Leaving Corran, the bus climbs to Teyl, the village in the woods.", "The bus climbs to Teyl."),
    ],
)
def test_what_a_name_may_share_conflicts_with_nothing(premise: str, claim: str) -> None:
    assert attached_to_another(claim, premise) == {}


COMMITTEE = "Present: Ada Orr (chair), Ben Lee (treasurer), Cy Dunn (secretary)"


@pytest.mark.parametrize(
    ("premise", "claim", "holders"),
    [
        (COMMITTEE, "Ben Lee is the secretary of the Harbour Users' Association.", {"Ben Lee": "Cy Dunn"}),
        (COMMITTEE, "Cy Dunn is the chair of the Teachers' Union.", {"Cy Dunn": "Ada Orr"}),
        (COMMITTEE, "Cy Dunn is the secretary of the Harbour Users' Association.", {}),
        (
            "Editor: Ada Orr\nPublisher: Ben Lee",
            "The Writers' Guild's editor is Ben Lee.",
            {"Ben Lee": "Ada Orr"},
        ),
        ("Editor: Ada Orr\nPublisher: Ben Lee", "Ada Orr is the editor of the Writers' Guild.", {}),
    ],
)
def test_an_office_that_another_one_holds_conflicts(
    premise: str, claim: str, holders: dict[str, str]
) -> None:
    def _holders(claim: str, text: str) -> dict[Name, Name]:
        return attached_to_another(claim, text) | other_holder(claim, text)

    body = f"Minutes of the Harbour Users' Association, the Teachers' Union, the Writers' Guild. {premise}"
    assert {one.text: other.text for one, other in _holders(claim, body).items()} == holders
