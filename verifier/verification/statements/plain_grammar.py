"""A clause goes in, the parts that say the contrary of it come out: where its verb is, and how that is denied."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verifier_signals.syntax import BE, Reading, VerbGroup, read
from verifier_signals.syntax.verbs import AUXILIARIES, DETERMINERS, PREPOSITIONS

from verifier.core.lexicon import lexicon
from verifier.types import Span
from verifier.verification.claims.denying import Edit, denials_in
from verifier.verification.statements.types import Piece

__all__ = [
    "Parts",
    "capital",
    "capitalised",
    "denies",
    "edited",
    "held_of",
    "is_plural",
    "main_verb",
    "negated",
]

Parts = list[Piece]
"""Words one after the other; where they stand counts in the sentence."""

_MODALS = lexicon("will would can could may might should shall do does did")
_DO = {"s": "does", "past": "did", "base": "do"}
_RELATIVE = lexicon(
    "who whom which whose that where when if because although though while whereas unless until since"
)
"""Words that open a clause which is not the main one."""
_ALL = re.compile(r"(?:all|every|everyone|everybody|everything|each|both|most|many|always)\b", re.IGNORECASE)
"""What a denial of the whole is put before: not all rooms are heated."""
_DENYING = re.compile(r"(?:not|never|no|nobody|nothing|none of|no one|cannot|[^\W\d_]+n['’]t)", re.IGNORECASE)
"""Denials by grammar; what a word such as *forbidden* denies by its meaning is left to whoever reads the words."""
_SOME = re.compile(r" (?:an?|some|any)\b", re.IGNORECASE)
_HAVE = {"has": "does", "have": "do", "had": "did"}
_JOINED = frozenset({"and", "or", "but"})
_SINGULAR = ("ss", "us", "is")


def main_verb(reading: Reading, begin: int, end: int) -> VerbGroup | None:
    """The verb of the main clause of a stretch of a text, ``None`` where none is plain to see."""
    found = [
        group
        for clause in reading.clauses
        for group in clause.verbs
        if begin <= reading.tokens[group.first].start < end
        and (reading.tokens[clause.first].start <= begin or clause.opener not in _RELATIVE)
    ]
    finite = [group for group in found if not _is_unfinished(reading, group)]
    described = len(finite) > 1 and _is_past(reading, finite[0]) and _is_auxiliary(reading, finite[1])
    return next(iter(finite[described:] or found), None) or _likely_verb(reading, begin, end)


def _likely_verb(reading: Reading, begin: int, end: int) -> VerbGroup | None:
    """A form that can be a verb, between a noun and a word of grammar: ``the museum owns the portrait``."""
    tokens = reading.tokens
    for at in range(1, len(tokens) - 1):
        word, before, behind = tokens[at].word, tokens[at - 1].word, tokens[at + 1].word
        if not begin <= tokens[at].start < end or word.verb is None or word.verb.form == "ing":
            continue
        noun = not (before.punct or before.function or before.number) or before.capital
        if noun and behind.low in DETERMINERS | PREPOSITIONS and word.verb.share > 0.05:
            return VerbGroup(at, at, word.verb.lemma, passive=False)
    return None


def _is_auxiliary(reading: Reading, group: VerbGroup) -> bool:
    return reading.tokens[group.first].word.low in AUXILIARIES


def _is_past(reading: Reading, group: VerbGroup) -> bool:
    """Whether it is a past form without an auxiliary, which may only describe a noun (``the tents sold``)."""
    verb = reading.tokens[group.main].word.verb
    return group.first == group.main and verb is not None and verb.form == "past"


def _is_unfinished(reading: Reading, group: VerbGroup) -> bool:
    """Whether it is an infinitive, or a form in *-ing* without an auxiliary."""
    word = reading.tokens[group.main].word
    if group.first != group.main or word.low in BE or word.verb is None:
        return False
    before = reading.tokens[group.main - 1].word.low if group.main else ""
    return word.verb.form == "ing" or before == "to"


def is_plural(words: str) -> bool:
    """Whether a noun phrase is one of several things, as far as its form tells."""
    low = words.casefold().strip()
    if re.search(r"\band\b", low) or low.startswith(("those ", "these ", "both ")):
        return True
    head = re.split(r"\b(?:of|in|on|at|for|from|with|to|by|near)\b", low, maxsplit=1)[0].split()
    return bool(head) and (head[-1] in ("people", "children", "men", "women") or _ends_plural(head[-1]))


def _ends_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(_SINGULAR) and len(word) > 3


def denies(text: str) -> bool:
    """Whether the main clause of a text is denied by a word such as *not* or *no*, once."""
    reading = read(text)
    return len(_denials(text, reading, main_verb(reading, 0, len(text)))) == 1


def negated(text: str, begin: int, end: int, *, plural: bool | None = None) -> list[Edit] | None:
    """The edits by which ``text[begin:end]`` says the contrary; ``None`` where that is not plain.

    Args:
        plural: where given, the verb is set to agree with a subject of one thing or several.
    """
    made = _negated(text[begin:end], plural)
    return made and [Edit(edit.start + begin, edit.end + begin, edit.new) for edit in made]


def _negated(text: str, plural: bool | None) -> list[Edit] | None:
    reading = read(text)
    verb = main_verb(reading, 0, len(text))
    denials = _denials(text, reading, verb)
    if len(denials) > 1 or (verb is not None and _several(reading, verb)):
        return None
    if denials:
        return _affirmed(reading, verb, denials[0], plural)
    if verb is None:
        return None
    if _ALL.match(text):
        return [Edit(0, 0, "not ")]
    first = reading.tokens[verb.first]
    low = first.word.low
    if low in ("must", "ought"):
        to = reading.tokens[verb.first + (low == "ought")].end
        several = is_plural(text[: first.start]) if plural is None else plural
        return [Edit(first.start, to, "do not have to" if several else "does not have to")]
    if low in BE and verb.first and reading.lows[verb.first - 1] == "there":
        return [_none_there(text, first.end)]
    if low == "can":
        return [Edit(first.start, first.end, f"{text[first.start : first.end]}not")]
    if low in BE or low in _MODALS or (low in _HAVE and verb.first != verb.main):
        new = _agreeing(low, plural)
        changed = [Edit(first.start, first.end, new)] if new != low else []
        return [*changed, Edit(first.end, first.end, " not")]
    if low in _HAVE:
        return [Edit(first.start, first.end, f"{_agreeing(_HAVE[low], plural)} not have")]
    known = first.word.verb
    if known is None or known.form == "ing":
        return None
    do = "did" if known.form == "past" else _agreeing("does" if known.form == "s" else "do", plural)
    return [Edit(first.start, first.end, f"{do} not {known.lemma}")]


def _denials(text: str, reading: Reading, verb: VerbGroup | None) -> list[Edit]:
    """The edits that take away what denies the main clause by a word such as *not* or *no*."""
    end = len(text) if verb is None else _clause_end(reading, verb)
    return [
        edit
        for edit in denials_in(text, 0, end, quantified=True)
        if _DENYING.fullmatch(text[edit.start : edit.end].strip()) and not _in_relative(reading, edit.start)
    ]


def _in_relative(reading: Reading, place: int) -> bool:
    """Whether a place is in a clause that says something else than the main one."""
    around = [clause for clause in reading.clauses if reading.tokens[clause.first].start <= place]
    return bool(around) and around[-1].first > 0 and around[-1].opener in _RELATIVE


def _clause_end(reading: Reading, verb: VerbGroup) -> int:
    """Where the clause of a verb ends."""
    end = next(clause.last for clause in reading.clauses if verb.main < clause.last)
    return reading.tokens[end - 1].end


def _none_there(text: str, at: int) -> Edit:
    """``There is a lamp``: ``there is no lamp``."""
    some = _SOME.match(text, at)
    return Edit(at, some.end() if some else at, " no")


def _affirmed(reading: Reading, verb: VerbGroup | None, denial: Edit, plural: bool | None) -> list[Edit]:
    """The edits that take the only denial of a clause away, and set its verb to agree."""
    if verb is None:
        return [denial]
    first = reading.tokens[verb.first]
    new = _agreeing(first.word.low, plural)
    if new == first.word.low or denial.start < first.end:
        return [denial]
    return [Edit(first.start, first.end, new), denial]


def _several(reading: Reading, verb: VerbGroup) -> bool:
    """Whether another statement is joined on behind the verb: who denies both denies neither."""
    starts = [group.first for clause in reading.clauses for group in clause.verbs if group.first > verb.main]
    return any(
        reading.lows[at] in _JOINED and any(at < start <= at + 5 for start in starts)
        for at in range(verb.main, len(reading.tokens))
    )


def _agreeing(low: str, plural: bool | None) -> str:
    """A form of *be* or *have* that agrees with one thing, or with several."""
    if plural is None:
        return low
    wanted = ("are", "were", "have", "do") if plural else ("is", "was", "has", "does")
    others = ("is", "was", "has", "does") if plural else ("are", "were", "have", "do")
    return wanted[others.index(low)] if low in others else low


def capital(text: str) -> str:
    """The text with a capital."""
    return text[:1].upper() + text[1:]


def capitalised(parts: Parts) -> Parts:
    """The parts with a capital at the head."""
    (first, at), *rest = parts
    return [Piece(capital(first), at if first[:1].isupper() else None), *rest]


def held_of(text: str, begin: int, end: int, rest: Span, *, affirmed: bool) -> Parts | None:
    """The rest of a sentence said of ``text[begin:end]``, or the contrary of it; ``None`` where that is not plain."""
    name = text[begin:end]
    subject = capitalised([Piece.quoted(text, begin, end)])
    if affirmed:
        return [*subject, Piece.quoted(text, *rest)]
    plural = is_plural(name)
    standing = "They" if plural else "It"
    whole = standing + text[slice(*rest)]
    edits = negated(whole, 0, len(whole), plural=plural)
    if edits is None:
        return None
    said = edited(whole, len(standing), len(whole), edits)
    return [*subject, *(piece.moved(rest[0] - len(standing)) for piece in said)]


def edited(text: str, begin: int, end: int, edits: Iterable[Edit]) -> Parts:
    """A stretch of a text with edits made: its pieces, each with where it stands, ``None`` for what is written in."""
    found: Parts = []
    at = begin
    for edit in sorted(edits):
        if edit.start > at:
            found.append(Piece.quoted(text, at, edit.start))
        if edit.new:
            found.append(Piece(edit.new, None))
        at = max(at, edit.end)
    if at < end:
        found.append(Piece.quoted(text, at, end))
    return found
