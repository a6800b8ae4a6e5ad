"""Our chat model over a real server with a real model: replies, counts, limits, JSON Schema, probabilities.

The model is far too small to be right: what it says is never looked at, only what becomes of it. Run by
``make test-llm``.
"""

from __future__ import annotations

import asyncio
import json
import math

import pytest

from tests.llama_cpp.serving import MODEL, LlamaServer, aread, read
from verifier.core.chat import ChatReply, ChatRequest, OpenAIChat
from verifier.core.chat.adaptive import AdaptiveChat
from verifier.core.errors import LLMCut, LLMRejected
from verifier.guard.judge import REPLY_SCHEMA

QUESTIONS = (
    ("You answer in one word.", "What is the capital of France?"),
    ("Answer the question.", "When does the library open?"),
    ("Repeat what the user says.", "The library opens at nine: 图书馆九点开门, die Bücherei öffnet um neun."),
    ("You continue the text.", "Once upon a time there was a king who had three daughters. "),
)
TALK = ChatRequest(
    "Answer from this passage.\n\nThe library opens at nine. It has 24 reading desks.",
    "What do you know about the library?",
    max_tokens=12,
)
VERDICT = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": ["yes", "no", "unsure"]}},
    "required": ["verdict"],
    "additionalProperties": False,
}
JUDGED = ChatRequest("Does the text say it?", "The library opens at nine.", max_tokens=200, schema=VERDICT)

_TEMPLATE = 50
"""Tokens that the server's prompt format may put around the two parts of a request."""


def chat_over(server: LlamaServer) -> OpenAIChat:
    return OpenAIChat(MODEL, base_url=server.url, timeout=300)


def complete(chat: OpenAIChat, request: ChatRequest, how: str) -> ChatReply:
    return chat.complete(request) if how == "sync" else asyncio.run(chat.acomplete(request))


def sent_tokens(server: LlamaServer, request: ChatRequest) -> int:
    return server.tokens(request.instructions) + server.tokens(request.text)


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_reply_that_ends_comes_whole_with_the_servers_own_counts(server: LlamaServer, how: str) -> None:
    whole = []
    for instructions, text in QUESTIONS:
        request = ChatRequest(instructions, text, max_tokens=60)
        try:
            reply = complete(chat_over(server), request, how)
        except LLMCut:  # on other processors the model may take other words
            continue
        whole.append(reply)
        assert reply.model == MODEL
        assert reply.input_tokens is not None
        assert reply.output_tokens is not None
        assert 0 <= reply.input_tokens - sent_tokens(server, request) <= _TEMPLATE
        assert server.tokens(reply.text) <= reply.output_tokens <= 60
    assert any(reply.text for reply in whole)


@pytest.mark.parametrize("words", [30, 300])
def test_the_count_of_what_was_sent_grows_with_it(server: LlamaServer, words: int) -> None:
    request = ChatRequest("Read it.", "A reading desk in the library is free. " * (words // 8), max_tokens=60)
    try:
        counted = chat_over(server).complete(request).input_tokens or 0
    except LLMCut as cut:
        counted = cut.input_tokens
    assert words <= sent_tokens(server, request) <= counted <= sent_tokens(server, request) + _TEMPLATE


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_reply_cut_at_its_limit_is_an_error_that_says_what_it_took(talker: LlamaServer, how: str) -> None:
    with pytest.raises(LLMCut, match="cut off at its length limit") as caught:
        complete(chat_over(talker), TALK, how)
    assert caught.value.output_tokens == TALK.max_tokens
    assert 0 <= caught.value.input_tokens - sent_tokens(talker, TALK) <= _TEMPLATE


def test_a_limit_that_the_server_lowers_unsaid_is_an_error_too(talker: LlamaServer) -> None:
    filling = "The library opens at nine. " * ((talker.context - 40) // 6)
    with pytest.raises(LLMCut) as caught:
        chat_over(talker).complete(ChatRequest("Tell a long story.", filling, max_tokens=400))
    assert 0 < caught.value.output_tokens < 400
    assert caught.value.input_tokens + caught.value.output_tokens == talker.context


def test_a_request_that_is_longer_than_the_window_is_refused_and_never_cut(server: LlamaServer) -> None:
    with pytest.raises(LLMRejected, match="status 400") as caught:
        chat_over(server).complete(ChatRequest("", "desk " * server.context, max_tokens=5))
    assert "length" in caught.value.refuses


def test_a_stream_comes_in_pieces_and_ends(server: LlamaServer) -> None:
    ended = []
    for instructions, text in QUESTIONS:
        pieces: list[str] = []
        try:
            read(chat_over(server).stream(ChatRequest(instructions, text, max_tokens=60)), pieces)
        except LLMCut:
            continue
        ended.append(pieces)
    assert any(len(pieces) > 1 for pieces in ended)


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_stream_cut_at_its_limit_raises_behind_its_last_piece(talker: LlamaServer, how: str) -> None:
    chat, pieces = chat_over(talker), list[str]()
    with pytest.raises(LLMCut):
        read(chat.stream(TALK), pieces) if how == "sync" else asyncio.run(aread(chat.astream(TALK), pieces))
    assert 1 < len(pieces) <= 12
    assert all(pieces)


@pytest.mark.parametrize("schema", [VERDICT, REPLY_SCHEMA], ids=["verdict", "judge"])
def test_the_server_follows_a_schema_in_one_form_and_refuses_the_other(
    server: LlamaServer, schema: dict[str, object]
) -> None:
    body = {
        "messages": [
            {"role": "system", "content": JUDGED.instructions},
            {"role": "user", "content": JUDGED.text},
        ],
        "max_tokens": 200,
        "temperature": 0,
    }
    named = {"name": "reply", "strict": True, "schema": schema}
    status, said = server.post({**body, "response_format": {"type": "json_schema", "json_schema": named}})
    assert status == 500
    assert "response_format" in said["error"]["message"]
    status, said = server.post({**body, "response_format": {"type": "json_object", "schema": schema}})
    assert status == 200
    assert_follows(said["choices"][0]["message"]["content"])


@pytest.mark.parametrize("how", ["sync", "async"])
def test_a_schema_is_followed_once_the_server_has_refused_its_first_form(
    server: LlamaServer, how: str
) -> None:
    chat = AdaptiveChat(chat_over(server))
    reply = chat.complete(JUDGED) if how == "sync" else asyncio.run(chat.acomplete(JUDGED))
    assert_follows(reply.text)


def test_the_probabilities_of_tokens_come_with_a_reply(teller: LlamaServer) -> None:
    for instructions, text in QUESTIONS[:3]:
        try:
            reply = chat_over(teller).complete(ChatRequest(instructions, text, max_tokens=30, logprobs=True))
        except LLMCut:
            continue
        assert "".join(token.text for token in reply.tokens_said).startswith(reply.text)
        for token in reply.tokens_said:
            assert token.text in token.chances
            assert len(token.chances) >= 5
            assert all(chance <= 0 for chance in token.chances.values())
            assert sum(map(math.exp, token.chances.values())) <= 1.001
        return
    pytest.fail("no reply ended")


def test_a_server_without_probabilities_is_asked_without_them(server: LlamaServer) -> None:
    status, said = server.post({"messages": [], "max_tokens": 1, "logprobs": True, "top_logprobs": 5})
    assert status == 500
    assert "logprobs" in said["error"]["message"]
    chat = AdaptiveChat(chat_over(server))
    for instructions, text in QUESTIONS[:2]:
        try:
            reply = chat.complete(ChatRequest(instructions, text, max_tokens=60, logprobs=True))
        except LLMCut:
            continue
        assert reply.tokens_said == ()
    assert chat.refused == {"logprobs"}


def assert_follows(reply: str) -> None:
    said = json.loads(reply)
    assert said.pop("verdict") in ("yes", "no", "unsure")
    assert isinstance(said.pop("reason", ""), str)
    assert not said
