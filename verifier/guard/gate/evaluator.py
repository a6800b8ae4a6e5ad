"""Have a language model rate an answer, or say why there is no rating."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median
from typing import Any, Protocol

from verifier.core.chat import ChatModel, ChatRequest, tried
from verifier.core.chat.enclose import Enclosure
from verifier.core.chat.reply import json_object
from verifier.core.errors import ConfigError, LLMError

__all__ = ["ASPECTS", "Ensemble", "Evaluation", "Evaluator", "LLMEvaluator"]

ASPECTS = ("relevance", "helpfulness", "accuracy", "completeness")
"""What an answer is rated by, 0 to 25 points each."""

_POINTS = 25

REPLY_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": {
            "type": "string",
            "description": "one or two sentences: what is missing or wrong, if anything",
        },
        **{aspect: {"type": "integer", "enum": list(range(_POINTS + 1))} for aspect in ASPECTS},
    },
    "required": ["reasoning", *ASPECTS],
    "additionalProperties": False,
}

_INSTRUCTIONS = """\
You rate how well an answer serves a question. {explanation}

Give 0 to 25 whole points for each of:
- relevance: it answers what was asked
- helpfulness: the asker can go on with it
- accuracy: what it states is right, as far as you can tell
- completeness: nothing that was asked for is missing

Reply with JSON only: {{"reasoning": "...", "relevance": n, "helpfulness": n, "accuracy": n, "completeness": n}}"""

_CLOSING = "Rate the answer of the block ANSWER. Reply with the JSON only."

_OBJECT = re.compile(r"\s*(?:```(?:json)?\s*)?\{", re.IGNORECASE)
_SCORE = re.compile(r"^\W*score\W*?:\W*(\d{1,3}(?:\.\d+)?)\b(?!\s*[/.,]?\d)", re.IGNORECASE | re.MULTILINE)
_REASONING = re.compile(r"^\W*reasoning\W*?:\s*(.*)", re.IGNORECASE | re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A rating: ``score`` in [0, 1], the points of each aspect where the model gave them, and what it would mend.

    ``score`` is ``None`` exactly where ``error`` says why.
    """

    score: float | None
    reasoning: str = ""
    points: Mapping[str, int] | None = None
    error: str = ""


class Evaluator(Protocol):
    """Rates answers."""

    def evaluate(self, prompt: str, response: str) -> Evaluation:
        """The rating of ``response`` as an answer to ``prompt``; a failure is in it, and never a score."""


class LLMEvaluator:
    """Asks a chat model for points.

    Args:
        chat: the model.
        temperature, max_tokens: of its replies; the design's values by default.
    """

    def __init__(
        self, chat: ChatModel, *, temperature: float | None = 0.3, max_tokens: int | None = 200
    ) -> None:
        self._chat, self._temperature, self._max_tokens = chat, temperature, max_tokens

    def evaluate(self, prompt: str, response: str) -> Evaluation:
        """One request. JSON by the schema is understood, and so is ``SCORE: n`` (of 100) with ``REASONING: ...``."""
        blocks = Enclosure((("QUESTION", prompt), ("ANSWER", response)))
        request = ChatRequest(
            _INSTRUCTIONS.format(explanation=blocks.explanation()),
            f"{blocks.text()}\n\n{_CLOSING}",
            self._temperature,
            self._max_tokens,
            REPLY_SCHEMA,
        )
        said = tried(self._chat, request)
        return Evaluation(None, error=str(said)) if isinstance(said, LLMError) else understood(said.text)


def understood(reply: str) -> Evaluation:
    """The rating that a reply states.

    >>> import json
    >>> points = {"relevance": 25, "helpfulness": 24, "accuracy": 25, "completeness": 22}
    >>> understood(json.dumps({"reasoning": "fine", **points})).score
    0.96
    >>> understood("SCORE: 81\\nREASONING: leaves out the fee").score
    0.81
    >>> understood("A fine answer!").error
    "the evaluator's reply has no score"
    """
    try:
        values = json_object(reply)
    except ValueError:
        if _OBJECT.match(reply):
            return Evaluation(None, error="the evaluator's reply is not one JSON object")
        return _from_lines(reply)
    points = {aspect: values.get(aspect) for aspect in ASPECTS}
    wrong = [
        a for a, p in points.items() if not isinstance(p, int) or isinstance(p, bool) or not 0 <= p <= _POINTS
    ]
    if wrong:
        return Evaluation(
            None, error=f"the evaluator's reply has no points from 0 to 25 for {', '.join(wrong)}"
        )
    whole: dict[str, int] = {aspect: int(values[aspect]) for aspect in ASPECTS}
    reasoning = values.get("reasoning")
    return Evaluation(
        sum(whole.values()) / (_POINTS * len(ASPECTS)), reasoning if isinstance(reasoning, str) else "", whole
    )


def _from_lines(reply: str) -> Evaluation:
    scores = _SCORE.findall(reply)
    if len(scores) != 1:
        several = "several scores" if scores else "no score"
        return Evaluation(None, error=f"the evaluator's reply has {several}")
    if float(scores[0]) > 100:
        return Evaluation(None, error="the evaluator's score is above 100")
    reasoning = _REASONING.search(reply)
    return Evaluation(float(scores[0]) / 100, reasoning.group(1).strip() if reasoning else "")


class Ensemble:
    """Several evaluators, asked side by side: the median of their scores counts.

    Where more than half of them fail, the ensemble fails: a rating by a few is not the one that was asked for.

    Args:
        evaluators: at least one.
    """

    def __init__(self, evaluators: Sequence[Evaluator]) -> None:
        if not evaluators:
            raise ConfigError("an ensemble needs at least one evaluator")
        self._evaluators = tuple(evaluators)

    def evaluate(self, prompt: str, response: str) -> Evaluation:
        """The median score; the reasons of those that rated it lowest, since a retry is to mend them."""
        with ThreadPoolExecutor(len(self._evaluators)) as pool:
            found = list(pool.map(lambda one: one.evaluate(prompt, response), self._evaluators))
        scores = [one.score for one in found if one.score is not None]
        errors = "; ".join(dict.fromkeys(one.error for one in found if one.error))
        if len(scores) * 2 <= len(found):
            return Evaluation(
                None, error=f"{len(found) - len(scores)} of {len(found)} evaluators failed: {errors}"
            )
        low = min(scores)
        reasons = dict.fromkeys(one.reasoning for one in found if one.score == low and one.reasoning)
        return Evaluation(median(scores), " ".join(reasons), error="")
