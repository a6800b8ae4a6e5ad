"""Learn the fusion weights of a model that has none yet, on first use, from labelled claims in the package."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from verifier.config import Settings
from verifier.core.errors import ConfigError
from verifier.factory import SharedSignals, temporary_store
from verifier.knowledge.ingest import ReadOptions, discover, read_documents
from verifier.knowledge.records import Progress
from verifier.knowledge.store import GroundTruthStore
from verifier.measure.calibrate import with_threshold
from verifier.measure.labelled import LabelledClaims, labelled_claims
from verifier.measure.learn import learn
from verifier.measure.rows import LabelledRow
from verifier.measure.samples import Sample, examined
from verifier.verification.decision.verdict import Fusion
from verifier.verification.scorer import VerifiedScorer

__all__ = ["CLAIMS", "NOTE", "duration", "learn_weights"]

CLAIMS = 600
"""Fewer teach less, and more cost time: see the table in ``docs/models.md``, which ``python -m benchmarks.first_use
claims`` prints."""

TARGET_ERRORS = (0.2, 0.3, 0.4)
"""Of the claims called supported, at most such a share are not: the smallest that the claims can prove is promised. The
first two are those of the shipped weights, with the NLI model and without (``Makefile``)."""

NOTE = (
    "the verdict weights for {model} were learnt from {claims} labelled claims that the package ships, not from yours; "
    "labels of your own make them better: verifier calibrate"
)
"""What a report says of such weights."""

_PROBE = 4
"""Claims whose time tells that of all."""
_BLOCK = 10
"""Claims that are read at once, and after which the bar moves."""


def learn_weights(
    shared: SharedSignals,
    model: str,
    *,
    claims: int = CLAIMS,
    progress: Progress | None = None,
    foretell: Callable[[int, float], None] | None = None,
) -> Fusion:
    """Run the signals over labelled claims of the package, with the default backend, and learn weights from them.

    Args:
        shared: the signals with the model.
        model: what the model is called.
        claims: how many of them, evenly spread over all sets.
        progress: told of the stages.
        foretell: told, after the first few claims, how many there are and how many seconds they will take.

    Raises:
        ConfigError: the claims of this installation are missing or damaged, or prove nothing with these signals.
        BackendError, SignalError: retrieval, or the model, failed.
    """
    tell = progress or _nobody
    with labelled_claims() as shipped, temporary_store(Settings()) as store:
        rows = shipped.spread(claims)
        _ingest(shipped, store, tell)
        scorer = VerifiedScorer(store, shared.signals, vocabulary=shared.vocabulary)
        samples = _read(rows, scorer, tell, foretell)
        tell("weights", 0, None)
        learnt = learn(samples, scorer.nli, same_thing=[Fusion.embedded("none").same_thing])
        tell("weights", 1, 1)
        hashes = shipped.hashes
    for target in TARGET_ERRORS:
        fusion = with_threshold(learnt, samples, target_error=target, hashes=hashes)
        if fusion is not None:
            note = NOTE.format(model=model, claims=len(samples))
            return replace(fusion, learnt_from={**fusion.learnt_from, "note": note})
    raise ConfigError(
        f"{len(samples)} labelled claims of the package prove no threshold for {model}, not even one with "
        f"{TARGET_ERRORS[-1]:.0%} of the claims called supported wrongly; learn weights from labels of your own: "
        "verifier calibrate LABELLED.jsonl --learn-weights --output fusion.json"
    )


def _ingest(shipped: LabelledClaims, store: GroundTruthStore, tell: Progress) -> None:
    """Every set in a namespace of its own: a label holds against the documents of its set."""
    for done, (namespace, files) in enumerate(shipped.documents.items()):
        tell("labelled documents", done, len(shipped.documents))
        documents = (document for file in discover(files) for document in read_documents(file, ReadOptions()))
        store.ingest(documents, namespace=namespace)
    tell("labelled documents", len(shipped.documents), len(shipped.documents))


def _read(
    rows: Sequence[LabelledRow],
    scorer: VerifiedScorer,
    tell: Progress,
    foretell: Callable[[int, float], None] | None,
) -> list[Sample]:
    """What the signals say of each claim, in blocks of one set each.

    The first claim, for which models and word lists are loaded, tells nothing of the time of the others.
    """
    samples: list[Sample] = []
    for number, block in enumerate(_blocks(rows)):
        started = time.perf_counter()
        tell("labelled claims", len(samples), len(rows))
        samples += examined(block, scorer)
        if number == 1 and foretell is not None:
            foretell(len(rows), (time.perf_counter() - started) / len(block) * len(rows))
    tell("labelled claims", len(samples), len(rows))
    return samples


def _blocks(rows: Sequence[LabelledRow]) -> Iterator[Sequence[LabelledRow]]:
    """One row first, then a few, then ten at a time."""
    sizes = iter((1, _PROBE))
    for _, of_set in groupby(rows, lambda row: row.namespace):
        some = list(of_set)
        while some:
            size = next(sizes, _BLOCK)
            yield some[:size]
            some = some[size:]


def _nobody(stage: str, done: int, total: int | None) -> None:
    """Whoever is told of the stages where nobody wants to know."""


def duration(seconds: float) -> str:
    """A time as people tell it.

    >>> [duration(seconds) for seconds in (0.4, 44, 89, 400, 5000)]
    ['a second', '40 seconds', '90 seconds', '7 minutes', '83 minutes']
    """
    if seconds < 1.5:
        return "a second"
    if seconds < 100:
        return f"{max(2, round(seconds) if seconds < 10 else 10 * round(seconds / 10))} seconds"
    return f"{round(seconds / 60)} minutes"
