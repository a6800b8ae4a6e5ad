"""LlamaIndex's evaluation, query engines and retrievers around our checks, with its own MockLLM."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from llama_index.core import SummaryIndex
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode

from tests.frameworks.conftest import PARKING, REFUNDS
from tests.frameworks.pages import run_page
from verifier.integrations.llama_index import (
    GroundednessEvaluator,
    GroundedNodes,
    KnowledgeRetriever,
    search_of,
)

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."


def test_passing_is_the_gates_decision_and_not_the_score() -> None:
    evaluate = GroundednessEvaluator().evaluate
    good = evaluate(query="When?", response=TRUE, contexts=[REFUNDS, ""])
    assert (good.passing, good.score, good.invalid_result) == (True, 1.0, False)
    mixed = evaluate(
        response=f"{TRUE} The return must be sent in its box. The car park costs 9 EUR a day.",
        contexts=[REFUNDS, PARKING],
    )
    assert not mixed.passing
    assert mixed.score == pytest.approx(2 / 3)
    assert "evidence says: 4 EUR (context 2" in mixed.feedback


def test_what_could_not_be_checked_is_invalid_and_does_not_pass(kb: Path) -> None:
    for result in (
        GroundednessEvaluator().evaluate(response=TRUE, contexts=[]),
        GroundednessEvaluator(kb).evaluate(response="Hello!"),
    ):
        assert (result.passing, result.score, result.invalid_result) == (False, None, True)
        assert result.invalid_reason
    assert GroundednessEvaluator(kb, nothing_to_check="pass").evaluate(response="Hello!").passing
    with pytest.raises(ValueError, match="response must be given"):
        GroundednessEvaluator(kb).evaluate(query="When?")


def test_batches_and_responses_of_a_query_engine_are_evaluated(kb: Path) -> None:
    engine = RetrieverQueryEngine.from_args(KnowledgeRetriever(kb, top_k=1), llm=MockLLM())
    response = engine.query("when are refunds paid")
    assert [node.node.metadata["source"] for node in response.source_nodes] == ["refunds.md"]
    response.response = FALSE
    assert not GroundednessEvaluator().evaluate_response(response=response).passing
    runner = BatchEvalRunner({"grounded": GroundednessEvaluator(kb)}, workers=2)
    results = asyncio.run(runner.aevaluate_response_strs(["a", "b"], [TRUE, FALSE], [[], []]))
    assert [one.passing for one in results["grounded"]] == [True, False]


def test_nodes_that_are_not_borne_out_are_dropped_or_marked(kb: Path) -> None:
    def nodes() -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text=text), score=1.0) for text in (TRUE, FALSE)]

    kept = GroundedNodes(kb=kb).postprocess_nodes(nodes(), query_str="refunds")
    assert [one.node.text for one in kept] == [TRUE]
    marked = asyncio.run(GroundedNodes(kb=str(kb), drop=False).apostprocess_nodes(nodes()))
    assert [one.node.metadata["verification"] for one in marked] == ["approved", "rejected"]
    assert marked[1].node.get_content(MetadataMode.LLM) == FALSE


def test_any_retriever_is_what_claims_are_checked_against() -> None:
    index = SummaryIndex(
        [
            TextNode(text=text, metadata={"file_name": name})
            for name, text in (("refunds.md", REFUNDS), ("parking.md", PARKING))
        ]
    )
    result = GroundednessEvaluator(search=search_of(index.as_retriever())).evaluate(response=FALSE)
    assert not result.passing
    assert "(refunds.md, line 1)" in result.feedback


def test_the_page_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    run_page("integrations/llama_index", monkeypatch)
