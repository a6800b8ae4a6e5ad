"""Chat models behind OpenAI's API, or behind any server that speaks it."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, Literal

from verifier.core.chat.types import ChatReply, ChatRequest, TokenChances
from verifier.core.chat.vendor import VendorChat
from verifier.core.errors import LLMCut, LLMRefused

__all__ = ["OpenAIChat"]

_ALTERNATIVES = 5
"""Tokens whose probabilities are asked for at each place; the API gives 20 at most, several servers 5."""


class OpenAIChat(VendorChat):
    """A model behind the OpenAI API or a server that speaks it (vLLM, Ollama, llama.cpp, OpenRouter ...).

    Args:
        model: the model's name, as the server knows it.
        token_limit: the field that carries ``max_tokens``. By default the one that is understood: OpenAI's newer
            models refuse ``max_tokens``, and several other servers ignore ``max_completion_tokens`` unsaid.
        others: see :class:`VendorChat`.
    """

    provider = "openai"
    default_url = "https://api.openai.com/v1"
    url_env = "OPENAI_BASE_URL"
    default_key_env = "OPENAI_API_KEY"
    schema_forms = ("json_schema", "json_object")
    """Those of ``ChatRequest.schema_form`` that some server of this API knows."""

    def __init__(
        self,
        model: str,
        *,
        token_limit: Literal["max_tokens", "max_completion_tokens"] | None = None,
        **others: Any,
    ) -> None:
        super().__init__(model, **others)
        self.token_limit = token_limit

    def _keywords(self, request: ChatRequest) -> dict[str, Any]:
        keywords: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": request.instructions},
                {"role": "user", "content": request.text},
            ],
        }
        if request.temperature is not None and self.send_temperature:
            keywords["temperature"] = request.temperature
        if request.max_tokens is not None:
            own = self.base_url == self.default_url
            keywords[self.token_limit or ("max_completion_tokens" if own else "max_tokens")] = (
                request.max_tokens
            )
        if request.schema is not None:
            schema = dict(request.schema)
            named = {"json_schema": {"name": "reply", "strict": True, "schema": schema}}
            form = named if request.schema_form == "json_schema" else {"schema": schema}
            keywords["response_format"] = {"type": request.schema_form, **form}
        if request.logprobs:
            keywords |= {"logprobs": True, "top_logprobs": _ALTERNATIVES}
        return keywords

    def _call(self, client: Any, keywords: Mapping[str, Any]) -> Any:
        return client.chat.completions.create(**keywords)

    @staticmethod
    def _client_class(package: ModuleType, *, asynchronous: bool) -> Any:
        return package.AsyncOpenAI if asynchronous else package.OpenAI

    def _read(self, reply: Any) -> ChatReply:
        choices = getattr(reply, "choices", None)
        if not choices:
            raise self._of_another_protocol()
        choice = choices[0]
        used_in, used_out = _usage(reply)
        if getattr(choice.message, "refusal", None):
            self._check_reason("refusal", input_tokens=used_in or 0, output_tokens=used_out or 0)
        self._check_reason(choice.finish_reason, input_tokens=used_in or 0, output_tokens=used_out or 0)
        return ChatReply(
            text=choice.message.content or "",
            model=str(getattr(reply, "model", None) or self.model),
            input_tokens=used_in,
            output_tokens=used_out,
            tokens_said=_tokens_said(choice),
        )

    def _check_reason(self, reason: str | None, *, input_tokens: int = 0, output_tokens: int = 0) -> None:
        if reason in {"refusal", "content_filter"}:
            raise LLMRefused("the model refused", input_tokens=input_tokens, output_tokens=output_tokens)
        if reason == "length":
            raise LLMCut(
                "the model's reply was cut off at its length limit",
                input_tokens=input_tokens,
                output_tokens=output_tokens,
            )

    def _piece(self, event: Any, ending: dict[str, str]) -> str:
        if not event.choices:
            return ""  # the last event of some servers, with the counts of tokens
        choice = event.choices[0]
        if getattr(choice.delta, "refusal", None):
            ending["reason"] = "refusal"
        elif choice.finish_reason:
            ending.setdefault("reason", choice.finish_reason)
        return choice.delta.content or ""


def _tokens_said(choice: Any) -> tuple[TokenChances, ...]:
    """The tokens of a reply with their alternatives; none where the server gave none, or something else."""
    said = getattr(getattr(choice, "logprobs", None), "content", None)
    if not isinstance(said, list):
        return ()
    return tuple(
        TokenChances(
            one.token,
            {one.token: one.logprob} | {other.token: other.logprob for other in one.top_logprobs or ()},
        )
        for one in said
    )


def _usage(reply: Any) -> tuple[int | None, int | None]:
    usage = getattr(reply, "usage", None)
    counts = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
    return tuple(count if isinstance(count, int) else None for count in counts)  # type: ignore[return-value]
