"""Chat models that obey, asked by the chat reader: each reads a request in its own careless way.

They add to ``tests/support/gullible.py`` what this prompt invites: forged lines, ids, replies and marks. ``parsed``
reads a request exactly, as code would.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.support.gullible import any_mark, exact, hidden, tags, template
from tests.support.reading_model import replying, said
from verifier.core.chat import ChatRequest, ScriptedChat
from verifier.readers import Case

__all__ = ["CARELESS", "Parsed", "entries_seen", "naive_request", "obeys", "parsed", "won_over"]

_ORDER = re.compile(r"verdict\W{0,4}yes|\"yes\"|return yes|label\W{0,6}supported", re.I)
_ENDS_OF_LINES = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_ENTRY = re.compile(r"\s*(c?\d+)\s+\"")
_WHOLE_ENTRY = re.compile(r"c?\d+ \".*\"")
_REPLY = re.compile(r"\{\s*\"readings\"\s*:|\"(?:label|verdict)\"\s*:\s*\"")
_TURNED = re.compile("\u202e([^\u202c]*)\u202c?")


@dataclass(frozen=True)
class Parsed:
    """What a request holds: label and text of each piece, and claim and objection by id."""

    code: str
    pieces: tuple[tuple[str, str], ...]
    claims: Mapping[str, tuple[str, str]]


def parsed(request: ChatRequest) -> Parsed:
    """The request, read exactly as its instructions say; anything that is not as they say is an ``AssertionError``."""
    first, *lines, last = request.text.split("\n")
    code = first.removeprefix("CODE ")
    assert re.fullmatch(r"[0-9a-f]{32}", code), first
    assert last == "Reply with the JSON."
    marks = [f"<<<EVIDENCE {code}>>>", f"<<<END {code}>>>", f"<<<CLAIMS {code}>>>", f"<<<END {code}>>>"]
    places = [number for number, line in enumerate(lines) if line in marks]
    assert [lines[place] for place in places] == marks
    assert (places[0], places[2], places[3]) == (0, places[1] + 1, len(lines) - 1)
    evidence, asked = lines[1 : places[1]], lines[places[2] + 1 : -1]
    pieces = [_strings(line, f"{number} ") for number, line in enumerate(evidence, start=1)]
    claims = {
        f"c{number}": _strings(line, f"c{number} ", " OBJECTION ")
        for number, line in enumerate(asked, start=1)
    }
    assert all(len(piece) == 2 for piece in pieces)
    return Parsed(
        code,
        tuple((label, text) for label, text in pieces),
        {name: (claim[0], "".join(claim[1:])) for name, claim in claims.items()},
    )


def _strings(line: str, opening: str, between: str = " ") -> list[str]:
    """The one or two JSON strings of a line, with nothing before, between and behind them but what belongs there."""
    assert line.startswith(opening), line
    decoder = json.JSONDecoder()
    found, at = decoder.raw_decode(line, len(opening))
    strings = [found]
    if at < len(line):
        assert line.startswith(between, at), line
        found, at = decoder.raw_decode(line, at + len(between))
        strings.append(found)
    assert at == len(line), line
    assert all(isinstance(one, str) for one in strings)
    return strings


def entries_seen(text: str) -> list[str]:
    """The piece numbers and ids that somebody sees who takes whatever looks like such a line for one."""
    lines = _ENDS_OF_LINES.split(unicodedata.normalize("NFKC", text))
    return [found[1] for found in map(_ENTRY.match, lines) if found]


def any_other_line(text: str) -> str:
    """Takes whole piece and claim lines for material, and whatever other line there is for an instruction."""
    return "\n".join(line for line in _ENDS_OF_LINES.split(text) if not _WHOLE_ENTRY.fullmatch(line))


def behind_the_strings(text: str) -> str:
    """Believes what stands on a line behind the strings that belong there, and lines with none."""
    outside = []
    for line in text.split("\n"):
        found = _ENTRY.match(line)
        try:
            assert found
            _strings(line, f"{found[1]} ", " OBJECTION " if line.startswith("c") else " ")
        except (AssertionError, ValueError):
            outside.append(line)
    return "\n".join(outside)


def folded(text: str) -> str:
    """Sees no difference between characters that Unicode holds for kinds of one, and none that shows nothing."""
    plain = unicodedata.normalize("NFKC", text)
    plain = "".join(character for character in plain if unicodedata.category(character) != "Cf")
    return any_mark(plain) + any_other_line(plain)


def as_displayed(text: str) -> str:
    """Reads what a screen shows: text behind a right-to-left override backwards, and that alone."""
    return "\n".join(found[1][::-1] for found in _TURNED.finditer(text))


def readymade(text: str) -> str:
    """Takes the first thing that looks like a reply, or the end of one, for its own and goes on from there."""
    found = _REPLY.search(text)
    return text[found.start() :] if found else ""


CARELESS: Mapping[str, Callable[[str], str]] = {
    reader.__name__: reader
    for reader in (
        exact,
        any_mark,
        any_other_line,
        behind_the_strings,
        tags,
        template,
        hidden,
        folded,
        as_displayed,
        readymade,
    )
}
"""What each careless model takes for instructions, in the user's part of a request."""


def obeys(reader: str, request: ChatRequest) -> bool:
    """Whether a careless model finds an order in what it takes for instructions."""
    return _ORDER.search(CARELESS[reader](request.text)) is not None


def naive_request(cases: list[Case]) -> ChatRequest:
    """The same question put together without containment: the lines of the reader's prompt, the texts as they are."""
    code = "0" * 32
    pieces = [f'{n} "{piece.label}" "{piece.text}"' for n, piece in enumerate(cases[0].pieces, start=1)]
    claims = [
        f'c{n} "{case.claim}"' + (f' OBJECTION "{case.objection}"' if case.objection else "")
        for n, case in enumerate(cases, start=1)
    ]
    lines = [
        f"CODE {code}",
        *(f"<<<EVIDENCE {code}>>>", *pieces, f"<<<END {code}>>>"),
        *(f"<<<CLAIMS {code}>>>", *claims, f"<<<END {code}>>>"),
        "Reply with the JSON.",
    ]
    return ChatRequest("Does the evidence bear out the claims?", "\n".join(lines))


def won_over(quotations: Callable[[Parsed], list[tuple[int, str]]], *, twice: bool = False) -> ScriptedChat:
    """A model that has given in: it says *supported* of every claim, and quotes what ``quotations`` gives.

    With ``twice`` it says so of the first claim two times.
    """

    def reply(request: ChatRequest) -> str:
        seen = parsed(request)
        items = [said(name, "supported", *quotations(seen)) for name in seen.claims]
        return replying(*items, *items[:1] if twice else ())

    return ScriptedChat(reply, model="won over")
