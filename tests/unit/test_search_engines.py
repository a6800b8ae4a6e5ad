"""What a search engine's server may do to its backend: refuse, be busy, be another one, lose nodes of its graph."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import numpy as np
import pytest
from verifier_backends.elasticsearch import ElasticsearchBackend
from verifier_backends.encoders import HashingEncoder
from verifier_backends.opensearch import OpenSearchBackend
from verifier_backends.tables.rows import Condition, Row
from verifier_backends.tables.search_engine import SearchEngineBackend
from verifier_backends.types import Item

from tests.support.search_engines import (
    API_KEY,
    PASSWORD,
    USER,
    ElasticsearchServer,
    OpenSearchServer,
    SearchEngineServer,
    running,
)
from verifier.core.errors import BackendRejected, BackendUnavailable

ENCODER = HashingEncoder(dimension=64)

BACKENDS = {OpenSearchServer: OpenSearchBackend, ElasticsearchServer: ElasticsearchBackend}


@pytest.fixture(params=BACKENDS, ids=lambda kind: kind.__name__)
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[SearchEngineServer]:
    backend = BACKENDS[request.param]
    [client] = backend.needs_one_of
    pytest.importorskip(client, reason=f"needs {backend.vendor}'s client")
    for variable, value in zip(backend.secrets, (USER, PASSWORD), strict=False):
        monkeypatch.setenv(variable, value)
    with running(request.param) as one:
        yield one


def made(
    server: SearchEngineServer, encoder: HashingEncoder = ENCODER, **options: object
) -> SearchEngineBackend:
    given = {"url": server.url, **options}
    return BACKENDS[type(server)](encoder, **given)  # type: ignore[arg-type]


def test_a_wrong_password_is_refused_and_not_told(server, monkeypatch) -> None:
    backend = made(server)
    monkeypatch.setenv(backend.secrets[1], "s3cret")
    said = f"check {backend.secrets[0]} and {backend.secrets[1]}"
    with pytest.raises(BackendRejected, match=said) as raised:
        backend.add("a", "text")
    assert "s3cret" not in repr(raised.value.__cause__) + str(raised.value)


def test_a_key_of_elasticsearch_goes_before_a_password(monkeypatch) -> None:
    pytest.importorskip("elasticsearch")
    monkeypatch.setenv("ELASTICSEARCH_PASSWORD", "wrong")
    monkeypatch.setenv("ELASTICSEARCH_API_KEY", API_KEY)
    with running(ElasticsearchServer) as server:
        backend = made(server)
        backend.add("a", "text")
        assert backend.count() == 1
        monkeypatch.setenv("ELASTICSEARCH_API_KEY", "d3Jvbmc=")
        with pytest.raises(BackendRejected, match="ELASTICSEARCH_PASSWORD, or ELASTICSEARCH_API_KEY"):
            made(server).add("a", "text")


VERSIONS = [
    (
        OpenSearchServer,
        {"distribution": "opensearch", "number": "2.9.0"},
        "2.13 or newer is needed, and .* is 2.9.0",
    ),
    (OpenSearchServer, {"number": "9.1.0", "build_flavor": "default"}, "is no OpenSearch"),
    (ElasticsearchServer, {"number": "8.19.0"}, "does not take what the client of Elasticsearch 9.* sends"),
]


@pytest.mark.parametrize(("kind", "version", "said"), VERSIONS)
def test_an_old_server_and_one_of_another_kind_are_refused(kind, version, said, monkeypatch) -> None:
    backend = BACKENDS[kind]
    pytest.importorskip(*backend.needs_one_of)
    for variable, value in zip(backend.secrets, (USER, PASSWORD), strict=False):
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(kind, "version", version)
    with running(kind) as server:
        with pytest.raises(BackendRejected, match=said):
            made(server).add("a", "text")
        assert not server.indexes


def test_an_opensearch_is_no_elasticsearch(monkeypatch) -> None:
    pytest.importorskip("elasticsearch")
    for variable, value in zip(ElasticsearchBackend.secrets, (USER, PASSWORD), strict=False):
        monkeypatch.setenv(variable, value)
    with running(OpenSearchServer) as server:
        backend = ElasticsearchBackend(ENCODER, url=server.url)
        with pytest.raises(BackendRejected, match="is no Elasticsearch"):
            backend.add("a", "text")


def test_a_server_that_does_not_answer_is_unavailable_in_time(server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(BackendUnavailable, match=f"no connection to {url}, or none in time"):
            made(server, url=url, timeout=1).add("a", "text")


def test_a_server_without_tls_is_told_from_one_that_is_away(server) -> None:
    url = server.url.replace("http", "https")
    with pytest.raises(
        BackendRejected, match=f"no TLS at {url}, or its certificate is not trusted; set ca_certs"
    ):
        made(server, url=url).add("a", "text")


def test_a_part_of_an_answer_is_none(server) -> None:
    backend = made(server)
    backend.add("a", "text")
    server.failing = 500
    with pytest.raises(BackendUnavailable, match=r"could not search \(status 500\)"):
        backend.query("text")
    assert backend.query("text")[0]["id"] == "a"


def test_vectors_of_another_dimension_are_refused(server, tmp_path) -> None:
    backend = made(server)
    backend.add("a", "text")
    backend.save(tmp_path / "index")
    backend.load(tmp_path / "index")
    backend._encoder = HashingEncoder(dimension=32)
    said = "holds vectors of 64 numbers, and the encoder gives 32; build the index anew"
    for use in (lambda: backend.add("b", "text"), lambda: backend.query("text")):
        with pytest.raises(BackendRejected, match=said):
            use()


def test_an_index_that_is_gone_is_not_made_anew_by_a_row(server) -> None:
    backend = made(server)
    backend.add("a", "text")
    server.indexes.clear()
    for use in (
        lambda: backend.add("b", "text"),
        lambda: backend.query("text"),
        lambda: backend.delete(["a"]),
    ):
        with pytest.raises(BackendRejected, match=r"no such index \[verifier_"):
            use()
    assert not server.indexes


def test_rows_that_a_busy_server_left_out_are_sent_again_and_no_others(server, monkeypatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    backend = made(server)
    server.busy = 3
    backend.add_many(Item(str(n), f"text {n}") for n in range(5))
    assert backend.count() == 5
    assert len(server.sizes) == 2
    assert server.sizes[1] < server.sizes[0]
    server.busy = 100
    with pytest.raises(BackendUnavailable, match="status 429"):
        backend.add("more", "text")


def test_requests_are_bounded_and_a_text_that_is_too_long_for_one_goes_alone(server, monkeypatch) -> None:
    monkeypatch.setattr("verifier_backends.tables.search_engine._REQUEST_BYTES", 80_000)
    backend = made(server)
    backend.add_many(
        Item(str(n), f"{n} " + "word " * words) for n, words in enumerate([6_000] * 4 + [20_000])
    )
    assert [size // 10_000 for size in server.sizes] == [6, 6, 10], "two of 30 KB in each of the first"
    assert backend.count() == 5


def test_what_a_graph_has_lost_is_found_by_comparing_all_rows(server) -> None:
    backend = made(server)
    backend.add_many(Item(str(n), f"text number {n}") for n in range(5))
    server.forgets = True
    assert len(backend.query("text number", 5)) == 5
    assert server.searches == ["knn", "script_score"]
    backend.query("text number", 6_000)
    assert set(server.searches[2:]) == {"script_score"}, "neither takes a k above 10,000"


@pytest.mark.parametrize("exact", [False, True])
def test_scores_are_cosines_of_either_sign(server, exact: bool) -> None:
    backend = made(server)
    table = backend._content().made("verifier", 2)
    vectors = np.array([[1, 0], [0, 1], [-1, 0], [-0.6, 0.8]], dtype=np.float32)
    table.put([Row(str(n), "", ["odd"] if n % 2 else []) for n in range(4)], vectors)
    found = table.nearest(vectors[0], 9, [], exact=exact)
    assert {one.key: one.cosine for one in found} == pytest.approx(
        {"0": 1.0, "1": 0.0, "2": -1.0, "3": -0.6}, abs=1e-6
    )
    odd = table.nearest(vectors[0], 9, [Condition(("odd",))], exact=exact)
    assert {one.key for one in odd} == {"1", "3"}
    assert table.vectors(["3", "none"]) == {"3": vectors[3].tolist()}
