"""Context relevance: the nearest item decides; nothing to compare is said, not scored."""

import numpy as np
import pytest
from verifier_backends.encoders import HashingEncoder

from verifier.guard.relevance import ContextItem, ContextRelevance, context_items

SCOPE = "Reduce the water use of the dye works."
LIMIT = "No new pumps may be bought this year."


@pytest.fixture
def relevance():
    return ContextRelevance(HashingEncoder())


def test_the_nearest_item_decides(relevance):
    items = context_items(SCOPE, [LIMIT], ["Rinsing takes most of the water."])
    result = relevance.rate("Buying pumps is ruled out this year.", items)
    assert result.best == ContextItem("constraint", LIMIT)
    assert result.score == max(item.similarity for item in result.items)
    assert 0 < result.score < 1


def test_similarities_are_clamped_to_the_unit_range():
    class Opposed:
        identity, dimension = "opposed", 2

        def encode(self, texts):
            return np.array([[1.0, 0.0] if text == "up" else [-1.0, 0.0] for text in texts], dtype=np.float32)

    result = ContextRelevance(Opposed()).rate("up", [ContextItem("scope", "down")])
    assert result.score == 0


def test_blank_items_and_steps_that_are_switched_off_do_not_count():
    items = context_items(SCOPE, ["", " "], [LIMIT], steps=["first", "second", "third"])
    assert [item.kind for item in items] == ["scope", "assumption"]
    with_steps = context_items(SCOPE, steps=["first", "second", "third"], previous_steps=2)
    assert [item.text for item in with_steps] == [SCOPE, "second", "third"]


@pytest.mark.parametrize(("text", "items"), [("  ", context_items(SCOPE)), ("Rinse less.", [])])
def test_nothing_to_compare_is_not_measured(relevance, text, items):
    result = relevance.rate(text, items)
    assert result.score is None
    assert result.best is None
    assert result.reason


def test_a_batch_is_encoded_once_and_equals_one_by_one():
    calls = []

    class Counting(HashingEncoder):
        def encode(self, texts):
            calls.append(list(texts))
            return super().encode(texts)

    relevance = ContextRelevance(Counting())
    items = context_items(SCOPE, [LIMIT])
    texts = ["Rinse less.", "Reuse the rinse water.", "Rinse less."]
    batch = relevance.rate_many([(text, items) for text in texts])
    assert calls == [["Rinse less.", SCOPE, LIMIT, "Reuse the rinse water."]]
    assert batch == [relevance.rate(text, items) for text in texts]
