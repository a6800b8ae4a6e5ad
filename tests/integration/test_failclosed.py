"""Conditions of ``make failclosed`` that no other test guards happen here; every guard that its table names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.trust.failclosed import CONDITIONS, PAGE, came_of, page, table
from benchmarks.trust.outcomes import Condition

ROOT = Path(__file__).parents[2]
OWN = [one for one in CONDITIONS if one.guard.startswith("tests/integration/test_failclosed.py")]


@pytest.mark.filterwarnings(
    "ignore::ResourceWarning"
)  # a fault leaves behind what the process would have closed
@pytest.mark.parametrize("condition", OWN, ids=lambda condition: condition.name)
def test_every_condition_comes_out_as_expected(condition: Condition) -> None:
    came = came_of(condition)
    assert not came.approved
    assert came.said == condition.expected, came.why
    assert condition.reason in came.why


@pytest.mark.parametrize("guard", sorted({one.guard for one in CONDITIONS}))
def test_every_guard_is_a_test_that_exists(guard: str) -> None:
    path, _, name = guard.partition("::")
    assert re.search(rf"^def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_the_page_shows_the_table_as_it_is() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text
    assert len(table().splitlines()) == 2 + len(CONDITIONS) >= 60
