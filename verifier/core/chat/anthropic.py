"""Chat models behind Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, ClassVar

from verifier.core.chat.types import ChatReply, ChatRequest
from verifier.core.chat.vendor import VendorChat
from verifier.core.errors import ConfigError, LLMCut, LLMRefused

__all__ = ["AnthropicChat"]

_WITH_TEMPERATURE = "2023-06-01"
"""The last version of the API that takes a temperature; later ones answer 400 to any."""

_DONE = frozenset({"end_turn", "stop_sequence"})


class AnthropicChat(VendorChat):
    """A model behind the Messages API, or a server that speaks it.

    A request with a temperature is sent under API version 2023-06-01, which is the last to take one, and only to
    models that do; for the others set ``send_temperature=False``, or ask without a temperature.

    Args:
        model: the model's name.
        default_max_tokens: bound of a reply whose request names none; the API wants one always.
        others: see :class:`VendorChat`.
    """

    provider = "anthropic"
    default_url = "https://api.anthropic.com"
    url_env = "ANTHROPIC_BASE_URL"
    default_key_env = "ANTHROPIC_API_KEY"
    version_with_temperature: ClassVar[Mapping[str, str]] = {"anthropic-version": _WITH_TEMPERATURE}
    """The header of a request that has a temperature."""

    def __init__(self, model: str, *, default_max_tokens: int = 4096, **others: Any) -> None:
        super().__init__(model, **others)
        self.default_max_tokens = default_max_tokens

    def _keywords(self, request: ChatRequest) -> dict[str, Any]:
        keywords: dict[str, Any] = {
            "model": self.model,
            "max_tokens": request.max_tokens or self.default_max_tokens,
            "messages": [{"role": "user", "content": request.text}],
        }
        if request.instructions:
            keywords["system"] = request.instructions
        if request.temperature is not None and self.send_temperature:
            # The client has no keyword for it any more.
            keywords["extra_body"] = {"temperature": request.temperature}
            keywords["extra_headers"] = self.version_with_temperature
        if request.schema is not None:
            # Bounds that the API does not enforce are put into descriptions; the caller checks the reply anyway.
            try:
                schema = self._package.transform_schema(dict(request.schema))
            except ValueError as error:
                raise ConfigError("the schema of the reply has a part without a type") from error
            keywords["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return keywords

    def _call(self, client: Any, keywords: Mapping[str, Any]) -> Any:
        return client.messages.create(**keywords)

    @staticmethod
    def _client_class(package: ModuleType, *, asynchronous: bool) -> Any:
        return package.AsyncAnthropic if asynchronous else package.Anthropic

    def _read(self, reply: Any) -> ChatReply:
        content, usage = getattr(reply, "content", None), getattr(reply, "usage", None)
        if not isinstance(content, list) or usage is None:
            raise self._of_another_protocol()
        cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
        used_in, used_out = usage.input_tokens + cached, usage.output_tokens
        self._check_reason(reply.stop_reason, input_tokens=used_in, output_tokens=used_out)
        text = "".join(block.text for block in content if block.type == "text")
        return ChatReply(text, str(reply.model or self.model), used_in, used_out)

    def _check_reason(self, reason: str | None, *, input_tokens: int = 0, output_tokens: int = 0) -> None:
        if reason == "refusal":
            raise LLMRefused("the model refused", input_tokens=input_tokens, output_tokens=output_tokens)
        if reason not in _DONE:
            raise LLMCut(
                "the model's reply was cut off at its length limit",
                input_tokens=input_tokens,
                output_tokens=output_tokens,
            )

    def _piece(self, event: Any, ending: dict[str, str]) -> str:
        if event.type == "message_delta" and event.delta.stop_reason:
            ending["reason"] = event.delta.stop_reason
        if event.type == "content_block_delta" and event.delta.type == "text_delta":
            return str(event.delta.text)
        return ""
