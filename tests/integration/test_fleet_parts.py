"""Each part of the benchmark over a tiny data set of its own: every figure is there, and what is missing says why."""

from __future__ import annotations

import json
import lzma
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks import databases
from benchmarks.fleet import __main__ as fleet
from benchmarks.fleet import database, documents, engines, growth, stores
from benchmarks.fleet.rows import Options, Row, Run

ANIMALS = ("otters", "herons", "beavers", "voles", "swans", "badgers", "hares", "owls")
PLACES = ("Lund", "Bergen", "Turku", "Aarhus", "Visby")


def write(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(file, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    facts = [
        f"The park of {place} has {4 + n} {animal}." for n, animal in enumerate(ANIMALS) for place in PLACES
    ]
    said = [
        f"{place} counted {10 * m + n} {animal}"
        for m, place in enumerate(PLACES)
        for n, animal in enumerate(ANIMALS)
    ]
    said += [f"{one} in spring" for one in said] + [f"{one} in autumn" for one in said]
    corpus = [{"_id": f"d{n}", "text": text} for n, text in enumerate(facts)]
    write(folder / "retrieval" / "fm2_dev" / "corpus.jsonl.xz", corpus[:20])
    write(folder / "retrieval" / "wice_dev" / "corpus.jsonl.xz", corpus[20:])
    write(folder / "retrieval" / "fm2_dev" / "queries.jsonl.xz", [{"text": one} for one in said])
    pairs = [{"premise": fact, "hypothesis": one} for fact, one in zip(facts * 3, said, strict=True)]
    write(folder / "train" / "a.jsonl.xz", pairs)
    return folder


@pytest.fixture
def options(data: Path, tmp_path: Path) -> Options:
    return Options(data, tmp_path, size=40, queries=4, rows=3, passages=40, claims=2)


def figures(rows: Sequence[Row], what: str) -> dict[str, float]:
    return {row.system: row.figure for row in rows if row.what == what and row.figure is not None}


def test_stores_are_measured_over_the_same_vectors_and_a_missing_one_has_its_row(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    needed = {"lancedb": ("no_such_module",)}
    monkeypatch.setattr(databases, "NEEDS", {**databases.NEEDS, **needed})
    names = {"memory": "ours", "qdrant-memory": "Qdrant", "lancedb": "LanceDB"}
    if databases.missing("pgvector-hnsw") is None:
        names["pgvector-hnsw"] = "pgvector"
    monkeypatch.setattr(stores, "NAMES", names)
    rows = list(stores.rows(options))
    measured = set(names.values()) - {"LanceDB"}
    assert set(figures(rows, "a query, median")) == measured
    assert figures(rows, "recall@10") == dict.fromkeys(measured, 1.0)
    assert all(figure > 1 for figure in figures(rows, "memory while asked").values())
    reasons = {row.system: row.not_run for row in rows if row.not_run}
    assert reasons["LanceDB"] == "needs no_such_module"
    assert reasons["Qdrant, HNSW"].startswith("needs a Qdrant server")


def test_growth_has_points_and_slopes(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "BASES", (10, 20))
    monkeypatch.setattr(growth, "LENGTHS", (500, 1000, 1500))
    monkeypatch.setattr(growth, "ROUNDS", 1)
    rows = list(growth.rows(replace(options, claims=4)))
    points = [row.at for row in rows if row.what == "disk, by passages"]
    assert points == [10, 20, 40]
    claims = [row.at for row in rows if row.what == growth.CLAIMS]
    assert claims[0] == 1
    slopes = {row.what: row.error for row in rows if row.unit == "power"}
    assert set(slopes) == {
        "growth with claims",
        "growth with characters, as many claims",
        "growth with passages",
    }
    assert all(error is not None and error >= 0 for error in slopes.values())
    assert {growth.PER_CLAIM, growth.WITHOUT_CLAIMS, growth.PASSAGES, growth.MEMORY, growth.DISK} <= {
        row.what for row in rows
    }


def test_a_base_in_postgresql_is_measured_in_client_and_server(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why := databases.missing("pgvector-half"):
        pytest.skip(why)
    monkeypatch.setattr(database, "BASES", (10, 20, 40))
    monkeypatch.setattr(database, "ANSWERS", 1)
    rows = list(database.rows(options))
    assert figures(rows, database.PASSAGES) == {"ours": 40.0}
    for what in (database.INGEST, database.CLAIM):
        assert set(figures(rows, what)) == {database.CLIENT, database.SERVER}
        assert figures(rows, what)[database.CLIENT] > 0
    assert figures(rows, database.DISK)["ours"] > 0


def test_engines_are_timed_and_ray_says_what_it_needs(
    options: Options, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engines, "ROUNDS", 1)
    monkeypatch.setattr(engines, "RAY", tmp_path / "none")
    rows = list(engines.rows(options))
    systems = {"ours, 1 process of 1 thread", "ours, 1 process", "ours, 2 processes"}
    assert set(figures(rows, engines.RATE)) == set(figures(rows, engines.SPENT)) == systems
    assert [row.not_run for row in rows if row.not_run] == ["needs .venv-ray, which make test-ray makes"]
    ratios = figures(rows, "batch, times as fast with two processes")
    rates = figures(rows, engines.RATE)
    assert ratios["against ours, 1 process"] == pytest.approx(
        rates["ours, 2 processes"] / rates["ours, 1 process"]
    )


def test_a_command_that_fails_says_so() -> None:
    with pytest.raises(RuntimeError, match=r"gave exit code 3: no room"):
        engines.timed([sys.executable, "-c", "import sys; sys.stderr.write('no room'); sys.exit(3)"])


def test_without_the_data_every_part_says_what_it_needs(tmp_path: Path) -> None:
    for part in (stores, growth, database, engines):
        (row,) = part.rows(Options(None, tmp_path))
        assert row.not_run == "needs the evaluation data (--data or VERIFIER_DATA)"


def test_the_command_refuses_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    for wrong, told in (
        (["--parts", "stores,speed"], "no part speed: choose from"),
        (["--size", "0"], "--size must be at least 1"),
        (["--show", str(tmp_path / "broken.json")], "broken.json holds no figures"),
        (["--show", str(tmp_path / "none.json")], "none.json"),
        (["--document", str(tmp_path / "none.json")], "none.json"),
    ):
        with pytest.raises(SystemExit) as ended:
            fleet.main(wrong)
        assert ended.value.code == 2
        assert told in capsys.readouterr().err.splitlines()[-1]


def test_the_documents_print_the_run_that_lies_beside_them(capsys: pytest.CaptureFixture[str]) -> None:
    page = documents.PAGE.read_text(encoding="utf-8")
    run = Run.read(documents.FIGURES)
    commands = [
        line for line in page.splitlines() if line.startswith("<!-- printed: python -m benchmarks.fleet")
    ]
    assert len(commands) > 3
    for line in commands:
        module, *words = line.removeprefix("<!-- printed: python -m ").removesuffix(" -->").split()
        main = "benchmarks.fleet.__main__" if module == "benchmarks.fleet" else module
        import_module(main).main(
            [str(documents.ROOT / word) if word.startswith("docs/") else word for word in words]
        )
        assert capsys.readouterr().out.strip() in page, f"{line}: run python -m benchmarks.fleet --document"
    assert documents.PICTURE.exists()
    assert run.rows
