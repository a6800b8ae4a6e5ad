"""What the server takes and gives, as JSON: one class for each body, with bounds and an example."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from verifier.config import FailingVerdict
from verifier.interfaces.server.options import Options
from verifier.interfaces.server.texts import Name, Prompt, Query, Sound, Text, not_blank
from verifier.types import Detail, Document, Page

__all__ = [
    "MAX_BATCH",
    "AskRequest",
    "BatchRequest",
    "CoherenceRequest",
    "ConfidenceRequest",
    "ConsistencyRequest",
    "DocumentRequest",
    "GivenSource",
    "RelevanceRequest",
    "ReviewRequest",
    "RuleOptions",
    "SearchRequest",
    "StreamStart",
    "VerifyOptions",
    "VerifyRequest",
    "WatchRequest",
]

MAX_BATCH = 100
MAX_SOURCES = 1000
"""Texts that come with one request: a table is one for each of its rows."""


Value = Annotated[int, Field(ge=-(2**53), le=2**53)] | Annotated[float, Field(allow_inf_nan=False)]
"""A number that every reader of JSON has alike."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RuleOptions(_Body):
    """What one request may change of a check; what is left out is as the server is configured."""

    top_k: int | None = Field(default=None, ge=1, le=50, description="passages retrieved for each claim")
    fail_on: tuple[FailingVerdict, ...] | None = Field(default=None, description="verdicts that reject")
    min_groundedness: float | None = Field(default=None, ge=0, le=1)
    suggest_fixes: bool | None = Field(
        default=None, description="look for the smallest edit that makes a contradicted claim pass"
    )
    strict: bool | None = Field(default=None, description="approve only when every claim is supported")

    def as_options(self) -> Options:
        """The same, for the engine."""
        return Options(self.top_k, self.fail_on, self.min_groundedness, self.suggest_fixes, self.strict)


class VerifyOptions(RuleOptions):
    """What one request may change, the form of its report among it."""

    detail: Detail = Field(
        default=Detail.FULL, description="brief leaves out what each signal found and weighed"
    )


class GivenPage(_Body):
    """A page of a given text: its number, and where it stands."""

    number: int = Field(ge=1, le=10_000_000)
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class GivenSource(_Body):
    """A text to check against, with the name by which evidence is shown; `/v1/documents/read` gives such ones."""

    source: Name | None = None
    text: Text
    media_type: Literal["text/plain", "text/markdown"] = "text/plain"
    title: Query = ""
    pages: list[GivenPage] = Field(default=[], max_length=10_000, description="half-open, in text order")
    metadata: dict[Name, Query | bool | Value | None] = Field(default_factory=dict, max_length=1000)

    @model_validator(mode="after")
    def _in_order(self) -> GivenSource:
        at = 0
        for page in self.pages:
            if not at <= page.start <= page.end <= len(self.text):
                raise ValueError("the pages are not in text order, or beyond its end")
            at = page.end
        return self

    def as_document(self, number: int) -> Document:
        """The same, for the engine; what has no name is called by its number."""
        return Document(
            self.source or f"source {number}",
            f"text:{number}",
            self.text,
            self.media_type,
            self.title,
            tuple(Page(page.number, page.start, page.end) for page in self.pages),
            dict(self.metadata),
        )


def _as_source(value: object) -> object:
    return {"text": value} if isinstance(value, str) else value


Source = Annotated[GivenSource, BeforeValidator(_as_source, json_schema_input_type=Text | GivenSource)]
"""A bare text, or one with its name."""


class VerifyRequest(_Body):
    """A response to be checked claim by claim: against the knowledge base, or against ``source`` alone."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "response": "Refunds are paid within 30 days.",
                    "source": ["Refunds are paid within 14 days."],
                }
            ]
        }
    )

    response: Text
    prompt: Prompt | None = Field(default=None, description="the question; it completes short answers")
    source: list[Source] | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_SOURCES,
        description="check against these texts and nothing else",
    )
    namespace: Name | None = Field(default=None, description="part of the knowledge base")
    options: VerifyOptions = VerifyOptions()

    @model_validator(mode="after")
    def _one_of_both(self) -> VerifyRequest:
        if self.source is not None and self.namespace is not None:
            raise ValueError("give source or namespace, not both: a source is checked against alone")
        return self

    @property
    def documents(self) -> tuple[Document, ...] | None:
        """What to check against, where it came with the request."""
        if self.source is None:
            return None
        return tuple(given.as_document(number) for number, given in enumerate(self.source, 1))


class WatchRequest(VerifyRequest):
    """A response to be checked while somebody watches."""

    view: bool = Field(default=False, description="tell of the claims as the page of the server shows them")
    name: Name | None = Field(default=None, description="what the text is called in the view")


class BatchRequest(_Body):
    """Several responses; each gets its report or its own error."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "items": [
                        {
                            "response": "Refunds are paid within 30 days.",
                            "source": ["Refunds are paid within 14 days."],
                        },
                        {"response": "The fee is 5 EUR.", "source": ["The fee is 5 EUR."]},
                    ]
                }
            ]
        }
    )

    items: list[VerifyRequest] = Field(min_length=1, max_length=MAX_BATCH)


class ReviewRequest(_Body):
    """A response to be reviewed for coherence with its prompt, itself and the knowledge base."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"prompt": "When are refunds paid?", "response": "Within 30 days of the return."}]
        }
    )

    prompt: Prompt = ""
    response: Text
    namespace: Name | None = None


class SearchRequest(_Body):
    """A claim or question whose evidence is looked for."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"query": "refund period", "top_k": 3}]})

    query: Annotated[Query, AfterValidator(not_blank)]
    top_k: int = Field(default=5, ge=1, le=100)
    namespace: Name | None = None


class DocumentRequest(_Body):
    """A text to be stored; what was stored under the same ``source`` is replaced."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"source": "refunds.md", "text": "Refunds are paid within 30 days of the return."}]
        }
    )

    source: Name = Field(description="its name, shown with evidence; no path of the server is read")
    text: Text
    media_type: Literal["text/plain", "text/markdown"] = "text/plain"
    metadata: dict[Name, Query | bool | Value | None] = Field(default_factory=dict, max_length=50)
    namespace: Name | None = None


class StreamStart(_Body):
    """The first message of a WebSocket: what the stream answers."""

    prompt: Prompt = ""
    namespace: Name | None = None


class ContextBody(_Body):
    """What a text was written for."""

    scope: Prompt = ""
    constraints: list[Prompt] = Field(default_factory=list, max_length=100)
    assumptions: list[Prompt] = Field(default_factory=list, max_length=100)
    steps: list[Prompt] = Field(default_factory=list, max_length=100, description="oldest first")


class ConfidenceRequest(_Body):
    """An answer to be rated by the parts that ``[gate.weights]`` names."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"prompt": "When are refunds paid?", "response": "Within 30 days of the return."}]
        }
    )

    prompt: Annotated[Prompt, AfterValidator(not_blank)]
    response: Sound
    context: ContextBody | None = None
    namespace: Name | None = None


class RelevanceRequest(_Body):
    """A text, and the context that it should bear on."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"text": "Reuse the rinsing water.", "context": {"scope": "Use less water in the dye works."}}
            ]
        }
    )

    text: Sound
    context: ContextBody
    previous_steps: int | None = Field(default=None, ge=0, le=2)


class CoherenceRequest(_Body):
    """A text whose coherence is rated: by a language model, or by its own claims."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "The fee is 30 EUR. The fee is 45 EUR.", "by": "local"}]}
    )

    text: Sound
    by: Literal["llm", "local"] | None = Field(default=None, description="gate.coherence by default")


class ConsistencyRequest(_Body):
    """Several answers to one question."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"candidates": ["Two years.", "It is two years.", "Five years."]}]}
    )

    candidates: list[Sound] = Field(min_length=1, max_length=20)
    prompt: Prompt = ""
    claims: bool = Field(default=False, description="list the claims that the others do not share")


class AskRequest(_Body):
    """A question for the configured language model."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"prompt": "When are refunds paid?", "gate": True}]}
    )

    prompt: Annotated[Prompt, AfterValidator(not_blank)]
    gate: bool = False
    grounded: bool = Field(default=True, description="answer from the knowledge base, and check against it")
    self_consistency: bool | None = None
    num_samples: int | None = Field(default=None, ge=1, le=20)
    sc_temperature: float | None = Field(default=None, ge=0, le=2)
    namespace: Name | None = None
