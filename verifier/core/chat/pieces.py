"""Read the stream of a chat model piece by piece, with a time limit for each."""

from __future__ import annotations

import asyncio
import contextvars
import queue
import threading
from collections.abc import AsyncIterator
from typing import Any

from verifier.core.chat.types import ChatRequest, StreamingChatModel

__all__ = ["AsyncPieces", "Pieces", "Said"]

Said = str | Exception | None
"""A piece, what the model raised in its place, or ``None`` at the end of the reply."""


class Pieces:
    """The reply of ``chat`` in pieces, for a thread.

    The model is read in a thread of its own, one piece for each call of :meth:`next`; where it hangs it is left behind
    there, and ends with the next piece that it gives.
    """

    def __init__(self, chat: StreamingChatModel, request: ChatRequest, seconds: float) -> None:
        self._seconds = seconds
        self._asked: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[Said] = queue.SimpleQueue()
        context = contextvars.copy_context()
        threading.Thread(
            target=context.run, args=(self._serve, chat, request), daemon=True, name="chat"
        ).start()

    def next(self) -> Said:
        """What comes next; ``TimeoutError`` where nothing does in time."""
        self._asked.put(True)
        try:
            return self._said.get(timeout=self._seconds)
        except queue.Empty:
            return TimeoutError()

    def close(self) -> None:
        """Ask for no more: the model's stream is closed, in its thread."""
        self._asked.put(False)

    def _serve(self, chat: StreamingChatModel, request: ChatRequest) -> None:
        pieces: Any = None
        try:
            pieces = chat.stream(request)
            while self._asked.get():
                self._said.put(next(pieces, None))
        except Exception as error:  # noqa: BLE001 - a user's model may raise anything; see PatientChat
            self._said.put(error)
        finally:
            if hasattr(pieces, "close"):
                pieces.close()


class AsyncPieces:
    """The same as :class:`Pieces`, for an event loop; a time-out cancels what the model is at."""

    def __init__(self, chat: StreamingChatModel, request: ChatRequest, seconds: float) -> None:
        self._chat, self._request, self._seconds = chat, request, seconds
        self._pieces: AsyncIterator[str] | None = None

    async def next(self) -> Said:
        """What comes next; ``TimeoutError`` where nothing does in time."""
        try:
            if self._pieces is None:
                self._pieces = self._chat.astream(self._request)
            return await asyncio.wait_for(anext(self._pieces, None), self._seconds)
        except Exception as error:  # noqa: BLE001 - as in Pieces
            return error

    async def close(self) -> None:
        """Ask for no more."""
        pieces: Any = self._pieces
        if hasattr(pieces, "aclose"):
            await pieces.aclose()
