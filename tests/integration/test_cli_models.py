"""Another NLI model by one line of configuration, as a person meets it: weights learnt, kept, used, replaced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli import run

pytest.importorskip("torch")

from verifier_signals.nli.export import export

from benchmarks.random_models import make

TOWNS = ("Arden", "Brill", "Corve", "Dunmore", "Elsdon")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random DeBERTa, exported, so that the commands below need no torch."""
    root = tmp_path_factory.mktemp("model")
    export(make("deberta-v2", root / "torch"), root / "onnx")
    return root / "onnx"


@pytest.fixture
def place(tmp_path: Path, model: Path) -> Path:
    """A folder with twenty labelled claims of each verdict, and a configuration of two lines."""
    rows = []
    for n in range(20):
        town, year = TOWNS[n % 5], 1900 + n
        premise = f"The library of {town} opened in {year} and is run by the county."
        for label, claim in (
            ("supported", f"The library of {town} opened in {year}."),
            ("contradicted", f"The library of {town} opened in {year + 40}."),
            ("unverifiable", f"The library of {town} lends maps to schools."),
            ("fabricated", f"Captain Zorvan Quillby sold {n + 3} zeppelins to Emperor Mikkoru."),
        ):
            rows.append({"premise": premise, "hypothesis": claim, "label": label, "documents": [f"d{n}"]})
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "verifier.toml").write_text(f'[reader]\ntype = "classifier"\nmodel = "{model}"\n')
    return tmp_path


def test_the_first_check_learns_weights_without_labels_and_the_next_one_uses_them(place: Path) -> None:
    (place / "source.md").write_text("The library of Arden opened in 1901 and is run by the county.\n")
    check = ("verify", "--text", "The library of Arden opened in 1950.", "--source", "source.md", "--json")
    first = run(*check, cwd=place)
    assert first.returncode == 1, first.stderr
    report = json.loads(first.stdout)
    assert [claim["verdict"] for claim in report["claims"]] == ["contradicted"]
    assert "labelled claims that the package ships, not from yours" in " ".join(report["notes"])
    [line] = first.stderr.splitlines()
    assert line.startswith("learning verdict weights for ")
    assert " from 600 labelled claims of the package: about " in line
    second = run(*check, cwd=place)
    assert (second.returncode, second.stderr) == (1, "")
    assert second.stdout == first.stdout
    listed = run("readers", "list", "--json", cwd=place)
    assert listed.returncode == 0, listed.stderr
    [kept] = json.loads(listed.stdout)["kept"]
    assert (kept["claims"], kept["state"]) == (600, "current")
    doctor = run("doctor", cwd=place)
    assert "ok       verdict weights: learnt with NLI model" in doctor.stdout
    assert "from labelled claims of the package, kept in" in doctor.stdout


def test_labels_of_ones_own_win_and_nothing_is_learnt_from_the_packages(place: Path) -> None:
    learn = (
        "calibrate",
        "labels.jsonl",
        "--learn-weights",
        "--output",
        "fusion.json",
        "--target-error",
        "0.4",
    )
    learnt = run(*learn, cwd=place)
    assert (learnt.returncode, learnt.stderr) == (0, "")
    with (place / "verifier.toml").open("a") as configuration:
        configuration.write('[verdict]\nfusion = "fusion.json"\n')
    judged = run("evaluate", "labels.jsonl", "--limit", "5", "--json", cwd=place)
    assert (judged.returncode, judged.stderr) == (0, "")
    assert json.loads(judged.stdout)["n"] == 5
    assert not (place / ".cache").exists()
    doctor = run("doctor", cwd=place)
    assert "ok       verdict weights: learnt with NLI model" in doctor.stdout


def test_doctor_says_that_weights_will_be_learnt_and_which_command_does_it_now(place: Path) -> None:
    done = run("doctor", cwd=place)
    [line] = [line for line in done.stdout.splitlines() if "verdict weights" in line]
    assert line.startswith("absent   verdict weights: none for NLI model ")
    assert line.endswith("or now: verifier readers fit")
    assert not (place / ".cache").exists()


def test_the_weights_of_that_model_are_refused_for_the_next_one(place: Path) -> None:
    (place / "fusion.json").write_bytes(
        (Path(__file__).parents[2] / "verifier" / "verification" / "fusions" / "nli.json").read_bytes()
    )
    with (place / "verifier.toml").open("a") as configuration:
        configuration.write('[verdict]\nfusion = "fusion.json"\n')
    refused = run("evaluate", "labels.jsonl", "--limit", "5", cwd=place)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "the weights were learnt with NLI model" in refused.stderr
    assert "verifier calibrate LABELLED.jsonl --learn-weights" in refused.stderr


def test_doctor_says_which_model_is_configured_and_whether_it_loads(place: Path, model: Path) -> None:
    done = run("doctor", cwd=place)
    assert f"ok       configured signal nli: {model}, fingerprint " in done.stdout
    (place / "verifier.toml").write_text('[signals.nli]\nmodel = "./nowhere"\n')
    done = run("doctor", cwd=place)
    assert done.returncode == 3
    assert "broken   configured signal nli: no model folder at nowhere" in done.stdout
    (place / "verifier.toml").write_text("")
    assert "ok       configured signal nli: embedded model, fingerprint " in run("doctor", cwd=place).stdout


def test_a_model_that_needs_torch_names_the_extra_where_it_is_missing(place: Path, tmp_path: Path) -> None:
    shim = tmp_path / "shim"
    shim.mkdir()
    for name in ("torch", "transformers"):
        (shim / f"{name}.py").write_text(f"raise ModuleNotFoundError(name={name!r})\n")
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "config.json").write_text(
        '{"architectures": ["BertForSequenceClassification"]}'
    )
    (place / "verifier.toml").write_text('[signals.nli]\nmodel = "./published"\n')
    done = run("evaluate", "labels.jsonl", "--limit", "5", cwd=place, PYTHONPATH=str(shim))
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.endswith("run: pip install 'rag-claim-verifier[transformers]'")
