"""Ellipsis: short answers and other incomplete sentences, made whole by the question, title or sentence before them.

``Does the ferry sail in January?`` and ``No.`` say together that the ferry does not sail in January, which evidence can
be compared with; the question and the answer side by side are no statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from verifier_signals.lexicon import verb_of

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.core.text import COLONS
from verifier.verification.claims.checkworthiness import is_sign_off, is_signature, preamble_end
from verifier.verification.claims.headings import Sections, TitleDependence
from verifier.verification.grammar.fragments import Fragment, is_verbless
from verifier.verification.grammar.verbs import WordToken, finite_verb, tokens_of
from verifier.verification.grammar.words import PREPOSITIONS, SUBJECT_PRONOUNS

__all__ = [
    "LONGEST_CONTEXT",
    "AnswerContext",
    "answer_end",
    "asked_statement",
    "is_bare_answer",
    "is_figure_answer",
    "preface_end",
    "yes_no_statement",
]

# -- questions and their answers -------------------------------------------------------------------------------

_AUX = r"(?:can|could|may|might|must|shall|should|will|would|do|does|did|is|are|was|were|am|has|have|had)"
_REGRET = r"(?:(?:unfortunately|sadly|sorry|luckily|fortunately|i['’]?\s?a?m\safraid)[,.]?\s)?"
_SURELY = r"(?:certainly|definitely|absolutely|of\scourse|indeed|exactly)"
_YES_MARK, _NO_MARK = r"(?:[✅✔☑👍]\ufe0f?)", r"(?:[❌✗✘✖👎🚫]\ufe0f?)"
_ANSWER = compiled_later(
    rf"""{_REGRET}(?:
      (?P<yes>yes|yep|yeah|yup|correct|right|true|sure(?:\sthing)?|ok(?:ay)?|great|{_SURELY}|{_YES_MARK}
        |(?:that|this|it)(?:['’]s|\sis)\s(?:right|correct|true|so)|you(?:['’]re|\sare)\s(?:\w+\s)?(?:right|correct))
    | (?P<no>no|nope|incorrect|wrong|false|{_NO_MARK}|(?:(?:{_SURELY}|normally|usually|generally)\s)?not(?:\sat\sall)?)
    )(?:,?\s(?:{_SURELY}|unfortunately|sadly|not\sat\sall))?
    (?:[,.:;–—]?\s(?P<subject>(?:[\w’'-]+\s){{1,3}}?)(?P<again>{_AUX}|cannot)(?P<denied>n['’]t|\snot)?)?[\s.!]*""",
    re.IGNORECASE | re.VERBOSE,
)
_SAYS_YES_OR_NO = compiled_later(r"\W*(?:yes|yep|yeah|yup|no|nope)\b", re.IGNORECASE)
_REQUESTING = lexicon("can could would will")
_FIGURE = compiled_later(
    r"(?:(?:about|around|at\s(?:most|least)|up\sto|only)\s)?(?:\d[\d.,:]*|an?|half|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve)\b(?:\s(?:of|an?|half|quarters?|and|[a-z]+s|hour|minute|day|week|month|year|euro|pound|dollar|percent)){0,5}\s"
    r"(?:is|are|was|were|will\sbe|would\sbe)\s(?:the\s|an?\s)?(?:maximum|minimum|limit|most|least|rule|norm|usual|standard|enough"
    r"|sufficient|required|needed|necessary|allowed|permitted|right|correct)\b",
    re.IGNORECASE,
)
_ON_CONDITION = compiled_later(
    rf"{_REGRET}(?:(?P<yes>yes|{_SURELY})|no),?\s(?:but\s)?"
    r"(?P<condition>(?:only\s)?(?:unless|if|when|provided|except|(?:as|so)\slong\sas)\s[^,;]+)",
    re.IGNORECASE,
)
"""``Yes, unless it rains``: a yes or no that holds on a condition."""
_TWO = 2
"""Subjects: so many have a main clause of their own (``If you are late you pay``)."""
_OPENING = compiled_later(r"(?:yes|no)\s?[,:;–—]\s+(?=\S)", re.IGNORECASE)
_QUESTION = compiled_later(
    rf"(?:(?:so|and|but|then|also|okay|ok|hi|hello|please)\b,?\s)*"
    rf"(?P<front>(?:if|when|while|after|before|on|in|at|for|during|with|without|as)\b[^,?]*,\s)?"
    rf"(?P<aux>{_AUX})(?P<denied>n['’]t)?\s(?P<rest>[^?]+?)(?:,?\sor\snot|,?\splease)?\s*\?+",
    re.IGNORECASE,
)
_ASKING = compiled_later(
    rf"(?:when|where|how|why|what|which|who|whom|whose|at|on|in|from|until|by|for|to)\b[^?,;]*?\s"
    rf"(?P<aux>{_AUX})(?:n['’]t)?\s(?P<rest>[^?]+?)\s*\?+",
    re.IGNORECASE,
)
_OTHER_PERSON = {
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "we": "you",
    "us": "you",
    "our": "your",
    "ours": "yours",
    "myself": "yourself",
    "ourselves": "yourselves",
}
"""Whoever asks is addressed in the answer."""
_PERSON_WORDS = compiled_later(rf"\b(?:{'|'.join(_OTHER_PERSON)})\b", re.IGNORECASE)
_ANY = compiled_later(r"\bany(?=(?:one|body|thing|where)?\b)", re.IGNORECASE)
_SUBJECTS = (
    SUBJECT_PRONOUNS | lexicon("one everyone everybody someone somebody anyone anybody nobody")
) - lexicon("this that these those")
_BE_OR_HAVE = lexicon("is are was were am has have had")
_NOUN_FOLLOWS = PREPOSITIONS | lexicon(
    "the a an my your his her its our their this that these those any some no every each"
)
_DESCRIBES = compiled_later(r".{2,}(?:able|ible|ful|less|ous|ed|ing)")
_STATES = lexicon(
    "open closed free available full included possible required necessary due valid legal safe ready late been"
)
_SURE_VERB = 0.5
"""A form that is a verb this often, behind a noun, is the verb of the question."""


def yes_no_statement(question: str, answer: str) -> str | None:
    """The statement that a bare yes or no makes of a question; ``None`` where it is no such question or answer.

    >>> yes_no_statement("Can my uncle join the dive?", "No, he cannot.")
    'Your uncle cannot join the dive.'
    >>> yes_no_statement("Do I have to book?", "Yes.")
    'You have to book.'
    >>> yes_no_statement("Do cyclists pay?", "Yes, unless they are under 6.")
    'Cyclists pay unless they are under 6.'
    """
    if condition := _conditional(answer.strip()):
        plain = yes_no_statement(question, "Yes." if condition["yes"] else "No.")
        return f"{plain[:-1]} {condition['condition']}" if plain else None
    said = _ANSWER.fullmatch(answer.strip())
    asked = _QUESTION.fullmatch(question.strip())
    if said is None or asked is None:
        return None
    yes = said["yes"] is not None
    if _is_request(asked) and (
        asked["aux"].lower() in _REQUESTING or not _SAYS_YES_OR_NO.match(answer.strip())
    ):
        return None
    refused = said["denied"] is not None or (said["again"] or "").lower() == "cannot"
    parted = _parted(asked["rest"], asked["aux"].lower())
    if parted is None or (said["again"] and refused is yes):
        return None
    subject, predicate = (_with_persons_swapped(part) for part in parted)
    if yes:
        predicate = _ANY.sub("some", predicate)
    words = (subject, _auxiliary(asked["aux"].lower(), yes, subject), predicate)
    front = _with_persons_swapped(asked["front"] or "")
    stated = front + " ".join(word for word in words if word)
    return f"{stated[0].upper()}{stated[1:]}."


def _is_request(asked: re.Match[str]) -> bool:
    """Whether a question is put to the one who answers: what they can, will or know is nothing that documents tell."""
    return re.match(r"you\b", asked["rest"], re.IGNORECASE) is not None


def _conditional(answer: str) -> re.Match[str] | None:
    """A yes or no with a condition, which is no sentence of its own (``Yes, if you cancel you pay nothing``)."""
    found = _ON_CONDITION.fullmatch(answer)
    if found is None:
        return None
    tokens = tokens_of(found["condition"])
    return found if sum(form in SUBJECT_PRONOUNS for _, _, form in tokens) < _TWO else None


def asked_statement(question: str) -> str | None:
    """What a question asks about, as a statement, so that ``it`` in the answer can be its subject.

    >>> asked_statement("How long does the ferry to Holm take?")
    'The ferry to Holm does take.'
    >>> asked_statement("How long is the tea room open?")
    'The tea room is open.'
    """
    yes_no, asking = _QUESTION.fullmatch(question.strip()), _ASKING.fullmatch(question.strip())
    asked = yes_no or asking
    if asked is None:
        return None
    aux, rest = asked["aux"].lower(), asked["rest"]
    parted = _described(rest) if asking and aux in _BE_OR_HAVE else _parted(rest, aux)
    if parted is None or parted[0].lower() in _SUBJECTS | _OTHER_PERSON.keys():
        return None
    return f"{parted[0][0].upper()}{parted[0][1:]} {aux} {parted[1]}."


def _described(rest: str) -> tuple[str, str]:
    """What ``How long is ...`` asks about, and the state that it names behind it (``the tea room``, ``open``)."""
    tokens = tokens_of(rest)
    for at in range(2, len(tokens)):
        form, before = tokens[at][2], tokens[at - 1][2]
        ends = at + 1 == len(tokens) or tokens[at + 1][2] in PREPOSITIONS
        if ends and before not in _NOUN_FOLLOWS and (form in _STATES or _is_participle(form)):
            start = tokens[at][0]
            return rest[:start].strip(), rest[start:].strip()
    return rest, "so"


def is_bare_answer(text: str) -> bool:
    """Whether a text only says yes or no to what was asked (``Yes.``, ``No, they do not.``, ``I'm afraid not.``)."""
    return _ANSWER.fullmatch(text.strip()) is not None


def answer_end(sentence: str) -> int:
    """Where the statement begins behind a ``Yes,`` or ``No,`` that it explains; 0 where the answer is not a sentence of
    its own (``Yes, 30 days``; ``No, he cannot``; ``Yes, it includes parking``, whose subject stands in the question).

    >>> answer_end("No, the pool is closed on Mondays."), answer_end("No, it is not.")
    (4, 0)
    """
    opening = _OPENING.match(sentence)
    if opening is None or is_bare_answer(sentence) or _conditional(sentence.strip()):
        return 0
    rest = sentence[opening.end() :]
    tokens = tokens_of(rest)
    verb = finite_verb(rest, tokens)
    if verb is None or verb == len(tokens) - 1 or is_figure_answer(rest):
        return 0
    pronoun = tokens[0][2] in _SUBJECTS or tokens[0][2].split("'")[0] in SUBJECT_PRONOUNS
    return 0 if pronoun else opening.end()


def is_figure_answer(sentence: str) -> bool:
    """Whether a sentence only says that some figure is it (``18 is the maximum``, ``A quarter of an hour is enough``):
    of what, only a question before it tells."""
    return _FIGURE.match(sentence) is not None


def _parted(rest: str, aux: str) -> tuple[str, str] | None:
    """The subject and the predicate of what follows the auxiliary of a question."""
    tokens = tokens_of(rest)
    if len(tokens) < 2:
        return None
    at = 1 if tokens[0][2] in _SUBJECTS else _complement(tokens) if aux in _BE_OR_HAVE else _verb(tokens)
    if at is None:
        return None
    start = tokens[at][0]
    return rest[:start].strip(), rest[start:].strip()


def _verb(tokens: list[WordToken]) -> int | None:
    """The verb in its base form behind the subject of a question."""
    shares = [
        (verb.share, at)
        for at in range(1, len(tokens))
        if (verb := verb_of(tokens[at][2])) is not None
        and (verb.form == "base" or tokens[at][2] == "be")
        and tokens[at - 1][2] not in _NOUN_FOLLOWS
    ]
    sure = next((at for share, at in shares if share >= _SURE_VERB), None)
    return sure if sure is not None else max(shares, default=(0.0, None))[1]


def _complement(tokens: list[WordToken]) -> int:
    """What is said of the subject: a comparison, a state, else a preposition, article or figure, else the last word."""
    forms = [form for _, _, form in tokens]
    compared = (at for at in range(1, len(forms) - 1) if forms[at].endswith("er") and forms[at + 1] == "than")
    states = (
        at for at in range(1, len(forms)) if forms[at - 1] not in _NOUN_FOLLOWS and _is_state(forms[at])
    )
    nouns = (
        at
        for at in range(1, len(forms))
        if (forms[at] in _NOUN_FOLLOWS and forms[at] != "of") or forms[at][:1].isdigit()
    )
    return next(compared, next(states, next(nouns, len(forms) - 1)))


def _is_state(form: str) -> bool:
    """An adjective or a participle, as far as its form or a list tells."""
    return _is_participle(form) or form in _STATES or _DESCRIBES.fullmatch(form) is not None


def _is_participle(form: str) -> bool:
    verb = verb_of(form)
    return verb is not None and verb.form == "past" and verb.share >= _SURE_VERB


def _auxiliary(aux: str, yes: bool, subject: str) -> str:
    """The auxiliary of the statement, which agrees with ``you`` where the one who asks spoke of themselves."""
    if subject.lower() == "you":
        aux = {"am": "are", "was": "were"}.get(aux, aux)
    if yes:
        return "" if aux == "do" else aux
    return "cannot" if aux == "can" else f"{aux} not"


def _with_persons_swapped(words: str) -> str:
    return _PERSON_WORDS.sub(lambda match: _OTHER_PERSON[match[0].lower()], words)


# -- what stands before a sentence -----------------------------------------------------------------------------

LONGEST_CONTEXT = 300
"""Code points of an introduction or question that are put in front of a claim; models read little more."""
_LONGEST_ELLIPSIS = 60
"""Code points; a longer answer without a verb that is known here has one that is not."""
_YES_NO = compiled_later(r"(?:yes|no|correct|right|true|false|exactly)\b", re.IGNORECASE)

_SUMS_UP = compiled_later(
    r"(?:together|altogether|in\s(?:total|all)|so),?\s(?:that|this|it|they|these)\b"
    r"|(?:that|this|it)(?:['’]s|\s(?:is|makes|comes\sto|adds\sup\sto|would\sbe))\s[^.;]{1,40}\b(?:together|altogether|in\s(?:total|all))\b"
    r"|(?:that|this|it)\s(?:makes|comes\sto|adds\sup\sto)\s(?:a\stotal\sof\s)?\W?\d",
    re.IGNORECASE,
)
"""``Together that is 107 pounds``: of what, the sentence before tells."""


@dataclass
class AnswerContext:
    """The question, title and sentence that bare words may belong to, so that they assert something after all."""

    question: str = ""
    """The question that the next sentence may answer."""
    title: str = ""
    """The heading, or the line that ends with a colon, which the next sentences stand under."""
    named: str = ""
    """Bare words right before."""
    last_claim: str = ""
    """The last full claim of the same block."""
    last_claims: str = ""
    """All claims of the last full sentence of the same block."""
    signing: bool = False
    """Whether the last sentence was a sign-off or a part of one."""
    sections: Sections = field(default_factory=Sections)
    """The titles that statements stand under, without those that tell nothing."""

    def enter_block(self) -> None:
        """A new block begins: its first sentence does not go on from another one."""
        self.last_claim = self.last_claims = ""

    def enter_section(self, title: str) -> None:
        """A heading was read."""
        self.title = title.rstrip(":： ")[-LONGEST_CONTEXT:]
        self.named = ""

    def signs(self, text: str) -> bool:
        """Whether a sentence is the name of who signs, right behind ``Kind regards,``."""
        return self.signing and is_signature(text)

    def skip(self, text: str, reason: str) -> None:
        """A sentence was skipped; a greeting or refusal leaves the question open."""
        self.signing = reason == "greeting" and (self.signing or is_sign_off(text))
        if reason == "question":
            self.question = text
        elif reason == "fragment" and text.rstrip(" *_").endswith(COLONS):
            self.enter_section(text)
        elif reason == "fragment":
            self.named = text.strip(" .!…")[:LONGEST_CONTEXT]

    def claim(self, text: str, hypotheses: Sequence[str], fragment: Fragment | None) -> None:
        """The claims of a sentence were added; bare words leave the context open for more of them."""
        self.signing = False
        if fragment is None:
            self.last_claim = hypotheses[-1][-LONGEST_CONTEXT:]
            self.last_claims = " ".join(one.rstrip(".") + "." for one in hypotheses)[-LONGEST_CONTEXT:]
            self.named = ""
            if not self._answers(text):
                self.question = ""

    def context(self, text: str, fragment: Fragment | None) -> str:
        """What to put in front of a sentence that leaves it out; ``""`` where nothing is left out or known."""
        if self.question and self._answers(text):
            return " ".join(self.question.split())[-LONGEST_CONTEXT:] + " "
        if fragment is None:
            return f"{self.last_claims} " if self.last_claims and _SUMS_UP.match(text) else ""
        if self.last_claim:
            return self.last_claim + " "
        if scope := self.sections.scope(text, TitleDependence.LABEL):
            return scope
        title = self.title or (self.named if fragment is Fragment.TELLING else "")
        return f"{title}: " if title else ""

    def stated(self, text: str) -> str | None:
        """What a bare yes or no says of the question, as a sentence; ``None`` where it is no such answer."""
        return yes_no_statement(" ".join(self.question.split()), text) if self.question else None

    @staticmethod
    def _answers(text: str) -> bool:
        """Whether a sentence is an elliptical answer (``Yes, 30 days.``, ``18 is the maximum.``)."""
        short = len(text) <= _LONGEST_ELLIPSIS
        return short and bool(is_verbless(text) or _YES_NO.match(text) or is_figure_answer(text))


def preface_end(text: str) -> int:
    """Length of all that comes before the statement itself: ``Yes, according to the documents, in short: ``."""
    end = 0
    while step := preamble_end(text[end:]) or answer_end(text[end:]):
        end += step
    return end
