"""Claims of what changed between two editions of one text, settled by a figure of each."""

from __future__ import annotations

from typing import cast

import pytest
from verifier_signals.ranking import revised_in
from verifier_signals.types import Relation

from verifier.types import Evidence
from verifier.verification.decision.document_dates import editions_of, heads_of
from verifier.verification.decision.joined_facts import Related, related
from verifier.verification.evidence.windows import windows_of
from verifier.verification.retrieve import KnowledgeSource

OLD = (
    "Loans run for 21 days. A reminder costs 2 euros for each item. Desks are kept for up to 4 hours.",
    "Guests pay 12 euros for a card and 5 euros for a locker. The deposit is 30 euros.",
)
NEW = (
    "Loans run for 28 days. A reminder costs 2 euros for each item. Desks are kept for up to 3 hours.",
    "Guests pay 15 euros for a card and 5 euros for a locker. The deposit is 60 euros.",
)


class Archive:
    """The texts of two editions by their document, as a store keeps them."""

    def __init__(self, heads: dict[str, str]) -> None:
        self.heads = heads

    def document_head(self, doc_id: str, chars: int) -> str:
        return self.heads[doc_id][:chars]


BY_VERSION = Archive(
    {
        "old": "# Sill Library: rules\n\nVersion 2, in force from 1 May 2021\n",
        "new": "# Sill Library: rules\n\nVersion 3, in force from 1 June 2024. It replaces version 2.\n",
    }
)
BY_NAME = Archive({"old": "# Sill Library: rules\n", "new": "# Sill Library: rules\n"})


def told(
    claim: str, archive: Archive = BY_VERSION, sources: tuple[str, str] = ("a.md", "b.md")
) -> Related | None:
    windows = [
        window
        for doc_id, source, texts in zip(("old", "new"), sources, (OLD, NEW), strict=True)
        for at, text in enumerate(texts)
        for window in windows_of(
            Evidence(
                doc_id, source, text, at * 500, at * 500 + len(text), 1.0, headings=("Sill Library: rules",)
            )
        )
    ]
    source = cast(KnowledgeSource, archive)
    return related(claim, windows, lambda _: [], editions_of(source, heads_of(source)))


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Compared with version 2, version 3 of the rules lengthened the time for which loans run.", True),
        ("Loans run for a shorter time under the rules of 2024 than under those of 2021.", False),
        ("Loans ran for a shorter time under the rules of 2021 than under those of 2024.", True),
        ("The cost of a reminder stayed the same when version 3 replaced version 2.", True),
        ("A guest's card costs the same under the rules of 2024 as it did in 2021.", False),
        ("From version 2 to version 3 the library lowered what guests pay for a card.", False),
        ("Between 2021 and 2024 the library left what guests pay for a locker unchanged.", True),
        ("The rules of 2024 doubled the deposit that those of 2021 had asked for.", True),
        ("The rules of 2024 halved the deposit that those of 2021 had asked for.", False),
        ("When version 3 replaced version 2, the hours for which a desk is kept were cut.", True),
    ],
)
def test_a_change_between_two_editions_is_read_from_a_figure_of_each(claim: str, holds: bool) -> None:
    found = told(claim)
    assert found is not None
    assert found.holds is holds


@pytest.mark.parametrize(
    "claim",
    [
        "The rules of 2024 tripled the deposit that those of 2021 had asked for.",
        "The rules of 2024 did not raise the deposit that those of 2021 had asked for.",
        "Between 2021 and 2024 the library raised the fee for music lessons.",
        "Between 2019 and 2024 the library raised the deposit.",
        "The library raised the deposit in 2024.",
        "The library raised the deposit from 30 to 50 euros between 2021 and 2024.",
    ],
)
def test_what_the_figures_do_not_tell_stays_open(claim: str) -> None:
    assert told(claim) is None


def test_both_figures_are_quoted() -> None:
    found = told("The deposit was lowered between the rules of 2021 and those of 2024.")
    assert found is not None
    (finding,) = found.score.findings
    assert (finding.relation, finding.note) == (Relation.CONFLICT, "60 euros against 30 euros")


def test_an_edition_is_known_by_the_name_of_its_file() -> None:
    claim = "Between 2021 and 2024 the library lowered the deposit."
    assert told(claim, BY_NAME) is None
    found = told(claim, BY_NAME, ("rules_2021.md", "rules_2024.md"))
    assert found is not None
    assert found.holds is False


def test_no_two_editions_are_asked_about_without_two_marks() -> None:
    assert revised_in("The fee was raised in 2024.") is None
    assert revised_in("The fee was paid in 2021 and in 2024.") is None
