"""A reader over a decision model behind ``POST /v1/systemone``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from verifier.core.errors import LLMRejected, LLMUnavailable
from verifier.readers.decision import DecisionModel, DecisionReader
from verifier.readers.decision_parts import DecisionReply, DecisionRequest, Given

__all__ = ["SystemOneModel", "SystemOneReader"]


class SystemOneModel(DecisionModel):
    """A model that TypeSafe's client reaches, at TypeSafe's or at a server that speaks its protocol (llama.cpp, vLLM).

    Args:
        model: the model's name, as the server knows it.
        others: see :class:`~verifier.core.chat.vendor.Vendor`. ``base_url`` may end in ``/v1`` or not: the client
            itself adds ``/v1/systemone``.
    """

    protocol = "systemone"
    route = "POST /v1/systemone"
    provider = "typesafe_sdk"
    extra = "systemone"
    headers_keyword = "headers"
    default_url = "https://api.typesafe.ai"
    url_env = "TYPESAFE_BASE_URL"
    default_key_env = "TYPESAFE_API_KEY"

    @property
    def base_url(self) -> str:
        """Where requests go, without ``/v1``."""
        return super().base_url.rstrip("/").removesuffix("/v1")

    @staticmethod
    def _client_class(package: ModuleType, *, asynchronous: bool) -> Any:
        return package.AsyncTypeSafeClient if asynchronous else package.TypeSafeClient

    def _timeouts(self) -> float:
        return self.timeout

    def _client_options(self) -> dict[str, Any]:
        options = super()._client_options()
        # Not every server of this protocol reads a compressed body, and the client compresses where it can.
        return {
            "api_key": options["api_key"],
            "base_url": options["base_url"],
            "timeout": options["timeout"],
            "retry": self._package.RetryPolicy(max_retries=options["max_retries"]),
            "compression": False,
        }

    def _ask(self, client: Any, request: DecisionRequest) -> Any:
        choice = self._package.Choice
        questions = {
            question.name: choice(instructions=question.instructions, criteria=dict(question.options))
            for question in request.questions
        }
        return client.system_one(request.state, questions, model=self.model)

    def _read(self, reply: Any) -> DecisionReply:
        answers, usage = _as_sent(reply.raw_http_response.content)
        return DecisionReply(
            text="",
            model=reply.model,
            input_tokens=reply.usage.input_tokens,
            output_tokens=reply.usage.output_tokens,
            answers=(
                *(_given(name, answer) for name, answer in reply.answers.items()),
                *(Given(name, "doubled") for name in _doubled(answers)),
            ),
            cut=bool(usage.get("truncated") or usage.get("state_tokens_dropped")),
        )

    def _errors(self) -> tuple[Any, Any, Any, Any]:
        package = self._package
        return (
            package.TypeSafeAPITimeoutError,
            package.TypeSafeAPIConnectionError,
            package.TypeSafeAPIError,
            package.TypeSafeError,
        )

    def _told(self, error: Any) -> tuple[int, Any, Mapping[str, str]]:
        return error.status, error.body, error.headers

    def _of_status(self, error: Any) -> LLMRejected | LLMUnavailable:
        if isinstance(error, self._package.TypeSafeAPIResponseValidationError):
            return self._of_body(error.body)
        return super()._of_status(error)


def _given(name: str, answer: Any) -> Given:
    if answer.type != "choice":
        return Given(name, answer.type)
    return Given(name, "choice", answer.choice, tuple(answer.probabilities.items()))


Pairs = list[tuple[str, Any]]


def _as_sent(content: bytes) -> tuple[Pairs, dict[str, Any]]:
    """Answers and usage of a reply, objects as pairs: of a name that stands twice the client keeps the last, unsaid."""
    top = dict(json.loads(content, object_pairs_hook=list))
    return top["answers"], dict(top["usage"])


def _doubled(answers: Pairs) -> list[str]:
    """The ids that have two answers, or an answer with an option twice."""
    times = Counter(name for name, _ in answers)
    for name, answer in answers:
        chances = dict(answer).get("probabilities") or []
        if len(dict(chances)) < len(chances):
            times[name] += 1
    return [name for name, count in times.items() if count > 1]


class SystemOneReader(DecisionReader):
    """Reads with a decision model behind ``POST /v1/systemone``, through the client of the extra ``systemone``.

    The variables are ``TYPESAFE_BASE_URL`` and ``TYPESAFE_API_KEY``, the vendor's server ``https://api.typesafe.ai``.
    ``base_url`` may end in ``/v1`` or not. A request has at most 64 questions.
    """

    needs_one_of = ("typesafe_sdk",)

    most_questions = 64
    model_type = SystemOneModel
