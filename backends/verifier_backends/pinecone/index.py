"""Open a Pinecone index: look it up, make it where it is missing, wait for it, and check it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verifier.core.errors import BackendRejected, BackendUnavailable, ConfigError
from verifier_backends.pinecone.client import sdk
from verifier_backends.pinecone.waiting import Waiting

__all__ = ["IndexPlace", "PodPlace", "Serverless", "opened"]

_FIELD = "_values"
"""The reserved field of an index whose vectors are given by the caller."""


@dataclass(frozen=True)
class Serverless:
    """An index that Pinecone sizes itself."""

    cloud: str
    region: str

    @property
    def deployment(self) -> dict[str, Any]:
        """As the client is told."""
        return {"deployment_type": "managed", "cloud": self.cloud, "region": self.region}


@dataclass(frozen=True)
class PodPlace:
    """An index on pods of a size chosen."""

    environment: str
    pod_type: str
    replicas: int
    shards: int

    @property
    def deployment(self) -> dict[str, Any]:
        """As the client is told."""
        return {
            "deployment_type": "pod",
            "environment": self.environment,
            "pod_type": self.pod_type,
            "replicas": self.replicas,
            "shards": self.shards,
        }


@dataclass(frozen=True)
class IndexPlace:
    """Which index, and what to make it as where there is none; ``create=False`` makes that an error."""

    name: str
    place: Serverless | PodPlace
    create: bool


def opened(client: Any, wanted: IndexPlace, dimension: int, waiting: Waiting) -> Any:
    """The index, ready for vectors of ``dimension``.

    Raises:
        ConfigError: there is none and none may be made, or it has another dimension, metric or kind of field.
        BackendUnavailable: it does not become ready in time.
    """
    described = _described(client, wanted.name)
    if described is None:
        if not wanted.create:
            raise ConfigError(
                f"Pinecone has no index {wanted.name!r}, and create is false; make one of dimension {dimension} "
                "with the metric cosine, or set create = true"
            )
        _make(client, wanted, dimension)
        described = _described(client, wanted.name)
    _check(described, wanted.name, dimension)
    if not _is_ready(described):
        waiting.until(
            lambda: _is_ready(_described(client, wanted.name)),
            f"Pinecone's index {wanted.name!r} is not ready",
        )
        described = _described(client, wanted.name)
    return client.index(host=described.host)


def _described(client: Any, name: str) -> Any:
    """What the service knows about the index, ``None`` where there is none."""
    try:
        return client.indexes.describe(name)
    except sdk().NotFoundError:
        return None


def _make(client: Any, wanted: IndexPlace, dimension: int) -> None:
    field = {"type": "dense_vector", "dimension": dimension, "metric": "cosine"}
    try:
        # -1: the client's own wait has no clock that a test could turn.
        client.indexes.create(
            name=wanted.name,
            schema={"fields": {_FIELD: field}},
            deployment=wanted.place.deployment,
            timeout=-1,
        )
    except sdk().ConflictError:
        return  # Somebody else made it in between, or a repeated request did.


def _check(described: Any, name: str, dimension: int) -> None:
    if described is None:
        raise BackendUnavailable(f"Pinecone does not know yet of its new index {name!r}")
    field = described.schema.fields.get(_FIELD)
    if field is None or not hasattr(field, "dimension"):
        raise ConfigError(
            f"Pinecone's index {name!r} does not hold vectors that are given to it; name another"
        )
    if (field.dimension, field.metric) != (dimension, "cosine"):
        raise ConfigError(
            f"Pinecone's index {name!r} has dimension {field.dimension} and the metric {field.metric}; the encoder "
            f"needs dimension {dimension} (its own and one more) and cosine; name another index"
        )


def _is_ready(described: Any) -> bool:
    if described is None:
        return False
    if described.status.state in ("InitializationFailed", "Terminating", "Disabled"):
        raise BackendRejected(f"Pinecone's index {described.name!r} is {described.status.state}")
    return bool(described.status.ready) and described.host is not None
