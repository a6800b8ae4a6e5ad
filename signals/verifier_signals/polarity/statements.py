"""Statements of a text: each clause with its subjects, its predicates, its cues, and whether it is denied.

:func:`statements_in` reads them in order. A statement takes over what it leaves out (a subject, a denial) from the one
before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon.denials import DENYING_FORMS
from verifier_signals.polarity.cues import HINDERING, Cue, cues_in
from verifier_signals.polarity.terms import (
    Term,
    TermRelations,
    is_name,
    term_groups,
    term_relations,
    terms_in,
    without_prefix,
)
from verifier_signals.syntax import Clause, Reading, VerbGroup, read, stem

__all__ = [
    "KNOWING",
    "Statement",
    "StatementContext",
    "body_sentence",
    "contexts_in",
    "statements_in",
    "stems_in",
]

_PLACING = lexicon("in on at by for with near along during from of to under over within")
_LIGHT_VERBS = lexicon("come go")
"""Verbs whose stems are no content words, and which say something all the same: ``came through``."""
_SIGNS = lexicon("sign trace evidence indication hint symptom")
"""What there is of a thing where there is that thing."""
_FINDING = lexicon("find discover detect observe see notice encounter record report unearth identify")
"""Those whose subject is who finds what is there."""
_THERE = lexicon("visible present evident apparent detectable noticeable")
"""Adjectives by which a thing is there."""
_EXISTENCE = lexicon("""
    find discover detect observe see notice encounter record report have contain include occur happen exist suffer
    unearth identify turn
    """)
"""Verbs by which a thing is there: ``none were found`` denies ``they came across some``."""


class Statement:
    """A clause, or a phrase that denies on its own (``without detergent``).

    ``denied`` is the parity of its negations: two of them cancel. What most statements are never asked for is read off
    them when it is.
    """

    def __init__(
        self,
        reading: Reading,
        clause: Clause,
        first: int,
        last: int,
        cues: list[Cue],
        inherited: Sequence[Term] = (),
        completing: Sequence[Term] = (),
    ) -> None:
        self.first, self.last, self.sentence, self.opener = first, last, clause.sentence, clause.opener
        self.cues = cues
        self.denied = sum(cue.kind == "negation" for cue in cues) % 2 == 1 if cues else False
        self._cues = {cue.kind: cue for cue in reversed(cues)}
        self.modal = self._cues.get("modal")
        covered = {at for cue in cues if cue.kind != "hedge" for at in range(cue.first, cue.last)}
        self._own = terms_in(reading, first, last, covered)
        self.terms = {term.stem: term for term in (*inherited, *completing, *self._own)}
        self.stems = frozenset(self.terms)
        self._reading, self._clause = reading, clause
        self._inherited, self._completing = inherited, completing

    @cached_property
    def _lows(self) -> list[str]:
        return self._reading.lows[self.first : self.last]

    @cached_property
    def _verbs(self) -> list[VerbGroup]:
        return [group for group in self._clause.verbs if self.first <= group.main < self.last]

    @cached_property
    def _verb(self) -> int:
        """Where its verb begins; its first token where it has none."""
        return next((group.first for group in self._verbs if self.first <= group.first), self.first)

    @cached_property
    def forbids(self) -> bool:
        """Whether its modal denies by itself (``forbidden``)."""
        return self.modal is not None and self.modal.forbids

    @property
    def negative(self) -> bool:
        """Whether what denies in it, its modal counted in, is odd in number."""
        return self.denied ^ self.forbids

    @cached_property
    def demands(self) -> bool:
        """Whether it demands a thing by forbidding all without it: ``No one may enter without a helmet``."""
        permits = self.modal is not None and self.modal.value == "permit"
        denials = sum(cue.kind == "negation" for cue in self.cues) if permits else 0
        return denials == 2 and "without" in self._lows

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Its figures."""
        return frozenset([low for low in self._lows if low[:1].isdecimal()])

    @cached_property
    def existence(self) -> bool:
        """Whether it says that something is there or was found."""
        lemmas = {group.lemma for group in self._verbs}
        there = "there" in self._lows or ("come" in lemmas and "across" in self._lows)
        seen = "be" in lemmas and not _THERE.isdisjoint(self._lows)
        return there or seen or not lemmas.isdisjoint(_EXISTENCE)

    @cached_property
    def existing(self) -> frozenset[str]:
        """The stems of what it says is there, or was found; none where it says no such thing."""
        if not self.existence:
            return frozenset()
        found = self._finding
        if found is None:
            return self.subjects
        behind = [term for term in self._own if term.at > found.main]
        return frozenset(_up_to_place(self._reading, behind, found.main)) or self.subjects

    @cached_property
    def _finding(self) -> VerbGroup | None:
        """The verb by which somebody finds what is there."""
        return next((group for group in self._verbs if group.lemma in _FINDING and not group.passive), None)

    @cached_property
    def beside_existing(self) -> frozenset[str]:
        """The stems of who finds what is there, and of what there is of it (``no sign of``)."""
        lows = self._reading.lows
        signs = [
            term.stem
            for term in self._own
            if term.low.removesuffix("s") in _SIGNS and lows[term.at + 1 : term.at + 2] == ["of"]
        ]
        finder = self.subjects | self.predicates if self._finding is not None else frozenset[str]()
        return finder.union(signs) - self.existing

    @cached_property
    def light_verbs(self) -> frozenset[str]:
        """Those of its verbs that are too light to be among its stems."""
        return _LIGHT_VERBS.intersection([group.lemma for group in self._verbs])

    @cached_property
    def compares(self) -> bool:
        """Whether it sets two things against each other (``than``, ``as ... as``)."""
        return "than" in self._lows or self._lows.count("as") > 1

    @cached_property
    def groups(self) -> Mapping[str, int]:
        """The number of the list or the name that a stem is part of."""
        return term_groups(self._reading, self._own)

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The stems before its verb, and those of the statement before where it leaves its own out or has a pronoun."""
        ahead = [term.stem for term in self._own if term.at < self._verb]
        ahead = ahead or list(_existing_stems(self._reading, self._own, self._verb, self._lows))
        return frozenset([*ahead, *[term.stem for term in self._inherited]])

    @cached_property
    def sweeping(self) -> bool:
        """Whether it speaks of all of its subjects, or of none."""
        return any(
            cue.kind == "quantifier" and cue.value in ("all", "none") and cue.first < self._verb
            for cue in self.cues
        )

    @cached_property
    def capitals(self) -> frozenset[str]:
        """The stems with a capital."""
        return frozenset([term.stem for term in self.terms.values() if is_name(self._reading, term.at)])

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems with a capital behind its verb."""
        return frozenset([one for one in self.capitals if self.terms[one].at >= self._verb])

    @cached_property
    def predicates(self) -> frozenset[str]:
        """The stems of its main verbs and of what it says with ``be``."""
        said = _predicates(self._reading, self._clause, self.first, self.last)
        return self.stems.intersection([*said, *[term.stem for term in self._completing]])

    @cached_property
    def flips(self) -> bool:
        """Whether a word of it has a denying prefix."""
        return any(term.flipped for term in self.terms.values())

    @cached_property
    def related(self) -> TermRelations:
        """What its words are related to."""
        return term_relations(self.terms)

    def beyond(self, known: frozenset[str]) -> frozenset[str]:
        """The stems that are not known; of words joined by ``and``, ``or`` or ``nor`` one that is known speaks for
        all, and so does one part of a name."""
        rest = self.stems - known
        if not rest or rest == self.stems:
            return rest
        met = {self.groups[one] for one in self.stems & known if one in self.groups}
        return frozenset(one for one in rest if self.groups.get(one) not in met)

    def cue(self, kind: str) -> Cue | None:
        """The first cue of a kind."""
        return self._cues.get(kind)


def _existing_stems(reading: Reading, terms: Sequence[Term], verb: int, lows: Sequence[str]) -> Iterator[str]:
    """What there is said to be: the words behind the verb, up to the phrase that says where or when."""
    if "there" in lows:
        yield from _up_to_place(reading, terms, verb)


def _up_to_place(reading: Reading, terms: Sequence[Term], verb: int) -> Iterator[str]:
    previous = verb
    for term in terms:
        if any(reading.tokens[at].word.low in _PLACING for at in range(previous, term.at)):
            return
        if term.low.removesuffix("s") in _SIGNS and reading.lows[term.at + 1 : term.at + 2] == ["of"]:
            previous = term.at + 2
            continue
        yield term.stem
        previous = term.at


def _predicates(reading: Reading, clause: Clause, first: int, last: int) -> Iterator[str]:
    for number, group in enumerate(clause.verbs):
        if not first <= group.main < last or (number and _describes(reading, group)):
            continue
        if group.lemma not in ("be", "have", "do"):
            yield _stem_of(reading, group.main)
            continue
        begun = False
        for at in range(group.main + 1, min(group.main + 8, last)):
            word = reading.tokens[at].word
            if begun and (word.punct or word.function):
                break
            if not (word.punct or word.function):
                begun = True
                yield _stem_of(reading, at)


def _describes(reading: Reading, group: VerbGroup) -> bool:
    """Whether a bare past form right behind a noun only says which one is meant: ``liable for payments made``."""
    before, word = reading.tokens[group.main - 1].word, reading.tokens[group.main].word
    bare = group.first == group.main and word.low != group.lemma and not word.low.endswith(("s", "ing"))
    return bare and not (before.punct or before.function or before.number or before.low.endswith("ly"))


def _stem_of(reading: Reading, at: int) -> str:
    """The stem of a word, without a denying prefix."""
    word = reading.tokens[at].word
    base = without_prefix(word.low)
    return word.stem if base is None else stem(base)


_TRUTH = lexicon("true case fact correct accurate right false untrue wrong incorrect")

_LEANING = lexicon("it they he she this these that those none neither both all some most many few its their")
"""First words by which a sentence speaks of what the one before speaks of."""
_STANDING_IN = lexicon("it they he she we this these those none neither both all some most many few one")
"""Subjects that stand for the one before when no noun follows them."""
_CONTINUING = frozenset({"and", "but", "or", "nor", "yet", "so", "then", ",", ";"})
"""Words before a verb without a subject of its own: it has the one before."""
_AFTER_ELLIPSIS = frozenset({"not", "too", "either", "also", "so"})
_SUBORDINATE = lexicon("because although though while whereas if unless when whenever since after before")
_BOUNDS = frozenset({"before", "until", "till"})
_COMPARING = lexicon("""
    more less fewer later earlier larger bigger greater smaller longer shorter heavier lighter higher lower older
    younger further deeper wider faster slower
    """)
_TO_FIGURE = 3
"""Words in which the figure of a limit follows its ``than`` (``than about 20 kg``)."""
_RELATIVES = frozenset({"who", "which", "that"})
_PARTING = HINDERING | {"without", "not"}
"""Words that may begin a phrase which is a statement of its own."""
_FRAMED = frozenset({"which", "who", "that", "where", "when"})
"""Words behind ``there is no ...`` that go on to what there is none of."""
KNOWING = frozenset(
    map(stem, lexicon("show prove find confirm establish know evidence proof say mean imply demonstrate"))
)
"""What is not shown is left open."""


@lru_cache(maxsize=2048)
def statements_in(text: str) -> tuple[Statement, ...]:
    """The statements of a text in reading order."""
    reading = read(text)
    cues = cues_in(reading)
    found: list[Statement] = []
    carried: list[Cue] = []
    earlier: list[Statement] = []
    made: dict[int, Statement] = {}
    for number, clause in enumerate(reading.clauses):
        head = _interrupted(reading.clauses[max(number - 2, 0) : number + 1])
        inherited = _inherited(reading, clause, earlier)
        if head is not None:
            subject = made[head.first]
            carried, inherited = subject.cues, tuple(subject.terms.values())
            found = [statement for statement in found if statement is not subject]
        for first, last in _phrases(reading, clause):
            inside = _unspent(reading, [cue for cue in cues if first <= cue.first < last], last)
            own = inherited if first == clause.first else ()
            missing = _completing(reading, clause, first, last, earlier)
            statement = Statement(reading, clause, first, last, [*carried, *inside], own, missing)
            made[first] = statement
            carried = _cues_left_open(statement, reading)
            if not carried and _is_frame(statement, reading):
                carried = [cue for cue in statement.cues if cue.kind == "negation"]
                continue
            if statement.terms:
                found.append(statement)
                earlier.append(statement)
    return tuple(found)


@lru_cache(maxsize=2048)
def stems_in(text: str) -> frozenset[str]:
    """The stems of all statements of a text."""
    return frozenset[str]().union(*[statement.stems for statement in statements_in(text)])


def _antecedent_statement(earlier: list[Statement]) -> Statement | None:
    """The last statement that has a subject and says something of it; those behind it are dropped from the list."""
    while earlier and not (earlier[-1].subjects and earlier[-1].predicates):
        earlier.pop()
    return earlier[-1] if earlier else None


def _interrupted(clauses: Sequence[Clause]) -> Clause | None:
    """The subject without a verb that the last of three clauses takes up behind a relative one (``None of those who
    came`` *had paid*)."""
    if len(clauses) < 3:
        return None
    head, relative, clause = clauses
    resumes = relative.opener in _RELATIVES and clause.verbs and clause.verbs[0].first == clause.first
    return head if resumes and not head.verbs and head.sentence == clause.sentence else None


def _unspent(reading: Reading, cues: Sequence[Cue], last: int) -> list[Cue]:
    """The cues of a phrase that are not spent on a value, with the modals of those that are (``must not``)."""
    spent = {cue.first for cue in cues if _is_limit(reading, cue, last)}
    return [cue for cue in cues if cue.first not in spent and not (cue.kind == "modal" and cue.last in spent)]


def _is_limit(reading: Reading, cue: Cue, last: int) -> bool:
    """Whether a denial says from when on, or how much at most, which are values and no denials: who did not open until
    the spring, opened in spring, and what may not weigh more than 20 kg may weigh 20 kg."""
    if cue.kind != "negation" and not cue.forbids:
        return False
    for at in range(cue.last, min(last + 1, len(reading.tokens) - 1)):
        if reading.sentences[at] != reading.sentences[cue.first]:
            return False
        if not cue.forbids and reading.lows[at] in _BOUNDS:
            return True
        if reading.lows[at] in _COMPARING and reading.lows[at + 1] == "than":
            return any(token.word.number for token in reading.tokens[at + 2 : at + 2 + _TO_FIGURE])
    return False


def _inherited(reading: Reading, clause: Clause, earlier: list[Statement]) -> tuple[Term, ...]:
    """The subject that a clause has from elsewhere: by a relative (``who``), a pronoun, or none of its own."""
    if not clause.verbs:
        return ()
    verb = clause.verbs[0].first
    for token in reading.tokens[clause.first : verb]:
        word = token.word
        if not (word.punct or word.function or word.low.endswith("ly")):
            return ()
    lows = reading.lows[clause.first : verb]
    if not _RELATIVES.isdisjoint(lows):
        return tuple(_noun_before(reading, clause.first))
    stands_in = not _STANDING_IN.isdisjoint(lows)
    continuing = clause.opener not in _SUBORDINATE and not _CONTINUING.isdisjoint(
        (*lows, reading.lows[clause.first - 1])
    )
    before = _antecedent_statement(earlier) if stands_in or continuing else None
    if before is None or not (stands_in or before.sentence == clause.sentence):
        return ()
    return tuple(before.terms[one] for one in sorted(before.subjects))


def _completing(
    reading: Reading, clause: Clause, first: int, last: int, earlier: list[Statement]
) -> tuple[Term, ...]:
    """What a clause that breaks off behind its auxiliary (``but the drummer did not``) has from the one before."""
    if not clause.verbs or not first <= clause.verbs[-1].main < last:
        return ()
    verb = clause.verbs[-1]
    if verb.lemma not in ("be", "have", "do"):
        return ()
    for token in reading.tokens[verb.main + 1 : last]:
        if not (token.word.punct or token.word.low in _AFTER_ELLIPSIS):
            return ()
    before = _antecedent_statement(earlier)
    if before is None:
        return ()
    return tuple(term for one, term in sorted(before.terms.items()) if one not in before.subjects)


def _noun_before(reading: Reading, at: int) -> Iterator[Term]:
    """The content words right before a token."""
    for place in range(at - 1, max(at - 5, -1), -1):
        word = reading.tokens[place].word
        if word.punct and place == at - 1:
            continue
        if word.punct or word.function or word.number:
            return
        yield Term(word.stem, False, place, word.low)


class StatementContext(NamedTuple):
    """What stands around a statement: stems of its sentence (and, where that leans on it, of the one before), and
    of the headings above, which hold for every sentence."""

    near: frozenset[str]
    above: frozenset[str]


@lru_cache(maxsize=2048)
def contexts_in(text: str) -> Mapping[int, StatementContext]:
    """The context of the statements of each sentence of a text, by its number."""
    reading, statements = read(text), statements_in(text)
    own: dict[int, frozenset[str]] = {}
    for statement in statements:
        own[statement.sentence] = own.get(statement.sentence, frozenset()) | statement.stems
    body = body_sentence(reading)
    above = frozenset[str]().union(*(stems for number, stems in own.items() if number < body))
    leaning = _leaning(reading) if len(own) > 1 else frozenset[int]()
    return {
        number: StatementContext(
            stems | own.get(number - 1, frozenset()) if number in leaning else stems, above
        )
        for number, stems in own.items()
    }


def body_sentence(reading: Reading) -> int:
    """The sentence behind the headings: the first one with a verb, or the last of all."""
    found = (clause.sentence for clause in reading.clauses if clause.verbs)
    return next(found, reading.sentences[-1] if reading.sentences else 0)


def _leaning(reading: Reading) -> frozenset[int]:
    """Sentences whose first word stands for something in the sentence before: ``It``, ``None``, ``Both``."""
    return frozenset(reading.sentences[at] for at in reading.heads if reading.lows[at] in _LEANING)


def _phrases(reading: Reading, clause: Clause) -> Iterator[tuple[int, int]]:
    """The clause, cut before a phrase that a cue denies alone: ``without X``, ``and not X``, ``keep X from``."""
    begin = clause.first
    if reading.lows[begin] == "unlike" and "," in reading.lows[begin : clause.last]:
        comma = reading.lows.index(",", begin)  # of whom it is not said: the denial behind reaches it no more
        yield begin, comma
        begin = comma + 1
    lows = reading.lows[begin : clause.last]
    start = begin
    if _PARTING.isdisjoint(lows):
        yield start, clause.last
        return
    for offset, low in enumerate(lows):
        at = begin + offset
        before = lows[offset - 1] if offset else ""
        alone = (low == "without" and not _denied_before(lows[:offset])) or (
            low == "not" and before in ("and", ",", "but")
        )
        hindered = (
            low in HINDERING and "from" in lows[offset + 1 : offset + 7] and not _denied_before(lows[:offset])
        )
        if at > start and (hindered or (alone and not _verb_follows(clause, at))):
            yield start, at
            start = at
    yield start, clause.last


def _denied_before(lows: Sequence[str]) -> bool:
    """``No script runs without approval`` is one statement with two negations."""
    return not DENYING_FORMS.isdisjoint(lows)


def _verb_follows(clause: Clause, at: int) -> bool:
    return any(group.main > at for group in clause.verbs)


def _is_frame(statement: Statement, reading: Reading) -> bool:
    """``It is not true that``, ``There is no season in``: says only whether, or that none, of what comes next."""
    if len(statement.stems) > 1 and not statement.denied:
        return False
    lows = reading.lows[statement.first : statement.last]
    if len(statement.stems) <= 1 and not _TRUTH.isdisjoint(lows):
        return True
    following = reading.lows[statement.last : statement.last + 1]
    return statement.denied and "there" in lows and not _FRAMED.isdisjoint(following)


def _cues_left_open(statement: Statement, reading: Reading) -> list[Cue]:
    """What a statement leaves open of the one behind it: ``Data suggest that``, ``There is no evidence that``."""
    if reading.lows[statement.last : statement.last + 1] not in (["that"], ["whether"]):
        return []
    reserve = [cue for cue in statement.cues if cue.kind == "hedge"]
    if statement.denied and not statement.stems.isdisjoint(KNOWING):
        reserve.extend(cue._replace(kind="hedge") for cue in statement.cues if cue.kind == "negation")
    return reserve
