"""A server that speaks Pinecone's protocol, empty for every test, and the pauses of its client."""

import pytest
from pinecone._internal import http_client

from tests.support.pinecone_server import KEY, pinecone_server


@pytest.fixture(scope="module")
def running():
    with pinecone_server() as server:
        yield server


@pytest.fixture
def server(running, monkeypatch):
    monkeypatch.setenv("PINECONE_API_KEY", KEY)
    running.reset()
    http_client.get_budget_registry()._reset()
    return running


@pytest.fixture
def paused(monkeypatch):
    """Seconds that the client waited between its attempts; it waits none of them."""
    pauses = []
    monkeypatch.setattr(http_client, "_retry_sleep", pauses.append)
    return pauses
