"""The store from opening to closing: backends that fail, threads, progress, and what is not there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from verifier_backends.types import Item

from tests.support.stores import (
    REFUNDS,
    SHIPPING,
    CountingBackend,
    doc,
    sources,
)
from verifier.core.errors import BackendUnavailable, KnowledgeBaseError, KnowledgeBaseNotFound, MissingExtra
from verifier.knowledge.records import IngestSummary
from verifier.knowledge.store import GroundTruthStore


def test_a_store_in_memory_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with GroundTruthStore(CountingBackend()) as store:
        store.ingest([REFUNDS])
        assert sources(store.retrieve_context("refunds")) == ["refunds.md"]
        assert store.reindex() == 1
        assert store.gc().removed == ()
        assert store.delete("refunds.md") == 1
        assert store.stats()["indexes"] == []
    assert list(tmp_path.iterdir()) == []


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = GroundTruthStore(CountingBackend(), tmp_path / "kb", create=True)
    store.ingest([REFUNDS])
    store.close()
    store.close()
    with pytest.raises(KnowledgeBaseError, match="closed"):
        store.retrieve(["refunds"])


def test_a_missing_knowledge_base_is_named_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(
        KnowledgeBaseNotFound, match=r"no knowledge base at .*kb; make one with: verifier ingest"
    ):
        GroundTruthStore(CountingBackend(), tmp_path / "kb").open()
    assert list(tmp_path.iterdir()) == []


def test_a_backend_that_fails_loses_nothing_that_was_stored(tmp_path: Path) -> None:
    class Failing(CountingBackend):
        broken = True

        def add_many(self, items: Iterable[Item]) -> None:
            if self.broken:
                raise KnowledgeBaseError("the encoder is down")
            super().add_many(items)

    backend = Failing()
    with GroundTruthStore(backend, tmp_path / "kb", create=True) as store:
        with pytest.raises(KnowledgeBaseError, match="down"):
            store.ingest([REFUNDS])
        assert [record.source for record in store.documents()] == ["refunds.md"]
        backend.broken = False
        assert store.ingest([REFUNDS]) == IngestSummary(unchanged=1, passages_embedded=1)
        assert sources(store.retrieve_context("refunds")) == ["refunds.md"]


class UnableBackend(CountingBackend):
    """Its encoder cannot be loaded until it is mended."""

    broken = True

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        if self.broken:
            raise MissingExtra("a-library", "st")
        return super().stage(items)


class NamelessBackend(CountingBackend):
    """Cannot even say what it is."""

    @property
    def identity(self) -> dict[str, Any]:
        raise BackendUnavailable("the service is down")


@pytest.mark.parametrize("kind", [UnableBackend, NamelessBackend])
@pytest.mark.parametrize("opening", [True, False])
def test_a_backend_that_cannot_work_leaves_no_knowledge_base_behind(
    tmp_path: Path, kind: type[CountingBackend], opening: bool
) -> None:
    def fill(store: GroundTruthStore) -> None:
        if opening:
            store.open()
        store.ingest([REFUNDS])

    with pytest.raises((MissingExtra, BackendUnavailable)):
        fill(GroundTruthStore(kind(), tmp_path / "new" / "kb", create=True))
    assert list(tmp_path.iterdir()) == []


def test_a_backend_that_cannot_work_adds_nothing_to_what_is_there(
    store: GroundTruthStore, tmp_path: Path
) -> None:
    store.ingest([REFUNDS])
    before = store.revision
    backend = UnableBackend()
    with GroundTruthStore(backend, tmp_path / "kb") as unable:
        with pytest.raises(MissingExtra):
            unable.ingest([SHIPPING])
        with pytest.raises(MissingExtra):
            unable.add("pets", "Dogs travel free.")
        assert ([record.source for record in unable.documents()], unable.revision) == (["refunds.md"], before)
        backend.broken = False
        assert unable.ingest([SHIPPING]).added == 1
        assert sources(unable.retrieve_context("parcels", top_k=1)) == ["shipping.md"]


def test_a_backend_is_not_asked_to_work_for_what_is_there_already(
    tmp_path: Path,
) -> None:
    able = UnableBackend()
    able.broken = False
    with GroundTruthStore(able, tmp_path / "kb", create=True) as store:
        store.ingest([REFUNDS])
    with GroundTruthStore(UnableBackend(), tmp_path / "kb") as unable:
        assert unable.ingest([REFUNDS]) == IngestSummary(unchanged=1)


def test_progress_counts_sources_and_passages(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int | None]] = []
    backend = CountingBackend()
    with GroundTruthStore(
        backend, tmp_path / "kb", create=True, progress=lambda *step: seen.append(step)
    ) as store:
        store.ingest([doc(str(number), f"Text {number}.") for number in range(600)])
    assert [step for step in seen if step[0] == "ingest"] == [
        ("ingest", 256, None), ("ingest", 512, None), ("ingest", 600, None),
    ]  # fmt: skip
    assert ("index", 256, 256) in seen


def test_threads_read_whole_states_while_one_writes(store: GroundTruthStore) -> None:
    store.ingest([doc("fixed", "A fixed point about refunds.")])
    stop = threading.Event()
    problems: list[BaseException] = []

    def read() -> None:
        try:
            while not stop.is_set():
                found = store.retrieve(["refunds of version"], top_k=50)[0]
                assert "fixed" in sources(found)
                versions = [hit.text for hit in found if hit.source == "moving"]
                assert len(versions) <= 1, versions
                assert store.known_terms(["refunds"]) == {"refunds"}
        except BaseException as error:  # noqa: BLE001 - handed to the test's own thread
            problems.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(30):
        store.ingest([doc("moving", f"Refunds of version {number}.")])
    stop.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert [hit.text for hit in store.retrieve(["refunds of version"])[0] if hit.source == "moving"] == [
        "Refunds of version 29."
    ]
