"""The forms in which a sentence says that something is not told, as patterns: of the given sources, of the speaker.

A sentence is read without what it opens with (:data:`OPENING`); ``rest`` and its likes are what names the topic.
"""

from __future__ import annotations

import re

from verifier.core.patterns import compiled_later

__all__ = [
    "ABOUT",
    "ACTIVE",
    "BARE",
    "CUE",
    "DENIES",
    "IMPERSONAL",
    "INFO",
    "KIND",
    "NONE_OF",
    "NO_INFO",
    "ONLY_TOLD",
    "OPENING",
    "PASSIVE",
    "SOURCE",
    "SPEAKER",
    "SURE_INFO",
    "THERE",
    "WH",
]


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
SOURCE = rf"(?:{_FIRM}|{_WEAK}|{_ANY_GIVEN})"
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
_TOLD = _one_of("""
    specified mentioned stated given provided available included contained covered discussed addressed found
    described disclosed indicated listed present known clear detailed explained answered determined named
    revealed noted recorded defined reported shown to_be_found supported there in
    """)
ONLY_TOLD = _one_of("specified stated mentioned indicated")
INFO = _one_of("""
    information info details? mention references? indication answers? data specifics evidence facts?
    statements? figures? entry entries description discussion explanation clues? hints? word anything
    content knowledge record
    """)
SURE_INFO = _one_of("information info details? mention answers? data specifics indication anything")
KIND = r"(?:[\w-]+\s){0,3}?"
_NOT = r"(?:n['’]t|\snot)"
_ADVERBS = _one_of("""
    explicitly directly specifically actually clearly currently exactly even really yet otherwise further
    simply seem_to appear_to at_any_point
    """)
_ADVERB = rf"(?:\s{_ADVERBS})?"
DENIES = rf"(?:(?:do|does|did|could|can|would){_NOT}|cannot|never|fails?\sto|failed\sto){_ADVERB}"
WH = r"(?:how|when|where|who|whom|whose|what|which|why|whether|if)\b"
ABOUT = (
    r"(?:about|on|of|regarding|concerning|as\sto|for|relating\sto|related\sto|with\sregards?\sto|in\srelation\sto|to"
    r"|around|into|from|indicating|suggesting|describing|specifying|stating|that\s(?:would|could|can)\s\w+"
    r"|(?:needed\s|necessary\s)?to\s\w+)"
)
_IN = rf"(?:in|by|from|within)\s{SOURCE}"
_FROM = rf"(?:\s(?:from|with|based\son|by|in|using)\s{SOURCE})?"

# -- sentences ------------------------------------------------------------------------------------------------

CUE = re.compile(
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
OPENING = _pattern(rf"""
    (?:(?:i['’]?m|i\sam|we['’]?re|we\sare)\s)?(?:(?:very\s|so\s|truly\s)?sorry|afraid)
      (?:\sto\ssay)?(?:\sthat)?[,.;:–—-]*\s(?:but\s)?
    | (?:my\s|our\s)?apologies[,.;:–—-]*\s(?:but\s)?
    | (?:unfortunately|regrettably|sadly|however|but|and|still|yet|also|(?:please\s)?note\sthat|it\sseems\s(?:that\s)?
        |as\sfar\sas\si\s(?:know|can\s(?:see|tell)))[,:]*\s
    | (?P<based>(?:based\son|according\sto|from|in|given|within|judging\sby|going\sby|with|per|as\sper|using)
        \s{SOURCE}(?:\salone)?,?\s)""")
BARE = _pattern(rf"""
    n\s?/\s?a|n\.a\.|none\s(?:given|stated|mentioned|provided|specified|found|available)|null|nil\sreturned
    | unknown|undisclosed|unanswerable|unspecified|no\sidea|(?:i(?:['’]m|\sam)\s)?(?:not\ssure|unsure)|unclear
    | (?:(?:that|this|it)\s(?:is|was)\s)?not\s(?:{_TOLD}|applicable|answerable|in\sthe\sdata)
      (?:\s(?:anywhere\s)?(?:in|by|from|within|on)\s{SOURCE})?
    | (?:there(?:['’]s|\sis)\s)?(?:insufficient|not\senough|too\slittle|no)\s{KIND}
      (?:{SURE_INFO}|context|match(?:es)?|results?|evidence)
      (?:\s(?:is|are|was|were|could\sbe|can\sbe|has\sbeen))?
      (?:\s(?:{_TOLD}|to\sanswer(?:\s(?:this|that|the|your)\squestion)?))?(?:\s{_IN})?
    | can(?:not|['’]t|\snot)\s(?:be\s)?(?:answer(?:ed)?|determined?|say|tell)(?:\s(?:this|that|the\squestion))?{_FROM}
    | (?:(?:the|this|that|your)\s)?(?:question|query)\s(?:cannot|can['’]t|can\snot|could\snot|is\snot)\s(?:be\s)?
      (?:answered|answerable|covered){_FROM}""")
"""Answers that say no more than this."""
ACTIVE = _pattern(rf"""
    (?:(?P<firm>{_FIRM}|{_ANY_GIVEN})|(?P<weak>{_WEAK}))(?:\s(?:itself|themselves|alone))?
    (?:,\s(?:however|unfortunately|though),)?\s
    (?: {DENIES}\s(?:{_SAY}|(?P<hold>{_HOLD}))(?P<rest>.*)
      | (?:only\s)?(?:contains?|includes?|has|have|holds?|gives?|provides?|makes?|offers?|shows?|lists?)\s
        (?:no|little|insufficient)\s{KIND}{INFO}(?P<rest2>\b.*)
      | (?:lacks?|omits?|leaves?\sout|leaves?\sopen)(?P<rest3>\b.*)
      | (?:is|are|remains?|stays?)\s(?:silent|mute|not\s(?:clear|explicit|specific)|unclear|vague)(?P<rest4>\b.*)
      | (?:is|are)\s(?:not\s(?:enough|sufficient)|insufficient)(?P<rest5>\b.*)
      | (?:only\s)?(?:says?|states?|mentions?|tells?|contains?|reveals?|provides?|has|have|gives?)\s(?:us\s)?
        nothing(?P<rest6>\b.*)
      | (?:neither|does\snot|do\snot)\s(?:confirms?|states?|says?|supports?)\s(?:or|nor)\s
        (?:deny|denies|dispute|rule\sout|contradict|refute)s?(?P<rest7>\b.*) )""")
NONE_OF = _pattern(rf"""
    (?:(?:none|neither|nothing|nowhere|not\sone)\s(?:(?:of|in|from|within)\s)?(?:{SOURCE}|{_CERTAIN}|{_PAPER})
      | no\s(?:{_GIVEN}\s)?(?:{_CERTAIN}|{_PAPER}))\s
    (?:(?:here|that\si\s(?:have|found))\s)?
    (?:{_SAYS}|{_SAY}|(?:is|are|was|were)\s(?:said|stated|told|mentioned))(?P<rest>\b.*)
    | nothing\sis\s(?:said|stated|told|mentioned)(?:\s(?:here|there))?(?P<rest2>\s(?:in|about|on|of|regarding)\b.*)""")
THERE = _pattern(rf"""
    there(?:['’]s|\s(?:is|are|seems\sto\sbe|appears\sto\sbe))(?:{_NOT})?\s
    (?:no|any|enough|sufficient|insufficient|not\senough)\s{KIND}(?P<info>{INFO})
    (?P<rest>(?:\s(?:(?:available|given|provided|found)\b|{ABOUT}\b|(?:in|within)\s{SOURCE}|{WH}|that\b).*)?)
    | there(?:['’]s|\sis)\s(?:nothing|no\s\w+)
    (?P<rest2>(?:\s(?:said|given|written|mentioned))?\s(?:in|within)\s{SOURCE}\b.*)""")
NO_INFO = _pattern(rf"""
    (?:no|insufficient|not\senough)\s{KIND}(?P<info>{INFO})(?P<before>(?:\s{ABOUT}\s.*?)?)
    \s(?:is|are|was|were|could\sbe|can\sbe|has\sbeen|have\sbeen)\s(?:{_TOLD}|made|located)
    (?P<rest>(?:\s(?:{ABOUT}\b|(?:in|within|by)\s{SOURCE}).*)?)
    | (?:no|insufficient|not\senough)\s{KIND}(?P<info2>{SURE_INFO})
    (?P<rest2>\s(?:about|on|regarding|concerning|as\sto|(?<=mention\s)of|in\s{SOURCE}).*)""")
PASSIVE = _pattern(rf"""
    (?P<topic>.+?)\s(?P<be>is|are|was|were|has\sbeen|have\sbeen|could|can)(?:{_NOT}|not|['’]t|\snever|\snowhere)
    {_ADVERB}(?:\sbe(?:en)?)?\s(?P<told>{_TOLD})(?P<rest>\b.*)""")
IMPERSONAL = _pattern(rf"""
    it(?:['’]s|\s(?:is|was|remains))\s(?:unclear|unknown|uncertain|impossible|not\s(?:{_ADVERBS}\s)?)?
    (?:\s?(?:clear|possible|known|{ONLY_TOLD}|evident|apparent))?(?P<rest>\b.*)""")
SPEAKER = _pattern(r"""
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
