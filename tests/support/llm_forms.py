"""Replies in the form of OpenAI's or Anthropic's protocol: the bodies and events for a request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

__all__ = ["NEWEST", "WITH_TEMPERATURE", "Answer", "Protocol", "Request", "completion", "events", "told"]

Protocol = Literal["openai", "anthropic"]

WITH_TEMPERATURE, NEWEST = "2023-06-01", "2026-10-21"


@dataclass(frozen=True)
class Answer:
    """What the server does with one request; made by :func:`say` and its neighbours."""

    text: str | None = None
    finish: str = "stop"
    refusal: str | None = None
    tokens: tuple[int, int] | None = (11, 7)
    chances: Sequence[tuple[str, Mapping[str, float]]] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    delay: float = 0.0
    drip: float = 0.0
    pieces: int | None = None
    cleanly: bool = False
    dropped: bool = False

    def after(self, seconds: float) -> Answer:
        """The same, later."""
        return replace(self, delay=seconds)

    def dripping(self, seconds: float) -> Answer:
        """The same, a byte at a time, with so long between two."""
        return replace(self, drip=seconds)


@dataclass(frozen=True)
class Request:
    """What a client sent, in the words of both protocols."""

    protocol: Protocol
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def instructions(self) -> str:
        """The system's part."""
        if self.protocol == "anthropic":
            return str(self.body.get("system", ""))
        return "".join(said["content"] for said in self.body["messages"] if said["role"] == "system")

    @property
    def text(self) -> str:
        """The user's part."""
        return "".join(said["content"] for said in self.body["messages"] if said["role"] == "user")

    @property
    def tokens(self) -> int:
        """By the usual estimate."""
        return (len((self.instructions + self.text).encode("utf-8", "surrogatepass")) + 3) // 4

    @property
    def temperature(self) -> float | None:
        """As it was sent."""
        return self.body.get("temperature")

    @property
    def max_tokens(self) -> int | None:
        """As it was sent, under whichever name."""
        return self.body.get("max_tokens", self.body.get("max_completion_tokens"))

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON Schema that the reply must follow."""
        if self.protocol == "anthropic":
            return self.body.get("output_config", {}).get("format", {}).get("schema")
        form = self.body.get("response_format", {})
        return form.get("json_schema", form).get("schema")

    @property
    def key(self) -> str | None:
        """The key that came with it."""
        bearer = self.headers.get("authorization", "").removeprefix("Bearer ")
        return bearer or self.headers.get("x-api-key")


_STOP_REASON = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def completion(request: Request, answer: Answer) -> dict[str, Any]:
    model = request.body["model"]
    if request.protocol == "openai":
        message = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
        usage = answer.tokens and {
            "prompt_tokens": answer.tokens[0],
            "completion_tokens": answer.tokens[1],
            "total_tokens": sum(answer.tokens),
        }
        choice = {"index": 0, "finish_reason": answer.finish, "message": message}
        if request.body.get("logprobs"):
            choice["logprobs"] = {"content": [_token(*said) for said in answer.chances], "refusal": None}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [choice],
            "usage": usage,
        }
    tokens = answer.tokens or (0, 0)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "text", "text": answer.text}] if answer.text else [],
        "stop_reason": "refusal" if answer.refusal else _STOP_REASON[answer.finish],
        "stop_sequence": None,
        "usage": {"input_tokens": tokens[0], "output_tokens": tokens[1]},
    }


def _token(text: str, chances: Mapping[str, float]) -> dict[str, Any]:
    """A token that was said, with the logarithms of the probabilities of what might have stood there."""

    def form(token: str) -> dict[str, Any]:
        return {"token": token, "bytes": [*token.encode()], "logprob": chances.get(token, -0.5)}

    return {**form(text), "top_logprobs": [form(token) for token in chances]}


def told(request: Request, message: str, **fields: str) -> bytes:
    """An error in the protocol's form; ``fields`` are OpenAI's ``param`` and ``code``, and Anthropic's ``type``."""
    if request.protocol == "openai":
        wanted = {name: fields[name] for name in ("param", "code") if name in fields}
        return json.dumps({"error": {"message": message, **wanted}}).encode()
    kind = fields.get("type", "invalid_request_error")
    return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()


def events(request: Request, answer: Answer) -> Iterator[bytes]:
    """The reply as server-sent events, word by word, up to where it is cut."""
    words = (answer.text or "").split(" ")
    pieces = [word if not index else f" {word}" for index, word in enumerate(words)]
    shown = pieces if answer.pieces is None else pieces[: answer.pieces]
    for index, event in enumerate(_all_events(request, answer, shown)):
        if answer.pieces is not None and index > answer.pieces:
            return
        yield event


def _all_events(request: Request, answer: Answer, pieces: Sequence[str]) -> Iterator[bytes]:
    if request.protocol == "openai":
        frame = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": request.body["model"]}

        def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
            choice = {"index": 0, "delta": delta, "finish_reason": finish}
            return b"data: %s\n\n" % json.dumps({**frame, "choices": [choice]}).encode()

        yield chunk({"role": "assistant", "content": ""})
        for piece in pieces:
            yield chunk({"content": piece})
        yield chunk({"refusal": answer.refusal} if answer.refusal else {}, answer.finish)
        yield b"data: [DONE]\n\n"
        return

    def event(kind: str, **values: Any) -> bytes:
        return b"event: %s\ndata: %s\n\n" % (kind.encode(), json.dumps({"type": kind, **values}).encode())

    whole = completion(request, answer)
    opening = event("message_start", message={**whole, "content": [], "stop_reason": None})
    yield opening + event("content_block_start", index=0, content_block={"type": "text", "text": ""})
    for piece in pieces:
        yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
    yield event("content_block_stop", index=0)
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield event("message_delta", delta=delta, usage={"output_tokens": 7})
    yield event("message_stop")
