"""Work that somebody waits for goes on; where nobody does it ends at its next step, in whatever thread it is."""

from __future__ import annotations

import time

import pytest

from verifier.core.deadline import checkpoint, each, watched
from verifier.core.errors import Cancelled
from verifier.core.onnx import side_by_side
from verifier.interfaces.server.giving_up import Dear, GivenUp, Ticket, spent_quickly
from verifier.verification.claims import extract_claims
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

NUMBERS = "The daily counts in 2023 were " + ", ".join(str(n * 7 % 997) for n in range(120)) + "."


class NobodyWaits(Cancelled):
    """Of these tests."""


def nobody() -> None:
    """A check of work whose client is gone."""
    raise NobodyWaits


def test_a_check_counts_in_its_block_and_nowhere_else() -> None:
    checkpoint()
    with watched(nobody), pytest.raises(NobodyWaits):
        checkpoint()
    checkpoint()


def test_items_are_given_as_long_as_somebody_waits() -> None:
    left = [None, None]
    with watched(lambda: left.pop()):
        given = each("abc")
        assert [next(given), next(given)] == ["a", "b"]
        with pytest.raises(IndexError):
            next(given)


def test_threads_that_do_part_of_the_work_ask_as_well() -> None:
    done: list[int] = []
    with watched(nobody), pytest.raises(NobodyWaits):
        side_by_side(done.append, [1, 2, 3], [1, 1, 1], threads=2)
    assert not done


@pytest.mark.parametrize(
    "work",
    [
        lambda: extract_claims("It opens at 9. " * 3),
        lambda: VerifiedScorer(GivenTexts.of("The fee is 5 EUR.")).verify("The fee is 5 EUR."),
    ],
)
def test_extraction_and_verification_end_where_nobody_waits(work) -> None:
    with watched(nobody), pytest.raises(NobodyWaits):
        work()


def test_a_dear_check_ends_soon_after_its_time() -> None:
    scorer = VerifiedScorer(GivenTexts.of(NUMBERS), suggest_fixes=False)
    scorer.verify("The fee is 5 EUR.")  # opens the models
    began = time.monotonic()
    with pytest.raises(GivenUp):
        Ticket(0.2).spent_on(lambda: [scorer.verify(f"In {n} too. {NUMBERS}") for n in range(1000)])
    assert time.monotonic() - began < 1.2


def spinning() -> None:
    """Work without an end."""
    while True:
        checkpoint()


def test_what_proves_dear_makes_room_and_is_not_given_up() -> None:
    ticket = Ticket(60.0)
    began = time.monotonic()
    with pytest.raises(Dear):
        spent_quickly([ticket], 0.05, spinning, others=lambda: True)
    with pytest.raises(Dear):
        spent_quickly([ticket, Ticket(0.4)], 60.0, spinning, others=lambda: False)
    assert time.monotonic() - began < 5.0
    assert ticket.left > 50.0
    assert spent_quickly([ticket], 60.0, lambda: "done", others=lambda: True) == "done"


def test_where_nobody_else_waits_nothing_is_dear() -> None:
    with pytest.raises(GivenUp):
        spent_quickly([Ticket(0.2)], 0.01, spinning, others=lambda: False)


def test_jobs_of_which_nobody_waits_for_any_are_given_up() -> None:
    tickets = [Ticket(60.0), Ticket(60.0)]
    tickets[0].give_up()
    with pytest.raises(Dear):
        spent_quickly(tickets, 0.01, spinning, others=lambda: True)
    tickets[1].give_up()
    with pytest.raises(GivenUp):
        spent_quickly(tickets, 0.01, spinning, others=lambda: True)
