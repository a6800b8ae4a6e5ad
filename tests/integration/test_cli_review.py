"""``verifier review`` and ``verifier stream`` as a person meets them: output, exit codes, bad input in one line."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path

import pytest

from tests.support import cli, inside
from tests.support.cli import VERIFIER
from verifier.guard.review import Review

REFUNDS = (
    "# Refunds\n\nAn annual plan is refunded in full within 30 days of purchase. "
    "Set-up fees are never refunded.\n"
)
TRUE = "Set-up fees are never refunded."
FALSE = "An annual plan is refunded in full within 60 days of purchase."


run = partial(inside.run, stdin=b"")
start = partial(cli.run, stdin=b"")
"""A stream is read as it comes, from a pipe."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a knowledge base."""
    folder = tmp_path_factory.mktemp("review")
    (folder / "refunds.md").write_text(REFUNDS)
    done = run("ingest", "refunds.md", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_true_response_is_approved(place: Path) -> None:
    done = run("review", "--prompt", "Are set-up fees refunded?", "--response", TRUE, cwd=place)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(b"approved: coherence ")


def test_a_wrong_response_on_stdin_is_rejected_and_its_json_is_a_review(place: Path) -> None:
    done = run("review", "--response", "-", "--json", cwd=place, stdin=FALSE.encode())
    assert done.returncode == 1, done.stderr
    review = Review.from_dict(json.loads(done.stdout))
    assert not review.approved
    assert "30 days" in review.reason


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--response", ""), 3, b"nothing_to_check"),
        (("--response", TRUE, "--no-kb"), 3, b"rejected: the facts are unknown: there is no knowledge base"),
        (("--response", TRUE, "--no-kb", "--unknown", "abstain"), 3, b"abstained"),
    ],
)
def test_what_could_not_be_checked_is_exit_3(
    place: Path, arguments: tuple[str, ...], code: int, says: bytes
) -> None:
    done = run("review", *arguments, cwd=place)
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith(says)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("review", "--response", TRUE, "--kb", "nowhere"), b"nowhere"),
        (("review", "--response", TRUE, "--unknown", "pass"), b"coherence.unknown"),
        (("stream", "--kb", "nowhere"), b"nowhere"),
    ],
)
def test_wrong_usage_is_exit_2_and_one_line(place: Path, arguments: tuple[str, ...], says: bytes) -> None:
    done = run(*arguments, cwd=place)
    assert done.returncode == 2, done.stdout
    assert says in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_stream_is_released_up_to_its_first_wrong_sentence(place: Path) -> None:
    done = start("stream", cwd=place, stdin=f"{TRUE} {FALSE} {TRUE}".encode())
    assert done.returncode == 1, done.stderr
    assert done.stdout == f"{TRUE} ".encode()
    assert b"halted (hard_limit)" in done.stderr
    assert b"30 days" in done.stderr


def test_a_stream_is_halted_by_what_it_hides(place: Path) -> None:
    done = start("stream", cwd=place, stdin=f"{TRUE}\n\n<!-- {FALSE} -->\n".encode())
    assert (done.returncode, done.stdout) == (1, f"{TRUE}\n\n".encode())
    assert b"halted (hidden): hidden text: 'An annual plan" in done.stderr


def test_a_good_stream_is_released_byte_by_byte_and_its_scores_are_kept(place: Path) -> None:
    text = f"{TRUE}\r\n\r\nIs that all \u2013 \U0001f600?\n".encode()
    done = start("stream", "--events", "events.jsonl", cwd=place, stdin=text)
    assert (done.returncode, done.stdout, done.stderr) == (0, text, b"")
    events = [json.loads(line) for line in (place / "events.jsonl").read_text().splitlines()]
    assert events[0]["value"] > 0.5


def test_an_empty_stream_has_nothing_to_check(place: Path) -> None:
    done = start("stream", cwd=place)
    assert (done.returncode, done.stdout) == (3, b"")


def test_bytes_that_are_no_utf8_release_nothing_more(place: Path) -> None:
    done = start("stream", cwd=place, stdin=TRUE.encode() + b" More \xff")
    assert done.returncode == 2
    assert b"not UTF-8" in done.stderr
    assert done.stdout in (b"", f"{TRUE} ".encode())


def test_a_sentence_is_released_while_the_stream_is_still_open(place: Path) -> None:
    with subprocess.Popen(
        [VERIFIER, "stream"], cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{TRUE} An annual".encode())
        process.stdin.flush()
        process.stdin.write(b" plan ")
        process.stdin.flush()
        assert process.stdout.read(len(TRUE)) == TRUE.encode()
        process.stdin.close()
        process.wait(60)


@pytest.mark.parametrize("said", ["Hello! How are you today?", "\0" * 20])
def test_a_stream_that_states_nothing_was_not_checked(place: Path, said: str) -> None:
    done = start("stream", cwd=place, stdin=said.encode())
    assert done.returncode == 3
    assert b"nothing that could be checked" in done.stderr


def test_text_without_an_end_is_checked_after_no_more_words_than_allowed(place: Path) -> None:
    text = "and so it goes on and on " * 100
    start("stream", "--events", "parts.jsonl", cwd=place, stdin=text.encode())
    first = json.loads((place / "parts.jsonl").read_text().splitlines()[0])
    assert len(text[: first["end"]].split()) <= 200
