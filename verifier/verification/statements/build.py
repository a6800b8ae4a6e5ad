"""The statements of a passage: questions get their answers, each sentence its factuality, denials plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from verifier_signals.syntax import read
from verifier_signals.values import parse

from verifier.core.lexicon import lexicon
from verifier.types import Span
from verifier.verification.statements.exceptions import ExceptedStatement
from verifier.verification.statements.factuality import factuality_of, framed_sentences
from verifier.verification.statements.questions import is_question, statement_of_answer
from verifier.verification.statements.rewording import (
    affirmed_content,
    implicit_statement,
    without_untruth_frame,
)
from verifier.verification.statements.types import Factuality, FramedSentence, Statement, StatementPiece

__all__ = ["row_factuality", "statements_of"]

SENTENCE = 3
"""Words of a cell that may be a sentence, at least."""
_NEARLY = lexicon("nearly almost just barely practically virtually close")
"""Words that bound a figure, or tell what did not quite happen."""


@lru_cache(maxsize=4096)
def statements_of(
    text: str, sentences: tuple[Span, ...], above: tuple[tuple[str, ...], ...], read_as: tuple[str, ...]
) -> tuple[Statement, ...]:
    """What a passage states, in its order.

    Args:
        text: the passage.
        sentences: their spans in it, in order.
        above: for each sentence the headings and stems that govern it, outermost first.
        read_as: for each sentence its words with what an opening pronoun stands for: a sentence about *it* tells the
            model of factuality less.
    """
    merged = _merged(text, sentences, above)
    framed = framed_sentences(text, sentences, above)
    told = factuality_of(
        [replace(framed[n], text=_unbounded(affirmed_content(read_as[n]))) for n, _, _ in merged]
    )
    found = []
    for (n, last, pieces), factuality in zip(merged, told, strict=True):
        start, end = sentences[n][0], sentences[last][1]
        pieces = pieces or tuple(piece.moved(start) for piece in without_untruth_frame(framed[n].text))
        if pieces or (factuality is not Factuality.DENIED and _denies(framed[n].text)):
            factuality = Factuality.ASSERTED  # what it calls untrue, rules out or answers, it says itself
        found.append(Statement(start, end, pieces, factuality))
    return tuple(found)


def _unbounded(sentence: str) -> str:
    """A sentence with its figures as they are: ``nearly 2 metres fell`` is asserted, ``it nearly fell`` is not."""
    if _NEARLY.isdisjoint(read(sentence).lows):
        return sentence
    for value in reversed(parse(sentence)):
        sentence = sentence[: value.start] + sentence[value.core[0] :]
    return sentence


def _denies(sentence: str) -> bool:
    """Whether a sentence rules something out, or shows no sign of it, in its own words: that it asserts."""
    again = implicit_statement(sentence)
    return again is not None and not isinstance(again, ExceptedStatement)


_Merged = tuple[int, int, tuple[StatementPiece, ...]]
"""The first and the last sentence of a statement, and the pieces of one that is a question with its answer."""


def _merged(text: str, sentences: Sequence[Span], above: Sequence[tuple[str, ...]]) -> list[_Merged]:
    found: list[_Merged] = []
    n = 0
    while n < len(sentences):
        told = _below_heading(text, sentences[n], above[n]) if n == 0 else None
        if told is not None:
            found.append((n, n, told))
        elif n + 1 < len(sentences) and (told := _beside(text, *sentences[n : n + 2])) is not None:
            found.append((n, n + 1, told))
            n += 1
        else:
            found.append((n, n, ()))
        n += 1
    return found


def _below_heading(text: str, sentence: Span, above: Sequence[str]) -> tuple[StatementPiece, ...] | None:
    """The first sentence below a heading that asks, as its answer; words of the heading are written in."""
    if not above or not is_question(above[-1]):
        return None
    told = statement_of_answer(above[-1], text[slice(*sentence)])
    if told is None:
        return None
    return tuple(
        piece.moved(sentence[0] - len(above[-1]))
        if piece.start is not None and piece.start >= len(above[-1])
        else StatementPiece(piece.text, None)
        for piece in told[0]
    )


def _beside(text: str, question: Span, answer: Span) -> tuple[StatementPiece, ...] | None:
    """A question and the sentence behind it, as one statement."""
    asked = text[slice(*question)]
    told = statement_of_answer(asked, text[slice(*answer)]) if is_question(asked) else None
    if told is None:
        return None
    return tuple(
        piece.moved(
            question[0] if piece.start is None or piece.start < len(asked) else answer[0] - len(asked)
        )
        for piece in told[0]
    )


def row_factuality(row: str, above: tuple[str, ...]) -> Factuality:
    """Whether a document asserts what a row of a table says (``Statement: Snails have ears; True?: no``).

    A row none of whose cells is a sentence says what it says: ``Room: Attic; Heated: no``.

    Args:
        row: its cells, each behind its column's name.
        above: the headings that govern it, outermost first.
    """
    cells = (field.partition(": ")[2] for field in row.split("; "))
    if not any(len(cell.split()) >= SENTENCE and _has_verb(cell) for cell in cells):
        return Factuality.ASSERTED
    return factuality_of([FramedSentence(row, above)])[0]


def _has_verb(cell: str) -> bool:
    return any(clause.verbs for clause in read(cell).clauses)
