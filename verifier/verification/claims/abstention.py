"""Abstentions: whether a sentence says that the sources, or the speaker, do not tell something, and of what.

``The documents do not say how old the mill is`` is about the documents that were given, and nothing in them can
confirm or deny it as they would a statement about the mill. ``The policy does not mention pets`` is about a thing of
the world, and a claim. What a sentence speaks of decides: the given sources by their names, or ``I`` and ``we``.
A sentence is matched without what it opens with (:data:`_OPENING`); ``rest`` and its likes are what names the topic.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later

__all__ = ["ABSTENTION", "Abstention", "SentencePart", "abstention_in", "is_null_value", "split_abstentions"]


# -- patterns --------------------------------------------------------------------------------------------------


def _one_of(words: str) -> str:
    """A pattern of words, or of phrases with ``_`` for a space."""
    return "(?:" + "|".join(words.replace("_", r"\s").split()) + ")"


def _pattern(text: str) -> re.Pattern[str]:
    return compiled_later(text, re.IGNORECASE | re.VERBOSE | re.DOTALL)


# -- the given sources ----------------------------------------------------------------------------------------

_HANDED = _one_of("provided given supplied retrieved uploaded attached shared")
_GIVEN = _one_of(
    "provided given supplied retrieved uploaded attached shared available present above relevant source reference"
)
_CERTAIN = _one_of("""
    contexts? sources? texts? passages? excerpts? extracts? snippets? knowledge_base search_results
    materials? documentation
    """)
"""Nouns that stand for what an answer is written from wherever a sentence is about what they say."""
_PAPER = _one_of("documents? articles? files? pages? papers? records? paragraphs?")
_TRAIL = (
    r"(?:\s(?:(?:that|which)\s)?"
    r"(?:(?:you|i|we)(?:['’]ve|\shave|\swas|\swere)?\s|(?:was|were|has\sbeen|have\sbeen)\s)?"
    rf"(?:{_HANDED}|gave|sent|have|found|cited|above|below|at\shand|available)"
    r"(?:\s(?:(?:to\s)?(?:me|us)|here|with))?)"
)
_OUR = _one_of("the these those this that your my our")
_DET = rf"(?:(?:any|either|all|each|most|both|one)\s(?:of\s)?)?(?:{_OUR}\s)?"
_FIRM = rf"{_DET}(?:{_GIVEN}\s){{0,3}}{_CERTAIN}(?:\s\d{{1,2}})?{_TRAIL}?"
_WEAK = (
    r"(?:(?:the|these|those|this|your|my|our|either|both|neither|any)\s(?:of\sthe\s)?"
    rf"(?:{_GIVEN}\s){{0,3}}|(?:{_GIVEN}\s){{1,3}}){_PAPER}{_TRAIL}?"
)
_ANY_GIVEN = (
    rf"(?:(?:the|these|this|your)\s(?:\w+\s)?{_HANDED}\s(?:[\w-]+\s){{0,2}}?[\w-]+"
    rf"|(?:the|this|these)\s[\w-]+{_TRAIL})"
)
_SOURCE = rf"(?:{_FIRM}|{_WEAK}|{_ANY_GIVEN})"
"""The sources that an answer is written from; ``the policy`` is none, ``the policy provided`` is."""

# -- telling --------------------------------------------------------------------------------------------------

_SAY = _one_of("""
    say state mention specify indicate tell reveal disclose discuss describe explain address clarify detail
    define elaborate report note refer talk speak answer confirm identify comment touch shed make_clear
    make_it_clear go_into allow enable permit let support establish suggest give provide list cover name
    show present offer supply set_out
    """)
_HOLD = _one_of("contain include have hold carry feature")
_SAYS = _one_of("""
    says states mentions specifies indicates tells reveals discloses discusses describes explains addresses
    clarifies details gives provides lists covers names shows refers answers contains includes
    """)
_STATED = _one_of("""
    specified mentioned stated given provided available included contained covered discussed addressed found
    described disclosed indicated listed present known clear detailed explained answered determined named
    revealed noted recorded defined reported shown to_be_found supported there in
    """)
_STATED_AND_NO_MORE = _one_of("specified stated mentioned indicated")
_INFO = _one_of("""
    information info details? mention references? indication answers? data specifics evidence facts?
    statements? figures? entry entries description discussion explanation clues? hints? word anything
    content knowledge record
    """)
_SURE_INFO = _one_of("information info details? mention answers? data specifics indication anything")
_KIND = r"(?:[\w-]+\s){0,3}?"
_NOT = r"(?:n['’]t|\snot)"
_ADVERBS = _one_of("""
    explicitly directly specifically actually clearly currently exactly even really yet otherwise further
    simply seem_to appear_to at_any_point
    """)
_ADVERB = rf"(?:\s{_ADVERBS})?"
_DENIES = rf"(?:(?:do|does|did|could|can|would){_NOT}|cannot|never|fails?\sto|failed\sto){_ADVERB}"
_WH = r"(?:how|when|where|who|whom|whose|what|which|why|whether|if)\b"
_ABOUT = (
    r"(?:about|on|of|regarding|concerning|as\sto|for|relating\sto|related\sto|with\sregards?\sto|in\srelation\sto|to"
    r"|around|into|from|indicating|suggesting|describing|specifying|stating|that\s(?:would|could|can)\s\w+"
    r"|(?:needed\s|necessary\s)?to\s\w+)"
)
_IN = rf"(?:in|by|from|within)\s{_SOURCE}"
_FROM = rf"(?:\s(?:from|with|based\son|by|in|using)\s{_SOURCE})?"

# -- sentences ------------------------------------------------------------------------------------------------

_CUE = re.compile(
    r"\b"
    + _one_of(r"""
    not cannot no none nothing neither nor never nowhere unable silent mute lacks? omits? fails? failed unknown unclear
    uncertain impossible insufficient unspecified undisclosed unanswerable unsure null nil leaves? too_little vague
    n\s?/\s?a n\.a
    """)
    + r"\b|n['’]t\b",
    re.IGNORECASE,
)
"""No sentence of these forms is without one of these words."""
_OPENING = _pattern(rf"""
    (?:(?:i['’]?m|i\sam|we['’]?re|we\sare)\s)?(?:(?:very\s|so\s|truly\s)?sorry|afraid)
      (?:\sto\ssay)?(?:\sthat)?[,.;:–—-]*\s(?:but\s)?
    | (?:my\s|our\s)?apologies[,.;:–—-]*\s(?:but\s)?
    | (?:unfortunately|regrettably|sadly|however|but|and|still|yet|also|(?:please\s)?note\sthat|it\sseems\s(?:that\s)?
        |as\sfar\sas\si\s(?:know|can\s(?:see|tell)))[,:]*\s
    | (?P<based>(?:based\son|according\sto|from|in|given|within|judging\sby|going\sby|with|per|as\sper|using)
        \s{_SOURCE}(?:\salone)?,?\s)""")
_BARE = _pattern(rf"""
    n\s?/\s?a|n\.a\.|none\s(?:given|stated|mentioned|provided|specified|found|available)|null|nil\sreturned
    | unknown|undisclosed|unanswerable|unspecified|no\sidea|(?:i(?:['’]m|\sam)\s)?(?:not\ssure|unsure)|unclear
    | (?:(?:that|this|it)\s(?:is|was)\s)?not\s(?:{_STATED}|applicable|answerable|in\sthe\sdata)
      (?:\s(?:anywhere\s)?(?:in|by|from|within|on)\s{_SOURCE})?
    | (?:there(?:['’]s|\sis)\s)?(?:insufficient|not\senough|too\slittle|no)\s{_KIND}
      (?:{_SURE_INFO}|context|match(?:es)?|results?|evidence)
      (?:\s(?:is|are|was|were|could\sbe|can\sbe|has\sbeen))?
      (?:\s(?:{_STATED}|to\sanswer(?:\s(?:this|that|the|your)\squestion)?))?(?:\s{_IN})?
    | can(?:not|['’]t|\snot)\s(?:be\s)?(?:answer(?:ed)?|determined?|say|tell)(?:\s(?:this|that|the\squestion))?{_FROM}
    | (?:(?:the|this|that|your)\s)?(?:question|query)\s(?:cannot|can['’]t|can\snot|could\snot|is\snot)\s(?:be\s)?
      (?:answered|answerable|covered){_FROM}""")
"""Answers that say no more than this."""
_ACTIVE = _pattern(rf"""
    (?:(?P<firm>{_FIRM}|{_ANY_GIVEN})|(?P<weak>{_WEAK}))(?:\s(?:itself|themselves|alone))?
    (?:,\s(?:however|unfortunately|though),)?\s
    (?: {_DENIES}\s(?:{_SAY}|(?P<hold>{_HOLD}))(?P<rest>.*)
      | (?:only\s)?(?:contains?|includes?|has|have|holds?|gives?|provides?|makes?|offers?|shows?|lists?)\s
        (?:no|little|insufficient)\s{_KIND}{_INFO}(?P<rest2>\b.*)
      | (?:lacks?|omits?|leaves?\sout|leaves?\sopen)(?P<rest3>\b.*)
      | (?:is|are|remains?|stays?)\s(?:silent|mute|not\s(?:clear|explicit|specific)|unclear|vague)(?P<rest4>\b.*)
      | (?:is|are)\s(?:not\s(?:enough|sufficient)|insufficient)(?P<rest5>\b.*)
      | (?:only\s)?(?:says?|states?|mentions?|tells?|contains?|reveals?|provides?|has|have|gives?)\s(?:us\s)?
        nothing(?P<rest6>\b.*)
      | (?:neither|does\snot|do\snot)\s(?:confirms?|states?|says?|supports?)\s(?:or|nor)\s
        (?:deny|denies|dispute|rule\sout|contradict|refute)s?(?P<rest7>\b.*) )""")
_NONE_OF = _pattern(rf"""
    (?:(?:none|neither|nothing|nowhere|not\sone)\s(?:(?:of|in|from|within)\s)?(?:{_SOURCE}|{_CERTAIN}|{_PAPER})
      | no\s(?:{_GIVEN}\s)?(?:{_CERTAIN}|{_PAPER}))\s
    (?:(?:here|that\si\s(?:have|found))\s)?
    (?:{_SAYS}|{_SAY}|(?:is|are|was|were)\s(?:said|stated|told|mentioned))(?P<rest>\b.*)
    | nothing\sis\s(?:said|stated|told|mentioned)(?:\s(?:here|there))?(?P<rest2>\s(?:in|about|on|of|regarding)\b.*)""")
_THERE = _pattern(rf"""
    there(?:['’]s|\s(?:is|are|seems\sto\sbe|appears\sto\sbe))(?:{_NOT})?\s
    (?:no|any|enough|sufficient|insufficient|not\senough)\s{_KIND}(?P<info>{_INFO})
    (?P<rest>(?:\s(?:(?:available|given|provided|found)\b|{_ABOUT}\b|(?:in|within)\s{_SOURCE}|{_WH}|that\b).*)?)
    | there(?:['’]s|\sis)\s(?:nothing|no\s\w+)
    (?P<rest2>(?:\s(?:said|given|written|mentioned))?\s(?:in|within)\s{_SOURCE}\b.*)""")
_NO_INFO = _pattern(rf"""
    (?:no|insufficient|not\senough)\s{_KIND}(?P<info>{_INFO})(?P<before>(?:\s{_ABOUT}\s.*?)?)
    \s(?:is|are|was|were|could\sbe|can\sbe|has\sbeen|have\sbeen)\s(?:{_STATED}|made|located)
    (?P<rest>(?:\s(?:{_ABOUT}\b|(?:in|within|by)\s{_SOURCE}).*)?)
    | (?:no|insufficient|not\senough)\s{_KIND}(?P<info2>{_SURE_INFO})
    (?P<rest2>\s(?:about|on|regarding|concerning|as\sto|(?<=mention\s)of|in\s{_SOURCE}).*)""")
_PASSIVE = _pattern(rf"""
    (?P<topic>.+?)\s(?P<be>is|are|was|were|has\sbeen|have\sbeen|could|can)(?:{_NOT}|not|['’]t|\snever|\snowhere)
    {_ADVERB}(?:\sbe(?:en)?)?\s(?P<told>{_STATED})(?P<rest>\b.*)""")
_IMPERSONAL = _pattern(rf"""
    it(?:['’]s|\s(?:is|was|remains))\s(?:unclear|unknown|uncertain|impossible|not\s(?:{_ADVERBS}\s)?)?
    (?:\s?(?:clear|possible|known|{_STATED_AND_NO_MORE}|evident|apparent))?(?P<rest>\b.*)""")
_SPEAKER = _pattern(r"""
    (?:(?P<i>i)|we|you)(?:['’](?:m|re)|\sam|\sare|\swas|\swere|\shave|['’]ve)?\s
    (?:really\s|simply\s|honestly\s|currently\s|still\s)?
    (?: (?:(?:do|did|could|can|would)(?:n['’]t|\snot)|cannot|not\s(?:been\s)?able\sto|unable\sto|not|never)\s
        (?:really\s|actually\s|currently\s|reliably\s|definitively\s|yet\s)?
        (?: (?P<know>know|find|found|determine|tell|say|locate|see|identify|establish|verify|confirm|sure|certain
              |answer|provide|give|come\sacross)
          | (?:have|hold|possess)\s(?:[\w-]+\s){0,4}?(?:information|info|details?|access|data|knowledge|context
              |answers?|sources?|documents?|evidence|means) )(?P<rest>\b.*)
      | (?:found|saw|see|have|find)\s
        (?P<none>no\s(?:[\w-]+\s)?(?:information|info|details?|mention|data|answers?|evidence)|nothing)
        (?P<rest2>\b.*) )""")

# -- detection -------------------------------------------------------------------------------------------------

ABSTENTION = "abstention"
"""The reason to skip a span that says that something is not told."""
_LONGEST = 600
"""Code points of a sentence that is looked through; models abstain in few words."""


class Abstention(NamedTuple):
    """``topic`` is what is left untold, as the sentence names it; ``""`` where it names nothing."""

    topic: str


class SentencePart(NamedTuple):
    """``sentence[start:end]``, and what it abstains from, if it does."""

    start: int
    end: int
    abstention: Abstention | None


_LABELLED = re.compile(r"(?P<label>[^:\n]{1,80}?)\s?[:：=]\s*(?P<value>[^:]+)")
_TURN = re.compile(
    r"[,;:.—–-]*\s+(?:but|however|though|although|yet|while|whereas|except\sthat|only\sthat|nevertheless|still)\b,?\s+",
    re.IGNORECASE,
)
_JOIN = re.compile(r";\s+|,?\s+(?:and|so)\s+", re.IGNORECASE)
_SUBJECT = compiled_later(_SOURCE, re.IGNORECASE)
_DENIAL = compiled_later(rf"{_DENIES}\s", re.IGNORECASE)
_CONCEDES = re.compile(r"(?:while|although|though|whereas|even\sthough)\s", re.IGNORECASE)
_DOCUMENT_TOPIC = compiled_later(
    rf"\s*(?:anywhere\s)?\b(?:in|by|from|within|on(?:\sthe\sbasis\sof)?|with|using|based\son|given)\s{_SOURCE}\b"
    r"|\s+(?:here|anywhere|at\sall|either)\b",
    re.IGNORECASE,
)
_FILLER = compiled_later(
    rf"(?:(?:{_ABOUT}|{_INFO}|me|us|to|say|tell|know|determine|answer|anything|that|any|explicitly|directly|specific"
    r"|more|enough|for\ssure|certain|exactly)\b[\s,]*)+",
    re.IGNORECASE,
)
_NO_TOPIC = re.compile(
    r"(?:(?:answer\s)?(?:this|that|it|the\sanswer|your\squestion|the\squestion|this\squestion|so|an?\sanswer"
    r"|(?:the|this|that|any|such)\s(?:information|detail)s?"
    r"|an?\sanswer\sto\s(?:this|that|the|your)(?:\squestion)?)|)[\s.!]*",
    re.IGNORECASE,
)
_LEADS_TO_QUESTION = compiled_later(
    rf"(?:.{{0,60}}?\b(?:{_INFO}|say|tell|know|determine|answer|sure|certain|clear|silent)\b)?\s*"
    rf"(?:{_ABOUT}\s+|exactly\s+|me\s+|us\s+)*(?P<wh>{_WH}.*)",
    re.IGNORECASE | re.DOTALL,
)
_NOUNS_OF_MENTION = lexicon("mention reference references")
"""What some text bears, which ``in`` may name (``no mention of women in the law``)."""
_WE_ONLY = lexicon("know find found determine tell locate establish sure certain")


def is_null_value(text: str) -> bool:
    """Whether a value stands for none: ``N/A``, ``not specified``, ``unknown``.

    >>> is_null_value("Not specified."), is_null_value("None of the rooms")
    (True, False)
    """
    return _BARE.fullmatch(_without_marks(text)) is not None


def abstention_in(text: str) -> Abstention | None:
    """What a text says is not told by the sources; ``None`` where it makes a statement.

    >>> abstention_in("The document contains no information about the weight of the heron.")
    Abstention(topic='the weight of the heron')
    >>> abstention_in("I'm sorry, but the provided sources do not say how heavy a heron is.").topic
    'how heavy a heron is'
    >>> abstention_in("The policy does not mention pets."), abstention_in("There is no lift in the museum.")
    (None, None)
    """
    if len(text) > _LONGEST or not _CUE.search(text):
        return None
    bare = _without_marks(text)
    sourced = False
    while opening := _OPENING.match(bare):
        sourced = sourced or bool(opening["based"])
        bare = bare[opening.end() :]
    if not bare:
        return None
    if _BARE.fullmatch(bare):
        return Abstention("")
    labelled = _LABELLED.fullmatch(bare)
    if labelled and is_null_value(labelled["value"]):
        return Abstention(labelled["label"].strip())
    for read in (_active, _none_of, _there, _no_info, _speaker, _impersonal, _passive):
        topic = read(bare, sourced)
        if topic is not None:
            return Abstention(_tidied(topic))
    return None


def split_abstentions(sentence: str) -> list[SentencePart] | None:
    """A sentence cut where an abstention and a statement meet (``They do not say, but ...``); ``None`` where nothing
    in it abstains. The pieces cover the sentence but for white space between them.

    >>> text = "The sources do not give the weight, but the heron nests in reeds."
    >>> [(text[piece.start : piece.end], bool(piece.abstention)) for piece in split_abstentions(text)]
    [('The sources do not give the weight, but', True), ('the heron nests in reeds.', False)]
    """
    if len(sentence) > _LONGEST or not _CUE.search(sentence):
        return None
    if conceded := _CONCEDES.match(sentence):
        comma = sentence.find(", ", conceded.end())
        while comma >= 0:
            found = abstention_in(sentence[conceded.end() : comma])
            if found:
                return [SentencePart(0, comma + 1, found), SentencePart(comma + 2, len(sentence), None)]
            comma = sentence.find(", ", comma + 1)
    for cut in (_TURN, _JOIN):
        for match in cut.finditer(sentence):
            left, right = sentence[: match.start()], sentence[match.end() :]
            first, last = abstention_in(left), abstention_in(right) or _gapped(left, right)
            if not (first or last) or not _stands_alone(right):
                continue
            if first:
                end = match.end() - len(match[0]) + len(match[0].rstrip())
                return [SentencePart(0, end, first), SentencePart(match.end(), len(sentence), last)]
            start = match.start() + len(match[0]) - len(match[0].lstrip(" ,;:.—–-"))
            return [SentencePart(0, start, None), SentencePart(start, len(sentence), last)]
    whole = abstention_in(sentence)
    return [SentencePart(0, len(sentence), whole)] if whole else None


def _gapped(left: str, right: str) -> Abstention | None:
    """What ``(The text only mentions the ferry and) does not give its length`` abstains from."""
    subject = _SUBJECT.match(left)
    return abstention_in(f"{subject[0]} {right}") if subject and _DENIAL.match(right) else None


def _stands_alone(text: str) -> bool:
    """Whether what follows a turn may be a sentence of its own."""
    return len(text.split()) > 2


def _without_marks(text: str) -> str:
    return " ".join(text.split()).strip(" *_~`\"“”'‘’").rstrip(".!… ").lstrip("-–— ").strip("()[] ")


def _active(text: str, _: bool) -> str | None:
    found = _ACTIVE.fullmatch(text)
    if found is None:
        return None
    rest = next(
        (
            found[name]
            for name in ("rest", *(f"rest{number}" for number in range(2, 8)))
            if found[name] is not None
        ),
        "",
    )
    if found["weak"] and found["hold"] and not re.match(rf"\s{_KIND}{_INFO}\b|\s{_WH}", rest, re.I):
        return None
    return rest


def _none_of(text: str, _: bool) -> str | None:
    found = _NONE_OF.fullmatch(text)
    return found["rest"] or found["rest2"] or "" if found else None


def _there(text: str, sourced: bool) -> str | None:
    found = _THERE.fullmatch(text)
    if found is None:
        return None
    if found["rest2"]:
        return found["rest2"]
    rest, info = found["rest"] or "", found["info"].lower()
    if re.search(rf"\b(?:in|within|from|by)\s{_SOURCE}", rest, re.I):
        return rest
    elsewhere = info in _NOUNS_OF_MENTION and re.search(r"\b(?:in|within|by)\s", rest, re.I)
    return rest if sourced or (re.fullmatch(_SURE_INFO, info, re.I) and not elsewhere) else None


def _no_info(text: str, sourced: bool) -> str | None:
    found = _NO_INFO.fullmatch(text)
    if found is None:
        return None
    if found["info2"]:
        return found["rest2"]
    sure = re.fullmatch(_SURE_INFO, found["info"], re.I) and " made" not in text
    whole = f"{found['before'] or ''} {found['rest'] or ''}"
    return whole if sure or sourced or re.search(rf"\b(?:in|within|by)\s{_SOURCE}", whole, re.I) else None


def _speaker(text: str, sourced: bool) -> str | None:
    found = _SPEAKER.fullmatch(text)
    if found is None:
        return None
    rest = found["rest"] if found["rest"] is not None else found["rest2"] or ""
    known = re.search(rf"\b(?:in|from|within|on|with|using)\s{_SOURCE}", rest, re.I)
    if found["i"] or sourced or known:
        return rest
    if found["none"]:
        return rest if re.match(r"\s(?:about|on|regarding|concerning)\s|$", rest, re.I) else None
    knows = (found["know"] or "").lower() in _WE_ONLY and not text.lower().startswith("you")
    return (
        rest if knows and (re.match(rf"\s(?:{_WH}|about|of|for\s)", rest, re.I) or not rest.strip()) else None
    )


def _impersonal(text: str, sourced: bool) -> str | None:
    found = _IMPERSONAL.fullmatch(text)
    if found is None or not re.match(r"it(?:['’]s|\s\w+)\s(?:un|not|impossible)", text, re.I):
        return None
    rest = found["rest"]
    from_source = re.search(rf"\b(?:in|from|by|with|within|based\son|on)\s{_SOURCE}", rest, re.I)
    told = re.match(rf"it(?:['’]s|\sis)\snot\s(?:\w+ly\s)?{_STATED_AND_NO_MORE}\b", text, re.I)
    return rest if sourced or from_source or told else None


def _passive(text: str, sourced: bool) -> str | None:
    found = _PASSIVE.fullmatch(text)
    if found is None:
        return None
    rest, told, topic = found["rest"], found["told"].lower(), found["topic"]
    in_source = re.match(rf"(?:\s[\w-]+){{0,2}}\s(?:in|by|from|within|on|with)\s{_SOURCE}[\s.]*$", rest, re.I)
    inside = told == "in" and re.match(rf"\s{_SOURCE}[\s.]*$", rest, re.I)
    if in_source or inside or (sourced and told != "in" and not rest.strip()):
        return topic
    if rest.strip() or found["be"].lower() not in ("is", "are"):
        return None
    if re.fullmatch(_STATED_AND_NO_MORE, told, re.I) or re.match(
        rf"{_KIND}{_SURE_INFO}\s{_ABOUT}\s", topic, re.I
    ):
        return topic
    alone = found["be"].lower() == "is" and re.match(r"(?:the|its|his|her|their)\s", topic, re.I)
    return topic if told == "given" and alone else None


def _tidied(topic: str) -> str:
    """The topic without what only leads up to it, and without the name of the sources."""
    bare = _DOCUMENT_TOPIC.sub("", f" {topic.strip()}").strip(" ,.:;")
    if start := _LEADS_TO_QUESTION.match(bare):
        return start["wh"].strip(" ,.:;")
    if filler := _FILLER.match(bare):
        bare = bare[filler.end() :]
    return "" if _NO_TOPIC.fullmatch(bare) else bare.strip(" ,.:;")
