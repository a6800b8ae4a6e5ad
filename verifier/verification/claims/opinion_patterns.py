"""Words and patterns of opinions: judgements, tastes, wishes and the marks that announce them.

The words are those of ``evaluative.toml``, with their forms. Every pattern that ends in a free ``tail`` says so by that
name, so that whoever matches it can look for a fact there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib import resources

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later

__all__ = [
    *(
        "FEELING",
        "HEDGE",
        "LENIENT",
        "LINKING",
        "OWN",
        "PREDICATE",
        "TASTE_OF_MINE",
        "TRIGGERS",
        "WHOLE",
        "WISH",
    ),
]

# -- words -----------------------------------------------------------------------------------------------------

_WORDS = {
    name: lexicon(words)
    for name, words in tomllib.loads(
        resources.files(__package__).joinpath("evaluative.toml").read_text(encoding="utf-8")
    ).items()
}
_IRREGULAR = lexicon("better best worse worst greatest greater nicer nicest")


def _compared(adjective: str) -> set[str]:
    """The adjective with the comparative and superlative it may have; forms that nobody uses do no harm."""
    if "-" in adjective or len(adjective) > 8 or adjective.endswith(("ous", "ful", "ing", "less", "ed")):
        return {adjective}
    stem = adjective.removesuffix("e")
    if adjective.endswith("y"):
        stem = adjective[:-1] + "i"
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnpt]", adjective):
        stem = adjective + adjective[-1]
    return {adjective, stem + "er", stem + "est"}


def _any_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) + ")"


_TASTE_FORMS = {form for word in _WORDS["taste"] for form in _compared(word)}
_JUDGING_FORMS = {form for word in _WORDS["judging"] for form in _compared(word)} | _IRREGULAR

_TASTE = _any_of(_TASTE_FORMS)
"""Adjectives of taste (``charming``): whatever is called so, nobody can check it."""
_JUDGING = _any_of(_JUDGING_FORMS)
"""Adjectives that judge, but are also used of facts (``a fair trial``)."""
_EVALUATIVE = _any_of(_TASTE_FORMS | _JUDGING_FORMS)
_VERDICT = _any_of(_WORDS["verdicts"])
"""Nouns that judge (``a joy``)."""
_EMPTY_NOUN = _any_of({form for word in _WORDS["empty"] for form in (word, word + "s")})
"""Nouns that add nothing to the adjective before them (``a lovely place``)."""
_EVALUATING = frozenset(_TASTE_FORMS | _JUDGING_FORMS | _WORDS["verdicts"])
"""Every word that judges, in every form that the expressions know."""


# -- patterns --------------------------------------------------------------------------------------------------


def _compile(pattern: str) -> re.Pattern[str]:
    """Compiled when it is first asked: the three that hold all word lists take 0.25 s together."""
    return compiled_later(pattern, re.IGNORECASE | re.VERBOSE)


# -- whose judgement it is ------------------------------------------------------------------------------------

_OWN = r"""(?:(?:at\sleast\s)?(?:in|to)\s(?:my|our)\s(?:(?:humble|honest|own|personal)\s)?(?:opinion|view
        |mind|eyes|book|taste)
    | if\syou\sask\s(?:me|us) | as\sfar\sas\s(?:i\sam|i(?:'|’)m)\sconcerned | for\smy\spart | personally
        | to\sme | for\s(?:my|our)\s(?:taste|liking|money))\b"""
"""Says outright that an opinion comes."""
OWN = _compile(rf"{_OWN}\s*,?\s*")
HEDGE = _compile(
    r"""(?: (?:quite\s)?(?:frankly|honestly)(?:\sspeaking)?
    | (?:i|we)\s(?:(?:really|also|truly|personally|just|do|would|must|have\sto)\s)*(?:think|believe|feel
        |guess|suppose|say)(?:\sthat)?
    | i(?:\sam|(?:'|’)m)\s(?:convinced|afraid|sure)(?:\sthat)? | it\sseems\sto\sme(?:\sthat)?
    | i\scan(?:no|(?:'|’))t\shelp\s(?:feeling|thinking)(?:\sthat)? | in\sall\shonesty
        | let(?:'|’)s\sbe\shonest
    | (?:quite\s)?simply\sput | i(?:'|’)d\ssay(?:\sthat)? | let(?:'|’)s\sface\sit
        | to\sbe\shonest )\b\s*,?\s*"""
)
"""Opens opinions and uncertain facts alike, so that what follows must judge."""
TASTE_OF_MINE = _compile(
    r"""(?:i|we)\s(?:(?:really|also|truly|personally|just|do|would|absolutely|simply|rather|much)\s)*
        (?:like|love|loved|adore|hate|hated|dislike|enjoy|enjoyed|prefer|admire|wish|recommend)\b
    | (?:i|we)(?:\swould|(?:'|’)d)\s(?:much\s|far\s)?(?:rather|sooner|(?:(?:highly|warmly
        |strongly)\s)?recommend|love|hate)\b
    | (?:i|we)\s(?:can(?:no|(?:'|’))t\s(?:stand|wait)|could(?:n(?:'|’)t|\snot)\sbe\shappier) | my\s(?:own\s
        |personal\s|absolute\s)?favou?rite\b
    | i(?:\s(?:would|could)|(?:'|’)d)(?:n(?:'|’)t|\snot|\snever)?\s\w+
    | i(?:\shave|(?:'|’)ve)\s(?:never|rarely|seldom|always)\s\w+ | i\smiss\b
    | i(?:\s(?:am|was)|(?:'|’)m)\s(?:\w+\s)?(?:fond\sof|(?:a\s)?fan\sof|tired\sof|fed\sup\swith|in\slove\swith
        |(?:impressed|disappointed|delighted|moved|touched|thrilled|bored|amazed|charmed|enchanted
        |unimpressed)
        (?:\s(?:by|with|at))?)\b
    | (?:highly|warmly|thoroughly|strongly)\srecommended"""
)

# -- what judges ----------------------------------------------------------------------------------------------

LINKING = _compile(
    r"""(?:(?:would|will|must|could|might)\s(?:(?:really|surely|easily|also|certainly|well)\s)?)?
    (?: (?:is|are|was|were|be|has\sbeen|have\sbeen|have\sbecome|has\sbecome|remains?|looks?|looked|feels?
        |felt|seems?|seemed
          |sounds?|sounded|tastes?|tasted|smells?|smelled|appears?|strikes?\sme\sas|comes?\sacross\sas)
      (?:n(?:'|’)t)? | (?:'|’)s )\b"""
)
_DEGREE = (
    r"(?:(?:simply|really|truly|just|so|very|quite|absolutely|rather|pretty|fairly|somewhat|far|by\sfar"
    r"|much|more|less|"
    r"most|least|even|as|too|far\stoo|(?:a\s)?(?:little|bit|lot)|totally|utterly|thoroughly"
    r"|nothing\sshort\sof|also|"
    r"always|never|not|still|undoubtedly|clearly|frankly|honestly|plainly|positively|downright|almost"
    r"|hopelessly|"
    r"terribly|wonderfully|incredibly|unbelievably|remarkably|perfectly|every\sbit\sas|anything\sbut)\s)*"
)
_HEARTFELT = (
    r"(?:simply|truly|really|just|utterly|absolutely|frankly|plainly|downright|hopelessly|terribly"
    r"|incredibly|"
    r"wonderfully|(?:much\s|far\s|a\s(?:bit|little)\s|rather\s)?too|anything\sbut|nothing\sshort\sof)\s"
)
"""Adverbs that nobody uses to report a fact (``simply wrong``)."""
_TAIL = (
    r"(?:\s(?:one|you|anyone|anybody)\s(?:could|can|will)\s(?:ever\s)?(?:\w+)(?:\sfor)?)?"
    r"(?:\s(?:for|to|in|on|at|of|than|as|ever|from|under|through|around|along|about|anywhere|imaginable"
    r"|indeed|throughout)\b"
    r"(?P<tail>[^,;:()]{0,80}))?"
)
_SUPERLATIVE = r"(?:one\sof\s|among\s)?the\s(?:very\s|by\sfar\s|absolutely\s)?"
_WORTH = r"""(?:\w+\s){0,2}worth\s(?:every\s\w+|(?:a|the|an|your|one(?:'|’)?s|that
        |all\sthe)\s(?:\w+\s)?(?:visit|detour|look|try|trip|
    money|wait|effort|price|climb|walk|journey|hassle|queue|time|while|trouble|read|ride|drive|ticket
        |candle|fuss)|it|\w{3,}ing)
    (?:\s(?:up|down|out|back|early|again|more))*"""
_PREDICATE = rf"""\s(?:
      {_DEGREE}{_TASTE}(?:(?:,\s|\s|,?\s(?:and|yet|or)\s){_DEGREE}{_EVALUATIVE})*(?:\s{_EMPTY_NOUN})?
    | {_HEARTFELT}{_DEGREE}{_JUDGING}(?:\s(?:and|yet|or)\s{_DEGREE}{_EVALUATIVE})*
    | (?:simply\s|quite\s|truly\s|surely\s|easily\s|really\s)*{_SUPERLATIVE}(?:(?:most
        |least)\s)?{_DEGREE}{_TASTE}(?:\s(?!and\b)[a-z-]+)?(?:\s{_EMPTY_NOUN})?
    | (?:such\s|quite\s|rather\s|just\s|simply\s)?(?:a|an|some)\s{_DEGREE}{_TASTE}\s{_EMPTY_NOUN}
    | (?:such\s|quite\s|rather\s|just\s|simply\s)*(?:a|an|another|the)\s(?:(?:\w+\s)?{_EVALUATIVE}\s|(?:real
        |true|pure|sheer|total|complete|
        absolute|utter|little|national|bit\sof\sa)\s)?{_VERDICT}
    | (?:pure|sheer|utter|absolute|complete)\s{_VERDICT}
    | (?:the\s)?(?:best|worst|perfect|ideal)(?:\s{_EMPTY_NOUN})?\s(?:for|to)\s(?:anyone|everyone|everybody
        |all|you|me|us)
    | (?:the\s)?(?:best|worst|perfect|ideal)\s{_EMPTY_NOUN}
    | {_WORTH}
    | (?:without\s(?:a\s)?doubt|by\sfar|easily|simply|hands\sdown|quite\ssimply
        |truly)\sthe\s(?:\w+\s)?{_JUDGING}(?:\s(?!and\b)[a-z-]+){{0,2}}
    | the\s(?:finest|greatest|nicest|cleverest|dullest|friendliest
        |most\s{_JUDGING})(?:\s(?!and\b)[a-z-]+){{1,2}}
    | (?:great|good|such|pure|no)\sfun | money\swell\sspent | to\sdie\sfor | out\sof\sthis\sworld
        | as\sgood\sas\sit\sgets
    | (?:alone\s)?reason\senough\sto\s\w+ | a\s(?:sight|joy)\sto\sbehold
    | (?:far|much|so\smuch|infinitely)\s(?:more\s)?{_JUDGING}\sthan\s(?:any|anything|all|most)\b
    | second\sto\snone | (?:hard|difficult|impossible)\sto\s(?:beat|love|like|forgive|resist)
    | (?:not\s|never\s)to\sbe\smissed | (?:not|hardly|never)\s(?:at\sall\s)?to\smy\s(?:taste|liking)
    | (?:beyond|above|below|beneath)\s(?:all\s)?(?:praise|contempt|reproach|words) | in\s(?:very\s)?(?:poor
        |bad|excellent)\staste
    ){_TAIL}"""
PREDICATE = _compile(_PREDICATE)
LENIENT = _compile(
    rf"""\s(?:(?:{_SUPERLATIVE}|(?:such\s|quite\s|rather\s)?(?:a|an)\s))?{_DEGREE}{_EVALUATIVE}
    (?:\s(?:and|yet|or)\s{_DEGREE}{_EVALUATIVE})*(?:\s(?!and\b)[a-z-]+){{0,2}}?{_TAIL}"""
)
"""What suffices behind the mark of an opinion."""
_FEELING = rf"""\s(?:
      (?:spoils?|ruins?|ruined|spoilt)\sthe\s(?:\w+\s)?(?:mood|view|effect|experience|atmosphere|look|fun|evening|day
        |impression|pleasure)(?:\sof\s[^,;:]{{2,40}})?
    | (?:should|ought\sto)\s(?:really\s|never\s)?have\s(?!been\b|had\b|received\b)\w+(?:\s[^,;:()]{{1,80}})?
    | (?:really\s|fully\s|richly\s|surely\s|certainly\s|hardly\s)*deserve[sd]?\s(?:to\sbe\s)?(?:(?:a|an|all
        |our|far|much|more|every|some|
        its|their|wider|better|no|so|the)\s)*(?:better|praise|credit|attention|recognition|respect|applause
        |admiration|known|
        audience|fame|love|celebrated|famous|visitors|seen|read|heard|thanks|success|medal|statue|raise
        |ovation|monument|chance|sympathy|compliment)
    | (?:really\s)?(?:should|ought\sto)\s(?:really\s)?be\s{_DEGREE}{_EVALUATIVE}
    | (?:really\sshould|really\sought\sto|should\sreally|ought\sreally\sto
        |ought\sto\sreally)\s[^,;:()]{{2,80}}\s
        (?:more|less|better|fewer|sooner|oftener|ashamed|at\s(?:long\s)?last|kinder)(?:\s\w+)?
    ){_TAIL}"""
FEELING = _compile(_FEELING)
_WHOLE = rf"""(?:
      (?:(?:absolutely|quite|really)\s)?nothing\s(?:quite\s|really\s|in\sthe\sworld\s)?(?:beats
        |compares\s(?:to|with)|tops|comes\sclose\sto|
        (?:is|feels|tastes|could\sbe)\s(?:as|so|more|less|quite\sas)?\s?{_EVALUATIVE})\b[^,;:]{{0,100}}
    | there\s(?:is|are|was|(?:'|’)s)\s(?:(?:surely|simply|really|perhaps)\s)?(?:few|no|hardly\sany|nothing
        |little|not\smany|something)\b[^,;:]{{0,40}}?\s?
        (?:(?:as|so|more|quite\sas|quite\sso)\s)?(?:{_TASTE}|moving|touching|impressive|satisfying|relaxing
        |pleasant|rewarding|exciting)
        (?:\s\w+)?(?:\s(?:as|than|about|in|to)\b[^,;:]{{1,80}})?
    | if\syou\s[^,;:]{{0,30}}\b(?:only|just|nothing\selse|a\ssingle)\b[^,;:]{{0,60}},
        \s(?:then\s)?(?:make\sit|let\sit\sbe|it\s(?:should|must)\sbe|choose|pick|go\sfor|see|visit)\b
        [^,;:]{{1,60}}
    )"""
WHOLE = _compile(_WHOLE)
WISH = _compile(r"\b(?:should|ought\sto|shouldn(?:'|’)t|had\sbetter)\b")


def _fixed_words(*patterns: str) -> set[str]:
    """The words that patterns name themselves, beside those of the lists."""
    source = " ".join(patterns)
    for words in (_EVALUATIVE, _TASTE, _JUDGING, _VERDICT, _EMPTY_NOUN):
        source = source.replace(words, " ")
    return set(re.findall(r"[a-z]{3,}", re.sub(r"\\[A-Za-z]", " ", source)))


_SAY_NOTHING = lexicon("""
    all and another any are been but can could did does for had has have here how into its just many more most much
    not now once one only other our out over own same some such than that the their them then there these they this
    those too under upon very was were what when which who will with without would you your
    rather about above again along also among around away back before below beneath beyond bound every few from
    last left less may might nearly next second single still through throughout total while
    appointment boat books bus charge charges class close connection cost costs date day deadline done dose down
    early equal evening exam ferry find flat flight full gets gives goes guest guests known leave lecture let made
    make makes meeting money move moved need needs pass pay payment people places price raise read received short
    tablet takes ticket time took top train trip use visitor visitors wait week went work
    """)
_SPELT_TWO_WAYS = lexicon("favourite favourites favorite favorites")
TRIGGERS = _EVALUATING | _SPELT_TWO_WAYS | (_fixed_words(_PREDICATE, _FEELING, _WHOLE) - _SAY_NOTHING)
"""Words without any of which no pattern of a judgement is worth its cost: a sentence that has none stays a claim."""
