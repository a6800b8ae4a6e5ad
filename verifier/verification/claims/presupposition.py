"""Presuppositions: the statement that a sentence makes though it looks like courtesy, an instruction or a question.

``Let me know once you accept that monthly plans are refundable`` asks for a letter and asserts a refund. What a clause
is governed by decides: under a verb of doubt or of not knowing it is left open, under any other it is taken for granted
and can be wrong.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier_signals.lexicon import verb_of

from verifier.core.lexicon import lexicon
from verifier.verification.claims.checkworthiness import addresses_reader
from verifier.verification.grammar.clauses import SplitClause
from verifier.verification.grammar.verbs import WordToken, finite_verb, main_verb, tokens_of
from verifier.verification.grammar.words import AUXILIARIES, DETERMINERS, PREPOSITIONS, SUBORDINATORS

__all__ = [
    "StatementSpan",
    "as_sentence",
    "asserts_something",
    "declarative_question",
    "is_sentence",
    "is_value_sentence",
    "presupposed",
    "presupposed_in_that_clause",
    "statement_within",
]


class StatementSpan(NamedTuple):
    """``text[start:end]`` is the statement; what stands around it asserts nothing."""

    start: int
    end: int


_CAUSAL_OPENERS = lexicon("because since why")
_PRESUPPOSING_OPENERS = _CAUSAL_OPENERS | {"that", ":", ",", "–", "—"}
"""What a clause that is asserted may stand behind."""
_THAT = frozenset({"that"})
_IN_PASSING = ("greeting", "meta", "instruction", "refusal")
"""Reasons to skip a sentence that may assert something in passing."""
_FIRST_PERSON = re.compile(r"(?:(?:so\s|very\s)?sorry|i|we)\b", re.IGNORECASE)
_NEGATIONS = lexicon("not cannot never no nothing none nobody unable without neither nor can't don't won't")
_KNOWING = lexicon("""
    know find confirm say tell verify determine see establish guarantee promise show state specify indicate mention
    suggest record report document prove sure certain clear information evidence indication proof detail details data
    reason anything nothing
    """)
"""What leaves a clause open where it is denied: ``I cannot confirm that``, ``no evidence that``."""
_DOUBTING = lexicon("""
    think believe say mean true case possible likely sure certain confirm feel want wish hope hoped hoping suppose
    expect ensure ensures prefer require requires requested ask asks so
    """)
"""What leaves a clause open where it is asked, wished or made a condition: ``Are you sure that``, ``I hope that``."""
_WISHING = lexicon("hope hoped hoping wish want ensure ensures prefer so require requires ask asks")
_REGRETTING = lexicon("sorry apologies apology apologise apologize regret")
"""What takes for granted also what it says was not told: ``Sorry for not saying that``."""
_CONDITIONS = lexicon("if whether unless")
_OBJECTS = lexicon("me us you him her them everyone everybody anyone anybody nobody somebody someone")
_TALKING = lexicon("""
    i you we me us this that these those it they there he she anything something everything nothing nobody somebody
    someone everyone everybody anyone anybody
    """)
_SEVERAL = lexicon("most all many some few several both these those no")
_STOPS = (".", "!", ".”", '."')
_COURTEOUS = lexicon("our my your")
_OPENS_QUESTION = lexicon("""
    who what when where why how which whose whom whether if would could can may might shall should will do does did is
    are was were has have had am isn't aren't don't doesn't didn't can't won't any anything or
    """)
_TAG = re.compile(
    r",?\s*(?:(?:right|correct|true|yes|no|ok(?:ay)?|eh|is\s(?:that|it)\snot\s(?:so|right|true)|is(?:n['’]t)?\s(?:it|that\sso)"
    r"|(?:is|are|was|were|do|does|did|has|have|can|could|will|would)(?:n['’]t|\snot)?\s(?:it|they|he|she|we|you|there|that))"
    r"\s*)?[?？؟!]+[\s\"'”’)\]*_]*$",
    re.IGNORECASE,
)
_LEADING_ON = lexicon("please just let feel")
_JOINING = lexicon("and or but so")
_MARKS = lexicon(", : ; (")
_HALF, _CLEAR = 0.5, 0.6
"""How often a word must be a verb in WordNet's tagged texts to be read as one."""
_SHORTEST = 3
"""Words of a statement."""


def presupposed(
    text: str, *, asked: bool = False, openers: frozenset[str] = _PRESUPPOSING_OPENERS
) -> StatementSpan | None:
    """The clause that a sentence asserts in passing, though the sentence itself only asks, thanks, offers or tells the
    reader to do something; ``None`` where there is none, or where its governor leaves it open.

    Args:
        text: one sentence.
        asked: whether it is a question.
        openers: what may stand before the clause.

    >>> text = "Let me know once you accept that monthly plans are refundable."
    >>> text[slice(*presupposed(text))]
    'monthly plans are refundable.'
    >>> presupposed("I cannot confirm that monthly plans are refundable.")
    """
    tokens = tokens_of(text)
    for at in range(len(tokens) - _SHORTEST):
        if _opens(text, tokens, at, asked=asked, openers=openers) and _is_statement(text, tokens, at + 1):
            return StatementSpan(tokens[at + 1][0], _end(text, tokens, at + 1))
    return None


def presupposed_in_that_clause(text: str) -> StatementSpan | None:
    """The clause behind ``that`` which a sentence asserts in passing."""
    return presupposed(text, openers=_THAT)


def statement_within(text: str, reason: str | None) -> StatementSpan | None:
    """The statement that a sentence makes which asks, thanks, offers or tells the reader what to do.

    ``reason`` is why it would be skipped; ``None`` where it would not.
    """
    if reason == "question":
        return declarative_question(text) or presupposed(text, asked=True)
    if reason is None and addresses_reader(text):
        return presupposed(text, openers=_THAT | _CAUSAL_OPENERS)
    if reason == "opinion" or (reason is None and _FIRST_PERSON.match(text)):
        return presupposed_in_that_clause(text)
    return presupposed(text) if reason in _IN_PASSING else None


def declarative_question(question: str) -> StatementSpan | None:
    """The statement of a question in the order of one (``Monthly plans are refundable, right?``), without its tag.

    >>> text = "Monthly plans are refundable, right?"
    >>> text[slice(*declarative_question(text))]
    'Monthly plans are refundable'
    >>> declarative_question("Are monthly plans refundable?"), declarative_question("Any questions?")
    (None, None)
    """
    tag = _TAG.search(question)
    if tag is None:
        return None
    tokens = tokens_of(question[: tag.start()])
    opener = 1 if tokens and tokens[0][2] in ("so", "and", "but", "then") else 0
    if len(tokens) - opener < _SHORTEST or not _opens_a_statement(tokens[opener][2]):
        return None
    if not _is_statement(question, tokens, opener):
        return None
    return StatementSpan(tokens[opener][0], tag.start())


def as_sentence(sentence: str, end: int) -> SplitClause:
    """The statement ``sentence[:end]`` as a clause that quotes the whole sentence and reads a full stop behind it.

    >>> as_sentence("the pass is free, right?", 16).read("the pass is free, right?")
    'the pass is free.'
    """
    bare = sentence[:end].rstrip(" .!?:;,")
    return SplitClause(0, 0, len(sentence), edits=((len(bare), len(sentence), "."),))


def asserts_something(text: str) -> bool:
    """Whether a line is a sentence about something: a subject, a verb that is surely one, and what it says of it.

    >>> asserts_something("The warranty covers water damage"), asserts_something("Opening hours and prices")
    (True, False)
    """
    tokens = tokens_of(text)
    if not _may_state(tokens):
        return False
    verb = _sure_verb(text, tokens)
    if verb is None:
        return text.rstrip().endswith(_STOPS) and _is_statement(text, tokens, 0)
    last = verb + 1 == len(tokens)
    if not _is_statement(text, tokens, 0) or (last and not text.rstrip().endswith(_STOPS)):
        return False
    return _JOINING.isdisjoint(form for _, _, form in tokens[verb - 1 : verb + 2])


def _sure_verb(text: str, tokens: list[WordToken]) -> int | None:
    """The first verb that is hardly anything else: an auxiliary, or the main verb where it is one far more often."""
    main = main_verb(text, tokens, 0, len(tokens))
    if main is not None and _share(tokens[main][2]) >= _CLEAR:
        return main
    auxiliary = next((at for at in range(1, len(tokens)) if tokens[at][2] in AUXILIARIES), None)
    return auxiliary if auxiliary is not None else _verb_of_several(tokens, 0)


def _verb_from(text: str, tokens: list[WordToken], first: int) -> int | None:
    """The verb of what begins at ``first``: the main one where that is certain, else the first that may be one."""
    main = main_verb(text, tokens, first, len(tokens))
    return finite_verb(text, tokens, first) if main is None else main


def _verb_of_several(tokens: list[WordToken], first: int) -> int | None:
    """The verb in its base form of a subject that is several by its first word: ``Most staff speak``."""
    if tokens[first][2] not in _SEVERAL:
        return None
    found = (
        at
        for at in range(first + 2, len(tokens))
        if (verb := verb_of(tokens[at][2])) is not None
        and verb.form == "base"
        and verb.share >= _CLEAR
        and tokens[at - 1][2] not in PREPOSITIONS | DETERMINERS | {"to"}
    )
    return next(found, None)


def _may_state(tokens: list[WordToken]) -> bool:
    """Whether a line is long enough for a statement and does not begin as a question, a phrase or a deed does."""
    return len(tokens) >= _SHORTEST and _opens_a_statement(tokens[0][2]) and not _is_deed(tokens[0][2])


def _is_deed(form: str) -> bool:
    """Whether a heading's first word names a deed: ``Filtering tests by name``, ``Embed a set``."""
    return form.endswith("ing") or (
        (verb := verb_of(form)) is not None and verb.form == "base" and verb.share >= _HALF
    )


def _share(form: str) -> float:
    """How often a word is a verb, in [0, 1]."""
    verb = verb_of(form)
    return 0.0 if verb is None else verb.share


def is_value_sentence(value: str) -> bool:
    """Whether a value is a sentence, which needs no key."""
    tokens = tokens_of(value[:300])
    return len(tokens) > 3 and value[:1].isupper() and finite_verb(value[:300], tokens) is not None


def is_sentence(text: str) -> bool:
    """Whether a text by itself, a line of code, a tooltip or the inside of a mark, is a sentence: where nobody expects
    a title, a verb that may be a noun will do, and ``we`` or ``there`` for a subject.

    >>> is_sentence("The pool is closed."), is_sentence("day pass costs EUR 9"), is_sentence("Opening hours")
    (True, True, False)
    """
    bare = text.strip(" *_\"'.")
    if is_value_sentence(bare) or asserts_something(bare):
        return True
    tokens = tokens_of(bare)
    verb = _verb_from(bare, tokens, 0) if _may_state(tokens) else None
    if not verb or verb + 1 == len(tokens):
        return False
    before = {form for _, _, form in tokens[:verb]}
    return before.isdisjoint(SUBORDINATORS | _JOINING | _MARKS)


def _end(text: str, tokens: list[WordToken], first: int) -> int:
    """Where a clause ends: before ``, please ask``, else with the sentence."""
    ends = (
        tokens[at][0]
        for at in range(first + 2, len(tokens) - 1)
        if tokens[at][2] == "," and tokens[at + 1][2] in _LEADING_ON
    )
    return next(ends, len(text))


def _opens_a_statement(form: str) -> bool:
    """Whether a word is none that opens a question or a phrase."""
    return form not in _OPENS_QUESTION | PREPOSITIONS and not form.endswith("n't")


def _opens(text: str, tokens: list[WordToken], at: int, *, asked: bool, openers: frozenset[str]) -> bool:
    """Whether a clause that is asserted begins behind the token at ``at``."""
    form = tokens[at][2]
    if form not in openers:
        return False
    if form == "that":
        return at > 0 and not _is_open(tokens, at, asked=asked)
    return form in _CAUSAL_OPENERS or (at > 0 and not asked and _opens_main_clause(text, tokens, at + 1))


def _is_open(tokens: list[WordToken], at: int, *, asked: bool) -> bool:
    """Whether the clause behind ``that`` is doubted, wished, asked or not known, by what governs it."""
    before = [form for _, _, form in tokens[:at]]
    governing = list(before)
    while governing and governing[-1] in _OBJECTS:
        governing.pop()
        if governing and governing[-1] in ("to", "with", "for"):
            governing.pop()
    governor = governing[-1] if governing else ""
    if governor in PREPOSITIONS | DETERMINERS or governor in _WISHING:
        return True
    if "neither" in before:
        return True
    regretted = not _REGRETTING.isdisjoint(before) or (len(governing) < len(before) and governor == "told")
    denied = any(form in _NEGATIONS or form.endswith("n't") for form in before)
    if denied and not regretted and _lemma(governor) in _KNOWING:
        return True
    return (asked or not _CONDITIONS.isdisjoint(before)) and governor in _DOUBTING


def _lemma(form: str) -> str:
    verb = verb_of(form)
    return form if verb is None else verb.lemma


def _opens_main_clause(text: str, tokens: list[WordToken], first: int) -> bool:
    """Whether what follows a comma or colon is a main clause about something: its subject has an article, is in the
    plural, or is named."""
    if first >= len(tokens):
        return False
    start, _, form = tokens[first]
    if form in _COURTEOUS | _OPENS_QUESTION | _LEADING_ON | _JOINING:
        return False
    return form in DETERMINERS or text[start].isupper() or _is_plural(tokens, first)


def _is_plural(tokens: list[WordToken], first: int) -> bool:
    verb = verb_of(tokens[first][2])
    following = [form for _, _, form in tokens[first : first + 3]]
    return (verb is None or verb.form != "base") and any(
        form.endswith("s") and not form.endswith("ss") for form in following
    )


def _is_statement(text: str, tokens: list[WordToken], first: int) -> bool:
    """Whether a clause with a subject of its own, which is none of those who talk, begins at ``first``."""
    if first >= len(tokens) - 1 or tokens[first][2].split("'")[0] in _TALKING | AUXILIARIES:
        return False
    verb = _verb_from(text, tokens, first)
    if verb is None:
        verb = _verb_of_several(tokens, first)
    if verb is None or verb <= first:
        return False
    subject = tokens[first:verb]
    if any(form in (",", ":", ";", "(") for _, _, form in subject) or _is_relative(tokens, first):
        return False
    return verb + 1 < len(tokens) or tokens[verb][2] not in AUXILIARIES


def _is_relative(tokens: list[WordToken], first: int) -> bool:
    """Whether what stands behind ``that`` is a verb: ``information that contradicts``."""
    verb = verb_of(tokens[first][2])
    return verb is not None and verb.form in ("s", "past") and verb.share >= _HALF
