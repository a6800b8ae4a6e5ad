"""``verifier rate``: confidence, relevance and coherence of one text from the command line, and the exit codes."""

import json

import pytest

from tests.support import inside


def run(place, *arguments, stdin=""):
    return inside.run("rate", *arguments, cwd=place, stdin=stdin)


@pytest.fixture
def place(tmp_path):
    (tmp_path / "torn.txt").write_text("The fee is 30 EUR. The fee is 45 EUR.")
    (tmp_path / "rules.toml").write_text("[gate]\nthreshold = 0.5\n[gate.weights]\nrules = 1\nllm = 0\n")
    return tmp_path


def test_confidence_without_a_model_is_made_of_what_has_a_weight(place):
    done = run(place, "confidence", "torn.txt", "--prompt", "What is the fee?", "--config", "rules.toml")
    assert done.returncode == 0, done.stderr
    assert "confidence 0.500 (moderate)" in done.stdout
    low = run(place, "confidence", "-", "--prompt", "Fee?", "--config", "rules.toml", "--json", stdin="Yes.")
    assert low.returncode == 1
    assert json.loads(low.stdout)["confidence"] == 0.1


def test_confidence_that_needs_a_model_says_so(place):
    done = run(place, "confidence", "torn.txt", "--prompt", "What is the fee?")
    assert done.returncode == 2
    assert "set model under [llm]" in done.stderr


def test_relevance_names_the_nearest_item(place):
    done = run(
        place,
        "relevance",
        "torn.txt",
        "--scope",
        "Fees of the course",
        "--constraint",
        "Bring a boat.",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["best"] == {"kind": "scope", "text": "Fees of the course"}
    nothing = run(place, "relevance", "torn.txt")
    assert nothing.returncode == 3
    assert "no context" in nothing.stderr


def test_coherence_is_measured_locally_or_said_not_to_be(place):
    done = run(place, "coherence", "torn.txt", "--local", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["value"] < 0.5
    off = run(place, "coherence", "torn.txt")
    assert off.returncode == 3
    assert "0.700  (not measured)" in off.stdout
