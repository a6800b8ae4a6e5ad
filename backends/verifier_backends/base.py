"""The contract of a retrieval backend; whoever writes ``add``, ``query`` and ``count`` has a working one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from verifier.core.errors import UnsupportedOperation
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["VectorBackend"]


class VectorBackend(ABC):
    """Ranks stored texts by their nearness to a query. ``verifier_backends.testing`` executes this contract.

    * **Order.** Hits come in descending ``score`` (higher is better, whatever the backend); equal scores are
      ordered by ``id``. At most ``n_results`` hits; fewer when fewer match.
    * **Upsert.** ``add`` under an existing id replaces text and metadata; ``count`` does not grow.
    * **Empties.** A query on an empty backend, a query of blank text and ``n_results=0`` give ``[]``.
      A blank document text, an empty id or a negative ``n_results`` raises ``ValueError``.
    * **Purity.** Hits are fresh: changing one changes nothing in the backend. The same calls in the same
      order give the same hits, alone or in a batch, to within 1e-5 in ``score``.
    * **Filters.** ``where`` selects before ``n_results`` cuts: a filter never hides a match that a larger
      ``n_results`` would have shown.
    * **Concurrency.** Any number of threads may read while one thread writes; a reader sees the state before
      or after each write, never between.
    * **Persistence** (capability ``persist``). ``save`` writes a complete index into a new directory;
      ``load`` of it gives the same hits, and refuses (``BackendRejected``) one that is incomplete, damaged or
      of another ``identity``, leaving the content as it was. Nothing but ``save`` writes to disk. A backend
      whose texts lie elsewhere (``resident``) saves where they are, and ``load`` goes on with them, shared.
    * **Errors.** ``BackendUnavailable`` (a retry may help), ``BackendRejected`` (it will not),
      ``UnsupportedOperation`` (capability not declared), ``MissingExtra``; never a vendor's exception.
    """

    needs_one_of: ClassVar[tuple[str, ...]] = ()
    """Modules of which one must be installed for it to work; none where it needs no more than the base install."""

    @property
    def capabilities(self) -> Capabilities:
        """What this backend can do beyond the three abstract methods.

        A subclass sets a class attribute of this name, or a property where it depends on the instance.
        """
        return Capabilities()

    @abstractmethod
    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store ``text`` under ``doc_id``, replacing what was there."""

    @abstractmethod
    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The ``n_results`` stored texts nearest to ``text``, best first."""

    @abstractmethod
    def count(self) -> int:
        """Number of stored texts."""

    @property
    def identity(self) -> dict[str, Any]:
        """What decides the content of an index besides the texts: the encoder's identity, and the like.

        Stamped into saved indexes and compared when one is opened. JSON values only; the same for equal
        configurations on any machine. Backends of ours are recorded without the prefix of their package, which it
        got later: an index that was saved before is still the same.
        """
        module = type(self).__module__.removeprefix("verifier_")
        return {"type": f"{module}:{type(self).__qualname__}"}

    @property
    def resident(self) -> bool:
        """Whether the texts outlive this object elsewhere, as on a server, and ``save`` records only where."""
        return False

    @property
    def divided(self) -> bool:
        """Whether all texts lie elsewhere, so that several processes may each store some for all of them."""
        return self.resident and self.capabilities.persist

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts; the same as ``add`` for each in order, and faster where a backend can batch."""
        for item in items:
            self.add(*item)

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """``add_many`` in two steps: the slow part (encoding) now, storing when the result is called.

        A composite stages all its parts first, so that its readers wait only for the second step.
        """
        staged = list(items)
        return lambda: self.add_many(staged)

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One list of hits for each text, over the stored texts whose metadata match ``where``.

        Raises:
            ValueError: ``where`` has an operator that is not known; the message shows the form wanted.
        """
        if where is None:
            return [self.query(text, n_results) for text in texts]
        from verifier_backends.filters import matches, plain_filter

        where = plain_filter(where)
        everything = self.count()
        ranked = (self.query(text, everything) for text in texts)
        return [[hit for hit in hits if matches(hit["metadata"], where)][:n_results] for hits in ranked]

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:  # noqa: ARG002
        """The stored texts under these ids, in this order, ``None`` where there is none; ``score`` is 0."""
        raise self._refusal("get")

    def delete(self, doc_ids: Iterable[str]) -> int:  # noqa: ARG002
        """Remove these ids; unknown ones are no error. Returns how many were there."""
        raise self._refusal("delete")

    def save(self, directory: Path) -> None:  # noqa: ARG002
        """Write the whole index into ``directory``, which must be empty or absent."""
        raise self._refusal("persist")

    def load(self, directory: Path) -> None:  # noqa: ARG002
        """Replace the content of this backend by an index that ``save`` wrote."""
        raise self._refusal("persist")

    def attach(self, directory: Path) -> None:
        """``load`` for writing: what only a search reads may be left unread, so that damage of it is not seen.

        Whoever goes on to search calls ``load``. Here they are the same.
        """
        self.load(directory)

    @property
    def goes_on_from_files(self) -> bool:
        """Whether ``saved_in`` lets go of what is held in memory, and ``save`` writes again only what is new."""
        return False

    def saved_in(self, directory: Path) -> None:  # noqa: B027
        """Learn that the index just saved lies in ``directory`` now, and no write came between.

        A backend may go on from those files and let go of what it holds in memory. Here nothing is done.
        """

    def discard(self, directory: Path, keeping: Sequence[Path] = ()) -> None:  # noqa: B027
        """Free what an index saved in ``directory`` holds elsewhere and none of ``keeping`` holds as well.

        The caller removes the directory itself. Nothing to do for a backend that is not ``resident``.
        """

    async def aquery(self, text: str, n_results: int = 3) -> list[Hit]:
        """``query`` off the event loop."""
        import asyncio

        return await asyncio.to_thread(self.query, text, n_results)

    async def aquery_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """``query_many`` off the event loop."""
        import asyncio

        return await asyncio.to_thread(self.query_many, texts, n_results, where)

    async def aadd_many(self, items: Iterable[Item]) -> None:
        """``add_many`` off the event loop."""
        import asyncio

        await asyncio.to_thread(self.add_many, items)

    def _refusal(self, capability: str) -> UnsupportedOperation:
        return UnsupportedOperation(
            f"{type(self).__name__} does not support {capability!r}; its capabilities lack: "
            f"{', '.join(self.capabilities.missing())}"
        )
