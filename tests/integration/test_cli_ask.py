"""``verifier ask`` and ``verifier gate`` with the real OpenAI client against a local server."""

import json
import threading
from itertools import count

import pytest

from tests.support import cli
from tests.support.llm_server import broken, cut, llm_server, say, status
from verifier import BM25Backend, GroundTruthStore, VerifiedScorer
from verifier.config import Settings
from verifier.core.chat import ScriptedChat
from verifier.guard.ask import answer

ANSWER = "Refunds are paid within 30 days of the return."


@pytest.fixture
def server():
    with llm_server() as running:
        yield running


@pytest.fixture
def place(tmp_path, server):
    (tmp_path / "verifier.toml").write_text(
        f'[llm]\nmodel = "tiny"\nbase_url = "{server.openai_url}"\nmax_retries = 0\n'
        '[gate]\nhistory = "gate.sqlite"\n[consistency]\nsimilarity = "characters"\n'
    )
    return tmp_path


def run(place, *arguments):
    return cli.run(*arguments, cwd=place, timeout=120)


def rated(total):
    shares = [min(25, max(0, total - 25 * n)) for n in range(4)]
    names = ("relevance", "helpfulness", "accuracy", "completeness")
    return say(json.dumps({"reasoning": "leaves out the fee", **dict(zip(names, shares, strict=True))}))


def scripted(answers, ratings):
    """Answers for requests without a schema, ratings for those with one; the last of each is given again."""
    lock, numbers = threading.Lock(), (count(), count())

    def answer(request):
        lines, number = (ratings, numbers[1]) if request.schema else (answers, numbers[0])
        with lock:
            return lines[min(next(number), len(lines) - 1)]

    return answer


def test_the_temperature_of_every_sample_reaches_the_provider(server, place):
    server.answers = scripted([say(ANSWER)], [])
    done = run(place, "ask", "When are refunds paid?", "-sc", "-n", "4", "--sc-temperature", "1.25", "--json")
    assert done.returncode == 0, done.stderr
    assert [request.temperature for request in server.requests] == [1.25] * 4
    found = json.loads(done.stdout)
    assert found["content"] == ANSWER
    assert found["consistency"]["confidence_score"] == pytest.approx(1.0)
    assert found["consistency"]["is_unanimous"]


@pytest.mark.parametrize("fault", [status(500), status(429), broken(), cut(ANSWER, after=2)])
def test_one_failing_sample_among_five_does_not_lose_the_other_four(server, place, fault):
    server.answers = scripted([say(ANSWER), fault, say(ANSWER)], [])
    done = run(place, "ask", "When are refunds paid?", "--self-consistency", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["consistency"]
    assert len(found["all_candidates"]) == 4
    assert len(found["failures"]) == 1


def test_the_gate_retries_and_its_decisions_are_counted_judged_and_kept_without_texts(server, place):
    server.answers = scripted([say("Perhaps soon, who knows."), say(ANSWER)], [rated(50), rated(96)])
    done = run(place, "ask", "When are refunds paid?", "--gate")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ANSWER
    assert "accepted: confidence 0.822, threshold 0.75, 2 attempts" in done.stderr
    execution_id = done.stderr.split("id ")[1].split()[0]
    assert run(place, "gate", "feedback", execution_id, "good").returncode == 0
    counted = json.loads(run(place, "gate", "stats", "--json", "--plot", "g.svg").stdout)
    assert counted["decisions"] == counted["judged"] == 1
    assert counted["retry_rate"] == counted["accepted_after_retry"] == 1
    assert counted["fallback_rate"] == 0
    assert counted["by_kind"]["informational"]["histogram"][8] == 1
    assert (place / "g.svg").read_text().startswith("<svg")
    assert b"Refunds" not in (place / "gate.sqlite").read_bytes()
    assert "informational" in run(place, "gate", "stats").stdout
    assert "at least 30" in run(place, "gate", "learn").stderr


def test_below_the_threshold_the_fallback_is_shown_and_the_exit_code_says_so(server, place):
    server.answers = scripted([say(ANSWER)], [rated(20)])
    done = run(place, "ask", "When are refunds paid?", "--gate", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["content"] != ANSWER
    assert found["gate"]["metadata"]["original_response"] == ANSWER
    assert found["gate"]["metadata"]["validation_attempts"] == 5


def test_a_provider_that_dies_in_attempt_three_of_five_loses_nothing(server, place):
    server.answers = scripted([say(ANSWER), say(ANSWER + " Or so."), status(401)], [rated(20), rated(60)])
    done = run(place, "ask", "When are refunds paid?", "--gate", "--json")
    assert done.returncode == 1
    metadata = json.loads(done.stdout)["gate"]["metadata"]
    assert [step["confidence"] is None for step in metadata["execution_steps"]] == [False, False, True]
    assert metadata["original_response"] == ANSWER + " Or so."
    assert metadata["errors"][0].startswith("attempt 3: no answer")


def test_an_evaluator_that_breaks_its_format_never_passes(server, place):
    server.answers = scripted([say(ANSWER)], [say("Great answer, 100 out of 100!")])
    done = run(place, "ask", "When are refunds paid?", "--gate")
    assert done.returncode == 3
    assert "no score" in done.stderr
    assert ANSWER not in done.stdout


def test_with_a_knowledge_base_its_passages_are_handed_over_and_the_answer_is_checked(server, place):
    (place / "terms.md").write_text("# Refunds\n\nRefunds are paid within 30 days of the return.\n")
    assert run(place, "ingest", "terms.md").returncode == 0
    server.answers = scripted([say("Refunds are paid within 60 days of the return.")], [])
    done = run(place, "ask", "When are refunds paid?", "--kb", "kb")
    assert done.returncode == 1
    assert "within 30 days" in server.requests[0].instructions
    assert "contradicted" in done.stderr
    server.answers = scripted([say(ANSWER)], [])
    assert run(place, "ask", "When are refunds paid?", "--kb", "kb").returncode == 0


@pytest.mark.parametrize(("grounded", "reports"), [(0.5, 2), (0.0, 1)])
def test_an_answer_that_the_gate_has_verified_is_not_verified_again(monkeypatch, grounded, reports):
    verified = []
    plain = VerifiedScorer.verify
    monkeypatch.setattr(
        VerifiedScorer, "verify", lambda self, *a, **k: verified.append(a[0]) or plain(self, *a, **k)
    )
    weights = {"rules": 1 - grounded, "llm": 0.0, "groundedness": grounded}
    settings = Settings.model_validate({"gate": {"weights": weights, "threshold": 0.4}})
    store = GroundTruthStore(BM25Backend())
    store.add("terms.md", ANSWER)
    wrong = "Refunds are paid within 60 days of the return."
    replies = [wrong, ANSWER] if grounded else [ANSWER]
    asked = answer(settings, "When are refunds paid?", store, gate=True, chat=ScriptedChat(replies))
    assert asked.report is not None
    assert (asked.content, asked.report.groundedness) == (ANSWER, 1.0)
    assert verified == replies
    assert len(verified) == reports


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ask", " "], 2, "the prompt is empty"),
        (["ask", "Why?", "-n", "21"], 2, "less than or equal to 20"),
        (["ask", "Why?", "--kb", "nowhere"], 2, "nowhere"),
        (["gate", "stats"], 2, "no history of the gate"),
        (["gate", "feedback", "x", "good"], 2, "no history of the gate"),
        (["ask", "Why?"], 3, "status 503"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(server, place, arguments, code, message):
    server.answers = [status(503)]
    done = run(place, *arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
