"""``verifier batch`` with real workers: each row as a check of its own has it, in order, whatever the others are."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
import typer

import verifier
from tests.support.stores import REFUNDS, SHIPPING
from verifier.config import Settings
from verifier.core.errors import KnowledgeBaseError, MissingExtra, VerifierError
from verifier.factory import open_store
from verifier.interfaces.batch.checking import Checker
from verifier.interfaces.batch.columns import Columns
from verifier.interfaces.batch.rows import Row
from verifier.interfaces.batch.source import Source
from verifier.interfaces.cli import exits
from verifier.interfaces.cli.batch import EngineName, batch
from verifier.interfaces.library import verify_against
from verifier.verification.report import to_json

CONFIGURATION = '[backend]\ntype = "bm25"\n\n[signals]\nnli = false\n'
ANSWERS = [
    ("Refunds are paid within 30 days.", None),
    ("Refunds are paid within 60 days.", None),
    ("The day pass costs 12 EUR.", ["A day pass costs 12 EUR."]),
    ("The day pass costs 15 EUR.", [{"text": "A day pass costs 12 EUR.", "source": "prices.md"}]),
    ("Parcels leave the warehouse on the next working day.", None),
]


def settings(base: Path) -> Settings:
    signals = {**Settings().signals, "nli": False}
    return Settings.model_validate(
        {"backend": {"type": "bm25"}, "signals": signals, "kb": {"path": str(base)}}
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a knowledge base and a configuration."""
    folder = tmp_path_factory.mktemp("batch")
    with open_store(settings(folder / "kb"), create=True) as store:
        store.ingest([REFUNDS, SHIPPING])
    (folder / "verifier.toml").write_text(CONFIGURATION)
    rows = [{"id": f"r{n}", "response": text, "contexts": given} for n, (text, given) in enumerate(ANSWERS)]
    rows += [
        {"id": "other", "response": "Dogs travel free.", "namespace": "pets"},
        {"id": "r0", "response": "x"},
    ]
    (folder / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture(scope="module")
def ended(place: Path) -> tuple[int, dict[str, Any]]:
    """A whole run, by one worker: several of them are the matter of ``test_batch_run``. Its exit code and summary."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(TextIOWrapper(BytesIO())) as said:
        patch.chdir(place)
        with pytest.raises(typer.Exit) as left:
            batch(Path("in.jsonl"), Path("out.jsonl"), workers=1, json_=True)
    return left.value.exit_code, json.loads(said.buffer.getvalue())


@pytest.fixture(scope="module")
def records(place: Path, ended: tuple[int, dict[str, Any]]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (place / "out.jsonl").read_text().splitlines()]


def test_each_row_gets_the_report_that_a_check_of_its_own_gives(place: Path, records: list[dict]) -> None:
    assert [one["row"] for one in records] == list(range(1, len(ANSWERS) + 3))
    own = settings(place / "kb")
    with open_store(own) as store:
        for record, (text, contexts) in zip(records, ANSWERS, strict=False):
            if contexts is not None:
                report = verifier.verify(text, contexts, settings=own)
            else:
                report = verify_against(text, store, settings=own)
            assert record["report"] == to_json(report)
            assert record["decision"] == report.decision.value
    assert [one["decision"] for one in records[:4]] == ["approved", "rejected", "approved", "rejected"]


def test_rows_that_cannot_be_checked_say_why_and_the_summary_counts_them(
    ended: tuple[int, dict[str, Any]], records: list[dict]
) -> None:
    code, summary = ended
    assert code == exits.INCOMPLETE
    assert records[5]["error"]["message"] == (
        "namespace 'pets' of the knowledge base holds nothing; those that do: default"
    )
    assert records[6]["error"]["message"] == "row 1 has the same id"
    assert summary["decisions"] == {"approved": 3, "rejected": 2}
    assert summary["errors"] == {
        "row": {
            "rows": 2,
            "first": "row 6: namespace 'pets' of the knowledge base holds nothing; those that do: default",
        }
    }
    assert summary["slowest"][0]["seconds"] >= summary["slowest"][-1]["seconds"] > 0


REFUSED = [
    ("in.jsonl", "in.jsonl", None, "lies in what is read"),
    ("answers", "answers/out.jsonl", None, "lies in what is read"),
    ("none.jsonl", "new.jsonl", None, "no such file or folder"),
    ("in.jsonl", "new.csv", None, "records are written as JSON lines; name it new.jsonl"),
    ("in.jsonl", "new.jsonl", "pets", "namespace 'pets' of the knowledge base holds nothing"),
    ("in.jsonl", "no/new.jsonl", None, "cannot write no/new.jsonl"),
    ("verifier.toml", "new.jsonl", None, "of no kind that a batch is read from"),
]


@pytest.mark.parametrize(("source", "output", "namespace", "said"), REFUSED)
def test_what_cannot_work_is_one_error_and_makes_no_output(
    place: Path, monkeypatch: pytest.MonkeyPatch, source: str, output: str, namespace: str | None, said: str
) -> None:
    monkeypatch.chdir(place)
    Path("answers").mkdir(exist_ok=True)
    with pytest.raises(VerifierError, match=said) as raised:
        batch(Path(source), Path(output), namespace=namespace, quiet=True)
    assert exits.of_error(raised.value) == exits.USAGE
    assert not Path("new.jsonl").exists()


UNUSABLE = [
    ("response=reply", True, r"no 'reply'; it has: id, response, contexts; name the column with --columns"),
    ("contexts=passages", True, "no row has a column 'passages'"),
    ("contexts=", False, "no row brings contexts, and there is no knowledge base"),
]


@pytest.mark.parametrize(("columns", "has_base", "said"), UNUSABLE)
def test_a_column_that_no_row_has_is_one_error_and_the_right_one_can_follow(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str, has_base: bool, said: str
) -> None:
    monkeypatch.chdir(place if has_base else tmp_path)
    rows, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given = [{"id": n, "response": text, "contexts": [text]} for n, (text, _) in enumerate(ANSWERS[:2])]
    rows.write_text("not JSON\n" + "".join(json.dumps(row) + "\n" for row in given))
    with pytest.raises(VerifierError, match=said) as raised:
        batch(rows, output, columns=columns, quiet=True)
    assert exits.of_error(raised.value) == exits.USAGE
    assert list(tmp_path.iterdir()) == [rows]


def test_a_row_that_lacks_what_others_have_is_an_error_of_its_own(tmp_path: Path) -> None:
    rows = [
        {"id": "a"},
        {"id": "b", "reply": "x", "namespace": "n"},
        {"id": "c", "reply": "y", "contexts": []},
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = Source(tmp_path / "in.jsonl", columns=Columns.parsed("response=reply,namespace=namespace"))
    source.ensure_usable(has_base=False)
    (tmp_path / "in.jsonl").write_text("")
    source.ensure_usable(has_base=False)


def test_the_ray_engine_without_ray_is_one_error(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"pip install 'rag-claim-verifier\[ray\]'"):
        batch(Path("in.jsonl"), Path("new.jsonl"), engine=EngineName.RAY, quiet=True)
    assert not Path("new.jsonl").exists()


@pytest.fixture
def checker(place: Path, tmp_path: Path) -> Iterator[Checker]:
    """Over a copy of the knowledge base."""
    shutil.copytree(place / "kb", tmp_path / "kb")
    found = Checker(settings(tmp_path / "kb"), has_base=True, sleep=lambda _seconds: None)
    yield found
    found.close()


def test_a_knowledge_base_that_goes_away_stops_the_run_and_no_row_is_to_blame(
    checker: Checker, tmp_path: Path
) -> None:
    row = Row(1, "1", "Refunds are paid within 30 days.")
    before = checker.record(row)
    (tmp_path / "kb").rename(tmp_path / "away")
    with pytest.raises(KnowledgeBaseError, match="put it back"):
        checker.record(row)
    (tmp_path / "away").rename(tmp_path / "kb")
    assert checker.record(row) == before


def test_what_a_row_brings_is_its_own_fault(checker: Checker) -> None:
    said = [checker.record(Row(1, "1", "Text.", contexts))["error"] for contexts in ((), (" ",), ({"a": 1},))]
    assert [one["kind"] for one in said] == ["row"] * 3
    assert said[0]["message"].startswith("there are no contexts")
    assert said[1]["message"].startswith("context 1 is blank")
    assert checker.record(Row(2, "2", ""))["decision"] == "nothing_to_check"


SHORT_OF_MEMORY = """
import json, resource, sys
from verifier.config import Settings
from verifier.interfaces.batch.checking import Checker
from verifier.interfaces.batch.worker import _answer
small = json.dumps({"number": 1, "id": 1, "response": "Ash is 12 m tall.", "contexts": ["Ash is 12 m tall."]})
big = small.replace('["', "[" + '{"text": "a"}, ' * 400_000 + '"')
checker = Checker(Settings.model_validate(json.loads(sys.argv[1])), has_base=False)
found = [_answer(checker, small)]
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 30_000_000, used + 30_000_000))
found += [_answer(checker, big), _answer(checker, small)]
print(json.dumps([{**one, "seconds": 0} for one in found]))
"""


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="the system does not tell a process its size"
)
def test_a_row_for_which_memory_is_short_is_an_error_of_its_own(place: Path) -> None:
    given = settings(place / "kb").model_dump_json()
    said = subprocess.run(
        [sys.executable, "-c", SHORT_OF_MEMORY, given], capture_output=True, text=True, check=True
    )
    before, short, after = json.loads(said.stdout)
    assert short["error"] == {"kind": "memory", "message": "there was not enough memory to read it"}
    assert before == after
    assert after["decision"] == "approved"
