"""LlamaIndex: an evaluator, a node postprocessor that marks or drops what is unsupported, and retrievers either way.

Needs the extra ``llama-index``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

from pydantic import PrivateAttr

from verifier.core.registry import needing
from verifier.integrations.checking import Check, Outcome, Unchecked, place
from verifier.integrations.retrieved import Search
from verifier.interfaces.library import Options
from verifier.interfaces.opened import KnowledgeBase
from verifier.verification.contexts import Context

with needing("llama_index", extra="llama-index", package="llama-index-core"):
    from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.prompts.mixin import PromptDictType
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

__all__ = ["GroundedNodes", "GroundednessEvaluator", "KnowledgeRetriever", "contexts_of", "search_of"]


class GroundednessEvaluator(BaseEvaluator):
    """An evaluator of answers: passing where the report is approved, groundedness as score, what failed as feedback.

    Args:
        kb: the knowledge base, its folder or an open store. Without one, or ``search``, an answer is checked against
            the contexts of each call, which a ``Response`` brings along.
        search: another retriever in its place (:func:`search_of`).
        nothing_to_check, options: as for :class:`Check`.
    """

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        search: Search | None = None,
        nothing_to_check: Unchecked = "block",
        **options: Unpack[Options],
    ) -> None:
        self._check = Check(kb, search=search, nothing_to_check=nothing_to_check, **options)

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        """There are none."""

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **_: Any,
    ) -> EvaluationResult:
        """The result for one answer; invalid, and not passing, where nothing could be checked.

        Raises:
            ValueError: there is no response.
        """
        if response is None:
            raise ValueError("response must be given: there is nothing to evaluate")
        outcome = await self._check.aoutcome(response, contexts or (), query)
        return _result(outcome, query, response, contexts)


def _result(
    outcome: Outcome, query: str | None, response: str, contexts: Sequence[str] | None
) -> EvaluationResult:
    checked = outcome.report is not None and outcome.report.groundedness is not None
    return EvaluationResult(
        query=query,
        response=response,
        contexts=contexts,
        passing=outcome.passed,
        score=outcome.score if checked else None,
        feedback=outcome.why,
        invalid_result=not checked,
        invalid_reason=None if checked else outcome.why,
    )


class GroundedNodes(BaseNodePostprocessor):
    """Nodes whose text the trusted knowledge base does not bear out are dropped, or kept with a mark.

    For nodes that others write (summaries, wiki pages, extracted facts), before a model answers from them. Each node's
    metadata get ``verification``, its decision; it is in the texts that models and encoders see only where the index
    has it so.

    Args:
        kb: the knowledge base that is trusted, its folder or an open store.
        drop: whether nodes that do not pass are left out.
        settings: the configuration, in the place of ``verifier.toml`` and the environment.
    """

    kb: Any
    drop: bool = True
    settings: Any = None
    _check: Check = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Take the arguments; nothing is opened yet."""
        super().model_post_init(context)
        self._check = Check(self.kb) if self.settings is None else Check(self.kb, settings=self.settings)

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex keeps it."""
        return "GroundedNodes"

    def _postprocess_nodes(
        self,
        nodes: list[NodeWithScore],
        query_bundle: QueryBundle | None = None,  # noqa: ARG002 - a node is checked whatever was asked
    ) -> list[NodeWithScore]:
        marked = [(one, self._check.outcome(one.node.get_content())) for one in nodes]
        for one, outcome in marked:
            one.node.metadata["verification"] = outcome.decision
            one.node.excluded_llm_metadata_keys.append("verification")
            one.node.excluded_embed_metadata_keys.append("verification")
        return [one for one, outcome in marked if outcome.passed or not self.drop]


def contexts_of(nodes: Iterable[NodeWithScore]) -> list[Context]:
    """Nodes as contexts, each named by its ``file_name`` or ``source``, where its metadata have one."""
    return [
        {
            "text": one.node.get_content(),
            "source": str(one.node.metadata.get("file_name") or one.node.metadata.get("source") or ""),
        }
        for one in nodes
    ]


def search_of(retriever: BaseRetriever) -> Search:
    """Any LlamaIndex retriever as what claims are checked against: it is asked for each claim of an answer."""
    return lambda query: contexts_of(retriever.retrieve(query))


class KnowledgeRetriever(BaseRetriever):
    """A knowledge base as a retriever: each passage a node, with its source, its span and its score.

    Args:
        kb: the knowledge base, its folder or an open store.
        top_k: most passages for a query.
        options: ``settings``, in the place of ``verifier.toml`` and the environment.
    """

    def __init__(self, kb: KnowledgeBase, top_k: int = 5, **options: Unpack[Options]) -> None:
        self._check, self._top_k = Check(kb, **options), top_k
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(
                node=TextNode(id_=f"{one.doc_id}:{one.start}", text=one.text, metadata=dict(place(one))),
                score=one.score,
            )
            for one in self._check.find(query_bundle.query_str, self._top_k)
        ]
