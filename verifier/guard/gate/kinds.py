"""What kind of message a text is, so that thresholds and fallbacks can fit it."""

from __future__ import annotations

import re
from collections.abc import Callable

from verifier.core.lexicon import lexicon
from verifier.core.text import normalise, words

__all__ = ["EMOTIONAL", "INFORMATIONAL", "UNCLEAR", "Classify", "kind_of"]

EMOTIONAL, INFORMATIONAL, UNCLEAR = "emotional", "informational", "unclear"

Classify = Callable[[str], str]

_FEELINGS = lexicon(
    """afraid alone angry anxious ashamed awful crying depressed desperate devastated disappointed exhausted
    frustrated furious grief grieving guilty heartbroken helpless hopeless hurt lonely lost mad miserable nervous
    overwhelmed panicking sad scared stressed terrible terrified tired unhappy upset worried worthless"""
)
_OF_ONESELF = re.compile(
    r"\b(?:i'm|i am|i feel|i've been|i have been|i was|makes me|i can't stop|feeling)((?:\W+\w+){1,5})"
)
_ASKING = re.compile(
    r"\?|^\W*(?:what|when|where|who|whom|whose|which|why|how|is|are|was|were|do|does|did|can|could|will|would|should|may"
    r"|must|explain|describe|list|name|compare|summari[sz]e|define|tell me|give me|show me|find|calculate|translate)\b"
)


def kind_of(message: str) -> str:
    """``emotional`` where somebody speaks of a feeling of their own, ``informational`` where something is asked or
    stated in four words or more, else ``unclear``.

    >>> [kind_of(text) for text in ("I'm so worried about the bill", "When is the bill due?", "hmm bill")]
    ['emotional', 'informational', 'unclear']
    """
    folded = normalise(message).text
    for found in _OF_ONESELF.finditer(folded):
        if any(word in _FEELINGS for word in re.findall(r"\w+", found.group(1))):
            return EMOTIONAL
    if _ASKING.search(folded) or len(words(folded)) >= 4:
        return INFORMATIONAL
    return UNCLEAR
