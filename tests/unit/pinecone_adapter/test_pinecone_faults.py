"""What Pinecone's adapter makes of faults: of the service, the index, the key and the configuration."""

import inspect
import re
import sys
import tomllib
import types
from pathlib import Path

import pinecone
import pytest
from pinecone.errors import exceptions
from verifier_backends.pinecone import PineconeBackend
from verifier_backends.pinecone.client import translated
from verifier_backends.types import Item

from tests.support.pinecone_backend import ENCODER, late, made
from tests.support.pinecone_server import KEY, pinecone_server
from tests.support.pinecone_state import broken, drop, slow, status
from verifier.core.errors import BackendError, BackendRejected, BackendUnavailable, ConfigError
from verifier.factory import backend_description

# Faults


@pytest.mark.parametrize("route", ["upsert", "query", "describe_index_stats"])
def test_too_many_requests_are_repeated_when_the_service_says(server, paused, route) -> None:
    backend = made(server)
    backend.add("a", "some words")
    server.faults = [status(429, route, retry_after="7"), status(429, route, retry_after="2")]
    backend.add("b", "other words")
    assert backend.count() == 2
    assert len(paused) == 2
    assert 7 <= paused[0] <= 10.5
    assert 2 <= paused[1] <= 3


def test_failures_of_the_service_are_repeated_with_growing_pauses_and_then_said(server, paused) -> None:
    backend = made(server)
    backend.add("a", "some words")
    server.faults = [status(code, "query") for code in (503, 500, 502)]
    assert backend.query("some words")[0]["id"] == "a"
    assert len(paused) == 3
    assert all(0.25 <= pause <= 60 for pause in paused)
    server.faults = [status(503, "query")] * 4
    with pytest.raises(BackendUnavailable, match=r"could not search \(status 503\)") as raised:
        backend.query("some words")
    assert "words of the service" not in str(raised.value)
    server.faults = [status(429, "stats", retry_after="1")] * 4
    with pytest.raises(BackendUnavailable, match=r"status 429: too many requests"):
        backend.count()


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
def test_a_dropped_connection_costs_nothing_and_doubles_nothing(server, paused, done) -> None:
    backend = made(server)
    backend.add("a", "some words")
    server.faults = [drop("upsert", done=done)]
    backend.add_many([Item("b", "other words"), Item("c", "more words")])
    server.faults = [drop("delete", done=done)]
    assert backend.delete(["a", "b"]) == 2
    assert backend.count() == 1
    server.faults = [drop("query")] * 4
    with pytest.raises(BackendUnavailable, match="no connection"):
        backend.query("words")


def test_an_answer_that_does_not_come_in_time_is_unavailable(server, paused) -> None:
    backend = made(server, timeout=0.3)
    backend.add("a", "some words")
    server.faults = [slow(1.0, "query")]
    assert backend.query("some words")[0]["id"] == "a", "the second attempt is in time"
    server.faults = [slow(1.0, "query")] * 4
    with pytest.raises(BackendUnavailable, match="in time"):
        backend.query("some words")


def test_an_answer_that_is_none_is_refused(server) -> None:
    backend = made(server)
    backend.add("a", "some words")
    server.faults = [broken("query")]
    with pytest.raises(BackendRejected, match="ResponseParsingError"):
        backend.query("some words")


def test_a_service_that_is_not_there_is_unavailable(paused, monkeypatch) -> None:
    monkeypatch.setenv("PINECONE_API_KEY", KEY)
    with pinecone_server() as gone:
        url = gone.url
    with pytest.raises(BackendUnavailable, match="open the index 'verifier': no connection"):
        PineconeBackend(ENCODER, host=url).add("a", "text")


def test_every_error_of_the_client_becomes_one_of_ours() -> None:
    classes = [
        c for _, c in inspect.getmembers(exceptions, inspect.isclass) if c.__module__ == exceptions.__name__
    ]
    assert len(classes) > 12
    for cls in classes:
        error = cls.__new__(cls)
        Exception.__init__(error, "said by Pinecone")
        error.status_code = 418
        with pytest.raises(BackendError) as raised, translated("search"):
            raise error
        assert "said by Pinecone" not in str(raised.value)
    for code, ours in ((429, BackendUnavailable), (503, BackendUnavailable), (403, BackendRejected)):
        with pytest.raises(ours, match=f"status {code}"), translated("search"):
            raise pinecone.ApiError(message="said", status_code=code)


# The index and the key


def test_an_index_is_made_serverless_or_on_pods_and_waited_for(server) -> None:
    server.starting = 4
    backend, clock = late(server, index="one", cloud="gcp", region="europe-west4")
    backend.add("a", "text")
    assert clock.now > 0
    backend, _ = late(server, index="two", environment="us-east1-gcp", pod_type="s1.x2", replicas=2, shards=3)
    backend.add("a", "text")
    assert [index.body["deployment"] for index in server.indexes.values()] == [
        {"deployment_type": "managed", "cloud": "gcp", "region": "europe-west4"},
        {
            "deployment_type": "pod",
            "environment": "us-east1-gcp",
            "pod_type": "s1.x2",
            "replicas": 2,
            "shards": 3,
        },
    ]
    fields = server.indexes["one"].body["schema"]["fields"]
    assert fields == {"_values": {"type": "dense_vector", "dimension": 65, "metric": "cosine"}}
    server.starting = 10**9
    backend, _ = late(server, index="three")
    with pytest.raises(BackendUnavailable, match="'three' is not ready after 10 seconds"):
        backend.add("a", "text")


def test_an_index_made_by_another_meanwhile_is_taken(server, paused) -> None:
    server.faults = [drop("/indexes", done=True)]
    backend = made(server)
    backend.add("a", "text")
    assert backend.count() == 1
    assert len(server.indexes) == 1


def test_an_index_that_does_not_fit_is_refused_with_what_is_needed(server) -> None:
    with pytest.raises(ConfigError, match="no index 'mine', and create is false; make one of dimension 65"):
        made(server, index="mine", create=False).add("a", "text")
    server.made("mine", 64)
    with pytest.raises(
        ConfigError, match=r"dimension 64 and the metric cosine; the encoder needs dimension 65"
    ):
        made(server, index="mine").add("a", "text")
    server.made("dots", 65, metric="dotproduct")
    with pytest.raises(ConfigError, match="the metric dotproduct"):
        made(server, index="dots").add("a", "text")
    server.made("documents", 65, kind="body")
    with pytest.raises(ConfigError, match="does not hold vectors that are given to it"):
        made(server, index="documents").add("a", "text")
    server.made("right", 65)
    made(server, index="right", create=False).add("a", "text")


def test_the_key_comes_from_the_environment_alone_and_is_never_shown(server, monkeypatch) -> None:
    described = backend_description({"type": "pinecone"})
    assert KEY not in str(described)
    assert not any("key" in name for name in described)
    monkeypatch.setenv("PINECONE_API_KEY", "pcsk_another")
    with pytest.raises(BackendRejected, match="the key in PINECONE_API_KEY is not accepted") as raised:
        made(server).add("a", "text")
    assert "pcsk_another" not in str(raised.value)
    monkeypatch.setenv("PINECONE_API_KEY", "line\nbreak")
    with pytest.raises(ConfigError, match="refuses the key"):
        made(server).add("a", "text")
    monkeypatch.delenv("PINECONE_API_KEY")
    with pytest.raises(ConfigError, match="set the environment variable PINECONE_API_KEY"):
        made(server).add("a", "text")


def test_an_older_client_is_refused_with_the_line_that_mends_it(server, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pinecone", types.SimpleNamespace(__version__="7.3.0"))
    with pytest.raises(
        ConfigError, match=r"pinecone 7.3.0 is older than 10; run: .*rag-claim-verifier\[pinecone\]"
    ):
        made(server).add("a", "text")


def test_the_tables_of_the_documentation_are_whole_configurations() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "pinecone.md").read_text(encoding="utf-8")
    tables = [tomllib.loads(block)["backend"] for block in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]
    assert [backend_description(table)["environment"] for table in tables] == [None, "us-east1-gcp"]
    assert backend_description(tables[0]) == backend_description({"type": "pinecone"}), "the defaults"


@pytest.mark.parametrize(
    "table",
    [{"index": "Big_Name"}, {"namespace": "a b"}, {"timeout": 0}, {"patience": 0}, {"replicas": 0}],
)
def test_parameters_out_of_range_are_refused(table) -> None:
    with pytest.raises(ConfigError):
        PineconeBackend(**table)
