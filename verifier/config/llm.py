"""The ``[llm]`` table: which chat model is asked, how long it is waited for, and what it may take."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from verifier.config.base import Section

__all__ = ["EnvironmentVariable", "LLMSettings", "ServerURL"]


def _holds_no_secret(value: str) -> str:
    """Configurations are put into reports, so that no password may stand in them."""
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or "@" in value or parts.query or parts.fragment:
        raise ValueError("expected http://... or https://..., without user, password and query")
    return value


def _names_a_variable(value: str) -> str:
    """A key that someone put here by mistake is no name of a variable."""
    if not (value.isidentifier() and value.isascii() and value.upper() == value):
        raise ValueError("expected the name of an environment variable, in capitals, and never a key")
    return value


ServerURL = Annotated[str, AfterValidator(_holds_no_secret)]
EnvironmentVariable = Annotated[str, AfterValidator(_names_a_variable)]


class LLMSettings(Section):
    """A chat model, and the patience and budget with which it is asked."""

    provider: Literal["openai", "anthropic", "scripted"] = Field(
        default="openai", description="'openai' for any server that speaks its API; 'scripted' works offline"
    )
    model: str | None = Field(
        default=None, min_length=1, description="name of the model, as the server knows it"
    )
    base_url: ServerURL | None = Field(default=None, description="the server; the vendor's own by default")
    key_env: EnvironmentVariable | None = Field(
        default=None, description="environment variable with the key; OPENAI_API_KEY or ANTHROPIC_API_KEY"
    )
    script: str | None = Field(
        default=None, description="for 'scripted': a file with a JSON reply on each line"
    )
    send_temperature: bool = Field(default=True, description="false for models that refuse every temperature")
    token_limit: Literal["max_tokens", "max_completion_tokens"] | None = Field(
        default=None,
        description="for 'openai': the field that bounds a reply, where the server knows but one",
    )
    timeout: float = Field(default=30.0, gt=0, le=600, description="seconds for one answer of the model")
    max_retries: int = Field(default=2, ge=0, le=10, description="after a failure that may pass")
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    budget: str | None = Field(
        default=None,
        description="where several processes count these two together: an SQLite file, or redis://HOST:PORT/DB",
    )
    budget_name: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="max_requests, max_tokens and max_cost of a chat reader are counted there under this name, for "
        "all that use it; another name begins anew",
    )
    price_per_million_input: float | None = Field(default=None, ge=0, description="for the count of costs")
    price_per_million_output: float | None = Field(default=None, ge=0, description="for the count of costs")

    @model_validator(mode="after")
    def _is_whole(self) -> LLMSettings:
        if (self.provider == "scripted") != (self.script is not None):
            raise ValueError("provider 'scripted' and script go together")
        if (self.price_per_million_input is None) != (self.price_per_million_output is None):
            raise ValueError("price_per_million_input and price_per_million_output go together")
        return self

    def chosen(self, **values: Any) -> LLMSettings:
        """These settings with ``values`` in their place, those that are ``None`` left out."""
        given = {key: value for key, value in values.items() if value is not None}
        return LLMSettings.model_validate({**self.model_dump(), **given})
