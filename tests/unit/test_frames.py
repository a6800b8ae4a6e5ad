"""Figures as tables: the same values in Markdown, CSV, Parquet and a data frame, and one clear error without pandas."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from tests.support.checked import judged
from tests.support.inside import inside
from verifier.core.errors import ConfigError, MissingExtra
from verifier.core.frames import Table, write_tables
from verifier.measure.comparison import Comparison, Flip, Measured, Outcome

ROWS = [
    {"name": "a|b", "share": 0.25, "n": 1, "more": ["x"], "mixed": 1},
    {"name": "c\nd", "share": 1, "n": None, "mixed": "one", "late": True},
]


def test_markdown_keeps_every_value_in_its_cell() -> None:
    assert Table(ROWS).as_markdown().splitlines()[2:] == [
        '| a\\|b | 0.250 | 1 | ["x"] | 1 |  |',
        "| c d | 1.000 |  |  | one | True |",
    ]


def test_csv_and_parquet_are_read_back_by_others_as_they_were(tmp_path: Path) -> None:
    Table(ROWS).write(tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    assert read[1] == {"name": "c\nd", "share": "1.0", "n": "", "more": "", "mixed": "one", "late": "True"}
    Table(ROWS).write(tmp_path / "t.parquet")
    [first, second] = pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pylist()
    assert first == {"name": "a|b", "share": 0.25, "n": 1, "more": '["x"]', "mixed": "1", "late": None}
    assert second["late"] is True


def test_markdown_holds_all_tables_and_other_files_the_first(tmp_path: Path) -> None:
    tables = {"Figures": Table([{"n": 1}]), "None": Table([]), "Pairs": Table([{"m": 2}])}
    write_tables(tables, tmp_path / "t.md")
    assert (
        tmp_path / "t.md"
    ).read_text() == "## Figures\n\n| n |\n| --- |\n| 1 |\n\n## Pairs\n\n| m |\n| --- |\n| 2 |\n"
    write_tables(tables, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "n\n1\n"


def test_a_report_is_a_data_frame_with_a_row_a_claim() -> None:
    frame = judged().report.to_df()
    assert [*frame["verdict"]] == ["supported", "contradicted", "fabricated"]
    wrong = frame[frame["verdict"] == "contradicted"].iloc[0]
    assert (wrong["claim_says"], wrong["evidence_says"]) == ("within 60 days", "within 30 days")
    assert wrong["evidence"].startswith("An annual plan is refunded in full within 30 days.")
    nothing = judged("# Only a heading\n").report.to_df()
    assert len(nothing) == 0
    assert "verdict" in nothing.columns


@pytest.mark.parametrize("module", ["pandas", "pyarrow"])
def test_without_its_library_one_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install 'rag-claim-verifier\[tables\]'"):
        Table(ROWS).to_df() if module == "pandas" else Table(ROWS).write(tmp_path / "t.parquet")


def test_a_name_that_says_no_format_is_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"t\.xlsx: a table is written as \.md, \.csv, \.parquet"):
        Table(ROWS).write(tmp_path / "t.xlsx")
    with pytest.raises(ConfigError, match="cannot write"):
        Table(ROWS).write(tmp_path / "nowhere" / "t.csv")


def test_a_comparison_has_a_row_a_backend_and_one_a_flip() -> None:
    over = {"bm25": Outcome("supported", 0.9, 0.9, "", "nli"), "ann": Outcome("error", None, None, "", None)}
    measured = (
        Measured("bm25", {"type": "bm25"}, recall=1.0, verdicts={"supported": 3}),
        Measured("ann", {"type": "ann"}, error="no room"),
    )
    flips = (Flip("It is so.", over),)
    found = Comparison("d", "h", 9, 5, 3, "own", 3, "labels", 3, 0, measured, flips)
    assert [*found.to_df()["recall_at_5"].fillna(-1)] == [1.0, -1]
    assert "| bm25 | bm25 | 1.000 |" in found.tables()["Backends"].as_markdown()
    assert found.tables()["Flips"].as_csv() == "claim,bm25,ann\nIt is so.,supported,error\n"


def test_evaluate_writes_figures_and_rows_as_tables(tmp_path: Path) -> None:
    said = "Fees are paid within 30 days."
    rows = [
        {"premise": said, "hypothesis": said, "label": "entailment", "topic": "a"},
        {"premise": said, "hypothesis": said.replace("30", "60"), "label": "contradiction", "topic": "b"},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    asked = ("evaluate", "rows.jsonl", "--by", "topic")
    done = inside(tmp_path, *asked, "--output", "f.parquet", "--rows", "r.csv")
    assert done.exit_code == 0, done.output
    figures = pyarrow.parquet.read_table(tmp_path / "f.parquet").to_pylist()
    assert [(row["group"], row["n"], row["accuracy"]) for row in figures] == [
        ("all", 2, 1.0),
        ("a", 1, 1.0),
        ("b", 1, 1.0),
    ]
    with (tmp_path / "r.csv").open(newline="") as file:
        assert [row["predicted"] for row in csv.DictReader(file)] == ["supported", "contradicted"]
    over = inside(tmp_path, *asked, "--output", "rows.jsonl")
    assert "would overwrite" in str(over.exception)
