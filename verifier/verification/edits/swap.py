"""Edits that put the evidence's own value, name or word in the place of the one in conflict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from verifier_signals.lexicon import antonyms_of, verb_of
from verifier_signals.names import Name, is_alias, names_in
from verifier_signals.stems import word_key
from verifier_signals.syntax import BE, fold_word, read, stem
from verifier_signals.types import Finding
from verifier_signals.values import Fit, Form, Value, compare, values_of

from verifier.core.lexicon import lexicon
from verifier.types import Span
from verifier.verification.edits.forms import like
from verifier.verification.edits.proposal import Proposal, replaced

__all__ = ["swapped_names", "swapped_values", "swapped_words"]

_OTHERS = 3
"""Values of the evidence that are tried beside the one that the signal names."""
_ARTICLE = re.compile(r"\bthe\s+\Z", re.IGNORECASE)
_OPENED = re.compile(r"(?:\A|[.!?:;|\n*-])\s*\Z")
"""Before what opens a sentence or a cell."""
_BETWEEN = re.compile(r"\b(?:from|between)\s+\Z", re.IGNORECASE)
_LINKING = lexicon("remain stay become keep seem appear look be")
"""Verbs whose complement no other verb can take: ``remains in force``, but not ``ends in force``."""
_COUNTERPARTS = (
    ("grow", "shrink"),
    ("rise", "fall"),
    ("increase", "decrease"),
    ("climb", "drop"),
    ("gain", "lose"),
    ("expand", "contract"),
    ("double", "halve"),
    ("before", "after"),
    ("more", "less"),
    ("more", "fewer"),
)
"""What is said instead where the evidence shows the contrary in figures or in the order of things, without its word."""
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")
_ITEMS = re.compile(r"\s*(?:,| and | or )\s*")


def swapped_values(claim: str, premise: str, finding: Finding) -> Iterator[Proposal]:
    """The named value first, then other values of the evidence that could stand there, alike written ones first."""
    ours, theirs = values_of(claim).values, values_of(premise).values
    mine = next((value for value in ours if (value.start, value.end) == finding.claim_span), None)
    if mine is None:
        return
    named = [value for value in theirs if (value.start, value.end) == finding.evidence_span]
    others = [
        value
        for value in theirs
        if value not in named
        and compare(mine, value).fit is Fit.DIFFERENT
        and all(compare(one, value).fit is not Fit.EQUAL for one in ours)
    ]
    others.sort(key=lambda value: (not _same_figure(mine, value), value.start))
    for value in (*named, *others[:_OTHERS]):
        for mine_span, their_span in _stretches(claim, mine, premise, value):
            headed = not value.dates and _OPENED.search(premise[: their_span[0]]) is not None
            for proposal in _agreeing(claim, mine_span, premise, their_span, headed=headed):
                if _same_shape(claim, mine, value) and _reads_as(proposal, claim, value):
                    yield proposal


def swapped_names(claim: str, finding: Finding) -> Iterator[Proposal]:
    """The evidence's name for the claim's; for exchanged sides, both names change places."""
    if finding.evidence_span is None or finding.evidence_value is None:
        return
    if finding.kind == "role":
        yield from _exchanged(claim, finding)
        return
    yield from replaced(claim, finding.claim_span, finding.evidence_value)


def swapped_words(claim: str, premise: str, finding: Finding) -> Iterator[Proposal]:
    """The evidence's opposite in the form of the claim's word, else an opposite that the tables know."""
    start = finding.claim_span[0]
    word = finding.claim_value.split(" ")[0]
    verb = verb_of(word.lower())
    if verb is not None and verb.lemma in _LINKING:
        return
    span = (start, start + len(word))
    if finding.evidence_value is not None and not finding.note:
        # ``open`` and ``closed`` behind a form of ``be`` are adjectives, whatever they are as verbs.
        told = finding.evidence_value
        told = told if any(map(str.isdigit, told)) else told.lower()  # a date keeps the capital of its month
        before = claim[:start].split()[-1:]
        fitted = told if before and before[0].lower() in BE else like(told, finding.claim_value)
        if fitted is not None:
            yield from replaced(claim, finding.claim_span, fitted)
    elif finding.evidence_value is not None and finding.claim_value[:1].isupper():
        for item in _ITEMS.split(finding.evidence_value)[:_OTHERS]:
            yield from replaced(claim, finding.claim_span, item)
    elif finding.evidence_value is not None and finding.evidence_value.endswith(finding.claim_value):
        yield from replaced(claim, finding.claim_span, finding.evidence_value)
    for other in islice(_opposites(word.lower(), premise), _OTHERS):
        fitted = like(other, word)
        if fitted is not None:
            yield from replaced(claim, span, fitted)


def _same_figure(mine: Value, theirs: Value) -> bool:
    """``126 kilowatts`` and ``126 MW``."""
    return any(
        one.written == two.written != 0.0
        for one in mine.quantities
        for two in theirs.quantities
        if one.dimension == two.dimension
    )


def _stretches(claim: str, mine: Value, premise: str, theirs: Value) -> Iterator[tuple[Span, Span]]:
    """What is replaced by what: the figures alone where both are limited in the same words, else both whole."""
    limits = [
        text[value.start : value.core[0]].casefold().split()
        for text, value in ((claim, mine), (premise, theirs))
    ]
    behind = [text[value.core[1] : value.end] for text, value in ((claim, mine), (premise, theirs))]
    if limits[0] == limits[1] and behind[0].casefold() == behind[1].casefold():
        yield mine.core, theirs.core
    else:
        opener = _BETWEEN.search(premise[: theirs.start]) if theirs.form is Form.RANGE else None
        yield (mine.start, mine.end), (opener.start() if opener else theirs.start, theirs.end)


def _same_shape(claim: str, mine: Value, theirs: Value) -> bool:
    """Whether the words around one fit the other: ``on`` asks for a day, ``from`` for both ends of a range."""
    if (Form.RANGE in (mine.form, theirs.form)) and mine.form is not theirs.form:
        return _BETWEEN.search(claim[: mine.start]) is None
    days = {value.dates[0].start.day is None for value in (mine, theirs) if value.dates}
    return len(days) < 2


def _agreeing(claim: str, mine: Span, premise: str, theirs: Span, *, headed: bool) -> Iterator[Proposal]:
    """With the words behind where they are the same but for number: ``one town`` by ``three towns``."""
    here, there = mine[1], theirs[1]
    while True:
        ours, other = _NEXT_WORD.match(claim, here), _NEXT_WORD.match(premise, there)
        if ours is None or other is None or ours[1].casefold() == other[1].casefold():
            break
        key = word_key(ours[1])
        if not key or key != word_key(other[1]):
            break
        here, there = ours.end(), other.end()
    after = _in_our_form(claim[mine[0] : here], premise[theirs[0] : there])
    yield from replaced(claim, (mine[0], here), after, headed=headed)


def _in_our_form(ours: str, theirs: str) -> str:
    """The evidence's figure with the claim's form of the unit: ``an 8 litre tank`` takes ``12 litre``.

    One of a thing asks for another form than several, so that those keep their own.
    """
    mine, other = ours.split(), theirs.split()
    if len(mine) < 2 or len(other) < 2 or {mine[0].lower(), other[0].lower()} & {"1", "one", "a", "an"}:
        return theirs
    same_unit = stem(fold_word(mine[-1])) == stem(fold_word(other[-1]))
    return " ".join([*other[:-1], mine[-1]]) if same_unit else theirs


def _reads_as(proposal: Proposal, claim: str, wanted: Value) -> bool:
    """Whether the edited claim states that value, and not ``minus 0 and 40``."""
    start, end = proposal.start, proposal.start + len(proposal.after)
    found = [
        value for value in values_of(proposal.apply(claim)).values if value.start < end and start < value.end
    ]
    return len(found) == 1 and compare(found[0], wanted).fit is Fit.EQUAL


def _exchanged(claim: str, finding: Finding) -> Iterator[Proposal]:
    """``A bought B`` becomes ``B bought A``, each with its article."""
    names = names_in(claim)
    one = _at(names, finding.claim_span)
    if one is None or finding.evidence_value is None:
        return
    rivals = names_in(finding.evidence_value)
    other = next((name for name in names if name != one and any(is_alias(name, two) for two in rivals)), None)
    if other is None:
        return
    first, second = sorted(((_begin(claim, one), one.end), (_begin(claim, other), other.end)))
    # A name that is explained behind a comma takes its explanation with it, and cannot change places alone.
    if first[1] > second[0] or claim[first[1]] == ",":
        return
    head, tail = claim[slice(*first)], claim[slice(*second)]
    if head[:4] == "The ":
        head = f"the{head[3:]}"
    swapped = f"{tail}{claim[first[1] : second[0]]}{head}"
    yield from replaced(claim, (first[0], second[1]), swapped)


def _at(names: list[Name] | tuple[Name, ...], span: Span) -> Name | None:
    return next((name for name in names if name.start < span[1] and span[0] < name.end), None)


def _begin(claim: str, name: Name) -> int:
    article = _ARTICLE.search(claim[: name.start])
    return article.start() if article else name.start


def _opposites(word: str, premise: str) -> list[str]:
    """Opposites of a word or its lemma that the evidence has, then its counterpart in common use."""
    reading = verb_of(word)
    forms = {word, reading.lemma if reading else word}
    tokens = read(premise).tokens
    lows = {token.word.low for token in tokens}
    lows |= {token.word.verb.lemma for token in tokens if token.word.verb is not None}
    told = sorted(other for form in forms for other in antonyms_of(form) if other in lows)
    counterparts = [pair[pair[0] in forms] for pair in _COUNTERPARTS if not forms.isdisjoint(pair)]
    comparatives = sorted(
        other for other in antonyms_of(word) if word.endswith("er") and other.endswith("er")
    )
    return [*told, *counterparts, *comparatives]
