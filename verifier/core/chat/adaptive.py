"""A chat model that stops asking for what its server turned out not to support."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Generator, Iterator
from dataclasses import replace

from verifier.core.chat.translate import atried, tried
from verifier.core.chat.types import ChatModel, ChatReply, ChatRequest, StreamingChatModel
from verifier.core.course import arun, run
from verifier.core.errors import ConfigError, LLMError, LLMRejected

__all__ = ["AdaptiveChat", "without_parts"]


class AdaptiveChat:
    """A chat model over another one, whose server need not know JSON Schema, temperatures or token probabilities.

    A request that is refused for one of these parts is put again without it (a schema first in its other form), and
    later requests leave it out from the start: a server is found out by the first request that it refuses, and no
    request is made for that alone. Whoever asks must check the reply anyway, since some servers ignore what they do not
    know.

    Args:
        inner: the model that is asked.
    """

    def __init__(self, inner: ChatModel) -> None:
        self.inner = inner
        self._lock = threading.Lock()
        self._refused: frozenset[str] = frozenset()

    @property
    def identity(self) -> str:
        """The inner model's."""
        return self.inner.identity

    @property
    def refused(self) -> frozenset[str]:
        """The parts of a request (``schema``, ``temperature``, ``logprobs``) that the server has refused so far."""
        return self._refused

    def complete(self, request: ChatRequest) -> ChatReply:
        """The inner model's reply.

        Raises:
            LLMError: as the inner model's, but for a refusal that a smaller request mends.
        """
        return run(self._course(request), lambda asked: tried(self.inner, asked))

    async def acomplete(self, request: ChatRequest) -> ChatReply:
        """The same as :meth:`complete`, for an event loop."""
        return await arun(self._course(request), lambda asked: atried(self.inner, asked))

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The pieces of the inner model's reply, without what its server is known not to take.

        A refusal of a stream is not mended: a stream that has begun cannot be begun anew.

        Raises:
            ConfigError: the inner model gives whole replies only.
            LLMError: as the inner model's.
        """
        return self._streaming().stream(without_parts(request, self._refused))

    def astream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The same as :meth:`stream`, for an event loop."""
        return self._streaming().astream(without_parts(request, self._refused))

    @property
    def _knows_another_form(self) -> bool:
        """Whether a schema can be put to the inner model in another form than its vendor's own."""
        return len(getattr(self.inner, "schema_forms", ())) > 1

    def _streaming(self) -> StreamingChatModel:
        if not isinstance(self.inner, StreamingChatModel):
            raise ConfigError(f"{self.identity} gives whole replies only: it has no stream and astream")
        return self.inner

    def _course(self, request: ChatRequest) -> Generator[ChatRequest, ChatReply | LLMError | None, ChatReply]:
        while True:
            asked = without_parts(request, self._refused)
            said = yield asked
            assert said is not None
            if not isinstance(said, LLMError):
                return said
            had = _parts(asked)
            more = frozenset(said.refuses & had) if isinstance(said, LLMRejected) else frozenset()
            if "schema" in more and asked.schema_form == "json_schema" and self._knows_another_form:
                more = more - {"schema"} | {"json_schema"}
            if not more:
                raise said
            with self._lock:
                self._refused |= more


def _parts(request: ChatRequest) -> frozenset[str]:
    """Those of the parts that a server may refuse which a request has."""
    has = {
        "schema": request.schema is not None,
        "temperature": request.temperature is not None,
        "logprobs": request.logprobs,
    }
    return frozenset(part for part, there in has.items() if there)


def without_parts(request: ChatRequest, parts: frozenset[str]) -> ChatRequest:
    """The request without parts that a server has refused (:attr:`AdaptiveChat.refused`)."""
    if "json_schema" in parts:
        request = replace(request, schema_form="json_object")
    if "schema" in parts:
        request = replace(request, schema=None)
    if "temperature" in parts:
        request = replace(request, temperature=None)
    return replace(request, logprobs=False) if "logprobs" in parts else request
