"""Have a language model rate the coherence of a text from 1 to 5, or give the neutral value and say why."""

from __future__ import annotations

import logging
import os
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from verifier.core.chat import ChatModel, ChatReply, ChatRequest, OpenAIChat, atried, tried
from verifier.core.chat.enclose import Enclosure
from verifier.core.chat.reply import json_object
from verifier.core.course import arun, run
from verifier.core.errors import LLMError, VerifierError
from verifier.guard.logical import read_logical
from verifier.verification.claims import extract_claims
from verifier.verification.scorer import VerifiedScorer

__all__ = [
    "NEUTRAL",
    "CoherenceRater",
    "CoherenceRating",
    "LLMCoherenceRater",
    "LocalCoherenceRater",
    "rater_from_environment",
]

NEUTRAL = 0.7
"""What stands for a coherence that was not measured; the design's value."""

REPLY_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"rating": {"type": "integer", "enum": [1, 2, 3, 4, 5]}},
    "required": ["rating"],
    "additionalProperties": False,
}

_INSTRUCTIONS = """\
You rate the logical coherence and internal consistency of a text, and nothing else: whether its statements agree with \
each other and its conclusions follow from them. Grammar, style and whether its facts are true do not count. \
{explanation}

5: everything agrees and follows. 4: a small gap. 3: a step does not follow. 2: statements do not go together. \
1: the text contradicts itself.

Reply with JSON only: {{"rating": n}}"""

_CLOSING = "Rate the coherence of the block TEXT. Reply with the JSON only."

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CoherenceRating:
    """A coherence in [0, 1]: ``(rating - 1) / 4``, or the neutral 0.7 with ``measured`` false and the reason."""

    value: float
    measured: bool
    rating: int | None = None
    reason: str = ""

    @classmethod
    def of(cls, rating: int) -> CoherenceRating:
        """A rating from 1 to 5.

        >>> [CoherenceRating.of(rating).value for rating in (1, 2, 3, 4, 5)]
        [0.0, 0.25, 0.5, 0.75, 1.0]
        """
        return cls((rating - 1) / 4, True, rating)

    @classmethod
    def unmeasured(cls, reason: str) -> CoherenceRating:
        """The neutral value; the reason is logged as a warning too, for those who read only numbers."""
        _log.warning("coherence was not measured: %s", reason)
        return cls(NEUTRAL, False, None, reason)


class CoherenceRater(Protocol):
    """Rates the coherence of texts."""

    def rate(self, text: str) -> CoherenceRating:
        """The coherence of ``text``; whatever fails is in the rating and never raised."""


class LLMCoherenceRater:
    """Asks a language model for a rating. Any failure gives the neutral value, says so and warns.

    Args:
        chat: the model; ``None`` where the rating is switched off.
    """

    def __init__(self, chat: ChatModel | None) -> None:
        self._chat = chat

    def rate(self, text: str) -> CoherenceRating:
        """The coherence of ``text``."""
        return run(self._course(text), lambda step: tried(*step))

    async def arate(self, text: str) -> CoherenceRating:
        """The same as :meth:`rate`, for an event loop."""
        return await arun(self._course(text), lambda step: atried(*step))

    def _course(
        self, text: str
    ) -> Generator[tuple[ChatModel, ChatRequest], ChatReply | LLMError | None, CoherenceRating]:
        if self._chat is None:
            return CoherenceRating.unmeasured("no model is configured for it")
        if not text.strip():
            return CoherenceRating.unmeasured("the text is blank")
        block = Enclosure((("TEXT", text),))
        instructions = _INSTRUCTIONS.format(explanation=block.explanation())
        said = yield (
            self._chat,
            ChatRequest(instructions, f"{block.text()}\n\n{_CLOSING}", 0.0, 50, REPLY_SCHEMA),
        )
        assert said is not None
        if isinstance(said, LLMError):
            return CoherenceRating.unmeasured(str(said))
        return _understood(said.text)


class LocalCoherenceRater:
    """Rates without a language model: 1 less the highest probability that two claims of the text contradict.

    Args:
        scorer: reads the claims against each other; its knowledge base is not asked.
        max_pairs: pairs of claims that are read, those with most words in common; the reason says how many were left.
    """

    def __init__(self, scorer: VerifiedScorer, *, max_pairs: int = 200) -> None:
        self._scorer, self._max_pairs = scorer, max_pairs

    def rate(self, text: str) -> CoherenceRating:
        """The coherence of ``text``; a text of one claim has nothing in it that could disagree."""
        claims = extract_claims(text).claims
        if len(claims) < 2:
            return CoherenceRating.unmeasured("fewer than two claims")
        try:
            found = read_logical(self._scorer, "", claims, max_pairs=self._max_pairs)
        except VerifierError as error:
            return CoherenceRating.unmeasured(str(error))
        unread = found.pairs - found.pairs_read
        note = f"; {unread} of {found.pairs} pairs of claims were not read" if unread else ""
        return CoherenceRating(1 - found.inner, True, None, found.reason + note)


def _understood(reply: str) -> CoherenceRating:
    try:
        values = json_object(reply)
    except ValueError:
        return CoherenceRating.unmeasured("the model's reply is not the JSON that was asked for")
    if set(values) != {"rating"}:
        return CoherenceRating.unmeasured("the model's reply is not a rating alone")
    rating = values["rating"]
    if not isinstance(rating, int) or isinstance(rating, bool) or not 1 <= rating <= 5:
        return CoherenceRating.unmeasured("the model's rating is no whole number from 1 to 5")
    return CoherenceRating.of(rating)


def rater_from_environment() -> LLMCoherenceRater:
    """A rater by ``COHERENCE_CHECK_MODEL`` and ``COHERENCE_API_KEY``, switched off where either is missing.

    ``COHERENCE_API_BASE`` names a server that speaks OpenAI's API: OpenRouter, Azure, Ollama and the like.

    Raises:
        MissingExtra: when it is asked, and the extra ``openai`` is not installed.
    """
    model = os.environ.get("COHERENCE_CHECK_MODEL")
    if not model or not os.environ.get("COHERENCE_API_KEY"):
        return LLMCoherenceRater(None)
    base_url = os.environ.get("COHERENCE_API_BASE") or None
    return LLMCoherenceRater(OpenAIChat(model, base_url=base_url, key_env="COHERENCE_API_KEY"))
