"""The prompt of the chat reader: one request about all cases that share their evidence.

Rules (``rules.txt``) first, evidence next, claims last, so that servers can keep what requests have in common. The
rules are the same to the character in every request. Texts of others stand on lines of their own as JSON strings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from verifier.core.chat.enclose import code_of, json_line
from verifier.core.chat.types import ChatRequest
from verifier.readers.types import Case

__all__ = ["LABELS", "PROMPT_HASH", "REPLY_SCHEMA", "key_of", "request_for"]

LABELS = ("supported", "contradicted", "disputed", "not_said", "unheard_of")
"""What a model may say of a claim. No two begin with the same letter, so that one token tells them apart."""

REPLY_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "readings": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "quotations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"piece": {"type": "integer"}, "text": {"type": "string"}},
                            "required": ["piece", "text"],
                            "additionalProperties": False,
                        },
                    },
                    "note": {"type": "string"},
                    "label": {"type": "string", "enum": list(LABELS)},
                },
                "required": ["id", "quotations", "note", "label"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["readings"],
    "additionalProperties": False,
}
"""JSON Schema of a reply. Quotations come before the label, so that the label follows from them."""

_RULES = files("verifier.readers").joinpath("rules.txt").read_text(encoding="utf-8").rstrip()

_AGAIN = "\nYour last reply to this was not of that form. Reply with one JSON object and nothing before or after it."

_TOKENS_A_CLAIM = 180
"""Bound of a reply: so many tokens for each claim (three quotations, a note), and as many once."""


def request_for(
    cases: Sequence[Case], *, again: bool = False, longer: int = 1, logprobs: bool = False
) -> ChatRequest:
    """The request about cases that all have the same pieces; their ids are ``c1``, ``c2`` ... in their order.

    Args:
        cases: at least one; all with the pieces of the first.
        again: the last reply had not the form that is asked for.
        longer: how many times the usual length the reply may have.
        logprobs: ask for the probabilities of its tokens, too.
    """
    evidence = [
        f"{number} {json_line(piece.label)} {json_line(piece.text)}"
        for number, piece in enumerate(cases[0].pieces, start=1)
    ]
    claims = [_claim_line(number, case) for number, case in enumerate(cases, start=1)]
    code = code_of(["\n".join(evidence), "\n".join(claims)])
    text = "\n".join(
        [
            f"CODE {code}",
            *_block("EVIDENCE", code, evidence),
            *_block("CLAIMS", code, claims),
            "Reply with the JSON.",
        ]
    )
    return ChatRequest(
        instructions=_RULES + (_AGAIN if again else ""),
        text=text,
        temperature=0.0,
        max_tokens=_TOKENS_A_CLAIM * (len(cases) + 1) * longer,
        schema=REPLY_SCHEMA,
        logprobs=logprobs,
    )


def _claim_line(number: int, case: Case) -> str:
    objection = f" OBJECTION {json_line(case.objection)}" if case.objection else ""
    return f"c{number} {json_line(case.claim)}{objection}"


def _block(name: str, code: str, lines: Sequence[str]) -> list[str]:
    return [f"<<<{name} {code}>>>", *lines, f"<<<END {code}>>>"]


PROMPT_HASH = hashlib.sha256(json.dumps([_RULES, _AGAIN, REPLY_SCHEMA]).encode()).hexdigest()[:12]
"""Names the way in which claims are asked about, for identities and caches."""


def key_of(request: ChatRequest) -> str:
    """Names a request, whatever process puts it: the code of its marks is another in each. 16 hexadecimal digits."""
    _, _, rest = request.text.partition("\n")
    code = request.text[len("CODE ") : len(request.text) - len(rest) - 1]
    said = f"{request.instructions}\0{rest.replace(code, '')}\0{request.max_tokens}"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]
