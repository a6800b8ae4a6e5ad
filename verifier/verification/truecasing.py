"""Restore the capitals of a claim that has none, or only capitals, from the words of its evidence.

In the capitals of a headline every word looks like a name, and without any capital none does. There, and only there,
each word is read as the evidence writes it inside its sentences; the length never changes, so that spans stay right.
Nor does the mark that a claim ends with tell anything: ``closed`` gives every claim the same.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from verifier_signals.lexicon import common_words, verb_of
from verifier_signals.lexicon.calendar import MONTHS, WEEKDAYS
from verifier_signals.stems import lemma
from verifier_signals.syntax.words import FUNCTION_WORDS, stem
from verifier_signals.values.units import lookup

from verifier.core.lexicon import lexicon
from verifier.types import Claim, Evidence

__all__ = ["as_read", "closed", "is_headline", "recased"]

_WORD = re.compile(r"[^\W\d_]+(?:(?<=n)['’]t)?")
_INSIDE = re.compile(r"(?<=[^\W\d_A-Z][ -]|[,;] )([^\W\d_]+)")
"""A word behind a small letter or a comma: its first letter says what it is, not that a sentence begins."""
_NAME_BEFORE = re.compile(r"(?<![\w'’-])([A-Z][\w'’-]*) (?:& )?$")
_NAME_BEHIND = re.compile(r" (?:& )?[A-Z\d]")
_LONGEST = 40
"""Characters in which a word before another one is looked for."""
_JOINTS = (" ", " & ", "-")
"""What may stand between two words of a name."""
_SYMBOL = re.compile(r"(?<=\d )[^\W\d_]{1,3}(?![\w'’-])")
"""A short word behind a figure."""
_SUFFIX = re.compile(r"(?<=['’])(?:S|LL|RE|VE|D|M)(?!\w)|(?<=\d0)S(?!\w)")
_INITIAL = re.compile(r"(?<!['’\d-])(?<!\d )[b-z](?!\w)", re.IGNORECASE)
"""A letter by itself that is no article, no ending and, without a figure, no symbol."""
_SMALL = FUNCTION_WORDS | lexicon(
    "anything anyone anybody something someone everything everyone nothing nobody"
)
_OWNERS = lexicon("my your his its our their")
_DAYS = frozenset({*MONTHS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)})
_ALSO_VERBS = lexicon("march may")
_TO_A_MONTH = re.compile(r"(?:\d|\b(?:in|of|since|until|till|during|early|late|last|next)) $", re.IGNORECASE)
_FIGURE = re.compile(r"[ -]\d")
_LETTER = re.compile(r" ([a-z])(?![\w'’-])(?: ([a-z]+))?", re.IGNORECASE)
_SYMBOLS = 3
"""Letters of a unit's symbol at most; of longer names the case does not matter."""
_FEWEST = 3
"""With fewer capitals a claim may consist of names."""


def recased(text: str, evidence: Iterable[str], written: str = "") -> str:
    """The text with its words as they are written in the evidence, where its own capitals tell nothing.

    ``written`` is how the response has it, where something else is read: what is read instead may have no capitals.

    >>> recased("Castellan Cables Supplied The Turbines", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied the turbines'
    >>> recased("castellan cables supplied them", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied them'
    >>> recased("Castellan Cables supplied The Turbines", ["The blades were made by Castellan Cables in Hull."])
    'Castellan Cables supplied The Turbines'
    >>> recased("40 percent of them are three-year-old bulbs", ["The Old Market sells them."])
    '40 percent of them are three-year-old bulbs'
    """
    words = list(_WORD.finditer(text))
    if not words or not (text.islower() or is_headline(text) or is_headline(written)):
        return text
    shelf = "\n".join(evidence)
    usage = _Usage(_inside(shelf), _anywhere(shelf))
    told = {
        **dict(_abbreviated(words)),
        **dict(_dated(text, words)),
        **_joined(text, words, shelf),
        **dict(_numbered(text, words, shelf)),
    }
    out = list(text)
    for word in words:
        out[slice(*word.span())] = told.get(word.start()) or _alone(text, word, usage)
    first = words[0].start()
    if not any(map(str.isdigit, text[:first])):
        out[first] = out[first].upper()
    return "".join(out)


def is_headline(text: str) -> bool:
    """Whether every word that needs no capital has one, but for what may be a unit's symbol behind its figure.

    >>> is_headline("The Weir Is 12 m Long and Quite New"), is_headline("The Weir is 12 m long and quite new")
    (True, False)
    """
    telling = [
        word[0][0]
        for word in list(_WORD.finditer(text))[1:]
        if _begins(text, word)
        and not (word[0].islower() and _SYMBOL.match(text, word.start()))
        and (_folded(word) not in FUNCTION_WORDS or (len(word[0]) > 1 and word[0][0].isupper()))
    ]
    return len(telling) >= _FEWEST and all(map(str.isupper, telling))


def as_read(claim: Claim, evidence: Sequence[Evidence]) -> str:
    """A claim as its signals read it beside its evidence: :func:`recased` and :func:`closed`."""
    texts = (text for item in evidence for text in (*item.headings, item.text))
    return closed(recased(claim.hypothesis, texts, claim.text))


def closed(text: str) -> str:
    """The text with one full stop at its end, whatever mark it ends with; a question and a closing quote stay.

    >>> closed("It opens at 9!"), closed("It opens at 9 ."), closed("Price: 4 EUR"), closed("Is it open?")
    ('It opens at 9.', 'It opens at 9.', 'Price: 4 EUR.', 'Is it open?')
    """
    bare = text.rstrip(" .!")
    return f"{bare}." if bare and (bare[-1].isalnum() or bare[-1] in "%)°€$£") else text


def _folded(word: re.Match[str]) -> str:
    return word[0].casefold()


def _begins(text: str, word: re.Match[str]) -> bool:
    """Whether a capital could be expected: not behind a hyphen, an apostrophe or a figure."""
    before = text[max(0, word.start() - 1) : word.start()]
    return before not in ("-", "'", "’") and not before.isdigit()


def _abbreviated(words: Sequence[re.Match[str]]) -> Iterator[tuple[int, str]]:
    """Words in capitals throughout where they begin, if most words are not: ``IT`` is no pronoun then."""
    loud = [word for word in words if len(word[0]) > 1 and word[0].isupper()]
    if 2 * len(loud) < len(words):
        yield from ((word.start(), word[0]) for word in loud)


def _dated(text: str, words: Sequence[re.Match[str]]) -> Iterator[tuple[int, str]]:
    """Days and months where they begin, with their capitals; ``may`` and ``march`` where the words beside them tell."""
    for word in words:
        low = word[0].lower()
        if low in _DAYS and (
            low not in _ALSO_VERBS
            or _TO_A_MONTH.search(text[: word.start()])
            or _FIGURE.match(text, word.end())
        ):
            yield word.start(), low.capitalize()


def _joined(text: str, words: Sequence[re.Match[str]], shelf: str) -> dict[int, str]:
    """Neighbouring words where they begin, as the evidence has the two together; what is part of a name stays one."""
    told: dict[int, str] = {}
    for left, right in pairwise(words):
        forms = _pair(left[0], text[left.end() : right.start()], right[0], shelf)
        for word, form in zip((left, right), forms, strict=False):
            if len(form) == len(word[0]) and not told.get(word.start(), "a")[0].isupper():
                told[word.start()] = form
    return told


def _pair(left: str, joint: str, right: str, shelf: str) -> Sequence[str]:
    """Two words as the evidence has them together; nothing where it does not, or may have a sentence begin there.

    Capitals of both make a name, be it at the head of a sentence. What ``&`` joins is a firm's name unless the evidence
    has its words in small letters.
    """
    small = (left.lower(), right.lower())
    if joint not in _JOINTS or small[0] in FUNCTION_WORDS:
        return ()
    both = re.compile(rf"(?<![^\W_])({left}){re.escape(joint)}({right})(?![^\W_])", re.IGNORECASE)
    found = Counter(
        match.groups()
        for match in both.finditer(shelf)
        if match[2][0].isupper() or _INSIDE.match(shelf, match.start())
    )
    if small[1] in FUNCTION_WORDS:
        found = Counter({forms: n for forms, n in found.items() if " ".join(forms).istitle()})
    if not found and joint == " & " and not re.search(rf"(?<!\w)(?:{'|'.join(small)})(?!\w)", shelf):
        return left.capitalize(), right.capitalize()
    if small in found:
        return small
    return max(
        sorted(found), key=lambda pair: (pair[1][0].isupper(), not pair[1].isupper(), found[pair]), default=()
    )


def _numbered(text: str, words: Sequence[re.Match[str]], shelf: str) -> Iterator[tuple[int, str]]:
    """``Trench A`` and ``Year 7``: noun and letter where they begin, if the evidence has such with a capital alone."""
    for word in words:
        letter = _LETTER.match(text, word.end())
        if letter and letter[1] in "aA" and (letter[2] or "the").lower() not in FUNCTION_WORDS:
            continue
        if _folded(word) in FUNCTION_WORDS or not (letter or _FIGURE.match(text, word.end())):
            continue
        forms = re.findall(rf"(?<!\w)((?i:{word[0]}))(?:e?s)?(?: [A-Z](?!\w)|[ -]\d)", shelf)
        if forms and all(form[0].isupper() for form in forms):
            yield word.start(), forms[0]
            if letter:
                yield letter.start(1), letter[1].upper()


class _Usage(NamedTuple):
    """How often the evidence writes each word how, by the folded word: inside its sentences, and anywhere."""

    inside: Mapping[str, Counter[str]]
    anywhere: Mapping[str, Counter[str]]


def _alone(text: str, word: re.Match[str], usage: _Usage) -> str:
    """A word by itself: a word of the language is small unless the evidence has nothing but a name there."""
    low, forms = word[0].lower(), usage.inside.get(_folded(word), Counter())
    if len(low) != len(word[0]):
        return word[0]
    if _INITIAL.match(text, word.start()):
        return low.upper()
    if not _begins(text, word):
        return low if _is_listed(low) or _SUFFIX.match(text, word.start()) else word[0]
    if _is_listed(low) and (forms[low] or not forms):
        return low
    forms = forms or usage.anywhere.get(_folded(word), Counter())
    if forms:
        return max(sorted(forms), key=lambda form: forms[form])
    return low if _is_noun(text, word, usage) else word[0]


def _is_noun(text: str, word: re.Match[str], usage: _Usage) -> bool:
    """Whether a word that neither the language nor the evidence has is no name all the same.

    It is another form of a word that the evidence has in small letters, or the plural that somebody owns.
    """
    low = word[0].lower()
    owner = text[: word.start()].rsplit(maxsplit=1)[-1:]
    if low.endswith("s") and owner and owner[0].lower() in _OWNERS:
        return True
    return any(
        form.islower() and stem(form) == stem(low) for forms in usage.anywhere.values() for form in forms
    )


def _inside(shelf: str) -> Mapping[str, Counter[str]]:
    """How each word is written inside the sentences.

    A capital that a word of the language has in a longer name, or before a figure, tells nothing of it.
    """
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for match in _INSIDE.finditer(shelf):
        low = match[0].casefold()
        part = match[0][0].isupper() and _is_listed(low) and _in_a_name(shelf, match)
        if low not in FUNCTION_WORDS and not part:
            seen[low][match[0]] += 1
    return seen


def _anywhere(shelf: str) -> Mapping[str, Counter[str]]:
    """How each word is written, be it at the head of a sentence."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for match in _WORD.finditer(shelf):
        seen[_folded(match)][match[0]] += 1
    return seen


def _in_a_name(shelf: str, word: re.Match[str]) -> bool:
    """Whether another capital or a figure follows, or a capital leads to it that no sentence begins with."""
    before = _NAME_BEFORE.search(shelf[max(0, word.start() - _LONGEST) : word.start()])
    return bool(_NAME_BEHIND.match(shelf, word.end())) or (
        before is not None and before[1].lower() not in FUNCTION_WORDS
    )


def _is_listed(low: str) -> bool:
    """Whether it is a word of the language, if only by its parts; what the dictionary lacks is a name or a code."""
    base = lemma(low)
    return (
        low in _SMALL
        or not {low, base}.isdisjoint(common_words())
        or verb_of(low) is not None
        or (base.endswith("ologist") and base[:-3] + "y" in common_words())
        or (len(low) > _SYMBOLS and bool(lookup(low)))
    )
