"""The contract of a backend over a namespace of a Pinecone index."""

from __future__ import annotations

import copy
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.core.errors import BackendRejected, ConfigError
from verifier_backends.embedding import EncodingBackend
from verifier_backends.encoders import Encoder
from verifier_backends.filters import matches
from verifier_backends.index.binding import read_binding, recorded, write_binding
from verifier_backends.index.flat import filter_of
from verifier_backends.index.locks import ReadWriteLock
from verifier_backends.index.nearest import checked
from verifier_backends.index.records import checked_item, checked_n_results
from verifier_backends.index.storage import read_manifest, writing
from verifier_backends.pinecone.client import client, translated
from verifier_backends.pinecone.index import IndexPlace, PodPlace, Serverless, opened
from verifier_backends.pinecone.namespace import MOST_RESULTS, Namespace
from verifier_backends.pinecone.records import Record, extended, fits, hit_of, record_of, wire_id
from verifier_backends.pinecone.search import nearest
from verifier_backends.pinecone.service import Service
from verifier_backends.pinecone.waiting import Waiting
from verifier_backends.types import Capabilities, Hit, Item, Metadata, Where

__all__ = ["PineconeBackend"]

_ABSENT = {"$exists": False}
"""Pinecone's condition that a record lacks a key."""

_SIDE_BY_SIDE = 8
"""Queries of a batch that are under way at the same time."""

_LAYOUT = 1
"""Of the records; an index saved by another is refused."""


class PineconeBackend(EncodingBackend):
    """Cosine search by Pinecone, serverless or on pods. Scores are cosines in [-1, 1], as Pinecone reckons them.

    Guaranteed: upserts, deletions, filters and the order of hits; ties are cut by id among the 10,000 best. Which
    texts are nearest is what Pinecone finds: a serverless index may miss some. A write returns when queries show it,
    or raises after ``patience`` seconds, so that no query that follows one is stale, in any process. ``count`` raises
    where Pinecone's count has not come up with what was written through this object.

    The texts lie in a namespace of the backend's own, ``<namespace>-<random>``; ``save`` records it, and it stays
    until ``discard``. One process writes to it at a time; any number may read. The index has the encoder's
    dimension and one more. The key is read from the environment variable ``PINECONE_API_KEY``.

    Args:
        encoder: what turns texts into vectors; ``EmbeddedEncoder()`` by default.
        index: name of the index, which several backends may share.
        cloud: where a serverless index is made: ``aws``, ``gcp`` or ``azure``.
        region: region of that cloud.
        environment: environment of an index on pods; none for a serverless one.
        pod_type: kind and size of its pods.
        replicas: how many copies of it run.
        shards: over how many pods its records are spread.
        namespace: how the names of namespaces begin.
        create: whether to make the index where there is none.
        host: address of the control plane; Pinecone's own by default.
        timeout: seconds for one request, of which there are up to four.
        patience: seconds until a write must be visible, or a new index ready.
        sleep, clock: replaced in tests.

    Raises:
        ConfigError: a parameter is out of its range; there is no key, or an index of another kind (on first use).
        MissingExtra: pinecone is not installed (on first use).
        BackendUnavailable: the service cannot be reached, or a write does not become visible.
    """

    needs_one_of = ("pinecone",)

    capabilities = Capabilities(delete=True, get=True, where=True, persist=True)
    resident = True

    def __init__(
        self,
        encoder: Encoder | None = None,
        *,
        index: str = "verifier",
        cloud: str = "aws",
        region: str = "us-east-1",
        environment: str | None = None,
        pod_type: str = "p1.x1",
        replicas: int = 1,
        shards: int = 1,
        namespace: str = "verifier",
        create: bool = True,
        host: str | None = None,
        timeout: float = 30.0,
        patience: float = 120.0,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if min(timeout, patience) <= 0 or min(replicas, shards) < 1:
            raise ConfigError("timeout and patience must be above 0, replicas and shards at least 1")
        if not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,43}[a-z0-9])?", index):
            raise ConfigError(f"index must be 1 to 45 small letters, digits and dashes; got {index!r}")
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}", namespace):
            raise ConfigError(
                f"namespace must be 1 to 200 letters, digits, dots, dashes or underscores; got {namespace!r}"
            )
        place = (
            Serverless(cloud, region)
            if environment is None
            else PodPlace(environment, pod_type, replicas, shards)
        )
        super().__init__(encoder)
        self._place = IndexPlace(index, place, create)
        self._prefix, self._host, self._timeout = namespace, host, timeout
        self._waiting = Waiting(patience, sleep, clock)
        self._lock = ReadWriteLock()
        self._opening = threading.Lock()
        self._service: Service | None = None
        self._namespace: Namespace | None = None

    @property
    def identity(self) -> dict[str, Any]:
        """The encoder's identity decides the vectors."""
        return {**super().identity, "layout": _LAYOUT}

    def add(self, doc_id: str, text: str, metadata: Metadata | None = None) -> None:
        """Store one text. Many at once go faster through ``add_many``."""
        self.add_many([Item(doc_id, text, metadata)])

    def add_many(self, items: Iterable[Item]) -> None:
        """Store many texts; to readers of this backend all become visible at once.

        If Pinecone fails in between, some may be stored and others not; adding them again mends that.
        """
        self.stage(items)()

    def stage(self, items: Iterable[Item]) -> Callable[[], None]:
        """Encode now, store when the result is called. Opens the index, so that what is missing shows here."""
        given = list({item.doc_id: item for item in map(checked_item, items)}.values())
        if not given:
            return lambda: None
        records = [record_of(item) for item in given]
        self._open()
        values = self._vectors([item.text for item in given]).tolist()
        return lambda: self._store(records, values)

    def _store(self, records: Sequence[Record], values: Sequence[Sequence[float]]) -> None:
        with self._lock.writing(), translated("store texts"):
            if self._namespace is None:
                name = f"{self._prefix}-{uuid.uuid4().hex}"
                self._namespace = self._open().namespace(name)
                self._open().unsaved.append(self._namespace)
            self._namespace.write(records, values)

    def query(self, text: str, n_results: int = 3) -> list[Hit]:
        """The nearest texts by cosine."""
        return self.query_many([text], n_results)[0]

    def query_many(
        self, texts: Sequence[str], n_results: int = 3, where: Where | None = None
    ) -> list[list[Hit]]:
        """One batch through the encoder, then a request or two for each text, some at the same time.

        Raises:
            BackendRejected: more results are asked for than Pinecone gives, and there are more.
        """
        hits: list[list[Hit]] = [[] for _ in texts]
        asked = [i for i, text in enumerate(texts) if text.strip()]
        wanted = filter_of(where, absent=_ABSENT, vendor="Pinecone")
        if not checked_n_results(n_results) or not asked or wanted == {} or self._namespace is None:
            return hits
        vectors = self._vectors([texts[i] for i in asked])
        # A text without features has no direction and so no neighbours.
        pointed = [row for row in range(len(asked)) if not vectors[row, -1]]
        with self._lock.reading(), translated("search"):
            namespace = self._namespace
            if n_results > MOST_RESULTS and namespace.count() > MOST_RESULTS:
                raise BackendRejected(
                    f"Pinecone gives at most {MOST_RESULTS} results; {n_results} were asked"
                )
            with ThreadPoolExecutor(_SIDE_BY_SIDE) as pool:
                one = partial(nearest, namespace, n_results=n_results, where=wanted)
                found = pool.map(one, (vectors[row].tolist() for row in pointed))
                for row, own in zip(pointed, found, strict=True):
                    hits[asked[row]] = own
        for hit in (hit for own in hits for hit in own):
            # Another tenant's passage must not come through, whatever the service makes of the filter.
            if where and not matches(hit["metadata"], where):
                raise BackendRejected(f"Pinecone gave {hit['id']!r}, which the filter does not let through")
        return hits

    def count(self) -> int:
        """Number of stored texts."""
        with self._lock.reading(), translated("count"):
            return self._namespace.count() if self._namespace is not None else 0

    def get(self, doc_ids: Sequence[str]) -> list[Hit | None]:
        """The stored texts under these ids, ``None`` where there is none."""
        wanted = list(dict.fromkeys(filter(fits, map(wire_id, doc_ids))))
        found: dict[str, Hit] = {}
        with self._lock.reading(), translated("read texts"):
            if self._namespace is not None and wanted:
                for own, metadata in self._namespace.read(wanted).items():
                    found[own] = hit_of(own, self._namespace.content(metadata), 0.0)
        return [copy.deepcopy(found.get(wire_id(doc_id))) for doc_id in doc_ids]

    def delete(self, doc_ids: Iterable[str]) -> int:
        """Remove these ids; returns how many were there."""
        ids = list(dict.fromkeys(filter(fits, map(wire_id, doc_ids))))
        with self._lock.writing(), translated("delete texts"):
            return self._namespace.delete(ids) if self._namespace is not None and ids else 0

    def save(self, directory: Path) -> None:
        """Record the namespace in an empty or new directory; the texts stay where they are."""
        with self._lock.writing(), writing(directory, self.identity), translated("save"):
            if self._namespace is None:
                write_binding(directory, {"name": None})
                return
            binding = {
                "name": self._namespace.name,
                "index": self._place.name,
                "empty": self._namespace.is_empty(),
                "owed": self._namespace.owed(),
            }
            write_binding(directory, binding)
            self._open().unsaved.clear()

    def load(self, directory: Path) -> None:
        """Go on with the namespace that ``save`` recorded, as it is now."""
        read_manifest(directory, self.identity)
        binding = read_binding(directory)
        namespace = None
        if binding["name"] is not None:
            if binding["index"] != self._place.name:
                raise BackendRejected(
                    f"the index in {directory} lies in Pinecone's index {binding['index']!r}, not in "
                    f"{self._place.name!r}; build it anew"
                )
            with translated(f"load {directory}"):
                namespace = self._open().namespace(binding["name"], binding["owed"])
                if not binding["empty"] and namespace.is_empty():
                    raise BackendRejected(
                        f"Pinecone's namespace {binding['name']!r} is gone or empty; build it anew"
                    )
        with self._lock.writing():
            self._namespace = namespace
            if self._service is not None:
                self._service.forget_unsaved()

    def discard(self, directory: Path, keeping: Sequence[Path] = ()) -> None:
        """Remove the namespace that ``directory`` records, unless it is in use here or kept."""
        name = recorded(directory)
        if name is None or name in map(recorded, keeping):
            return
        with self._lock.writing(), translated(f"remove the namespace {name!r}"):
            if self._namespace is None or self._namespace.name != name:
                self._open().namespace(name).remove()

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float64]:
        return extended(checked(self._encoder.encode(texts), len(texts), self._encoder.dimension))

    def _open(self) -> Service:
        with self._opening:
            if self._service is None:
                with translated(f"open the index {self._place.name!r}"):
                    self._service = self._opened()
            return self._service

    def _opened(self) -> Service:
        dimension = self._encoder.dimension + 1
        connection = client(self._host, self._timeout)
        try:
            index = opened(connection, self._place, dimension, self._waiting)
        except BaseException:
            connection.close()
            raise
        return Service(connection, index, dimension, self._waiting)
