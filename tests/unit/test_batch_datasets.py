"""Data sets as inputs of a batch: what ``save_to_disk`` writes, folders of Parquet, and columns of other names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verifier.core.errors import ConfigError
from verifier.interfaces.batch.columns import Columns
from verifier.interfaces.batch.lines import MOST
from verifier.interfaces.batch.rows import Refused, Row, checked_rows
from verifier.interfaces.batch.source import Source

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def rows_of(first: int, count: int) -> list[dict]:
    return [
        {"id": n, "answer": f"a{n}", "retrieved_contexts": [f"c{n}"]} for n in range(first, first + count)
    ]


def save(folder: Path, split: str, *shards: list[dict]) -> None:
    """Write a split as ``save_to_disk`` does: shards in Arrow's stream format, named by a file of its state."""
    folder.mkdir(parents=True)
    names = [f"data-{n:05}-of-{len(shards):05}.arrow" for n in range(len(shards))]
    for name, rows in zip(names, shards, strict=True):
        table = arrow.Table.from_pylist(rows)
        with arrow.OSFile(str(folder / name), "wb") as file, arrow.ipc.new_stream(file, table.schema) as out:
            out.write_table(table, max_chunksize=100)
    state = {"_data_files": [{"filename": name} for name in names], "_split": split}
    (folder / "state.json").write_text(json.dumps(state))
    (folder / "dataset_info.json").write_text("{}")


def read(path: Path, split: str | None = None, columns: str = "") -> list[Row | Refused]:
    source = Source(path, split, Columns.parsed(columns))
    rows = list(source.rows())
    assert source.count() == len(rows)
    return rows


def test_a_saved_split_is_read_shard_by_shard(tmp_path: Path) -> None:
    save(tmp_path / "set", "test", rows_of(0, 150), rows_of(150, 30))
    rows = read(tmp_path / "set")
    assert len(rows) == 180
    assert rows[149] == Row(150, 149, "a149", ("c149",))
    assert read(tmp_path / "set", "test")[179] == Row(180, 179, "a179", ("c179",))
    with pytest.raises(ConfigError, match="holds one split, test: leave --split out"):
        read(tmp_path / "set", "train")


def test_of_several_saved_splits_one_is_chosen(tmp_path: Path) -> None:
    for name, first in (("train", 0), ("test", 10)):
        save(tmp_path / "set" / name, name, rows_of(first, 2))
    (tmp_path / "set" / "dataset_dict.json").write_text('{"splits": ["train", "test"]}')
    with pytest.raises(ConfigError, match="several splits: choose one with --split: train, test"):
        read(tmp_path / "set")
    assert [row.id for row in read(tmp_path / "set", "test")] == [10, 11]


def test_shards_of_parquet_are_told_from_documents_and_by_split(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for name, first in (("train-00000-of-00002", 0), ("train-00001-of-00002", 5), ("test-00000-of-00001", 9)):
        table = arrow.Table.from_pylist(rows_of(first, 2))
        parquet.write_table(table, tmp_path / "data" / f"{name}.parquet", row_group_size=1)
    (tmp_path / "README.md").write_text("A card.")
    assert [row.id for row in read(tmp_path, "train")] == [0, 1, 5, 6]
    assert [row.id for row in read(tmp_path, "test")] == [9, 10]
    with pytest.raises(ConfigError, match="has no split 'dev'; it has: test, train"):
        read(tmp_path, "dev")
    (tmp_path / "notes.txt").write_text("A document.")
    with pytest.raises(ConfigError, match="--split is for the folder of a data set"):
        read(tmp_path, "train")


def test_shards_of_other_schemas_are_errors_of_their_rows(tmp_path: Path) -> None:
    shards = [{"response": "good"}], [{"text": "x", "id": 7}], [{"response": 1.5}], [{"response": "last"}]
    for number, shard in enumerate(shards):
        parquet.write_table(arrow.Table.from_pylist(shard), tmp_path / f"train-{number}-of-4.parquet")
    good, other, wrong, last = read(tmp_path)
    assert (good, last) == (Row(1, "1", "good"), Row(4, "4", "last"))
    assert isinstance(other, Refused)
    assert (other.id, other.reason.split(";")[0]) == (7, "no 'response'")
    assert wrong == Refused(3, "3", "'response' is of type float: give a text")


def test_a_damaged_or_missing_shard_is_one_error(tmp_path: Path) -> None:
    save(tmp_path / "set", "train", rows_of(0, 300))
    shard = tmp_path / "set" / "data-00000-of-00001.arrow"
    shard.write_bytes(shard.read_bytes()[:-2000])
    with pytest.raises(ConfigError, match="cannot be read as Arrow"):
        read(tmp_path / "set")
    shard.unlink()
    with pytest.raises(ConfigError, match="no such file or folder"):
        read(tmp_path / "set")
    (tmp_path / "set" / "state.json").write_text("{")
    with pytest.raises(ConfigError, match="is not what save_to_disk writes"):
        read(tmp_path / "set")


def test_a_row_of_twenty_megabytes_is_refused_whatever_the_kind_of_file(tmp_path: Path) -> None:
    rows = [{"response": "good"}, {"response": "x" * (2 * MOST)}, {"response": "last"}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "in.parquet")
    for name in ("in.jsonl", "in.parquet"):
        first, long, last = read(tmp_path / name)
        assert (first, last) == (Row(1, "1", "good"), Row(3, "3", "last"))
        assert isinstance(long, Refused)
        assert "characters; at most 10,000,000 are read" in long.reason


NAMES = [
    ("", {"question": "Q", "answer": "A", "contexts": ["c"]}),
    ("", {"user_input": "Q", "response": "A", "retrieved_contexts": ["c"]}),
    ("", {"prompt": "Q", "response": "A", "source": "c"}),
    ("prompt=q, response=reply,contexts=found", {"q": "Q", "reply": "A", "found": ["c"]}),
    (
        "response=answer,source=",
        {"question": "Q", "answer": "A", "response": "B", "contexts": ["c"], "source": "w"},
    ),
]


@pytest.mark.parametrize(("columns", "raw"), NAMES)
def test_columns_are_known_by_the_names_of_other_tools_or_are_named(columns: str, raw: dict) -> None:
    assert list(checked_rows([raw], Columns.parsed(columns))) == [Row(1, "1", "A", ("c",), "Q")]


def test_a_row_with_two_columns_for_one_field_names_the_option() -> None:
    raw = {"response": "A", "question": "Q", "prompt": "P"}
    assert list(checked_rows([raw])) == [
        Refused(1, "1", "'prompt' and 'question': choose one with --columns prompt=prompt")
    ]
    assert list(checked_rows([raw], Columns.parsed("prompt=question"))) == [Row(1, "1", "A", None, "Q")]
    [missing] = checked_rows([raw], Columns.parsed("response=reply,prompt="))
    assert isinstance(missing, Refused)
    assert missing.reason.startswith("no 'reply'; it has: response, question, prompt")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("reply=response", "'reply' is no field; write FIELD=NAME, with one of: id, response"),
        ("response", "'response' is no field"),
        ("response=a,response=b", "a field is named twice"),
    ],
)
def test_columns_that_cannot_be_understood_are_one_error(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Columns.parsed(text)
