"""The evaluation table: how far one system is above another, over the sets that have a figure for both."""

import pytest

from benchmarks.evaluation import differences


def test_a_difference_is_in_points_of_the_mean_of_the_real_sets() -> None:
    sets = {
        "frank.valid": {
            "int8": {"balanced_accuracy": 0.70, "auroc": 0.80},
            "float": {"balanced_accuracy": 0.71, "auroc": 0.80},
        },
        "begin_tc.dev": {
            "int8": {"balanced_accuracy": 0.60, "auroc": None},
            "float": {"balanced_accuracy": 0.60, "auroc": 0.50},
        },
        "made.up": {
            "int8": {"balanced_accuracy": 0.1, "auroc": 0.1},
            "float": {"balanced_accuracy": 0.9, "auroc": 0.9},
        },
    }
    [line] = differences({"sets": sets}, "int8", ["float"])
    assert line == (
        "int8 against float, mean of 2 sets: -0.50 points of balanced accuracy, +0.00 points of AUROC"
    )


@pytest.mark.parametrize("others", [[], ["float", "larger"]])
def test_each_of_the_others_has_its_line(others: list[str]) -> None:
    figures = {name: {"balanced_accuracy": 0.5, "auroc": None} for name in ("int8", "float", "larger")}
    found = list(differences({"sets": {"made.up": figures}}, "int8", others))
    assert [line.split()[2] for line in found] == [f"{name}," for name in others]
    assert all(line.endswith("no AUROC") for line in found)
