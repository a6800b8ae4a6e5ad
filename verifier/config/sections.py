"""The schema of the configuration: one class for each table, with defaults, bounds and what each value means."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PrivateAttr, field_validator, model_validator

from verifier.config.base import Section
from verifier.config.confidence import ConsistencySettings, RelevanceSettings
from verifier.config.gate import GateSettings
from verifier.config.guard import CacheSettings, CoherenceSettings, JudgeSettings, StreamSettings
from verifier.config.llm import LLMSettings, ServerURL
from verifier.config.server import ServerSettings
from verifier.core.database_url import is_database_url, without_password

__all__ = [
    "SIGNALS",
    "ChunkingSettings",
    "ClaimsSettings",
    "DecisionSettings",
    "FailingVerdict",
    "IngestSettings",
    "KnowledgeBaseSettings",
    "RetrievalSettings",
    "Section",
    "Settings",
    "VerdictSettings",
]

SIGNALS = ("nli", "entity", "number", "negation", "traceability")
"""The signals that are switched on by default."""

FailingVerdict = Literal["contradicted", "fabricated", "unverifiable"]


class KnowledgeBaseSettings(Section):
    """Where the knowledge base lies. A password in an address of PostgreSQL is kept, and never shown or dumped."""

    path: str = Field(default="kb", description="a folder, or the address of a PostgreSQL database")
    namespace: str = Field(default="default", min_length=1)
    shared: bool = Field(
        default=False,
        description="others than its owner may read what is made new, as the umask has it",
    )

    _place: str = PrivateAttr(default="")

    def model_post_init(self, context: Any, /) -> None:  # noqa: ARG002 - pydantic gives it
        """Put the password out of sight."""
        self._place = self.path
        if is_database_url(self.path):
            object.__setattr__(self, "path", without_password(self.path))

    @property
    def place(self) -> str:
        """The folder, or the address with its password, if that has one."""
        hidden = is_database_url(self._place) and without_password(self._place) == self.path
        return self._place if hidden else self.path

    def at(self, place: str) -> KnowledgeBaseSettings:
        """The same of another knowledge base."""
        return KnowledgeBaseSettings.model_validate({**self.model_dump(), "path": place})


class ChunkingSettings(Section):
    """How documents become passages."""

    max_chars: int = Field(
        default=900, ge=100, le=20_000, description="upper bound of a passage, in code points"
    )


class IngestSettings(Section):
    """How documents come into the knowledge base."""

    workers: int | None = Field(
        default=None,
        ge=1,
        le=64,
        description="processes of `verifier ingest`, one of which embeds and writes; by default as many as pay",
    )


def _names(given: object) -> object:
    """One name without a list, or several between commas, as an environment variable has them."""
    return [name.strip() for name in given.split(",") if name.strip()] if isinstance(given, str) else given


Disabled = Annotated[tuple[str, ...], BeforeValidator(_names)]


class ClaimsSettings(Section):
    """What takes a response apart into claims."""

    decomposer: Literal["rules", "llm"] = Field(
        default="rules", description="'llm' asks a model and falls back to the rules wherever it fails"
    )
    model: str | None = Field(default=None, min_length=1, description="for 'llm'; that of [llm] by default")
    base_url: ServerURL | None = Field(default=None, description="for 'llm'; that of [llm] by default")
    timeout: float | None = Field(
        default=None,
        gt=0,
        le=600,
        description="seconds for one answer of the model; that of [llm] by default",
    )
    disable: Disabled = Field(
        default=(),
        description="ids or families of checks that neither skip nor split (`verifier checks list`)",
    )


class RetrievalSettings(Section):
    """How much evidence a claim is given."""

    top_k: int = Field(default=10, ge=1, le=200, description="passages retrieved for each claim")
    max_windows: int = Field(default=12, ge=1, le=500, description="sentence windows that the rules read")
    least_reach: float = Field(
        default=0.8,
        ge=0.0,
        le=1.0,
        description="of what the best window covers, what another must be able to speak of to be read by all signals",
    )
    model_windows: int = Field(default=3, ge=1, le=500, description="of these, how many the NLI model reads")


class VerdictSettings(Section):
    """How signal scores become verdicts."""

    fusion: str | None = Field(default=None, description="path of a fusion file made by `verifier calibrate`")
    suggest_fixes: bool = Field(
        default=False, description="look for the smallest edit that makes a contradicted claim pass"
    )
    disable: Disabled = Field(
        default=(), description="ids or families of features that are fed as 0 (`verifier checks list`)"
    )


class DecisionSettings(Section):
    """The rule of the gate."""

    fail_on: tuple[FailingVerdict, ...] = ("contradicted", "fabricated")
    min_groundedness: float = Field(default=0.5, ge=0.0, le=1.0)
    strict: bool = Field(default=False, description="approve only when every checked claim is supported")
    hidden: Literal["reject", "allow"] = Field(
        default="reject",
        description="an answer that says something where nobody sees it (a comment, a tooltip, a script)",
    )

    @field_validator("fail_on", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return _names(value)


def _switch(given: object) -> object:
    """Nothing else switches a signal, so that none stays on that somebody meant to switch off."""
    if not isinstance(given, bool | dict):
        raise ValueError("expected true, false, or a table of the signal's options")
    return given


Switch = Annotated[bool | dict[str, Any], BeforeValidator(_switch)]


def _all_on() -> dict[str, Switch]:
    return dict.fromkeys(SIGNALS, True)


def _with_defaults(given: dict[str, Switch]) -> dict[str, Switch]:
    """A signal that nobody names is on, as in a file, which only changes the defaults."""
    if given.get("traceability") is False:
        raise ValueError("traceability cannot be switched off: it ranks the evidence for the other signals")
    return {**_all_on(), **given}


class Settings(Section):
    """The whole configuration. Component tables are free here and checked by the component's constructor."""

    kb: KnowledgeBaseSettings = KnowledgeBaseSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    ingest: IngestSettings = IngestSettings()
    backend: dict[str, Any] = Field(default_factory=lambda: {"type": "hybrid"})
    claims: ClaimsSettings = ClaimsSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    signals: Annotated[dict[str, Switch], AfterValidator(_with_defaults)] = Field(
        default_factory=_all_on,
        description="by name: true, false, or a table of the signal's options; those not named are on",
    )
    reader: dict[str, Any] = Field(
        default_factory=lambda: {"type": "embedded"},
        description="what reads the claims that the other signals leave open: its type, and the type's options",
    )
    verdict: VerdictSettings = VerdictSettings()
    decision: DecisionSettings = DecisionSettings()
    llm: LLMSettings = LLMSettings()
    relevance: RelevanceSettings = RelevanceSettings()
    consistency: ConsistencySettings = ConsistencySettings()
    gate: GateSettings = GateSettings()
    server: ServerSettings = ServerSettings()
    coherence: CoherenceSettings = CoherenceSettings()
    judge: JudgeSettings = JudgeSettings()
    cache: CacheSettings = CacheSettings()
    stream: StreamSettings = StreamSettings()

    def whole(self) -> dict[str, Any]:
        """All values as JSON, for another process of ours: with a password, where the knowledge base has one."""
        raw = self.model_dump(mode="json")
        raw["kb"]["path"] = self.kb.place
        return raw

    @model_validator(mode="after")
    def _names_the_decomposer(self) -> Settings:
        if self.claims.decomposer == "llm" and (self.claims.model or self.llm.model) is None:
            raise ValueError("claims.decomposer 'llm' needs a model: set claims.model or llm.model")
        return self
