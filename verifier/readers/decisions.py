"""A reader over a decision model behind ``POST /v1/decisions``."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from verifier.core.chat.openai import OpenAIChat
from verifier.core.errors import ConfigError
from verifier.readers.decision import DecisionModel, DecisionReader
from verifier.readers.decision_parts import DecisionReply, DecisionRequest, Given

__all__ = ["DecisionsModel", "DecisionsReader"]

_SINCE = "3.26"
"""The first version of the package ``openai`` whose clients have ``decisions``."""


class DecisionsModel(DecisionModel):
    """A model that OpenAI's client reaches, at OpenAI's or at a server that speaks its Decisions API (vLLM).

    Args:
        model: the model's name, as the server knows it.
        others: see :class:`~verifier.core.chat.vendor.Vendor`. ``base_url`` ends in ``/v1``, as for chat.
    """

    protocol = "decisions"
    route = "POST /v1/decisions"
    provider = "openai"
    default_url = OpenAIChat.default_url
    url_env = OpenAIChat.url_env
    default_key_env = OpenAIChat.default_key_env

    @staticmethod
    def _client_class(package: ModuleType, *, asynchronous: bool) -> Any:
        return OpenAIChat._client_class(package, asynchronous=asynchronous)

    def _ask(self, client: Any, request: DecisionRequest) -> Any:
        if not hasattr(client, "decisions"):
            version = getattr(self._package, "__version__", "this version")
            raise ConfigError(
                f"openai {version} has no Decisions API: the reader 'decisions' needs openai {_SINCE} or later"
            )
        questions = [
            {
                "type": "choice",
                "name": question.name,
                "instructions": question.instructions,
                "choices": [{"value": name, "description": text} for name, text in question.options.items()],
            }
            for question in request.questions
        ]
        return client.decisions.create(model=self.model, input=request.state, questions=questions)

    def _read(self, reply: Any) -> DecisionReply:
        # The client checks no field of a reply, and gives what is no JSON as it stands.
        answers = getattr(reply, "answers", None)
        if isinstance(reply, str) or reply is None:
            raise self._of_body(reply)
        if not isinstance(answers, list):
            raise self._of_body({})
        usage = getattr(reply, "usage", None)
        return DecisionReply(
            text="",
            model=str(getattr(reply, "model", None) or self.model),
            input_tokens=_count(usage, "input_tokens"),
            output_tokens=_count(usage, "output_tokens"),
            answers=tuple(map(_given, answers)),
            cut=bool(_field(usage, "truncated") or _field(usage, "state_tokens_dropped")),
        )


def _field(item: Any, name: str) -> Any:
    """A field of what the client read as an object of its own, or, where it knew none, left as a dict."""
    return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)


def _count(usage: Any, name: str) -> int | None:
    count = _field(usage, name)
    return count if isinstance(count, int) and not isinstance(count, bool) else None


def _given(answer: Any) -> Given:
    name, kind, chances = _field(answer, "name"), _field(answer, "type"), _field(answer, "probabilities")
    return Given(
        name if isinstance(name, str) else None,
        kind if isinstance(kind, str) else "",
        _field(answer, "choice"),
        tuple((_field(one, "value"), _field(one, "probability")) for one in chances)
        if isinstance(chances, list)
        else (),
    )


class DecisionsReader(DecisionReader):
    """Reads with a decision model behind ``POST /v1/decisions``, through the client of the extra ``openai``.

    The variables are ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY``, the vendor's server ``https://api.openai.com/v1``.
    ``base_url`` ends in ``/v1``, as for chat. A request has at most 200 questions.
    """

    needs_one_of = ("openai",)

    most_questions = 200
    model_type = DecisionsModel
