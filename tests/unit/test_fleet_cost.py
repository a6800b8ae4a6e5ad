"""The cost model: its arithmetic against a calculation by hand, and what it says where a figure is missing."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from benchmarks.fleet import cost, database, growth
from benchmarks.fleet.cost import Assumed, estimate, measured, table
from benchmarks.fleet.fits import line, power
from benchmarks.fleet.rows import Row, Run

ROWS = [
    Row(growth.WITHOUT_CLAIMS, "ours", 20.0, "ms"),
    Row(growth.PER_CLAIM, "ours", 10.0, "ms"),
    Row(growth.PASSAGES, "ours", 5.0, "ms"),
    Row(growth.MEMORY, "ours", 4.0, "KiB"),
    Row(database.PASSAGES, "ours", 1_000.0, ""),
    Row(database.CLAIM, database.CLIENT, 12.0, "ms"),
    Row(database.CLAIM, database.SERVER, 3.0, "ms"),
    Row(database.INGEST, database.CLIENT, 6.0, "ms"),
    Row(database.INGEST, database.SERVER, 4.0, "ms"),
    Row(database.DISK, "ours", 2.0, "KiB"),
]
GIVEN = Assumed(
    passages=1e9, answers=864_000, claims=10, peak=2, load=0.5, cores=10, memory_gib=100, kept=0.5, copies=2
)


def test_points_of_a_known_law_give_its_exponent_and_its_line() -> None:
    found = power([(size, 3.0 * size**1.5) for size in (1, 2, 5, 20, 120)])
    assert found.slope == pytest.approx(1.5)
    assert found.error == pytest.approx(0.0, abs=1e-6)
    assert math.exp(found.intercept) == pytest.approx(3.0)
    straight = line([(1, 5.0), (2, 7.0), (10, 23.0)])
    assert (straight.slope, straight.intercept) == pytest.approx((2.0, 3.0))


def test_the_standard_error_is_that_of_least_squares() -> None:
    points = [(1.0, 1.0), (2.0, 2.5), (3.0, 2.5), (4.0, 4.0)]
    found = line(points)
    residuals = [y - found.intercept - found.slope * x for x, y in points]
    spread = sum((x - 2.5) ** 2 for x, _ in points)
    assert found.error == pytest.approx(math.sqrt(sum(r * r for r in residuals) / 2 / spread))


@pytest.mark.parametrize("points", [[(1, 1.0), (2, 2.0)], [(1, 1.0), (1, 2.0), (1, 3.0)], []])
def test_too_few_points_have_no_slope(points: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match="three points of two sizes"):
        line(points)
    with pytest.raises(ValueError, match="three points of two sizes"):
        power(points)


def test_nothing_at_all_has_no_power() -> None:
    with pytest.raises(ValueError, match="above 0"):
        power([(1, 0.0), (2, 1.0), (3, 2.0)])


def test_the_estimate_is_the_one_by_hand() -> None:
    found = estimate(measured(Run({}, ROWS)), GIVEN)
    assert found.rate == pytest.approx(20.0)  # 864,000 a day are 10 a second
    assert found.verify_cores == pytest.approx(20 * 10 * 0.012 / 0.5)
    assert found.verify_servers == 1
    assert found.stored == pytest.approx(2048e9)
    assert found.shard == pytest.approx(50 * 2**30 / 2048)  # 26 million passages
    assert found.shards == 39
    assert found.search_growth == pytest.approx(math.log(50 * 2**30 / 2048) / math.log(1000))
    assert found.search_cores == pytest.approx(20 * 10 * 0.003 * found.search_growth / 0.5)
    assert found.database_servers == 78
    assert found.disk == pytest.approx(4096e9)
    assert found.first_ingest_core_days == pytest.approx(1e9 * 0.010 / 86_400)
    assert found.daily_ingest_cores == pytest.approx(1e6 * 0.010 / 86_400 / 0.5)
    assert found.scan == pytest.approx(50.0)  # 5 ms for 100,000


def test_a_small_base_is_one_shard_and_many_answers_ask_for_servers_by_cores() -> None:
    found = estimate(measured(Run({}, ROWS)), Assumed(passages=1e6, answers=1e9, claims=10, cores=10))
    assert found.shards == 1
    assert found.database_servers == math.ceil(found.search_cores / 10) > 2
    assert found.verify_servers == math.ceil(found.verify_cores / 10)


def test_the_table_names_every_assumption_and_is_printed_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Run({}, ROWS).write(tmp_path / "bench.json")
    assert cost.main([str(tmp_path / "bench.json"), "--claims", "10"]) == 0
    printed = capsys.readouterr().out
    given = Assumed(claims=10)
    figures = measured(Run({}, ROWS))
    assert printed.strip() == table(figures, given, estimate(figures, given))
    assert all(told in printed for told in cost.TOLD.values())
    assert all(line.startswith("|") for line in printed.splitlines())


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (ROWS[1:], [], "no figure of 'processor time of an answer, beside its claims'"),
        (ROWS, ["--load", "0"], "--load must be above 0"),
        (None, [], "bench.json"),
    ],
)
def test_a_missing_figure_or_file_is_one_line(
    rows: list[Row] | None,
    options: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if rows is not None:
        Run({}, rows).write(tmp_path / "bench.json")
    with pytest.raises(SystemExit) as ended:
        cost.main([str(tmp_path / "bench.json"), *options])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err.splitlines()[-1]
