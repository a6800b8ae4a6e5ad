"""What OpenSearch's server may do to the backend: refuse, be busy, be another one, lose nodes of its graph."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import numpy as np
import pytest
from verifier_backends.encoders import HashingEncoder
from verifier_backends.opensearch import OpenSearchBackend
from verifier_backends.tables.rows import Condition, Row
from verifier_backends.types import Item

from tests.support.opensearch_server import PASSWORD, USER, OpenSearchServer, opensearch_server
from verifier.core.errors import BackendRejected, BackendUnavailable

pytest.importorskip("opensearchpy", reason="needs the extra 'opensearch'")

ENCODER = HashingEncoder(dimension=64)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenSearchServer]:
    monkeypatch.setenv("OPENSEARCH_USERNAME", USER)
    monkeypatch.setenv("OPENSEARCH_PASSWORD", PASSWORD)
    with opensearch_server() as running:
        yield running


def made(server: OpenSearchServer, **options: object) -> OpenSearchBackend:
    return OpenSearchBackend(ENCODER, url=server.url, **options)  # type: ignore[arg-type]


def test_a_wrong_password_is_refused_and_not_told(server, monkeypatch) -> None:
    monkeypatch.setenv("OPENSEARCH_PASSWORD", "s3cret")
    with pytest.raises(BackendRejected, match="check OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD") as raised:
        made(server).add("a", "text")
    assert "s3cret" not in repr(raised.value.__cause__) + str(raised.value)


VERSIONS = [
    ({"distribution": "opensearch", "number": "2.9.0"}, "2.13 or newer is needed, and .* is 2.9.0; upgrade"),
    ({"number": "9.1.0", "build_flavor": "default"}, "is no OpenSearch"),
]


@pytest.mark.parametrize(("version", "said"), VERSIONS)
def test_an_old_server_and_one_of_another_kind_are_refused(server, version: dict, said: str) -> None:
    server.version = version
    with pytest.raises(BackendRejected, match=said):
        made(server).add("a", "text")
    assert not server.indexes


def test_a_server_that_does_not_answer_is_unavailable_in_time(server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(BackendUnavailable, match=f"no connection to {url}, or none in time"):
            OpenSearchBackend(ENCODER, url=url, timeout=1).add("a", "text")


def test_a_server_without_tls_is_told_from_one_that_is_away(server) -> None:
    url = server.url.replace("http", "https")
    with pytest.raises(
        BackendRejected, match=f"no TLS at {url}, or its certificate is not trusted; set ca_certs"
    ):
        OpenSearchBackend(ENCODER, url=url).add("a", "text")


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
    monkeypatch.setattr("verifier_backends.opensearch._REQUEST_BYTES", 80_000)
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
    assert set(server.searches[2:]) == {"script_score"}, "the plugin takes no k above 10,000"


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
