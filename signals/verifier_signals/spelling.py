"""One spelling for British and American forms of a word, under which both are compared."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier_signals.lexicon import american_spelling

__all__ = ["one_spelling"]

_ENDINGS = (
    (
        r"(?<=[a-z][bdghlmnprtv])our(?=$|able|al|ed|er|ful|hood|ing|ist|ite|less|ly|y)|(?<=l)our(?=$|ed|ful)",
        "or",
    ),
    (r"(?<=[^aeiou]i)z(?<!^priz)(?=e$|ed$|er$|ing$|ation)|(?<=[lr]y)z(?=e$|ed$|er$|ing$)", "s"),
    (r"(?<=[bt])(?<!mb)re$", "er"),
    (r"(?<=[a-z][acdgl]og)ue$", ""),
)
_INSIDE = (
    r"(?<=^h)ae(?=m)",
    r"(?<=^p)ae(?=di)",
    r"(?<=^an)ae(?=[ms])",
    r"(?<=^arch)ae",
    r"(?<=^pal)ae",
    r"(?<=^medi)ae",
    r"(?<=^gyn)ae",
    r"(?<=^encyclop)ae",
    r"(?<=^orthop)ae",
    r"(?<=^leuk)ae",
    r"(?<=^f)ae(?=c)",
    r"^ae(?=sth)",
    r"^oe(?=[ds])",
    r"(?<=^f)oe(?=t)",
    r"(?<=^diarrh)oe",
    r"(?<=^man)oe",
    r"(?<=^am)oe(?=b)",
    r"(?<=^hom)oe(?=o)",
)
"""Where British spelling keeps the two vowels of a Greek or Latin one."""
_RULES = [(re.compile(pattern), new) for pattern, new in (*_ENDINGS, ("|".join(_INSIDE), "e"))]
_SHORT = 4
"""Words up to so many letters are spelt alike, but for those of the table."""


@lru_cache(maxsize=65536)
def one_spelling(word: str) -> str:
    """A folded base form in American spelling, but for *-ise* and *-yse*, which are no ending that a stemmer cuts off.

    What is spelt alike everywhere may come out as no word (``contour`` as ``contor``). That is no harm where both
    sides are read alike: no two words of different meaning come out as one.

    >>> one_spelling("colour"), one_spelling("organize"), one_spelling("theatre"), one_spelling("licence")
    ('color', 'organise', 'theater', 'license')
    """
    listed = american_spelling(word)
    if listed is not None or len(word) <= _SHORT:
        return listed or word
    for pattern, new in _RULES:
        word = pattern.sub(new, word)
    return word
