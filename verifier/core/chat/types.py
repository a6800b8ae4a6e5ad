"""What a chat model is asked and what it replies, as frozen types; the protocol that every chat model follows."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from verifier.core.errors import ConfigError

__all__ = ["ChatModel", "ChatReply", "ChatRequest", "StreamingChatModel", "TokenChances"]


@dataclass(frozen=True)
class ChatRequest:
    """One question to a chat model.

    Args:
        instructions: the system's part.
        text: the user's part.
        temperature: 0-2, sent as it stands; ``None`` leaves it to the model and sends none.
        max_tokens: bound of the reply, in tokens; a reply that runs into it is an error, never a short reply.
        schema: JSON Schema that the reply must follow; ``None`` asks for free text.
        schema_form: how the schema is put, for servers of the OpenAI API that know but one form: ``json_schema`` is
            OpenAI's own, ``json_object`` that of llama-cpp-python.
        logprobs: whether the likeliest alternatives of each token of the reply are wanted, with their probabilities;
            a server that has none gives none.
    """

    instructions: str
    text: str
    temperature: float | None = 0.0
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None
    logprobs: bool = False
    schema_form: Literal["json_schema", "json_object"] = "json_schema"

    def __post_init__(self) -> None:
        if self.temperature is not None and not (
            math.isfinite(self.temperature) and 0 <= self.temperature <= 2
        ):
            raise ConfigError(f"temperature = {self.temperature!r}: expected a number from 0 to 2, or None")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise ConfigError(f"max_tokens = {self.max_tokens!r}: expected at least 1, or None")


@dataclass(frozen=True, slots=True)
class TokenChances:
    """One token of a reply, and the natural logarithms of the probabilities of it and its likeliest alternatives."""

    text: str
    chances: Mapping[str, float]


@dataclass(frozen=True)
class ChatReply:
    """What came back, with what it took.

    ``model`` is the name by which the server answered. Token counts are the server's own, ``None`` where it names
    none. ``cost`` is filled in by :class:`~verifier.core.chat.patient.PatientChat` where it knows the prices.
    ``tokens_said`` are those of ``text``, in order, where they were asked for and the server gives them.
    """

    text: str
    model: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    tokens_said: tuple[TokenChances, ...] = ()

    @property
    def tokens(self) -> int:
        """Input and output together; what is not known counts nothing."""
        return (self.input_tokens or 0) + (self.output_tokens or 0)


@runtime_checkable
class ChatModel(Protocol):
    """Takes one request, gives one whole reply.

    ``complete`` and ``acomplete`` raise :class:`~verifier.core.errors.LLMUnavailable` where the same request may
    succeed later, and :class:`~verifier.core.errors.LLMRejected` where it will not; a refusal of the model is
    :class:`~verifier.core.errors.LLMRefused`. Both may be called from several threads or tasks at once.
    """

    @property
    def identity(self) -> str:
        """Names the model, where it is and what of a request it does not send; never a key."""

    def complete(self, request: ChatRequest) -> ChatReply:
        """The reply to ``request``."""

    async def acomplete(self, request: ChatRequest) -> ChatReply:
        """The same, for an event loop."""


@runtime_checkable
class StreamingChatModel(ChatModel, Protocol):
    """A chat model that can give out its reply piece by piece.

    A stream that ends before the model has said that it is done raises ``LLMUnavailable`` after its last piece: what
    was cut off never looks whole.
    """

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The pieces of the reply, as they come."""

    def astream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The same, for an event loop."""
