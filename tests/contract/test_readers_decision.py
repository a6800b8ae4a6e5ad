"""Both readers of decision models under the shipped contract, through the vendors' clients and a local server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("openai")
pytest.importorskip("typesafe_sdk")

from tests.support.decision_server import DecisionServer, decision_server
from tests.support.llm_server import status
from verifier.readers.base import Reader
from verifier.readers.decision import DecisionReader
from verifier.readers.decisions import DecisionsReader
from verifier.readers.systemone import SystemOneReader
from verifier.readers.testing import SAMPLE_CASES, ReaderContract
from verifier.readers.types import State


class _OverServer(ReaderContract):
    kind: type[DecisionReader]
    both_orders = False
    server: DecisionServer

    @pytest.fixture(autouse=True)
    def _running(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.delenv("TYPESAFE_API_KEY", raising=False)
        with decision_server() as self.server:
            yield

    def make_reader(self) -> Reader:
        return self.kind("d-1", base_url=self.server.url, both_orders=self.both_orders)

    def test_every_sample_is_settled(self) -> None:
        assert {reading.state for reading in self.make_reader().read(SAMPLE_CASES)} == {State.SETTLED}

    def make_failing_reader(self) -> Reader | None:
        self.server.always = status(500)
        return self.kind("d-1", base_url=self.server.url, max_retries=0)


class TestSystemOneReader(_OverServer):
    kind = SystemOneReader


class TestDecisionsReader(_OverServer):
    kind = DecisionsReader


class TestSystemOneReaderInBothOrders(_OverServer):
    kind = SystemOneReader
    both_orders = True


class TestDecisionsReaderInBothOrders(_OverServer):
    kind = DecisionsReader
    both_orders = True


@pytest.mark.parametrize("kind", [SystemOneReader, DecisionsReader])
def test_no_cases_ask_nothing(kind: type[DecisionReader]) -> None:
    with decision_server() as server:
        assert kind("d-1", base_url=server.url).read([]) == []
        assert server.requests == []
