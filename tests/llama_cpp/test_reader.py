"""The chat reader over a real server: each claim ends settled or in error, and what it took is counted.

No accuracy is asserted: the model is far too small to be right. Run by ``make test-llm``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.llama_cpp.serving import MODEL, LlamaServer, llama_server
from tests.support import cli
from verifier.config import Settings
from verifier.config.llm import LLMSettings
from verifier.core.chat import ChatRequest, PatientChat
from verifier.core.chat.counts import cut_short, fewest_tokens
from verifier.core.errors import LLMCut
from verifier.factory import build_chat, build_scorer
from verifier.readers import Case, Piece, Reading, State
from verifier.readers.chat import ChatReader
from verifier.readers.prompt import request_for
from verifier.types import Report, Status
from verifier.verification.retrieve import GivenTexts

ROOT = Path(__file__).parents[2]
LIBRARY = "The library opens at nine. It has 24 reading desks. Cards are free for residents."
MUSEUM = "The museum opens at ten. A ticket for the museum costs 8 EUR, and the library's card is no ticket."
RESPONSE = "The library opens at nine. The library has 60 reading desks."
PIECES = (Piece(LIBRARY, "library.md"), Piece(MUSEUM, "museum.md"))


def over(server: LlamaServer, timeout: float = 300) -> PatientChat:
    return build_chat(LLMSettings(model=MODEL, base_url=server.url, timeout=timeout, max_retries=0))


def check_readings(readings: Sequence[Reading], cases: int) -> None:
    assert len(readings) == cases
    for reading in readings:
        assert reading.state is not State.ABSTAINED
        assert (reading.answer is not None) == (reading.state is State.SETTLED)
        assert "read only" not in reading.note
        if reading.state is State.FAILED:
            assert reading.note
        else:
            assert all(call.input_tokens and call.output_tokens for call in reading.calls)


def test_each_case_is_settled_or_has_failed_for_a_reason(server: LlamaServer) -> None:
    chat = over(server)
    cases = [Case("The library opens at nine.", PIECES), Case("The museum costs 9 EUR.", PIECES)]
    readings = ChatReader(chat).read(cases)
    check_readings(readings, 2)
    calls = {call for reading in readings for call in reading.calls}
    used = chat.usage
    assert len(calls) <= used.requests
    assert sum(call.input_tokens or 0 for call in calls) <= used.input_tokens
    assert sum(call.output_tokens or 0 for call in calls) <= used.output_tokens


@pytest.mark.parametrize("bound", ["max_requests", "max_tokens"])
def test_a_reader_that_has_used_up_its_bound_asks_no_more_and_says_so(
    server: LlamaServer, bound: str
) -> None:
    chat = over(server)
    bounds: dict[str, Any] = {bound: 1}
    reader = ChatReader(chat, **bounds)
    check_readings(reader.read([Case("The library opens at nine.", PIECES)]), 1)
    before = chat.usage.requests
    [reading] = reader.read([Case("The museum opens at ten.", PIECES)])
    if bound == "max_requests" or chat.usage.input_tokens:
        assert chat.usage.requests == before
        assert reading.state is State.FAILED
        assert "used up" in reading.note


def test_a_server_that_is_too_slow_is_a_failure_in_time(server: LlamaServer) -> None:
    chat = over(server, timeout=0.05)
    [reading] = ChatReader(chat).read([Case("The library opens at nine.", PIECES)])
    assert reading.state is State.FAILED
    assert "no answer in 0.05 s" in reading.note or "status 500" in reading.note
    check_readings(ChatReader(over(server)).read([Case("The museum opens at ten.", PIECES)]), 1)


def settings_for(server: LlamaServer) -> Settings:
    return Settings.model_validate(
        {
            "llm": {"model": MODEL, "base_url": server.url, "timeout": 300, "max_retries": 0},
            "reader": {"type": "chat", "read": "all"},
        }
    )


def check_report(report: Report) -> None:
    for claim in report.claims:
        assert claim.reader is not None
        if claim.status is Status.ERROR:
            assert claim.reader.state == State.FAILED
            assert claim.verdict is None
            assert claim.reason
        else:
            assert claim.status is Status.CHECKED
            assert claim.reader.state == State.SETTLED
            assert claim.verdict is not None
            for quotation in claim.reader.quotations:
                assert quotation.text in LIBRARY + MUSEUM


def test_each_claim_of_a_check_ends_settled_or_in_error_with_its_reason(server: LlamaServer) -> None:
    report = build_scorer(settings_for(server), GivenTexts.of(LIBRARY, MUSEUM)).verify(RESPONSE)
    assert [claim.text for claim in report.claims] == RESPONSE.replace(". The", ".|The").split("|")
    assert report.coverage == 1
    check_report(report)
    if any(claim.status is Status.ERROR for claim in report.claims):
        assert not report.approved
    assert report.reader is not None
    assert report.reader.claims == 2
    settled = [claim for claim in report.claims if claim.status is Status.CHECKED]
    if settled:
        assert report.reader.calls
        request = request_for([Case("", PIECES)])
        assert (report.reader.input_tokens or 0) >= server.tokens(request.instructions)
        assert report.reader.output_tokens


def test_the_command_says_by_its_exit_code_whether_all_was_read(server: LlamaServer, tmp_path: Path) -> None:
    (tmp_path / "library.md").write_text(LIBRARY)
    (tmp_path / "museum.md").write_text(MUSEUM)
    (tmp_path / "verifier.toml").write_text(
        f'[llm]\nmodel = "{MODEL}"\nbase_url = "{server.url}"\ntimeout = 300\nmax_retries = 0\n'
        '[reader]\ntype = "chat"\nread = "all"\n'
    )
    done = cli.run(
        *("verify", "--text", RESPONSE, "--source", "library.md", "--source", "museum.md"),
        *("--config", "verifier.toml", "--format", "json"),
        cwd=tmp_path,
        timeout=600,
    )
    assert done.returncode in (0, 1, 3), done.stderr
    claims = json.loads(done.stdout)["claims"]
    assert len(claims) == 2
    assert all(claim["reason"] for claim in claims)
    assert (done.returncode == 3) == any(claim["status"] == "error" for claim in claims)


def test_no_text_has_fewer_tokens_than_a_whole_reading_must_count(server: LlamaServer) -> None:
    texts = [
        path.read_text() for folder in ("docs", "corpora/demo/kb") for path in ROOT.glob(f"{folder}/*.md")
    ]
    stretches = [text[at : at + 2000] for text in texts for at in range(0, len(text), 20_000)]
    assert len(stretches) > 20
    for stretch in [*stretches, "图书馆每天九点开门。" * 40, "Библиотека открывается в девять часов. " * 40]:
        assert cut_short(stretch, server.tokens(stretch)) is None, stretch


def test_a_server_that_drops_the_instructions_is_found_out_by_its_own_count(
    server: LlamaServer, weights: Path, tmp_path: Path
) -> None:
    request = request_for([Case("The library opens at nine.", PIECES)])
    plain = ChatRequest(request.instructions, request.text, max_tokens=3)
    sent = plain.instructions + plain.text
    assert fewest_tokens(sent) > server.tokens(plain.text) + 100
    assert cut_short(sent, counted(server, plain)) is None
    # Gemma's own format has no place for a system's part, and this server leaves it out unsaid.
    with llama_server(weights, tmp_path / "log.txt", chat_format="gemma", context=2048) as dropping:
        assert cut_short(sent, counted(dropping, plain)) is not None


def counted(server: LlamaServer, request: ChatRequest) -> int | None:
    """The tokens of a request by the server's own count."""
    try:
        return over(server).complete(request).input_tokens
    except LLMCut as cut:
        return cut.input_tokens
