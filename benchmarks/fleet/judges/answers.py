"""Answers that are faithful to their document or not, made of those of ``corpora/byhand`` by leaving claims out.

Every answer of that set has wrong claims. Half of these keep none of them, the others keep one: a contradicted claim or
an invented one by turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.byhand.answers import Labelled, LabelledAnswer, documents_of, read_answers
from verifier.types import Verdict

__all__ = ["Judged", "judged_answers"]

_PROSE = (".md", ".txt", ".html")
_WANTED = (None, Verdict.CONTRADICTED, None, Verdict.FABRICATED)
"""The wrong claim that an answer keeps, by turns; ``None`` for none."""
_EMPTY_BULLET = re.compile(r"^\s*(?:[-*]|\d+\.)\s*$")


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with its document, and what is true of it.

    Attributes:
        id: that of the answer of which it is made.
        question: it names the document's subject.
        answer: the text.
        title, context: the document that decides.
        claims: each sentence of the answer that is a claim, with its label.
    """

    id: str
    question: str
    answer: str
    title: str
    context: str
    claims: tuple[tuple[str, Verdict], ...]

    @property
    def faithful(self) -> bool:
        """Whether every claim is supported."""
        return all(verdict is Verdict.SUPPORTED for _, verdict in self.claims)


def judged_answers(count: int) -> list[Judged]:
    """The first so many, half of them faithful. Answers with tables are left out, and those about several files.

    Raises:
        ValueError: there are not so many.
    """
    found = list(_all(count))
    if len(found) < count:
        raise ValueError(f"there are {len(found)} such answers, not {count}")
    return found


def _all(count: int) -> Iterator[Judged]:
    texts = {
        Path(document.source).name: document.text
        for _, documents in documents_of(sorted({answer.namespace for answer in read_answers()}))
        for document in documents
    }
    made = 0
    for answer in read_answers():
        names = {name for claim in answer.claims for name in claim.documents}
        wrong = _WANTED[made % len(_WANTED)]
        if made == count:
            return
        if len(names) != 1 or "|" in answer.answer or not min(names).endswith(_PROSE):
            continue
        if wrong is None or any(claim.verdict is wrong for claim in answer.claims):
            made += 1
            yield _judged(answer, texts[min(names)], wrong)


def _judged(answer: LabelledAnswer, context: str, wrong: Verdict | None) -> Judged:
    first = next((claim for claim in answer.claims if claim.verdict is wrong), None)
    kept = [claim for claim in answer.claims if claim.verdict is Verdict.SUPPORTED or claim is first]
    title = next(line.strip("# ") for line in context.splitlines() if line.strip("# "))
    return Judged(
        answer.id,
        f"What should I know about {title}?",
        _without(answer.answer, [claim for claim in answer.claims if claim not in kept]),
        title,
        context,
        tuple((answer.answer[claim.start : claim.end], claim.verdict) for claim in kept),
    )


def _without(text: str, claims: Sequence[Labelled]) -> str:
    """The text without these sentences, and without bullets that have nothing behind them any more."""
    for claim in sorted(claims, key=lambda one: -one.start):
        text = text[: claim.start] + text[claim.end :]
    lines = (re.sub(r"(?<=\S) {2,}", " ", line).rstrip() for line in text.splitlines())
    return "\n".join(line for line in lines if not _EMPTY_BULLET.match(line)).strip()
