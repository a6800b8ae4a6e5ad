"""``verifier compare`` as a person meets it: a table, JSON and a picture over every backend, or one clear line."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import chromadb
import pytest
from typer.testing import CliRunner

from tests.support import inside
from tests.support.chroma_server import chroma_server
from verifier.core.errors import VerifierError
from verifier.interfaces.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
EVERY = ("memory", "bm25", "hybrid", "chroma", "colbert", "ann")


run = partial(inside.run, VERIFIER_SIGNALS__NLI="false")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo knowledge base and its labelled queries."""
    folder = tmp_path_factory.mktemp("compare")
    done = run("ingest", ROOT / "corpora" / "demo" / "kb", cwd=folder)
    assert done.returncode == 0, done.stderr
    shutil.copy(ROOT / "corpora" / "demo" / "queries.jsonl", folder)
    return folder


def state(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()}


def test_every_backend_over_the_demo_base_as_json_and_as_a_picture(place: Path) -> None:
    before = state(place / "kb")
    options = ("--queries", "queries.jsonl", "-k", "3", "--json", "--quiet", "--plot", "all.svg")
    done = run("compare", "--backends", ",".join(EVERY), *options, cwd=place, VERIFIER_RETRIEVAL__TOP_K="1")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [row["name"] for row in found["backends"]] == list(EVERY)
    assert (found["queries"], found["labelled"], found["claims"], found["skipped"]) == (10, 10, 8, 2)
    assert found["recall_against"] == "labels"
    assert found["notes"] == ["the NLI signal is switched off: verdicts rest on the rule signals alone"]
    for row in found["backends"]:
        assert row["error"] is None
        assert 0 < row["recall"] <= 1
        assert 0 < row["ndcg_at_10"] <= 1
        assert 0 < row["p50_ms"] <= row["p95_ms"]
        assert row["index_bytes"] > 1000
        assert row["build_seconds"] > 0
        assert sum(row["verdicts"].values()) == 8
    for flip in found["flips"]:
        assert set(flip["outcomes"]) == set(EVERY)
        assert len({outcome["verdict"] for outcome in flip["outcomes"].values()}) > 1
    ElementTree.parse(place / "all.svg")
    assert state(place / "kb") == before


def test_nested_tables_and_the_configured_backend_are_compared_and_a_missing_model_is_a_row(
    place: Path,
) -> None:
    (place / "verifier.toml").write_text('[backend]\ntype = "bm25"\nk1 = 0.9\n')
    (place / "tables.toml").write_text(
        '[small]\ntype = "memory"\nencoder = {type = "hashing", dimension = 64}\n\n'
        '[sorted-again]\ntype = "reranked"\nreranker = {type = "embedded", model = "nowhere"}\n'
        '[sorted-again.inner]\ntype = "bm25"\n'
    )
    names = "configured,small,sorted-again"
    options = ("--backend-file", "tables.toml", "--queries", "queries.jsonl", "--config", "verifier.toml")
    done = run("compare", "--backends", names, *options, cwd=place)
    assert done.returncode == 3, done.stdout + done.stderr
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line[:1].isalpha()}
    assert float(rows["configured"][0]) > 0
    assert float(rows["small"][0]) > 0
    assert rows["sorted-again"][0] == "failed:"
    assert "nowhere" in done.stdout
    assert "claims flip; 2 texts without a claim" in done.stdout
    (place / "verifier.toml").unlink()


def test_what_was_stored_on_a_server_is_taken_away(place: Path) -> None:
    with chroma_server() as port:
        (place / "served.toml").write_text(
            f'[served]\ntype = "chroma"\nhost = "127.0.0.1"\nport = {port}\n\n[words]\ntype = "bm25"\n'
        )
        options = ("--queries", "queries.jsonl", "--no-verdicts", "--json")
        done = run("compare", "--backend-file", "served.toml", *options, cwd=place)
        assert done.returncode == 0, done.stdout + done.stderr
        [served, _] = json.loads(done.stdout)["backends"]
        assert served["recall"] > 0
        assert served["index_bytes"] is None
        assert chromadb.HttpClient("127.0.0.1", port).list_collections() == []


REFUSED: tuple[tuple[tuple[str, ...], str], ...] = (
    ((), "nothing to compare: give --backends, of ann, bm25"),
    (("--backends", "memory,chrome"), "unknown backend 'chrome'; known: ann, bm25, chroma"),
    (("--backends", "memory"), "at least two different backends; given: memory"),
    (("--backends", "memory,memory"), "at least two different backends"),
    (("--backends", "memory,"), "unknown backend ''"),
    (("--backends", "memory,bm25", "--kb", "gone"), "no knowledge base at gone"),
    (("--backends", "memory,bm25", "--namespace", "x"), "holds nothing; namespaces that do: default"),
    (("--backends", "memory,bm25", "--queries", "gone.jsonl"), "cannot read gone.jsonl"),
    (("--backends", "memory,bm25", "--queries", "bad.jsonl"), "bad.jsonl, line 1: 'gone.md' is no document"),
    (("--backends", "memory,bm25", "--limit", "3"), "--limit is of the queries"),
    (("--backends", "memory,bm25", "--plot", "x.png"), "give a name that ends in .svg"),
    (("--backends", "memory,bm25", "--queries", "q.svg", "--plot", "q.svg"), "would overwrite"),
    (("--backends", "memory,bm25", "--response", "a.md", "--no-verdicts"), "--no-verdicts says that none"),
    (("--backend-file", "gone.toml"), "cannot read gone.toml"),
    (("--backend-file", "torn.toml"), "torn.toml is malformed"),
    (("--backend-file", "empty.toml"), "empty.toml holds no table"),
    (("--backend-file", "typeless.toml"), "[a] must be a table with a 'type'"),
    (("--backend-file", "lie.toml"), "a table cannot be named 'memory', which means something else"),
    (("--backend-file", "key.toml"), "unknown key backend.k2 for backend 'bm25'"),
)
FILES = {
    "bad.jsonl": '{"query": "x", "relevant": ["gone.md"]}\n',
    "q.svg": '{"query": "x"}\n',
    "torn.toml": "[a\n",
    "empty.toml": "",
    "typeless.toml": "[a]\nk1 = 1.0\n",
    "lie.toml": '[memory]\ntype = "bm25"\n',
    "key.toml": '[a]\ntype = "bm25"\nk2 = 1.0\n\n[b]\ntype = "memory"\n',
}


@pytest.mark.parametrize(
    ("options", "message"), REFUSED, ids=lambda part: part if isinstance(part, str) else ""
)
def test_bad_input_gets_one_clear_line_and_nothing_is_printed(
    place: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(place)
    for name, text in FILES.items():
        Path(name).write_text(text)
    done = CliRunner().invoke(app, ["compare", *options])
    assert isinstance(done.exception, VerifierError), done.output
    assert message in str(done.exception)
    assert "\n" not in str(done.exception)
    assert done.stdout == ""


def test_bad_input_is_exit_2(place: Path) -> None:
    done = run("compare", "--backends", "memory,chrome", cwd=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_a_response_without_a_claim_is_nothing_to_check(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    Path("greeting.md").write_text("Hello! How are you?")
    options = ["--backends", "memory,bm25", "--queries", "queries.jsonl", "--response", "greeting.md"]
    done = CliRunner().invoke(app, ["compare", *options])
    assert done.exit_code == 3
    assert "no claims were judged: 1 text without one" in done.stdout
