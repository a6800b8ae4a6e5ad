"""What a server publishes: its OpenAPI, whose examples it takes and from which nothing brings it down; its page."""

import json
import re
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error

from tests.support.llm_server import llm_server, say
from tests.support.server import serving
from verifier.config.server import ServerSettings
from verifier.interfaces import server as server_package
from verifier.interfaces.html import asset

PAGE_CSS = Path(server_package.__path__[0]) / "page" / "page.css"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    texts = {"default": {"refunds.md": "Refunds are paid within 14 days of the return."}}
    with llm_server() as model:
        model.answers = lambda request: say(json.dumps(RATING) if request.schema else "Within 14 days.")
        chosen = {
            "gate.coherence": "local",
            "llm.model": "tiny",
            "llm.base_url": model.openai_url,
            "llm.max_retries": 0,
        }
        with serving(tmp_path_factory.mktemp("openapi"), chosen, documents=texts) as running:
            yield running


RATING = {"reasoning": "good", "relevance": 24, "helpfulness": 24, "accuracy": 24, "completeness": 24}


@pytest.fixture(scope="module")
def described(server):
    with server.client() as client:
        return client.get("/openapi.json").json()


def bodies(described):
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            for kind, content in operation.get("requestBody", {}).get("content", {}).items():
                yield path, method, kind, content


def resolved(described, schema):
    return {
        **schema,
        "components": described["components"],
        "$schema": "https://json-schema.org/draft/2020-12/schema",
    }


def test_every_json_body_has_an_example_that_its_schema_and_the_server_take(server, described):
    tried = 0
    with server.client() as client:
        for path, method, kind, content in bodies(described):
            if kind != "application/json":
                continue
            name = content["schema"]["$ref"].rpartition("/")[2]
            examples = described["components"]["schemas"][name]["examples"]
            assert examples, name
            for example in examples:
                Draft202012Validator(resolved(described, content["schema"])).validate(example)
                answer = client.request(method, path, json=example)
                assert answer.status_code in {200, 201}, (path, answer.text)
                tried += 1
    assert tried >= 9


def test_every_route_says_what_it_may_refuse(described):
    for path, methods in described["paths"].items():
        for operation in methods.values():
            if path.startswith("/v1/"):
                assert {"401", "403", "413", "422", "429", "503"} <= set(operation["responses"]), path


def test_no_request_made_from_the_openapi_is_an_error_of_the_server(server, described):
    """A short run; the long one is in docs/server.md."""
    schema = schemathesis.openapi.from_dict(described)
    schema.config.update(base_url=server.url)
    called = []

    def check(case):
        response = case.call(timeout=120)
        called.append(response.status_code)
        case.validate_response(response, checks=[not_a_server_error])

    few = settings(
        max_examples=4,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for operation in schema.get_all_operations():
        few(given(case=operation.ok().as_strategy())(check))()
    assert len(called) > 40


def test_the_client_in_the_docs_works(server, capsys):
    page = (Path(__file__).resolve().parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python[^\n]*\n(.*?)```", page, re.DOTALL)
    names = {}
    exec(code.replace("http://127.0.0.1:8765", server.url), names)
    assert capsys.readouterr().out.startswith("rejected claim says 30 days, evidence says 14 days")
    with pytest.raises(RuntimeError, match=r"^response: field required$"):
        names["verifier"]("verify", respose="x")
    names["verifier"]._http.close()


def test_the_docs_name_the_limits_as_they_are():
    page = (Path(__file__).resolve().parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
    defaults = ServerSettings()
    for name in ("body_seconds", "request_seconds", "queue", "requests_per_minute", "streams", "max_depth"):
        assert f"`{name}` {getattr(defaults, name):g}" in page


# The page, without a browser


def test_the_page_needs_no_key_and_lets_nothing_in(server):
    with server.client() as client:
        for path, kind in (("/", "text/html"), ("/docs", "text/html"), ("/page/page.js", "text/javascript")):
            answer = client.get(path)
            assert answer.headers["content-type"].startswith(kind)
            policy = dict(
                part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; ")
            )
            assert policy["default-src"] == policy["frame-ancestors"] == policy["trusted-types"] == "'none'"
            assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
            assert "unsafe" not in str(policy)
            assert answer.headers["x-content-type-options"] == "nosniff"
            again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
        assert client.get("/page/report.txt").headers["content-type"].startswith("text/plain")
        for path in (
            "/page/",
            "/page/nothing.js",
            "/page/..%2fapp.py",
            "/page/%2e%2e/app.py",
            "/page/app.py",
        ):
            assert client.get(path).status_code == 404, path
        assert client.post("/").status_code == 405


def test_the_page_has_the_colours_and_letters_of_the_view():
    screen = (css.partition("@media")[0] for css in (PAGE_CSS.read_text(), asset("view.css")))
    page, view = (dict(re.findall(r"(--[\w-]+): ([^;]+);", css)) for css in screen)
    shared = page.keys() & view.keys()
    assert {"--paper", "--ink", "--accent", "--serif", "--sans"} <= shared
    assert {name: page[name] for name in shared} == {name: view[name] for name in shared}


def test_pages_of_others_are_refused_as_before(server):
    with server.client() as client:
        body, other = {"response": "x"}, {"Origin": "https://example.org"}
        assert client.post("/v1/verify/stream", json=body, headers=other).status_code == 403
        assert client.get("/v1/access", headers={"Host": "rebound.example.org"}).status_code == 403
        assert client.get("/v1/access").json()["keys"] is False
        assert "access-control-allow-origin" not in client.get("/").headers
