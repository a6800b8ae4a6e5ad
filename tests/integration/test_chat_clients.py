"""The real clients of OpenAI and Anthropic against the local server: what reaches the wire, and every fault."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.llm_server import Answer, LLMServer, broken, cut, drop, llm_server, say, silence, status
from verifier.core.chat import (
    AnthropicChat,
    ChatReply,
    ChatRequest,
    OpenAIChat,
    Patience,
    PatientChat,
    Prices,
    StreamingChatModel,
    Usage,
)
from verifier.core.errors import (
    ConfigError,
    LLMCut,
    LLMError,
    LLMRefused,
    LLMRejected,
    LLMUnavailable,
    LLMUnreachable,
)

pytest.importorskip("openai")
pytest.importorskip("anthropic")

KEY = "sk-never-to-be-seen"
SCHEMA = {
    "type": "object",
    "properties": {"rating": {"type": "integer", "minimum": 1, "maximum": 5}},
    "required": ["rating"],
    "additionalProperties": False,
}
ASKED = ChatRequest("Rate it.", "A text: ü, 漢.", temperature=0.7, max_tokens=200, schema=SCHEMA)
PROVIDERS = ("openai", "anthropic")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with llm_server() as running:
        yield running


def model(provider: str, server: LLMServer, **options: Any) -> OpenAIChat | AnthropicChat:
    if provider == "openai":
        return OpenAIChat("m-1", base_url=server.openai_url, **options)
    return AnthropicChat("m-1", base_url=server.anthropic_url, **options)


def complete(chat: OpenAIChat | AnthropicChat | PatientChat, request: ChatRequest, how: str) -> ChatReply:
    return chat.complete(request) if how == "sync" else asyncio.run(chat.acomplete(request))


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_everything_that_is_asked_reaches_the_wire(provider: str, how: str, server: LLMServer) -> None:
    server.answers = [say('{"rating": 4}')]
    reply = complete(model(provider, server), ASKED, how)
    assert reply == ChatReply('{"rating": 4}', "m-1", input_tokens=11, output_tokens=7)
    (sent,) = server.requests
    assert (sent.protocol, sent.instructions, sent.text) == (provider, ASKED.instructions, ASKED.text)
    assert (sent.temperature, sent.max_tokens) == (0.7, 200)
    assert sent.body["model"] == "m-1"
    assert sent.key == KEY
    assert sent.schema is not None
    assert sent.schema["required"] == ["rating"]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("temperature", [0.0, 1.0, 2.0])
def test_each_temperature_is_sent_as_it_stands(provider: str, temperature: float, server: LLMServer) -> None:
    server.answers = [say("Yes.")]
    model(provider, server).complete(ChatRequest("Answer.", "?", temperature=temperature))
    assert server.requests[0].temperature == temperature


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_is_not_asked_for_is_not_sent(provider: str, server: LLMServer) -> None:
    server.answers = [say("Yes.")]
    model(provider, server).complete(ChatRequest("Answer.", "?", temperature=None))
    model(provider, server, send_temperature=False).complete(ChatRequest("Answer.", "?", temperature=0.0))
    for sent in server.requests:
        assert sent.temperature is None
        assert sent.schema is None
        assert sent.max_tokens == (4096 if provider == "anthropic" else None)


def test_anthropics_newest_api_is_used_but_where_a_temperature_is_sent(server: LLMServer) -> None:
    server.answers = [say("Yes.")]
    for temperature in (None, 0.5):
        model("anthropic", server).complete(ChatRequest("Answer.", "?", temperature=temperature))
    newer, older = (request.headers["anthropic-version"] for request in server.requests)
    assert newer > older == "2023-06-01"


def test_the_bound_of_a_reply_goes_by_the_name_that_the_server_knows(
    server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers = [say("Yes.")]
    asked = ChatRequest("Answer.", "?", max_tokens=9)
    model("openai", server).complete(asked)
    model("openai", server, token_limit="max_completion_tokens").complete(asked)
    monkeypatch.setattr(OpenAIChat, "default_url", server.openai_url)
    OpenAIChat("m").complete(asked)
    names = [set(request.body) & {"max_tokens", "max_completion_tokens"} for request in server.requests]
    assert names == [{"max_tokens"}, {"max_completion_tokens"}, {"max_completion_tokens"}]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_that_takes_no_temperature_is_an_error_that_says_what_to_set(
    provider: str, server: LLMServer
) -> None:
    server.answers, server.takes_temperature = [say("Yes.")], False
    with pytest.raises(LLMRejected, match="send_temperature = false"):
        model(provider, server).complete(ASKED)
    assert model(provider, server, send_temperature=False).complete(ASKED).text == "Yes."


FAULTS: list[tuple[Answer, type[LLMError], str]] = [
    (status(429), LLMUnavailable, "status 429"),
    (status(500), LLMUnavailable, "status 500"),
    (status(503, body=b"<html>busy</html>"), LLMUnavailable, "status 503"),
    (status(529), LLMUnavailable, "status 529"),
    (status(401, body=b'{"error": {"message": "bad key sk-never-to-be-seen"}}'), LLMRejected, "status 401"),
    (status(400, body=b'{"error": {"message": "no"}}'), LLMRejected, "status 400"),
    (status(404), LLMRejected, "status 404"),
    (
        status(429, body=b'{"error": {"code": "insufficient_quota"}}'),
        LLMRejected,
        "the quota is used up",
    ),
    (broken(), LLMUnavailable, "no answer"),
    (broken(b""), LLMUnavailable, "no answer"),
    (broken(b"null"), LLMUnavailable, "no answer"),
    (broken(b"{}"), LLMUnavailable, "no answer"),
    (broken(b'{"choices": [], "content": 3}'), LLMUnavailable, "no answer"),
    (broken(b'{"choices": [{}], "content": [{}], "usage": {}}'), LLMUnavailable, "no answer"),
    (broken(b"Sorry, the gateway is down."), LLMUnavailable, "no answer"),
    (broken(b"\xff\xfe{"), LLMUnavailable, "no answer"),
    (say(None, refusal="I will not."), LLMRefused, "refused"),
    (say("I", finish="content_filter"), LLMRefused, "refused"),
    (say('{"rating": ', finish="length"), LLMCut, "cut off"),
    (drop(), LLMUnavailable, "cannot be reached"),
    (cut("a long reply that never comes to its end", after=3), LLMUnavailable, "model 'm-1'"),
    (silence(), LLMUnavailable, "no answer in 0.3 s"),
]


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(("fault", "error", "reason"), FAULTS, ids=range(len(FAULTS)))
def test_a_fault_is_one_of_our_errors_and_tells_no_secret(
    server: LLMServer,
    fault: Answer,
    error: type[LLMError],
    reason: str,
    provider: str,
    how: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.answers = [fault]
    chat = model(provider, server, timeout=0.3 if fault == silence() else 20.0)
    with caplog.at_level(logging.DEBUG), pytest.raises(error, match=reason) as raised:
        complete(chat, ASKED, how)
    assert type(raised.value) is error
    assert KEY not in f"{raised.value}{caplog.text}{chat!r}{chat.identity}{vars(chat).values()}"
    if fault.finish == "length" or fault.refusal:
        assert (raised.value.input_tokens, raised.value.output_tokens) == (11, 7)
    server.release()


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_server_that_is_not_there_is_unavailable(provider: str, server: LLMServer) -> None:
    chat = model(provider, server)
    chat._base_url = "http://127.0.0.1:9/v1"
    with pytest.raises(LLMUnreachable, match=r"no server answers at http://127\.0\.0\.1:9/v1; is it running"):
        chat.complete(ASKED)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_half_a_surrogate_pair_is_refused_before_it_is_sent(provider: str, server: LLMServer) -> None:
    with pytest.raises(LLMRejected, match="surrogate"):
        model(provider, server).complete(ChatRequest("Answer.", "half \ud83d of it"))
    assert server.requests == []


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("0", 0.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None)]
)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_server_says_when_to_come_back(
    provider: str, server: LLMServer, header: str, seconds: float | None
) -> None:
    server.answers = [status(429, retry_after=header)]
    with pytest.raises(LLMUnavailable) as raised:
        model(provider, server).complete(ASKED)
    assert raised.value.retry_after == seconds


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_patience_survives_what_passes_and_waits_as_long_as_it_is_asked_to(
    provider: str, how: str, server: LLMServer
) -> None:
    server.answers = [status(429, retry_after="9"), drop(), broken(), say("Yes.")]
    waited: list[float] = []

    async def async_sleep(seconds: float) -> None:
        waited.append(seconds)

    chat = PatientChat(
        model(provider, server),
        patience=Patience(max_retries=3),
        sleep=waited.append,
        async_sleep=async_sleep,
        jitter=lambda: 1.0,
    )
    assert complete(chat, ASKED, how).text == "Yes."
    assert waited == [9.0, 2.0, 4.0]
    assert (chat.usage.requests, chat.usage.failures, chat.usage.retries) == (4, 3, 3)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_server_that_drips_is_cut_off_at_the_time_out(provider: str, server: LLMServer) -> None:
    server.answers = [say("Yes.").dripping(0.05)]
    patience = Patience(timeout=0.2, max_retries=1)
    chat = PatientChat(model(provider, server, timeout=60), patience=patience, sleep=lambda seconds: None)
    with pytest.raises(LLMUnavailable, match=r"no answer in 0\.2 s"):
        chat.complete(ASKED)
    with pytest.raises(LLMUnavailable, match=r"no answer in 0\.2 s"):
        asyncio.run(chat.acomplete(ASKED))
    server.release()


@pytest.mark.parametrize("provider", PROVIDERS)
def test_many_tasks_and_several_loops_share_one_model(provider: str, server: LLMServer) -> None:
    server.answers = lambda request: say(request.text)
    chat = model(provider, server)

    async def main() -> list[str]:
        asked = (chat.acomplete(ChatRequest("Echo.", str(number))) for number in range(8))
        return [reply.text for reply in await asyncio.gather(*asked)]

    for _ in range(2):
        assert asyncio.run(main()) == [str(number) for number in range(8)]


def pieces(chat: StreamingChatModel, request: ChatRequest, how: str, into: list[str]) -> None:
    if how == "sync":
        into.extend(chat.stream(request))
        return

    async def read() -> None:
        async for piece in chat.astream(request):
            into.append(piece)  # noqa: PERF401 - what came before an error is kept

    asyncio.run(read())


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_gives_its_pieces_as_they_come(provider: str, how: str, server: LLMServer) -> None:
    server.answers = [say("One two ü three.")]
    found: list[str] = []
    pieces(model(provider, server), ASKED, how, found)
    assert found == ["One", " two", " ü", " three."]
    assert server.requests[0].body["stream"] is True
    assert server.requests[0].temperature == 0.7


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("cleanly", [True, False])
def test_a_stream_that_is_cut_never_looks_whole(
    provider: str, how: str, cleanly: bool, server: LLMServer
) -> None:
    server.answers = [cut("One two three four.", after=2, cleanly=cleanly)]
    found: list[str] = []
    with pytest.raises(LLMUnavailable, match=r"broke off|cannot be reached"):
        pieces(model(provider, server), ASKED, how, found)
    assert found == ["One", " two"]


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (say("One", finish="length"), LLMCut),
        (say("One", finish="content_filter"), LLMRefused),
        (status(503), LLMUnavailable),
        (drop(), LLMUnavailable),
    ],
)
def test_a_stream_that_ends_badly_says_so(
    provider: str, server: LLMServer, answer: Answer, error: type[LLMError]
) -> None:
    server.answers = [answer]
    with pytest.raises(error):
        list(model(provider, server).stream(ASKED))


def patient(chat: Any, waited: list[float], **options: Any) -> PatientChat:
    """Patience that waits for nothing and writes down what it would have waited for."""

    async def async_sleep(seconds: float) -> None:
        waited.append(seconds)

    return PatientChat(chat, sleep=waited.append, async_sleep=async_sleep, jitter=lambda: 1.0, **options)


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_patient_stream_survives_what_passes_before_its_first_piece(
    provider: str, how: str, server: LLMServer
) -> None:
    server.answers = [status(429, retry_after="9"), drop(), say("One two three.")]
    waited: list[float] = []
    chat = patient(model(provider, server), waited, prices=Prices(1.0, 1.0))
    found: list[str] = []
    pieces(chat, ASKED, how, found)
    assert found == ["One", " two", " three."]
    assert waited == [9.0, 2.0]
    assert chat.usage == Usage(requests=3, failures=2, retries=2, unmetered=1, cost=0.0)


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_nothing_is_tried_again_once_a_piece_was_given_out(
    provider: str, how: str, server: LLMServer
) -> None:
    server.answers = [cut("One two three four.", after=2), say("Another beginning.")]
    waited: list[float] = []
    chat = patient(model(provider, server), waited)
    found: list[str] = []
    with pytest.raises(LLMUnavailable, match=r"broke off|cannot be reached"):
        pieces(chat, ASKED, how, found)
    assert (found, waited, len(server.requests)) == (["One", " two"], [], 1)
    assert (chat.usage.failures, chat.usage.retries, chat.usage.unmetered) == (1, 0, 1)


@pytest.mark.parametrize("how", ["sync", "async"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_stream_that_never_begins_is_given_up_on_at_the_time_out(
    provider: str, how: str, server: LLMServer
) -> None:
    server.answers = [silence()]
    patience = Patience(timeout=0.2, max_retries=1)
    chat = patient(model(provider, server, timeout=60), [], patience=patience)
    with pytest.raises(LLMUnavailable, match=r"no answer in 0\.2 s"):
        pieces(chat, ASKED, how, [])
    assert (chat.usage.requests, chat.usage.failures) == (2, 2)
    server.release()


@pytest.mark.parametrize("provider", PROVIDERS)
def test_identity_names_model_and_server_and_no_secret(
    provider: str, server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = {"openai": OpenAIChat, "anthropic": AnthropicChat}[provider]
    monkeypatch.setenv(kind.url_env, "https://user:secret@gateway.example:8443/v1/?token=secret")
    assert kind("m").identity == f"{provider}:m@https://gateway.example:8443/v1"
    assert kind("m", send_temperature=False).identity.endswith(" without temperature")
    monkeypatch.delenv(kind.url_env)
    assert kind("m").identity == f"{provider}:m@{kind.default_url}"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_key_may_stand_in_another_variable_and_may_be_missing_for_a_server_of_ones_own(
    provider: str, server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = {"openai": OpenAIChat, "anthropic": AnthropicChat}[provider]
    server.answers = [say("Yes.")]
    monkeypatch.setenv("OTHER_KEY", "sk-other")
    assert model(provider, server, key_env="OTHER_KEY").complete(ASKED).text == "Yes."
    assert server.requests[0].key == "sk-other"
    monkeypatch.delenv(kind.default_key_env)
    assert model(provider, server).complete(ASKED).text == "Yes."
    with pytest.raises(LLMRejected, match=kind.default_key_env):
        kind("m").complete(ASKED)


def test_clients_of_ones_own_are_used(server: LLMServer) -> None:
    import anthropic
    import openai

    server.answers = [say("Yes.")]
    with openai.OpenAI(api_key="own", base_url=server.openai_url, max_retries=0) as client:
        assert OpenAIChat("m", client=client).complete(ASKED).text == "Yes."
        assert server.openai_url in OpenAIChat("m", client=client).identity
    with anthropic.Anthropic(api_key="own", base_url=server.anthropic_url, max_retries=0) as other:
        assert AnthropicChat("m", client=other).complete(ASKED).text == "Yes."
    assert [request.key for request in server.requests] == ["own", "own"]


def test_a_schema_that_cannot_be_followed_is_an_error_of_the_caller(server: LLMServer) -> None:
    with pytest.raises(ConfigError, match="without a type"):
        model("anthropic", server).complete(ChatRequest("Rate it.", "?", schema={"properties": {}}))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_key_is_cleared_of_blanks_and_what_is_no_key_is_said_without_showing_it(
    provider: str, server: LLMServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answers = [say("Yes.")]
    monkeypatch.setenv("MY_KEY", " sk-mine\n")
    model(provider, server, key_env="MY_KEY").complete(ASKED)
    assert server.requests[0].key == "sk-mine"
    monkeypatch.setenv("MY_KEY", "sk-sécret")
    with pytest.raises(LLMRejected, match=r"^what stands in MY_KEY is no key$"):
        model(provider, server, key_env="MY_KEY").complete(ASKED)
