"""One statement in; whether it is one of the constructions that English keeps for judgements (``falls flat``) out.

The words in them are ordinary; the construction judges: a comparison with what could be wished for (``could not have
been kinder``), with what can be imagined (``hard to beat``), with what something deserves or promises.
"""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.verification.claims.verbs import tokens_of

__all__ = ["judges_by_construction"]

_X = r"[^,;:()\d]"
"""A character of a phrase that names something."""
_IT = rf"(?:{_X}{{2,60}}?)"
_ITS = r"(?:its|their|his|her)"
_IS = r"(?:is|are|was|were)"
_PLEASE = r"(?:impress|please|delight|charm|amuse|move|convince|thrill)"
_COMPARED = r"(?:more\s[a-z-]+|better|worse|[a-z]{3,}er)"
_KINDER = r"(?:friendlier|clearer|nicer|better|livelier|tidier|kinder|cosier)"
_PATTERNS = (
    rf"{_IT}\scould\s(?:not|n(?:'|’)t|hardly|scarcely)\shave\sbeen\s{_COMPARED}",
    rf"{_IT}\scould\s(?:really\s|easily\s)?be\s{_KINDER}",
    rf"{_IT}\sleaves?\s(?:something|much|a\s(?:lot|great\sdeal)|nothing|little)\sto\sbe\sdesired",
    rf"{_IT}\s(?:falls?|(?:falls?|fell)\s(?:rather|completely|somewhat))\sflat",
    rf"{_IT}\s(?:never|rarely|seldom)\s(?:fails?\sto\s{_PLEASE}|disappoints?)",
    rf"{_IT}\sfails?\sto\s{_PLEASE}",
    (
        rf"{_IT}\s(?:do(?:es)?\s(?:not|n(?:'|’)t)\s|fully\s|hardly\s)?lives?\sup\sto\s(?:the|{_ITS})\s"
        r"(?:reputation|hype|legend|billing|first\s(?:film|book|novel|album))"
    ),
    rf"no\s{_IT}\s(?:does|do|can\sdo|could\sdo)\s{_IT}\sjustice|words\scannot\sdo\s{_IT}\sjustice",
    (
        rf"a\s(?:more\s[a-z-]+|lovelier|quieter|prettier|finer|nicer)\s{_IT}\s(?:is|would\sbe)\s(?:hard|difficult)\sto\s"
        r"(?:imagine|find|beat)"
    ),
    rf"{_IT}\s{_IS}\s(?:hard|difficult|impossible)\sto\s(?:resist|love|like|praise\stoo\shighly)",
    rf"{_IT}\salone\s(?:{_IS}\sworth|is\senough\sto\s(?:put\s\w+\soff|drive\s\w+\smad))\b{_X}{{0,40}}",
    rf"{_IT}\salone\s(?:justif(?:y|ies)|repays?)\sthe\s(?:trip|visit|journey|climb|detour|wait|effort)",
    (
        r"it(?:\sis|(?:'|’)s|\swas)\s(?:hard|difficult|impossible|easy)\s(?:not\s)?to\s"
        rf"(?:smile|love|like|admire|resist|laugh|fall\sfor|fall\sin\slove)\b{_X}{{0,60}}"
    ),
    rf"it(?:\sis|(?:'|’)s)\s(?:about|high)\stime\s{_IT}",
    rf"{_IT}\smakes?\s(?:no|little|perfect)\ssense\sto\s(?:me|us)",
    r"this\sis\s(?:one\sof\sthose\s\w+|a\s\w+)\sthat\sstays?\swith\s(?:you|one)",
    rf"{_IT}\s(?:reeks?|smacks?|reeked|smacked)\sof\s(?:arrogance|cynicism|hypocrisy|greed|snobbery|vanity|panic)",
    rf"{_IT}\s{_IS}\sfull\sof\s(?:hot\sair|empty\s(?:words|phrases|promises)|clich[eé]s|charm|wit|warmth)",
    rf"{_IT}\s{_IS}\sat\s{_ITS}\s(?:very\s)?(?:best|finest)\s(?:in|at|when)\s{_IT}",
    rf"{_IT}\slooks?\s{_ITS}\s(?:very\s)?(?:best|finest)\s(?:in|at|by)\s{_IT}",
    rf"{_IT}\s(?:has|have)\slost\s(?:(?:some|much|all|most)\sof\s)?{_ITS}\s(?:charm|magic|sparkle|soul)",
    rf"{_IT}\s{_IS}\s(?:painful|a\sjoy|a\spleasure|embarrassing|a\snightmare|agony)\sto\s(?:watch|read|use|hear|behold)",
    rf"(?:you|one)\s(?:simply|really|absolutely)\s(?:have\sto|has\sto|must)\s(?:try|taste|see|hear)\s{_IT}",
    rf"{_IT}\s{_IS}\stoo\s(?:pretty|good|clever|nice|proud)\sfor\s{_ITS}\sown\s(?:good|sake)",
    rf"{_IT}\sdeserves?\s(?:(?:far|much|a\slot)\s)?(?:more|better|a\ssecond\schance)\b{_X}{{0,40}}",
    rf"{_IT}\s(?:tastes?|smells?|looks?|sounds?|feels?|seems?)\s[a-z]+(?:\sand\s[a-z]+)?\sto\sme",
    rf"nothing\s(?:warms|lifts|gladdens|soothes)\sthe\s(?:heart|soul|spirits)\slike\s{_IT}",
)
_NEEDED = lexicon("""
    could leave leaves flat never rarely seldom fails fail lives live justice hard difficult impossible easy alone time
    sense stays stay reek reeks reeked smack smacks smacked full best finest lost painful joy pleasure embarrassing
    nightmare agony simply really absolutely too deserve deserves me warms lifts gladdens soothes
    """)
"""Words without any of which none of the patterns matches."""
_TELLING = lexicon("which who whose because by named called since until")
"""Words behind which a fact may stand, inside of whatever is judged."""
_CONSTRUCTIONS = compiled_later("|".join(_PATTERNS), re.IGNORECASE)


def judges_by_construction(bare: str) -> bool:
    """Whether a statement without figures is nothing but such a construction.

    >>> [judges_by_construction(text) for text in ("The staff could not have been kinder", "The film failed to open")]
    [True, False]
    """
    forms = {form for _, _, form in tokens_of(bare)}
    if _NEEDED.isdisjoint(forms) or not _TELLING.isdisjoint(forms):
        return False
    return _CONSTRUCTIONS.fullmatch(bare) is not None
