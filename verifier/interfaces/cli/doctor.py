"""``verifier doctor``: what is installed, which models, what is missing and the line that mends it."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from verifier import __version__
from verifier.core.errors import KnowledgeBaseError, VerifierError
from verifier.core.visible import one_line
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.options import (
    ConfigFile,
    Json,
    KnowledgeBase,
    Namespace,
    configuration,
)
from verifier.interfaces.cli.output import plural, write_text

if TYPE_CHECKING:
    from verifier.config import Configuration

__all__ = ["doctor"]

EXTRAS = {
    "ann": "faiss",
    "anthropic": "anthropic",
    "chroma": "chromadb",
    "colbert": "colbert",
    "deepeval": "deepeval",
    "dspy": "dspy",
    "elasticsearch": "elasticsearch",
    "haystack": "haystack",
    "lancedb": "lancedb",
    "langchain": "langchain",
    "langfuse": "langfuse",
    "llama-index": "llama_index",
    "mcp": "mcp",
    "nemo-guardrails": "nemoguardrails",
    "ocr": "rapidocr",
    "office": "docx",
    "openai": "openai",
    "opensearch": "opensearchpy",
    "otel": "opentelemetry",
    "pgvector": "psycopg",
    "phoenix": "phoenix",
    "pinecone": "pinecone",
    "pydantic-ai": "pydantic_ai",
    "pydantic-evals": "pydantic_evals",
    "qdrant": "qdrant_client",
    "ragas": "ragas",
    "ray": "ray",
    "redis": "redis",
    "server": "fastapi",
    "spacy": "spacy",
    "st": "sentence_transformers",
    "systemone": "typesafe_sdk",
    "tables": "pyarrow",
    "transformers": "transformers",
    "web": "trafilatura",
}
"""Each extra, and the module by which it is known to be there."""

PROBE = "Refunds take 30 days."


def doctor(
    json_: Json = False, kb: KnowledgeBase = None, config: ConfigFile = None, namespace: Namespace = None
) -> None:
    """Look at everything a check needs. Exit 3 when something that is configured does not work."""
    configured = configuration(config, kb, namespace)
    findings = [
        *_base(),
        *_extras(),
        *_plugins(),
        *_backend(configured),
        *_signals(configured),
        *_weights(configured),
        *_reader(configured),
        *_knowledge_base(configured),
        *_keys(configured),
    ]
    if json_:
        rows = [{"check": name, "state": state, "detail": detail} for name, state, detail in findings]
        write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", None)
    else:
        write_text(
            "".join(f"{state:8} {name}: {one_line(detail)}\n" for name, state, detail in findings), None
        )
    raise typer.Exit(exits.INCOMPLETE if any(state == "broken" for _, state, _ in findings) else exits.OK)


Finding = tuple[str, str, str]
"""(what was looked at, ``ok`` | ``absent`` | ``broken``, detail)."""


def _base() -> Iterator[Finding]:
    yield (
        "rag-claim-verifier",
        "ok",
        f"{__version__}, Python {platform.python_version()}, {platform.machine()}",
    )
    for line in requires("rag-claim-verifier") or ():
        if "extra ==" in line:
            continue
        name = line.split(";")[0].strip().rstrip("0123456789.,<>=!~ ")
        try:
            yield name, "ok", version(name)
        except PackageNotFoundError:
            yield name, "broken", f"not installed; run: pip install '{line}'"


def _extras() -> Iterator[Finding]:
    for extra, module in sorted(EXTRAS.items()):
        if find_spec(module) is None:
            yield f"extra {extra}", "absent", f"run: pip install 'rag-claim-verifier[{extra}]'"
        else:
            yield f"extra {extra}", "ok", f"{module} is installed"


def _backend(configured: Configuration) -> Iterator[Finding]:
    """The configured backend, made to work: what it needs is loaded only when it is used."""
    from verifier.factory import backend_table, stored_backend

    name = f"configured backend {backend_table(configured.settings).get('type', '')}".rstrip()
    try:
        backend = stored_backend(configured.settings)
        if backend.capabilities.persist:  # others may lie on a server, where a probe has no place
            backend.add("probe", PROBE)
        backend.query(PROBE, 1)
        yield name, "ok", "built, and searched a probe"
    except VerifierError as error:
        yield name, "broken", str(error)


def _signals(configured: Configuration) -> Iterator[Finding]:
    from verifier_signals.types import TextPair

    from verifier.factory import build_signals
    from verifier.verification.vocabulary import Vocabulary

    try:
        signals = build_signals(configured.settings, Vocabulary())
    except VerifierError as error:
        yield "configured signals", "broken", str(error)
        return
    for signal in signals:
        name = f"configured signal {signal.name}"
        try:
            if not getattr(signal, "available", True):
                yield (
                    name,
                    "absent",
                    "no model is embedded; set signals.nli.model to a model folder or hub id",
                )
                continue
            signal.score([TextPair(PROBE, PROBE)])
            model = getattr(signal, "fingerprint", None)
            title = getattr(signal, "title", "model")
            yield name, "ok", f"{title}, fingerprint {model}" if model else "built, and scored a probe"
        except VerifierError as error:
            yield name, "broken", str(error)
    if all(signal.name != "nli" for signal in signals):
        yield "configured signal nli", "absent", "switched off in the configuration"


def _weights(configured: Configuration) -> Iterator[Finding]:
    """The fusion: given in the configuration, shipped for this NLI model, or learnt for it before."""
    from verifier.factory import build_scorer
    from verifier.measure.ready import ReadySignals
    from verifier.verification.retrieve import GivenTexts

    name = "verdict weights"
    try:
        shared = ReadySignals.of(configured.settings)
        if configured.settings.verdict.fusion:
            scorer = build_scorer(configured.settings, GivenTexts(()), shared)
            _ = scorer.fusion
            yield name, "ok", f"learnt with NLI model {scorer.nli}"
            return
        found = shared.find()
        learnt = f"learnt with NLI model {found.nli}"
        if found.source == "shipped":
            yield name, "ok", learnt
        elif found.source == "kept":
            yield name, "ok", f"{learnt} from labelled claims of the package, kept in {found.path}"
        else:
            said = "the first check learns them from labelled claims of the package; or now: verifier readers fit"
            yield name, "absent", f"none for NLI model {found.nli} yet: {said}"
    except VerifierError as error:
        yield name, "broken", str(error)


def _reader(configured: Configuration) -> Iterator[Finding]:
    """The reader that is asked beside the signals, where there is one; it is built and not asked."""
    from verifier.factory import build_consultant

    name = f"reader {configured.settings.reader.get('type')}"
    try:
        consultant = build_consultant(configured.settings)
        if consultant is None:
            return
        _ = consultant.fusion
        weights = (
            "calibrated for it" if consultant.calibrated else "weights of its kind, not calibrated for it"
        )
        asking = "verifier readers test asks it"
        yield name, "ok", f"{consultant.reader.identity}; {weights}; {asking}"
    except VerifierError as error:
        yield name, "broken", str(error)


def _plugins() -> Iterator[Finding]:
    from verifier.core.registry import BACKENDS, ENCODERS, READERS, RERANKERS, SIGNALS

    for registry in (BACKENDS, ENCODERS, RERANKERS, READERS, SIGNALS):
        for name in registry.names():
            try:
                cls = registry.load(name)
                lacking = _lacking(getattr(cls, "needs_one_of", ()))
                state = ("absent", lacking) if lacking else ("ok", f"{cls.__module__}:{cls.__qualname__}")
                yield f"{registry.kind} {name}", *state
            except VerifierError as error:
                yield f"{registry.kind} {name}", "broken", str(error)


def _lacking(modules: Sequence[str]) -> str:
    """That none of the modules is installed, and what installs one; nothing where one is. None is imported."""
    if not modules or any(find_spec(module) is not None for module in modules):
        return ""
    extras = {module: f"'rag-claim-verifier[{extra}]'" for extra, module in EXTRAS.items()}
    lines = " or ".join(f"pip install {extras.get(module, module)}" for module in modules)
    return f"{' or '.join(modules)} is not installed; run: {lines}"


def _knowledge_base(configured: Configuration) -> Iterator[Finding]:
    from verifier.factory import open_store

    where = f"knowledge base {configured.settings.kb.path}"
    try:
        with open_store(configured.settings) as store:
            stats = store.stats()
        yield where, "ok", f"{plural(stats['documents'], 'document')}, {plural(stats['passages'], 'passage')}"
    except KnowledgeBaseError as error:
        yield where, "absent", str(error)
    except VerifierError as error:
        yield where, "broken", str(error)


def _keys(configured: Configuration) -> Iterator[Finding]:
    """The server's keys, where it has some."""
    from verifier.interfaces.server.keys import KeyRing

    path = configured.settings.server.keys
    if path is None:
        return
    try:
        ring = KeyRing.load(Path(path))
    except VerifierError as error:
        yield "server keys", "broken", str(error)
        return
    if Path(path).stat().st_mode & 0o077:
        yield "server keys", "broken", f"others can read {path}; run: chmod 600 {path}"
    else:
        yield "server keys", "ok", plural(len(ring.keys), "key")
