"""Layouts of documents through the default scorer: a thing has its own fact, and never a neighbour's."""

from __future__ import annotations

from benchmarks.properties.structure import judged, pages, rates


def test_own_facts_are_found_and_neighbours_facts_are_not_lent() -> None:
    found = list(judged(pages()))
    own, others = rates(found)
    assert len(found) > 1700
    assert own > 0.97
    assert others < 0.005
