"""The reliability curve: its bins, its error with an interval, and how it is drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from verifier.measure.metrics import expected_calibration_error
from verifier.measure.reliability import as_bars, as_svg, reliability


def _rows(n: int, seed: int = 0, push: float = 0.0) -> tuple[list[float], list[bool]]:
    """Probabilities, and events that come true as often as they say; ``push`` makes the statements too sure."""
    random = np.random.default_rng(seed)
    chances = random.random(n)
    stated = np.clip(chances + push * (chances - 0.5), 0, 1)
    return stated.tolist(), (random.random(n) < chances).tolist()


def test_every_row_is_in_one_bin_and_equal_probabilities_share_theirs() -> None:
    stated = [0.2] * 37 + [0.7] * 50 + [0.9] * 13
    curve = reliability(stated, [value > 0.5 for value in stated])
    assert [(item.low, item.high, item.n) for item in curve.bins] == [
        (0.2, 0.2, 37),
        (0.7, 0.7, 50),
        (0.9, 0.9, 13),
    ]
    assert curve.ece == pytest.approx((37 * 0.2 + 50 * 0.3 + 13 * 0.1) / 100)


def test_exact_probabilities_show_no_more_error_than_chance() -> None:
    curve = reliability(*_rows(3000))
    assert curve.ece < 2 * curve.by_chance
    assert curve.by_chance < 0.03


def test_statements_that_are_too_sure_show_it_beyond_chance() -> None:
    curve = reliability(*_rows(3000, push=0.8))
    assert curve.interval[0] > 2 * curve.by_chance


@pytest.mark.parametrize("n", [1, 5, 9, 55])
def test_few_rows_make_few_bins_and_a_wide_interval(n: int) -> None:
    curve = reliability(*_rows(n))
    assert len(curve.bins) == max(1, n // 10)
    assert 0 <= curve.interval[0] <= curve.interval[1] <= 1


@pytest.mark.parametrize("push", [0.0, 0.3, 1.0])
def test_the_interval_covers_the_error_of_endless_rows(push: float) -> None:
    truth = expected_calibration_error(*_rows(50_000, push=push)) if push else 0.0
    assert truth is not None
    inside = 0
    for seed in range(30):
        low, high = reliability(*_rows(120, seed + 1, push=push)).interval
        inside += low <= truth <= high
    assert inside >= 21


def test_the_order_of_rows_changes_no_bin() -> None:
    stated, happened = _rows(200)
    assert reliability(stated[::-1], happened[::-1]).bins == reliability(stated, happened).bins


def test_no_rows_and_nan_are_refused() -> None:
    for stated in ([], [float("nan")]):
        with pytest.raises(ValueError, match="needs rows"):
            reliability(stated, [True] * len(stated))


def test_bars_are_as_long_as_what_came_true_and_mark_what_was_stated() -> None:
    [_, low, high, ece] = as_bars(
        reliability([0.25] * 10 + [0.75] * 10, [False] * 10 + [True] * 10)
    ).splitlines()
    assert (low.count("█"), high.count("█")) == (0, 39)
    assert low.index("|") < high.index("|")
    assert ece.startswith("ECE 0.250")


def test_the_drawing_is_xml_with_a_point_for_each_bin_and_names_spelt_safely() -> None:
    curve = reliability(*_rows(300))
    drawn = as_svg({"before": curve, "after <b>": curve}, "support & more")
    root = ET.fromstring(drawn)
    assert len(root.findall("{*}g/{*}circle")) == 2 * len(curve.bins)
    assert root.findtext("{*}g/{*}title") == "support & more"
    for circle in root.findall("{*}g/{*}circle"):
        assert 50 <= float(circle.attrib["cx"]) <= 450
        assert 50 <= float(circle.attrib["cy"]) <= 450
