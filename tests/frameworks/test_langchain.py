"""Agents, chains and retrievers of the real LangChain around our checks; the chat models are LangChain's own fakes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnablePassthrough
from langchain_core.tools import create_retriever_tool, tool
from langchain_core.vectorstores import InMemoryVectorStore

from tests.frameworks.conftest import PARKING, REFUNDS
from tests.frameworks.pages import run_page
from verifier.core.errors import IngestError
from verifier.integrations.langchain import (
    BLOCKED,
    GroundedAnswers,
    KnowledgeRetriever,
    VerifyAnswer,
    search_of,
)
from verifier.types import Decision

TRUE = "Refunds are paid within 30 days."
FALSE = "Refunds are paid within 60 days."
LOOK = AIMessage("", tool_calls=[{"name": "handbook", "args": {"query": "refunds"}, "id": "1"}])


class Chat(FakeMessagesListChatModel):
    """LangChain's fake, which says each message in turn and keeps what it was asked."""

    asked: list[list[object]] = []  # noqa: RUF012 - a field of a pydantic model

    def bind_tools(self, tools: object, **_: object) -> Chat:
        return self

    def _generate(self, messages: list, *args: object, **kwargs: object) -> object:
        self.asked.append(list(messages))
        return super()._generate(messages, *args, **kwargs)


def chat(*messages: AIMessage | str) -> Chat:
    said = [AIMessage(one) if isinstance(one, str) else one for one in messages]
    return Chat(responses=said, asked=[])


def ask(model: Chat, *, tools: tuple = (), **arguments: object) -> dict:
    agent = create_agent(model, list(tools), middleware=[GroundedAnswers(**arguments)])
    return agent.invoke({"messages": [HumanMessage("When are refunds paid?")]})


@tool
def handbook(query: str) -> str:
    """Search the handbook."""
    return REFUNDS


def test_an_answer_that_the_knowledge_base_bears_out_passes(kb: Path) -> None:
    state = ask(chat(TRUE), kb=kb)
    assert state["messages"][-1].text == TRUE
    assert state["verification"]["decision"] == "approved"
    assert state["verification"]["repairs"] == 0


def test_a_false_answer_is_written_again_and_never_enters_the_state(kb: Path) -> None:
    model = chat(FALSE, TRUE)
    state = ask(model, kb=kb)
    assert [one.text for one in state["messages"]] == ["When are refunds paid?", TRUE]
    assert state["verification"]["repairs"] == 1
    draft, told = model.asked[1][-2:]
    assert draft.text == FALSE
    assert "evidence says: within 30 days (refunds.md, line 1)" in told.text


def test_an_answer_that_stays_false_is_blocked(kb: Path) -> None:
    model = chat(FALSE, FALSE, FALSE, TRUE)
    state = ask(model, kb=kb, repairs=2)
    assert state["messages"][-1].text == BLOCKED
    assert not state["verification"]["passed"]
    assert state["verification"]["claims"][0]["verdict"] == "contradicted"
    assert len(model.asked) == 3


def test_one_true_claim_does_not_carry_a_false_one_past_the_gate(kb: Path) -> None:
    state = ask(
        chat(f"{TRUE} The return must be sent in its box. The car park costs 9 EUR a day."), kb=kb, repairs=0
    )
    assert state["verification"]["groundedness"] == pytest.approx(2 / 3)
    assert state["messages"][-1].text == BLOCKED


def test_what_the_tools_returned_is_evidence_and_the_call_of_a_tool_is_no_answer() -> None:
    state = ask(chat(LOOK, TRUE), tools=(handbook,))
    assert [one.type for one in state["messages"]] == ["human", "ai", "tool", "ai"]
    assert state["messages"][-1].text == TRUE
    assert ask(chat(LOOK, FALSE, FALSE), tools=(handbook,))["messages"][-1].text == BLOCKED


def test_an_answer_without_any_source_is_blocked() -> None:
    state = ask(chat(TRUE, TRUE))
    assert state["messages"][-1].text == BLOCKED
    assert "no contexts" in state["verification"]["rule"]


def test_tools_that_are_not_named_are_no_sources() -> None:
    agent = create_agent(chat(LOOK, TRUE, TRUE), [handbook], middleware=[GroundedAnswers(tools=["search"])])
    state = agent.invoke({"messages": [HumanMessage("When are refunds paid?")]})
    assert state["messages"][-1].text == BLOCKED


def test_documents_that_a_tool_hands_over_are_named_by_their_source(kb: Path) -> None:
    lookup = create_retriever_tool(
        KnowledgeRetriever(kb=kb), "handbook", "Search.", response_format="content_and_artifact"
    )
    agent = create_agent(chat(LOOK, FALSE), [lookup], middleware=[GroundedAnswers(repairs=0)])
    state = agent.invoke({"messages": [HumanMessage("When are refunds paid?")]})
    assert "(refunds.md, line" in state["verification"]["claims"][0]["reason"]


def test_a_greeting_is_blocked_unless_it_may_pass(kb: Path) -> None:
    assert ask(chat("Hello!", "Hello!"), kb=kb)["messages"][-1].text == BLOCKED
    state = ask(chat("Hello!"), kb=kb, nothing_to_check="pass")
    assert (state["messages"][-1].text, state["verification"]["decision"]) == ("Hello!", "nothing_to_check")


def test_a_structured_response_is_refused_or_read_as_a_text(kb: Path) -> None:
    from pydantic import BaseModel

    class Period(BaseModel):
        days: int

    call = AIMessage("", tool_calls=[{"name": "Period", "args": {"days": 60}, "id": "1"}])

    def agent(**own: object):
        middleware = GroundedAnswers(kb, repairs=0, **own)
        return create_agent(chat(call), [], middleware=[middleware], response_format=Period)

    question = {"messages": [HumanMessage("When are refunds paid?")]}
    with pytest.raises(TypeError, match="Period: give text="):
        agent().invoke(question)
    state = agent(text=lambda own: f"Refunds are paid within {own.days} days.").invoke(question)
    assert state["messages"][-1].text == BLOCKED
    assert state.get("structured_response") is None


def test_an_agent_that_runs_on_an_event_loop_is_checked_the_same_way(kb: Path) -> None:
    agent = create_agent(chat(FALSE, TRUE), [], middleware=[GroundedAnswers(kb)])
    state = asyncio.run(agent.ainvoke({"messages": [HumanMessage("When are refunds paid?")]}))
    assert state["messages"][-1].text == TRUE
    assert state["verification"]["repairs"] == 1


def test_the_runnable_takes_documents_and_stands_in_a_chain() -> None:
    chain = RunnablePassthrough.assign(report=VerifyAnswer(strict=True))
    given = {"answer": FALSE, "contexts": [Document(REFUNDS, metadata={"source": "refunds.md"})]}
    report = chain.invoke(given)["report"]
    assert report.decision is Decision.REJECTED
    assert report.claims[0].evidence[0].source == "refunds.md"
    assert asyncio.run(chain.ainvoke({**given, "answer": TRUE}))["report"].approved
    with pytest.raises(IngestError, match="no contexts"):
        chain.invoke({"answer": TRUE})


def test_the_knowledge_base_is_a_retriever(kb: Path) -> None:
    [found] = KnowledgeRetriever(kb=kb, k=1).invoke("when are refunds paid")
    assert found.page_content == REFUNDS
    assert (found.metadata["source"], found.metadata["start"]) == ("refunds.md", 0)
    assert asyncio.run(KnowledgeRetriever(kb=kb, k=1).ainvoke("car park"))[0].page_content == PARKING
    assert KnowledgeRetriever(kb=kb).invoke(" ") == []


def test_any_retriever_is_what_claims_are_checked_against() -> None:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    store.add_documents(
        [
            Document(text, metadata={"source": name})
            for name, text in (("refunds.md", REFUNDS), ("parking.md", PARKING))
        ]
    )
    check = VerifyAnswer(search=search_of(store.as_retriever(search_kwargs={"k": 2})))
    report = check.invoke({"answer": f"{TRUE} The car park costs 9 EUR a day."})
    assert [claim.verdict for claim in report.claims] == ["supported", "contradicted"]
    assert report.claims[1].evidence[0].source == "parking.md"


def test_a_retriever_that_fails_approves_nothing() -> None:
    def broken(query: str) -> list:
        raise ConnectionError("the vector database is down")

    report = VerifyAnswer(search=broken).invoke({"answer": TRUE})
    assert report.decision is Decision.REJECTED
    assert report.claims[0].status == "error"


@pytest.mark.parametrize("page", ["integrations/langchain", "integrations"])
def test_the_pages_do_what_they_say(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run_page(page, monkeypatch)
