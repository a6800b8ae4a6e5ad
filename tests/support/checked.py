"""Runs for tests of formats: a text that a real scorer has judged by rules alone, and a run with failures."""

from __future__ import annotations

from verifier.interfaces.formats.base import Checked, Run, Unread
from verifier.interfaces.formats.testing import sample
from verifier.types import Verdict
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

__all__ = ["ANSWER", "judged", "mixed"]

SOURCE = "An annual plan is refunded in full within 30 days. Monthly plans cannot be refunded."
ANSWER = (
    "# Plans\r\n\r\nMonthly plans cannot be refunded. An annual plan is refunded\r\nin full within 60 days, "
    "100% sure: yes.\n<!-- The fee is 5 EUR. -->\n"
)


def judged(text: str = ANSWER, name: str = "answers/a, b.md") -> Checked:
    """A text judged by the rules against ``SOURCE``."""
    return Checked(name, text, VerifiedScorer(GivenTexts.of(SOURCE)).verify(text), name)


def mixed() -> Run:
    """A text that fails in three ways, one from stdin with a claim in error, one with nothing to check; a file lost."""
    good = sample("Refunds take 30 days.", None, "stdin")
    return Run(
        (
            judged(),
            Checked("stdin", good.text, good.report),
            judged("# Only a heading\n", "empty.md"),
            sample("Refunds take 30 days.", Verdict.SUPPORTED, "good.md"),
        ),
        (Unread("scan.pdf", "no text in it", "scan.pdf"),),
        several=True,
    )
