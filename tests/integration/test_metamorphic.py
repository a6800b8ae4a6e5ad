"""Variants of the development claims: the same thing said otherwise keeps its verdict, another thing loses it.

A few hundred variants by the rules alone; ``make metamorphic`` measures thousands of them, with the NLI model. What is
exact by construction is pinned at zero. For the rest ``corpora/expected.toml`` holds ceilings: the rates of the whole
measurement, which only go down; a subset fails when it is surely above its ceiling.
"""

from __future__ import annotations

import tomllib
from random import Random

import pytest

from benchmarks.metamorphic import Tally, clopper_pearson, measure
from benchmarks.variants.corpus import CORPORA, FOLDER
from benchmarks.variants.edits import EDITS, figures_of, is_plain
from benchmarks.variants.forms import EXACT, LOOSE
from benchmarks.variants.types import Base, Given

CEILINGS: dict[str, float] = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))[
    "metamorphic"
]
PINNED = (*EXACT, "documents reordered", "irrelevant passages: support moves by 0.02 or more")


@pytest.fixture(scope="module")
def tallies() -> dict[str, Tally]:
    return {tally.kind: tally for tally in measure(list(CORPORA), limit=7, rules=True)}


@pytest.mark.parametrize("kind", PINNED)
def test_what_says_the_same_by_construction_never_changes_a_verdict(
    kind: str, tallies: dict[str, Tally]
) -> None:
    assert tallies[kind].n > 0
    assert tallies[kind].where == ()


@pytest.mark.parametrize("kind", CEILINGS)
def test_no_kind_is_surely_above_its_ceiling(kind: str, tallies: dict[str, Tally]) -> None:
    tally = tallies[kind]
    assert tally.interval[0] <= CEILINGS[kind], tally.where


def test_every_kind_is_pinned_or_has_a_ceiling(tallies: dict[str, Tally]) -> None:
    assert {*PINNED, *CEILINGS} == set(tallies) >= {*EXACT, *LOOSE, *EDITS}


def test_the_interval_is_that_of_clopper_and_pearson() -> None:
    # Values of scipy.stats.binomtest(k, n).proportion_ci(0.95, method="exact").
    assert clopper_pearson(0, 50) == pytest.approx((0.0, 0.07112174), abs=1e-6)
    assert clopper_pearson(7, 40) == pytest.approx((0.07338273, 0.32779013), abs=1e-6)
    assert clopper_pearson(50, 50) == pytest.approx((0.92887826, 1.0), abs=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "A guest who stays 3 nights pays less.",
        "The hut is not open in May.",
        "You may borrow up to 12 items.",
        "More than 400 people came.",
        "If it rains, 20 boats stay in.",
    ],
)
def test_a_statement_that_may_stay_true_is_not_edited(text: str) -> None:
    assert not is_plain(text)


def test_figures_are_found_in_digits_and_in_words() -> None:
    assert figures_of("Twelve of 1,250 huts, 7.5 km apart") == {12.0, 1250.0, 7.5}


TRUE = "The Thane Bridge has 14 arches, is 240 metres long, was opened on 3 May 1894 and is maintained by Edith Carrow."
DOCUMENTS = f"{TRUE} It was repaired in 1911 and 1936 for 20 crowns."


def edited(kind: str, seed: int) -> list[str]:
    base = Base("bridge", TRUE, "supported", 0.9, True, DOCUMENTS, DOCUMENTS)
    return list(EDITS[kind](Given(base, (), ("Marco Vitelli", "Falcon Hut"), Random(seed))))


@pytest.mark.parametrize("kind", ["number", "date", "invented name", "name of others", "unit", "polarity"])
def test_an_edit_changes_the_claim_and_the_same_seed_makes_it_again(kind: str) -> None:
    assert edited(kind, 1) == edited(kind, 1)
    assert edited(kind, 1)
    assert TRUE not in edited(kind, 1)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_put_in_stands_nowhere_in_the_documents(seed: int) -> None:
    known = figures_of(DOCUMENTS)
    for text in edited("number", seed):
        [new] = figures_of(text) - figures_of(TRUE)
        [old] = figures_of(TRUE) - figures_of(text)
        assert new not in known
        assert abs(new - old) >= 0.3 * max(new, old)
    for text in edited("invented name", seed):
        added = set(text.strip(".").split()) - set(TRUE.strip(".").split())
        assert added
        assert not any(name in DOCUMENTS for name in added)
