"""Turn whatever a chat model raises into one of our errors, without a word of the model's or its vendor's."""

from __future__ import annotations

from verifier.core.chat.types import ChatModel, ChatReply, ChatRequest
from verifier.core.errors import LLMError, LLMRejected, LLMUnavailable, VerifierError

__all__ = ["aask", "ask", "atried", "translated", "tried"]


def translated(error: Exception, timeout: float | None = None) -> LLMError:
    """``error`` as an error of the model; one of ours comes back as it is.

    Raises:
        VerifierError: ``error`` is ours and no fault of the model's, such as a missing extra.
    """
    if isinstance(error, LLMError):
        return error
    if isinstance(error, VerifierError):
        raise error
    if isinstance(error, TimeoutError):
        return LLMUnavailable("the model gave no answer in " + (f"{timeout:g} s" if timeout else "time"))
    return LLMRejected(f"the model failed with {type(error).__name__}")


def ask(chat: ChatModel, request: ChatRequest) -> ChatReply:
    """The reply of ``chat``; an error of whatever kind is one of ours."""
    try:
        return chat.complete(request)
    except VerifierError:
        raise
    except Exception as error:
        raise translated(error) from error


async def aask(chat: ChatModel, request: ChatRequest) -> ChatReply:
    """The same as :func:`ask`, for an event loop."""
    try:
        return await chat.acomplete(request)
    except VerifierError:
        raise
    except Exception as error:
        raise translated(error) from error


def tried(chat: ChatModel, request: ChatRequest) -> ChatReply | LLMError:
    """The reply of ``chat``, or the error that came in its place: for whoever goes on without one."""
    try:
        return ask(chat, request)
    except LLMError as error:
        return error


async def atried(chat: ChatModel, request: ChatRequest) -> ChatReply | LLMError:
    """The same as :func:`tried`, for an event loop."""
    try:
        return await aask(chat, request)
    except LLMError as error:
        return error
