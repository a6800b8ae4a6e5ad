"""Labelled sets by name: the claims of each, and a scorer over its own documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verifier.config import Settings, load
from verifier.factory import SharedSignals, build_scorer, temporary_store
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.measure.rows import LabelledRow, read_rows
from verifier.types import Verdict
from verifier.verification.consultation.consulting import Consultant
from verifier.verification.scorer import VerifiedScorer

__all__ = ["CORPORA", "claims_of", "language_sets", "scorer_over", "settings_of", "verdict_sets"]

CORPORA = Path(__file__).resolve().parents[2] / "corpora"


def verdict_sets() -> dict[str, str]:
    """The labelled sets of ``corpora/verdicts``, each with the prefix of its documents."""
    prefixes = {"tuning": "t", "untouched": "u"}
    return {
        path.stem: prefixes.get(path.stem) or path.stem.partition("_")[2]
        for path in sorted((CORPORA / "verdicts").glob("*.jsonl"))
    }


def language_sets() -> dict[str, str]:
    """The sets of ``corpora/languages``, each with the prefix of its documents."""
    return {path.stem: path.stem for path in sorted((CORPORA / "languages").glob("*.jsonl"))}


def _folder(name: str) -> Path:
    return CORPORA / ("verdicts" if name in verdict_sets() else "languages")


def claims_of(name: str) -> list[LabelledRow]:
    """The claims of a set that have one of the four verdicts, in its order."""
    rows = read_rows(_folder(name) / f"{name}.jsonl")
    return [row for row in rows if isinstance(row, LabelledRow) and row.label in set(Verdict)]


def settings_of(overrides: Mapping[str, Any] | None = None) -> Settings:
    """The defaults of the package, whatever the environment says, with these keys replaced."""
    return load(overrides=dict(overrides or {}), environ={}).settings


@contextmanager
def scorer_over(
    name: str, settings: Settings, shared: SharedSignals, consultant: Consultant | None = None
) -> Iterator[VerifiedScorer]:
    """A scorer over the documents of a set, its signals shared with other scorers.

    Args:
        name: of :func:`verdict_sets` or :func:`language_sets`.
        settings, shared: the configuration, and the signals that were built of it.
        consultant: a reader in the place of the configured one.
    """
    prefix = (verdict_sets() | language_sets())[name]
    namespace = "default" if name == "untouched" else prefix
    if consultant is not None:
        shared = SharedSignals(shared.signals, shared.vocabulary, consultant)
    with temporary_store(settings) as store:
        files = discover(sorted((_folder(name) / "kb").glob(f"{prefix}_*")))
        store.ingest(
            (document for file in files for document in read_documents(file, ReadOptions())),
            namespace=namespace,
        )
        yield build_scorer(settings, store, shared).within(namespace)
