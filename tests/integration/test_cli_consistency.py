"""``verifier consistency``: what it prints, and its exit codes."""

import json

import pytest

from tests.support import inside

SAME = "The warranty lasts two years from delivery."


@pytest.fixture
def answers(tmp_path):
    texts = {
        "a.txt": SAME,
        "b.txt": "The warranty lasts two years.",
        "c.txt": "Nobody can say, I fear!",
        "d.txt": " \n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(place, *arguments, stdin=""):
    return inside.run("consistency", *arguments, cwd=place, stdin=stdin)


def test_the_best_answer_is_marked_and_the_json_holds_every_field(answers):
    done = run(answers, "a.txt", "b.txt", "c.txt", "--similarity", "words")
    assert done.returncode == 0
    assert "confidence 0." in done.stdout
    assert next(line for line in done.stdout.splitlines() if line.startswith("*")).endswith(
        ("a.txt", "b.txt")
    )
    result = json.loads(run(answers, "a.txt", "b.txt", "c.txt", "--similarity", "words", "--json").stdout)
    assert result["files"] == ["a.txt", "b.txt", "c.txt"]
    assert len(result["similarity_matrix"]) == 3
    assert result["confidence_score"] == pytest.approx(result["confidence_score"])
    assert result["disagreements"] is None


def test_claims_that_the_others_do_not_share_are_named(answers):
    done = run(answers, "a.txt", "c.txt", "c.txt", "--similarity", "characters", "--claims", "--json")
    result = json.loads(done.stdout)
    assert result["best_candidate"] == "Nobody can say, I fear!"
    assert result["disagreements"] == [] or result["disagreements"][0]["others"] == 2


def test_low_agreement_warns_and_fails_where_asked(answers):
    quiet_pass = run(answers, "a.txt", "c.txt", "--similarity", "words")
    assert quiet_pass.returncode == 0
    assert "disagree" in quiet_pass.stderr
    assert run(answers, "a.txt", "c.txt", "--similarity", "words", "--fail-below", "0.5").returncode == 1


def test_one_answer_cannot_be_measured(answers):
    done = run(answers, "a.txt")
    assert done.returncode == 3
    assert "not measured" in done.stdout
    assert "one candidate" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.txt", "d.txt"], "holds no text: d.txt"),
        (["a.txt", "nowhere.txt"], "no such file: nowhere.txt"),
        (["-", "-"], "only once"),
        (["a.txt", "b.txt", "--similarity", "command"], "command go together"),
        ([], "Missing argument"),
    ],
)
def test_wrong_use_is_exit_2_with_one_clear_line(answers, arguments, message):
    done = run(answers, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_an_answer_is_read_from_stdin(answers):
    done = run(answers, "a.txt", "-", "--similarity", "characters", "--json", stdin=SAME)
    assert json.loads(done.stdout)["is_unanimous"] is True
