"""Our components in real Haystack pipelines: run, saved, loaded, and in a loop."""

from __future__ import annotations

from pathlib import Path

import pytest
from haystack import Document, Pipeline, component
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

from tests.frameworks.conftest import REFUNDS
from tests.frameworks.pages import run_page
from verifier.core.errors import ConfigError
from verifier.integrations.haystack import AnswerChecker, KnowledgeRetriever, search_of

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."


def test_replies_go_two_ways_with_the_reason_for_each(kb: Path) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", KnowledgeRetriever(str(kb), top_k=2))
    pipeline.add_component("checker", AnswerChecker())
    pipeline.connect("retriever.documents", "checker.documents")
    result = pipeline.run({"retriever": {"query": "refunds"}, "checker": {"replies": [TRUE, FALSE]}})[
        "checker"
    ]
    assert (result["approved"], result["rejected"]) == ([TRUE], [FALSE])
    assert "evidence says: within 30 days (refunds.md, line 1)" in result["feedback"]
    assert [one["decision"] for one in result["outcomes"]] == ["approved", "rejected"]


def test_without_documents_or_claims_nothing_is_approved(kb: Path) -> None:
    assert AnswerChecker().run(replies=[TRUE])["rejected"] == [TRUE]
    assert AnswerChecker(str(kb)).run(replies=["Hello!"])["rejected"] == ["Hello!"]
    assert AnswerChecker(str(kb), nothing_to_check="pass").run(replies=["Hello!"])["approved"] == ["Hello!"]


def test_a_pipeline_is_saved_and_loaded_with_its_knowledge_base(kb: Path) -> None:
    pipeline = Pipeline()
    pipeline.add_component("retriever", KnowledgeRetriever(kb, top_k=1))
    pipeline.add_component("checker", AnswerChecker(kb, strict=True))
    loaded = Pipeline.loads(pipeline.dumps(), allowed_modules=["verifier.integrations.haystack"])
    result = loaded.run({"retriever": {"query": "refunds"}, "checker": {"replies": [TRUE]}})
    assert result["retriever"]["documents"][0].meta["source"] == "refunds.md"
    assert result["checker"]["approved"] == [TRUE]
    assert loaded.get_component("checker").strict is True
    with pytest.raises(ConfigError, match="cannot be saved"):
        AnswerChecker(search=lambda query: []).to_dict()


def test_a_rejected_reply_goes_round_until_it_passes(kb: Path) -> None:
    @component
    class Writer:
        """Says something false until it is told what is wrong."""

        @component.output_types(replies=list[str])
        def run(self, question: str, feedback: str = "") -> dict:
            return {"replies": [TRUE if "within 30 days" in feedback else FALSE]}

    @component
    class Again:
        """Passes feedback on only where something was rejected."""

        @component.output_types(feedback=str)
        def run(self, rejected: list[str], feedback: str) -> dict:
            return {"feedback": feedback} if rejected else {}

    pipeline = Pipeline(max_runs_per_component=3)
    for name, part in (("writer", Writer()), ("checker", AnswerChecker(kb)), ("again", Again())):
        pipeline.add_component(name, part)
    pipeline.connect("writer.replies", "checker.replies")
    pipeline.connect("checker.rejected", "again.rejected")
    pipeline.connect("checker.feedback", "again.feedback")
    pipeline.connect("again.feedback", "writer.feedback")
    result = pipeline.run({"writer": {"question": "When are refunds paid?"}})
    assert result["checker"]["approved"] == [TRUE]


def test_any_retriever_is_what_claims_are_checked_against() -> None:
    store = InMemoryDocumentStore()
    store.write_documents([Document(content=REFUNDS, meta={"source": "refunds.md"})])
    result = AnswerChecker(search=search_of(InMemoryBM25Retriever(store))).run(replies=[FALSE])
    assert "(refunds.md, line 1)" in result["feedback"]


def test_the_page_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    run_page("integrations/haystack", monkeypatch)
