"""The coherence rating with the real OpenAI client against a local server: what is sent, and every fault is neutral."""

import pytest

from tests.support.llm_server import broken, cut, llm_server, say, status
from verifier.guard.rating import NEUTRAL, rater_from_environment


@pytest.fixture
def server():
    with llm_server() as running:
        yield running


@pytest.fixture
def rater(server, monkeypatch):
    monkeypatch.setenv("COHERENCE_API_KEY", "k-1")
    monkeypatch.setenv("COHERENCE_CHECK_MODEL", "tiny")
    monkeypatch.setenv("COHERENCE_API_BASE", server.openai_url)
    return rater_from_environment()


def test_a_strict_schema_reaches_the_server_with_the_key_of_the_environment(server, rater):
    server.answers = [say('{"rating": 4}')]
    found = rater.rate("It rained, so the ground is wet.")
    assert (found.value, found.measured, found.rating) == (0.75, True, 4)
    [request] = server.requests
    assert request.key == "k-1"
    assert request.body["model"] == "tiny"
    sent = request.body["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert sent["schema"]["additionalProperties"] is False


@pytest.mark.parametrize(
    "answer",
    [status(500), status(429), broken(), cut('{"rating": 4}', after=0), say("4"), say(None, refusal="no")],
)
def test_every_fault_gives_the_neutral_value_and_says_so(server, rater, answer):
    server.answers = [answer]
    found = rater.rate("It rained, so the ground is wet.")
    assert (found.value, found.measured) == (NEUTRAL, False)
    assert found.reason
