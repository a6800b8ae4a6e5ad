"""Keys, rights and rates of a real server, and two tenants of it that try to learn of each other."""

import json
import random
import socket

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.support.server import make_keys, serving
from verifier.interfaces.server.keys import Right

EVERYTHING = tuple(Right)
WORDS = {
    "a": ["quokka", "marula", "zephyrine", "obsidian"],
    "b": ["wombat", "tamarind", "glacierite", "porphyry"],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("tenants")


@pytest.fixture(scope="module")
def keys(place):
    return make_keys(
        place / "keys.json",
        {
            "tenant-a": (["a"], [Right.CHECK, Right.WRITE]),
            "tenant-b": (["b"], [Right.CHECK, Right.WRITE]),
            "reader": (["a", "b"], [Right.CHECK]),
            "ops": (["*"], [Right.METRICS]),
            "one-off": (["a"], [Right.CHECK]),
        },
    )


@pytest.fixture(scope="module")
def server(place, keys):
    settings = {
        "server.keys": str(place / "keys.json"),
        "server.workers": 4,
        "server.queue": 512,
        "server.page": False,
    }
    with serving(place, settings) as running:
        yield running


def code(answer, status):
    assert answer.status_code == status, answer.text
    return answer.json()["error"]["code"]


def test_a_missing_and_a_wrong_key_are_told_apart_and_nothing_else_is(server, keys):
    with server.client() as nobody:
        answer = nobody.post("/v1/verify", json={"response": "x"})
        assert code(answer, 401) == "no_key"
        assert answer.headers["www-authenticate"] == "Bearer"
        for wrong in ("rv_nonsense", keys["reader"][:-1], keys["reader"] + "x", "é"):
            header = {"Authorization": f"Bearer {wrong}".encode()}
            assert code(nobody.get("/v1/documents", headers=header), 401) == "wrong_key"
        assert code(nobody.get("/metrics"), 401) == "no_key"
        assert nobody.get("/v1/documents", headers={"X-Api-Key": keys["reader"], "X": "1"}).status_code == 403
        assert nobody.get("/healthz").status_code == 200


def test_who_has_no_key_is_stopped_before_his_body_is_taken_in(server):
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as one:
        one.sendall(
            f"POST /v1/documents/upload HTTP/1.1\r\nHost: {host}\r\nContent-Length: 900\r\n\r\n".encode()
        )
        assert b" 401 " in one.recv(1000)


def test_a_key_learns_what_it_may_do_and_where_and_of_nothing_else(server, keys):
    with server.client(keys["ops"]) as everywhere, server.client(keys["tenant-a"]) as tenant:
        tenant.post("/v1/documents", json={"source": "seen.md", "text": "Seen."})
        told = tenant.get("/v1/access").json()
        assert (told["keys"], told["name"], told["rights"]) == (True, "tenant-a", ["check", "write"])
        assert (told["namespaces"], told["namespace"]) == (["a"], "a")
        assert told["limits"]["max_upload"] == 25_000_000
        assert ".pdf" in told["reads"]
        assert "a" in everywhere.get("/v1/access").json()["namespaces"]
    with server.client(keys["reader"]) as reader:
        assert (reader.get("/v1/access").json()["namespace"]) is None
    with server.client() as nobody:
        assert code(nobody.get("/v1/access"), 401) == "no_key"


def test_without_its_page_a_server_has_nothing_at_its_root(server, keys):
    with server.client() as nobody, server.client(keys["reader"]) as reader:
        for path in ("/", "/docs", "/page/page.js"):
            assert nobody.get(path).status_code == 401
            assert reader.get(path).status_code == 404


def test_a_right_that_is_lacking_is_named(server, keys):
    with server.client(keys["reader"]) as reader:
        body = {"source": "x.md", "text": "Text.", "namespace": "a"}
        answer = reader.post("/v1/documents", json=body)
        assert code(answer, 403) == "forbidden"
        assert "'write'" in answer.json()["error"]["message"]
        assert code(reader.delete("/v1/documents/abc"), 403) == "forbidden"
        assert code(reader.post("/v1/ask", json={"prompt": "x"}), 403) == "forbidden"
        assert code(reader.post("/v1/coherence", json={"text": "x", "by": "llm"}), 403) == "forbidden"
        assert (
            reader.post("/v1/coherence", json={"text": "A is B. A is C.", "by": "local"}).status_code == 200
        )
        assert code(reader.get("/metrics"), 403) == "forbidden"
    with server.client(keys["ops"]) as ops:
        assert ops.get("/metrics").status_code == 200
        assert code(ops.post("/v1/search", json={"query": "x"}), 403) == "forbidden"


def test_given_texts_can_be_checked_against_without_entering_any_namespace(server, keys):
    body = {"response": "The fee is 5 EUR.", "source": ["The fee is 5 EUR."]}
    with server.client(keys["one-off"]) as client:
        assert client.post("/v1/verify", json=body).json()["approved"]
        batch = client.post("/v1/verify/batch", json={"items": [body]})
        assert batch.json()["results"][0]["report"]["approved"]


def test_a_key_of_one_namespace_need_not_name_it(server, keys):
    with server.client(keys["tenant-a"]) as client:
        stored = client.post("/v1/documents", json={"source": "mine.md", "text": "The quokka sleeps by day."})
        assert stored.json()["documents"][0]["namespace"] == "a"
        assert client.delete(f"/v1/documents/{stored.json()['documents'][0]['doc_id']}").status_code == 200
    with server.client(keys["reader"]) as client:  # of two, so that nothing is meant by itself
        assert code(client.get("/v1/documents"), 403) == "forbidden"


@pytest.mark.parametrize(("key", "status"), [(None, 401), ("rv_wrong", 401), ("ops", 403)])
def test_a_websocket_without_the_right_key_is_refused_at_its_handshake_with_the_reason(
    server, keys, key, status
):
    headers = {"Authorization": f"Bearer {keys.get(key, key)}"} if key else {}
    with pytest.raises(InvalidStatus) as refused:
        connect(f"{server.url.replace('http', 'ws')}/v1/stream", additional_headers=headers).close()
    answer = refused.value.response
    assert answer.status_code == status
    assert json.loads(answer.body)["error"]["code"] in {"no_key", "wrong_key", "forbidden"}


def test_a_websocket_enters_no_namespace_that_its_key_may_not(server, keys):
    headers = {"Authorization": f"Bearer {keys['tenant-a']}"}
    with connect(f"{server.url.replace('http', 'ws')}/v1/stream", additional_headers=headers) as socket:
        socket.send(json.dumps({"namespace": "b"}))
        assert json.loads(socket.recv())["code"] == "forbidden"


def attempts(rng, mine, theirs, client, ids):
    """One operation of a tenant, chosen by chance: on its own things, or reaching for the other's."""
    word, alien = rng.choice(WORDS[mine]), rng.choice(WORDS[theirs])
    name = f"{rng.randrange(4)}.md"
    foreign = {"namespace": theirs}
    fact = f"The {word} of tenant {mine} costs {rng.randrange(100)} EUR."
    claim = f"The {alien} of tenant {theirs} costs {rng.randrange(100)} EUR."
    own = [
        lambda: client.post("/v1/documents", json={"source": name, "text": fact}),
        lambda: client.post("/v1/documents/upload", files={"file": (f"u{name}", fact.encode())}),
        lambda: client.get("/v1/documents"),
        lambda: client.post("/v1/search", json={"query": claim, "top_k": 50}),
        lambda: client.post("/v1/verify", json={"response": claim}),
        lambda: client.post("/v1/verify/batch", json={"items": [{"response": claim}, {"response": fact}]}),
        lambda: client.post("/v1/review", json={"prompt": "The price?", "response": fact}),
        lambda: client.post("/v1/consistency", json={"candidates": [fact, fact], "claims": True}),
        lambda: client.post("/v1/stream", content=claim.encode()),
        lambda: client.post("/v1/confidence", json={"prompt": "The price?", "response": claim}),
        lambda: client.delete(f"/v1/documents/{rng.choice(ids[mine] or ['none'])}"),
    ]
    reaching = [
        lambda: client.get("/v1/documents", params=foreign),
        lambda: client.post("/v1/search", json={"query": claim, **foreign}),
        lambda: client.post("/v1/verify", json={"response": claim, **foreign}),
        lambda: client.post("/v1/verify/batch", json={"items": [{"response": claim, **foreign}]}),
        lambda: client.post("/v1/review", json={"prompt": "", "response": claim, **foreign}),
        lambda: client.post("/v1/documents", json={"source": name, "text": fact, **foreign}),
        lambda: client.post("/v1/stream", params=foreign, content=claim.encode()),
        lambda: client.get(f"/v1/documents/{rng.choice(ids[theirs] or ['none'])}"),
        lambda: client.delete(f"/v1/documents/{rng.choice(ids[theirs] or ['none'])}"),
        lambda: client.get("/metrics"),
    ]
    reach = rng.random() < 0.4
    return claim, reach, rng.choice(reaching if reach else own)()


def test_two_tenants_learn_nothing_of_each_other(server, keys):
    rng = random.Random(8)
    clients = {name: server.client(keys[f"tenant-{name}"]) for name in "ab"}
    ids = {"a": [], "b": []}
    served = 0
    for _ in range(240):
        mine = rng.choice("ab")
        theirs = "b" if mine == "a" else "a"
        claim, reach, answer = attempts(rng, mine, theirs, clients[mine], ids)
        assert answer.status_code < 500 or answer.json()["error"]["code"] == "not_configured", answer.text
        said = answer.text.replace(claim, "")
        if reach:
            assert answer.status_code in {403, 404}, (str(answer.request.url), answer.text)
            assert set(answer.json()) == {"error"}
        served += answer.status_code < 300
        # What the tenant itself said may come back; anything else of the other's may not.
        known = {word for word in WORDS[theirs] if word in claim}
        assert not [word for word in WORDS[theirs] if word in said and word not in known], said
        assert not [one for one in ids[theirs] if one in said], said
        if '"evidence"' in said or '"results"' in said:
            assert f"of tenant {theirs} costs" not in json.dumps(quoted(answer)), said
        for name, client in clients.items():
            if name == mine and not reach and answer.request.url.path.startswith("/v1/documents"):
                listed = client.get("/v1/documents").json()
                assert {one["namespace"] for one in listed["documents"]} <= {name}
                assert listed["total"] == len(listed["documents"])
                ids[name] = [one["doc_id"] for one in listed["documents"]]
    assert served > 60
    assert "quokka" not in "\n".join(server.log)
    for client in clients.values():
        client.close()


def quoted(answer):
    """Everything in an answer that was quoted from documents."""
    found = []

    def walk(value):
        if isinstance(value, dict):
            found.extend(value.get("evidence") or [])
            found.extend(
                item for item in value.get("results", ()) if isinstance(item, dict) and "text" in item
            )
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    if answer.headers["content-type"].startswith("application/json"):
        walk(answer.json())
    return [item["text"] for item in found if isinstance(item, dict)]


def test_equal_texts_of_two_tenants_are_two_documents_and_one_deleted_leaves_the_other(server, keys):
    body = {"source": "same.md", "text": "The same sentence stands here and there."}
    with server.client(keys["tenant-a"]) as a, server.client(keys["tenant-b"]) as b:
        [first], [second] = (one.post("/v1/documents", json=body).json()["documents"] for one in (a, b))
        assert first["doc_id"] != second["doc_id"]
        review = {"prompt": "", "response": body["text"]}
        assert [one.post("/v1/review", json=review).json()["cached"] for one in (a, b)] == [False, False]
        assert a.delete(f"/v1/documents/{first['doc_id']}").status_code == 200
        assert b.get(f"/v1/documents/{second['doc_id']}").status_code == 200
