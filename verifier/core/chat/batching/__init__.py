"""Many requests to a chat model at once, for which its vendor takes its time and half the price."""

from verifier.core.chat.batching.anthropic import AnthropicBatches
from verifier.core.chat.batching.openai import OpenAIBatches
from verifier.core.chat.batching.types import BatchModel, BatchState, Outcome

__all__ = ["AnthropicBatches", "BatchModel", "BatchState", "OpenAIBatches", "Outcome"]
