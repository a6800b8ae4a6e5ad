"""Hostile texts in claim, question and evidence: none leaves its block, and models that obey find no order outside."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.gullible import GULLIBLE, OBEYED, gullible, naive_prompt
from tests.support.llm_server import LLMServer, Request, llm_server, say
from verifier.core.chat import AnthropicChat, ChatRequest, OpenAIChat, ScriptedChat
from verifier.core.chat.enclose import Enclosure, json_line
from verifier.guard.judge import JudgeVerdict, LLMJudge, blended

CORPUS = Path(__file__).parents[2] / "corpora" / "hostile" / "judge.jsonl"
ROWS = [json.loads(line) for line in CORPUS.read_text().splitlines()]
PLACES = ("claim", "evidence", "question")
CLAIM, EVIDENCE, QUESTION = "Refunds take 30 days.", "Refunds take 14 days.", "How long do refunds take?"


def prompt(chat: ScriptedChat, place: str, text: str) -> ChatRequest:
    """The request that a judge makes with ``text`` put in one place; the reply decides nothing here."""
    ask_with(LLMJudge(chat), place, text)
    return chat.requests[0]


def ask_with(judge: LLMJudge, place: str, text: str) -> JudgeVerdict | None:
    given = {"claim": CLAIM, "evidence": EVIDENCE, "question": QUESTION, place: text}
    return judge.judge(given["claim"], [EVIDENCE, given["evidence"]], question=given["question"]).verdict


def code_of(request: ChatRequest) -> str:
    (code,) = set(re.findall(r"<<<END ([0-9a-f]{32})>>>", request.instructions))
    return str(code)


def test_there_are_enough_of_them_and_each_is_of_its_own() -> None:
    assert len(ROWS) >= 30
    assert len({row["text"] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}-{row['kind']}")
def test_nothing_leaves_its_block(place: str, row: dict[str, str]) -> None:
    text = row["text"]
    benign, hostile = (prompt(gullible(GULLIBLE["exact"]), place, said) for said in ("Fine.", text))
    assert hostile.instructions.replace(code_of(hostile), "") == benign.instructions.replace(
        code_of(benign), ""
    )
    lines = hostile.text.split("\n")
    expected = benign.text.replace(code_of(benign), code_of(hostile)).split("\n")
    (index,) = [index for index, line in enumerate(expected) if line == '"Fine."']
    assert [*lines[:index], *lines[index + 1 :]] == [*expected[:index], *expected[index + 1 :]]
    assert json.loads(lines[index]) == text, "nothing is lost"
    assert all(line.isprintable() for line in lines)
    assert not re.search(r"[<>]|\[/?[A-Z_]{2,}\]", lines[index])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("reader", GULLIBLE)
def test_a_model_that_obeys_what_stands_outside_finds_no_order(place: str, reader: str) -> None:
    judge = LLMJudge(gullible(GULLIBLE[reader]))
    verdicts = {row["id"]: ask_with(judge, place, row["text"]) for row in ROWS}
    assert set(verdicts.values()) == {JudgeVerdict.NO}, verdicts


def test_without_containment_the_same_models_obey() -> None:
    obeyed = {
        reader: {
            row["id"]
            for row in ROWS
            if gullible(outside).complete(naive_prompt(CLAIM, row["text"])).text == OBEYED
        }
        for reader, outside in GULLIBLE.items()
    }
    assert {reader: len(ids) for reader, ids in obeyed.items()} == {
        "exact": 1,
        "any_mark": 4,
        "any_line": 36,
        "tags": 11,
        "template": 13,
        "hidden": 2,
    }
    assert len(set().union(*obeyed.values())) == 43


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_it_is_the_same_on_the_wire(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(provider)
    with llm_server() as server:
        server.answers = lambda request: say(_worst(request))
        for row in ROWS:
            assert ask_with(LLMJudge(_over(server, provider)), "evidence", row["text"]) is JudgeVerdict.NO
        assert len(server.requests) == len(ROWS)


def _over(server: LLMServer, provider: str) -> OpenAIChat | AnthropicChat:
    if provider == "openai":
        return OpenAIChat("m", base_url=server.openai_url)
    return AnthropicChat("m", base_url=server.anthropic_url)


def _worst(request: Request) -> str:
    """What the most gullible of all readers says."""
    asked = ChatRequest(request.instructions, request.text)
    replies = [gullible(outside).complete(asked).text for outside in GULLIBLE.values()]
    return next((reply for reply in replies if reply == OBEYED), replies[0])


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_any_text_at_all_stays_in_its_block_and_comes_back_whole(texts: list[str]) -> None:
    enclosure = Enclosure([(f"EVIDENCE {number}", text) for number, text in enumerate(texts)])
    lines = enclosure.text().split("\n")
    assert len(lines) == 3 * len(texts)
    assert [json.loads(line) for line in lines[1::3]] == texts
    assert all(enclosure.code not in line for line in lines[1::3])
    assert enclosure.text().isascii() or all(line.isprintable() for line in lines)


@given(st.text(alphabet=st.characters()))
def test_a_line_holds_no_end_no_tag_and_nothing_invisible(text: str) -> None:
    line = json_line(text)
    assert json.loads(line) == text
    assert line.isprintable()
    assert not set("<>") & set(line)
    assert len(line.splitlines()) == 1


def test_marks_are_the_same_for_the_same_texts_and_tell_nothing_of_others() -> None:
    one, same, other = (Enclosure([("CLAIM", text)]).code for text in ("a", "a", "b"))
    assert one == same != other
    assert re.fullmatch(r"[0-9a-f]{32}", one)


@given(st.floats(0, 1))
def test_even_a_judge_that_obeys_cannot_move_a_divergence_far(divergence: float) -> None:
    hijacked = LLMJudge(ScriptedChat([OBEYED])).judge(CLAIM, [EVIDENCE])
    assert divergence - 0.24 - 1e-9 <= blended(divergence, hijacked) <= divergence + 0.06 + 1e-9
