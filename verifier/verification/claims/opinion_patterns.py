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
    "ADVERB",
    "EMPTY_NOUN",
    "EVALUATIVE",
    "FEELING",
    "FINDING",
    "HEDGE_FIRST",
    "HEDGE_LAST",
    "JOINT",
    "JUDGING",
    "LENIENT",
    "LINKING",
    "OWN_FIRST",
    "OWN_INSIDE",
    "OWN_LAST",
    "PREDICATE",
    "QUALITY",
    "RESPECT",
    "SETTING",
    "TASTE",
    "TASTE_OF_MINE",
    "TRIGGERS",
    "VERDICT",
    "WHOLE",
    "WISH",
    "WORD",
    "WORDS",
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


def _adverb(adjective: str) -> str:
    if adjective.endswith("y"):
        return adjective[:-1] + "ily"
    if adjective.endswith("le"):
        return adjective[:-1] + "y"
    return adjective + ("ally" if adjective.endswith("ic") else "ly")


def _any_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) + ")"


_TASTE = {form for word in _WORDS["taste"] for form in _compared(word)}
_JUDGING = {form for word in _WORDS["judging"] for form in _compared(word)} | _IRREGULAR

TASTE = _any_of(_TASTE)
"""Adjectives of taste (``charming``): whatever is called so, nobody can check it."""
JUDGING = _any_of(_JUDGING)
"""Adjectives that judge, but are also used of facts (``a fair trial``)."""
EVALUATIVE = _any_of(_TASTE | _JUDGING)
VERDICT = _any_of(_WORDS["verdicts"])
"""Nouns that judge (``a joy``)."""
QUALITY = _any_of(_WORDS["qualities"])
"""Nouns for what one feels and cannot measure (``charm``)."""
EMPTY_NOUN = _any_of({form for word in _WORDS["empty"] for form in (word, word + "s")})
"""Nouns that add nothing to the adjective before them (``a lovely place``)."""
_ADVERB = {_adverb(word) for word in _WORDS["taste"] | _WORDS["judging"]} | {"well", "badly", "wrong"}
ADVERB = _any_of(_ADVERB)
"""Manners that judge (``gracefully``)."""
WORDS = frozenset(_TASTE | _JUDGING | _ADVERB | _WORDS["verdicts"] | _WORDS["qualities"])
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
OWN_FIRST = _compile(rf"{_OWN}\s*,?\s*")
OWN_INSIDE = _compile(rf",\s+(?:{_OWN}|frankly|honestly|quite\sfrankly|i\sthink|i\sfeel|i\sfind),\s")
OWN_LAST = _compile(rf",?\s+{_OWN}$")
HEDGE_FIRST = _compile(
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
HEDGE_LAST = _compile(
    r",\s+(?:(?:quite\s)?(?:frankly|honestly)|to\sbe\shonest|i\s(?:think|feel|find|must\ssay))$"
)
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
FINDING = _compile(
    rf"""(?:i|we)\s(?:(?:really|also|truly|personally|just|do)\s)*(?:find|found|consider)\s[^,;:]{{1,90}}?\s
    (?:(?:a|an)\s)?(?:[\w-]+\s){{0,3}}?(?:{EVALUATIVE}|{VERDICT}|too\s\w+)(?:\s{EMPTY_NOUN})?"""
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
      {_DEGREE}{TASTE}(?:(?:,\s|\s|,?\s(?:and|yet|or)\s){_DEGREE}{EVALUATIVE})*(?:\s{EMPTY_NOUN})?
    | {_HEARTFELT}{_DEGREE}{JUDGING}(?:\s(?:and|yet|or)\s{_DEGREE}{EVALUATIVE})*
    | (?:simply\s|quite\s|truly\s|surely\s|easily\s|really\s)*{_SUPERLATIVE}(?:(?:most
        |least)\s)?{_DEGREE}{TASTE}(?:\s(?!and\b)[a-z-]+)?(?:\s{EMPTY_NOUN})?
    | (?:such\s|quite\s|rather\s|just\s|simply\s)?(?:a|an|some)\s{_DEGREE}{TASTE}\s{EMPTY_NOUN}
    | (?:such\s|quite\s|rather\s|just\s|simply\s)*(?:a|an|another|the)\s(?:(?:\w+\s)?{EVALUATIVE}\s|(?:real
        |true|pure|sheer|total|complete|
        absolute|utter|little|national|bit\sof\sa)\s)?{VERDICT}
    | (?:pure|sheer|utter|absolute|complete)\s{VERDICT}
    | (?:the\s)?(?:best|worst|perfect|ideal)(?:\s{EMPTY_NOUN})?\s(?:for|to)\s(?:anyone|everyone|everybody
        |all|you|me|us)
    | (?:the\s)?(?:best|worst|perfect|ideal)\s{EMPTY_NOUN}
    | {_WORTH}
    | (?:without\s(?:a\s)?doubt|by\sfar|easily|simply|hands\sdown|quite\ssimply
        |truly)\sthe\s(?:\w+\s)?{JUDGING}(?:\s(?!and\b)[a-z-]+){{0,2}}
    | the\s(?:finest|greatest|nicest|cleverest|dullest|friendliest
        |most\s{JUDGING})(?:\s(?!and\b)[a-z-]+){{1,2}}
    | (?:great|good|such|pure|no)\sfun | money\swell\sspent | to\sdie\sfor | out\sof\sthis\sworld
        | as\sgood\sas\sit\sgets
    | (?:alone\s)?reason\senough\sto\s\w+ | a\s(?:sight|joy)\sto\sbehold
    | (?:far|much|so\smuch|infinitely)\s(?:more\s)?{JUDGING}\sthan\s(?:any|anything|all|most)\b
    | second\sto\snone | (?:hard|difficult|impossible)\sto\s(?:beat|love|like|forgive|resist)
    | (?:not\s|never\s)to\sbe\smissed | (?:not|hardly|never)\s(?:at\sall\s)?to\smy\s(?:taste|liking)
    | (?:beyond|above|below|beneath)\s(?:all\s)?(?:praise|contempt|reproach|words) | in\s(?:very\s)?(?:poor
        |bad|excellent)\staste
    ){_TAIL}"""
PREDICATE = _compile(_PREDICATE)
LENIENT = _compile(
    rf"""\s(?:(?:{_SUPERLATIVE}|(?:such\s|quite\s|rather\s)?(?:a|an)\s))?{_DEGREE}{EVALUATIVE}
    (?:\s(?:and|yet|or)\s{_DEGREE}{EVALUATIVE})*(?:\s(?!and\b)[a-z-]+){{0,2}}?{_TAIL}"""
)
"""What suffices behind the mark of an opinion."""
_FEELING = rf"""\s(?:
      (?:really\s|always\s|never\sfails?\sto\s)*(?:takes?|took)\s(?:your|the|one(?:'|’)s)\sbreath\saway
    | never\sfails?\sto\s(?:delight|impress|charm|amaze|enchant|disappoint|surprise|move|please|annoy)
    | (?:ha(?:s|ve|d)|lack(?:s|ed)?|oozes?|exudes?|(?:is|are)\sfull\sof)\s(?:(?:such\s)?(?:an?|no|little|real
        |so\smuch|more|its\sown|great|all|any)\s)?
        (?:(?:certain|special|undeniable|peculiar|real|sense\sof|lot\sof|timeless|{EVALUATIVE})\s)?{QUALITY}
    | (?:leaves?|left)\s(?:me|one|you|everyone|nobody)\s(?:cold|speechless|unmoved|in\sawe|wanting\smore)
    | (?:leaves?|left)\s(?:much|a\slot|nothing|little)\sto\sbe\sdesired
    | (?:makes?|made)\s(?:for\s)?(?:a|an|some)\s{_DEGREE}(?:{TASTE}\s(?:\w+\s)?\w+|{JUDGING}\s{EMPTY_NOUN})
    | (?:goes|go|went)\s(?:much\s|far\s|way\s|a\s(?:bit|little)\s)?too\sfar | do(?:es)?(?:\snot
        |n(?:'|’)t)\sgo\s(?:nearly\s)?far\senough
    | could\s(?:really\s)?(?:do\swith|use)\s(?:a|an|some|more|less|fewer)\s[^,;:]{{1,60}}
        | would\sdo\swell\sto\s[^,;:]{{1,80}}
    | (?:asks|tries|charges|costs|cost|charge|takes|pays|pay|gets|makes)\s(?:far|much|way|simply
        |altogether)\stoo\s(?:hard|much|little|long)
        (?:\s(?:of|for)\s\w+)?
    | ha(?:s|ve)\snever\s(?:looked|tasted|sounded|felt|been)\s(?:so\s|more\s)?{EVALUATIVE}
    | (?:feels|tastes|is|was)\slike\s[^,;:]{{2,60}}
    | (?:has|have|did|does|do)\s(?:done\s)?(?:a|an)\s(?:\w+ly\s)?{EVALUATIVE}\s(?:job|work|thing)
    | (?:should|ought\sto)\sbe\s(?:thoroughly\s|deeply\s)?(?:ashamed|proud)(?:\sof\s(?:itself|themselves
        |himself|herself))?
    | (?:makes|made)\s(?:the|any)\s\w+\s(?:worthwhile|unforgettable|special|magical)
    | (?:spoils?|ruins?|ruined|spoilt)\s(?:an\sotherwise\s[^,;:]{{2,50}}
        |the\s(?:\w+\s)?(?:mood|view|effect|experience|atmosphere|look|fun|evening|day|impression|pleasure)(?:\sof\s[^,;:]{{2,40}})?)
    | (?:looks?|looked|feels?|felt|sounds?|sounded)\s(?:rather|a\s(?:bit|little)|somewhat|oddly|strangely|just|so)\s
        {_DEGREE}{JUDGING}
    | (?:feels?|felt)\s(?:right|wrong) | makes?\s(?:no|little|perfect|absolutely\sno)\ssense | takes?\ssome\sbeating
    | (?:bores?|bored|moves|moved|touches|touched|amazes|amazed|annoys|annoyed|delights|delighted|charms|charmed
        |irritates|irritated|disappoints|disappointed|thrills|thrilled)\s(?:me|us)(?:\sto\s(?:tears|bits|death))?
    | (?:gives?|gave)\sme\s(?:goosebumps|the\s(?:creeps|shivers)|\w+\spleasure) | warms?\sthe\sheart
        | lifts?\sthe\sspirits?
    | can\s(?:rightly\s|justly\s|truly\s)?be\sproud | ha(?:s|ve)\severy\sreason\sto\sbe\s\w+
    | (?:should|ought\sto)\s(?:really\s|never\s)?have\s(?!been\b|had\b|received\b)\w+(?:\s[^,;:()]{{1,80}})?
    | makes?\s(?:me|you|one)\s(?:smile|laugh|cry|shudder|feel\s\w+|want\s.{{1,40}})
    | (?:really\s|fully\s|richly\s|surely\s|certainly\s|hardly\s)*deserve[sd]?\s(?:to\sbe\s)?(?:(?:a|an|all
        |our|far|much|more|every|some|
        its|their|wider|better|no|so|the)\s)*(?:better|praise|credit|attention|recognition|respect|applause
        |admiration|known|
        audience|fame|love|celebrated|famous|visitors|seen|read|heard|thanks|success|medal|statue|raise
        |ovation|monument|chance|sympathy|compliment)
    | (?:tastes?|smells?)\s{_DEGREE}{JUDGING}
    | (?:simply\s|really\s|truly\s)*(?:steals\sthe\sshow|falls\sflat|appeals\sto\sme|takes\sthe\sbiscuit
        |speaks\sto\sthe\s(?:heart|soul))
    | (?:would|could|might)\shave\sbeen\s(?:a\s(?:bit|little|touch)|rather|far|much|more
        |less)\s{_DEGREE}{EVALUATIVE}
    | (?:really\s)?(?:should|ought\sto)\s(?:really\s)?be\s{_DEGREE}{EVALUATIVE}
    | (?:really\sshould|really\sought\sto|should\sreally|ought\sreally\sto
        |ought\sto\sreally)\s[^,;:()]{{2,80}}\s
        (?:more|less|better|fewer|sooner|oftener|ashamed|at\s(?:long\s)?last|kinder)(?:\s\w+)?
    | (?:must|should|can|could|may)(?:\s?not|n(?:'|’)t)\sbe\s(?:missed|praised\senough|praised\stoo\shighly)
    ){_TAIL}"""
FEELING = _compile(_FEELING)
_WHOLE = rf"""(?:
      (?:(?:absolutely|quite|really)\s)?nothing\s(?:quite\s|really\s|in\sthe\sworld\s)?(?:beats
        |compares\s(?:to|with)|tops|comes\sclose\sto|
        (?:is|feels|tastes|could\sbe)\s(?:as|so|more|less|quite\sas)?\s?{EVALUATIVE})\b[^,;:]{{0,100}}
    | there\s(?:is|are|was|(?:'|’)s)\s(?:(?:surely|simply|really|perhaps)\s)?(?:few|no|hardly\sany|nothing
        |little|not\smany|something)\b[^,;:]{{0,40}}?\s?
        (?:(?:as|so|more|quite\sas|quite\sso)\s)?(?:{TASTE}|moving|touching|impressive|satisfying|relaxing
        |pleasant|rewarding|exciting)
        (?:\s\w+)?(?:\s(?:as|than|about|in|to)\b[^,;:]{{1,80}})?
    | there\s(?:is|(?:'|’)s)\s(?:no|hardly\sa|nothing)\s(?:better|finer|nicer|greater
        |worse)\s(?:{EMPTY_NOUN}|pleasure|joy|than)\b[^,;:]{{0,80}}
    | (?:few|no|not\smany)\s(?:things|places|sights|views|pleasures|moments|experiences|books|plays
        |towns)\s(?:are|is|can\sbe|feel)\s
        (?:as|so|more|quite\sas|quite\sso)\s{EVALUATIVE}\b[^,;:]{{0,80}}
    | (?:nobody|no[\s-]one|no\s(?:visitor|tourist|traveller|guest|reader
        |one)s?)\b[^,;:]{{0,40}}?\s(?:should|ought\sto|will\swant\sto|can\safford\sto)\s
        (?:ever\s)?(?:miss|skip|pass\sup|leave\swithout)\b[^,;:]{{1,80}}
    | (?:everyone|everybody|anyone|you|all)\s(?:really\s|simply\s|absolutely\s|just\s)*(?:should|must
        |ought\sto|has\sto|have\sto|need\sto|needs\sto)\s
        (?:(?:really|simply|absolutely|just|at\sleast\sonce)\s)*(?:see|experience|taste|try|hear|visit
        |read)\b[^,;:]{{1,60}}?
        \s(?:at\sleast\sonce|once|for\s(?:yourself|themselves)|before\s(?:they|you)\sdie)(?:\sin\s(?:a
        |their|your)\slife(?:time)?)?
    | if\syou\s[^,;:]{{0,30}}\b(?:only|just|nothing\selse|a\ssingle)\b[^,;:]{{0,60}},
        \s(?:then\s)?(?:make\sit|let\sit\sbe|it\s(?:should|must)\sbe|choose|pick|go\sfor|see|visit)\b
        [^,;:]{{1,60}}
    | (?:do\syourself\sa\sfavou?r|treat\syourself)\b[^,;:]{{0,80}}
    | (?:please\s)?(?:do\snot|don(?:'|’)t|never)\s(?:ever\s)?miss\sthe\s(?:[a-z-]+\s)?(?:view|sunset
        |sunrise|sight|atmosphere|experience|chance|opportunity)s?\b[^,;:]{{0,60}}
    | (?:it|that)\s(?:would|will)\sbe\s{_DEGREE}(?:(?:a|an)\s)?(?:(?:great|real|terrible|crying
        |huge)\s)?(?:{EVALUATIVE}|{VERDICT})\s(?:if|to|not\sto)\b[^,;:]{{1,120}}
    | (?:you|one|visitors|guests|readers)\s(?:will|would|are\ssure\sto|are\sbound\sto
        |can(?:'|’)?t\shelp\s(?:but\s)?)\s?
        (?:(?:surely|certainly|instantly|simply|all)\s)?
        (?:love|adore|hate|regret|fall\sin\slove\swith|be\s(?:amazed|delighted|enchanted|charmed|thrilled
        |disappointed|blown\saway|bored|captivated|moved))
        \b[^,;:]{{0,60}}
    | (?:what|such)\s(?:a|an)\s(?:(?:\w+\s){{0,2}}{EVALUATIVE}(?:\s[a-z-]+){{1,2}}
        |(?:\w+\s)?{VERDICT})(?:\s(?:to|of|for)\b[^,;:]{{1,60}})?
    | how\s(?:\w+ly\s)?{EVALUATIVE}
    | (?:few|no|hardly\sany|nothing)\b[^,;:]{{0,40}}\scan\s(?:match|rival|beat|equal|compare\s(?:to|with)
        |top)\b[^,;:]{{1,80}}
    | there\s(?:is|was|(?:'|’)s)\s(?:just\s|simply\s)?something\s(?:\w+ly\s)?{EVALUATIVE}\s(?:about
        |in)\b[^,;:]{{1,80}}
    | it(?:\sis|(?:'|’)s)\s(?:high|about)\stime\b[^,;:]{{1,90}}
    | (?:a|any|every)\s(?:visit|trip|stop|walk|ride|climb|stay|evening|day
        |stroll)\b[^,;:]{{0,60}}\sis\s(?:simply\s|really\s|an?\sabsolute\s)?(?:a\s)?must
    | [^,;:]{{1,80}}\s(?:beats?|(?:is|are)\s(?:better|nicer)\sthan)\s[^,;:]{{1,60}}
        \s(?:any\sday(?:\sof\sthe\sweek)?|hands\sdown)
    | (?:you|one)\s(?:can(?:no|(?:'|’))t|could\shardly)\sgo\swrong\swith\b[^,;:]{{1,60}}
    | (?:you|one)\scould\sdo\s(?:a\slot\s|far\s|much\s)?worse\sthan\b[^,;:]{{1,60}}
    | (?:one|you|i)\s(?:could|can|will|would)(?:\s(?:hardly|scarcely|not)|n(?:'|’)t)\s(?:imagine|wish\sfor
        |ask\sfor|want|find|hope\sfor)
        \s(?:a\s|any\s)?(?:more\s)?{EVALUATIVE}\b[^,;:]{{0,60}}
    | (?:you|one)\swon(?:'|’)t\sfind\s(?:a\s|any\s)?(?:more\s)?{EVALUATIVE}\b[^,;:]{{0,60}}
    | no\s[^,;:]{{1,50}}\sis\scomplete\swithout\s(?:a|the|an|some)\b[^,;:]{{1,50}}
    | (?:it|life)\s(?:does(?:n(?:'|’)t|\snot)|hardly)\sgets?\s(?:any\s|much\s)?better\sthan\b[^,;:]{{1,60}}
    | there(?:\sis|\swas|(?:'|’)s)\s(?:a\scertain|such|so\smuch|an?\s\w+|something\sof\sa)\s{QUALITY}\s(?:to
        |about|in)\b[^,;:]{{1,60}}
    | life\sis\stoo\sshort\b[^,;:]{{1,60}}
    | (?:everyone|everybody|every\s\w+)\b[^,;:]{{0,30}}\s(?:really\s|simply\s)?(?:should|must
        |ought\sto)\s(?:really\s)?(?:see|experience|taste|hear)\b[^,;:]{{1,60}}
    | (?:anyone|everyone|those|lovers|fans|people)\s(?:who|of
        |with)\b[^,;:]{{1,60}}\swill\s(?:\w+\s)?(?:love|adore|enjoy|be\s(?:delighted|enchanted|thrilled))
        \b[^,;:]{{1,60}}
    | (?:do\snot|don(?:'|’)t|never)\s(?:you\s)?(?:dare\s)?miss\s(?![^,;:]*\b(?:deadline|boat|train|ferry
        |dose|payment|appointment|date|flight|bus
        |connection|tablet|meeting|class|lecture|exam)s?\b)[^,;:]{{3,60}}
    | only\sa\s(?:fool|snob|philistine|cynic)\b[^,;:]{{1,80}}
    )"""
WHOLE = _compile(_WHOLE)
WORD = _compile(rf"\b(?:{EVALUATIVE}|{VERDICT}|{ADVERB})\b")
"""Any word that judges."""
SETTING = _compile(
    r"""(?:(?:of\sall|for|on|at|in|among|amid|from|under|beneath|after|before|even|despite)\s[^,;:()]{2,60}
    | sadly | alas | surely | clearly | well | oh | luckily | without\s(?:a\s)?doubt | no\sdoubt ),\s"""
)
"""When and where one feels so."""
RESPECT = _compile(
    r",\s(?:especially|particularly|above\sall|even|at\sleast|really|too|indeed)\b[^,;:()]{0,60}$"
)
JOINT = _compile(r",?\s(?:and|but|yet)\s")
WISH = _compile(r"\b(?:should|ought\sto|shouldn(?:'|’)t|had\sbetter)\b")


def _fixed_words(*patterns: str) -> set[str]:
    """The words that patterns name themselves, beside those of the lists."""
    source = " ".join(patterns)
    for words in (EVALUATIVE, TASTE, JUDGING, VERDICT, QUALITY, EMPTY_NOUN):
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
TRIGGERS = WORDS | _SPELT_TWO_WAYS | (_fixed_words(_PREDICATE, _FEELING, _WHOLE) - _SAY_NOTHING)
"""Words without any of which no pattern of a judgement is worth its cost: a sentence that has none stays a claim."""
