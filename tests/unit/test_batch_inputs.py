"""Inputs of a batch: every kind is read row by row, and a bad row is an error of its own and of no other."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from verifier.core.errors import ConfigError
from verifier.interfaces.batch import inputs, lines
from verifier.interfaces.batch.inputs import Unread, raw_rows
from verifier.interfaces.batch.lines import BoundedLines, TooLong
from verifier.interfaces.batch.rows import Refused, Row, checked_rows

ROW = {"id": "a", "response": "Yes.", "contexts": ["One.", {"text": "Two.", "source": "two.md"}]}


def read(path: Path) -> list[Row | Refused]:
    return list(checked_rows(raw_rows(path)))


def reasons(path: Path) -> list[str]:
    """Why a row is refused, empty for a good one."""
    return [getattr(row, "reason", "") for row in read(path)]


def test_json_lines_are_read_as_they_stand_compressed_or_not(tmp_path: Path) -> None:
    text = (
        json.dumps(ROW) + "\n\n" + json.dumps({"response": "No.", "source": "Why.", "prompt": "So?"}) + "\n"
    )
    (tmp_path / "in.jsonl").write_text(text)
    (tmp_path / "in.ndjson.gz").write_bytes(gzip.compress(text.encode()))
    expected = [
        Row(1, "a", "Yes.", ("One.", {"text": "Two.", "source": "two.md"})),
        Row(2, "2", "No.", ("Why.",), "So?"),
    ]
    assert read(tmp_path / "in.jsonl") == read(tmp_path / "in.ndjson.gz") == expected


BAD = [
    ('{"response": "cut of', "not JSON: Unterminated string"),
    ("[1]", "a JSON list, where an object is expected"),
    ('{"reply": "x"}', "no 'response'; it has: reply; name the column with --columns response=NAME"),
    (
        '{"response": "x", "answer": "y"}',
        "'response' and 'answer': choose one with --columns response=response",
    ),
    ('{"response": 7}', "'response' is of type int"),
    ('{"response": "x", "contexts": 7}', "'contexts' is of type int"),
    ('{"response": "x", "contexts": [], "source": "y"}', "give one of them"),
    ('{"response": "x", "source": "y", "namespace": "n"}', "give one of them"),
    ('{"response": "x", "id": [1]}', "'id' is of type list"),
    ('{"response": "x", "id": "a"}', "row 1 has the same id"),
    ('{"response": "\udce9"}', "not text in UTF-8"),
]


def test_a_bad_row_is_an_error_of_its_own(tmp_path: Path) -> None:
    rows = [json.dumps(ROW), *(line for line, _ in BAD), '{"response": "good"}']
    (tmp_path / "in.jsonl").write_bytes("\n".join(rows).encode("utf-8", "surrogateescape"))
    found = reasons(tmp_path / "in.jsonl")
    assert found[0] == found[-1] == ""
    for reason, (line, expected) in zip(found[1:-1], BAD, strict=True):
        assert expected in reason, line


def test_a_row_of_many_megabytes_is_passed_over_without_being_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "BoundedLines", lambda file: BoundedLines(file, 1000))
    good = '{"response": "good"}'
    (tmp_path / "in.jsonl").write_text(f'{good}\n{{"response": "{"x" * 20_000}"}}\n{good}\n')
    (tmp_path / "in.csv").write_text(f"response,id\ngood,1\n{'x' * 20_000},2\ngood,3\n")
    for name in ("in.jsonl", "in.csv"):
        first, long, last = reasons(tmp_path / name)
        assert (first, last) == ("", "")
        assert "characters; at most" in long


def test_the_length_of_a_line_is_told_and_the_next_one_read() -> None:
    found = BoundedLines(io.StringIO("ab\n" + "x" * 50 + "\ncd"), most=10)
    assert next(found) == "ab\n"
    with pytest.raises(TooLong, match=f"the row has 51 characters; at most {lines.MOST:,}"):
        next(found)
    assert list(found) == ["cd"]


def test_cells_are_named_by_the_header_and_contexts_may_be_a_list(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(
        'id,response,contexts,prompt\na,"Yes,\nit is.","[""One."", ""Two.""]",\nb,No.,One.,Why?\nc,x\n'
        'd,x,"[broken",\ne,fine,Two.,\n'
    )
    first, second, short, broken, last = read(tmp_path / "in.csv")
    assert first == Row(1, "a", "Yes,\nit is.", ("One.", "Two."))
    assert second == Row(2, "b", "No.", ("One.",), "Why?")
    assert short == Refused(3, "3", "2 cells, where the header has 4")
    assert broken == Refused(4, "d", "'contexts' begins as a JSON list and is none")
    assert last == Row(5, "e", "fine", ("Two.",))


def test_parquet_is_read_in_batches(tmp_path: Path) -> None:
    table = pytest.importorskip("pyarrow").Table
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"id": n, "response": f"r{n}", "contexts": [f"c{n}"] if n % 2 else None} for n in range(150)]
    path = tmp_path / "in.parquet"
    parquet.write_table(table.from_pylist(rows), path)
    assert read(path)[149] == Row(150, 149, "r149", ("c149",))
    assert read(path)[148] == Row(149, 148, "r148")
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ConfigError, match="cannot be read as Parquet"):
        read(path)


def test_the_documents_of_a_folder_are_responses(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# B\n\nTwo.")
    (tmp_path / "a.txt").write_text("One.")
    (tmp_path / "c.pdf").write_bytes(b"no pdf")
    (tmp_path / "d.bin").write_bytes(b"\0")
    left: list[str] = []
    first, second, broken = raw_rows(tmp_path, lambda name, reason: left.append(f"{name}: {reason}"))
    assert (first, second) == ({"id": "a.txt", "response": "One."}, {"id": "b.md", "response": "# B\n\nTwo."})
    assert isinstance(broken, Unread)
    assert broken.id == "c.pdf"
    assert left == ["d.bin: unknown format .bin"]


def test_what_is_no_input_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "in.xlsx").write_bytes(b"PK")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"response": "x"}\n' * 5000)[:-20])
    with pytest.raises(ConfigError, match=r"of no kind that a batch is read from: \.jsonl"):
        read(tmp_path / "in.xlsx")
    with pytest.raises(ConfigError, match="damaged from here on"):
        read(tmp_path / "cut.jsonl.gz")
    with pytest.raises(ConfigError, match="no such file"):
        read(tmp_path / "none.jsonl")
