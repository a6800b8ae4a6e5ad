"""The model card: every figure from a stored file, every set with its licence, whose weights and which mixes."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean

import pytest

from benchmarks.evaluation import REAL
from training.arguments import MODEL, RESULTS
from training.card import licences, write_card
from training.figures import pairs_section, shared_section, weakest
from training.history import Blend, MixStep, read_history

COMMANDS = r"""
python -m training mix --mix runs/mix1 --written 6 --seed 1
python -m training train --mix runs/mix1 --run runs/1 --rate 4e-4   # stopped early
python -m training export --run runs/1
# Then further, twice:
python -m training train --from signals/verifier_signals/models/nli --mix runs/mix1 \
    --run runs/2 --max-length 160
python -m training mix --mix runs/mix2 --genres trade tables --written 3
python -m training train --from runs/2 --mix runs/mix2 --run runs/3
python -m training blend runs/3 --from signals/verifier_signals/models/nli --share 0.25 --run runs/4
python -m training blend runs/4 --from runs/2 --share 0.5 --run runs/5
python -m training export --run runs/5 --model build/tried
python -m training export --run runs/5
python -m benchmarks.signals
"""
README = """
| set | n | labels | words | NB | AUC | licence | kind | origin | note |
| one.train | 3 | x | 1/2 | 0 | 0 | **P** MIT | logic | someone/one `data/*/train|test/*_{a,b}.tsv` | cap |
| two.dev | 3 | x | 1/2 | 0 | 0 | **U** unstated | logic | someone/two `a\\|b` | |
| three.dev | 3 | x | 1/2 | 0 | 0 | | logic | someone/three | |
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a README that states the licences of two sets of three."""
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    return tmp_path


def write_mix_rows(folder: Path, sources: list[str], drawn_from: dict[str, int]) -> None:
    folder.mkdir()
    rows = [
        {"premise": f"P {n}.", "hypothesis": f"Claim {n % 2}.", "label": "neutral", "source": source}
        for n, source in enumerate(sources)
    ]
    (folder / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "counts.json").write_text(json.dumps(drawn_from), encoding="utf-8")


@pytest.fixture
def card(data: Path) -> str:
    """The card of a model that two mixes were read for."""
    model, results = data / "model", data / "results"
    for folder in (model, results):
        folder.mkdir()
    write_mix_rows(
        data / "mix1",
        ["one.train", *["written/date"] * 3, "written/unit"],
        {"one.train": 9, "two.dev": 2, "written/date": 3, "written/unit": 1},
    )
    write_mix_rows(data / "mix2", ["written/date"] * 3 + ["one.train"] * 2, {})
    (results / "commands.sh").write_text(COMMANDS, encoding="utf-8")
    config = {
        "architecture": "split",
        "shape": {"encoder_layers": 6, "joint_layers": 2},
        "trained_pairs": 1234,
        "temperature": 1.1,
        "calibration": {"ece_before": 0.05, "ece": 0.0329, "pairs": 500},
    }
    (model / "config.json").write_text(json.dumps(config), encoding="utf-8")
    write_card(data, data / "mix1", model, results)
    return (model / "CARD.md").read_text(encoding="utf-8")


def test_a_bar_between_backticks_parts_no_cells(data: Path) -> None:
    assert licences(data, ["two.dev", "one.train"]) == {
        "two.dev": ("U unstated", "someone/two `a|b`"),
        "one.train": ("P MIT", "someone/one `data/*/train|test/*_{a,b}.tsv`"),
    }


def test_sets_without_a_licence_are_refused_by_name(data: Path) -> None:
    with pytest.raises(
        LookupError, match=r"README\.md states no licence of three\.dev, four\.train: add a row"
    ):
        licences(data, ["one.train", "three.dev", "four.train"])


def test_the_counts_are_those_of_the_pairs_in_the_mix(card: str) -> None:
    assert "`mix1`: 5 of 15 pairs that it was drawn from" in card
    assert "| one.train | 1 of 9 | 1 | P MIT | someone/one `data/*/train\\|test/*_{a,b}.tsv` |  |" in card
    assert "| two.dev | 0 of 2 |" in card


def test_written_claims_are_counted_apart_from_their_repetitions(card: str) -> None:
    plain = " ".join(card.split())
    assert "And 4 pairs of claims about passages" in plain
    assert "They are 2 different claims" in plain
    assert "date 3, unit 1." in plain


def test_a_later_mix_is_told_with_its_counts(card: str) -> None:
    plain = " ".join(card.split())
    assert (
        "After it came `mix2`: 5 pairs, 3 of them of 2 different written claims, from `trade`, `tables`."
        in plain
    )


def test_the_calibration_error_stands_beside_the_temperature(card: str) -> None:
    plain = " ".join(card.split())
    assert "temperature 1.1. The calibration error of entailment on 500 held-back pairs is 0.0329" in plain


def test_the_weights_are_followed_through_every_averaging(data: Path, card: str) -> None:
    history = read_history(data / "results" / "commands.sh")
    assert history.blends == [
        Blend("4", "3", "signals/verifier_signals/models/nli", 0.25),
        Blend("5", "4", "2", 0.5),
    ]
    assert history.weights == pytest.approx({"1": 0.375, "2": 0.5, "3": 0.125})
    assert history.mixes == [MixStep("mix1"), MixStep("mix1"), MixStep("mix2", ("trade", "tables"))]
    assert history.after("mix1") == history.mixes[2:]
    assert history.after("mix2") == history.after("mix9") == []
    assert "In all 0.375 of run 1, 0.5 of run 2, 0.125 of run 3" in " ".join(card.split())


def test_where_it_is_weak_follows_from_the_figures(tmp_path: Path) -> None:
    figures = {"a": (0.7, 0.8), "b": (0.6, 0.5), "c": (0.9, 0.95), "d": (0.8, 0.1), "e": (0.75, 0.7)}
    table = {
        name: {
            "model": {"balanced_accuracy": model, "auroc": 0.9},
            "overlap": {"balanced_accuracy": overlap, "auroc": 0.8},
        }
        for name, (model, overlap) in figures.items()
    }
    table["unknown"] = {system: {"balanced_accuracy": None, "auroc": None} for system in ("model", "overlap")}
    (tmp_path / "int8.json").write_text(json.dumps({"sets": table, "rows": {}}), encoding="utf-8")
    lowest, overlap = weakest(tmp_path)
    assert [part[0] for part in lowest.split("`")[1::2]] == ["b", "a", "e", "d"]
    assert " ".join(overlap.split()).endswith(" on `a` 0.800 against 0.700, `c` 0.950 against 0.900.")


def test_nothing_is_told_that_is_not_stored(tmp_path: Path) -> None:
    assert not [*weakest(tmp_path), *pairs_section(tmp_path), *shared_section(tmp_path, 5)]


def test_the_last_row_against_pairs_seen_is_the_model_in_the_package() -> None:
    stored = json.loads((RESULTS / "against_pairs.json").read_text(encoding="utf-8"))["models"]
    config = json.loads((MODEL / "config.json").read_text(encoding="utf-8"))
    table = json.loads((RESULTS / "int8.json").read_text(encoding="utf-8"))["sets"]
    last = [row for row in stored if row["shipped"]][-1]
    told = "add a row for the new model to training/results/against_pairs.json"
    assert last["pairs"] == config["trained_pairs"], told
    for figure in ("balanced_accuracy", "auroc"):
        assert last[figure] == pytest.approx(mean(table[name]["model"][figure] for name in REAL), abs=1e-5), (
            told
        )


def test_figures_against_pairs_seen_are_those_of_their_files() -> None:
    stored = json.loads((RESULTS / "against_pairs.json").read_text(encoding="utf-8"))["models"]
    checked = 0
    for row in [*stored, *(row["against"] for row in stored if "against" in row)]:
        name, _, system = row["source"].partition(", system ")
        if system:
            table = json.loads((RESULTS / name).read_text(encoding="utf-8"))["sets"]
            for figure in ("balanced_accuracy", "auroc"):
                assert row[figure] == pytest.approx(
                    mean(table[one][system][figure] for one in REAL), abs=1e-5
                )
            checked += 1
    assert checked >= 6


def test_every_row_of_the_curve_names_its_mix() -> None:
    points = [json.loads(line) for line in (RESULTS / "curve.jsonl").read_text().splitlines()]
    assert all(point.get("mix") for point in points)
    assert points == sorted(points, key=lambda point: point["seen"])
