"""A judge, a rating and checked streams over a real server: what a tiny model says ends in a verdict or a reason.

No accuracy is asserted: the model is far too small to be right. Run by ``make test-llm``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.llama_cpp.serving import MODEL, LlamaServer, aread, read
from tests.support import cli
from verifier.config import Settings
from verifier.config.llm import LLMSettings
from verifier.core.chat import ChatRequest, PatientChat
from verifier.core.errors import LLMCut
from verifier.factory import build_chat
from verifier.guard.factory import build_streaming_kernel
from verifier.guard.judge import LLMJudge
from verifier.guard.rating import LLMCoherenceRater
from verifier.guard.streaming import StreamingKernel, StreamSession
from verifier.verification.retrieve import GivenTexts

LIBRARY = "The library opens at nine. It has 24 reading desks. Cards are free for residents."
CASES = (
    ("The library opens at nine.", [LIBRARY]),
    ("The library has 60 reading desks.", [LIBRARY, "The museum opens at ten."]),
    ("The museum holds 1,250 paintings.", [LIBRARY]),
)
TOLD = ChatRequest(
    f"Answer from this passage.\n\n{LIBRARY}", "What do you know about the library?", max_tokens=90
)


def over(server: LlamaServer) -> PatientChat:
    return build_chat(LLMSettings(model=MODEL, base_url=server.url, timeout=300, max_retries=0))


def test_each_judgement_is_a_verdict_or_says_why_there_is_none(server: LlamaServer) -> None:
    chat = over(server)
    judge = LLMJudge(chat, max_tokens=200)
    judgements = judge.judge_many(CASES)
    assert len(judgements) == len(CASES)
    for (claim, evidence), judgement in zip(CASES, judgements, strict=True):
        assert (judgement.verdict is None) == (judgement.error is not None)
        assert judgement.model == chat.identity
        if judgement.verdict is not None:
            assert judgement.input_tokens > server.tokens(claim) + sum(map(server.tokens, evidence))
            assert 0 < judgement.output_tokens <= 200 * judgement.requests
    assert chat.usage.requests == sum(judgement.requests for judgement in judgements)
    assert chat.usage.input_tokens == sum(judgement.input_tokens for judgement in judgements)
    assert chat.usage.output_tokens == sum(judgement.output_tokens for judgement in judgements)


def test_a_rating_is_measured_or_says_why_not(server: LlamaServer) -> None:
    rating = LLMCoherenceRater(over(server)).rate(LIBRARY)
    assert rating.measured == (rating.rating is not None) == (rating.reason == "")


@pytest.fixture(scope="module", params=["strict", "lenient"])
def kernel(request: pytest.FixtureRequest) -> StreamingKernel:
    """The configured one, and one that halts at nothing."""
    lenient = {"hard_limit": 0.0, "window_threshold": 0.0, "trend_threshold": 1.0}
    settings = Settings.model_validate({"stream": lenient if request.param == "lenient" else {}})
    return build_streaming_kernel(settings, GivenTexts.of(LIBRARY), prompt=TOLD.text)


@pytest.mark.parametrize("how", ["sync", "async"])
def test_every_released_sentence_of_a_models_stream_was_checked(
    kernel: StreamingKernel, talker: LlamaServer, how: str
) -> None:
    session, released, chat = StreamSession(), list[str](), over(talker)
    try:
        if how == "sync":
            read(kernel.release(chat.stream(TOLD), session), released)
        else:
            asyncio.run(aread(kernel.arelease(chat.astream(TOLD), session), released))
    except LLMCut:  # the talker's replies end so, unless the kernel halts them before
        assert session.halt is None
    else:
        assert session.halt is not None
        assert session.halt.reason
    assert "".join(released) == session.output == session.safe_prefix
    assert [event.start for event in session.events] == [0, *(event.end for event in session.events[:-1])]
    assert any(event.value is not None for event in session.events)
    assert session.given_out in [0, *(event.end for event in session.events)]
    assert released or kernel.rules.hard_limit > 0


def test_the_command_releases_a_models_stream_as_it_comes(talker: LlamaServer, tmp_path: Path) -> None:
    (tmp_path / "library.md").write_text(LIBRARY)
    assert cli.run("ingest", "library.md", "--kb", "kb", cwd=tmp_path, timeout=300).returncode == 0
    command = [str(cli.VERIFIER), "stream", "--kb", "kb", "--prompt", TOLD.text, "--events", "events.jsonl"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        sent = fed(process, over(talker).stream(TOLD))
        shown, notes = process.communicate(timeout=300)
    assert process.returncode in (0, 1), notes.decode()
    assert sent.startswith(shown.decode())
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert any(event["value"] is not None for event in events)
    assert len(shown.decode()) in [0, *(event["end"] for event in events)]
    assert (process.returncode == 1) == ("halted" in notes.decode())


def fed(process: subprocess.Popen[bytes], pieces: Iterator[str]) -> str:
    """Put the pieces into the process as they come, until it reads no more or the model's limit; what was put."""
    assert process.stdin is not None
    sent = ""
    with contextlib.suppress(LLMCut, BrokenPipeError):  # a halted stream is read no further
        for piece in pieces:
            sent += piece
            process.stdin.write(piece.encode())
            process.stdin.flush()
    return sent
