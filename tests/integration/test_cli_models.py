"""Another NLI model by one line of configuration, as a person meets it: refused, weights learnt, then used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli import run

pytest.importorskip("torch")

from benchmarks.random_models import make
from signals.nli.export import export

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
    (tmp_path / "verifier.toml").write_text(f'[signals.nli]\nmodel = "{model}"\n')
    return tmp_path


def test_weights_of_another_model_are_refused_and_the_command_in_the_message_mends_it(place: Path) -> None:
    refused = run("evaluate", "labels.jsonl", "--limit", "5", cwd=place)
    assert (refused.returncode, refused.stdout) == (2, "")
    [line] = refused.stderr.splitlines()
    assert "no weights were learnt with NLI model" in line
    command = line.split("learn them: verifier ")[1].split(", then set")[0].split()
    assert "--learn-weights" in command
    given = ["labels.jsonl" if word == "LABELLED.jsonl" else word for word in command]
    learnt = run(*given, "--target-error", "0.4", cwd=place)
    assert learnt.returncode == 0, learnt.stderr
    with (place / "verifier.toml").open("a") as configuration:
        configuration.write(f"{line.split('then set ')[1].replace('] ', ']' + chr(10))}\n")
    judged = run("evaluate", "labels.jsonl", "--limit", "5", "--json", cwd=place)
    assert judged.returncode == 0, judged.stderr
    assert json.loads(judged.stdout)["n"] == 5
    doctor = run("doctor", cwd=place)
    assert "ok       verdict weights: learnt with NLI model" in doctor.stdout


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
    assert line.endswith("run: pip install 'rag-verifier[transformers]'")
