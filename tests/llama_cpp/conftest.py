"""What these tests of ``make test-llm`` share: the weights, and servers with them that stay up for all tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.llama_cpp.serving import LlamaServer, assembled, llama_server


@pytest.fixture(scope="session")
def weights() -> Path:
    """Put together once, in the folder of the environment, which git ignores."""
    return assembled(Path(sys.prefix))


@pytest.fixture(scope="session")
def server(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """One whose replies end by themselves: in this format the model has a mark to end them with."""
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with llama_server(weights, log, chat_format="chatml", context=4096) as running:
        yield running


@pytest.fixture(scope="session")
def talker(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """One whose replies end at their limit only, in good sentences: nothing stops the model in this format."""
    log = tmp_path_factory.mktemp("talker") / "log.txt"
    with llama_server(weights, log, chat_format="alpaca", context=1024) as running:
        yield running


@pytest.fixture(scope="session")
def teller(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaServer]:
    """One with little room that tells the probabilities of tokens."""
    log = tmp_path_factory.mktemp("teller") / "log.txt"
    with llama_server(weights, log, chat_format="chatml", context=256, logprobs=True) as running:
        yield running


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of one's own needs none; whoever runs the tests may have some."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
