"""``verifier calibrate`` as a person meets it: fifty labels in, a fusion file that is used, or a clear refusal."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from tests.support import inside

TOWNS = ("Arden", "Brill", "Corve", "Dunmore", "Elsdon")


run = partial(inside.run, VERIFIER_SIGNALS__NLI="false")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with sixty labelled claims, of which one in five is wrong by its number."""
    rows = []
    for n in range(60):
        premise = f"The library of {TOWNS[n % 5]} opened in {1900 + n} and is run by the county."
        wrong = n // 5 % 5 == 4
        claim = f"The library of {TOWNS[n % 5]} opened in {1950 + n if wrong else 1900 + n}."
        label = "contradiction" if wrong else "entailment"
        rows.append({"premise": premise, "hypothesis": claim, "label": label})
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_few_labels_set_a_threshold_and_say_so_and_the_file_is_used(place: Path) -> None:
    done = run(
        *(
            "calibrate",
            "labels.jsonl",
            "--target-error",
            "0.1",
            "--output",
            "fusion.json",
            "--plot",
            "curve.svg",
        ),
        cwd=place,
    )
    assert done.returncode == 0, done.stderr
    assert "the weights in use are kept, and only the threshold is set" in done.stderr
    assert (
        "of claims like these that are called supported, at most 10.0% are not (90% confidence)"
        in done.stdout
    )
    assert done.stdout.count("ECE ") == 2
    assert (place / "curve.svg").read_text().startswith("<svg")
    (place / "verifier.toml").write_text('[verdict]\nfusion = "fusion.json"\n')
    judged = run("evaluate", "labels.jsonl", "--json", cwd=place)
    assert judged.returncode == 0, judged.stderr
    guarantee = json.loads((place / "fusion.json").read_text())["figures"]["guarantee"]
    assert json.loads(judged.stdout)["acceptance"][0]["accepted"] == guarantee["accepted"]


def test_json_carries_the_promise_and_both_curves(place: Path) -> None:
    options = ("--only-threshold", "--target-error", "0.2", "--confidence", "0.8", "--json")
    done = run("calibrate", "labels.jsonl", *options, "--output", "f.json", cwd=place)
    figures = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert figures["guarantee"]["upper_bound"] <= figures["guarantee"]["target_error"] == 0.2
    assert {"before", "after"} == figures["reliability"].keys()


def test_a_promise_that_cannot_be_kept_shows_the_curve_and_writes_no_file(place: Path) -> None:
    options = ("--target-error", "0.01", "--quiet", "--output", "f.json", "--plot", "curve.svg")
    done = run("calibrate", "labels.jsonl", *options, cwd=place)
    assert done.returncode == 2
    assert done.stdout.startswith("probability of support before\n")
    assert done.stdout.count("ECE ") == 2
    [line] = done.stderr.splitlines()
    assert "at least 230 accepted claims" in line
    assert "labels or more" in line
    assert (place / "curve.svg").read_text().count("ECE ") == 2
    assert not (place / "f.json").exists()


def test_json_has_the_curve_of_a_promise_that_cannot_be_kept(place: Path) -> None:
    options = ("--target-error", "0.01", "--quiet", "--json", "--output", "f.json")
    done = run("calibrate", "labels.jsonl", *options, cwd=place)
    assert done.returncode == 2
    assert json.loads(done.stdout)["reliability"].keys() == {"before", "after"}
    assert not (place / "f.json").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--target-error", "0"), "the target error is a share between 0 and 1"),
        (("--target-error", "0.1", "--confidence", "1.5"), "the confidence is a share between 0 and 1"),
        (("--plot", "curve.png"), "give a name that ends in .svg"),
        (("--learn-weights",), "20 labelled claims of each verdict are needed"),
        (("--plot", "./labels.jsonl"), "would overwrite"),
    ],
)
def test_bad_options_get_one_clear_line(place: Path, options: tuple[str, ...], message: str) -> None:
    done = run("calibrate", "labels.jsonl", "--quiet", *options, "--output", "f.json", cwd=place)
    assert done.returncode == 2, done.stdout
    [line] = done.stderr.splitlines()
    assert message in line
    assert not (place / "f.json").exists()
