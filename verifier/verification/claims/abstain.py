"""A sentence in; whether it says that the sources, or the speaker, do not tell something, and of what, out.

``The documents do not say how old the mill is`` is about the documents that were given, and nothing in them can
confirm or deny it as they would a statement about the mill. ``The policy does not mention pets`` is about a thing of
the world, and a claim. What a sentence speaks of decides: the given sources by their names, or ``I`` and ``we``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.verification.claims.abstaining import (
    ABOUT,
    ACTIVE,
    BARE,
    CUE,
    DENIES,
    IMPERSONAL,
    INFO,
    KIND,
    NO_INFO,
    NONE_OF,
    ONLY_TOLD,
    OPENING,
    PASSIVE,
    SOURCE,
    SPEAKER,
    SURE_INFO,
    THERE,
    WH,
)

__all__ = ["ABSTENTION", "Abstention", "Piece", "abstention_in", "parted", "says_nothing"]

ABSTENTION = "abstention"
"""The reason to skip a span that says that something is not told."""
_LONGEST = 600
"""Code points of a sentence that is looked through; models abstain in few words."""


class Abstention(NamedTuple):
    """``topic`` is what is left untold, as the sentence names it; ``""`` where it names nothing."""

    topic: str


class Piece(NamedTuple):
    """``sentence[start:end]``, and what it abstains from, if it does."""

    start: int
    end: int
    abstention: Abstention | None


_LABELLED = re.compile(r"(?P<label>[^:\n]{1,80}?)\s?[:：=]\s*(?P<value>[^:]+)")
_TURN = re.compile(
    r"[,;:.—–-]*\s+(?:but|however|though|although|yet|while|whereas|except\sthat|only\sthat|nevertheless|still)\b,?\s+",
    re.IGNORECASE,
)
_JOIN = re.compile(r";\s+|,?\s+(?:and|so)\s+", re.IGNORECASE)
_SUBJECT = compiled_later(SOURCE, re.IGNORECASE)
_DENIAL = compiled_later(rf"{DENIES}\s", re.IGNORECASE)
_CONCEDES = re.compile(r"(?:while|although|though|whereas|even\sthough)\s", re.IGNORECASE)
_DOCUMENT_TOPIC = compiled_later(
    rf"\s*(?:anywhere\s)?\b(?:in|by|from|within|on(?:\sthe\sbasis\sof)?|with|using|based\son|given)\s{SOURCE}\b"
    r"|\s+(?:here|anywhere|at\sall|either)\b",
    re.IGNORECASE,
)
_FILLER = compiled_later(
    rf"(?:(?:{ABOUT}|{INFO}|me|us|to|say|tell|know|determine|answer|anything|that|any|explicitly|directly|specific"
    r"|more|enough|for\ssure|certain|exactly)\b[\s,]*)+",
    re.IGNORECASE,
)
_NO_TOPIC = re.compile(
    r"(?:(?:answer\s)?(?:this|that|it|the\sanswer|your\squestion|the\squestion|this\squestion|so|an?\sanswer"
    r"|(?:the|this|that|any|such)\s(?:information|detail)s?"
    r"|an?\sanswer\sto\s(?:this|that|the|your)(?:\squestion)?)|)[\s.!]*",
    re.IGNORECASE,
)
_LEADS_TO_QUESTION = compiled_later(
    rf"(?:.{{0,60}}?\b(?:{INFO}|say|tell|know|determine|answer|sure|certain|clear|silent)\b)?\s*"
    rf"(?:{ABOUT}\s+|exactly\s+|me\s+|us\s+)*(?P<wh>{WH}.*)",
    re.IGNORECASE | re.DOTALL,
)
_BORNE = lexicon("mention reference references")
"""What some text bears, which ``in`` may name (``no mention of women in the law``)."""
_WE_ONLY = lexicon("know find found determine tell locate establish sure certain")


def says_nothing(text: str) -> bool:
    """Whether a value stands for none: ``N/A``, ``not specified``, ``unknown``.

    >>> says_nothing("Not specified."), says_nothing("None of the rooms")
    (True, False)
    """
    return BARE.fullmatch(_bared(text)) is not None


def abstention_in(text: str) -> Abstention | None:
    """What a text says is not told by the sources; ``None`` where it makes a statement.

    >>> abstention_in("The document contains no information about the weight of the heron.")
    Abstention(topic='the weight of the heron')
    >>> abstention_in("I'm sorry, but the provided sources do not say how heavy a heron is.").topic
    'how heavy a heron is'
    >>> abstention_in("The policy does not mention pets."), abstention_in("There is no lift in the museum.")
    (None, None)
    """
    if len(text) > _LONGEST or not CUE.search(text):
        return None
    bare = _bared(text)
    sourced = False
    while opening := OPENING.match(bare):
        sourced = sourced or bool(opening["based"])
        bare = bare[opening.end() :]
    if not bare:
        return None
    if BARE.fullmatch(bare):
        return Abstention("")
    labelled = _LABELLED.fullmatch(bare)
    if labelled and says_nothing(labelled["value"]):
        return Abstention(labelled["label"].strip())
    for read in (_active, _none_of, _there, _no_info, _speaker, _impersonal, _passive):
        topic = read(bare, sourced)
        if topic is not None:
            return Abstention(_tidied(topic))
    return None


def parted(sentence: str) -> list[Piece] | None:
    """A sentence cut where an abstention and a statement meet (``They do not say, but ...``); ``None`` where nothing
    in it abstains. The pieces cover the sentence but for white space between them.

    >>> text = "The sources do not give the weight, but the heron nests in reeds."
    >>> [(text[piece.start : piece.end], bool(piece.abstention)) for piece in parted(text)]
    [('The sources do not give the weight, but', True), ('the heron nests in reeds.', False)]
    """
    if len(sentence) > _LONGEST or not CUE.search(sentence):
        return None
    if conceded := _CONCEDES.match(sentence):
        comma = sentence.find(", ", conceded.end())
        while comma >= 0:
            found = abstention_in(sentence[conceded.end() : comma])
            if found:
                return [Piece(0, comma + 1, found), Piece(comma + 2, len(sentence), None)]
            comma = sentence.find(", ", comma + 1)
    for cut in (_TURN, _JOIN):
        for match in cut.finditer(sentence):
            left, right = sentence[: match.start()], sentence[match.end() :]
            first, last = abstention_in(left), abstention_in(right) or _gapped(left, right)
            if not (first or last) or not _stands_alone(right):
                continue
            if first:
                end = match.end() - len(match[0]) + len(match[0].rstrip())
                return [Piece(0, end, first), Piece(match.end(), len(sentence), last)]
            start = match.start() + len(match[0]) - len(match[0].lstrip(" ,;:.—–-"))
            return [Piece(0, start, None), Piece(start, len(sentence), last)]
    whole = abstention_in(sentence)
    return [Piece(0, len(sentence), whole)] if whole else None


def _gapped(left: str, right: str) -> Abstention | None:
    """What ``(The text only mentions the ferry and) does not give its length`` abstains from."""
    subject = _SUBJECT.match(left)
    return abstention_in(f"{subject[0]} {right}") if subject and _DENIAL.match(right) else None


def _stands_alone(text: str) -> bool:
    """Whether what follows a turn may be a sentence of its own."""
    return len(text.split()) > 2


def _bared(text: str) -> str:
    return " ".join(text.split()).strip(" *_~`\"“”'‘’").rstrip(".!… ").lstrip("-–— ").strip("()[] ")


def _active(text: str, _: bool) -> str | None:
    found = ACTIVE.fullmatch(text)
    if found is None:
        return None
    rest = next(
        (
            found[name]
            for name in ("rest", *(f"rest{number}" for number in range(2, 8)))
            if found[name] is not None
        ),
        "",
    )
    if found["weak"] and found["hold"] and not re.match(rf"\s{KIND}{INFO}\b|\s{WH}", rest, re.I):
        return None
    return rest


def _none_of(text: str, _: bool) -> str | None:
    found = NONE_OF.fullmatch(text)
    return found["rest"] or found["rest2"] or "" if found else None


def _there(text: str, sourced: bool) -> str | None:
    found = THERE.fullmatch(text)
    if found is None:
        return None
    if found["rest2"]:
        return found["rest2"]
    rest, info = found["rest"] or "", found["info"].lower()
    if re.search(rf"\b(?:in|within|from|by)\s{SOURCE}", rest, re.I):
        return rest
    elsewhere = info in _BORNE and re.search(r"\b(?:in|within|by)\s", rest, re.I)
    return rest if sourced or (re.fullmatch(SURE_INFO, info, re.I) and not elsewhere) else None


def _no_info(text: str, sourced: bool) -> str | None:
    found = NO_INFO.fullmatch(text)
    if found is None:
        return None
    if found["info2"]:
        return found["rest2"]
    sure = re.fullmatch(SURE_INFO, found["info"], re.I) and " made" not in text
    whole = f"{found['before'] or ''} {found['rest'] or ''}"
    return whole if sure or sourced or re.search(rf"\b(?:in|within|by)\s{SOURCE}", whole, re.I) else None


def _speaker(text: str, sourced: bool) -> str | None:
    found = SPEAKER.fullmatch(text)
    if found is None:
        return None
    rest = found["rest"] if found["rest"] is not None else found["rest2"] or ""
    known = re.search(rf"\b(?:in|from|within|on|with|using)\s{SOURCE}", rest, re.I)
    if found["i"] or sourced or known:
        return rest
    if found["none"]:
        return rest if re.match(r"\s(?:about|on|regarding|concerning)\s|$", rest, re.I) else None
    knows = (found["know"] or "").lower() in _WE_ONLY and not text.lower().startswith("you")
    return (
        rest if knows and (re.match(rf"\s(?:{WH}|about|of|for\s)", rest, re.I) or not rest.strip()) else None
    )


def _impersonal(text: str, sourced: bool) -> str | None:
    found = IMPERSONAL.fullmatch(text)
    if found is None or not re.match(r"it(?:['’]s|\s\w+)\s(?:un|not|impossible)", text, re.I):
        return None
    rest = found["rest"]
    from_source = re.search(rf"\b(?:in|from|by|with|within|based\son|on)\s{SOURCE}", rest, re.I)
    told = re.match(rf"it(?:['’]s|\sis)\snot\s(?:\w+ly\s)?{ONLY_TOLD}\b", text, re.I)
    return rest if sourced or from_source or told else None


def _passive(text: str, sourced: bool) -> str | None:
    found = PASSIVE.fullmatch(text)
    if found is None:
        return None
    rest, told, topic = found["rest"], found["told"].lower(), found["topic"]
    in_source = re.match(rf"(?:\s[\w-]+){{0,2}}\s(?:in|by|from|within|on|with)\s{SOURCE}[\s.]*$", rest, re.I)
    inside = told == "in" and re.match(rf"\s{SOURCE}[\s.]*$", rest, re.I)
    if in_source or inside or (sourced and told != "in" and not rest.strip()):
        return topic
    if rest.strip() or found["be"].lower() not in ("is", "are"):
        return None
    if re.fullmatch(ONLY_TOLD, told, re.I) or re.match(rf"{KIND}{SURE_INFO}\s{ABOUT}\s", topic, re.I):
        return topic
    alone = found["be"].lower() == "is" and re.match(r"(?:the|its|his|her|their)\s", topic, re.I)
    return topic if told == "given" and alone else None


def _tidied(topic: str) -> str:
    """The topic without what only leads up to it, and without the name of the sources."""
    bare = _DOCUMENT_TOPIC.sub("", f" {topic.strip()}").strip(" ,.:;")
    if start := _LEADS_TO_QUESTION.match(bare):
        return start["wh"].strip(" ,.:;")
    if filler := _FILLER.match(bare):
        bare = bare[filler.end() :]
    return "" if _NO_TOPIC.fullmatch(bare) else bare.strip(" ,.:;")
