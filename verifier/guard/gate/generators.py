"""Generate an answer to be judged: by one call of a chat model, or chosen among several."""

from __future__ import annotations

from verifier.core.chat import ChatModel, ChatRequest, ask
from verifier.guard.consistency import SelfConsistency
from verifier.guard.gate.types import Generated

__all__ = ["ChatGenerator", "ConsistentGenerator"]


class ChatGenerator:
    """One answer a call.

    Args:
        chat: the model.
        temperature, max_tokens: of its answers; ``None`` leaves them to the model.
    """

    def __init__(
        self, chat: ChatModel, *, temperature: float | None = 0.7, max_tokens: int | None = None
    ) -> None:
        self._chat, self._temperature, self._max_tokens = chat, temperature, max_tokens

    def generate(self, prompt: str, instructions: str) -> Generated:
        """The model's answer."""
        request = ChatRequest(instructions, prompt, self._temperature, self._max_tokens)
        return Generated(ask(self._chat, request).text)


class ConsistentGenerator:
    """The answer that the others bear out; only that one goes forward into the gate.

    Args:
        system: asks and chooses.
        max_tokens: of each answer.
    """

    def __init__(self, system: SelfConsistency, *, max_tokens: int | None = None) -> None:
        self._system, self._max_tokens = system, max_tokens

    def generate(self, prompt: str, instructions: str) -> Generated:
        """The chosen answer, with how far all agreed."""
        found = self._system.run(prompt, instructions=instructions, max_tokens=self._max_tokens)
        notes = tuple(f"sample {failure.sample + 1}: {failure.reason}" for failure in found.failures)
        return Generated(found.best_candidate, found.confidence_score, len(found.all_candidates), notes)
