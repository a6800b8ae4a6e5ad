"""One database for all tests of shared knowledge bases, which each finds empty."""

import pytest

from tests.support.shared_base import asked, new_database


@pytest.fixture(scope="package")
def database(postgres_server: str) -> str:
    return new_database(postgres_server)


@pytest.fixture
def url(database: str) -> str:
    asked(database, "DROP SCHEMA IF EXISTS verifier CASCADE")
    return database
