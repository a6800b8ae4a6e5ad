"""The part before a joint in; whether something in it may hold for what stands behind the joint as well, out.

A condition may (``if it rains, and the hall is full``), and so may what is said or believed. What tells of the past, or
stands before a part that tells of another thing by name, belongs to its own part alone.
"""

from __future__ import annotations

from typing import NamedTuple

from verifier_signals.lexicon import verb_of

from verifier.core.lexicon import lexicon
from verifier.verification.claims.behind import NARROWING, is_provided
from verifier.verification.claims.grammar import (
    PREPOSITIONS,
    is_certain,
    is_figure,
    is_finite,
    reporting_verb,
    tense,
)
from verifier.verification.claims.verbs import AUXILIARIES, SUBORDINATORS, Token

__all__ = ["Behind", "are_apart", "governs", "time_of"]

_PAIRED = lexicon("either neither both nor or between only then")
_HOLDS_TOGETHER = SUBORDINATORS | _PAIRED | lexicon("whichever whatever")
_RELATIVES = lexicon("who whom whose which where")
_CONCESSIVE = lexicon("although though")
_CAUSAL = _CONCESSIVE | {"because"}
_FACTIVE_IN_THE_PAST = lexicon("after before when where")
"""What opens a clause that is as true as the one before it, so that neither holds only on the other's account."""
_LASTING_IN_THE_PAST = lexicon("since until as while")
_TELLING = lexicon("because after before since")
"""What opens a clause that holds for nothing of another name, even in the present."""
_CONDITIONS = lexicon("if unless when whenever until where while as")
_ASKING = lexicon("what how why whom whether")
_ALSO_PREPOSITIONS = lexicon("than after before since until as")
"""Subordinators that may also stand before a mere noun."""
_PRESENT_MODALS = lexicon("will can may must shall cannot can't won't")
_CLEAR = 0.6
_NEAR = 6
"""Words between ``as`` and the ``as`` that it goes with."""


class Behind(NamedTuple):
    """What stands behind a joint."""

    apart: bool
    """Whether a mark, or a comma with ``and``, parts it from what is before."""
    own: bool
    """Whether it opens neither with a pronoun nor with a verb."""
    another: bool
    """Whether its subject bears a name of its own."""
    time: str
    """``past`` or ``present``; ``""`` where its verb does not tell."""


def time_of(tokens: list[Token], verb: int) -> str:
    """``past`` or ``present`` of a finite verb, with the modals that tell; else ``""``."""
    return "present" if tokens[verb][2] in _PRESENT_MODALS else tense(tokens, verb)


def are_apart(one: str, other: str) -> bool:
    """Whether one of two times is the past and the other the present."""
    return {one, other} == {"past", "present"}


def governs(
    sentence: str, tokens: list[Token], first: int, verb: int, index: int, behind: Behind, *, marked: bool
) -> bool:
    """Whether the clause ``tokens[first:index]``, whose verb is at ``verb``, may hold something for what is behind it.

    ``marked`` says that a semicolon or dash ends it, over which nothing is reported.
    """
    left = _Left(sentence, tokens, first, verb, index)
    if left.correlates() or any(
        tokens[at][2] in _HOLDS_TOGETHER
        and not left.narrows_subject(at)
        and not left.ends_with_it(at, behind)
        for at in range(first, index)
    ):
        return True
    said = None if marked else reporting_verb(tokens, verb)
    return said is not None and any(is_finite(sentence, tokens, at) for at in range(said + 1, index))


class _Left(NamedTuple):
    """A clause ``tokens[first:joint]``, with its verb."""

    sentence: str
    tokens: list[Token]
    first: int
    verb: int
    joint: int

    def correlates(self) -> bool:
        """``The faster it turns, the more``."""
        forms = [form for _, _, form in self.tokens[self.first : self.joint + 1]]
        if forms[0] != "the" or not _is_comparative(forms[1]):
            return False
        commas = (at for at in range(len(forms) - 2) if forms[at : at + 2] == [",", "the"])
        return any(_is_comparative(forms[at + 2]) for at in commas)

    def states(self, first: int, last: int) -> int | None:
        """Index of the first word in a stretch that is a finite verb and hardly a noun."""
        for at in range(first, last):
            if is_finite(self.sentence, self.tokens, at):
                verb = verb_of(self.tokens[at][2])
                if (
                    verb is None
                    or verb.form != "s"
                    or verb.share >= _CLEAR
                    or is_certain(self.sentence, self.tokens, at)
                ):
                    return at
        return None

    def narrows_subject(self, at: int) -> bool:
        """Whether a relative clause begins there, before the verb; ``they hold that`` is none."""
        before = verb_of(self.tokens[at - 1][2]) if at else None
        said = before is not None and before.form != "s" and before.share >= _CLEAR
        said = said and NARROWING.isdisjoint(form for _, _, form in self.tokens[self.first : at])
        return self.tokens[at][2] in NARROWING and self.first < at < self.verb and not said

    def ends_with_it(self, at: int, behind: Behind) -> bool:
        """Whether what the word at ``at`` opens ends before the joint."""
        form = self.tokens[at][2]
        if form in _PAIRED:
            return behind.apart and (behind.own or form == "or") and self._is_paired_off(at)
        if is_provided(form, self.tokens[at - 1][2]):
            return True
        if form == "that" and at > self.verb:
            return behind.apart and (self._opens_nothing(at) or self._narrows(at, behind))
        inner = self._clause_verb(at)
        if inner is None:
            noun = (at > self.verb or is_figure(self.tokens[at + 1][2])) and not self._awaits(at)
            return (noun and form in _ALSO_PREPOSITIONS) or (behind.apart and self._opens_nothing(at))
        if at < self.verb:
            return form in _RELATIVES and self.tokens[self.verb - 1][2] == ","
        if form in _RELATIVES and self.tokens[self.joint][2] == ",":
            return True
        return behind.apart and self._clause_ends(at, inner, behind)

    def _clause_verb(self, at: int) -> int | None:
        """The finite verb of what the word at ``at`` opens, up to the next ``as`` or relative clause."""
        last = self.verb if at < self.verb else self.joint
        if self.tokens[at][2] in _ALSO_PREPOSITIONS:
            ends = _RELATIVES | {"as"}
            last = next((later for later in range(at + 1, last) if self.tokens[later][2] in ends), last)
        return self.states(at + 1, last)

    def _is_paired_off(self, at: int) -> bool:
        """Whether ``both`` or ``only`` has its pair, or all that it limits, before the joint."""
        form = self.tokens[at][2]
        if form == "either":
            return any(later == "or" for _, _, later in self.tokens[at : self.joint])
        return not (at and self.tokens[at - 1][2] == "not")

    def _opens_nothing(self, at: int) -> bool:
        """Whether a word that may open a clause is an adverb, ``that`` a determiner or pronoun (``in that year``)."""
        form, before = self.tokens[at][2], self.tokens[at - 1][2] if at else ""
        if form == "that":
            return before in PREPOSITIONS or self.joint - at <= 2
        return (form in _CAUSAL and at > self.verb) or (form == "once" and self.verb in (at + 1, at - 1))

    def _clause_ends(self, at: int, inner: int, behind: Behind) -> bool:
        """Whether a clause with the finite verb ``inner`` holds for nothing behind a comma and ``and``."""
        form = self.tokens[at][2]
        if form in _CONCESSIVE or (form == "because" and self.tokens[at - 1][2] == ","):
            return True
        past = time_of(self.tokens, self.verb) == "past"
        if form in _FACTIVE_IN_THE_PAST and past:
            return True
        if form == "than" or (form == "as" and self._compares(at)):
            return True
        if not behind.another:
            return False
        if form in _LASTING_IN_THE_PAST and past:
            return True
        if form in _TELLING | _ASKING:
            return True
        told = are_apart(time_of(self.tokens, inner), behind.time) and behind.time == "past"
        return told and form in _CONDITIONS

    def _compares(self, at: int) -> bool:
        """Whether ``as`` is the second one of ``as many as``, and not of ``as soon as``."""
        return not self._awaits(at) and any(
            form in ("as", "same", "such") for _, _, form in self.tokens[max(at - _NEAR, 0) : at]
        )

    def _awaits(self, at: int) -> bool:
        """``as soon as``, ``as long as``: a condition."""
        return self.tokens[at][2] == "as" and self.tokens[at - 1][2] in ("soon", "long", "far")

    def _narrows(self, at: int, behind: Behind) -> bool:
        """Whether ``that`` opens a relative clause (``the crack that stopped it``) and tells of no saying."""
        if at - 1 <= self.verb or at + 1 >= self.joint:
            return self._is_cleft(at) and behind.another
        form, before = self.tokens[at + 1][2], self.tokens[at - 1][2]
        start, _, following = self.tokens[at + 2]
        governed = following in PREPOSITIONS or self.sentence[start].isupper()
        governed = governed or is_certain(self.sentence, self.tokens, at + 1)
        if form in AUXILIARIES or (_is_clear(form) and governed):
            return True
        several = before.endswith("s") and reporting_verb(self.tokens, at - 1) is None
        return behind.another and (several or self._is_cleft(at))

    def _is_cleft(self, at: int) -> bool:
        """``It was in 1962 that Ada built it``."""
        if self.tokens[self.first][2] != "it" or self.verb != self.first + 1:
            return False
        return any(is_figure(form) for _, _, form in self.tokens[self.verb + 1 : at])


def _is_comparative(form: str) -> bool:
    return form.endswith("er") or form in ("more", "less")


def _is_clear(form: str) -> bool:
    """Whether a form is a verb's past or third person far more often than a noun."""
    verb = verb_of(form)
    return verb is not None and verb.form in ("past", "s") and verb.share >= _CLEAR
