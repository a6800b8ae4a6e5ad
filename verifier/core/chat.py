"""Instructions and a text go in, the text that a chat model replies comes out; vendors' errors are translated."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from verifier.core.errors import LLMRejected, LLMUnavailable
from verifier.core.registry import require

__all__ = ["Complete", "OpenAIChat"]

Complete = Callable[[str, str], str]
"""Takes instructions (the system's part) and a text (the user's part); returns the reply.

Raises :class:`LLMUnavailable` where another try may help, :class:`LLMRejected` where it will not.
"""

_BUSY = frozenset({408, 409, 429})
"""Statuses below 500 after which the same request may succeed."""


class OpenAIChat:
    """A model behind the OpenAI API or a server that speaks it (vLLM, Ollama, llama.cpp ...).

    Nothing is retried here: whoever calls knows what a reply is worth. The key is read from ``OPENAI_API_KEY`` by
    the client and is neither stored nor shown; a server of one's own (``base_url``) may do without.

    Args:
        model: the model's name, as the server knows it.
        schema: JSON Schema that the reply must follow; sent as a strict response format. ``None``: free text.
        base_url: where the server is; OpenAI's own by default.
        timeout: seconds until a silent server counts as unavailable.
        client: a ready client with ``chat.completions.create``, instead of one made from the above.
    """

    def __init__(
        self,
        model: str,
        *,
        schema: Mapping[str, Any] | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        client: Any = None,
    ) -> None:
        self.model, self.schema = model, schema
        self.base_url, self.timeout = base_url, timeout
        self._given_client = client

    @cached_property
    def _client(self) -> Any:
        openai = require("openai", extra="openai")
        if self._given_client is not None:
            return self._given_client
        key = os.environ.get("OPENAI_API_KEY") or ("none" if self.base_url else None)
        if key is None:
            raise LLMRejected(
                "no key for the model: set OPENAI_API_KEY, or base_url for a server without one"
            )
        return openai.OpenAI(api_key=key, base_url=self.base_url, timeout=self.timeout, max_retries=0)

    def __call__(self, instructions: str, text: str) -> str:
        """The model's reply, as it stands; ``""`` where it says nothing.

        Raises:
            MissingExtra: the ``openai`` package is not installed.
            LLMUnavailable: no connection, time-out, rate limit or a failing server.
            LLMRejected: a wrong key, model or request, a refusal, or a reply that was cut off.
        """
        client = self._client
        openai = require("openai", extra="openai")
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "system", "content": instructions}, {"role": "user", "content": text}],
            "temperature": 0,
        }
        if self.schema is not None:
            named = {"name": "reply", "strict": True, "schema": dict(self.schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": named}
        try:
            return _content(client.chat.completions.create(**request))
        except openai.APITimeoutError as error:
            raise LLMUnavailable(f"model {self.model!r} gave no answer in {self.timeout:g} s") from error
        except openai.APIConnectionError as error:
            raise LLMUnavailable(f"model {self.model!r} cannot be reached") from error
        except openai.APIStatusError as error:
            kind = LLMUnavailable if error.status_code in _BUSY or error.status_code >= 500 else LLMRejected
            raise kind(f"model {self.model!r} answered with status {error.status_code}") from error
        except (openai.OpenAIError, ValueError) as error:
            raise LLMUnavailable(f"model {self.model!r} sent what is no answer") from error


def _content(reply: Any) -> str:
    choices = getattr(reply, "choices", None)
    if not choices:
        return ""
    choice = choices[0]
    if getattr(choice.message, "refusal", None) or choice.finish_reason == "content_filter":
        raise LLMRejected("the model refused")
    if choice.finish_reason == "length":
        raise LLMRejected("the model's reply was cut off at its length limit")
    return str(choice.message.content or "")
