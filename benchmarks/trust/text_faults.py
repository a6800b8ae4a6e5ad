"""Faults of the text under test (empty, unreadable, cut off, hidden), and of the documents it is checked against."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.trust.outcomes import (
    FACT,
    TEXT,
    Came,
    Condition,
    answer,
    application,
    command,
    engine_of,
    of_report,
    run_command,
)
from verifier.config import load
from verifier.factory import build_scorer
from verifier.verification.retrieve import GivenTexts

__all__ = ["CONDITIONS"]

_CLI = "tests/integration/test_cli.py"
_ROUTES = "tests/integration/test_server_routes.py"
_REVIEW = "tests/unit/test_coherence.py"
_HERE = "tests/integration/test_failclosed.py::test_every_condition_comes_out_as_expected"
_CHINESE = "年度计划在购买后三十天内全额退款。"
_FINNISH = (
    "Vuosisopimus hyvitetään kokonaan kolmenkymmenen päivän kuluessa ostosta, eikä avausmaksua palauteta."
)


def _said(response: str) -> Callable[[Path], Came]:
    """What a person gets who checks this text on the command line."""

    def run(place: Path) -> Came:
        (place / "refunds.md").write_text(TEXT)
        arguments = ("--source", "refunds.md", "--json")
        return command(place, "verify", "-", *arguments, stdin=response, signals__nli=False)

    return run


def _in_library(response: str) -> Callable[[Path], Came]:
    """The same through the library, for what no command line can be given."""

    def run(_: Path) -> Came:
        settings = load(overrides={"signals.nli": False}).settings
        return of_report(build_scorer(settings, GivenTexts.of(TEXT)).verify(response))

    return run


def _source(name: str, content: bytes) -> Callable[[Path], Came]:
    """A true claim, checked against a file that says so and this one."""

    def run(place: Path) -> Came:
        (place / "refunds.md").write_text(TEXT)
        (place / name).write_bytes(content)
        sources = ("--source", "refunds.md", "--source", name)
        return command(place, "verify", "--text", FACT, *sources, signals__nli=False)

    return run


def _skipped_file(place: Path) -> Came:
    """A file that cannot be read is told by ingest, and what stood in it supports nothing."""
    (place / "refunds.pdf").write_bytes(b"%PDF-1.7\nnonsense")
    (place / "other.md").write_text("The office closes at 17:00.")
    _, _, code = run_command(place, "ingest", "refunds.pdf", "other.md", signals__nli=False)
    came = command(place, "verify", "--text", FACT, "--json", signals__nli=False)
    return Came(f"exit {code}, then {came.said}", came.approved or not code, came.why)


def _uploaded(name: str, content: bytes) -> Callable[[Path], Came]:
    def run(place: Path) -> Came:
        app = application(place)
        came = answer(app, "/v1/documents/upload", files={"file": (name, content)})
        return Came(came.said, bool(engine_of(app).store.passage_count("default")), came.why)

    return run


def _bomb() -> bytes:
    """A word document of 300 MB in 300 kB."""
    import io

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"<w>" + b"a" * 300_000_000)
    return packed.getvalue()


CONDITIONS: tuple[Condition, ...] = (
    Condition(
        "response is empty",
        "exit 3, nothing_to_check",
        f"{_CLI}::test_an_empty_response_says_so_and_nothing_else",
        _said(""),
    ),
    Condition(
        "response is blank",
        "exit 3, nothing_to_check",
        f"{_CLI}::test_an_empty_response_says_so_and_nothing_else",
        _said(" \n\t\u2003"),
    ),
    Condition(
        "response states nothing",
        "exit 3, nothing_to_check",
        "tests/unit/test_report.py::test_the_gate",
        _said("# Refunds\n\nMay I help you?"),
    ),
    Condition(
        "server: response is empty",
        "422 invalid",
        f"{_ROUTES}::test_a_bad_request_is_told_in_one_sentence_what_is_wrong",
        lambda place: answer(application(place), "/v1/verify", json={"response": "", "source": [TEXT]}),
    ),
    Condition(
        "reasoning block is not closed",
        "exit 1, rejected: supported",
        "tests/unit/test_reasoning.py::test_nothing_is_approved_by_a_block_that_is_never_closed",
        _said(f"{FACT}\n<think>Is that all?"),
    ),
    Condition(
        "response in a script that no model reads",
        "exit 1, rejected: unverifiable",
        f"{_CLI}::test_text_in_a_script_that_cannot_be_read_is_never_approved",
        _said(_CHINESE),
        "Chinese characters",
    ),
    Condition(
        "response in a language that no model reads",
        "exit 1, rejected: unverifiable",
        "tests/unit/test_language.py::test_what_cannot_be_read_is_named_for_readers",
        _said(_FINNISH),
        "Finnish",
    ),
    Condition(
        "one sentence of it in a script that no model reads",
        "exit 1, rejected: supported, unverifiable",
        "tests/unit/test_report.py::test_the_gate",
        _said(f"{FACT} {_CHINESE}"),
        "Chinese characters",
    ),
    Condition(
        "response is no text",
        "exit 2",
        f"{_CLI}::test_bad_input_gets_one_clear_line_and_its_exit_code",
        _said("\x00\x01\x7fELF\x02" * 50),
    ),
    Condition(
        "response has half a surrogate pair",
        "rejected: fabricated",
        f"{_REVIEW}::test_half_a_surrogate_pair_is_no_pass",
        _in_library("The fee is \ud83d 900 EUR."),
    ),
    Condition(
        "response is too large for a review",
        "exit 3, rejected",
        f"{_REVIEW}::test_a_megabyte_is_refused_whole",
        lambda place: _reviewed(place, f"{FACT} " * 2000),
        "max_chars",
    ),
    Condition(
        "a source cannot be read",
        "exit 3",
        f"{_CLI}::test_bad_input_gets_one_clear_line_and_its_exit_code",
        _source("cut.pdf", b"%PDF-1.7\nnonsense"),
        "cut.pdf",
    ),
    Condition(
        "a source is cut off",
        "exit 3",
        f"{_CLI}::test_bad_input_gets_one_clear_line_and_its_exit_code",
        _source("cut.docx", b"PK\x03\x04" + bytes(200)),
        "cut.docx",
    ),
    Condition(
        "the only source is empty",
        "exit 3",
        f"{_CLI}::test_bad_input_gets_one_clear_line_and_its_exit_code",
        lambda place: _empty_source(place),
        "empty.md: empty",
    ),
    Condition(
        "a document could not be read at ingest",
        "exit 3, then exit 1, rejected: unverifiable",
        f"{_CLI}::test_bad_input_gets_one_clear_line_and_its_exit_code",
        _skipped_file,
    ),
    Condition(
        "server: an upload cannot be read",
        "422 unreadable",
        f"{_ROUTES}::test_a_file_that_cannot_be_read_is_refused_by_its_name",
        _uploaded("cut.pdf", b"%PDF-1.7\nnonsense"),
    ),
    Condition(
        "server: an upload is a bomb",
        "422 unreadable",
        f"{_ROUTES}::test_a_zip_bomb_ends_in_the_process_that_reads_it",
        lambda place: _uploaded("bomb.docx", _bomb())(place),
    ),
)


def _reviewed(place: Path, response: str) -> Came:
    (place / "refunds.md").write_text(TEXT)
    run_command(place, "ingest", "refunds.md", backend__type="bm25")
    return command(
        place, "review", "--response", "-", "--json", stdin=response, signals__nli=False, backend__type="bm25"
    )


def _empty_source(place: Path) -> Came:
    (place / "empty.md").touch()
    return command(place, "verify", "--text", FACT, "--source", "empty.md", signals__nli=False)
