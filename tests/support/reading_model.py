"""A chat model that reads by a rule: it understands the requests of the chat reader and answers in their form.

It stands in for a real model: its answers follow from the words of claim and evidence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from verifier.core.chat import ChatRequest, ScriptedChat

__all__ = ["asked_of", "reading_model", "replying", "said"]

_LINE = re.compile(
    r'^(?P<id>c?\d+) (?P<first>"(?:[^"\\]|\\.)*")(?: (?:OBJECTION )?(?P<second>"(?:[^"\\]|\\.)*"))?$'
)


def asked_of(request: ChatRequest) -> tuple[dict[int, str], dict[str, str], dict[str, str]]:
    """The pieces by number, the claims by id and the objections by id that a request holds."""
    pieces, claims, objections = {}, {}, {}
    for line in request.text.splitlines():
        found = _LINE.match(line)
        if found is None:
            continue
        first, second = json.loads(found["first"]), json.loads(found["second"] or '""')
        if found["id"].startswith("c"):
            claims[found["id"]] = first
            if second:
                objections[found["id"]] = second
        else:
            pieces[int(found["id"])] = second
    return pieces, claims, objections


def said(name: str, label: str, *quotations: tuple[int, str], note: str = "so it is") -> dict[str, Any]:
    """One object of a reply."""
    quoted = [{"piece": piece, "text": text} for piece, text in quotations]
    return {"id": name, "quotations": quoted, "note": note, "label": label}


def replying(*items: Mapping[str, Any]) -> str:
    """A reply of these objects."""
    return json.dumps({"readings": list(items)}, ensure_ascii=False)


def _by_words(claim: str, pieces: Mapping[int, str]) -> tuple[str, list[tuple[int, str]]]:
    """Supported where a piece has the claim's words, contradicted where it has all but its figures, else unheard of."""
    wanted = claim.strip(" .")
    for number, text in pieces.items():
        if wanted and wanted in text:
            return "supported", [(number, wanted)]
    bare = re.sub(r"\d+", "#", wanted)
    for number, text in pieces.items():
        at = re.sub(r"\d+", "#", text).find(bare)
        if bare and at >= 0:
            sentence = next(
                (
                    one
                    for one in re.split(r"(?<=[.。])\s*", text)
                    if re.sub(r"\d+", "#", one).startswith(bare)
                ),
                text,
            )
            return "contradicted", [(number, sentence)]
    return "unheard_of", []


def reading_model(
    judge: Callable[[str, Mapping[int, str]], tuple[str, list[tuple[int, str]]]] = _by_words,
) -> ScriptedChat:
    """The model; ``judge`` gives the label and the quotations of a claim beside its pieces."""

    def reply(request: ChatRequest) -> str:
        pieces, claims, _ = asked_of(request)
        items = []
        for name, claim in claims.items():
            label, quotations = judge(claim, pieces)
            items.append(said(name, label, *quotations))
        return replying(*items)

    return ScriptedChat(reply, model="reading")
