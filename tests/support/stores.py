"""Backends and documents with which tests of the store work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier_backends.base import VectorBackend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.memory import InMemoryBackend
from verifier_backends.types import Capabilities, Hit, Item, Metadata

from verifier.types import Document, Evidence


class CountingBackend(InMemoryBackend):
    """Counts the texts it is given to embed."""

    def __init__(self) -> None:
        super().__init__(HashingEncoder())
        self.embedded: list[str] = []

    def add_many(self, items: Iterable[Item]) -> None:
        items = list(items)
        self.embedded += [item.text for item in items]
        super().add_many(items)


class ThreeMethodBackend(VectorBackend):
    """The least there can be: shared words, no deletion, no persistence, no filter."""

    def __init__(self) -> None:
        self.texts: dict[str, tuple[str, Metadata]] = {}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        self.texts[doc_id] = (text, metadata or {})

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        words = set(text.lower().split())
        scored = [
            Hit(
                id=name,
                text=stored,
                score=float(len(words & set(stored.lower().split()))),
                metadata=dict(extra),
            )
            for name, (stored, extra) in self.texts.items()
        ]
        found = [hit for hit in scored if hit["score"]]
        return sorted(found, key=lambda hit: (-hit["score"], hit["id"]))[:n_results]

    def count(self) -> int:
        return len(self.texts)


class BlindBackend(ThreeMethodBackend):
    """Finds nothing, so that only keywords are left."""

    capabilities = Capabilities(delete=True)

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        return []

    def delete(self, doc_ids: Iterable[str]) -> int:
        return sum(self.texts.pop(name, None) is not None for name in doc_ids)


def doc(name: str, text: str, **metadata: str | int | float | bool | None) -> Document:
    return Document(source=name, uri=f"/files/{name}", text=text, metadata=metadata)


def sources(found: Sequence[Evidence]) -> list[str]:
    return [evidence.source for evidence in found]


REFUNDS = doc("refunds.md", "Refunds are paid within 30 days of the purchase.")


SHIPPING = doc("shipping.md", "Parcels leave the warehouse on the next working day.")


PETS = doc("pets.md", "Dogs travel free of charge; cats need a ticket.")
