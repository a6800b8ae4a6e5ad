"""Negation of a clause: the edits that deny what it says, and those that affirm what it denies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from verifier_signals.lexicon import common_words, verb_of
from verifier_signals.polarity.terms import without_prefix
from verifier_signals.syntax import BE, Reading, VerbGroup, read
from verifier_signals.syntax.verbs import AUXILIARIES, DETERMINERS, PREPOSITIONS

from verifier.core.lexicon import lexicon, table_rows
from verifier.types import Span
from verifier.verification.statements.types import StatementPiece

__all__ = [
    "CLAUSE_BREAK",
    "DENYING_WORDS",
    "EditedText",
    "TextEdit",
    "apply_edits",
    "capitalised_parts",
    "denials_in",
    "is_denied",
    "is_plural",
    "main_verb",
    "negation_edits",
    "said_of",
    "with_capital",
    "without_negation",
]

# -- affirming what is denied ----------------------------------------------------------------------------------

DENYING_WORDS = re.compile(
    r"\b(?:no|not|never|nor|neither|none|nobody|nothing|nowhere|cannot|unless|hardly|scarcely"
    r"|untrue|false|incorrect|inaccurate|wrong)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words that deny, whatever is behind them."""
CLAUSE_BREAK = re.compile(r"[;:]|,? (?:but|while|whereas|because|although|unless) ")
"""Where a clause ends that a negation reaches into."""
_DENIAL = re.compile(
    r"\b(?:(?:(?P<aux>\w+) )?(?P<not>not|never)\b ?|(?P<cannot>cannot)\b|(?P<short>\w+)n['’]t\b"
    r"|(?P<escape>(?:can|could|may|might) (?:avoid|escape) (?P<gerund>\w+ing))\b"
    r"|(?P<fail>fail(?:s|ed|ing)? to)(?= [^\W\d_])"
    r"|(?P<without>without)\b"
    r"|(?P<none>none of|nobody|no one|nothing|no(?= [^\W\d_]))\b"
    r"|(?P<word>[^\W\d_]+(?:-[^\W\d_]+)?))",
    re.IGNORECASE,
)
_NO_DENIAL = re.compile(
    r"(?:only|just|merely|longer|more|less|fewer|later|earlier|matter|doubt)\b", re.IGNORECASE
)
"""What follows a word that denies otherwise: ``not only``."""
_LINKING = re.compile(
    r"\b(?:be|is|are|was|were|been|become|becomes|became|seems?|looks?|called|considered|deemed|found|left"
    r"|(?P<stay>(?:go(?:es|ne)?|went|remain(?:s|ed)?|stay(?:s|ed)?) )|not|never|\w+n['’]t) ?(?:at all |ever |quite )?$",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?:no|an?|the|any|its|their|of)\s+$", re.IGNORECASE)
"""What stands before a noun, and not before a verb."""
_BEING = {"go": "be", "goes": "is", "went": "was", "gone": "been"} | {
    verb + ending: being
    for verb in ("remain", "stay")
    for ending, being in (("", "be"), ("s", "is"), ("ed", "was"))
}
_SOME = {
    "none of": "some of",
    "nobody": "somebody",
    "no one": "somebody",
    "nothing": "something",
    "no": "some",
}
_PERFECT = re.compile(r"\b(?:has|have|had|having)(?:n['’]t)? (?:(?:not|never|always) )?$", re.IGNORECASE)
_SHORT = {"wo": "will", "ca": "can", "sha": "shall"}
_MODAL = re.compile(
    r"\b(?:can|cannot|could|may|might|must|allowed|permitted|possible|able)\b|\bcan['’]t\b", re.IGNORECASE
)


class TextEdit(NamedTuple):
    """``text[start:end]`` is read as ``new``."""

    start: int
    end: int
    new: str


def denials_in(
    text: str, begin: int, end: int, *, quantified: bool = False, sweeping: bool = False
) -> list[TextEdit]:
    """The denials of a stretch, each as the edit that takes it away.

    Args:
        quantified: read ``no`` and its like as denials, too, which become ``some``.
        sweeping: what is said is denied of everything before, so that ``without`` becomes ``only with`` where
            something may be.
    """
    found = []
    for match in _DENIAL.finditer(text, begin, end):
        if _NO_DENIAL.match(text, match.end() + (text[match.end() : match.end() + 1] == " ")):
            continue
        if match["not"] or match["cannot"] or match["short"]:
            found.append(without_negation(match))
        elif match["escape"]:
            verb = verb_of(match["gerund"].casefold())
            found.extend([TextEdit(*match.span(), f"must {verb.lemma}")] if verb else [])
        elif match["fail"]:
            found.append(_not_failing(text, match))
        elif match["without"]:
            limited = sweeping and _MODAL.search(text, 0, match.start())
            found.append(TextEdit(*match.span(), "only with" if limited else "with"))
        elif match["none"]:
            found.extend([TextEdit(*match.span(), _SOME[match["none"].casefold()])] if quantified else [])
        else:
            found.extend(_of_word(text, begin, match))
    return found


def without_negation(match: re.Match[str]) -> TextEdit:
    """A negated auxiliary without its negation; ``never`` becomes ``always``."""
    if match["cannot"]:
        return TextEdit(*match.span(), "can")
    if match["short"]:
        stem = match["short"]
        return TextEdit(*match.span(), _SHORT.get(stem.casefold(), stem))
    start, end = match.start("not"), match.end()
    return TextEdit(start, end, "always " if match["not"].casefold() == "never" else "")


def _not_failing(text: str, match: re.Match[str]) -> TextEdit:
    """``has failed to`` becomes ``has managed to``, ``fails to`` goes."""
    form = match["fail"].split()[0].casefold()
    if _PERFECT.search(text, 0, match.start()):
        return TextEdit(*match.span(), "managed to")
    return TextEdit(
        *match.span(), {"fails": "does", "failed": "did", "failing": "managing to"}.get(form, "do")
    )


def _of_word(text: str, begin: int, match: re.Match[str]) -> Iterator[TextEdit]:
    """A word that denies by itself: one of the table, or one with a denying prefix behind a verb that links."""
    low = match["word"].casefold()
    listed = _affirmations().get(low)
    if listed is not None and not listed.linked:
        if not _NOUN.search(text, 0, match.start("word")):
            yield TextEdit(*match.span("word"), listed.affirmed)
        return
    base = _without_denying_prefix(low) if listed is None else listed.affirmed
    link = _LINKING.search(text, max(begin - 20, 0), match.start("word")) if base else None
    if base is None or link is None:
        return
    stay = link["stay"]
    if stay:
        yield TextEdit(link.start("stay"), match.end("word"), f"{_BEING[stay.strip().casefold()]} {base}")
    else:
        yield TextEdit(*match.span("word"), base)


@lru_cache(maxsize=4096)
def _without_denying_prefix(low: str) -> str | None:
    """The word without its denying prefix: ``unsuitable``, ``non-refundable``, ``uninspected``."""
    base = without_prefix(low)
    if base is None and low.startswith("un") and len(low) > 5:
        verb = verb_of(low[2:])
        base = low[2:] if verb is not None and verb.form == "past" else None
    return base if base is None or base in common_words() or verb_of(base) or low.startswith("non") else None


class _Affirmation(NamedTuple):
    """What is so where a word is denied, and whether the word does so only behind a verb such as ``be``."""

    affirmed: str
    linked: bool


@cache
def _affirmations() -> Mapping[str, _Affirmation]:
    return {
        word: _Affirmation(affirmed, linked == "be")
        for words, affirmed, linked in table_rows("verifier.verification.statements", "denials.tsv")
        for word in words.split(", ")
    }


# -- denying what is affirmed ----------------------------------------------------------------------------------

EditedText = list[StatementPiece]
"""Words one after the other; where they stand counts in the sentence."""

_MODALS = lexicon("will would can could may might should shall do does did")
_RELATIVE = lexicon(
    "who whom which whose that where when if because although though while whereas unless until since"
)
"""Words that open a clause which is not the main one."""
_ALL = re.compile(r"(?:all|every|everyone|everybody|everything|each|both|most|many|always)\b", re.IGNORECASE)
"""What a denial of the whole is put before: not all rooms are heated."""
_DENYING = re.compile(r"(?:not|never|no|nobody|nothing|none of|no one|cannot|[^\W\d_]+n['’]t)", re.IGNORECASE)
"""Denials by grammar; what a word such as *forbidden* denies by its meaning is left to whoever reads the words."""
_INDEFINITE = re.compile(r" (?:an?|some|any)\b", re.IGNORECASE)
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


def is_denied(text: str) -> bool:
    """Whether the main clause of a text is denied by a word such as *not* or *no*, once."""
    reading = read(text)
    return len(_denials(text, reading, main_verb(reading, 0, len(text)))) == 1


def negation_edits(text: str, begin: int, end: int, *, plural: bool | None = None) -> list[TextEdit] | None:
    """The edits by which ``text[begin:end]`` says the contrary; ``None`` where that is not plain.

    Args:
        plural: where given, the verb is set to agree with a subject of one thing or several.
    """
    made = _plain_negation_edits(text[begin:end], plural)
    return made and [TextEdit(edit.start + begin, edit.end + begin, edit.new) for edit in made]


def _plain_negation_edits(text: str, plural: bool | None) -> list[TextEdit] | None:
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
        return [TextEdit(0, 0, "not ")]
    first = reading.tokens[verb.first]
    low = first.word.low
    if low in ("must", "ought"):
        to = reading.tokens[verb.first + (low == "ought")].end
        several = is_plural(text[: first.start]) if plural is None else plural
        return [TextEdit(first.start, to, "do not have to" if several else "does not have to")]
    if low in BE and verb.first and reading.lows[verb.first - 1] == "there":
        return [_none_there(text, first.end)]
    if low == "can":
        return [TextEdit(first.start, first.end, f"{text[first.start : first.end]}not")]
    if low in BE or low in _MODALS or (low in _HAVE and verb.first != verb.main):
        new = _agreeing(low, plural)
        changed = [TextEdit(first.start, first.end, new)] if new != low else []
        return [*changed, TextEdit(first.end, first.end, " not")]
    if low in _HAVE:
        return [TextEdit(first.start, first.end, f"{_agreeing(_HAVE[low], plural)} not have")]
    known = first.word.verb
    if known is None or known.form == "ing":
        return None
    do = "did" if known.form == "past" else _agreeing("does" if known.form == "s" else "do", plural)
    return [TextEdit(first.start, first.end, f"{do} not {known.lemma}")]


def _denials(text: str, reading: Reading, verb: VerbGroup | None) -> list[TextEdit]:
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


def _none_there(text: str, at: int) -> TextEdit:
    """``There is a lamp``: ``there is no lamp``."""
    some = _INDEFINITE.match(text, at)
    return TextEdit(at, some.end() if some else at, " no")


def _affirmed(
    reading: Reading, verb: VerbGroup | None, denial: TextEdit, plural: bool | None
) -> list[TextEdit]:
    """The edits that take the only denial of a clause away, and set its verb to agree."""
    if verb is None:
        return [denial]
    first = reading.tokens[verb.first]
    new = _agreeing(first.word.low, plural)
    if new == first.word.low or denial.start < first.end:
        return [denial]
    return [TextEdit(first.start, first.end, new), denial]


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


def with_capital(text: str) -> str:
    """The text with a capital."""
    return text[:1].upper() + text[1:]


def capitalised_parts(parts: EditedText) -> EditedText:
    """The parts with a capital at the head."""
    (first, at), *rest = parts
    return [StatementPiece(with_capital(first), at if first[:1].isupper() else None), *rest]


def said_of(text: str, begin: int, end: int, rest: Span, *, affirmed: bool) -> EditedText | None:
    """The rest of a sentence said of ``text[begin:end]``, or the contrary of it; ``None`` where that is not plain."""
    name = text[begin:end]
    subject = capitalised_parts([StatementPiece.quoted(text, begin, end)])
    if affirmed:
        return [*subject, StatementPiece.quoted(text, *rest)]
    plural = is_plural(name)
    standing = "They" if plural else "It"
    whole = standing + text[slice(*rest)]
    edits = negation_edits(whole, 0, len(whole), plural=plural)
    if edits is None:
        return None
    said = apply_edits(whole, len(standing), len(whole), edits)
    return [*subject, *(piece.moved(rest[0] - len(standing)) for piece in said)]


def apply_edits(text: str, begin: int, end: int, edits: Iterable[TextEdit]) -> EditedText:
    """A stretch of a text with edits made: its pieces, each with where it stands, ``None`` for what is written in."""
    found: EditedText = []
    at = begin
    for edit in sorted(edits):
        if edit.start > at:
            found.append(StatementPiece.quoted(text, at, edit.start))
        if edit.new:
            found.append(StatementPiece(edit.new, None))
        at = max(at, edit.end)
    if at < end:
        found.append(StatementPiece.quoted(text, at, end))
    return found
