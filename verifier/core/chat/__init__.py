"""Chat models: OpenAI's and Anthropic's APIs, scripted replies, and retries with a budget over any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verifier.core.lazy import names_from

if TYPE_CHECKING:
    from verifier.core.chat.adaptive import AdaptiveChat
    from verifier.core.chat.anthropic import AnthropicChat
    from verifier.core.chat.openai import OpenAIChat
    from verifier.core.chat.patient import Patience, PatientChat
    from verifier.core.chat.reply import json_object
    from verifier.core.chat.scripted import ScriptedChat
    from verifier.core.chat.translate import aask, ask, atried, tried
    from verifier.core.chat.types import ChatModel, ChatReply, ChatRequest, StreamingChatModel, TokenChances
    from verifier.core.chat.usage import Prices, Usage

__all__ = [
    "AdaptiveChat",
    "AnthropicChat",
    "ChatModel",
    "ChatReply",
    "ChatRequest",
    "OpenAIChat",
    "Patience",
    "PatientChat",
    "Prices",
    "ScriptedChat",
    "StreamingChatModel",
    "TokenChances",
    "Usage",
    "aask",
    "ask",
    "atried",
    "json_object",
    "tried",
]

_HOMES = {
    "adaptive": "AdaptiveChat",
    "anthropic": "AnthropicChat",
    "openai": "OpenAIChat",
    "patient": "Patience PatientChat",
    "reply": "json_object",
    "scripted": "ScriptedChat",
    "translate": "aask ask atried tried",
    "types": "ChatModel ChatReply ChatRequest StreamingChatModel TokenChances",
    "usage": "Prices Usage",
}
"""The names that live in each module."""

__getattr__ = names_from(
    __name__, {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names.split()}
)
