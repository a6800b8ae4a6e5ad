"""The sentences of a passage's prose, each with the label or title that governs it and what its pronouns stand for.

A label governs what stands behind it, never what stands before, and so does the title above a text: ``It`` below
``Night ticket`` is the night ticket.

``It was designed by Ruth Keller`` says nothing of which tower: read alone, it denies every other architect of every
other tower. So pronouns are resolved in the evidence as they are in a response.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from verifier_signals.syntax import is_common
from verifier_signals.syntax.predications import predications_in

from verifier.core.layout import Cell, box_of, cells, item_start, label_end
from verifier.core.text import COLONS, sentence_spans
from verifier.types import Span
from verifier.verification.claims.headings import is_empty_title, read_title
from verifier.verification.evidence.layout import Led
from verifier.verification.grammar.clauses import split_clauses
from verifier.verification.grammar.coreference import Discourse
from verifier.verification.grammar.mentions import is_expletive, is_impersonal
from verifier.verification.grammar.verbs import finite_verb, tokens_of

__all__ = ["Antecedent", "Said", "antecedents", "said_in", "topic_of"]

_LABELLED_SENTENCE_WORDS = 4
_OF_A_KIND = re.compile(r"[^\W\d_]+ (?:[A-Z0-9]{1,4}|[IVX]+)")
"""``Lift A``, ``Room 12``: what a letter or a number tells from its like."""
_IT = re.compile(r"Its?\b(?!['’])")
_LASTS = re.compile(r"It takes (?!.*\bto\b)")
"""``It takes 6 hours``, with nothing said that one would do in them."""
_NOTES = {"note": "Footnote.", "comment": "Comment in code."}


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence at ``start:end``, and how it is read.

    Its first ``skipped`` code points are markup. The ``length`` code points at ``at`` are read as ``meant``, what an
    opening pronoun stands for; ``named``: a label or a title above says what that is. ``stem`` leads into it. Two
    sentences of one ``cell`` may be read together. ``item`` tells that it opens an item of a list; ``planned``, that it
    stands at a check box that is open; ``done``, at a ticked one; ``aside``, that it is a comment in code.
    """

    start: int
    end: int
    stem: str
    cell: tuple[int, int]
    skipped: int = 0
    at: int = 0
    length: int = 0
    meant: str = ""
    item: bool = False
    named: bool = False
    planned: bool = False
    done: bool = False
    aside: bool = False

    def read_in(self, text: str) -> str:
        """The sentence in its passage, with what an opening pronoun stands for in its place."""
        at = self.start + self.at
        return text[self.start : at] + self.meant + text[at + self.length : self.end]


@dataclass(frozen=True, slots=True)
class _Place:
    """A sentence with its cell, where its own words begin, and what it speaks of where that is told anew."""

    span: Span
    cell: tuple[int, int]
    label: str
    begins: int
    skipped: int
    topic: str
    item: bool


def said_in(text: str, start: int, end: int, led: Sequence[Led], topic: str) -> list[Said]:
    """The sentences of a stretch, in order.

    Args:
        text: a passage.
        start: where the stretch begins in it.
        end: where it ends.
        led: the items of its lists, with what leads into them.
        topic: what the title right above the stretch names; ``""`` where none does.
    """
    found: list[_Place] = []
    kinds: dict[int, Cell] = {}
    for n, cell in enumerate(cells(text, start, end)):
        kinds[n] = cell
        found += _places(text, n, cell, topic, first=not found)
    meant = _meant(text, found)
    return [
        _said(text, one, kinds[one.cell[0]], opening, led) for one, opening in zip(found, meant, strict=True)
    ]


def _places(text: str, number: int, cell: Cell, topic: str, *, first: bool) -> list[_Place]:
    """The sentences of one cell; a label on a line of its own is no sentence."""
    found: list[_Place] = []
    begin = cell.body
    label = _label(text[cell.start : cell.body]) if cell.kind == "labelled" and cell.body > cell.start else ""
    part = 0
    for n, (left, right) in enumerate(sentence_spans(text[begin : cell.end])):
        left, right = begin + left, begin + right
        if not any(map(str.isalnum, text[left:right])):
            continue
        skipped = item_start(text[left:right])
        own = label_end(text[left:right])
        opens = own > 0 and _is_label(text[left + skipped : left + own], at_head=n == 0)
        if opens and n:
            part, label = part + 1, ""
        own_label = _label(text[left + skipped : left + own]) if opens else ""
        spoken = _topic(own_label or label) if (own_label or (label and not found)) else ""
        if not spoken and not (own_label or label) and (cell.kind == "item" or first) and n == 0:
            spoken = topic
        told = "" if own_label else label
        found.append(
            _Place(
                (left, right),
                (number, part),
                told,
                left + (own if opens else skipped if spoken else 0),
                skipped,
                spoken,
                n == 0 and cell.kind == "item",
            )
        )
        label = own_label if own_label and n == 0 and cell.kind != "prose" else label
    return found


def _label(text: str) -> str:
    """The words of a label, without its marks."""
    return " ".join(text.replace("*", " ").replace("__", " ").split()).rstrip(": ")


def _is_label(text: str, *, at_head: bool) -> bool:
    """Whether what stands before a colon states nothing, and, in running text, is short (``Bern: 7 trains``)."""
    words = _label(text)
    brief = at_head or (len(words.split()) <= _LABELLED_SENTENCE_WORDS and words[:1].isupper())
    return brief and finite_verb(words, tokens_of(words)) is None


class _Opening(NamedTuple):
    """A sentence's first ``length`` code points are read as ``text``; ``named`` by what stands above it or not."""

    length: int
    text: str
    named: bool = False


def _meant(text: str, places: Sequence[_Place]) -> Sequence[_Opening]:
    """What the opening pronouns stand for; what is spoken of anew is told to the reader of pronouns as a sentence."""
    told, spans, own = "", list[Span](), list[int]()
    for one in places:
        for piece in filter(None, [one.topic, _own_words(text, one)]):
            sentence = f"{piece} is here." if piece == one.topic else piece
            if piece != one.topic:
                own.append(len(spans))
            spans.append((len(told), len(told) + len(sentence)))
            told += sentence + "\n"
    read = antecedents(told, spans)
    found: list[_Opening] = []
    going_on = ""  # what the sentence before is about, where its pronoun says so
    for one, n in zip(places, own, strict=True):
        words = _own_words(text, one)
        topic = one.topic or (going_on if found and one.cell == places[len(found) - 1].cell else "")
        length, meant = read[n] if read[n].length or not topic else _of_topic(words, topic)
        named = bool(topic) and length > 0 and meant.startswith(topic)
        going_on = topic if named else ""
        found.append(_Opening(length, meant, named))
    return found


def _own_words(text: str, one: _Place) -> str:
    return text[one.begins : one.span[1]].lstrip()


def _of_topic(words: str, topic: str) -> tuple[int, str]:
    """An opening ``it`` or ``its`` as what the sentence is under the name of."""
    found = _IT.match(words)
    of_nothing = is_expletive(words) or is_impersonal(words)
    if found is None or (of_nothing and not _LASTS.match(words)):
        return 0, ""
    owner = f"{topic}'" if topic.endswith("s") else f"{topic}'s"
    return found.end(), owner if found[0] == "Its" else topic


def _said(text: str, one: _Place, cell: Cell, opening: _Opening, led: Sequence[Led]) -> Said:
    start, end = one.span
    stem = next((item.stem for item in led if item.span[0] <= start < item.span[1]), "")
    stem = " ".join(filter(None, [_NOTES.get(cell.kind, ""), stem, f"{one.label}:" if one.label else ""]))
    box = box_of(text, start, end) if one.item else None
    at = one.begins + len(text[one.begins : end]) - len(text[one.begins : end].lstrip())
    skipped = one.skipped if (stem or box) else 0
    if opening.length == 0:
        at = start + skipped
    return Said(
        start,
        end,
        stem,
        one.cell,
        skipped,
        at - start,
        opening.length,
        opening.text,
        one.item and one.skipped > 0,
        opening.named,
        box is not None and box.is_open,
        box is not None and not box.is_open,
        cell.kind == "comment",
    )


def topic_of(headings: Sequence[str]) -> str:
    """What the innermost heading that names a thing names, as the subject of a sentence; ``""`` where none does.

    >>> topic_of(["Fares", "Night ticket"]), topic_of(["KETTLE K2", "Description"]), topic_of(["Opening hours"])
    ('The Night ticket', 'Kettle K2', '')
    """
    for heading in reversed(headings):
        if not is_empty_title(heading):
            return _topic(heading)
    return ""


def _topic(title: str) -> str:
    bare = title.strip().rstrip("".join(COLONS)).strip()
    read = read_title(bare) if bare else None
    if read is None or is_empty_title(bare) or not (read.names or _OF_A_KIND.fullmatch(bare)):
        return ""
    words = bare.split()
    if bare.isupper():
        words = [word.lower() if is_common(word.lower()) else word.capitalize() for word in words]
        words = [
            old if any(map(str.isdigit, old)) else new for old, new in zip(bare.split(), words, strict=True)
        ]
    named = words[0].casefold() in ("the", "a", "an", "our") or not any(
        is_common(word.casefold()) for word in words
    )
    if named or _OF_A_KIND.fullmatch(bare):
        return " ".join(words)[0].upper() + " ".join(words)[1:]
    return f"The {' '.join(words)}"


_PRONOUN = re.compile(r"(?:It|They|He|She|Its|Their|His|Her)\b")


class Antecedent(NamedTuple):
    """A sentence's first ``length`` code points are read as ``text``."""

    length: int
    text: str


_POSSESSIVE_ENDING = re.compile(r"['’]s?$")
_LONGEST = 6
"""Words of a subject that are read in the place of a pronoun; a longer one has a clause of its own."""
_NONE = Antecedent(0, "")


def antecedents(text: str, sentences: Sequence[Span]) -> Sequence[Antecedent]:
    """For each sentence what its opening pronoun stands for; of length 0 where it has none, or none that is certain.

    Args:
        text: the passage.
        sentences: their spans in it, in order.
    """
    if not any(_PRONOUN.match(text, start) for start, _ in sentences[1:]):
        return [_NONE] * len(sentences)
    return _antecedents(tuple(text[start:end] for start, end in sentences))


@lru_cache(maxsize=4096)
def _antecedents(sentences: tuple[str, ...]) -> tuple[Antecedent, ...]:
    discourse, found, read = Discourse(), list[Antecedent](), ""
    for sentence in sentences:
        resolved = discourse.resolve(sentence) if _PRONOUN.match(sentence) else None
        meant = _in_full(resolved[2], read) if resolved else ""
        found.append(Antecedent(resolved[1], meant) if resolved and resolved[0] == 0 else _NONE)
        read = found[-1].text + sentence[found[-1].length :]
        subjects = set()
        for clause in split_clauses(read):
            discourse.follow(clause.read(read))
            subjects.add(discourse.subject.text if discourse.subject else "")
        discourse.end_sentence(read, subjects=len(subjects))
    return tuple(found)


def _in_full(meant: str, before: str) -> str:
    """What a pronoun stands for, with all that the sentence before calls its subject: ``the older Mr Platt`` of two."""
    name = _POSSESSIVE_ENDING.sub("", meant)
    for told in predications_in(before):
        for first, last in told.subjects:
            tokens = told.reading.tokens
            called = before[tokens[first].start : tokens[last - 1].end]
            if name and name in called and len(called.split()) <= _LONGEST and len(told.subjects) == 1:
                return called + meant[len(name) :]
    return meant
