"""Every route of a real server, over HTTP: what comes back, and what bad requests are told."""

import io
import json
import zipfile

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.server import serving

REFUNDS = "Refunds are paid within 14 days of the return. The handling fee is 5 EUR."


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    where = tmp_path_factory.mktemp("routes")
    script = where / "script.jsonl"
    script.write_text(json.dumps("Refunds are paid within 14 days of the return.") + "\n")
    settings = {
        "llm.provider": "scripted",
        "llm.script": str(script),
        "gate.coherence": "local",
        "server.max_body": 100_000,
        "server.max_upload": 200_000,
        "server.large_chars": 2_000,
    }
    with serving(where, settings, documents={"default": {"refunds.md": REFUNDS}}) as running:
        yield running


@pytest.fixture(scope="module")
def client(server):
    with server.client() as made:
        yield made


def error(answer, status, code):
    """The sentence of an error, after everything that all of them promise was looked at."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"].startswith("application/json")
    told = answer.json()["error"]
    assert told["code"] == code, told
    assert told["request_id"] == answer.headers["x-request-id"]
    assert 8 < len(told["message"]) < 300
    assert "\n" not in told["message"]
    for inside in ("Traceback", "site-packages", "verifier/", ".py", "sqlite"):
        assert inside not in answer.text
    return told["message"]


# Checks


def test_a_response_is_checked_against_the_knowledge_base(client):
    report = client.post("/v1/verify", json={"response": "Refunds are paid within 60 days."}).json()
    assert report["decision"] == "rejected"
    [claim] = report["claims"]
    assert claim["verdict"] == "contradicted"
    assert "14 days" in claim["reason"]
    assert claim["evidence"][0]["source"] == "refunds.md"


def test_a_response_is_checked_against_given_texts_alone(client):
    report = client.post(
        "/v1/verify", json={"response": "The fee is 9 EUR.", "source": ["The fee is 9 EUR.", "Unrelated."]}
    ).json()
    assert report["approved"]
    assert report["kb"]["passages"] == 2


def test_options_of_one_request_change_its_rule_alone(client):
    body = {"response": "Refunds are paid within 60 days.", "options": {"fail_on": [], "min_groundedness": 0}}
    assert client.post("/v1/verify", json=body).json()["decision"] == "approved"
    del body["options"]
    assert client.post("/v1/verify", json=body).json()["decision"] == "rejected"


def test_edits_are_looked_for_in_the_request_that_asks_for_them(client):
    body = {"response": "Refunds are paid within 60 days."}
    [claim] = client.post("/v1/verify", json=body).json()["claims"]
    assert (claim["ledger"]["fix"], claim["ledger"]["fix_sought"]) == (None, False)
    body["options"] = {"suggest_fixes": True}
    batch = client.post("/v1/verify/batch", json={"items": [body]}).json()["results"]
    for report in (client.post("/v1/verify", json=body).json(), batch[0]["report"]):
        [mended] = report["claims"]
        assert mended["ledger"]["fix"]["after"] == "14 days"
        assert mended["confidence"] == claim["confidence"]


def test_a_report_has_the_detail_that_the_request_asks_for(client):
    body = {"response": "Refunds are paid within 60 days.", "options": {"detail": "brief"}}
    batch = client.post("/v1/verify/batch", json={"items": [body]}).json()["results"]
    for brief in (client.post("/v1/verify", json=body).json(), batch[0]["report"]):
        assert (brief["detail"], brief["claims"][0]["ledger"]["contributions"]) == ("brief", [])
    full = client.post("/v1/verify", json={"response": body["response"]}).json()
    assert (full["detail"], bool(full["claims"][0]["ledger"]["contributions"])) == ("full", True)


def test_a_large_response_is_checked_whole_in_a_line_of_its_own(client):
    text = " ".join(f"Refunds are paid within {n} days of the return." for n in range(10, 90))
    report = client.post("/v1/verify", json={"response": text}).json()
    assert report["coverage"] == 1.0
    assert [claim["verdict"] for claim in report["claims"]].count("contradicted") == 79


def test_a_batch_gives_each_its_report_or_its_own_error(client):
    items = [
        {"response": "The handling fee is 5 EUR."},
        {"response": "x y z.", "namespace": "nowhere"},
        {"response": "The fee is 9 EUR.", "source": ["The fee is 8 EUR."]},
    ]
    first, second, third = client.post("/v1/verify/batch", json={"items": items}).json()["results"]
    assert first["report"]["approved"]
    assert second["error"]["code"] == "unknown_namespace"
    assert not third["report"]["approved"]


def test_a_report_says_nothing_of_where_things_lie_on_the_server(client, server):
    said = client.post("/v1/verify", json={"response": "The fee is 5 EUR."}).text
    assert str(server.where) not in said
    assert json.loads(said)["config"]["backend"]["type"] == "bm25"


def test_a_response_is_reviewed_and_the_same_one_comes_from_the_cache(client):
    body = {"prompt": "When are refunds paid?", "response": "Refunds are paid within 60 days."}
    first, second = (client.post("/v1/review", json=body).json() for _ in range(2))
    assert not first["approved"]
    assert (first.pop("cached"), second.pop("cached")) == (False, True)
    assert first == second


def test_evidence_is_searched(client):
    found = client.post("/v1/search", json={"query": "handling fee", "top_k": 1}).json()["results"]
    assert [(item["source"], item["retrieved_by"]) for item in found] == [("refunds.md", "vector")]


# Confidence


def test_answers_are_rated_compared_and_asked_for(client):
    context = {"scope": "Refunds are paid within 14 days."}
    relevance = client.post("/v1/relevance", json={"text": "Refunds take 14 days.", "context": context})
    assert relevance.status_code == 200, relevance.text
    said = client.post("/v1/coherence", json={"text": "The fee is 30 EUR. The fee is 45 EUR.", "by": "local"})
    assert said.json()["measured"]
    told = client.post("/v1/consistency", json={"candidates": ["Two years.", "Two years.", "Five years."]})
    assert told.json()["best_candidate"] == "Two years."
    answered = client.post("/v1/ask", json={"prompt": "When are refunds paid?"}).json()
    assert answered["report"]["approved"]


def test_what_the_server_is_not_configured_for_is_told_without_its_reason(client, server):
    answer = client.post("/v1/ask", json={"prompt": "And now?"})  # the script is at its end
    error(answer, answer.status_code, answer.json()["error"]["code"])
    assert answer.status_code in {501, 502, 503}
    assert "script" not in answer.text


# Documents


def test_a_document_lives_from_its_adding_to_its_deletion(client):
    added = client.post(
        "/v1/documents",
        json={"source": "hours.md", "text": "We open at 9:00.", "namespace": "life", "metadata": {"v": 2}},
    )
    assert added.status_code == 201
    [document] = added.json()["documents"]
    assert document["sources"] == ["hours.md"]
    assert document["metadata"] == {"v": 2}
    where = f"/v1/documents/{document['doc_id']}"
    assert client.get(where).json()["text"] == "We open at 9:00."
    listed = client.get("/v1/documents", params={"namespace": "life"}).json()
    assert (listed["total"], len(listed["documents"])) == (1, 1)
    assert client.delete(where).json() == {"deleted": 1}
    error(client.get(where), 404, "not_found")
    error(client.delete(where), 404, "not_found")
    said = client.post("/v1/search", json={"query": "open", "namespace": "life"})
    error(said, 404, "unknown_namespace")


def test_the_same_source_again_replaces_its_text_however_it_comes(client):
    for text in ("We open at 9:00.", "We open at 10:00."):
        client.post("/v1/documents", json={"source": "a.md", "text": text, "namespace": "again"})
    client.post(
        "/v1/documents/upload",
        files={"file": ("a.md", b"We open at 11:00.")},
        data={"namespace": "again"},
    )
    listed = client.get("/v1/documents", params={"namespace": "again"}).json()
    assert listed["total"] == 1
    text = client.get(f"/v1/documents/{listed['documents'][0]['doc_id']}").json()["text"]
    assert "11:00" in text


def test_a_table_becomes_a_document_for_each_row_and_a_shorter_one_replaces_it(client):
    for rows in (150, 3):
        table = "item,fee\n" + "".join(f"thing {n},{n} EUR\n" for n in range(rows))
        answer = client.post(
            "/v1/documents/upload",
            files={"file": ("fees.csv", table.encode())},
            data={"namespace": "table"},
        )
        assert answer.status_code == 201, answer.text
        assert answer.json()["total"] == rows
        assert len(answer.json()["documents"]) == min(rows, 100)
    listed = client.get("/v1/documents", params={"namespace": "table", "limit": 2, "offset": 2}).json()
    assert (listed["total"], len(listed["documents"])) == (3, 1)


def test_a_page_after_the_last_is_empty(client):
    assert client.get("/v1/documents", params={"offset": 10**9}).json()["documents"] == []


def bomb():
    """A DOCX whose text is a thousand times as large as the file."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
            'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
            'wordprocessingml.document.main+xml"/></Types>',
        )
        packed.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
            'Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        packed.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{space}"><w:body><w:p><w:r><w:t>{"a " * 40_000_000}</w:t></w:r></w:p>'
            "</w:body></w:document>",
        )
    return raw.getvalue()


def test_a_zip_bomb_ends_in_the_process_that_reads_it(client):
    answer = client.post("/v1/documents/upload", files={"file": ("bomb.docx", bomb())})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] in {"too_costly", "unreadable"}
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("broken.pdf", b"%PDF-1.7 nothing more", "unreadable"),
        ("program.exe", b"MZ\x00\x00", "unreadable"),
        ("empty.md", b"", "unreadable"),
        ("binary.txt", bytes(range(256)) * 9, "unreadable"),
        ("...", b"text", "invalid"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_its_name(client, name, content, code):
    said = error(client.post("/v1/documents/upload", files={"file": (name, content)}), 422, code)
    assert "upload" not in said
    assert "/tmp" not in said


def test_a_file_is_read_to_what_a_check_takes_and_nothing_is_stored(client):
    def read(name, content):
        return client.post("/v1/documents/read", files={"file": (name, content)})

    before = client.get("/v1/documents").json()["total"]
    read_as = read("../fees.csv", b"item,fee\nlamp,5 EUR\ntable,9 EUR\n").json()["documents"]
    assert [one["source"] for one in read_as] == ["fees.csv#1", "fees.csv#2"]
    asked = {"response": "The fee of the table is 9 EUR.", "source": read_as}
    [claim] = client.post("/v1/verify", json=asked).json()["claims"]
    assert (claim["verdict"], claim["evidence"][0]["source"]) == ("supported", "fees.csv#2")
    assert client.get("/v1/documents").json()["total"] == before
    assert "100000" in error(read("long.txt", b"word " * 30_000), 413, "too_large")
    error(read("broken.pdf", b"%PDF-1.7 nothing more"), 422, "unreadable")


# Health


def test_health_readiness_and_metrics(client):
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ready"}
    client.post("/v1/verify", json={"response": "The handling fee is 5 EUR."})
    client.request("BREW", "/v1/verify")
    families = {family.name: family for family in text_string_to_metric_families(client.get("/metrics").text)}
    assert {"verifier_requests", "verifier_claims", "verifier_waiting"} <= set(families)
    counted = families["verifier_requests"].samples
    assert any(
        sample.labels == {"method": "POST", "route": "/v1/verify", "status": "200"} for sample in counted
    )
    assert not any(sample.labels.get("method") == "BREW" for sample in counted)


# Bad requests


BAD = [
    (b"{", 400, "malformed"),
    (b"", 422, "invalid"),
    (b"\xff\xfe{}", 400, "malformed"),
    (b"nonsense", 400, "malformed"),
    (b"[]", 422, "invalid"),
    (b"null", 422, "invalid"),
    (b'"text"', 422, "invalid"),
    (b"{}", 422, "invalid"),
    (b'{"response": 5}', 422, "invalid"),
    (b'{"response": null}', 422, "invalid"),
    (b'{"response": ["x"]}', 422, "invalid"),
    (b'{"response": "   "}', 422, "invalid"),
    (b'{"response": "x", "unknown": 1}', 422, "invalid"),
    (b'{"response": "x", "\\ud800": 1}', 422, "invalid"),
    (b'{"response": "NUL \\u0000"}', 422, "invalid"),
    (b'{"response": "half \\ud83d"}', 422, "invalid"),
    (b'{"response": "x", "source": []}', 422, "invalid"),
    (b'{"response": "x", "source": ["a"], "namespace": "b"}', 422, "invalid"),
    (b'{"response": "x", "options": {"top_k": 0}}', 422, "invalid"),
    (b'{"response": "x", "options": {"top_k": ' + b"9" * 5000 + b"}}", 400, "malformed"),
    (b'{"response": "x", "options": {"min_groundedness": NaN}}', 422, "invalid"),
    (b'{"response": "x", "namespace": "nowhere"}', 404, "unknown_namespace"),
    (b'{"response": "x", "namespace": "' + b"n" * 300 + b'"}', 422, "invalid"),
    (b"[" * 40 + b"]" * 40, 400, "too_deep"),
    (b'{"a":' * 9000, 400, "too_deep"),
    (b'{"response": "' + b"x" * 200_000 + b'"}', 413, "too_large"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD, ids=[str(body[:30]) for body, _, _ in BAD])
def test_a_bad_request_is_told_in_one_sentence_what_is_wrong(client, body, status, code):
    answer = client.post("/v1/verify", content=body, headers={"Content-Type": "application/json"})
    error(answer, status, code)


@pytest.mark.parametrize(
    "metadata",
    ['{"a": NaN}', '{"a": Infinity}', '{"a": [1]}', '{"a": "\\u0000"}', '{"\\ud800": 1}', '{"a": 1e999}'],
)
def test_metadata_that_could_not_be_given_back_is_refused(client, metadata):
    body = f'{{"source": "m.md", "text": "Some text.", "metadata": {metadata}}}'
    answer = client.post("/v1/documents", content=body, headers={"Content-Type": "application/json"})
    error(answer, 422, "invalid")


def test_a_body_that_is_not_said_to_be_json_is_refused(client):
    answer = client.post("/v1/verify", content=b'{"response": "x"}', headers={"Content-Type": "text/plain"})
    error(answer, 415, "wrong_type")


def test_a_hundred_megabytes_are_refused_before_they_are_sent_and_while_they_come(client, server):
    def sent(size):
        for _ in range(size // 65_536):
            yield b"x" * 65_536

    declared = client.post("/v1/verify", content=b"x" * 300_000)
    error(declared, 413, "too_large")
    for route in ("/v1/verify", "/v1/documents/upload"):
        try:
            answer = client.post(route, content=sent(100_000_000))
        except httpx.TransportError:  # the server closes before all was sent
            continue
        error(answer, 413, "too_large")
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("name", ["%2e%2e%2fetc", "a.b", "x" * 200, "%00", "..%5c"])
def test_an_id_that_is_none_is_not_looked_for(client, name):
    assert client.get(f"/v1/documents/{name}").status_code in {404, 422}


def test_unknown_routes_and_methods_are_named_so(client):
    error(client.get("/v2/verify"), 404, "not_found")
    error(client.get("/v1/verify"), 405, "wrong_method")
    error(client.put("/v1/documents", json={}), 405, "wrong_method")


def test_the_clients_own_request_id_is_kept_where_it_is_plain(client):
    given = client.get("/healthz", headers={"X-Request-Id": "abc-1.2"})
    assert given.headers["x-request-id"] == "abc-1.2"
    for odd in ("a b", "x" * 65, "a;b"):
        made = client.get("/healthz", headers={"X-Request-Id": odd})
        assert len(made.headers["x-request-id"]) == 16


def test_no_page_of_another_origin_is_let_in(client):
    for headers in ({"Origin": "https://example.org"}, {"Origin": "null"}, {"Host": "example.org"}):
        answer = client.post("/v1/verify", json={"response": "x"}, headers=headers)
        error(answer, 403, "forbidden")
        assert "access-control-allow-origin" not in answer.headers
    asked = client.options(
        "/v1/verify", headers={"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    )
    assert asked.status_code in {403, 405}
    own = client.post(
        "/v1/verify", json={"response": "The fee is 5 EUR."}, headers={"Origin": str(client.base_url)}
    )
    assert own.status_code == 200


def test_the_log_has_a_line_of_json_for_each_request_and_no_text_of_anybody(client, server):
    secret = "Zanzibar-Quokka"
    answer = client.post("/v1/verify", json={"response": f"The {secret} fee is 5 EUR.", "prompt": secret})
    client.post("/v1/search", json={"query": secret})
    client.get("/v1/documents", params={"namespace": secret})
    client.get(f"/v1/{secret}")
    client.post("/v1/verify", content=secret.encode(), headers={"Content-Type": "application/json"})
    line = server.record_of(answer.headers["x-request-id"])
    assert (line["method"], line["route"], line["status"]) == ("POST", "/v1/verify", 200)
    assert secret not in "\n".join(server.log)
