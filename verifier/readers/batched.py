"""A chat reader that finds replies in a post box, and leaves its requests there for a vendor's batch."""

from __future__ import annotations

import threading
from typing import Any

from verifier.core.chat.counts import tokens_of
from verifier.core.chat.types import ChatModel, ChatRequest
from verifier.core.errors import LLMError, LLMRejected
from verifier.readers.chat import Asked, ChatReader
from verifier.readers.postbox import Left, PostBox, Reserved
from verifier.readers.prompt import key_of
from verifier.readers.types import Call

__all__ = ["BatchedReader"]


class BatchedReader(ChatReader):
    """Asks as :class:`ChatReader` does, but sends nothing.

    A request whose reply is not there is left in the box, and its claims fail; :meth:`waits_for` then tells that the
    response is to be checked again when the box has the reply. What the job may take is counted there, over all
    processes and runs; what a request sets aside is its most until its reply is there.

    Args:
        chat: the model that will be asked, for its name and prices.
        box: where replies are.
        options: those of :class:`ChatReader`.
    """

    def __init__(self, chat: ChatModel, *, box: PostBox, **options: Any) -> None:
        super().__init__(chat, **options)
        self._box = box
        self._lock = threading.Lock()
        self._waiting: list[str] | None = None

    def close(self) -> None:
        """Close the box."""
        self._box.close()

    @property
    def is_waiting(self) -> bool:
        """Whether a reply was missing since the last call of :meth:`waits_for`."""
        return self._waiting is not None

    def waits_for(self) -> list[str] | None:
        """The requests without a reply since the last call, by key; none where the job first needs room for one;
        ``None`` where every reply was there."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
            return waiting

    def _put(self, request: ChatRequest, calls: list[Call]) -> Asked:
        yield from ()  # nothing is ever asked
        try:
            f"{request.instructions}{request.text}".encode()
        except UnicodeEncodeError:
            return LLMRejected("the text cannot be sent: it holds half a surrogate pair")
        key = key_of(request)
        tokens = tokens_of(request.instructions + request.text), request.max_tokens or 0
        most = self._prices.of(*tokens) if self._prices is not None else 0.0
        found = self._box.ask(key, request, Reserved(sum(tokens), most, self._allowance.bounds))
        if isinstance(found, Left):
            return self._left(found, key, sum(tokens), most)
        taken, given = found.input_tokens, found.output_tokens
        if taken or given or not isinstance(found, LLMError):
            cost = self._prices.of(taken or 0, given or 0) if self._prices is not None else None
            calls.append(Call(key, taken, given, cost))
        return found

    def _left(self, left: Left, key: str, tokens: int, most: float) -> LLMRejected:
        if not left.waits:
            return LLMRejected(self._allowance.passed(left.passed, tokens, most))
        with self._lock:
            self._waiting = [*(self._waiting or ()), *(() if left.passed else (key,))]
        return LLMRejected("it waits for a vendor's batch")
