"""Make wired objects from a configuration: the one place where plugins are chosen and handed to each other."""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from verifier_signals.base import Signal
from verifier_signals.checks import named

from verifier.config import Settings
from verifier.config.base import said_of
from verifier.config.llm import LLMSettings
from verifier.config.reader import ReadingSettings
from verifier.core.database_url import is_database_url
from verifier.core.errors import ConfigError, UnknownPlugin
from verifier.core.registry import BACKENDS, ENCODERS, READERS, RERANKERS, SIGNALS, Registry
from verifier.readers.settings import signal_tables
from verifier.verification.claim_checks import all_claim_checks
from verifier.verification.claims import ClaimExtractor, RuleExtractor, extract_claims
from verifier.verification.decision.feature_checks import FEATURE_CHECKS
from verifier.verification.decision.verdict import Fusion
from verifier.verification.retrieve import KnowledgeSource
from verifier.verification.scorer import VerifiedScorer
from verifier.verification.vocabulary import Vocabulary

if TYPE_CHECKING:
    from verifier_backends.base import VectorBackend
    from verifier_backends.encoders import Encoder

    from verifier.core.chat import ChatModel, PatientChat
    from verifier.core.chat.batching import BatchModel
    from verifier.core.chat.budget import SharedBudget
    from verifier.core.chat.vendor import VendorChat
    from verifier.knowledge.records import Progress
    from verifier.knowledge.store import GroundTruthStore
    from verifier.readers import Reader
    from verifier.readers.batched import BatchedReader
    from verifier.verification.consultation.consulting import Consultant

__all__ = [
    "SharedSignals",
    "backend_description",
    "backend_table",
    "build_backend",
    "build_batch_model",
    "build_batched_reader",
    "build_chat",
    "build_consultant",
    "build_encoder",
    "build_extractor",
    "build_reader",
    "build_scorer",
    "build_signals",
    "open_store",
    "stored_backend",
    "temporary_store",
]

_REGISTRY_OF: Mapping[str, Registry] = {
    "verifier_backends.base.VectorBackend": BACKENDS,
    "verifier_backends.encoders.protocol.Encoder": ENCODERS,
    "verifier_backends.rerankers.protocol.Reranker": RERANKERS,
}
"""Which registry answers for a constructor's argument of that type; a check without a search imports none of them."""
_CHAT_MODEL = "verifier.core.chat.types.ChatModel"

_DEFAULT_INNER: Mapping[tuple[str, str], str] = {
    ("hybrid", "dense"): "memory",
    ("hybrid", "sparse"): "bm25",
    ("reranked", "inner"): "hybrid",
    ("reranked", "reranker"): "late",
    ("memory", "encoder"): "minilm",
    ("chroma", "encoder"): "minilm",
    ("pinecone", "encoder"): "minilm",
    ("qdrant", "encoder"): "minilm",
    ("opensearch", "encoder"): "minilm",
    ("elasticsearch", "encoder"): "minilm",
    ("lancedb", "encoder"): "minilm",
    ("pgvector", "encoder"): "minilm",
    ("ann", "encoder"): "static",
}
"""The inner component that a composite gets where its table names none."""


_WORD_ENCODER = "encoder"
"""The key of a signal's table that names its encoder of single words; ``false``, the default, for none."""

_OF_A_REPORT = {"kb", "chunking", "backend", "claims", "retrieval", "signals", "verdict", "decision"}
"""The tables that decide what a report says; it carries them, and no others."""


@dataclass(frozen=True)
class _Plan:
    """A component before it is built: its class, its checked keywords, its inner components' plans."""

    name: str
    cls: type[Any]
    keywords: Mapping[str, Any]
    inner: Mapping[str, _Plan | Mapping[str, _Plan]]
    """By keyword: one component, or several by name."""

    def build(self, made: Callable[[Any], Any] = lambda part: part, **injected: Any) -> Any:
        """The component; ``made`` is given each of its inner ones, and gives what takes its place."""
        inner = {key: _each(plan, lambda one: made(one.build(made))) for key, plan in self.inner.items()}
        return self.cls(**self.keywords, **inner, **injected)

    def describe(self) -> dict[str, Any]:
        """Type and every keyword, defaults included, as JSON values."""
        inner = {key: _each(plan, _Plan.describe) for key, plan in self.inner.items()}
        return {"type": self.name, **dict(self.keywords), **inner}


def _each(plans: _Plan | Mapping[str, _Plan], done: Callable[[_Plan], Any]) -> Any:
    """What ``done`` makes of a plan, or of each of several by name."""
    if isinstance(plans, _Plan):
        return done(plans)
    return {name: done(plan) for name, plan in plans.items()}


def build_backend(
    table: Mapping[str, Any],
    encoders: Callable[[Encoder], Encoder] = lambda encoder: encoder,
    *,
    home: str = "",
) -> VectorBackend:
    """The backend that a ``[backend]`` table describes, inner components included.

    Args:
        table: its type and options.
        encoders: given each encoder that is made; gives what takes its place.
        home: the place of the knowledge base; a backend over PostgreSQL that has no address of its own goes there.

    Raises:
        UnknownPlugin: a ``type`` that is not installed.
        ConfigError: a key that the component does not have (the known ones are listed), or a value that does
            not fit.
        MissingExtra: the component needs an extra that is not installed.
    """

    from verifier_backends.base import VectorBackend

    def made(part: Any) -> Any:
        if is_database_url(home) and hasattr(type(part), "settle_in"):
            from verifier.knowledge.postgres.schema import SCHEMA

            part.settle_in(home, SCHEMA)
        return encoders(part) if hasattr(type(part), "encode") else part

    backend = made(_plan(BACKENDS, table, "backend").build(made))
    if not isinstance(backend, VectorBackend):
        raise ConfigError(f"backend {table['type']!r} is not a VectorBackend")
    return backend


def build_encoder(table: Mapping[str, Any]) -> Encoder:
    """The encoder that an ``encoder`` table describes.

    Raises:
        UnknownPlugin, ConfigError, MissingExtra: as for :func:`build_backend`.
    """
    from verifier_backends.encoders import Encoder

    encoder = _plan(ENCODERS, table, "encoder").build()
    if not isinstance(encoder, Encoder):
        raise ConfigError(f"encoder {table['type']!r} is not an Encoder")
    return encoder


def backend_description(table: Mapping[str, Any]) -> dict[str, Any]:
    """The whole backend configuration with all defaults, from which an index's fingerprint is made."""
    return _plan(BACKENDS, table, "backend").describe()


def open_store(
    settings: Settings, *, create: bool = False, progress: Progress | None = None
) -> GroundTruthStore:
    """The knowledge base that the settings name, in a folder or a database."""
    from verifier.knowledge.store import GroundTruthStore

    make = partial(stored_backend, settings)
    return GroundTruthStore(
        make(),
        settings.kb.place,
        fingerprint_of=backend_description(backend_table(settings)),
        create=create,
        shared=settings.kb.shared,
        progress=progress,
        chunk_options=settings.chunking.model_dump(),
        remake=make,
    )


def backend_table(settings: Settings) -> Mapping[str, Any]:
    """The table of the backend of the knowledge base: the default one is ``pgvector`` where that is in PostgreSQL."""
    if is_database_url(settings.kb.path) and settings.backend == Settings().backend:
        return {"type": "pgvector"}
    return settings.backend


def stored_backend(
    settings: Settings, encoders: Callable[[Encoder], Encoder] = lambda encoder: encoder
) -> VectorBackend:
    """The backend of the knowledge base; ``pgvector`` without an address is in the database of that.

    Raises:
        UnknownPlugin, ConfigError, MissingExtra: as for :func:`build_backend`.
    """
    return build_backend(backend_table(settings), encoders, home=settings.kb.place)


def temporary_store(settings: Settings) -> GroundTruthStore:
    """A store in memory with the configured backend, for texts given on the spot."""
    from verifier.knowledge.store import GroundTruthStore

    backend = build_backend(settings.backend, home=settings.kb.place)
    return GroundTruthStore(backend, chunk_options=settings.chunking.model_dump())


def build_signals(settings: Settings, vocabulary: Vocabulary) -> list[Signal]:
    """The signals that the settings switch on, given the vocabulary where their constructor asks for it.

    Raises:
        ConfigError: a signal's options are not what it takes, or name a check that does not exist.
    """
    built = []
    for name, table in signal_tables(reading_settings(settings)[1], settings.signals).items():
        if name not in SIGNALS.names():
            raise UnknownPlugin(SIGNALS.kind, name, SIGNALS.names())
        if table is False:
            continue
        own = dict(table) if isinstance(table, Mapping) else {}
        encoder = own.pop(_WORD_ENCODER, False)
        plan = _plan(SIGNALS, {**own, "type": name}, f"signals.{name}")
        injected: dict[str, Any] = dict(vocabulary.arguments_of(plan.cls))
        if encoder is not False:
            injected |= _word_vectors(plan.cls, encoder, name)
        signal = plan.build(**injected)
        getattr(
            signal, "disabled", None
        )  # one that names a check that does not exist is told here, not claim by claim
        built.append(signal)
    return built


def _word_vectors(cls: type[Any], given: Any, name: str) -> dict[str, Any]:
    """The keyword of a signal's constructor that takes the encoder of single words."""
    path = f"signals.{name}.{_WORD_ENCODER}"
    if "vectors" not in inspect.signature(cls).parameters:
        raise ConfigError(f"{path}: signal {name!r} compares no words by an encoder")
    return {"vectors": build_encoder(_as_table(given, path)).encode}


def build_chat(settings: LLMSettings) -> PatientChat:
    """The chat model that an ``[llm]`` table describes, with its retries, budget and prices.

    Raises:
        ConfigError: the table names no model.
    """
    from verifier.core.chat import AdaptiveChat, Patience, PatientChat, Prices

    prices = None
    if settings.price_per_million_input is not None and settings.price_per_million_output is not None:
        prices = Prices(settings.price_per_million_input, settings.price_per_million_output)
    inner = AdaptiveChat(_chat_model(settings))
    return PatientChat(
        inner,
        patience=Patience(timeout=settings.timeout, max_retries=settings.max_retries),
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
        budget=_shared_budget(settings, inner.identity),
        prices=prices,
    )


def _shared_budget(settings: LLMSettings, model: str) -> SharedBudget | None:
    """The budget that several processes keep together, where one is configured and there is anything to bound."""
    bounds = (settings.requests_per_minute, settings.tokens_per_minute)
    if settings.budget is None or bounds == (None, None):
        return None
    from verifier.core.chat.budget import SharedBudget
    from verifier.core.state import Minute, open_state

    return SharedBudget(open_state(settings.budget), Minute(f"{model} {settings.base_url or ''}", *bounds))


def _chat_model(settings: LLMSettings) -> ChatModel:
    from verifier.core.chat import AnthropicChat, OpenAIChat, ScriptedChat

    if settings.provider == "scripted" and settings.script is not None:
        return ScriptedChat.load(Path(settings.script), model=settings.model or "scripted")
    cls = AnthropicChat if settings.provider == "anthropic" else OpenAIChat
    chat: ChatModel = _vendor_chat(settings, cls)
    return chat


def _vendor_chat(settings: LLMSettings, cls: type[VendorChat], **options: Any) -> Any:
    """A chat model of that class."""
    if settings.model is None:
        raise ConfigError(
            "no chat model is named: set model under [llm] in verifier.toml, or VERIFIER_LLM__MODEL"
        )
    shared: dict[str, Any] = {
        "base_url": settings.base_url,
        "timeout": settings.timeout,
        "key_env": settings.key_env,
        "send_temperature": settings.send_temperature,
        **options,
    }
    if settings.provider == "openai":
        shared["token_limit"] = settings.token_limit
    return cls(settings.model, **shared)


def build_extractor(settings: Settings) -> ClaimExtractor:
    """What takes responses apart: the rules, or a language model with the rules to fall back on.

    Raises:
        ConfigError: ``claims.disable`` names a check that does not exist.
    """
    off = named(settings.claims.disable, all_claim_checks(), "claims.disable")
    rules = RuleExtractor(off) if off else extract_claims
    if settings.claims.decomposer == "rules":
        return rules
    from verifier.verification.claims.llm import LLMExtractor

    own = settings.claims.model_dump(include={"model", "base_url", "timeout"})
    return LLMExtractor(build_chat(settings.llm.chosen(**own)), fallback=rules)


_WITH_BATCHES = ("openai", "anthropic")
"""Providers with a batch endpoint."""
_BATCH_TIMEOUT = 300.0
"""Seconds that a vendor may take to say that it has a batch of many megabytes."""

_BY_THE_SIGNALS = frozenset({"embedded", "classifier"})
"""Readers that read as the NLI signal, in the cascade of the signals, and are not asked beside it."""


def reading_settings(settings: Settings) -> tuple[ReadingSettings, dict[str, Any]]:
    """The ``[reader]`` table as the keys that every type has, and those of its type, ``type`` among them.

    Raises:
        ConfigError: a value of the former does not fit.
    """
    table = dict(settings.reader)
    shared = {key: table.pop(key) for key in ReadingSettings.model_fields if key in table}
    try:
        return ReadingSettings.model_validate(shared), table
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"reader.{first['loc'][0]} = {first['input']!r}: {said_of(first)}") from error


def build_reader(settings: Settings) -> Reader:
    """The reader that the ``[reader]`` table describes; one that asks a chat model gets that of ``[llm]``, of which
    the table may replace any key.

    Raises:
        UnknownPlugin, ConfigError, MissingExtra: as for :func:`build_backend`.
    """
    from verifier.core.state import open_state
    from verifier.readers import Reader
    from verifier.readers.chat import ChatReader

    plan, llm = _reader_plan(settings)
    asked: dict[str, Any] = {} if llm is None else {"chat": build_chat(llm)}
    built = plan.build(**asked)
    if not isinstance(built, Reader):
        raise ConfigError(f"reader {plan.name!r} is not a Reader")
    reader: Reader = built
    if isinstance(reader, ChatReader) and settings.llm.budget and settings.llm.budget_name:
        reader.share_allowance(open_state(settings.llm.budget), settings.llm.budget_name)
    return reader if plan.name in _BY_THE_SIGNALS else _cached(settings, reader)


def _reader_plan(settings: Settings) -> tuple[_Plan, LLMSettings | None]:
    """The reader before it is built, and the chat model that it asks, if it asks one."""
    _, table = reading_settings(settings)
    cls = READERS.load(str(table.get("type")))
    if "chat" not in inspect.signature(cls).parameters:
        return _plan(READERS, table, "reader"), None
    own = {key: table.pop(key) for key in LLMSettings.model_fields if key in table}
    try:
        llm = settings.llm.chosen(**own)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(["reader", *map(str, first["loc"])])
        raise ConfigError(f"{key}: {said_of(first)}") from error
    return _plan(READERS, table, "reader"), llm


def _cached(settings: Settings, reader: Reader) -> Reader:
    """The reader over the cache of readings that is configured, if one is."""
    rules, _ = reading_settings(settings)
    if not rules.cache_size:
        return reader
    from verifier.core.cache import ScoreCache
    from verifier.core.state import place_of
    from verifier.readers.cached import READINGS, CachedReader

    path = place_of(rules.cache) if rules.cache else None
    return CachedReader(
        reader, ScoreCache(READINGS, max_size=rules.cache_size, ttl=rules.cache_ttl, path=path)
    )


def build_batched_reader(settings: Settings, box: Path) -> tuple[BatchedReader, Reader]:
    """The chat reader of the ``[reader]`` table over a post box, by itself and over the cache of readings.

    Raises:
        ConfigError: its model has no batch endpoint, or as for :func:`build_reader`.
    """
    from verifier.readers.batched import BatchedReader
    from verifier.readers.postbox import PostBox

    plan, llm = _batchable(settings)
    chat = build_chat(llm)
    options: dict[str, Any] = {"chat": chat, "box": PostBox(box, chat.prices)}
    reader = replace(plan, cls=BatchedReader).build(**options)
    return reader, _cached(settings, reader)


def build_batch_model(settings: Settings) -> tuple[BatchModel, PatientChat]:
    """The chat model of the reader with its vendor's batch endpoint, and as it is asked directly.

    Raises:
        ConfigError: it has no batch endpoint; the message names those that have one.
    """
    from verifier.core.chat.batching import AnthropicBatches, OpenAIBatches

    _, llm = _batchable(settings)
    cls = AnthropicBatches if llm.provider == "anthropic" else OpenAIBatches
    model: BatchModel = _vendor_chat(llm, cls, timeout=max(llm.timeout, _BATCH_TIMEOUT))
    return model, build_chat(llm)


def _batchable(settings: Settings) -> tuple[_Plan, LLMSettings]:
    from verifier.readers.chat import ChatReader

    plan, llm = _reader_plan(settings)
    if llm is None or not issubclass(plan.cls, ChatReader) or llm.provider not in _WITH_BATCHES:
        what = f"[reader] type = {plan.name!r}" + (f" with provider {llm.provider!r}" if llm else "")
        known = " or ".join(map(repr, _WITH_BATCHES))
        raise ConfigError(f"{what} has no batch endpoint; 'chat' has one with llm.provider {known}")
    if settings.llm.budget_name:
        raise ConfigError("a batch keeps the count of its own job: leave llm.budget_name out")
    return plan, llm


def build_consultant(settings: Settings) -> Consultant | None:
    """What is asked about the claims that the signals leave open; ``None`` where the signals read by themselves.

    Raises:
        UnknownPlugin, ConfigError, MissingExtra: as for :func:`build_reader`.
    """
    rules, table = reading_settings(settings)
    if table.get("type") in _BY_THE_SIGNALS:
        if rules.fusion:
            raise ConfigError(
                f"reader.fusion is for readers that are asked beside the signals; for {table['type']!r} set "
                "verdict.fusion"
            )
        return None
    from verifier.readers.cached import CachedReader
    from verifier.verification.consultation.cases import ReadingRules
    from verifier.verification.consultation.consulting import Consultant

    reader = build_reader(settings)
    if rules.quotations == "required" and not reader.traits.quotes:
        raise ConfigError(
            f"reader.quotations = 'required', and a reader of type {table['type']!r} quotes nothing"
        )
    inner = reader.inner if isinstance(reader, CachedReader) else reader
    return Consultant(
        reader,
        ReadingRules(
            read=rules.read,
            evidence=rules.evidence,
            evidence_tokens=rules.evidence_tokens,
            claims_a_call=int(getattr(inner, "claims_a_call", ReadingRules.claims_a_call)),
        ),
        Fusion.load(Path(rules.fusion)) if rules.fusion else None,
    )


@dataclass(frozen=True)
class SharedSignals:
    """The signals and the reader of a configuration, to be shared by several scorers: a model is loaded once."""

    signals: Sequence[Signal]
    vocabulary: Vocabulary
    consultant: Consultant | None = None

    @property
    def fusion(self) -> Fusion | None:
        """The weights for these signals; ``None`` for those that are shipped for their NLI model."""
        return None

    @classmethod
    def of(cls, settings: Settings) -> SharedSignals:
        """Built now, loaded on first use."""
        vocabulary = Vocabulary()
        return cls(build_signals(settings, vocabulary), vocabulary, build_consultant(settings))


def build_scorer(
    settings: Settings, source: KnowledgeSource, shared: SharedSignals | None = None
) -> VerifiedScorer:
    """The scorer over ``source`` with the configured signals, or those it shares with others, fusion and gate."""
    shared = shared or SharedSignals.of(settings)
    return VerifiedScorer(
        source,
        shared.signals,
        fusion=Fusion.load(Path(settings.verdict.fusion)) if settings.verdict.fusion else shared.fusion,
        vocabulary=shared.vocabulary,
        suggest_fixes=settings.verdict.suggest_fixes,
        disable=named(settings.verdict.disable, FEATURE_CHECKS, "verdict.disable"),
        top_k=settings.retrieval.top_k,
        max_windows=settings.retrieval.max_windows,
        least_reach=settings.retrieval.least_reach,
        model_windows=settings.retrieval.model_windows,
        fail_on=settings.decision.fail_on,
        min_groundedness=settings.decision.min_groundedness,
        strict=settings.decision.strict,
        allow_hidden=settings.decision.hidden == "allow",
        namespace=settings.kb.namespace,
        extractor=build_extractor(settings),
        consultant=shared.consultant,
        config=_of_a_report(settings),
    )


def _of_a_report(settings: Settings) -> dict[str, Any]:
    """The settings that decide what a report says; those of a chat model where one took part."""
    config = settings.model_dump(mode="json", include=_OF_A_REPORT, exclude={"kb": {"path"}})
    config["backend"] = dict(backend_table(settings))
    if settings.reader.get("type") != "embedded":
        config["reader"] = {key: value for key, value in settings.reader.items() if key != "cache"}
    if settings.claims.decomposer == "llm" or settings.reader.get("type") == "chat":
        config["llm"] = settings.llm.model_dump(mode="json", include={"provider", "model", "base_url"})
    return config


def _plan(registry: Registry, table: Mapping[str, Any], path: str) -> _Plan:
    if "type" not in table:
        raise ConfigError(f"[{path}] has no 'type'; known: {', '.join(registry.names())}")
    name = str(table["type"])
    cls = registry.load(name)
    hints = typing.get_type_hints(cls.__init__)
    parameters = inspect.signature(cls).parameters
    configurable = {key for key in parameters if not _is_injected(hints.get(key))}
    for key in table:
        if key != "type" and key not in configurable:
            known = ", ".join(sorted(configurable)) or "none"
            raise ConfigError(f"unknown key {path}.{key!s} for {registry.kind} {name!r}; known: {known}")
    keywords: dict[str, Any] = {}
    inner: dict[str, _Plan | Mapping[str, _Plan]] = {}
    named = {key for key in configurable if _named_registry(hints.get(key)) is not None}
    # Whoever names the components of a composite himself gets those and no others.
    defaults = {} if named & set(table) else _DEFAULT_INNER
    for key in sorted(configurable):
        inner_registry = _inner_registry(hints.get(key))
        if key in named:
            if key in table:
                inner[key] = _named_plans(hints.get(key), table[key], f"{path}.{key}")
        elif inner_registry is not None:
            given = table.get(key, defaults.get((name, key)))
            if given is None and parameters[key].default is not inspect.Parameter.empty:
                continue
            if given is None:
                raise ConfigError(f"[{path}] needs a table or name for {key!r}")
            inner[key] = _plan(inner_registry, _as_table(given, f"{path}.{key}"), f"{path}.{key}")
        elif key in table:
            keywords[key] = _checked(table[key], hints.get(key, Any), f"{path}.{key}")
        elif parameters[key].default is not inspect.Parameter.empty:
            keywords[key] = parameters[key].default
        else:
            raise ConfigError(f"[{path}] needs a value for {key!r}")
    return _Plan(name, cls, keywords, inner)


def _named_plans(hint: Any, tables: Any, path: str) -> dict[str, _Plan]:
    """The plans of a table of tables, as ``[backend.inner.<name>]`` gives them."""
    registry = _named_registry(hint)
    if registry is None or not isinstance(tables, Mapping):
        raise ConfigError(f"{path}: expected a table of tables or names, found {tables!r}")
    return {
        str(name): _plan(registry, _as_table(given, f"{path}.{name}"), f"{path}.{name}")
        for name, given in tables.items()
    }


def _as_table(given: Any, path: str) -> Mapping[str, Any]:
    if isinstance(given, str):
        return {"type": given}
    if isinstance(given, Mapping):
        return given
    raise ConfigError(f"{path}: expected a name or a table, found {given!r}")


def _members(hint: Any) -> tuple[Any, ...]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return typing.get_args(hint)
    return (hint,)


def _inner_registry(hint: Any) -> Registry | None:
    return next(filter(None, map(_registry_of, _members(hint))), None)


def _named_registry(hint: Any) -> Registry | None:
    """The registry of the components that a mapping from names to components holds."""
    mappings = (typing.get_args(m) for m in _members(hint) if typing.get_origin(m) is collections.abc.Mapping)
    return next(filter(None, (_registry_of(args[1]) for args in mappings)), None)


def _registry_of(cls: Any) -> Registry | None:
    return _REGISTRY_OF.get(_full_name(cls))


def _full_name(cls: Any) -> str:
    return f"{getattr(cls, '__module__', '')}.{getattr(cls, '__qualname__', '')}"


def _is_injected(hint: Any) -> bool:
    """Functions and chat models cannot stand in a configuration file: the factory passes them."""
    return any(
        typing.get_origin(member) is collections.abc.Callable or _full_name(member) == _CHAT_MODEL
        for member in _members(hint)
    )


def _checked(value: Any, hint: Any, path: str) -> Any:
    try:
        return TypeAdapter(hint).validate_python(value)
    except ValidationError as error:
        raise ConfigError(f"{path} = {value!r}: {error.errors()[0]['msg']}") from error
