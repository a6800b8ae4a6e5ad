"""Labelled pairs are split by one rule: what rules were developed on is ``tune`` in each corpus, and stays so."""

import json

import pytest

from benchmarks.names import TUNE
from benchmarks.signals import CORPORA, half_of


@pytest.mark.parametrize(("corpus", "tune", "seen"), [("number", 0, 360), ("entity", TUNE, 223)])
def test_the_half_that_rules_were_developed_on_stays_the_same(corpus, tune, seen):
    rows = map(json.loads, (CORPORA / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines())
    assert sum(half_of(row["premise"], tune=tune) == "tune" for row in rows) == seen


def test_a_premise_is_in_one_half_and_the_halves_can_be_exchanged():
    assert {half_of("A fee."), half_of("A fee.", tune=1)} == {"tune", "test"}
