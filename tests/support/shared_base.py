"""Knowledge bases in a PostgreSQL of the tests: an empty database each, and stores over it."""

from itertools import count

from verifier_backends.base import VectorBackend
from verifier_backends.encoders import Encoder, HashingEncoder
from verifier_backends.pgvector import PgvectorBackend

from verifier.knowledge.store import GroundTruthStore

_NUMBERS = count()


def new_database(server: str) -> str:
    """The address of an empty database on a server."""
    import psycopg

    name = f"kb{next(_NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.rpartition("/")[0] + f"/{name}"


def asked(url: str, statement: str, *values: object) -> list[tuple]:
    """The rows of one statement, by a superuser."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(statement, values)
        return found.fetchall() if found.description else []


def shared_store(url: str, encoder: Encoder | None = None, *, create: bool = True) -> GroundTruthStore:
    """A store over ``pgvector`` in the database of the knowledge base, as the factory makes it."""
    encoder = encoder or HashingEncoder(dimension=64)

    def make() -> VectorBackend:
        backend = PgvectorBackend(encoder)
        backend.settle_in(url, "verifier")
        return backend

    return GroundTruthStore(make(), url, fingerprint_of={}, create=create, remake=make)
