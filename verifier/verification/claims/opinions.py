"""One sentence in; whether it only voices a judgement of taste, without figures or an argument, out."""

from __future__ import annotations

import re

__all__ = ["TURNS", "is_opinion"]

TURNS = re.compile(r"\b(?:but|however|though|although|because|since|except|only|instead)\b|;", re.IGNORECASE)
"""Words that turn a sentence towards something else: what follows them may be a fact."""

_TASTEFUL = (
    r"(?:beautiful|ugly|wonderful|amazing|awesome|fantastic|terrible|awful|horrible|lovely|gorgeous|stunning|"
    r"delightful|charming|charmless|elegant|stylish|superb|marvell?ous|magnificent|breathtaking|boring|"
    r"annoying|fascinating|delicious|silly|absurd|ridiculous|cute|nice|nicest|finest|prettiest|loveliest|great)"
)
"""Adjectives of taste: whatever is called so, nobody can check it."""
_JUDGING = (
    r"(?:attractive|brilliant|exciting|fun|disappointing|inspiring|pleasant|unpleasant|tasty|generous|fair|unfair|"
    r"strict|harsh|sensible|reasonable|unreasonable|good|bad|cool|perfect|ideal|excellent|impressive|welcoming|"
    r"cosy|cozy|enjoyable|memorable|overrated|underrated|worthwhile|dull|friendly|outstanding|remarkable|"
    r"exceptional|incredible|best|worst|better|worse)"
)
"""Adjectives that judge, but are also used of facts (``a fair trial``, ``sales were good``)."""
_DEGREE = (
    r"(?:(?:simply|really|truly|just|so|very|quite|absolutely|rather|far|by\sfar|much|more|less|most|a|an|the|too|"
    r"one\sof\sthe|a\s(?:little|bit)|totally|utterly|such\sa|also|always|still|undoubtedly|clearly)\s)*"
)
_EVALUATION = re.compile(rf"\b(?:{_TASTEFUL}|{_JUDGING})\b", re.IGNORECASE)
_NOUN = r"(?:\s(?:choice|option|place|thing|idea|product|way|experience|fit|deal|pick|team|service)s?)"
_JUDGEMENT = re.compile(
    rf"""[^,;:]{{1,90}}?\s(?:is|are|was|were|looks?|feels?|seems?|sounds?|tastes?)\s{_DEGREE}
    (?: {_TASTEFUL}{_NOUN}?(?:\s(?:for|to|in|on|one|ever|anywhere)\b(?:(?!\b(?:and|with|which|who)\b)[^,;:]){{0,60}})?
      | (?:best|worst|perfect|ideal){_NOUN}(?:\s(?:for|to)\s(?:anyone|everyone|everybody|all|you|me|us)\b.{{0,40}})?
    )\W*""",
    re.IGNORECASE | re.VERBOSE,
)
_DEMAND = re.compile(
    rf"[^,;:]{{1,90}}?\s(?:really\s)?(?:ought\sto|should)\s(?:really\s)?be\s{_DEGREE}(?:{_TASTEFUL}|{_JUDGING})\b.{{0,60}}",
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
    if TURNS.search(bare):
        return False
    if mark := _OPINION_MARK.match(bare):
        core = bare[mark.end() :]
        return bool(_TASTE.match(bare) or _WISH.search(core) or _EVALUATION.search(core))
    return bool(_JUDGEMENT.fullmatch(bare) or _DEMAND.fullmatch(bare))
