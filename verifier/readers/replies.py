"""Read a chat model's reply: one reading, or none, for each claim that it was asked about.

A reply can only be taken at its word. An id that is missing or said twice has no reading; a reply with an id that was
not asked about, or that is not the JSON that was asked for, has none at all. Nothing is padded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from verifier.core.chat.reply import json_object
from verifier.core.chat.types import ChatReply, TokenChances
from verifier.readers.prompt import LABELS
from verifier.readers.types import Answer, Call, Quotation, Reading, State

__all__ = ["readings_of"]

_MOST_QUOTATIONS = 8
"""More quotations than this for one claim are no pointing any more; the first ones are kept."""

_ANSWER_OF: Mapping[str, Answer] = {
    "supported": Answer.SUPPORTED,
    "contradicted": Answer.CONTRADICTED,
    "disputed": Answer.NOT_FOUND,
    "not_said": Answer.NOT_FOUND,
    "unheard_of": Answer.NOT_FOUND,
}


def readings_of(
    reply: ChatReply, ids: Sequence[str], *, pieces: int, call: Call
) -> dict[str, Reading] | None:
    """The readings that a reply gives, by id; ``None`` where it is not of the form that was asked for.

    Args:
        reply: what the model said.
        ids: those that it was asked about.
        pieces: how many pieces it was given; a quotation of another number makes its reading void.
        call: what the request took, for each reading.
    """
    try:
        said = json_object(reply.text)
    except ValueError:
        return None
    items = said.get("readings")
    if set(said) != {"readings"} or not isinstance(items, list):
        return None
    if not all(isinstance(item, dict) and isinstance(item.get("id"), str) for item in items):
        return None
    times = Counter(item["id"] for item in items)
    if set(times) - set(ids):
        return None
    chances = _chances_of(reply, items)
    readings = {}
    for number, item in enumerate(items):
        if times[item["id"]] == 1:
            reading = _reading(item, pieces, chances[number] if chances else None, call)
            if reading is not None:
                readings[item["id"]] = reading
    return readings


def _reading(
    item: Mapping[str, Any], pieces: int, chances: Mapping[Answer, float] | None, call: Call
) -> Reading | None:
    """The reading that one object of a reply is; ``None`` where it is malformed."""
    if set(item) != {"id", "quotations", "note", "label"}:
        return None
    label, note, quoted = item["label"], item["note"], item["quotations"]
    if not (isinstance(label, str) and isinstance(note, str) and isinstance(quoted, list)):
        return None
    label = label.strip().lower()
    quotations = [_quotation(one, pieces) for one in quoted[:_MOST_QUOTATIONS]]
    if label not in _ANSWER_OF or None in quotations:
        return None
    kept = tuple(one for one in quotations if one is not None and one.text.strip())
    return Reading(
        State.SETTLED,
        _ANSWER_OF[label],
        probabilities=chances,
        quotations=kept,
        pieces=tuple(dict.fromkeys(one.piece for one in kept)),
        note=_shown(note),
        disputed=label == "disputed",
        unheard=label == "unheard_of",
        calls=(call,),
    )


def _shown(note: str) -> str:
    """A model's own words as they may stand in a report: one line, with nothing that no screen shows and no file
    takes (controls, turned text, half surrogate pairs)."""
    kept = "".join(character for character in note if character.isprintable() or character.isspace())
    return " ".join(kept.split())


def _quotation(said: object, pieces: int) -> Quotation | None:
    if not isinstance(said, dict) or set(said) != {"piece", "text"}:
        return None
    number, text = said["piece"], said["text"]
    if not isinstance(number, int) or isinstance(number, bool) or not isinstance(text, str):
        return None
    return Quotation(number, text) if 1 <= number <= pieces else None


def _chances_of(
    reply: ChatReply, items: Sequence[Mapping[str, Any]]
) -> list[Mapping[Answer, float] | None] | None:
    """The probabilities of the answers at the place of each label, where the server gave those of its tokens.

    A label is told by its first token, for no two begin alike: the probability of an answer is the sum of those of the
    tokens that begin one of its labels, over the sum for all labels.
    """
    if not reply.tokens_said or "".join(token.text for token in reply.tokens_said) != reply.text:
        return None
    places = _label_places(reply.text)
    if len(places) != len(items):
        return None
    starts, at = {}, 0
    for token in reply.tokens_said:
        starts[at] = token
        at += len(token.text)
    return [_answer_chances(starts.get(place)) for place in places]


def _label_places(text: str) -> list[int]:
    """Where the value of each ``"label"`` begins, behind its quotation mark."""
    places, at = [], 0
    while (at := text.find('"label"', at)) >= 0:
        opening = text.find('"', at + len('"label"'))
        if opening < 0:
            break
        if text[at + len('"label"') : opening].strip() == ":":
            places.append(opening + 1)
        at = opening + 1
    return places


def _answer_chances(token: TokenChances | None) -> Mapping[Answer, float] | None:
    if token is None:
        return None
    masses = dict.fromkeys(Answer, 0.0)
    for text, logarithm in token.chances.items():
        begun = text.strip().lower()
        label = next((one for one in LABELS if begun and one.startswith(begun)), None)
        if label is not None and math.isfinite(logarithm):
            masses[_ANSWER_OF[label]] += math.exp(min(logarithm, 0.0))
    whole = sum(masses.values())
    return {answer: mass / whole for answer, mass in masses.items()} if whole > 0 else None
