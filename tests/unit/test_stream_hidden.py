"""A stream that says something where nobody sees it is halted, as ``verify`` refuses it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from verifier.config import load
from verifier.guard.factory import build_streaming_kernel
from verifier.guard.streaming import HaltKind, StreamingKernel, StreamSession
from verifier.types import Document
from verifier.verification.claims import hidden_in
from verifier.verification.retrieve import GivenTexts

SHOWN = "Dogs are welcome. "
FEE = "The fee is 5 EUR."
FILLER = "The hall has many seats of wood and a stage of stone. " * 100


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize(
    ("text", "where"),
    [
        (f"{SHOWN}<!-- {FEE} -->\n\n{SHOWN}", "a comment"),
        (f'{SHOWN}<span title="{FEE}">Seats</span> are free. {SHOWN}', "the attribute title"),
        (f'{SHOWN}See [the rules](rules.md "{FEE}") first. {SHOWN}', "the title of a link"),
        (f"{SHOWN}```\ncode\n```\n\n<!-- {FEE} -->", "a comment"),
        (f"{SHOWN}```\n<!-- {FEE} -->\n\n{SHOWN}", "a comment"),
        (f"{SHOWN}<!-- {'-- ' * 2000} {FEE} -->", "a comment"),
        (f"{FILLER}\n```\n{FILLER}\n```\n{FILLER}<!-- {FEE} -->\n", "a comment"),
    ],
)
def test_a_hidden_sentence_halts_a_stream(text: str, where: str, size: int) -> None:
    session = StreamSession()
    out = "".join(StreamingKernel(lambda segment: 0.9).release(pieces(text, size), session))
    assert session.halt is not None
    assert session.halt.kind is HaltKind.HIDDEN
    assert where in session.halt.reason
    assert FEE in session.halt.reason
    assert text.startswith(out)


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize(
    "text",
    [
        f"{SHOWN}\n```html\n<!-- {FEE} -->\n```\n\n{SHOWN}",
        f"{FILLER}\n```\n{FILLER}<!-- {FEE} -->\n{FILLER}\n```\n{FILLER}",
        f"{SHOWN}<!-- todo -->\n\n[Seats](seats.md) are free [1]. 3 < 5, ~5 and `x`. {FILLER}",
        "",
    ],
)
def test_what_is_shown_passes_to_the_character(text: str, size: int) -> None:
    assert hidden_in(text) == ()
    session = StreamSession()
    assert "".join(StreamingKernel(lambda segment: 0.9).release(pieces(text, size), session)) == text
    assert not session.halted


def test_nothing_of_a_hidden_sentence_is_released_and_what_stands_before_it_is() -> None:
    session = StreamSession()
    tokens = [SHOWN, "<!-- ", FEE, " -->\n\n", SHOWN, SHOWN]
    assert "".join(StreamingKernel(lambda segment: 0.9).release(tokens, session)) == SHOWN
    assert session.safe_prefix == SHOWN

    async def coming() -> AsyncIterator[str]:
        for token in tokens:
            yield token

    halted = asyncio.run(StreamingKernel(lambda segment: 0.9, every=2).arun(coming()))
    assert halted.halt is not None
    assert halted.halt.kind is HaltKind.HIDDEN


def test_hidden_sentences_pass_where_the_configuration_allows_them() -> None:
    text = f"{SHOWN}<!-- {FEE} -->"
    source = GivenTexts((Document("a.md", "a.md", f"{SHOWN}{FEE}"),))
    for allowed, kind in (("allow", None), ("reject", HaltKind.HIDDEN)):
        given = {"signals.nli": False, "stream.hard_limit": 0.0, "decision.hidden": allowed}
        kernel = build_streaming_kernel(load(overrides=given).settings, source)
        session = kernel.run(pieces(text, 5))
        assert (session.halt.kind if session.halt else None) == kind
