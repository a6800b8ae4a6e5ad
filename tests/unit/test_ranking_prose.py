"""``The larger of the two``: one of them is named, and figures of their kind say which has more."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from verifier_signals.ranking import EvidencePiece, settle_ranking

MILLS = (
    "The Upper Mill was built in 1812 and has four wheels; it grinds 3,400 kg of rye.",
    "The Lower Mill was built in 1795 and has three wheels; it grinds 2,100 kg of rye.",
    "The miller sells flour on Saturdays from 8:00 to 12:00.",
)
LINES = (
    "The valley line runs to Tarn and takes 55 minutes.",
    "The ridge line runs to Holm and takes 2 hours and 5 minutes.",
    "Tickets must be bought 10 minutes before departure.",
)
HOUSES = (
    "The Ridge House was built in 1936 and has 20 beds; the Valley House was built in 1968 and has 44 beds.",
)
BRIDGES = ("The Oak Bridge is 212 m long.", "The Mill Bridge is 148 m long.", "The Dean Bridge is 90 m long.")


def verdict(claim: str, texts: Sequence[str]) -> bool | None:
    found = settle_ranking(claim, [EvidencePiece(text, "one text") for text in texts])
    return None if found is None else found.holds


@pytest.mark.parametrize(
    ("claim", "texts", "holds"),
    [
        ("The Upper Mill is the larger of the two.", MILLS, True),
        ("The Lower Mill is the larger of the two.", MILLS, False),
        ("The Upper Mill is not the larger of the two.", MILLS, False),
        ("The Lower Mill is not the larger of the two.", MILLS, True),
        ("The Lower Mill is the older of the two mills.", MILLS, True),
        ("The newer of the two is the Lower Mill.", MILLS, False),
        ("The Upper Mill is the newer one.", MILLS, True),
        ("The ridge line is the longer of the two.", LINES, True),
        ("The valley line is the longer of both.", LINES, False),
        ("The valley line is the shorter one.", LINES, True),
        ("The Valley House is the larger one.", HOUSES, True),
        ("The Valley House is the older of the two.", HOUSES, False),
    ],
)
def test_figures_of_the_other_one_settle_it(claim: str, texts: Sequence[str], holds: bool) -> None:
    assert verdict(claim, texts) is holds


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("The Upper Mill is the deeper of the two.", MILLS),
        ("The Oak Bridge is the longer of the two.", BRIDGES),
        ("The Dean Bridge is the longer one.", BRIDGES),
        ("The valley line is the older of the two.", LINES),
        ("The elder of the brothers runs the Upper Mill.", MILLS),
        ("The Upper Mill is the larger of the two.", MILLS[:1]),
    ],
)
def test_nothing_is_said_of_other_measures_or_of_more_than_two(claim: str, texts: Sequence[str]) -> None:
    assert verdict(claim, texts) is None
