"""The command line as a person meets it: what it prints, where, with which exit code; bad input in one clear line."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from verifier.verification.report import json_schema

ROOT = Path(__file__).resolve().parents[2]
VERIFIER = Path(sys.executable).with_name("verifier")
REFUNDS = (
    "# Refunds\n\nAn annual plan is refunded in full within 30 days of purchase. "
    "Set-up fees are never refunded.\n"
)


def run(
    *arguments: str | Path, cwd: Path, stdin: str = "", **environ: str
) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("VERIFIER_")}
    return subprocess.run(
        [VERIFIER, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env={**inherited, **environ},
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a document and a knowledge base made from it."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "docs").mkdir()
    (folder / "docs" / "refunds.md").write_text(REFUNDS)
    done = run("ingest", "docs", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_second_ingest_embeds_nothing_and_says_so(place: Path) -> None:
    done = run("ingest", "docs", cwd=place)
    assert (done.returncode, done.stdout) == (0, "1 unchanged; nothing embedded\n")


def test_a_supported_claim_is_approved(place: Path) -> None:
    done = run(
        "verify", "--text", "An annual plan is refunded in full within 30 days of purchase.", cwd=place
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "approved: 1 supported" in done.stdout


def test_a_swapped_number_is_rejected_with_both_values_and_their_place(place: Path) -> None:
    text = "An annual plan is refunded in full within 60 days of purchase."
    done = run("verify", "--text", text, "--json", cwd=place)
    assert done.returncode == 1, done.stdout
    report = json.loads(done.stdout)
    jsonschema.validate(report, json_schema())
    [claim] = report["claims"]
    assert claim["verdict"] == "contradicted"
    assert "60 days" in claim["reason"]
    assert "30 days" in claim["reason"]
    assert "refunds.md" in claim["reason"]
    evidence = claim["evidence"][0]
    assert REFUNDS[evidence["start"] : evidence["end"]] == evidence["text"]


def test_the_same_call_gives_the_same_bytes(place: Path) -> None:
    (place / "answer.md").write_text("Set-up fees are never refunded. Is that all? Refunds take 9 weeks.")
    first, second = (run("verify", "answer.md", "--json", cwd=place).stdout for _ in range(2))
    assert first == second


def test_stdin_and_output_file(place: Path) -> None:
    done = run(
        "verify",
        "-",
        "--format",
        "jsonl",
        "--output",
        "out.jsonl",
        cwd=place,
        stdin="Set-up fees are never refunded.",
    )
    assert done.stdout == ""
    assert [json.loads(line)["type"] for line in (place / "out.jsonl").read_text().splitlines()] == [
        "claim",
        "report",
    ]


def test_sources_on_the_spot_need_no_knowledge_base(place: Path, tmp_path: Path) -> None:
    source = place / "docs" / "refunds.md"
    done = run("verify", "--text", "Set-up fees are never refunded.", "--source", source, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "kb").exists()


def test_the_gate_can_be_moved(place: Path) -> None:
    text = "Set-up fees are never refunded. An annual plan is refunded in full within 60 days of purchase."
    assert run("verify", "--text", text, cwd=place).returncode == 1
    assert run("verify", "--text", text, "--fail-on", "fabricated", cwd=place).returncode == 0
    strict = ("--fail-on", "fabricated", "--min-groundedness", "0.9")
    assert run("verify", "--text", text, *strict, cwd=place).returncode == 1


def test_swapping_the_backend_is_one_line_and_keeps_the_old_index_until_gc(
    place: Path, tmp_path: Path
) -> None:
    kb = tmp_path / "kb"
    run("ingest", place / "docs", "--kb", kb, cwd=tmp_path)
    (tmp_path / "verifier.toml").write_text('[backend]\ntype = "bm25"\n')
    done = run("search", "refund", "--kb", kb, "--json", cwd=tmp_path)
    assert json.loads(done.stdout)[0]["source"] == "refunds.md"
    indexes = json.loads(run("kb", "stats", "--kb", kb, "--json", cwd=tmp_path).stdout)["indexes"]
    assert len(indexes) == 2
    assert run("kb", "gc", "--kb", kb, cwd=tmp_path).stdout.startswith("1 indexes removed")


def test_config_show_says_where_values_come_from(tmp_path: Path) -> None:
    done = run("config", "show", "--json", cwd=tmp_path, VERIFIER_RETRIEVAL__TOP_K="4")
    rows = {row["key"]: row for row in json.loads(done.stdout)["values"]}
    assert (rows["retrieval.top_k"]["value"], rows["retrieval.top_k"]["origin"]) == (4, "environment")


def test_doctor_names_what_is_missing_and_how_to_mend_it(tmp_path: Path) -> None:
    done = run("doctor", "--json", cwd=tmp_path)
    rows = {row["check"]: row for row in json.loads(done.stdout)}
    assert done.returncode == 0
    assert rows["backend hybrid"]["state"] == "ok"
    assert "verifier ingest" in rows["knowledge base kb"]["detail"]


def test_evaluate_prints_figures_and_keeps_every_field(place: Path) -> None:
    rows = [
        {
            "premise": "Oslo is the capital of Norway.",
            "hypothesis": "Oslo is the capital of Norway.",
            "label": "entailment",
            "id": 7,
        },
        {"premise": "It takes 3 days.", "hypothesis": "It takes 9 days.", "label": "contradiction", "id": 8},
    ]
    (place / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("evaluate", "rows.jsonl", "--rows", "out.jsonl", "--json", cwd=place)
    figures = json.loads(done.stdout)
    assert (done.returncode, figures["n"], figures["balanced_accuracy"]) == (0, 2, 1.0), done.stdout
    written = [json.loads(line) for line in (place / "out.jsonl").read_text().splitlines()]
    assert [row["id"] for row in written] == [7, 8]
    assert {"predicted", "support", "confidence", "reason"} <= written[0].keys()


def test_one_bad_row_does_not_lose_the_others(place: Path) -> None:
    good = json.dumps(
        {"premise": "It takes 3 days.", "hypothesis": "It takes 3 days.", "label": "entailment"}
    )
    (place / "mixed.jsonl").write_text(f"{good}\n{{broken\n{good}\n")
    done = run("evaluate", "mixed.jsonl", "--json", cwd=place)
    assert (done.returncode, json.loads(done.stdout)["n"]) == (3, 2)
    assert "mixed.jsonl, line 2: not JSON" in done.stderr


BAD_INPUT = [
    (["verify", "absent.md"], 2, "no such file: absent.md"),
    (["verify"], 2, "give a FILE"),
    (["verify", "a.md", "--text", "b"], 2, "give a FILE"),
    (["verify", "--text", "x", "--no-such-option"], 2, "No such option"),
    (["verify", "--text", "Set-up fees are never refunded.", "--kb", "nowhere"], 2, "no knowledge base at"),
    (["verify", "--text", "x", "--source", "absent.md"], 3, "no such file or folder"),
    (["verify", "--text", "x", "--fail-on", "wrong"], 2, "fail_on"),
    (["verify", "--text", ""], 3, "the response is empty"),
    (["verify", "--text", "Shall we start?"], 3, ""),
    (["verify", "binary.bin"], 2, "is not"),
    (["ingest", "absent"], 3, "no such file or folder"),
    (["ingest", "broken.pdf"], 3, "not read: broken.pdf"),
    (["ingest", "empty.md"], 3, "not read: empty.md: "),
    (["ingest", "binary.txt"], 3, "not read: binary.txt: "),
    (["search", "x", "--kb", "nowhere"], 2, "no knowledge base at"),
    (["kb", "delete", "absent.md"], 2, "no document or source"),
    (["evaluate", "absent.jsonl"], 2, "cannot read absent.jsonl"),
    (["calibrate", "few.jsonl", "--output", "f.json"], 2, "too few"),
    (["config", "show", "--config", "absent.toml"], 2, "cannot read configuration"),
]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    BAD_INPUT,
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_gets_one_clear_line_and_its_exit_code(
    place: Path, arguments: list[str], code: int, message: str
) -> None:
    (place / "binary.bin").write_bytes(b"\x7fELF\x00\xff\xfe")
    (place / "binary.txt").write_bytes(bytes(range(256)) * 20)
    (place / "broken.pdf").write_bytes(b"%PDF-1.7\nnonsense")
    (place / "empty.md").write_text("")
    (place / "few.jsonl").write_text('{"claim": "Set-up fees are never refunded.", "verdict": "supported"}\n')
    scratch = ("--kb", "scratch") if arguments[0] == "ingest" else ()
    done = run(*arguments, *scratch, cwd=place)
    assert done.returncode == code, done.stdout + done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ('[backend]\ntype = "faiss9"\n', "unknown backend 'faiss9'; known: bm25, dense, hybrid, memory"),
        ('[backend]\ntype = "bm25"\nk9 = 1\n', "unknown key backend.k9 for backend 'bm25'; known: "),
        ('[backend]\ntype = "bm25"\nk1 = "high"\n', "backend.k1 = 'high'"),
        ("[backend]\nk1 = 1\n", "unknown key backend.k1"),
        ("[signals]\ntelepathy = true\n", "unknown signal 'telepathy'"),
        ('[verdict]\nfusion = "absent.json"\n', "cannot read fusion file absent.json"),
    ],
)
def test_a_wrong_configuration_is_refused(place: Path, tmp_path: Path, toml: str, message: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(toml)
    done = run("verify", "--text", "Set-up fees are never refunded.", "--config", file, cwd=place)
    assert done.returncode == 2, done.stdout
    assert message in done.stderr


def test_an_empty_knowledge_base_never_approves(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    assert run("ingest", "docs", cwd=tmp_path).returncode == 0
    done = run("verify", "--text", "Oslo has 700,000 inhabitants.", "--json", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stdout)["decision"] == "rejected"


def test_a_newer_or_locked_or_damaged_knowledge_base_is_refused(place: Path, tmp_path: Path) -> None:
    run("ingest", place / "docs", "--kb", "kb", cwd=tmp_path)
    file = tmp_path / "kb" / "knowledge.sqlite3"
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    locked = run("ingest", place / "docs", "--kb", "kb", cwd=tmp_path)
    holder.execute("ROLLBACK")
    assert (locked.returncode, "another process is writing" in locked.stderr) == (3, True), locked.stderr
    holder.execute("PRAGMA user_version = 999")
    holder.close()
    newer = run("kb", "stats", "--kb", "kb", cwd=tmp_path)
    assert newer.returncode == 2
    assert "999" in newer.stderr
    file.write_bytes(b"not a database at all" * 100)
    damaged = run("kb", "stats", "--kb", "kb", cwd=tmp_path)
    assert damaged.returncode == 2
    assert "Traceback" not in damaged.stderr


def test_text_in_a_script_that_cannot_be_read_is_never_approved(place: Path) -> None:
    done = run(
        "verify",
        "--text",
        "安装费从不退还。",
        "--fail-on",
        "fabricated",
        "--min-groundedness",
        "0",
        "--json",
        cwd=place,
    )
    report = json.loads(done.stdout)
    assert (done.returncode, report["decision"]) == (1, "rejected")
    assert report["claims"][0]["verdict"] == "unverifiable"
