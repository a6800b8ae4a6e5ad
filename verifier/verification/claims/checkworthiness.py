"""Check-worthiness: why a sentence is no factual claim (question, greeting, opinion, instruction, ...), if it is none.

Skips only what is certainly no claim. Figures and dates always make one, whatever the sentence opens with.
"""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.verification.claims.opinions import TURNS, is_opinion
from verifier.verification.grammar.fragments import is_verbless
from verifier.verification.grammar.verbs import finite_verb, tokens_of
from verifier.verification.grammar.words import MONTHS_AND_WEEKDAYS, NUMERALS

__all__ = [
    "addresses_reader",
    "has_only_links",
    "is_open_answer",
    "is_sign_off",
    "is_signature",
    "is_source_title",
    "list_item_skip_reason",
    "lists_sources",
    "preamble_end",
    "skip_reason",
    "states_figures",
]

_FIGURE_WORDS = NUMERALS | (MONTHS_AND_WEEKDAYS - {"march", "may"}) | lexicon("half quarter twice percent")
_URL_ONLY = compiled_later(r"[<(]?(?:https?://|www\.)\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_QUESTION_END = compiled_later(r"[?？؟][\s!?*_~`)\]…]*$")
_QUOTED_QUESTION_END = compiled_later(r"[?？؟][!?]*[\"'”’»」』][)\s]*[.]?$")
_OPENS_QUESTION = compiled_later(
    r"\W*(?:who|what|when|where|why|how|which|whose|is|are|was|were|do|does|did|can|could|will|would|should|"
    r"has|have|had|may|shall)\b",
    re.IGNORECASE,
)

_NAME = r"(?:[ ,]+(?!that\b|the\b)[\w.'’-]+){0,3}"
_GREETING = compiled_later(
    rf"""(?:(?P<hail>(?:hello|hi|hey|greetings|welcome|dear|good\s(?:morning|afternoon|evening|day|night))(?:\sthere)?{_NAME})
    | (?:many\s)?thanks(?:\s(?:a\slot|so\smuch|again|in\sadvance|very\smuch))?
    | (?:thanks|thank\syou)(?:\s(?:so|very)\smuch|\sagain)?(?:\s(?:for|in)\s[\w'’ -]{{1,80}})?
    | you(?:'|’)?(?:re|\sare)\s(?:very\s|most\s)?welcome | my\spleasure | no\sproblem
    | (?:good)?bye(?:\sbye)? | see\syou(?:\s\w+)? | take\scare | cheers
    | (?:best|kind|warm)(?:\s\w+)?\s?(?:regards|wishes)? | regards
    | sincerely(?:\syours)? | yours\s(?:sincerely|truly)
    | (?:have|having)\sfun(?:\s\w+){{0,3}} | take\syour\stime(?:\sto\s\w+)? | enjoy(?:\s(?:it|your\s\w+))?
    | have\s(?:a|an)\s(?:\w+\s){{1,3}}(?:day|evening|weekend|time|one|trip|stay|journey)(?:\sahead)?
    | (?:that(?:'|’)?s\s(?:a|an)\s)?(?:great|good|excellent|interesting)\squestion
    | sure(?:\sthing)? | of\scourse | certainly | absolutely
    | okay | ok | alright | great | got\sit | understood
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSING = (
    r"(?:(?:(?:best|kind|kindest|warm|warmest|with)\s){1,3}(?:regards|wishes)|regards|(?:yours\s)?(?:sincerely|faithfully|truly)"
    r"(?:\syours)?|best|cheers|respectfully|cordially)"
)
_SIGN_OFF = compiled_later(rf"{_CLOSING}\s?[,!.–—-]\s*(?P<name>.*)", re.IGNORECASE | re.DOTALL)
_SIGNED = lexicon("of the and for at in on de von van your")
_LONGEST_VERB = 40
"""Code points in which the verb of an instruction stands."""
_LONGEST_SIGNATURE = 12
"""Words."""
_SOURCES_TITLE = compiled_later(
    r"(?:(?:the|my|our)\s)?(?:sources?|references?|citations?|bibliography|further\sreading)(?:\s(?:used|cited|consulted))?",
    re.IGNORECASE,
)
_SOURCE_NAME = r"""(?:(?:https?://|www\.)\S+|[\w./-]{1,80}\.(?:md|txt|pdf|docx?|html?|csv|tsv|jsonl?|xlsx?|pptx?)\b
    |(?:document|doc|source|passage|chunk)\s?\#?\d{1,3}\b)"""
_LINK_TEXT = compiled_later(r"\[([^\[\]\n]{1,60})\]\(")
_LINKS = compiled_later(
    r"(?:[-*+]\s)?(?:\*\*)?(?:(?P<label>[^\W\d_][^:\[\]\n]{0,40}):)?(?:\*\*)?(?:\s?[,;|·&]?\s?\[[^\[\]\n]{1,60}\]\([^()\s]{1,500}\)){1,9}\.?"
)
_POINTS = compiled_later(r"[\s:]*(?:see|cf\.)\s", re.IGNORECASE)
_SOURCE_LIST = compiled_later(
    rf"""(?::?\s*(?:see|cf\.)\s|{_SOURCES_TITLE.pattern}\s?:)?\s*
    {_SOURCE_NAME}(?:[\s,;.&•·|-]|and\b|\((?:section|page|pages|p\.|pp\.|§)\s?[\d.–-]{{1,12}}\)|{_SOURCE_NAME})*""",
    re.IGNORECASE | re.VERBOSE,
)
_META = compiled_later(
    r"""(?:
      (?:(?:i|we)\s(?:do\s)?(?:sincerely\s)?)?hope\s(?:this|that|it|you|the)\b[^:;,]*
        (?:help|useful|clear|clarif|well|enjoy|answer|great|wonderful|good|safe)[^:;,]{0,60}
    | (?:please\s)?let\s(?:me|us)\sknow\b.*
    | (?:please\s)?(?:do\snot\shesitate|don(?:'|’)t\shesitate|feel\sfree)\sto\s
        (?:contact|ask|reach|let|e-?mail|call|get|write|message)\b.*
    | (?:here(?:'|’)?s|here\s(?:is|are)|below\s(?:is|are))\s(?:[\w-]+\s){0,5}
        (?:summary|overview|answer|list|details|information|points|facts|steps|breakdown|explanation|response|what)
        \b[^.:,]*
    | (?:i|we)(?:\s(?:would|will)|(?:'|’)(?:d|ll|m|re)|\sam|\sare)?\s(?:be\s)?(?:happy|glad|pleased)\sto\s
        (?:help|assist|answer|provide|explain|clarify|discuss|share|elaborate)\b.*
    | if\s(?:you\s(?:have|need|want|would\slike)|there(?:'|’)?s?\s(?:is\s)?anything)\s(?:any\s|more\s)?
        (?:\w+\s){0,4}(?:questions?|help|assistance|information|details|else|concerns?)\b
        (?:\s(?:about|on|with|regarding)\s[\w\s]{1,60})?
        (?:,?\s(?:please|just|feel|let|do\snot|don(?:'|’)t|contact|ask|reach|call|email)\b.*)?
    | (?:in\s(?:summary|short|conclusion|brief)|to\s(?:summari[sz]e|sum\sup|conclude)|summary|answer
        |response)\s?[:,]?
    | (?:based\son|according\sto)\s(?:the|your)\s(?:\w+\s){0,2}(?:context|documents?|information|sources?
        |text)\s?[:,]?
    | i(?:(?:'|’)ll|\swill)\s(?:explain|describe|summari[sz]e|list|outline|answer|help|look|check)\b.*
    | as\s(?:an\sai|a\slanguage)\b.*
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_PRESENTS = compiled_later(
    r"(?:(?:here|below)(?:(?:'|’)s|\s(?:is|are))|these\sare|(?:there\sare|i\sfound)\sa\sfew)\b[^.:,\d]{0,120}:",
    re.IGNORECASE,
)
"""``Here are the three steps:``; the colon says that the facts are still to come."""
_REFUSAL = compiled_later(
    r"""(?:(?:i(?:'|’)m|i\sam|we(?:'|’)re|we\sare)\s(?:\w+\s)?sorry|unfortunately|sorry|apologies)?[,.]?\s?(?:but\s)?
    (?: i\s(?:\w+\s)?(?:cannot|can(?:'|’)t|can\snot|couldn(?:'|’)t|could\snot|don(?:'|’)t|do\snot)\s(?:\w+\s){0,2}?
          (?:know|find|answer|help|confirm|say|tell|assist|see|determine|access|provide)\b.*
      | i(?:\sam|(?:'|’)m|\swas)\s(?:\w+\s)?(?:not\sable|unable)\sto\b.*
      | (?:i|we)\s(?:\w+\s)?(?:don(?:'|’)t|do\snot|cannot|can(?:'|’)t)\s(?:\w+\s)?have\s(?:\w+\s){0,4}
          (?:information|details|data|access|knowledge|context|answer|sources?|documents?)\b.* )
    | (?:(?:i(?:'|’)m|i\sam|we(?:'|’)re|we\sare)\s(?:\w+\s)?)?sorry(?:\s(?:for|about|to\shear)\b.*)?
    | (?:my|our)\sapologies.*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SMALL_TALK = compiled_later(
    r"""(?:(?:yes|no|oh|wow|well|ah|hm+|yeah|haha|really|honestly|actually)[,!.]?\s){0,2}
    (?: me\s(?:too|neither|either) | (?:so|neither)\s(?:do|did|am|have|can|would)\si
      | i\s(?:do|did|can|will|have|am|would|could|should|might)(?:n(?:'|’)t|\snot)?(?:\s(?:too|either|as\swell))?
      | i\s(?:really\s)?can(?:'|’)?t(?:\seither)? | i\swon(?:'|’)t(?:\seither)?
      | i(?:(?:'|’)m|\sam)\s(?:not\s)?(?:so\s|too\s|really\s|quite\s|pretty\s)?sure(?:\s(?:about\s(?:it|that)|either))?
      | i\s(?:(?:do\snot|don(?:'|’)t|did\snot|didn(?:'|’)t|really|also|certainly)\s)?
          (?:think|believe|hope|guess|suppose|agree|see|know|knew|understand|remember)
          (?:\s(?:so(?:\stoo)?|not|too|either|it|that|with\s(?:you|that)|what\syou\smean))?
      | i\snever\sknew\s(?:that|it)
      | i(?:(?:'|’)ve|\shave)\s(?:(?:never|not|also|already)\s)?(?:heard\s(?:of|about)|seen|read|tried)\s
          (?:it|that|this|them|him|her)(?:\s(?:before|too|either))?
      | you\s(?:really\s|definitely\s)?should(?:\stoo)? | you(?:(?:'|’)re|\sare)\s(?:absolutely\s|quite\s)?right
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a speaker says of nobody but the two who talk: ``Me too!``, ``I'm not sure.``, ``I never knew that.``"""

_IMPERATIVES = lexicon("""
    ask browse call check choose click complete confirm consult contact copy create don't download email
    ensure explore fill find follow go log look make navigate note paste pick press read refer register
    remember review scroll search see select send sign submit tap tell type verify visit write
    """)
"""Verbs that tell the reader what to do in a conversation or on a screen. What one does with the thing itself
(take, use, store, avoid, keep) is left out: ``Take the tablet with food`` can be wrong."""
_POLITE_IMPERATIVES = _IMPERATIVES | lexicon("""
    be bear click close connect consider enter get give have include install join
    open print provide remove replace reply report request restart return run save set share
    start submit switch try turn update upload wait watch
    """)
_INTERFACE_VERBS = lexicon("click select tap press open go navigate log choose scroll type enter")
_PLEASE = compiled_later(
    r"(?:(?:so|then|next|first|finally|also|now|just|simply)[ ,]+)?(?:please|kindly)[ ,]+", re.I
)
_THEN = compiled_later(
    r"(?:so|then|next|first|second|third|finally|also|now|just|simply|always|never)[ ,]+", re.I
)
_CONDITION = compiled_later(r"(?:if|when|before|after|once|for|to)\s[^,.]{1,80},\s", re.IGNORECASE)
_GIVEN = r"(?:provided|given|supplied|available|above|retrieved|relevant|attached|uploaded|shared|source|reference)"
_DOCUMENTS = rf"""(?:(?:the|your|our|these|this)\s)?(?:information\sin\s(?:the|your|these)\s)?(?:{_GIVEN}\s){{0,2}}
    (?:(?:context|documents|documentation|information|sources|text|knowledge\sbase|passages|excerpts|files)
      |(?:document|source|passage|excerpt|file)(?:\s\d{{1,3}})?)
    (?:\s(?:{_GIVEN}|below|(?:that\s)?you\s(?:have\s)?(?:provided|shared|gave\sme)))?"""
"""The documents that a response is written from, named as such: ``the provided context``, ``source 2``."""
_PREAMBLE = compiled_later(
    rf"""(?:(?:note|important|please\snote|tip|warning|caution|reminder|n\.?b\.?)\s?:\s+)?
    (?:(?:please\s|kindly\s)?(?:also\s)?
      (?:note|remember|keep\sin\smind|bear\sin\smind|be\s(?:aware|advised)|be\sinformed|know)(?:\sthat|:)
    | (?:i|we)\s(?:think|believe|feel|guess|suppose|assume|understand|would\ssay)(?:\sthat)?
    | (?:in\smy\s(?:humble\s)?(?:opinion|view|experience)|personally|to\sme
        |as\sfar\sas\si\s(?:know|can\stell))\s?,?
    | (?:un)?(?:fortunately|luckily|happily|gladly|sadly|obviously|clearly|evidently|naturally|certainly|undoubtedly
        |indeed|honestly|frankly|actually|surely)\s?,
    | (?:needless\sto\ssay|of\scourse|trust\sme|believe\sme|rest\sassured|no\sdoubt|without\sa\sdoubt
        |as\s(?:you|we|everyone)\s(?:all\s)?(?:may\s|might\s|surely\s|probably\s)?(?:knows?|remember|see))\s?,
    | (?:it\sis|it(?:'|’)s)\s(?:well\sknown|common\sknowledge|no\ssecret|no\swonder|obvious|clear)\sthat
    | (?:it\sis|it(?:'|’)s)\s(?:(?:important|worth)\s(?:to\snote|noting|to\sremember)|true)\sthat
    | (?:according\sto|based\son|as\sper|per|as\s(?:stated|mentioned|described|noted|explained|outlined)\sin)\s+
        (?:{_DOCUMENTS}|(?:the\s(?:document|file)\s)?[^\s,]{{1,80}}\.(?:md|txt|pdf|docx?|html?|csv|tsv|jsonl?|xlsx?|pptx?))?\s*,
    | {_CLOSING}\s?,(?=\s)
    | as\s(?:(?:i|we)\s)?(?:mentioned|noted|stated|said|explained)(?:\s(?:above|before|earlier|previously))?\s?,
    | (?:to\s(?:summari[sz]e|sum\sup|conclude|recap)|in\s(?:summary|short|brief|conclusion))\s?[,:]
    | (?:you(?:'|’)ll|you\swill)\sbe\s(?:glad|happy|pleased)\sto\s(?:hear|know)\sthat
    | (?:i|we)(?:\s(?:can|must|want\sto|would\slike\sto)|(?:'|’)(?:m|re|d\slike\sto)|\sam|\sare)?\s
        (?:(?:happy|glad|pleased|able|sorry)\sto\s)?(?:say|confirm|report|inform\syou|tell\syou|assure\syou)\sthat
    | dear\s(?:sir\sor\smadam|[\w.]{{1,20}}(?:\s[\w.]{{1,20}}){{0,2}}),(?=\s\S)
    | (?<=:)|(?<=:\s)|(?<=:\s\s)|(?<=:\s\s\s))\s*(?=\S)""",
    re.IGNORECASE | re.VERBOSE,
)


def skip_reason(sentence: str) -> str | None:
    """Why a sentence is no factual claim.

    Args:
        sentence: one sentence without markup.

    Returns:
        ``markup`` (no letter or digit), ``url only``, ``question``, ``greeting``, ``refusal``, ``meta``,
        ``instruction`` or ``opinion``; ``None`` for a claim.

    >>> skip_reason("Please contact our support team."), skip_reason("You must return items within 30 days.")
    ('instruction', None)
    """
    plain = " ".join(sentence.split()).strip("*_~` ")
    if not any(map(str.isalnum, plain)):
        return "markup"
    bare = plain.rstrip(".!:,;… ").lstrip(": ").strip("\"“”'’")
    if _URL_ONLY.fullmatch(bare):
        return "url only"
    if _is_question(plain):
        return "question"
    if _PRESENTS.fullmatch(plain):
        return "meta"
    if len(bare) > 400 or states_figures(bare):
        return None
    checks = (
        ("greeting", _is_greeting),
        ("greeting", is_sign_off),
        ("refusal", _is_refusal),
        ("meta", _is_meta),
        ("opinion", is_opinion),
        ("instruction", _is_instruction),
    )
    return next((reason for reason, test in checks if test(bare)), None)


def states_figures(text: str) -> bool:
    """Whether numbers, number words, months or weekdays occur; the digit of a code (``C4``) is none."""
    return any(form[0].isdigit() or form in _FIGURE_WORDS for _, _, form in tokens_of(text))


def addresses_reader(text: str) -> bool:
    """Whether a sentence begins by telling the reader to do something: ``Please contact us``, ``Visit our site``."""
    polite = _PLEASE.match(text)
    tokens = tokens_of(text[polite.end() if polite else 0 :][:_LONGEST_VERB])
    return bool(tokens) and (polite is not None or tokens[0][2] in _IMPERATIVES)


def preamble_end(sentence: str) -> int:
    """Length of what only introduces the claim (``Please note that ``); 0 where nothing does.

    >>> preamble_end("Please note that refunds take 30 days.")
    17
    """
    match = _PREAMBLE.match(sentence)
    return match.end() if match else 0


def is_sign_off(text: str) -> bool:
    """Whether a sentence is a sign-off and the one who signs: ``Kind regards, Tom Baker``; a statement is none."""
    sign_off = _SIGN_OFF.fullmatch(text.strip() + ",")
    return sign_off is not None and is_signature(sign_off["name"])


def is_signature(text: str) -> bool:
    """Whether a text may be the name, office or firm of who signs: capitalised words without a verb or figure."""
    tokens = tokens_of(text)
    return (
        len(tokens) <= _LONGEST_SIGNATURE
        and all(text[start].isupper() or form in _SIGNED or form == "," for start, _, form in tokens)
        and is_verbless(text)
        and not states_figures(text)
    )


def is_source_title(title: str) -> bool:
    """Whether what stands below a title are the sources of the response (``References:``)."""
    return _SOURCES_TITLE.fullmatch(title.strip(":： ")) is not None


def lists_sources(text: str, *, titled: bool) -> bool:
    """Whether a sentence only names documents or addresses, ``titled`` or under its own title as sources.

    >>> lists_sources("Sources: plans.md, about.md", titled=False), lists_sources("Sources: wind", titled=False)
    (True, False)
    """
    found = _SOURCE_LIST.fullmatch(" ".join(text.split()))
    return found is not None and bool(titled or _POINTS.match(text) or _SOURCES_TITLE.match(text.strip()))


def has_only_links(source: str) -> bool:
    """Whether a sentence, as it is written, is a label and links, and says nothing: ``Leaflet: [PDF](https://...)``.

    >>> has_only_links("Leaflet: [PDF](https://a.b/c.pdf)"), has_only_links("The fee is [5 EUR](https://a.b/c)")
    (True, False)
    """
    found = _LINKS.fullmatch(" ".join(source.split()))
    said = found is not None and f"{found['label'] or ''} {' '.join(_LINK_TEXT.findall(source))}"
    return bool(said) and is_verbless(str(said)) and not states_figures(str(said))


def _is_question(plain: str) -> bool:
    if _QUOTED_QUESTION_END.search(plain):
        return plain[0] in "\"'“‘«「『" or bool(_OPENS_QUESTION.match(plain))
    return bool(_QUESTION_END.search(plain))


def _is_greeting(bare: str) -> bool:
    """One greeting, or several between commas: ``Hello Sam, thank you for your message``."""
    return _is_one_greeting(bare) or all(_is_one_greeting(part.strip()) for part in bare.split(","))


def _is_one_greeting(bare: str) -> bool:
    match = _GREETING.fullmatch(bare)
    if match is None:
        return False
    return match["hail"] is None or finite_verb(bare, tokens_of(bare), 1) is None


def _is_refusal(bare: str) -> bool:
    match = _REFUSAL.fullmatch(bare)
    if not match:
        return False
    turn = TURNS.search(bare, 24 if "sorry" in bare[:24].lower() else 0)
    return turn is None


def _is_meta(bare: str) -> bool:
    return bool(_META.fullmatch(bare) or _SMALL_TALK.fullmatch(bare)) and not TURNS.search(bare)


def _is_instruction(bare: str) -> bool:
    if _PREAMBLE.match(bare):
        return False
    polite = _PLEASE.match(bare)
    core = bare[polite.end() :] if polite else bare
    if not polite and (condition := _CONDITION.match(core)):
        core = core[condition.end() :]
        polite = _PLEASE.match(core)
        core = core[polite.end() :] if polite else core
    if step := _THEN.match(core):
        core = core[step.end() :]
    tokens = tokens_of(core)
    verbs = _POLITE_IMPERATIVES if polite else _IMPERATIVES
    if tokens and tokens[0][2] in ("note", "remember") and finite_verb(core, tokens, 1) is not None:
        return False
    if not tokens or tokens[0][2] not in verbs or _names_something(core, tokens):
        return False
    if TURNS.search(core) or re.search(r",\s(?:which|who|as|and\s(?:the|it|they|we))\b", core):
        return False
    return polite is not None or not _has_subject(core, tokens)


def _names_something(text: str, tokens: list[tuple[int, int, str]]) -> bool:
    """A capitalised word inside an instruction (other than a button's label) may be a fact about a name."""
    if tokens[0][2] in _INTERFACE_VERBS:
        return False
    return any(text[start].isupper() and form != "i" for start, _, form in tokens[1:])


def _has_subject(text: str, tokens: list[tuple[int, int, str]]) -> bool:
    """Whether the first word is a noun with a verb of its own behind it (``Check fees are waived``)."""
    verb = finite_verb(text, tokens, 1)
    if verb is None or tokens[0][2] in ("make", "ensure", "verify", "check"):
        return False
    return not any(form in ("you", "that", "if", "when", "it", "they") for _, _, form in tokens[1:verb])


# -- answers and list items ------------------------------------------------------------------------------------

_LEAVES_OPEN = compiled_later(
    r"(?:perhaps|maybe|possibly|(?:it|that)(?: all)? depends(?: (?:up)?on [^.,;:\d]{1,40})?)[.!…]*",
    re.IGNORECASE,
)
"""Answers that say nothing: what the question asks must not be put down to them."""


def is_open_answer(text: str) -> bool:
    """Whether an answer says nothing."""
    return _LEAVES_OPEN.fullmatch(text.strip()) is not None


def list_item_skip_reason(text: str) -> str | None:
    """Why an item that its introduction makes a sentence of is still no claim."""
    reason = skip_reason(text)
    return reason if reason in ("markup", "question", "url only") else None
