"""What a user meets who gets something wrong says what to do: a message for each mistake, and its exit code."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.support.cli import VERIFIER
from tests.support.inside import inside, run
from verifier import BM25Backend, GroundTruthStore
from verifier.config import Settings
from verifier.core.errors import ConfigError, VerifierError
from verifier.factory import build_chat
from verifier.interfaces.cli.doctor import EXTRAS
from verifier.interfaces.cli.serve import _bound
from verifier.measure.rows import BadRow, read_rows

ROOT = Path(__file__).resolve().parents[2]


def test_a_folder_with_nothing_to_read_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "logo.png").write_bytes(b"\x89PNG")
    done = run("ingest", "empty", "images", cwd=tmp_path)
    assert done.returncode == 3
    assert "nothing to read in empty" in done.stderr
    assert "not read: logo.png" in done.stderr
    emptied = run("ingest", "empty", "--prune", cwd=tmp_path)
    assert emptied.returncode == 0


def test_a_file_in_the_place_of_a_response_is_not_reviewed_as_one(tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text("The fee is 5 euros.")
    done = run("review", "--response", "answer.md", "--no-kb", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--response - < answer.md" in done.stderr


def test_on_a_screen_the_reason_of_a_halt_begins_a_line(tmp_path: Path) -> None:
    with GroundTruthStore(BM25Backend(), tmp_path / "kb", create=True) as store:
        store.add("fees.md", "The fee is 5 euros. The office closes at 17:00.")
    (tmp_path / "verifier.toml").write_text('[backend]\ntype = "bm25"\n[signals]\nnli = false\n')
    screen, end = os.openpty()
    try:
        done = subprocess.run(
            [VERIFIER, "stream"],
            cwd=tmp_path,
            input=b"The fee is 5 euros. The fee is 9 euros.",
            stdout=end,
            stderr=subprocess.PIPE,
            check=False,
        )
        shown = os.read(screen, 1000)
    finally:
        os.close(screen)
        os.close(end)
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith(b"halted")
    assert shown == b"The fee is 5 euros. \r\n"


def test_a_port_in_use_is_said_with_the_options_that_choose_another() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ConfigError, match=r"in use; choose another address with --host, --port"):
            _bound("127.0.0.1", taken.getsockname()[1])


def test_no_chat_model_is_said_with_where_to_name_one() -> None:
    with pytest.raises(ConfigError, match=r"under \[llm\] in verifier\.toml, or VERIFIER_LLM__MODEL"):
        build_chat(Settings().llm)


def test_a_row_without_a_verdict_is_told_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"claim": "It is so."}\n{"claim": "It is so.", "verdict": "yes"}\n')
    first, second = [row for row in read_rows(tmp_path / "rows.jsonl") if isinstance(row, BadRow)]
    assert first.reason.startswith("no 'verdict' or 'label'; one of contradicted, ")
    assert second.reason.startswith("label 'yes' is none of contradicted, ")


def test_doctor_knows_every_extra() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert EXTRAS.keys() == declared["optional-dependencies"].keys() - {"all", "dev"}


def test_a_search_that_finds_nothing_to_the_point_says_so(tmp_path: Path) -> None:
    with GroundTruthStore(BM25Backend(), tmp_path / "kb", create=True) as store:
        store.add("fees.md", "The fee is 5 euros. Refunds are paid within 30 days.")
    good, foreign = ("When are refunds paid?", "Which euros did the emperors of Byzantium mint in Ravenna?")
    told = {query: inside(tmp_path, "search", query, "--json") for query in (good, foreign)}
    assert told[good].stderr == ""
    assert told[foreign].stderr.startswith("no passage has half of what the query names")
    assert told[foreign].exit_code == 0
    shares = {query: json.loads(done.stdout)[0]["coverage"] for query, done in told.items()}
    assert shares[foreign] < 0.5 < shares[good]
    assert inside(tmp_path, "search", foreign, "--quiet").stderr == ""


def test_a_configuration_of_a_folder_above_is_said_not_to_be_read(tmp_path: Path) -> None:
    below = tmp_path / "work" / "deep"
    below.mkdir(parents=True)
    (tmp_path / "verifier.toml").write_text("[retrieval]\ntop_k = 3\n")
    done = inside(below, "config", "show", "--json")
    assert "../../verifier.toml is not read" in done.stderr
    assert json.loads(done.stdout)["file"] is None
    assert "is not read" not in inside(below, "search", "fees", "--quiet").stderr
    named = inside(below, "config", "show", "--config", "../../verifier.toml")
    assert (named.stderr, "retrieval.top_k = 3  # ../../verifier.toml" in named.stdout) == ("", True)
    assert "\n# file: ../../verifier.toml\n" in named.stdout
    (tmp_path / "work" / ".git").mkdir()
    assert inside(below, "config", "show").stderr == ""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["verify", "a.md"], r"ingest PATH --kb kb; or check against files.*--source FILE"),
        (["report", "a.md"], r"or name files to check against: verifier report DRAFT SOURCE"),
        (["verify", "a.md", "--source", "empty.md"], r"no text to check against: empty\.md: empty"),
        (["verify", "a.md", "--source", "s.md", "--output", "no/x.json"], r"there is no folder no; make it"),
        (
            ["verify", "a.md", "--source", "s.md", "--also", "json=here"],
            r"--also here is a folder; name a file",
        ),
        (["explain", "list.json", "1"], r"list\.json is no report; one is what verify --json writes"),
        (["explain", "a.md", "1"], r"is not JSON: .*; a report is what verify --json writes"),
        (["evaluate", "list.json"], r'holds no usable row; one is a line of JSON: \{"claim": '),
    ],
)
def test_a_mistake_on_the_command_line_is_told_with_what_to_do(
    tmp_path: Path, asked: list[str], said: str
) -> None:
    (tmp_path / "here").mkdir()
    for name, text in (
        ("a.md", "The fee is 7."),
        ("s.md", "The fee is 5."),
        ("empty.md", ""),
        ("list.json", "[1]"),
    ):
        (tmp_path / name).write_text(text)
    done = inside(tmp_path, *asked)
    assert isinstance(done.exception, VerifierError)
    assert re.search(said, str(done.exception))


def test_a_detail_that_a_format_does_not_have_is_told(tmp_path: Path) -> None:
    (tmp_path / "s.md").write_text("The fee is 5 euros.")
    asked = ("verify", "--text", "The fee is 5 euros.", "--source", "s.md", "--detail", "full")
    done = inside(tmp_path, *asked, "--format", "markdown")
    assert (done.exit_code, "--detail full changes nothing of markdown" in done.stderr) == (0, True)
    assert inside(tmp_path, *asked, "--json").stderr == ""
