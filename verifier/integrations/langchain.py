"""LangChain: middleware that lets no unchecked answer out of an agent, a Runnable, and retrievers either way.

Needs the extra ``langchain``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, NotRequired, Unpack

from pydantic import PrivateAttr

from verifier.core.registry import needing
from verifier.integrations.checking import Check, Outcome, Unchecked, place, said
from verifier.integrations.retrieved import Search
from verifier.interfaces.library import Options, in_thread
from verifier.interfaces.opened import KnowledgeBase
from verifier.types import Report
from verifier.verification.contexts import Context

with needing("langchain", "langchain_core", "langgraph", extra="langchain"):
    from langchain.agents.middleware import (
        AgentMiddleware,
        AgentState,
        ExtendedModelResponse,
        ModelRequest,
        ModelResponse,
    )
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.runnables import Runnable, RunnableConfig
    from langgraph.types import Command

__all__ = ["BLOCKED", "GroundedAnswers", "KnowledgeRetriever", "VerifyAnswer", "contexts_of", "search_of"]

BLOCKED = "I cannot confirm an answer to this from the sources that I have."
"""What an agent says in the place of an answer that is blocked."""

_REPAIR = (
    "Your answer was checked against the sources and was not approved:\n\n{why}\n\n"
    "Write the answer again. Say only what the sources state, and leave out what they do not."
)


class CheckedState(AgentState[Any]):
    """The state of an agent whose answers are checked."""

    verification: NotRequired[dict[str, Any]]  # type: ignore[valid-type] # no TypedDict where LangChain is not there
    """The outcome of the last answer, as JSON values: ``decision``, ``passed``, ``claims`` ..., and ``repairs``."""


class GroundedAnswers(AgentMiddleware[CheckedState, Any, Any]):
    """Checks each answer of an agent by the gate's decision, has it written again, and blocks it where that fails.

    A message that calls tools is no answer yet and goes on. An answer that is rejected never enters the agent's state:
    the model sees it with what is wrong, ``repairs`` times, and then ``blocked`` stands in its place. Tokens that are
    streamed while the model writes are not held back.

    Args:
        kb: the knowledge base, its folder or an open store. Without one, or ``search``, an answer is checked against
            what the tools have returned in the conversation.
        search: another retriever in its place (:func:`search_of`).
        tools: names of the tools whose results are sources; by default all. Leave out those that repeat what the model
            tells them.
        repairs: how often an answer is written again.
        blocked: what is said instead of an answer that is blocked.
        text: makes a text of a structured response; one without is refused, never passed over.
        nothing_to_check, options: as for :class:`Check`.
    """

    state_schema = CheckedState

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        search: Search | None = None,
        tools: Iterable[str] | None = None,
        repairs: int = 1,
        blocked: str = BLOCKED,
        text: Callable[[Any], str] | None = None,
        nothing_to_check: Unchecked = "block",
        **options: Unpack[Options],
    ) -> None:
        super().__init__()
        self.tools: Sequence[Any] = ()
        self._check = Check(kb, search=search, nothing_to_check=nothing_to_check, **options)
        self._sources = None if tools is None else frozenset(tools)
        self._repairs, self._blocked, self._text = repairs, blocked, text

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """The model's message, checked."""
        asked, repairs = request, 0
        while True:
            response = handler(asked)
            answer = self._answer(response)
            if answer is None:
                return response
            outcome = self._check.outcome(answer, *self._grounds(request.messages))
            if outcome.passed or repairs == self._repairs:
                return self._told(response, outcome, repairs)
            asked, repairs = _again(request, response, outcome), repairs + 1

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """:meth:`wrap_model_call` without holding up the event loop."""
        asked, repairs = request, 0
        while True:
            response = await handler(asked)
            answer = self._answer(response)
            if answer is None:
                return response
            outcome = await self._check.aoutcome(answer, *self._grounds(request.messages))
            if outcome.passed or repairs == self._repairs:
                return self._told(response, outcome, repairs)
            asked, repairs = _again(request, response, outcome), repairs + 1

    def _answer(self, response: ModelResponse[Any]) -> str | None:
        """The text of an answer; ``None`` where the model calls tools."""
        if response.structured_response is not None:
            own = response.structured_response
            return self._text(own) if self._text is not None else said(own, "the structured response")
        last = response.result[-1]
        return None if not isinstance(last, AIMessage) or last.tool_calls else last.text

    def _grounds(self, messages: Sequence[AnyMessage]) -> tuple[list[Context], str | None]:
        """What the tools have returned in this conversation, and the last question."""
        results = [
            one
            for one in messages
            if isinstance(one, ToolMessage) and one.status != "error" and self._is_source(one)
        ]
        questions = [one.text for one in messages if isinstance(one, HumanMessage)]
        contexts = [context for one in results for context in _returned(one)]
        return contexts, questions[-1] if questions else None

    def _is_source(self, message: ToolMessage) -> bool:
        return self._sources is None or message.name in self._sources

    def _told(
        self, response: ModelResponse[Any], outcome: Outcome, repairs: int
    ) -> ExtendedModelResponse[Any]:
        """The response that goes on, with its outcome in the agent's state; one that is blocked ends the run."""
        update: dict[str, Any] = {"verification": {**outcome.summary(), "repairs": repairs}}
        if not outcome.passed:
            response = ModelResponse(result=[AIMessage(self._blocked)])
            update["jump_to"] = "end"  # an agent with a response format would ask its model without end
        return ExtendedModelResponse(model_response=response, command=Command(update=update))


def _again(request: ModelRequest[Any], response: ModelResponse[Any], outcome: Outcome) -> ModelRequest[Any]:
    """The request with the answer that was rejected, and what is wrong with it."""
    return request.override(
        messages=[*request.messages, *response.result, HumanMessage(_REPAIR.format(why=outcome.why))]
    )


def _returned(message: ToolMessage) -> list[Context]:
    """The documents of a tool's result, where it hands them over as its artifact; else its text."""
    own = message.artifact
    if isinstance(own, list) and own and all(isinstance(one, Document) for one in own):
        return contexts_of(own)
    return [{"text": message.text, "source": message.name or ""}]


def contexts_of(documents: Iterable[Document]) -> list[Context]:
    """LangChain's documents as contexts, each named by its ``source``, where its metadata have one."""
    return [{"text": one.page_content, "source": str(one.metadata.get("source") or "")} for one in documents]


def search_of(retriever: Runnable[str, list[Document]]) -> Search:
    """Any LangChain retriever as what claims are checked against: it is asked for each claim of an answer."""
    return lambda query: contexts_of(retriever.invoke(query))


class VerifyAnswer(Runnable[Mapping[str, Any], Report]):
    """A Runnable: a mapping with ``answer`` and, if it likes, ``contexts`` and ``question`` in, a report out.

    ``contexts`` are documents of LangChain, or whatever ``verifier.verify`` takes. With a knowledge base or ``search``
    they are not needed. Arguments are as for :class:`Check`.
    """

    def __init__(
        self, kb: KnowledgeBase | None = None, *, search: Search | None = None, **options: Unpack[Options]
    ) -> None:
        self._check = Check(kb, search=search, **options)

    def invoke(self, input: Mapping[str, Any], config: RunnableConfig | None = None, **_: Any) -> Report:
        """The report.

        Raises:
            KeyError: there is no answer.
            IngestError: there is nothing to check it against.
        """
        report: Report = self._call_with_config(self._report, input, config)
        return report

    async def ainvoke(
        self, input: Mapping[str, Any], config: RunnableConfig | None = None, **_: Any
    ) -> Report:
        """:meth:`invoke` in a thread."""
        report: Report = await self._acall_with_config(self._areport, input, config)
        return report

    def _report(self, given: Mapping[str, Any]) -> Report:
        contexts = [_context(one) for one in given.get("contexts") or ()]
        return self._check.report(said(given["answer"]), contexts, given.get("question"))

    async def _areport(self, given: Mapping[str, Any]) -> Report:
        return await in_thread(lambda: self._report(given))


def _context(given: Any) -> Context:
    return contexts_of([given])[0] if isinstance(given, Document) else given


class KnowledgeRetriever(BaseRetriever):
    """A knowledge base as a retriever: each passage a document, with its source, its span and its score in metadata.

    Args:
        kb: the knowledge base, its folder or an open store.
        k: most passages for a query.
        settings: the configuration, in the place of ``verifier.toml`` and the environment.
    """

    kb: Any
    k: int = 5
    settings: Any = None
    _check: Check = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        """Take the arguments; nothing is opened yet."""
        super().model_post_init(context)
        self._check = Check(self.kb) if self.settings is None else Check(self.kb, settings=self.settings)

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:  # noqa: ARG002
        found = self._check.find(query, self.k)
        return [
            Document(id=f"{one.doc_id}:{one.start}", page_content=one.text, metadata=place(one))
            for one in found
        ]
