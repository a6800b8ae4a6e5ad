"""Questions of a document with what follows them, as one statement.

``Can I pay by cheque?`` and ``No, only by card.`` say together that you cannot pay by cheque; side by side, the first
looks like the claim that it denies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.core.text import LIST_ITEM
from verifier.verification.claims.ellipsis import is_bare_answer
from verifier.verification.claims.ellipsis import yes_no_statement as yes_or_no
from verifier.verification.claims.presupposition import declarative_question
from verifier.verification.grammar.verbs import finite_verb, tokens_of
from verifier.verification.grammar.words import AUXILIARIES, PREPOSITIONS
from verifier.verification.statements.negation import with_capital
from verifier.verification.statements.types import StatementPiece

__all__ = ["asked_topic", "is_question", "statement_of_answer"]

_QUESTION = compiled_later(r"[^?]*\S\s*\?+[\s*_\"”’)]*")
_MARK = compiled_later(
    r"[\s*_#>]*(?:\(?\d{1,3}[.)]\s+)?(?:(?:q|question|frage)\s*\d*\s*[:.)–-]\s+)?[*_\"“]*", re.IGNORECASE
)
_ANSWER_MARK = compiled_later(r"[\s*_>]*(?:(?:a|answer|antwort)\s*\d*\s*[:.)–-]\s+)?[*_]*", re.IGNORECASE)
_SAYS = compiled_later(
    r"(?P<said>(?:(?:unfortunately|sadly|sorry|luckily),?\s)?(?:yes|no|nope|yep|of course|certainly|absolutely|never"
    r"|not at all|unfortunately not|sadly not|not yet))\b(?P<mark>\s*[,.:;!–—-]+\s*|\s*$)",
    re.IGNORECASE,
)
_ELLIPSIS = compiled_later(
    r"(?:(?:it|they|he|she|you|we|there)\s)(?:is|are|was|were|do|does|did|can|could|may|must|will|has|have)"
    r"(?P<not>n['’]t|\s?not)?[.!]?",
    re.IGNORECASE,
)
_RESTRICTS = compiled_later(r"(?P<only>only|solely|but only)\s(?!$)", re.IGNORECASE)
_ASKING = compiled_later(
    r"(?P<lead>(?:(?:and|so|but|at|on|in|from|until|by|for|to|since|up to)\s)*)"
    r"(?P<word>when|where|why|who|whom|how\s(?:long|often|far|soon|late|early|old|high|deep|wide|tall|big|large|heavy)"
    r"|how\s(?:much|many)(?:\s(?!\b(?:is|are|was|were|do|does|did|can|will|must|has|have|should|may)\b)[\w-]+){0,3}?"
    r"|(?:what|which)(?:\s(?!\b(?:is|are|was|were|do|does|did|can|will|must|has|have|should|may)\b)[\w-]+){0,3}?|how)\s"
    r"(?P<aux>is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|has|have|had|am)\s"
    r"(?P<rest>[^?]+?)\s*\?+[\s*_\"”]*",
    re.IGNORECASE,
)
_SUBJECT = compiled_later(
    r"(?:(?P<who>who|what)|(?:which|what|how\s(?:much|many))\s(?P<noun>(?:[\w-]+\s)??[\w-]+))\s(?P<rest>[^?]+?)\s*\?+[\s*_\"”]*",
    re.IGNORECASE,
)
_PRONOUN = compiled_later(r"(?:it|they|he|she)\b(?=\s|['’])", re.IGNORECASE)
_DOES = compiled_later(r"\b(does|do)(?= (?!not\b)([\w-]+))")
_WHOEVER = lexicon("you i we there this that")
_BE = lexicon("is are was were am")
_NAMES_SOMETHING = lexicon("the a an my your our their his her its this that these those")
_LOWERED = PREPOSITIONS | lexicon(
    "a an the every each only about up twice once daily never always because around after before no two three"
)
_LONGEST_FRAGMENT = 18
"""Words of an answer that is no sentence of its own."""
_WORD = compiled_later(r"\S+")


def is_question(text: str) -> bool:
    """Whether a text is a question."""
    return _QUESTION.fullmatch(text.strip()) is not None


def asked_topic(heading: str) -> str:
    """What a heading says that what stands below it is about, without what it asks: of one that asks for a yes or no
    its subject, and nothing where that is whoever reads it. Any other is itself: ``Why is it closed?`` says that it is.

    >>> asked_topic("Is the Gold plan refundable?"), asked_topic("Can I pay by cheque?"), asked_topic("Prices")
    ('The Gold plan', '', 'Prices')
    """
    told = _statement(_bare(heading), yes=True) if is_question(heading) else None
    if told is None:
        return heading
    subject = _subject_of(told)
    return "" if _PRONOUN.match(f"{subject} ") or subject.lower() in _WHOEVER else subject


def statement_of_answer(question: str, answer: str) -> tuple[tuple[StatementPiece, ...], int] | None:
    """The statement that a question makes with its answer, and how much of the answer it takes up.

    Offsets of the pieces count from the start of the question for its words, and from ``len(question)`` for those of
    the answer. ``None`` where the second is no answer, or where the first is no question.

    >>> told = statement_of_answer("Can I pay by cheque?", "No, we only take cards.")
    >>> "".join(piece.text for piece in told[0])
    'You cannot pay by cheque. We only take cards.'
    >>> told = statement_of_answer("When does the desk open?", "At 9.")
    >>> "".join(piece.text for piece in told[0])
    'The desk opens at 9.'
    """
    if not is_question(question) or not answer.strip() or is_question(answer):
        return None
    begin = _answer_start(answer)
    stated = _stated(_bare(question), answer[begin:].strip())
    if stated is None:
        return None
    words, rest = stated
    return tuple(_pieces(words, rest, question, answer)), len(answer)


def _bare(question: str) -> str:
    """The question without its marks (``Q:``, bullets, emphasis)."""
    mark = _MARK.match(question)
    return " ".join(question[mark.end() if mark else 0 :].strip(' \n\t*_"”#').split())


def _answer_start(answer: str) -> int:
    bullet = LIST_ITEM.match(answer)
    mark = _ANSWER_MARK.match(answer, bullet.end() if bullet else 0)
    return mark.end() if mark else 0


def _stated(question: str, answer: str) -> tuple[str, str] | None:
    """What the question states with its answer, and what the answer says beside it."""
    return (
        _explained_yes_or_no(question, answer) or _completed(question, answer) or _taken_up(question, answer)
    )


def _explained_yes_or_no(question: str, answer: str) -> tuple[str, str] | None:
    """A yes or no, and the explanation behind it."""
    if whole := yes_or_no(question, answer):
        return whole, ""
    if (short := _ELLIPSIS.fullmatch(answer)) is not None:
        told = _statement(question, yes=short["not"] is None)
        return (told, "") if told else None
    if (only := _RESTRICTS.match(answer)) is not None:
        told = _statement(question, yes=True)
        return (f"{told[:-1]} {_lowered(answer)}", "") if told and only and _is_fragment(answer) else None
    said = _SAYS.match(answer)
    if said is None:
        return None
    yes = re.search(r"\b(?:yes|yep|course|certainly|absolutely)$", said["said"], re.IGNORECASE) is not None
    told = _statement(question, yes=yes)
    if told is None:
        return None
    rest = answer[said.end() :].strip()
    if is_bare_answer(answer) or _ELLIPSIS.fullmatch(rest):
        return told, ""
    if yes and rest and _is_fragment(rest):
        return f"{told[:-1]} {_lowered(rest)}", ""
    return told, _with_subject(told, rest)


def _with_subject(told: str, rest: str) -> str:
    """The explanation, its opening pronoun read as the subject of the question."""
    pronoun = _PRONOUN.match(rest)
    subject = _subject_of(told)
    if pronoun and subject and not _PRONOUN.match(subject):
        return subject + rest[pronoun.end() :]
    return rest[:1].upper() + rest[1:]


def _subject_of(told: str) -> str:
    words = told.split()
    at = next((at for at, word in enumerate(words) if word.lower() in AUXILIARIES), 0)
    return " ".join(words[:at])


def _statement(question: str, *, yes: bool) -> str | None:
    """What a question that asks for a yes or no states with it."""
    asked = question[:1].upper() + question[1:].strip()
    if (stated := declarative_question(asked)) is not None:
        said = asked[slice(*stated)].strip()
        return f"{said}." if yes else f"It is not true that {said[0].lower()}{said[1:]}."
    told = yes_or_no(asked if asked.endswith("?") else f"{asked}?", "Yes." if yes else "No.")
    return told if told is None else _DOES.sub("", told).replace("  ", " ") if _is_plain_do(told) else told


def _is_plain_do(told: str) -> bool:
    return re.search(r"\bdo (?!not\b)", told) is not None


def _completed(question: str, answer: str) -> tuple[str, str] | None:
    """What a question by *when*, *who*, *how much* states with a few words that answer it."""
    if not _is_fragment(answer):
        return None
    lowered = _lowered(answer.rstrip(" .!"))
    if (asked := _ASKING.fullmatch(question)) is not None:
        return _completed_by(asked, lowered)
    subject = _SUBJECT.fullmatch(question)
    if subject is None or not finite_verb(f"It {subject['rest']}", tokens_of(f"It {subject['rest']}")):
        return None
    noun = subject["noun"]
    counted = question.lower().startswith("how") and noun and noun.lower() not in lowered.lower()
    return f"{with_capital(lowered)}{f' {noun}' if counted else ''} {subject['rest']}.", ""


def _completed_by(asked: re.Match[str], answer: str) -> tuple[str, str] | None:
    aux, rest, word = asked["aux"].lower(), asked["rest"], asked["word"].lower()
    counted = re.fullmatch(r"how (?:much|many)\s(.+)", word)
    if counted and counted[1] not in answer.lower():
        answer = f"{answer} {counted[1]}"
    if aux in _BE and (told := _identified(word, aux, rest, answer)):
        return told, ""
    told = yes_or_no(f"{with_capital(aux)} {rest}?", "Yes.")
    if told is None:
        return None
    return f"{_finite(told[:-1])} {answer}.", ""


def _identified(word: str, aux: str, rest: str, answer: str) -> str | None:
    """``What is the fee?`` and its like, where the answer says what the subject is, or what is so."""
    first, _, _ = rest.partition(" ")
    if word.split()[0] in ("what", "who", "which", "how", "where") and (
        first.lower() in _NAMES_SOMETHING or first[:1].isupper()
    ):
        told = yes_or_no(f"{with_capital(aux)} {rest}?", "Yes.")
        described = (
            told is not None
            and word.split()[0] != "what"
            and re.search(r"\b(?:\w+ed|open|closed|kept|held)\b", rest)
        )
        return None if described else f"{with_capital(rest)} {aux} {answer}."
    if word.split()[0] in ("what", "who", "which") and len(rest.split()) < 6:
        return f"{with_capital(answer)} {aux} {rest}."
    return None


def _finite(told: str) -> str:
    """``The desk does open`` as ``The desk opens``."""
    found = re.search(r"\bdoes (?!not\b)([\w-]+)", told)
    if found is None:
        return re.sub(r"\bdo (?!not\b)", "", told)
    verb = found[1]
    irregular = {"have": "has", "do": "does", "go": "goes"}.get(verb)
    form = irregular or (f"{verb}es" if verb.endswith(("s", "sh", "ch", "x")) else f"{verb}s")
    return f"{told[: found.start()]}{form}{told[found.end() :]}"


def _taken_up(question: str, answer: str) -> tuple[str, str] | None:
    """A sentence that answers, its opening pronoun read as what the question asks about."""
    pronoun = _PRONOUN.match(answer)
    asked = _ASKING.fullmatch(question)
    if pronoun is None or asked is None:
        return None
    told = yes_or_no(f"{with_capital(asked['aux'])} {asked['rest']}?", "Yes.")
    subject = _subject_of(told) if told else ""
    if asked["aux"].lower() in _BE and not re.search(r"\b\w+ed\b", asked["rest"]):
        subject = asked["rest"]
    if not subject or _PRONOUN.match(subject) or subject.lower() in _WHOEVER:
        return None
    return f"{with_capital(subject)}{answer[pronoun.end() :]}", ""


def _is_fragment(answer: str) -> bool:
    tokens = tokens_of(answer)
    return 0 < len(tokens) <= _LONGEST_FRAGMENT and finite_verb(answer, tokens) is None


def _lowered(answer: str) -> str:
    first, _, _ = answer.partition(" ")
    return answer[:1].lower() + answer[1:] if first.lower().strip(",.") in _LOWERED else answer


def _pieces(words: str, rest: str, question: str, answer: str) -> Iterator[StatementPiece]:
    """The words of the statement, each with where it stands: those of the question, in its order, then the answer's."""
    told = f"{words} {rest}" if rest else words
    both, border = question + answer, len(question)
    at = kept = 0
    while at < len(told):
        word = _WORD.match(told, at)
        found = _found(both, told, word.span(), kept) if word else None
        if word is None or found is None or found.start < border < found.start + found.length:
            end = word.end() if word else at + 1
            yield StatementPiece(told[at:end], None)
            at = end
            continue
        if found.capital:
            yield StatementPiece(told[at], None)
            at += 1
        yield StatementPiece(told[at : at + found.length], found.start)
        at, kept = at + found.length, found.start + found.length


class _Found(NamedTuple):
    """Where words stand, letter for letter, behind a first letter that may be written otherwise (``capital``)."""

    start: int
    length: int
    capital: bool


def _found(both: str, told: str, word: tuple[int, int], kept: int) -> _Found | None:
    """Where a word stands behind what was found so far, and how far the words from there on are the same."""
    bare = told[slice(*word)].rstrip(".,;!?")
    if len(bare) < 1:
        return None
    pattern = re.compile(rf"(?<!\w)(?i:{re.escape(bare[0])}){re.escape(bare[1:])}(?!\w)")
    match = pattern.search(both, kept)
    if match is None:
        return None
    capital = match[0][0] != bare[0]
    if capital and len(bare) == 1:
        return None
    start, first, length = match.start() + capital, word[0] + capital, 0
    while first + length < len(told) and both[start + length : start + length + 1] == told[first + length]:
        length += 1
    return _Found(start, length, capital)
