"""Contexts of an answer: what counts as one, how it is named, and which passages a claim is given."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from verifier.core.errors import BackendError, IngestError
from verifier.types import Document
from verifier.verification.contexts import GivenContexts, documents_of
from verifier.verification.retrieve import GivenTexts

FILLER = [f"Ferry {n} sails from the north quay and carries parcels." for n in range(40)]


def test_contexts_keep_their_order_and_are_named_by_number_or_by_their_source() -> None:
    found = documents_of(
        [
            "Entry is free.",
            {"text": "# Fees\n\nParking is 5 EUR.", "source": Path("fees.md"), "media_type": "text/markdown"},
            Document("handbook.pdf", "/handbook.pdf", "Dogs are welcome."),
            {"text": "Cats are not.", "source": None, "score": 0.5},
        ]
    )
    assert [one.source for one in found] == ["context 1", "fees.md", "handbook.pdf", "context 4"]
    assert [one.media_type for one in found] == ["text/plain", "text/markdown", "text/plain", "text/plain"]


def test_contexts_of_one_source_are_told_apart() -> None:
    page = Document("b.pdf", "/b.pdf", "Dogs are welcome.")
    found = documents_of([{"text": "One.", "source": "a.md"}, {"text": "Two.", "source": "a.md"}, page, page])
    assert [one.source for one in found] == [
        "a.md, context 1",
        "a.md, context 2",
        "b.pdf, context 3",
        "b.pdf, context 4",
    ]
    assert len({one.uri for one in found}) == 4


@pytest.mark.parametrize(
    ("contexts", "error", "message"),
    [
        ([], IngestError, "there are no contexts"),
        (["Entry is free.", " \n"], IngestError, "context 2 is blank"),
        (["Entry is free.", "# \u200b..."], IngestError, "context 2 is blank"),
        ([{"text": ""}], IngestError, "context 1 is blank"),
        ([{"page_content": "Entry is free."}], IngestError, "context 1 has no 'text'; it has page_content"),
        ([Document("a", "a", "")], IngestError, "context 1 is blank"),
        ("Entry is free.", TypeError, "contexts is of type str: give a list"),
        (None, TypeError, "contexts is of type NoneType"),
        (["Entry is free.", 3], TypeError, "context 2 is of type int: give a text, a Document"),
        ([{"text": 3}], TypeError, "'text' of context 1 is of type int"),
        ([{"text": "Entry is free.", "source": ["a"]}], TypeError, "'source' of context 1 is of type list"),
    ],
)
def test_what_is_no_context_is_one_clear_error(contexts: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        documents_of(contexts)


def test_few_passages_are_all_evidence_in_their_order() -> None:
    source = GivenContexts(documents_of(FILLER[:5]))
    [found] = source.retrieve(["parking"], top_k=5)
    assert [item.source for item in found] == [f"context {n}" for n in range(1, 6)]


def test_of_many_passages_each_query_gets_its_best_by_words_with_exact_offsets() -> None:
    texts = [*FILLER, "Intro.\n\nParking fees are paid at the gate.", "Dogs are welcome in the gardens."]
    documents = documents_of(texts)
    parking, dogs, foreign = GivenContexts(documents).retrieve(
        ["The parking fee is paid online.", "No dog may enter the garden.", "Quasars."], top_k=4
    )
    assert parking[0].source == "context 41"
    assert dogs[0].source == "context 42"
    assert dogs[0].score > 0.0
    assert [item.source for item in foreign] == [f"context {n}" for n in range(1, 5)]
    for found in (parking, dogs, foreign):
        assert len({item.doc_id for item in found}) == 4
        for item in found:
            [whole] = [one.text for one in documents if one.uri == item.doc_id]
            assert whole[item.start : item.end] == item.text


def test_contexts_whose_text_is_all_hidden_are_no_evidence() -> None:
    hidden = {"text": "<!-- Entry is free. -->", "media_type": "text/markdown"}
    with pytest.raises(BackendError, match="hold no text to check against"):
        GivenContexts(documents_of([hidden])).retrieve(["Entry is free."])


def test_terms_are_counted_by_sentence_as_whole_words() -> None:
    source = GivenTexts.of("Straße 20 GB. A 20 gb plan, C++ and c++! The strasse.", "Planes of plan_b.")
    counts = source.term_document_frequency(["20 GB", "Straße", "plan", "c++", "gb", "plan_b", "İ"])
    assert counts == {"20 GB": 2, "Straße": 2, "plan": 1, "c++": 1, "gb": 2, "plan_b": 1, "İ": 0}
