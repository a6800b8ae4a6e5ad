"""What the evidence has only at one place is not at another."""

from __future__ import annotations

import pytest
from verifier_signals.negation import NegationSignal
from verifier_signals.types import TextPair

TANDEMS = "Tandems are rented out only at Lake Street. Repairs are done at the Old Market."
TOWER = "The diving tower stands only at the Hill Pool. The Harbour Pool has a slide."
GIN = "The museum's gin is sold in the Tarn Shop only. The Holm Shop sells books."
SERUM = "The rabies serum is kept only at the Larkhill branch. The Stowe branch opens at nine."
VACCINE = (
    "The vaccine is kept only at the Larkhill branch and must be ordered a week ahead at the Stowe branch."
)


def clashes(claim: str, premise: str) -> bool:
    score = NegationSignal().score([TextPair(premise, claim)])[0]
    return any(one.note == "the evidence has it only there" for one in score.findings)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("You can rent a tandem at the Old Market, too.", TANDEMS),
        ("Tandems are rented out at the Old Market.", TANDEMS),
        ("The Harbour Pool has a diving tower, too.", TOWER),
        ("There is a diving tower at the Harbour Pool.", TOWER),
        ("The museum's gin is sold in the Holm Shop.", GIN),
        ("The Stowe branch keeps the rabies serum, too.", SERUM),
        ("The vaccine is kept at the Stowe branch.", VACCINE),
    ],
)
def test_another_place_clashes_with_the_only_one(claim: str, premise: str) -> None:
    assert clashes(claim, premise)


@pytest.mark.parametrize(
    ("claim", "premise"),
    [
        ("You can rent a tandem at Lake Street.", TANDEMS),
        ("Bicycles are repaired at the Old Market.", TANDEMS),
        ("You cannot rent a tandem at the Old Market.", TANDEMS),
        ("Tandems are rented out at Lake Street, not at the Old Market.", TANDEMS),
        ("The Harbour Pool has a slide.", TOWER),
        ("The Holm Shop sells books.", GIN),
        ("Runa Eide rented a tandem.", TANDEMS),
        (
            "Tandems are rented out only to adults.",
            "Tandems are rented out only to adults at the Old Market.",
        ),
        ("The Stowe branch opens at nine.", SERUM),
        ("At the Stowe branch the vaccine must be ordered a week ahead.", VACCINE),
    ],
)
def test_other_claims_do_not(claim: str, premise: str) -> None:
    assert not clashes(claim, premise)


CANCEL = "The account owner or a billing administrator can cancel a subscription. Agents cannot."
SAUNA = "Members and their guests may use the sauna."


@pytest.mark.parametrize(
    ("claim", "premise", "clash"),
    [
        ("Only the account owner can cancel a subscription.", CANCEL, True),
        ("Only the account owner or a billing administrator can cancel a subscription.", CANCEL, False),
        ("Only agents can cancel a subscription.", CANCEL, False),
        ("Only members may use the sauna of the club.", SAUNA, True),
        ("Only members and guests may use the sauna.", SAUNA, False),
        ("Only members may use the gym.", SAUNA, False),
    ],
)
def test_whom_the_evidence_admits_beside_the_only_ones_denies_the_claim(
    claim: str, premise: str, clash: bool
) -> None:
    score = NegationSignal().score([TextPair(premise, claim)])[0]
    assert any(one.note == "the evidence admits others" for one in score.findings) is clash
