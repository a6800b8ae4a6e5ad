"""A short walk of ``make isolation``; and what the walk finds where somebody breaks the walls between tenants."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.trust.isolation import BACKENDS, walked
from verifier.interfaces.server.keys import ApiKey
from verifier.interfaces.server.metrics import Metrics
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Evidence


@pytest.mark.parametrize("backend", ["bm25", "memory", "hybrid"])
def test_two_tenants_learn_nothing_of_each_other(backend: str) -> None:
    walk = walked(backend, seed=1, operations=30)
    assert walk.leaks == []
    assert walk.done == 60


def test_a_search_that_forgets_the_namespace_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = GroundTruthStore.retrieve

    def forgetful(
        self: GroundTruthStore, queries: Sequence[str], *, top_k: int = 5, **_: Any
    ) -> list[list[Evidence]]:
        each = [found(self, queries, top_k=top_k, namespace=name) for name in self.namespaces()]
        return [[item for some in every for item in some] for every in zip(*each, strict=True)]

    monkeypatch.setattr(GroundTruthStore, "retrieve", forgetful)
    assert walked("bm25", seed=1, operations=25).leaks


def test_a_key_that_opens_another_namespace_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ApiKey, "may_enter", lambda self, namespace: True)
    assert {leak.operation for leak in walked("bm25", seed=1, operations=25).leaks} >= {"reach"}


def test_a_text_in_the_log_and_one_in_the_metrics_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    add, texts = GroundTruthStore.ingest, []

    def talkative(self: GroundTruthStore, documents: Any, **options: Any) -> Any:
        kept = list(documents)
        texts.extend(one.text for one in kept)
        logging.getLogger("verifier.server").info("stored %s", kept[0].text)
        return add(self, kept, **options)

    monkeypatch.setattr(GroundTruthStore, "ingest", talkative)
    monkeypatch.setattr(Metrics, "exposition", lambda self: "\n".join(texts).encode())
    assert {"log", "metrics"} <= {leak.operation for leak in walked("bm25", seed=1, operations=6).leaks}


def test_every_local_backend_takes_part() -> None:
    assert set(BACKENDS) == {"hybrid", "memory", "bm25", "ann", "chroma"}
