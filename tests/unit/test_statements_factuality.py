"""A sentence is read with what frames it; the head's file is checked before it is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.core.errors import ConfigError
from verifier.core.text import sentence_spans
from verifier.verification.statements import (
    Factuality,
    FramedSentence,
    row_factuality,
    statements_of,
    support_bar,
)
from verifier.verification.statements.factuality import (
    FOLDER,
    ClauseFactuality,
    FactualityHead,
    clause_spans,
    decided,
    factuality_of,
    framed_sentences,
)

PLAIN = [
    "The library opens at 9 in the morning.",
    "Dogs are not allowed in the park.",
    "According to the manual, the battery lasts ten hours.",
    "The council announced on Monday that the bridge is closed to lorries.",
    "Never swim alone.",
    "Until 6 pm the desk is open.",
    "Opened in 2019, the hall seats 800 people.",
    "The myth of Orpheus is painted on the wall.",
    "Refunds are paid if the item is unused.",
    "Orders will be sent within two days.",
]
NOT_ASSERTED = [
    ("It is a myth that bats are blind.", Factuality.DENIED),
    ("The rumour that the mill closed is false.", Factuality.DENIED),
    ("Until 2019 the handling fee was 5 EUR.", Factuality.ENDED),
    ("Imagine that the handling fee is 5 EUR.", Factuality.HYPOTHETICAL),
    ("Is the handling fee 5 EUR?", Factuality.ASKED),
    ("Critics claim that the tower spoils the view.", Factuality.ATTRIBUTED),
    ("From 2031 the handling fee will be 5 EUR.", Factuality.PLANNED),
]


def _statements(text: str, above: tuple[str, ...] = ()) -> list[Factuality]:
    spans = tuple(sentence_spans(text))
    read_as = tuple(text[slice(*span)] for span in spans)
    return [one.factuality for one in statements_of(text, spans, (above,) * len(spans), read_as)]


@pytest.mark.parametrize("sentence", PLAIN)
def test_plain_sentences_are_asserted(sentence: str) -> None:
    assert factuality_of([FramedSentence(sentence)]) == [Factuality.ASSERTED]


@pytest.mark.parametrize(("sentence", "kind"), NOT_ASSERTED)
def test_a_sentence_says_that_it_does_not_assert_what_it_names(sentence: str, kind: Factuality) -> None:
    assert factuality_of([FramedSentence(sentence)]) == [kind]


def test_the_next_sentence_can_deny_one() -> None:
    assert _statements("The fee is 5 EUR. This is not true.")[0] is Factuality.DENIED
    assert _statements("The fee is 5 EUR. This is true.")[0] is Factuality.ASSERTED


def test_a_heading_can_deny_what_stands_below_it() -> None:
    assert _statements("Bats are blind.", ("False statements",)) == [Factuality.DENIED]
    assert _statements("Bats are blind.", ("Animals",)) == [Factuality.ASSERTED]


def test_an_open_check_box_is_a_plan() -> None:
    spans = ((0, 20),)
    [framed] = framed_sentences("- [ ] Order the lamp", spans, [()])
    assert framed.unticked
    assert factuality_of([framed]) == [Factuality.PLANNED]


def test_neighbours_come_in_the_order_of_the_document() -> None:
    text = "A b. C d. E f. G h."
    framed = framed_sentences(text, sentence_spans(text), [()] * 4)
    assert framed[2] == FramedSentence("E f.", (), ("A b.", "C d."), ("G h.",))


def test_clauses_cover_the_sentence() -> None:
    sentence = "If the bridge is damaged, the ferry runs every hour."
    spans = clause_spans(sentence)
    assert "".join(sentence[start:end] for start, end in spans) == sentence
    assert len(spans) > 1


def test_a_sentence_is_asserted_where_enough_of_it_is() -> None:
    asked, asserted = Factuality.ASKED, Factuality.ASSERTED
    assert decided([ClauseFactuality((0, 10), asked), ClauseFactuality((10, 20), asserted)]) is asserted
    assert decided([ClauseFactuality((0, 18), asked), ClauseFactuality((18, 20), asserted)]) is asked


def test_a_row_without_a_sentence_says_what_it_says() -> None:
    assert row_factuality("Room: Attic; Heated: no", ()) is Factuality.ASSERTED


def test_a_condition_bears_nothing_out() -> None:
    rule = "If the bridge is damaged, the ferry runs every hour."
    assert support_bar(Factuality.ASSERTED, rule, "The bridge is damaged.") is not None
    assert (
        support_bar(Factuality.ASSERTED, rule, "If the bridge is damaged, the ferry runs every hour.") is None
    )


@pytest.mark.parametrize(
    ("factuality", "claim", "barred"),
    [
        (Factuality.DENIED, "The fee is 5 EUR.", True),
        (Factuality.DENIED, "The fee is not 5 EUR.", False),
        (Factuality.ENDED, "The fee is 5 EUR.", True),
        (Factuality.ENDED, "The fee was 5 EUR in 2018.", False),
        (Factuality.PLANNED, "The fee is 5 EUR.", True),
        (Factuality.PLANNED, "The fee will be 5 EUR.", False),
        (Factuality.ASKED, "The fee is 5 EUR.", True),
    ],
)
def test_a_claim_that_says_no_more_may_be_borne_out(factuality: Factuality, claim: str, barred: bool) -> None:
    assert (support_bar(factuality, "The fee is 5 EUR.", claim) is not None) is barred


def test_a_head_over_another_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="lacks"):
        FactualityHead(tmp_path, "x")
    with pytest.raises(ConfigError, match="another model"):
        FactualityHead(FOLDER, "x")


@pytest.mark.parametrize(
    "sentence",
    [
        "Just under 2 metres of snow fell.",
        "Nearly 300 people came to the fair.",
        "There is no sign of a fracture.",
        "A leak was ruled out.",
    ],
)
def test_what_a_sentence_bounds_or_rules_out_itself_is_asserted(sentence: str) -> None:
    assert _statements(sentence) == [Factuality.ASSERTED]


def test_only_what_is_denied_denies() -> None:
    assert [kind for kind in Factuality if kind.denies] == [Factuality.DENIED]
