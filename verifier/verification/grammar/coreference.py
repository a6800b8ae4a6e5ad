"""Coreference: what a pronoun or ``the company`` in a sentence stands for, by the sentences before it.

:class:`Discourse` follows the subject from sentence to sentence and answers only where one candidate fits: an
unresolved pronoun costs retrieval a little, a wrong one makes a wrong claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from verifier_signals.names.types import HONORIFICS, ROLES
from verifier_signals.syntax import is_common, read

from verifier.core.lexicon import lexicon
from verifier.core.text import sentence_spans
from verifier.verification.grammar.clauses import split_clauses
from verifier.verification.grammar.mentions import (
    asked_counted_noun,
    counted_noun,
    has_competing_antecedent,
    has_plural_antecedent,
    is_expletive,
    is_impersonal,
    looks_like_a_person,
    mentions_plural,
    names_in,
    object_name,
    object_pronoun,
    partitive_pronoun,
    person_names,
    pronoun_behind_adjunct,
    unresolved_pronoun,
)
from verifier.verification.grammar.scope import adjunct_end
from verifier.verification.grammar.verbs import WordToken, finite_verb, main_verb, plural_verb, tokens_of
from verifier.verification.grammar.words import DETERMINERS, POSSESSIVES

__all__ = ["Discourse", "after_introductory_phrase", "sole_antecedent"]

_IT = lexicon("it it's its")
_THEY = lexicon("they they're they've they'll their these those")
_PERSON = lexicon("he he's he'd he'll she she's she'd she'll his her")
_PRONOUN_FORMS = _IT | _THEY | _PERSON | lexicon("i we you there this that who what which")
_DESCRIPTION = re.compile(r"(?:the|this|that)\s((?:[a-z-]+\s){0,1}?[a-z-]+)\b", re.IGNORECASE)
_COMPANY_WORDS = lexicon("company firm business corporation organisation organization group")
_COMPANY_NAME = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corp|Corporation|GmbH|AG|PLC|plc|Group|Holdings|Company|Bank)\b"
)
_FULL_NAME = re.compile(r"\b[A-Z][\w'’-]+\s[A-Z][\w'’-]+")
_INSIDE_NAMES = lexicon("of the and de van von & senior junior")
_OPEN_A_CLAUSE = lexicon("because although though if unless when while whereas")
_THIS = lexicon("this that")
_CALLED = re.compile(r"(?:the\s)?[A-Z][\w'’-]*(?:\s(?:of|the|on|for|and|[A-Z0-9][\w'’-]*))*")
_LONGEST_SUBJECT = 9
_LONGEST_FRAGMENT = 3
"""Words of what has no verb; a longer one has some verb that is not known, and so another subject."""


@dataclass
class _Subject:
    """The subject of the last sentence.

    ``name`` says that it is a bare name, ``rivals`` that something behind the verb could be meant as well,
    ``people`` that another full name stands there.
    """

    text: str
    plural: bool | None
    name: bool
    rivals: bool
    people: bool
    named: bool
    things: bool
    lives: bool
    """Whether it does what only people do (``was born``)."""
    other: str = ""
    """The only thing by name that the verb has as its object: ``it`` where the subject is a person."""

    @property
    def may_be_a_person(self) -> bool:
        """Whether ``he`` or ``she`` may be meant: a full name, or one word for who lives, beside which none stands."""
        surname = self.text.isalpha() and self.lives and not self.named
        return self.name and (looks_like_a_person(self.text) or surname)


@dataclass
class Discourse:
    """What has been spoken of so far in one run of text."""

    subject: _Subject | None = None
    centred: bool = False
    """Whether ``it`` is the subject of the last sentence although its object, a common noun, would do as well."""
    doubt: str = ""
    """What the last pronoun was taken for in such a case."""
    described: dict[str, str] = field(default_factory=dict)
    """Nouns that a definite description may use, and the full name of what they describe."""
    person: str = ""
    """The person spoken of, as long as no other one is named."""
    counted: str = ""
    """What the last statement or question counts, of which ``half of them`` may speak."""
    people: tuple[str, ...] = ()
    """The names so far that may be a person's; ``he`` or ``she`` is the only one of them."""

    def fork(self) -> Discourse:
        """A copy, for a list item that must not see its neighbours."""
        return replace(self, described=dict(self.described))

    def ask(self, question: str, asked: str | None) -> None:
        """A question was read; ``asked`` is what it asks about, as a statement, where that is known."""
        names = names_in(question, tokens_of(question)) if not asked else []
        if asked or len(names) == 1:
            self.follow(asked or f"{names[0]} is asked about.")
        self.counted = asked_counted_noun(question)

    def end_sentence(self, read: str, *, subjects: int) -> None:
        """A whole sentence was read; one that tells of several subjects leaves none for ``it``."""
        if subjects > 1:
            self.subject = None
        self.counted = counted_noun(read) or ("" if mentions_plural(read) else self.counted)

    def resolve(self, text: str) -> tuple[int, int, str] | None:
        """Start, end and replacement of the words that point out of ``text``; ``None`` where nothing is certain."""
        tokens = tokens_of(text)
        self.doubt = ""
        if not tokens:
            return None
        if self.counted and (part := partitive_pronoun(text)):
            return *part, self.counted
        start, end, form = tokens[0]
        if form == "this" and self.centred and unresolved_pronoun(text) and self._fits(text[start:], "it"):
            return start, end, self._meant("it")
        if form in ("the", "this", "that"):
            return self._described_by(text, start) or self._object(text, tokens)
        place = pronoun_behind_adjunct(text, tokens)
        if place is not None and self._fits(text[tokens[place][0] :], tokens[place][2]):
            return tokens[place][0], tokens[place][1], self._meant(tokens[place][2], inside=True)
        if not self._fits(text[start:], form):
            return self._object(text, tokens)
        if form in ("these", "those") and (len(tokens) < 2 or finite_verb(text, tokens, 1) != 1):
            return None
        if form in POSSESSIVES:
            return start, end, _possessive(self._meant(form))
        pronoun = re.match(r"\w+", text[start:])
        end = start + pronoun.end() if pronoun else end
        return start, end, self._meant(form)

    def _object(self, text: str, tokens: list[WordToken]) -> tuple[int, int, str] | None:
        """The pronoun behind the main verb: what it is cannot be the subject of its own sentence."""
        place = object_pronoun(text, tokens)
        if place is None or names_in(text, tokens[:place]):
            return None
        start, end, form = tokens[place]
        subject = {"him": "he", "her": "she", "them": "they"}.get(form, form)
        return (start, end, self._meant(subject, inside=True)) if self._fits(subject, subject) else None

    def _meant(self, form: str, *, inside: bool = False) -> str:
        """What a pronoun that fits stands for; ``inside`` a sentence its article is not capitalised."""
        found = self.subject
        if form in _IT and found and found.name and looks_like_a_person(found.text, surely=True):
            return found.other
        if form in _PERSON and not (found and self._is_the_person(found)):
            return self.person or self.people[0]
        text = found.text if found else ""
        plain = text.startswith(("The ", "A ", "An ")) or bool(found and not found.name and text.isalpha())
        return text[0].lower() + text[1:] if inside and plain else text

    def follow(self, statement: str) -> None:
        """Take in a statement, its own pronoun already resolved."""
        tokens = tokens_of(statement)
        self._meet_people(statement, tokens)
        verb = _verb_of(statement, tokens)
        if verb is None:
            if len(tokens) > _LONGEST_FRAGMENT:
                self.subject = None
            return
        first = after_introductory_phrase(tokens, verb) or min(adjunct_end(statement, tokens, 0), verb - 1)
        words = tokens[first:verb]
        while len(words) > 1 and _is_adverb(statement, words[-1]):
            words = words[:-1]
        if words and words[0][2] in _THIS and len(words) > 1:
            self._take_document(statement, tokens, words, verb)
            return
        clause = any(form in _OPEN_A_CLAUSE for _, _, form in words)
        if clause or not words or len(words) > _LONGEST_SUBJECT or words[0][2] in _PRONOUN_FORMS:
            if words and words[0][2] not in _IT | _THEY | _PERSON:
                self.subject = None
            return
        self._take_subject(statement, tokens, words, verb)

    def _meet_people(self, statement: str, tokens: list[WordToken]) -> None:
        """Note the names that may be a person's: two capitals or more without an article, and no place."""
        for name in person_names(statement, tokens):
            if not any(name in other or other in name for other in self.people):
                self.people = (*self.people, name)

    def _take_document(
        self, statement: str, tokens: list[WordToken], words: list[WordToken], verb: int
    ) -> None:
        """``This document is the Marl Act``: what it is called, where it is told, is what goes on being spoken of."""
        text, rest = statement[words[0][0] : words[-1][1]], statement[tokens[verb][1] :].strip(" .")
        called = tokens[verb][2] == "is" and _CALLED.fullmatch(rest)
        self.subject = _Subject(
            rest if called else text, False, bool(called), False, False, False, False, False
        )

    def _take_subject(
        self, statement: str, tokens: list[WordToken], words: list[WordToken], verb: int
    ) -> None:
        text = statement[words[0][0] : words[-1][1]]
        if self.centred and self.subject and text.startswith(_possessive(self.subject.text) + " "):
            others = [name for name in person_names(statement, tokens) if name not in self.subject.text]
            self.subject = replace(self.subject, rivals=True, named=False, people=bool(others))
            return  # ``Its height is 175 m.``: what follows goes on about the owner
        forms = [form for _, _, form in words]
        determined = forms[0] in DETERMINERS
        if any(form in (",", "that", "which", "who", "whose", ":", ";", "(") for form in forms):
            self.subject = None
            return
        name = not determined and all(
            statement[start].isupper() or form in _INSIDE_NAMES for start, _, form in words
        )
        plural = True if "and" in forms else plural_verb(tokens[verb][2])
        if plural is None and not name:
            plural = forms[-1].endswith("s") and not forms[-1].endswith(("ss", "us", "is"))
        rest = statement[tokens[verb][1] :]
        people = bool(_FULL_NAME.search(rest)) or self._changes_person(text)
        self._follow_person(text, alone=name and not plural and not people)
        named = has_competing_antecedent(statement, tokens, verb, named=True)
        rivals = named or has_competing_antecedent(statement, tokens, verb, named=False)
        lives = any(form in _LIVING for _, _, form in tokens[verb : verb + 2])
        things, other = has_plural_antecedent(tokens, verb), object_name(statement, tokens, verb)
        self.subject = _Subject(text, plural, name, rivals, people, named, things, lives, other)
        self._describe(text, forms, tokens, verb, name)

    def _changes_person(self, text: str) -> bool:
        """Whether the sentence before was about somebody else, so that ``she`` may be either."""
        before = self.subject.text if self.subject and self.subject.name else ""
        return looks_like_a_person(before) and text not in before and before not in text

    def _follow_person(self, subject: str, *, alone: bool) -> None:
        """Keep the person who is spoken of while sentences are about what is theirs (``Dr Reed's salary``)."""
        if alone and looks_like_a_person(subject) and not _COMPANY_NAME.search(subject):
            self.person = subject
        elif self.person not in subject:
            self.person = ""

    def _describe(self, text: str, forms: list[str], tokens: list[WordToken], verb: int, name: bool) -> None:
        """Learn by which nouns the subject may be called: its own head, or ``X is a ... company``."""
        head_end = next((i for i, form in enumerate(forms) if form in ("of", "for", "in", "at")), len(forms))
        if not name and len(forms) > 2 and head_end > 1:
            self._learn(forms[head_end - 1], text)
        if name and len(forms) > 1 and is_common(forms[-1]):
            self._learn(forms[-1], text)
        if name and _COMPANY_NAME.search(text):
            for word in _COMPANY_WORDS:
                self._learn(word, text)
        following = [form for _, _, form in tokens[verb + 1 : verb + 9]]
        if name and tokens[verb][2] in ("is", "was") and following[:1] in (["a"], ["an"]):
            stop = next((i for i, f in enumerate(following) if f in _AFTER_HEAD), len(following))
            if stop > 1:
                self._learn(following[stop - 1], text)

    def _learn(self, noun: str, text: str) -> None:
        """A noun that fits two things describes neither."""
        known = self.described.get(noun)
        self.described[noun] = text if known in (None, text) else ""

    def _described_by(self, text: str, start: int) -> tuple[int, int, str] | None:
        match = _DESCRIPTION.match(text, start)
        if not match:
            return None
        for words in (match[1].split()[:1], match[1].split()):
            noun = " ".join(words).lower()
            full = self.described.get(noun, "")
            end = match.start(1) + len(noun)
            if full and not full.lower().endswith(f"the {noun}") and _is_whole_phrase(text, end):
                return start, end, full
        return None

    def _fits(self, text: str, form: str) -> bool:
        subject = self.subject
        if form in _PERSON and ((subject and self._is_the_person(subject)) or self._is_the_only_one):
            return True
        if subject is None:
            return False
        if form in _IT:
            if subject.plural or is_expletive(text) or is_impersonal(text):
                return False
            if subject.name and looks_like_a_person(subject.text, surely=True):
                return self.centred and bool(subject.other)
            if subject.rivals and self.centred and not subject.named and not _of_people(subject.text):
                self.doubt = subject.text
            return not subject.rivals or bool(self.doubt)
        if form in _THEY:
            return bool(subject.plural) and not subject.named and not subject.things
        return False

    @property
    def _is_the_only_one(self) -> bool:
        """Whether one person only has been named; a document may have named others before the passage."""
        return self.centred and len(self.people) == 1

    def _is_the_person(self, subject: _Subject) -> bool:
        return (
            subject.may_be_a_person
            and not subject.plural
            and not subject.people
            and not _COMPANY_NAME.search(subject.text)
        )


_WHEN = lexicon("today tonight yesterday tomorrow nowadays now currently")
_LIVING = lexicon("""
    born died married divorced studied graduated retired resigned wrote painted composed taught grew emigrated
    """)
_BEFORE_VERB = lexicon(
    "now also currently still already always often never only later then soon today once again"
)
_AFTER_HEAD = lexicon("""
    of for in at that which who with based founded from located and to , ; ( by on made used
    """)


def _verb_of(statement: str, tokens: list[WordToken]) -> int | None:
    """The place of the main verb: the first that either grammar is sure of, else what may be one."""
    finite = finite_verb(statement, tokens)
    inflected = (
        group.first if group.first < group.main else group.main
        for clause in read(statement).clauses[:1]
        for group in clause.verbs[:1]
        if group.first < group.main
        or ((form := read(statement).tokens[group.main].word.verb) and form.form != "base")
    )
    first = next((read(statement).tokens[at].start for at in inflected), None)
    told = next((place for place, token in enumerate(tokens) if token[0] == first), None) if first else None
    found = [place for place in (finite, told) if place]
    return min(found) if found else main_verb(statement, tokens, 0, len(tokens))


def _of_people(subject: str) -> bool:
    """Whether a subject is somebody by an office (``the mayor``), or somebody's: ``it`` is then as well the other."""
    return subject.lower().split()[-1] in HONORIFICS | ROLES or "'s " in subject or "’s " in subject


def _is_adverb(statement: str, word: WordToken) -> bool:
    """Whether a word between a subject and its verb belongs to the verb (``the firm now employs``)."""
    start, _, form = word
    return form in _BEFORE_VERB or (form.endswith("ly") and len(form) > 4 and statement[start].islower())


def after_introductory_phrase(tokens: list[WordToken], verb: int) -> int:
    """Skip ``In 2020,``, ``However,`` or ``Today`` in front of a subject."""
    commas = [index for index in range(verb) if tokens[index][2] == ","]
    if len(commas) == 1 and commas[0] < 6:
        return commas[0] + 1
    return 1 if verb > 1 and tokens[0][2] in _WHEN else 0


def _is_whole_phrase(text: str, end: int) -> bool:
    """Whether the description ends there: no ``of`` or further noun narrows it down to something else."""
    following = re.match(r"(?:['’]s)?\s+([\w-]+)", text[end:])
    if not following:
        return False
    tokens = [(0, 3, "the"), (4, 5, "x"), (6, 6 + len(following[1]), following[1].lower())]
    return finite_verb("the x " + following[1], tokens) == 2


def _possessive(text: str) -> str:
    return text + ("'" if text.endswith("s") else "'s")


# -- a pronoun that nothing before it explains -----------------------------------------------------------------

_ARTICLES = lexicon("the a an this that its their his her")
_PEOPLE = lexicon("he she his her they their these those")


def sole_antecedent(pronoun: str, passages: Iterable[str]) -> str:
    """What all sentences of the passages are about; ``""`` where they are about several things, or it is not clear.

    >>> texts = "The hall opens in May. It seats 90.", "Ash is new. Elm is old."
    >>> [sole_antecedent("It", [text]) for text in texts]
    ['The hall', '']
    """
    if pronoun.lower() in _PEOPLE:
        return ""
    found: dict[frozenset[str], str] = {}
    for passage in passages:
        discourse = Discourse(centred=True)
        for start, end in sentence_spans(passage):
            sentence = passage[start:end]
            resolved = discourse.resolve(sentence)
            read = sentence[: resolved[0]] + resolved[2] + sentence[resolved[1] :] if resolved else sentence
            for clause in split_clauses(read):
                discourse.follow(clause.read(read))
                subject = discourse.subject
                if subject is None or subject.plural:
                    return ""
                words = frozenset(form for _, _, form in tokens_of(subject.text)) - _ARTICLES
                found.setdefault(words, subject.text)
    return next(iter(found.values())) if len(found) == 1 else ""
