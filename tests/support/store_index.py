"""What tests of the index beside the database share: documents, backends that count and refuse, what lies on disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from verifier_backends.encoders import HashingEncoder
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Capabilities, Item

from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document, Evidence

REFUNDS = Document("refunds.md", "/d/refunds.md", "Refunds are paid within 30 days.")


SHIPPING = Document("shipping.md", "/d/shipping.md", "Parcels leave the warehouse at noon.")


class CountingBackend(InMemoryBackend):
    """Counts the texts it is given to embed."""

    def __init__(self, dimension: int = 64) -> None:
        super().__init__(HashingEncoder(dimension=dimension))
        self.embedded: list[str] = []
        self.stop_after = -1

    def add_many(self, items: Iterable[Item]) -> None:
        if len(self.embedded) == self.stop_after:
            raise KeyboardInterrupt
        items = list(items)
        self.embedded += [item.text for item in items]
        super().add_many(items)


class ForgetfulBackend(CountingBackend):
    """Cannot be saved."""

    capabilities = Capabilities(delete=True, get=True, where=True)


class KeepingBackend(CountingBackend):
    """Cannot delete."""

    capabilities = Capabilities(get=True, where=True, persist=True)

    def delete(self, doc_ids: Iterable[str]) -> int:
        raise self._refusal("delete")


def opened(kb: Path, **options: Any) -> tuple[GroundTruthStore, CountingBackend]:
    backend = CountingBackend()
    return GroundTruthStore(backend, kb, **options), backend


def folders(kb: Path) -> list[Path]:
    return sorted((kb / "index").iterdir())


def generations(kb: Path) -> list[Path]:
    return sorted(path for folder in folders(kb) for path in folder.iterdir() if path.is_dir())


def names(found: list[Evidence]) -> list[str]:
    return [hit.source for hit in found]
