"""Evidence of another edition than the claim names is left out; documents that only bear another year stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from verifier.types import Claim, Evidence
from verifier.verification.retrieve import GivenTexts, gather


def _evidence(source: str, *headings: str) -> Evidence:
    return Evidence(doc_id=source, source=source, text="x", start=0, end=1, score=1.0, headings=headings)


class _Found(GivenTexts):
    """A knowledge source that finds the same for every query."""

    found: Sequence[Evidence] = ()

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        return [list(self.found) for _ in queries]


def _kept(claim: str, evidence: Iterable[Evidence]) -> list[str]:
    source = _Found(())
    object.__setattr__(source, "found", tuple(evidence))
    [kept] = gather(source, [Claim(claim, 0, len(claim))], top_k=5, namespace="default")
    return [item.source for item in kept]


OLD, NEW = (
    _evidence("pool_rules_2021.md", "Pool rules 2021"),
    _evidence("pool_rules_2023.md", "Pool rules 2023"),
)


@pytest.mark.parametrize(("year", "kept"), [("2021", "pool_rules_2021.md"), ("2023", "pool_rules_2023.md")])
def test_the_edition_of_the_year_that_the_claim_names_is_kept(year: str, kept: str) -> None:
    assert _kept(f"Under the rules of {year} diving is allowed.", [OLD, NEW]) == [kept]


def test_editions_that_only_their_titles_name_are_told_apart() -> None:
    third = _evidence("a.md", "Orrin terms of use, version 3")
    fourth = _evidence("b.md", "Orrin terms of use, version 4")
    assert _kept("Version 3 of the terms allows resale.", [third, fourth]) == ["a.md"]


def test_a_year_in_the_title_of_one_document_leaves_others_alone() -> None:
    report = _evidence("tides.md", "Orrin Bay: tide report, March 2025")
    school = _evidence("school.md", "Elmford School: admissions for 2026")
    plain = _evidence("ferry.md", "Ferry")
    kept = _kept("Applications to Elmford School close on 31 October 2025.", [report, school, plain])
    assert kept == ["tides.md", "school.md", "ferry.md"]


def test_a_claim_without_a_year_keeps_all_editions() -> None:
    assert len(_kept("Diving is allowed.", [OLD, NEW])) == 2
