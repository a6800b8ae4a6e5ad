"""The command line as a person meets it: what it prints, where, with which exit code; bad input in one clear line."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
from typer.main import get_group
from typer.testing import CliRunner

from tests.support.cli import VERIFIER
from tests.support.cli import run as start
from tests.support.inside import run
from verifier import BM25Backend, GroundTruthStore
from verifier.interfaces.cli import doctor
from verifier.interfaces.cli.app import app
from verifier.types import Document
from verifier.verification.report import json_schema

ROOT = Path(__file__).resolve().parents[2]
REFUNDS = (
    "# Refunds\n\nAn annual plan is refunded in full within 30 days of purchase. "
    "Set-up fees are never refunded.\n"
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a document and a knowledge base made from it."""
    folder = tmp_path_factory.mktemp("cli")
    (folder / "docs").mkdir()
    (folder / "docs" / "refunds.md").write_text(REFUNDS)
    done = start("ingest", "docs", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "verifier", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout.split()[0]) == (0, "verifier")


@pytest.mark.parametrize("asked", [["-h"], ["verify", "-h"], ["kb", "list", "--help"]])
def test_help_is_asked_for_in_short_and_in_long(tmp_path: Path, asked: list[str]) -> None:
    done = run(*asked, cwd=tmp_path)
    assert done.returncode == 0
    assert "-h, --help" in done.stdout


def test_help_lists_every_command_once_under_what_it_is_for() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout.split("\n\n")
    panels = {part.partition(":\n")[0]: re.findall(r"^  (\w+) ", part, re.MULTILINE) for part in shown[3:]}
    assert next(iter(panels)) == "Check a text"
    assert panels["Knowledge base"] == ["ingest", "search", "kb"]
    listed = [name for names in panels.values() for name in names]
    assert sorted(listed) == sorted(get_group(app).commands)


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
    first, second = (start("verify", "answer.md", "--json", cwd=place).stdout for _ in range(2))
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
    assert run("kb", "gc", "--kb", kb, cwd=tmp_path).stdout.startswith("1 index removed")


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


def test_doctor_calls_nothing_ok_whose_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("chromadb", "sentence_transformers", "anthropic", "openai"):
        monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    rows = {name: (state, detail) for name, state, detail in doctor._plugins()}
    assert rows["backend bm25"][0] == rows["backend hybrid"][0] == "ok"
    assert (
        rows["backend chroma"][0]
        == rows["encoder chroma"][0]
        == rows["reranker cross-encoder"][0]
        == "absent"
    )
    line = "run: pip install 'rag-claim-verifier[openai]' or pip install 'rag-claim-verifier[anthropic]'"
    assert rows["reader chat"] == ("absent", f"openai or anthropic is not installed; {line}")


def test_doctor_knows_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(doctor.EXTRAS) == set(project["optional-dependencies"]) - {"all", "dev"}


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
    (["verify", "--text", "No fee.", "--namespace", "shop"], 2, "holds nothing; namespaces that do: default"),
    (["verify", "--text", "x", "--source", "absent.md"], 2, "no such file or folder: absent.md"),
    (["verify", "--text", "x", "--source", "docs", "docs"], 2, "repeat the option: --source A --source B"),
    (["verify", "docs", "absent.md"], 2, "no such file or folder: absent.md"),
    (["verify", "--text", "x", "--also", "junit"], 2, "--also junit: give NAME=FILE"),
    (["verify", "--text", "x", "--also", "xml=a.xml"], 2, "unknown format 'xml'; known: "),
    (["verify", "-", "--source", "-"], 2, "read only once"),
    (["verify", "--text", "x", "--fail-on", "wrong"], 2, "--fail-on 'wrong' (command line)"),
    (["verify", "--text", "x", "--fail-on", "wrong"], 2, "known: contradicted, fabricated, unverifiable"),
    (["verify", "--text", "x", "--json", "--format", "markdown"], 2, "--json and --format markdown"),
    (["verify", "--text", "x", "--encoding", "morse"], 2, "--encoding 'morse'"),
    (["verify", "few.jsonl", "--also", "json=few.jsonl"], 2, "would overwrite"),
    (["verify", "few.jsonl", "--output", "few.jsonl"], 2, "would overwrite"),
    (["verify", "--text", "Shall we start?"], 3, ""),
    (["verify", "binary.bin"], 2, "binary.bin: binary data, not text"),
    (["verify", "broken.pdf"], 3, "broken.pdf: "),
    (["ingest", "absent"], 2, "no such file or folder: absent"),
    (["ingest", "docs", "--encoding", "base64"], 2, "--encoding 'base64'"),
    (["ingest", "broken.pdf"], 3, "not read: broken.pdf"),
    (["ingest", "empty.md"], 3, "not read: empty.md: "),
    (["ingest", "binary.txt"], 3, "not read: binary.txt: "),
    (["search", ""], 2, "the query is empty"),
    (["search", "x", "--kb", "nowhere"], 2, "no knowledge base at"),
    (["search", "x", "--namespace", "shop"], 2, "holds nothing; namespaces that do: default"),
    (["kb", "delete", "absent.md"], 2, "no document or source"),
    (["evaluate", "absent.jsonl"], 2, "cannot read absent.jsonl"),
    (["evaluate", "few.jsonl", "--rows", "./few.jsonl"], 2, "would overwrite"),
    (
        ["evaluate", "few.jsonl", "--by", "colour"],
        2,
        "--by colour: no row has that field; known: claim, verdict",
    ),
    (["evaluate", "elsewhere.jsonl"], 2, "holds nothing; namespaces that do: default"),
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
    few = {"claim": "Set-up fees are never refunded.", "verdict": "supported"}
    (place / "few.jsonl").write_text(json.dumps(few) + "\n")
    (place / "elsewhere.jsonl").write_text(json.dumps({**few, "namespace": "shop"}) + "\n")
    scratch = ("--kb", "scratch") if arguments[0] == "ingest" else ()
    done = run(*arguments, *scratch, cwd=place)
    assert done.returncode == code, done.stdout + done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        (
            '[backend]\ntype = "faiss9"\n',
            "unknown backend 'faiss9'; known: ann, bm25, chroma, colbert, dense, ",
        ),
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
    assert (
        run("ingest", "docs", cwd=tmp_path).returncode == 3
    )  # nothing to read is said, and the base is made
    done = run("verify", "--text", "Oslo has 700,000 inhabitants.", "--json", cwd=tmp_path)
    assert done.returncode == 3
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


def test_an_empty_response_says_so_and_nothing_else(place: Path) -> None:
    done = run("verify", "--text", " ", "--quiet", cwd=place)
    assert (done.returncode, done.stderr) == (3, "")
    assert "the response is empty: nothing to check" in done.stdout
    assert "NLI" not in done.stdout


def test_sources_can_be_repeated_and_one_of_them_be_stdin(place: Path) -> None:
    text = "Set-up fees are never refunded. The office closes at 17:00."
    sources = ("--source", "docs/refunds.md", "--source", "-")
    done = run("verify", "--text", text, *sources, "--json", cwd=place, stdin="The office closes at 17:00.")
    found = [claim["evidence"][0]["source"] for claim in json.loads(done.stdout)["claims"]]
    assert found == ["refunds.md", "stdin"], done.stderr


@pytest.mark.parametrize(
    ("encoding", "options"), [("utf-16", ()), ("utf-8-sig", ()), ("cp1252", ("--encoding", "cp1252"))]
)
def test_responses_are_decoded_as_documents_are(place: Path, encoding: str, options: tuple[str, ...]) -> None:
    text = "Set-up fees are never refunded, says Zoë."
    (place / "encoded.txt").write_bytes(text.encode(encoding))
    done = run("verify", "encoded.txt", *options, "--json", cwd=place)
    assert json.loads(done.stdout)["claims"][0]["text"] == text, done.stderr


@pytest.fixture(scope="module")
def without_extras(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PYTHONPATH under which no extra can be imported."""
    folder = tmp_path_factory.mktemp("shim")
    for name in ("sentence_transformers", "transformers"):
        (folder / f"{name}.py").write_text(f"raise ModuleNotFoundError(name={name!r})\n")
    return str(folder)


DENSE = '[backend]\ntype = "dense"\n'
CROSS_ENCODER = '[signals.nli]\nmodel = "some/cross-encoder"\nengine = "transformers"\n'


@pytest.mark.parametrize(("toml", "extra"), [(DENSE, "st"), (CROSS_ENCODER, "transformers")])
def test_a_missing_extra_is_one_line_before_anything_is_checked(
    place: Path, tmp_path: Path, without_extras: str, toml: str, extra: str
) -> None:
    (tmp_path / "extra.toml").write_text(toml)
    (place / "rows.jsonl").write_text(
        '{"claim": "Set-up fees are never refunded.", "verdict": "supported"}\n'
    )
    for command in (["verify", "--text", "Set-up fees are never refunded."], ["evaluate", "rows.jsonl"]):
        done = start(*command, "--config", tmp_path / "extra.toml", cwd=place, PYTHONPATH=without_extras)
        assert (done.returncode, done.stdout) == (2, "")
        [line] = done.stderr.splitlines()
        assert line.endswith(f"run: pip install 'rag-claim-verifier[{extra}]'")


@pytest.mark.parametrize(
    ("toml", "check"),
    [
        (DENSE, "configured backend dense"),
        (CROSS_ENCODER, "configured signal nli"),
        ('[backend]\ntype = "faiss9"\n', "configured backend faiss9"),
    ],
)
def test_doctor_finds_what_is_configured_and_does_not_work(
    tmp_path: Path, without_extras: str, toml: str, check: str
) -> None:
    (tmp_path / "verifier.toml").write_text(toml)
    done = start("doctor", "--json", cwd=tmp_path, PYTHONPATH=without_extras)
    row = {row["check"]: row for row in json.loads(done.stdout)}[check]
    assert (done.returncode, row["state"]) == (3, "broken")
    assert "pip install" in row["detail"] or "known: " in row["detail"]


STEERING = "\x1b[31mred \u202eflip \x9b2J"


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_what_could_steer_a_terminal_is_spelt_out(tmp_path: Path, form: str) -> None:
    (tmp_path / "evil.txt").write_text(f"The office {STEERING} closes at 17:00.")
    text = f"The office {STEERING} closes at 19:00."
    shown = run("verify", "--text", text, "--source", "evil.txt", "--format", form, cwd=tmp_path).stdout
    assert not {"\x1b", "\u202e", "\x9b"} & set(shown)
    assert "\\x1b[31mred" in shown.replace("\\\\", "\\").split()
    assert "U+202E" in shown


def test_listings_and_searches_are_no_way_to_the_terminal_either(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a\x1b[31m\nb.txt").write_text(f"The office {STEERING} closes at 17:00.")
    run("ingest", "docs", cwd=tmp_path)
    for command in (["kb", "list"], ["search", "office"]):
        shown = run(*command, cwd=tmp_path).stdout
        assert not {"\x1b", "\u202e", "\x9b"} & set(shown)
        assert "a\\x1b[31m\\nb.txt" in shown


def test_kb_stats_and_list_are_tables(place: Path) -> None:
    stats = run("kb", "stats", cwd=place).stdout
    assert "{" not in stats
    assert ["default", "1", "1", "1"] in [line.split()[:4] for line in stats.splitlines()]
    assert "in use" in stats
    header, row = run("kb", "list", cwd=place).stdout.splitlines()
    assert header.split() == ["document", "namespace", "passages", "sources"]
    assert row.split()[1:] == ["default", "1", "refunds.md"]


def test_kb_stats_says_what_old_generations_hold(tmp_path: Path) -> None:
    with GroundTruthStore(BM25Backend(), tmp_path / "kb", create=True) as store:
        store.ingest([Document("a.md", "/a.md", "The fee is 5 euros.")])
        store.ingest([Document("b.md", "/b.md", "The office closes at 17:00.")])
    shown = run("kb", "stats", cwd=tmp_path).stdout
    assert "besides: 1 old generation and 1 index not in use, " in shown
    assert "verifier kb gc frees them" in shown


def test_a_piped_table_is_as_wide_as_columns_says(place: Path) -> None:
    def widest(**environ: str) -> int:
        shown = run("verify", "--text", "Set-up fees are never refunded.", cwd=place, **environ).stdout
        return max(map(len, shown.splitlines()))

    assert (widest(COLUMNS=""), widest(COLUMNS="80"), widest(COLUMNS="150")) == (120, 80, 150)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "command", [["verify", "--text", "Set-up fees are never refunded."], ["kb", "export"], ["--help"]]
)
def test_a_full_stdout_is_one_line(place: Path, command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [VERIFIER, *command], cwd=place, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 3
    [line] = done.stderr.splitlines()
    assert "No space left on device" in line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_stderr_changes_no_exit_code(place: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([VERIFIER, "verify", "absent.md"], cwd=place, stderr=full, check=False)
    assert done.returncode == 2


def test_a_closed_stdout_is_no_defect(place: Path) -> None:
    command = 'exec "$0" verify --text "Set-up fees are never refunded." >&-'
    done = subprocess.run(
        ["sh", "-c", command, VERIFIER], cwd=place, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_help_tells_the_defaults(tmp_path: Path) -> None:
    shown = " ".join(run("verify", "--help", cwd=tmp_path).stdout.split())
    assert "Least share of supported claims. [default: 0.5" in shown
    assert "[default: contradicted,fabricated]" in shown


def test_a_name_that_two_documents_share_is_refused_with_their_ids(tmp_path: Path) -> None:
    for folder, text in (("a", "The fee is 3 EUR."), ("b", "The fee is 4 EUR.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "fees.md").write_text(text)
        run("ingest", folder, cwd=tmp_path)
    for verb in ("show", "delete"):
        done = run("kb", verb, "fees.md", cwd=tmp_path)
        assert done.returncode == 2, done.stdout
        ids = [record["doc_id"] for record in json.loads(run("kb", "list", "--json", cwd=tmp_path).stdout)]
        assert len(ids) == 2
        assert all(doc_id in done.stderr for doc_id in ids)
