"""Double negation: a claim with a pair of negations that cancel is read as one affirmation.

``There is no season in which the hut is not open`` says what a source says plainly, and few models see it. The
reading keeps the meaning, by three equivalences: what is not true of a denial is what it denies, no thing that is
not so is every thing that is, and *not un-* is neither. A claim is left as it is where a third denial stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from verifier.types import Claim, Substitution
from verifier.verification.statements.negation import (
    CLAUSE_BREAK,
    DENYING_WORDS,
    TextEdit,
    denials_in,
    without_negation,
)
from verifier.verification.statements.rewording import absence_edits, unframing_edits

__all__ = ["affirming"]

_NOT_TRUE = re.compile(
    r"\bit(?:['’]s| is| was| would be)(?:"
    r"(?: not|n['’]t)(?: at all)? (?:true|the case|correct|accurate|right)"
    r"| (?:untrue|false|incorrect|inaccurate|wrong))"
    r"(?: to (?:say|claim|state|suppose|think))?(?: that)? ",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\bthere (?:is|was|are|were|has been|have been) (?P<none>not a single|not one|nobody|no one|nothing|no)"
    r"(?P<what>(?: [^\s,;]+){0,12}?)"
    r" (?:(?P<at>(?:in|on|at|for|to|from|during|by|with) which|where|when)|who|which|that) ",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"\b(?P<none>none of|not (?:a single )?one of|neither of|nobody|no one|nothing"
    r"|(?:not a single|not one|neither|no)(?= [^\W\d_]))\b",
    re.IGNORECASE,
)
_EVERY = {
    "nobody": "everybody",
    "no one": "everybody",
    "nothing": "everything",
    "not a single": "every single",
}
_ONLY = re.compile(
    r"\b(?:(?:nobody|no one|nothing|none) but|(?:nobody|no one|nothing|none|no(?: [\w-]+){1,3}?)(?: else)?"
    r" (?:other than|apart from|except(?: for)?)) (?!not\b|never\b|is\b|are\b|for\b)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:(?P<aux>\w+) )?(?P<not>not|never)\b ?|\b(?P<cannot>cannot)\b|\b(?P<short>\w+)n['’]t\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"(?:[^,;:]*, )?", re.IGNORECASE)
"""What may stand before the subject of a claim: nothing, or a phrase with a comma behind it."""
_OPEN = re.compile(
    r" ?(?:doubt|evidence|sign|proof|reason|indication|question|chance|way|need|point|use|hope|guarantee|matter|claim|"
    r"longer|later|earlier|more|less|fewer|sooner|further|such|other)\b",
    re.IGNORECASE,
)
"""What follows a ``no`` that says nothing of all of the things: ``no doubt that``."""
_WITHIN = re.compile(
    r"\b(?:who|whom|whose|which|that|where|when|if|unless|because|although|until|before|after|not (?:all|every))\b",
    re.IGNORECASE,
)
"""Words behind which a denial is one of something else."""
_GAP = 40
"""Code points between a negation and the ``without`` that it cancels."""


def affirming(claim: Claim) -> Claim:
    """The claim with substitutions for a double negation, or for a frame that calls it untrue; itself where it has
    none, or none that is plain.

    >>> text = "None of the huts comes without a stove."
    >>> affirming(Claim(text, 0, len(text))).hypothesis
    'Each of the huts comes with a stove.'
    """
    text = claim.hypothesis
    made = absence_edits(text) or _cancelled(text) or unframing_edits(text)
    if not made:
        return claim
    placed = _in_text(claim, made)
    return claim if placed is None else replace(claim, substitutions=placed)


def _in_text(claim: Claim, made: Sequence[TextEdit]) -> tuple[Substitution, ...] | None:
    """The edits of the hypothesis as substitutions of the text, beside those it has; ``None`` where they meet."""
    found: list[Substitution] = []
    for start, end, new in made:
        span = claim.to_text_span((start, end) if start < end else (start - 1, start))
        if span is None:
            return None
        found.append(Substitution(span[0] if start < end else span[1], span[1], new))
    kept = [
        old
        for old in claim.substitutions
        if not any(one.start <= old.start and old.end <= one.end for one in found)
    ]
    return tuple(sorted([*kept, *found], key=lambda one: (one.start, one.end)))


@lru_cache(maxsize=1024)
def _cancelled(text: str) -> tuple[TextEdit, ...]:
    """The edits that cancel a pair of negations of a text; none where there is no such pair."""
    if DENYING_WORDS.search(text) is None:
        return ()
    for rule in (_not_true, _there_is_none, _only, _none_denied, _not_denied):
        if made := rule(text):
            return _opening(text, sorted(made))
    return ()


def _opening(text: str, made: list[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits with a capital where one changes how the text opens."""
    if made[0].start or not text[:1].isupper():
        return tuple(made)
    number = 0 if made[0].new or len(made) == 1 or made[1].start > made[0].end else 1
    first = made[number]
    if first.new:
        made[number] = first._replace(new=first.new[0].upper() + first.new[1:])
    else:
        made[number] = first._replace(end=first.end + 1, new=text[first.end].upper())
    return tuple(made)


def _not_true(text: str) -> list[TextEdit]:
    """``It is not true that no seals were seen``: ``some seals were seen``."""
    frame = _NOT_TRUE.search(text)
    if frame is None or frame.start() > _GAP or DENYING_WORDS.search(text, 0, frame.start()):
        return []
    denial = _one(text, frame.end(), denials_in(text, frame.end(), _end(text, frame.end()), quantified=True))
    return [TextEdit(frame.start(), frame.end(), ""), denial] if denial else []


def _there_is_none(text: str) -> list[TextEdit]:
    """``There was nobody in the team who was not a nurse``: ``everybody in the team was a nurse``."""
    frame = _THERE.search(text)
    if frame is None or frame.start() > _GAP or DENYING_WORDS.search(text, 0, frame.start()):
        return []
    end = _end(text, frame.end())
    denial = _one(text, frame.end(), denials_in(text, frame.end(), end))
    if denial is None or DENYING_WORDS.search(frame["what"]) or _OPEN.match(frame["what"]):
        return []
    things = _every(frame["none"], frame["what"]) + frame["what"]
    if not frame["at"]:
        return [TextEdit(frame.start(), frame.end(), things + " "), denial]
    preposition = frame["at"].split()[0] if " " in frame["at"] else "in"
    stop = end - (text[end - 1 : end] in (".", "!"))
    return [
        TextEdit(frame.start(), frame.end(), ""),
        denial,
        TextEdit(stop, stop, f" {preposition} {things}"),
    ]


def _only(text: str) -> list[TextEdit]:
    """``No one but the owner may enter``: ``only the owner may enter``."""
    frame = _ONLY.search(text)
    if frame is None or len(DENYING_WORDS.findall(text)) > 1:
        return []
    return [TextEdit(frame.start(), frame.end(), "only ")]


def _none_denied(text: str) -> list[TextEdit]:
    """``No script runs without approval``: ``every script runs only with approval``."""
    frame = _NONE.search(text)
    if (
        frame is None
        or not _SUBJECT.fullmatch(text, 0, frame.start())
        or DENYING_WORDS.search(text, 0, frame.start())
    ):
        return []
    found = denials_in(text, frame.end(), _end(text, frame.end()), sweeping=True)
    denial = _one(text, frame.end(), found)
    if denial is None or _OPEN.match(text, frame.end()):
        return []
    return [
        TextEdit(frame.start("none"), frame.end("none"), _every(frame["none"], text[frame.end() :])),
        denial,
    ]


def _not_denied(text: str) -> list[TextEdit]:
    """``It is not impossible``, ``never fails to``, ``cannot be had without``: both negations go."""
    for match in _NOT.finditer(text):
        edit = without_negation(match)
        end = min(_end(text, match.end()), match.end() + _GAP)
        denial = _one(text, match.end(), denials_in(text, match.end(), end, sweeping=True))
        if denial is None or len(denials_in(text, match.end(), len(text))) > 1:
            continue
        near = text[match.end() : denial.start].split()
        if text[denial.start : denial.end].casefold() == "without" or len(near) <= 1:
            return [edit, denial]
    return []


def _one(text: str, begin: int, found: Sequence[TextEdit]) -> TextEdit | None:
    """The only denial of a stretch, where it is one of what the stretch is about."""
    return found[0] if len(found) == 1 and not _WITHIN.search(text, begin, found[0].start) else None


def _every(none: str, behind: str) -> str:
    """The word for all of what a word says there is none of."""
    low = none.casefold()
    if low.endswith(" of"):
        return "each of"
    noun = (behind.split() or [""])[0]
    return _EVERY.get(low) or (
        "all" if low == "no" and noun.endswith("s") and not noun.endswith("ss") else "every"
    )


def _end(text: str, at: int) -> int:
    """Where what is said at a place ends: at a break behind it, or with the text."""
    stop = CLAUSE_BREAK.search(text, at)
    return stop.start() if stop else len(text.rstrip())
