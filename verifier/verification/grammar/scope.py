"""How far a phrase, condition or report reaches in a compound sentence, so that no part is cut out of its scope.

A fronted phrase may hold for all clauses (``In 2024, profit fell and costs rose``), and so may a condition (``if it
rains, and the hall is full``) and what is said or believed. What tells of the past, or stands before a part about
another thing that it names, belongs to its own part alone. The second part must also say by itself what it says in the
whole sentence: no word in it may point back.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from verifier_signals.lexicon import verb_of
from verifier_signals.syntax import is_common

from verifier.core.lexicon import lexicon
from verifier.verification.grammar.verbs import (
    WordToken,
    finite_verb,
    is_certain,
    is_figure,
    is_finite,
    main_verb,
    reporting_verb,
    tense,
)
from verifier.verification.grammar.words import (
    AUXILIARIES,
    DEMONSTRATIVES,
    DETERMINERS,
    MONTHS_AND_WEEKDAYS,
    POSSESSIVES,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
)

__all__ = [
    "ANAPHORIC_WORDS",
    "CONJUNCTIONS",
    "FRONTING_PREPOSITIONS",
    "NOT_FIRST",
    "RESTRICTIVE_PRONOUNS",
    "RightPart",
    "adjunct_end",
    "differ_in_time",
    "fronted_end",
    "governs_right_part",
    "has_new_named_subject",
    "is_anaphoric_adjunct",
    "is_dated",
    "is_nominal_ellipsis",
    "is_self_contained",
    "is_verb_provided",
    "time_reference",
]

# -- fronted phrases -------------------------------------------------------------------------------------------

FRONTING_PREPOSITIONS = lexicon("""
    in on at for since during from by with under until after before as despite within without besides
    according over throughout per upon given following near
    """)
_SCOPING = FRONTING_PREPOSITIONS | lexicon("between outside inside above below beyond compared")
_LEADING = _SCOPING | lexicon("of among")
_OF_A_CAUSE = lexicon("thanks because due owing although though")
_OF_A_PAST = lexicon("when while after before since as until once by")
"""What a clause opens with that tells, in the past, what was so and not what would have to be."""
_ENDS = lexicon("; : ( – — and or but")
_JOINING = lexicon("and or but while whereas ,")
_TAKES_A_CLAUSE = lexicon("time moment day night week month year way case event extent")
_TIME_WORDS = MONTHS_AND_WEEKDAYS | lexicon("""
    mondays tuesdays wednesdays thursdays fridays saturdays sundays spring summer autumn winter today tomorrow yesterday
    """)
_DEFINITE = lexicon("the this that these those same")
_LONGEST_ADJUNCT = 10
_YEAR_LENGTH = 4


def _leading_scope(text: str, tokens: list[WordToken], first: int) -> int:
    """Index behind the comma of the phrase that a sentence opens with; ``first`` where there is none."""
    if first >= len(tokens) or tokens[first][2] not in _LEADING:
        return first
    for index in range(first + 2, min(len(tokens) - 1, first + _LONGEST_ADJUNCT)):
        form, following = tokens[index][2], tokens[index + 1][2]
        if form in _ENDS or form in SUBORDINATORS:
            return first
        if form == ",":
            ends = following not in _JOINING | FRONTING_PREPOSITIONS and _is_phrase(
                text, tokens, first, index, comma=True
            )
            return index + 1 if ends else first
    return first


def adjunct_end(text: str, tokens: list[WordToken], opening: int) -> int:
    """Index of the subject behind the phrase that a clause opens with (``in 1990 it``); ``opening`` if there is none.

    Without a comma only a year, a name or a phrase right before another article, name or pronoun is seen to end.
    """
    if opening >= len(tokens) or tokens[opening][2] not in _SCOPING:
        return opening
    scope = _leading_scope(text, tokens, opening)
    if scope > opening or tokens[opening][2] not in FRONTING_PREPOSITIONS:
        return scope
    for index in range(opening + 2, min(len(tokens) - 1, opening + _LONGEST_ADJUNCT)):
        start, _, form = tokens[index]
        before = tokens[index - 1][2]
        if form in ",;:()–—" or form in ("and", "or", "that", "who", "which"):
            return opening
        if before in PREPOSITIONS | DETERMINERS:
            continue
        begins = form in SUBJECT_PRONOUNS | DETERMINERS
        named = text[start].isupper() and not text[tokens[index - 1][0]].isupper() and form not in _TIME_WORDS
        if begins or named or (_is_year(before) and is_common(form) and form not in PREPOSITIONS):
            return index if _is_phrase(text, tokens, opening, index) else opening
    return opening


def fronted_end(text: str, tokens: list[WordToken]) -> int:
    """Index behind the comma of a cause or a clause in the past that a sentence opens with; 0 where there is none.

    ``Thanks to the pump,`` and ``When the mill burned,`` tell of what follows them, and of no other part.
    """
    opener = tokens[0][2] if tokens else ""
    if opener not in _OF_A_CAUSE | _OF_A_PAST:
        return 0
    mark = next((index for index in range(2, len(tokens)) if tokens[index][2] in ",;:()–—"), 0)
    comma = mark if tokens[mark][2] == "," else 0
    verb = next((index for index in range(2, comma) if is_finite(text, tokens, index)), None)
    if opener in _OF_A_CAUSE or (verb is not None and tense(tokens, verb) == "past"):
        return comma + 1 if comma else 0
    return 0


def _is_phrase(text: str, tokens: list[WordToken], first: int, last: int, *, comma: bool = False) -> bool:
    """Whether there is no verb in it, and none to come: ``By the time Acme closed`` is a clause without ``that``."""
    if tokens[last - 1][2] in _TAKES_A_CLAUSE and not _takes_no_clause(tokens, first, last, comma=comma):
        return False
    return main_verb(text, tokens, first, last) is None and finite_verb(text, tokens[first:last]) is None


def _takes_no_clause(tokens: list[WordToken], first: int, last: int, *, comma: bool) -> bool:
    """Whether ``year`` or ``time`` is told by what stands before it (``in a dry year``), and by no sentence before."""
    forms = [form for _, _, form in tokens[first:last]]
    if first == 0:
        return comma or forms[1] in POSSESSIVES or forms[1] in ("a", "an")
    return forms[1] in ("a", "an") or (comma and (_DEFINITE | POSSESSIVES).isdisjoint(forms))


def _is_year(form: str) -> bool:
    return form.isdigit() and len(form) == _YEAR_LENGTH


def is_dated(tokens: list[WordToken]) -> bool:
    """Whether a clause tells by itself when it holds."""
    return any(_is_year(form) or form in _TIME_WORDS for _, _, form in tokens)


# -- the part behind a joint -----------------------------------------------------------------------------------

CONJUNCTIONS = lexicon("and but while whereas")
RESTRICTIVE_PRONOUNS = lexicon("who which that")
NOT_FIRST = lexicon("""
    then later afterwards subsequently thus therefore hence otherwise else instead however only not vice to also
    eventually finally
    """)
_BINDING = lexicon("if unless when until except provided only whenever respectively both")
ANAPHORIC_WORDS = lexicon("""
    it its they them their he him his she her such one ones latter former same other others another rest remainder
    """)
_ELLIPTICAL = lexicon(
    "one none neither some most few many all each both several another half two three four five six"
)
"""What may stand for things that only the clause before names."""
_PARTICLES = lexicon("up out off down over")
_OF_TODAY = lexicon("day week month year season century of")
_OF_MANY = lexicon("each any no every all most many several few one than")


def is_self_contained(
    sentence: str, tokens: list[WordToken], index: int, opening: int, *, another: bool
) -> bool:
    """Whether what follows the joint carries no condition that may hold for both, and no word that points back.

    ``another`` says that it tells of another thing by name, so that a condition behind it is its own: ``Ada rows, and
    the Kern hut is shut when it snows``.
    """
    if opening >= len(tokens) or tokens[opening][2] in NOT_FIRST | FRONTING_PREPOSITIONS:
        return False
    opener = tokens[opening][2]
    if opener in SUBORDINATORS and opener != "that":
        return False
    forms = [form for _, _, form in tokens[opening:]]
    forms = forms[: forms.index(";")] if ";" in forms else forms
    if not forms:
        return False
    binds = (
        tokens[index][2] != ";"
        and not another
        and any(
            form in _BINDING and not is_verb_provided(form, before) for before, form in pairwise(["", *forms])
        )
    )
    forms = forms[: _clause_length(forms)]
    if is_nominal_ellipsis(tokens, opening) or _is_elliptical(forms) or _is_anaphoric(forms):
        return False
    later = 2 if forms[:2] == ["the", "latter"] else 1
    return not binds and not any(
        form in ANAPHORIC_WORDS and not _stays_inside(sentence, tokens, opening, opening + at)
        for at, form in enumerate(forms[later:], later)
    )


def is_nominal_ellipsis(tokens: list[WordToken], opening: int) -> bool:
    """Whether what opens there stands for things that only the part before names: ``two are free``."""
    forms = [form for _, _, form in tokens[opening : opening + 2]]
    return forms[0] in _ELLIPTICAL and (forms[0] == "none" or not _counts(forms))


def is_anaphoric_adjunct(adjunct: list[WordToken]) -> bool:
    """Whether the phrase before a subject tells by another part alone of what it is (``in the other years``)."""
    return not (ANAPHORIC_WORDS | DEMONSTRATIVES).isdisjoint(form for _, _, form in adjunct)


def _is_anaphoric(forms: list[str]) -> bool:
    """``on that account``, ``against this``, ``of those``; not ``this year``."""
    return any(
        forms[at] in (PREPOSITIONS - _PARTICLES if form != "those" else ("of",))
        and following not in _OF_TODAY
        for at, (form, following) in enumerate(pairwise([*forms[1:], ""]))
        if form in DEMONSTRATIVES
    )


def has_new_named_subject(
    sentence: str, tokens: list[WordToken], index: int, opening: int, verb: int
) -> bool:
    """Whether the subject ``tokens[opening:verb]`` bears a name that nothing before the joint at ``index`` does."""
    before = {_unpossessed(form) for _, _, form in tokens[:index]}
    subject = tokens[opening:verb]
    commas = (at for at, (_, _, form) in enumerate(subject) if form == ",")
    return any(
        sentence[start].isupper()
        and not sentence[start:end].isupper()
        and form not in _TIME_WORDS
        and _unpossessed(form) not in before
        for start, end, form in subject[: next(commas, len(subject))]
    )


def _unpossessed(form: str) -> str:
    return form.removesuffix("'s")


def is_verb_provided(form: str, before: str) -> bool:
    """Whether a word is ``provided`` as a verb (``who provided it``), which opens no condition."""
    return form == "provided" and before in RESTRICTIVE_PRONOUNS | AUXILIARIES


def _clause_length(forms: list[str]) -> int:
    """How many words there are up to the next ``, and`` or ``, while``."""
    joints = (at for at in range(1, len(forms) - 1) if forms[at] == "," and forms[at + 1] in CONJUNCTIONS)
    return next(joints, len(forms))


def _counts(forms: list[str]) -> bool:
    """Whether a number or quantity stands before its noun."""
    return len(forms) > 1 and forms[1] not in PREPOSITIONS - {"of"} | AUXILIARIES | RESTRICTIVE_PRONOUNS | {
        "",
        ",",
        ";",
    }


def _is_elliptical(forms: list[str]) -> bool:
    """Whether a clause leaves its predicate to the one before: ``the second one is not``."""
    last = forms[:-1] if forms[-1] in ("not", "too", "either") else forms
    if forms[-1] in ("none", "any"):
        return True
    in_may = last[-2:-1] and last[-2] in PREPOSITIONS and last[-1] == "may"
    return bool(last) and last[-1] in AUXILIARIES and not in_may


def _stays_inside(sentence: str, tokens: list[WordToken], opening: int, at: int) -> bool:
    """Whether a word that may point back does not: ``each other``, ``one day``, ``the staff dug before they built``."""
    form, before = tokens[at][2], tokens[at - 1][2]
    following = tokens[at + 1][2] if at + 1 < len(tokens) else ""
    if form in ("its", "their", "his") and _is_in_aside(tokens, opening, at):
        return True
    if form in ("its", "their") and before == "than":
        return True
    if form in ("one", "ones") and before == "the" and tokens[at - 2][2] == "than":
        return True
    if form in ("other", "others", "another"):
        return before in _OF_MANY or (before == "the" and tokens[at - 2][2] in _OF_MANY)
    if form == "one":
        return _counts([form, following]) and before != "the"
    if form == "such":
        return following == "as"
    if form in ("it", "they", "he", "she") and before in SUBORDINATORS:
        verb = main_verb(sentence, tokens, opening, at)
        subject = tokens[opening:verb] if verb else []
        several = any(word.endswith("s") or word in ("people", "children") for _, _, word in subject)
        return bool(subject) and (form == "they") == several
    return False


def _is_in_aside(tokens: list[WordToken], opening: int, at: int) -> bool:
    """Whether a word stands in a relative clause between commas, which tells of the subject."""
    comma = next((n for n in range(at - 1, opening, -1) if tokens[n][2] == ","), None)
    return comma is not None and tokens[comma + 1][2] in ("who", "which", "whose")


# -- the part before a joint -----------------------------------------------------------------------------------

_PAIRED = lexicon("either neither both nor or between only then")
_HOLDS_TOGETHER = SUBORDINATORS | _PAIRED | lexicon("whichever whatever")
_RELATIVES_OF_ANY_CASE = lexicon("who whom whose which where")
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


class RightPart(NamedTuple):
    """What stands behind a joint."""

    apart: bool
    """Whether a mark, or a comma with ``and``, parts it from what is before."""
    own: bool
    """Whether it opens neither with a pronoun nor with a verb."""
    another: bool
    """Whether its subject bears a name of its own."""
    time: str
    """``past`` or ``present``; ``""`` where its verb does not tell."""


def time_reference(tokens: list[WordToken], verb: int) -> str:
    """``past`` or ``present`` of a finite verb, with the modals that tell; else ``""``."""
    return "present" if tokens[verb][2] in _PRESENT_MODALS else tense(tokens, verb)


def differ_in_time(one: str, other: str) -> bool:
    """Whether one of two times is the past and the other the present."""
    return {one, other} == {"past", "present"}


def governs_right_part(
    sentence: str,
    tokens: list[WordToken],
    first: int,
    verb: int,
    index: int,
    behind: RightPart,
    *,
    marked: bool,
) -> bool:
    """Whether the clause ``tokens[first:index]``, whose verb is at ``verb``, may hold something for what is behind it.

    ``marked`` says that a semicolon or dash ends it, over which nothing is reported.
    """
    left = _LeftPart(sentence, tokens, first, verb, index)
    if left.correlates() or any(
        tokens[at][2] in _HOLDS_TOGETHER
        and not left.narrows_subject(at)
        and not left.ends_with_it(at, behind)
        for at in range(first, index)
    ):
        return True
    said = None if marked else reporting_verb(tokens, verb)
    return said is not None and any(is_finite(sentence, tokens, at) for at in range(said + 1, index))


class _LeftPart(NamedTuple):
    """A clause ``tokens[first:joint]``, with its verb."""

    sentence: str
    tokens: list[WordToken]
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
        said = said and RESTRICTIVE_PRONOUNS.isdisjoint(form for _, _, form in self.tokens[self.first : at])
        return self.tokens[at][2] in RESTRICTIVE_PRONOUNS and self.first < at < self.verb and not said

    def ends_with_it(self, at: int, behind: RightPart) -> bool:
        """Whether what the word at ``at`` opens ends before the joint."""
        form = self.tokens[at][2]
        if form in _PAIRED:
            return behind.apart and (behind.own or form == "or") and self._is_paired_off(at)
        if is_verb_provided(form, self.tokens[at - 1][2]):
            return True
        if form == "that" and at > self.verb:
            return behind.apart and (self._opens_nothing(at) or self._narrows(at, behind))
        inner = self._clause_verb(at)
        if inner is None:
            noun = (at > self.verb or is_figure(self.tokens[at + 1][2])) and not self._awaits(at)
            return (noun and form in _ALSO_PREPOSITIONS) or (behind.apart and self._opens_nothing(at))
        if at < self.verb:
            return form in _RELATIVES_OF_ANY_CASE and self.tokens[self.verb - 1][2] == ","
        if form in _RELATIVES_OF_ANY_CASE and self.tokens[self.joint][2] == ",":
            return True
        return behind.apart and self._clause_ends(at, inner, behind)

    def _clause_verb(self, at: int) -> int | None:
        """The finite verb of what the word at ``at`` opens, up to the next ``as`` or relative clause."""
        last = self.verb if at < self.verb else self.joint
        if self.tokens[at][2] in _ALSO_PREPOSITIONS:
            ends = _RELATIVES_OF_ANY_CASE | {"as"}
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

    def _clause_ends(self, at: int, inner: int, behind: RightPart) -> bool:
        """Whether a clause with the finite verb ``inner`` holds for nothing behind a comma and ``and``."""
        form = self.tokens[at][2]
        if form in _CONCESSIVE or (form == "because" and self.tokens[at - 1][2] == ","):
            return True
        past = time_reference(self.tokens, self.verb) == "past"
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
        told = differ_in_time(time_reference(self.tokens, inner), behind.time) and behind.time == "past"
        return told and form in _CONDITIONS

    def _compares(self, at: int) -> bool:
        """Whether ``as`` is the second one of ``as many as``, and not of ``as soon as``."""
        return not self._awaits(at) and any(
            form in ("as", "same", "such") for _, _, form in self.tokens[max(at - _NEAR, 0) : at]
        )

    def _awaits(self, at: int) -> bool:
        """``as soon as``, ``as long as``: a condition."""
        return self.tokens[at][2] == "as" and self.tokens[at - 1][2] in ("soon", "long", "far")

    def _narrows(self, at: int, behind: RightPart) -> bool:
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
