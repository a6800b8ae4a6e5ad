"""One sentence in; whether it only voices a judgement of taste, without figures or an argument, out."""

from __future__ import annotations

import re

__all__ = ["TURNS", "is_opinion"]

TURNS = re.compile(r"\b(?:but|however|though|although|because|since|except|only|instead)\b|;", re.IGNORECASE)
"""Words that turn a sentence towards something else: what follows them may be a fact."""

_EVALUATIVE = (
    r"(?:beautiful|ugly|wonderful|amazing|awesome|fantastic|terrible|awful|horrible|lovely|gorgeous|stunning|"
    r"delightful|charming|elegant|stylish|attractive|brilliant|superb|marvell?ous|magnificent|breathtaking|boring|"
    r"exciting|fun|annoying|disappointing|fascinating|inspiring|pleasant|unpleasant|tasty|delicious|generous|fair|"
    r"unfair|strict|harsh|silly|absurd|ridiculous|sensible|reasonable|unreasonable|nice|great|good|bad|cool|cute|"
    r"perfect|ideal|excellent|impressive|welcoming|cosy|cozy|enjoyable|memorable|overrated|underrated|worthwhile|"
    r"charmless|dull|friendly|outstanding|remarkable|exceptional|incredible|best|worst|better|worse|nicest|finest|"
    r"prettiest|loveliest)"
)
_EVALUATION = re.compile(rf"\b{_EVALUATIVE}\b", re.IGNORECASE)
_JUDGEMENT = re.compile(
    rf"""(?P<subject>[^,;:]{{1,90}}?)\s
    (?:is|are|was|were|looks?|feels?|seems?|sounds?|tastes?|(?:really\s)?(?:ought\sto|should|could)\s(?:\w+\s)?be
       |remains?|makes?\sfor)\s
    (?:(?:simply|really|truly|just|so|very|quite|absolutely|rather|far|by\sfar|much|more|most|a|an|the|one\sof\sthe
        |too|a\slittle(?:\stoo)?|a\sbit(?:\stoo)?|totally|utterly|such\sa|also|always|still|undoubtedly|clearly)\s)*
    {_EVALUATIVE}\b(?P<rest>.{{0,120}})""",
    re.IGNORECASE | re.VERBOSE,
)
_STRONG = re.compile(
    r"beautiful|ugly|wonderful|amazing|awesome|fantastic|terrible|awful|horrible|lovely|gorgeous|stunning|delightful|"
    r"charming|elegant|breathtaking|marvell?ous|magnificent|boring|delicious|generous|strict|silly|absurd|ridiculous|"
    r"one could (?:wish|hope|ask)|for anyone|for everyone|ever\b|imagin",
    re.IGNORECASE,
)
_SOFT_REST = re.compile(
    r"\W*|\s(?:choice|option|place|thing|idea|product|way|experience|fit|deal|pick|team|service)s?"
    r"(?:\s(?:for|to|of|in|on)\s(?:anyone|everyone|all|us|me|you|families|everybody|the world|town|offer)\b"
    r".{0,60})?\W*",
    re.IGNORECASE,
)
_OPINION_MARK = re.compile(
    r"(?:in my (?:humble )?(?:opinion|view)|personally|to me|if you ask me|to my mind|frankly|honestly)\b|"
    r"(?:i|we) (?:(?:really|also|truly|personally|just|do) )*(?:think|believe|feel|find|guess|would say|like|"
    r"love|adore|hate|dislike|enjoy|prefer|admire|wish)\b|i(?:'|’)d (?:say|rather|prefer)\b",
    re.IGNORECASE,
)
_TASTE = re.compile(
    r"\b(?:i|we) (?:(?:really|also|truly|just|do|would) )*"
    r"(?:like|love|adore|hate|dislike|enjoy|prefer|admire|wish)\b",
    re.IGNORECASE,
)
_WISH = re.compile(r"\b(?:should|ought to|shouldn['’]t|had better)\b|\btoo\s\w+", re.IGNORECASE)


def is_opinion(bare: str) -> bool:
    """Whether a sentence without figures is a matter of taste.

    With a mark (``I think``, ``In my opinion``) it must judge, prefer or wish something; without one it must say
    of something that it is beautiful, dreadful, the best choice, and no more.

    >>> is_opinion("The design is beautiful"), is_opinion("I think the shop closes on holidays")
    (True, False)
    """
    marked = _OPINION_MARK.match(bare)
    core = bare[marked.end() :].lstrip(" ,") if marked else bare
    if marked and (_TASTE.match(bare) or _WISH.search(core)):
        return not TURNS.search(bare)
    judged = _JUDGEMENT.fullmatch(core.removeprefix("that ")) or (
        marked and re.search(_EVALUATIVE + r"\b", core, re.I)
    )
    if not judged or TURNS.search(bare):
        return False
    if marked:
        return True
    rest = judged["rest"]
    return bool(_STRONG.search(core[judged.start("rest") - 25 :]) or _SOFT_REST.fullmatch(rest))
