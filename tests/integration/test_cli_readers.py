"""``verifier readers list|fit|test``, as a person calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.support.cli import run as start
from tests.support.inside import run
from tests.support.labelled import write_archive
from verifier.interfaces.cli.app import app
from verifier.measure import labelled
from verifier.measure.kept import Shelf
from verifier.verification.decision.verdict import Fusion

pytest.importorskip("torch")

from verifier_signals.nli.export import export

from benchmarks.random_models import make


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random model of three classes, exported."""
    root = tmp_path_factory.mktemp("model")
    export(make("bert", root / "torch"), root / "onnx")
    return root / "onnx"


@pytest.fixture
def place(tmp_path: Path, model: Path) -> Path:
    """A folder with the model as the reader."""
    (tmp_path / "verifier.toml").write_text(f'[reader]\ntype = "classifier"\nmodel = "{model}"\n')
    return tmp_path


def test_list_names_the_readers_and_marks_the_one_in_use(tmp_path: Path) -> None:
    done = run("readers", "list", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    rows = {row["reader"]: row for row in found["readers"]}
    assert {"embedded", "classifier", "chat", "systemone", "decisions"} <= rows.keys()
    assert [name for name, row in rows.items() if row["in_use"]] == ["embedded"]
    assert rows["embedded"]["weights"] == found["model"]["weights"] == "shipped"
    assert found["kept"] == []


def test_list_says_that_a_model_has_no_weights_yet_and_what_learns_them(place: Path, model: Path) -> None:
    done = run("readers", "list", cwd=place)
    assert done.returncode == 0, done.stderr
    assert f"NLI model: {model}, fingerprint " in done.stdout
    assert "weights: none yet (the first check learns them; or now: verifier readers fit)" in done.stdout


def test_list_says_that_a_model_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "verifier.toml").write_text('[reader]\ntype = "classifier"\nmodel = "./nowhere"\n')
    done = run("readers", "list", cwd=tmp_path)
    assert done.returncode == 3
    assert "NLI model: ./nowhere, no model folder at nowhere" in done.stdout


def test_the_embedded_model_reads_the_examples_rightly(tmp_path: Path) -> None:
    done = run("readers", "test", "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)["examples"]
    assert [row["answer"] for row in rows] == [row["right"] for row in rows]
    assert all(abs(sum(row["probabilities"].values()) - 1) < 1e-3 and row["seconds"] > 0 for row in rows)


def test_examples_that_are_read_wrongly_are_told(place: Path) -> None:
    done = run("readers", "test", cwd=place)
    assert done.returncode == 0
    assert "are its labels in the right order?" in done.stderr
    assert run("readers", "test", "--quiet", cwd=place).stderr == ""


@pytest.mark.parametrize("table", ["reader", "signals.nli"])
def test_a_reader_that_fails_is_exit_3_by_the_new_table_and_by_the_old(
    tmp_path: Path, model: Path, table: str
) -> None:
    kind = 'type = "classifier"\n' if table == "reader" else ""
    labels = 'labels = ["entailment", "not_entailment"]\n'
    (tmp_path / "verifier.toml").write_text(f'[{table}]\n{kind}model = "{model}"\n{labels}')
    done = run("readers", "test", cwd=tmp_path)
    assert done.returncode == 3
    assert str(model) in done.stdout
    assert "failed: the NLI model has 3 outputs but 2 labels" in done.stdout


def test_there_is_nothing_to_learn_for_the_embedded_model(tmp_path: Path) -> None:
    done = run("readers", "fit", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "weights for embedded model come with the package" in done.stderr


def test_fit_learns_and_keeps_or_writes_a_fusion_file(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled, "ARCHIVE", write_archive(place / "claims.tar.xz"))
    monkeypatch.setenv("VERIFIER_CACHE_DIR", str(place / "cache"))
    monkeypatch.chdir(place)
    written = CliRunner().invoke(app, ["readers", "fit", "--output", "fusion.json"])
    assert written.exit_code == 0, written.output
    assert "in use with: [verdict] fusion = 'fusion.json'" in written.output
    assert [*Shelf.of_user()] == []
    kept = CliRunner().invoke(app, ["readers", "fit", "--json", "--quiet"])
    assert kept.exit_code == 0, kept.output
    [file] = Shelf.of_user()
    assert json.loads(kept.output)["file"] == str(file.path)
    assert file.fusion is not None
    assert file.fusion.weights == Fusion.load(place / "fusion.json").weights
    listed = CliRunner().invoke(app, ["readers", "list"])
    assert "learnt from labelled claims of the package" in listed.output
    assert "current" in listed.output


def test_fit_refuses_a_place_that_it_cannot_write_to_before_it_learns(place: Path) -> None:
    for output in (place, place / "nowhere" / "fusion.json"):
        done = start("readers", "fit", "--output", output, cwd=place, timeout=60)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"error: cannot write {output}: ")
