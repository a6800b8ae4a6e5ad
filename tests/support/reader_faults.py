"""Everything that can go wrong between the chat reader and its server, as a table that tests run through.

``python -m tests.support.reader_faults`` prints it as Markdown. Each row is a script for the local server and what
must come of it, for each claim of ``RESPONSE``: an answer that counts, or an error with its reason.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.support.llm_server import Answer, Request, Step, broken, cut, drop, page, say, silence, status
from tests.support.reading_model import asked_of, reading_model, said
from verifier.core.chat import ChatRequest

__all__ = [
    "DESKS",
    "FAULTS",
    "LIBRARY",
    "MODEL",
    "RESPONSE",
    "SECRET",
    "SOURCE",
    "Fault",
    "honest",
    "markdown",
]

MODEL = "m-1"
SECRET = "VENDOR-WORDS"
"""What a server says, and no user may read."""
LIBRARY, DESKS = "The library opens at 9.", "The reading room has 24 desks."
RESPONSE = f"{LIBRARY} {DESKS}"
SOURCE = f"{LIBRARY} {DESKS} The handling fee is 5 EUR for each order."
NOT_JSON = "its replies were not the JSON that was asked for"


def honest(request: Request) -> Answer:
    """What a model says that reads by the words of claim and evidence."""
    return _said(request, _honest_items(request))


def _honest_items(request: Request) -> list[dict[str, Any]]:
    reply = reading_model().complete(ChatRequest(request.instructions, request.text))
    items: list[dict[str, Any]] = json.loads(reply.text)["readings"]
    return items


def _said(request: Request, items: list[dict[str, Any]], **options: Any) -> Answer:
    text = json.dumps({"readings": items}, ensure_ascii=False)
    return say(text, **{"tokens": (request.tokens, len(text) // 4), **options})


def edited(edit: Callable[[list[dict[str, Any]]], list[dict[str, Any]]], **options: Any) -> Step:
    """An honest reply with something done to its objects."""
    return lambda request: _said(request, edit(_honest_items(request)), **options)


def spoken(form: str, **options: Any) -> Step:
    """Words around an honest reply, or in its place; ``{}`` stands for the reply."""

    def answer(request: Request) -> Answer:
        text = form.replace("{}", honest(request).text or "")
        return say(text, tokens=(request.tokens, len(text) // 4), **options)

    return answer


def halved(request: Request) -> Answer:
    """The first half of an honest reply, as if it were all of it."""
    text = honest(request).text or ""
    return say(text[: len(text) // 2], tokens=(request.tokens, 20))


def about(words: str, answer: Step) -> Step:
    """``answer`` to a request about a claim with these words, an honest reply to others."""

    def step(request: Request) -> Answer:
        claims = asked_of(ChatRequest(request.instructions, request.text))[1]
        if not any(words in claim for claim in claims.values()):
            return honest(request)
        return answer(request) if callable(answer) else answer

    return step


@dataclass(frozen=True)
class Fault:
    """A row: what the server does, and what must come of it.

    Args:
        kind: in the words of the documentation.
        steps: what is done with each request; the last again and again.
        requests: how many reach the server, with two retries.
        reasons: why a claim is in error, by claim; none for a claim that is read. ``{key_env}``, ``{address}``,
            ``{provider}``, ``{sent}`` and ``{limit}`` are filled in.
        server: attributes of the server.
        patience: what the model is given instead of the usual patience.
        waits: seconds between the requests, where the server says how long.
    """

    kind: str
    steps: tuple[Step, ...]
    requests: int
    reasons: Mapping[str, str] = field(default_factory=dict)
    server: Mapping[str, Any] = field(default_factory=dict)
    patience: Mapping[str, Any] = field(default_factory=dict)
    waits: tuple[float, ...] | None = None


def _both(reason: str) -> dict[str, str]:
    return {LIBRARY: reason, DESKS: reason}


def _status(code: int, **options: Any) -> Answer:
    return status(code, body=json.dumps({"error": {"message": SECRET}}).encode(), **options)


_CUT_OFF = "the model's reply was cut off at its length limit"
_PAGE = f"<!doctype html><title>{SECRET}</title>"
_ANSWERED = f"model '{MODEL}' answered with status"
_USED_UP = status(429, body=b'{"error": {"code": "insufficient_quota"}}')
_OTHER = f"model '{MODEL}' sent what is no answer"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "429 with `Retry-After: 9`, then a reply", (_status(429, retry_after="9"), honest), 2, waits=(9.0,)
    ),
    Fault("429 each time", (_status(429),), 3, _both(f"{_ANSWERED} 429"), waits=(1.0, 2.0)),
    Fault(
        "429 with `Retry-After` over a minute",
        (_status(429, retry_after="120"),),
        1,
        _both(f"{_ANSWERED} 429"),
        waits=(),
    ),
    Fault("500, then a reply", (_status(500), honest), 2, waits=(1.0,)),
    Fault("500 each time", (_status(500),), 3, _both(f"{_ANSWERED} 500")),
    Fault("503 with a page", (status(503, body=_PAGE.encode()),), 3, _both(f"{_ANSWERED} 503")),
    Fault("closes the connection", (drop(),), 3, _both(f"model '{MODEL}' cannot be reached")),
    Fault(
        "breaks off in the middle of a reply",
        (cut("x" * 500, after=1),),
        3,
        _both(f"model '{MODEL}' cannot be reached"),
    ),
    Fault(
        "says nothing",
        (silence(),),
        2,
        _both("the model gave no answer in {limit} s"),
        patience={"timeout": 0.4, "max_retries": 1},
    ),
    Fault("prose", (spoken(f"{SECRET}: all of them are supported."),), 4, _both(NOT_JSON)),
    Fault("prose, then JSON", (spoken("All of them are supported."), honest), 2),
    Fault("an empty reply", (spoken(""),), 4, _both(NOT_JSON)),
    Fault("half a JSON object, said to be whole", (halved,), 4, _both(NOT_JSON)),
    Fault("JSON in a fence, with words around it", (spoken("Here it is:\n```json\n{}\n```\nDone."),), 1),
    Fault(
        "ids that nobody asked about",
        (edited(lambda items: [{**item, "id": f"q{item['id']}"} for item in items]),),
        4,
        _both(NOT_JSON),
    ),
    Fault(
        "one id more than was asked about",
        (edited(lambda items: [*items, said("c9", "supported")]),),
        4,
        _both(NOT_JSON),
    ),
    Fault("an id twice, then once", (edited(lambda items: [*items, items[0]]), honest), 2),
    Fault("an id twice each time", (edited(lambda items: [*items, items[0]]),), 2, {LIBRARY: NOT_JSON}),
    Fault("an id missing, then there", (edited(lambda items: items[1:]), honest), 2),
    Fault("an id missing each time", (edited(lambda items: items[1:]),), 2, {LIBRARY: NOT_JSON}),
    Fault(
        "a label of its own invention",
        (edited(lambda items: [{**item, "label": "plausible"} for item in items]),),
        3,
        _both(NOT_JSON),
    ),
    Fault(
        "a quotation of a piece that there is not",
        (edited(lambda items: [said(item["id"], "supported", (9, LIBRARY)) for item in items]),),
        3,
        _both(NOT_JSON),
    ),
    Fault("refuses", (say(None, refusal=SECRET),), 3, _both("the model refused")),
    Fault(
        "refuses whatever has one of the claims",
        (about("desks", say(SECRET, finish="content_filter")),),
        3,
        {DESKS: "the model refused"},
    ),
    Fault("a reply cut at its limit, then whole", (edited(lambda items: items, finish="length"), honest), 2),
    Fault("a reply cut at its limit each time", (spoken("{", finish="length"),), 6, _both(_CUT_OFF)),
    Fault(
        "reads only part of the request, by its own count",
        (edited(lambda items: items, tokens=(200, 20)),),
        1,
        _both("the server read only 200 tokens of about {sent} sent"),
    ),
    Fault(
        "a wrong key (401)",
        (honest,),
        1,
        _both(f"{_ANSWERED} 401: the key of {{key_env}} is not accepted"),
        server={"key": f"sk-{SECRET}"},
    ),
    Fault(
        "no access (403)",
        (_status(403),),
        1,
        _both(f"{_ANSWERED} 403: the key of {{key_env}} is not accepted"),
    ),
    Fault(
        "a wrong model (404)",
        (honest,),
        1,
        _both(f"{_ANSWERED} 404: no such model, or no such service at {{address}}"),
        server={"models": frozenset([SECRET])},
    ),
    Fault("the quota is used up", (_USED_UP,), 1, _both(f"{_ANSWERED} 429: the quota is used up")),
    Fault("400 for another reason", (_status(400),), 1, _both(f"{_ANSWERED} 400")),
    Fault(
        "another protocol: a page with status 200",
        (page(_PAGE),),
        3,
        _both(f"{_OTHER}: does {{address}} speak the API of {{provider}}?"),
    ),
    Fault(
        "another protocol: other JSON with status 200",
        (broken(json.dumps({"answers": [SECRET]}).encode()),),
        3,
        _both(f"{_OTHER}: does {{address}} speak the API of {{provider}}?"),
    ),
    Fault("what is no JSON with status 200", (broken(f'{{"{SECRET}'.encode()),), 3, _both(_OTHER)),
    Fault("takes no JSON Schema (400)", (honest,), 2, server={"takes_schema": False}),
    Fault("takes no temperature (400)", (honest,), 2, server={"takes_temperature": False}),
    Fault(
        "one piece of evidence is larger than the model's window",
        (honest,),
        1,
        _both(f"{_ANSWERED} 400: a single piece of evidence is too long for it"),
        server={"window": 500},
    ),
)
"""With one piece of evidence and two claims in one request; see ``tests/integration/test_chat_reader_wire.py``."""


def markdown() -> str:
    """The table, for the documentation."""
    lines = [
        "| what the server does | requests | what comes of it | reason in the report |",
        "|---|---|---|---|",
    ]
    for fault in FAULTS:
        outcome = {0: "read", len(RESPONSE.split(". ")): "error"}.get(
            len(fault.reasons), "one read, one error"
        )
        reason = next(iter(fault.reasons.values()), "")
        shown = reason.format(
            key_env="OPENAI_API_KEY", address="http://...", provider="openai", sent="1200", limit="30"
        )
        lines.append(f"| {fault.kind} | {fault.requests} | {outcome} | {shown} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(markdown() + "\n")
