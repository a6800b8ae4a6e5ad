"""Put a word into the form that a sentence needs: endings, capitals, articles."""

from __future__ import annotations

import re

from verifier_signals.lexicon import common_words, irregular_forms_of, verb_of

__all__ = ["article_for", "capital_like", "inflected", "like"]

_SIBILANT = re.compile(r"(?:s|x|z|ch|sh|o)\Z")
_CONSONANT_Y = re.compile(r"(?<=[^aeiou])y\Z")
_PARTICIPLE = re.compile(r"(?:n|ne)\Z|u[nmg]|unk")
_VOWEL_SOUND = re.compile(r"(?!(?:uni|use|usa|eu|one|once)\w*)[aeiou]|(?:hour|honest|honou?r|heir)\w*", re.I)
_SPOKEN_VOWEL = re.compile(r"8|1[18](?![\d,])|[AEFHILMNORSX](?![a-z])")
"""Figures and single letters whose name begins with a vowel: ``an 11-day trip``, ``an MP``."""
_SPECIAL_S = {"be": "is", "have": "has", "do": "does"}


def inflected(lemma: str, form: str) -> str | None:
    """A verb's lemma in a form, ``s`` or ``past`` (finite); ``None`` where the tables leave two past forms open.

    >>> inflected("apply", "s"), inflected("cover", "past"), inflected("take", "past"), inflected("put", "past")
    ('applies', 'covered', 'took', 'put')
    """
    if form == "base":
        return lemma
    if form == "s":
        if lemma in _SPECIAL_S:
            return _SPECIAL_S[lemma]
        if _CONSONANT_Y.search(lemma):
            return _CONSONANT_Y.sub("ies", lemma)
        return lemma + ("es" if _SIBILANT.search(lemma) else "s")
    if form == "past":
        return _past(lemma)
    return None


def like(word: str, model: str) -> str | None:
    """A word in the form of another one: the same ending of a verb; as it is where neither is inflected.

    ``None`` where the two cannot stand in one place.

    >>> like("decreased", "increases"), like("rejected", "upheld"), like("shorter", "longer")
    ('decreases', 'rejected', 'shorter')
    """
    mine, theirs = verb_of(word.lower()), verb_of(model.lower())
    if mine is None or theirs is None or mine.form == theirs.form:
        return word
    return inflected(mine.lemma, theirs.form)


def capital_like(text: str, replaced: str, *, heads: bool, headed: bool) -> str:
    """``text`` with the first letter that its new place asks for.

    Args:
        text: what is put in.
        replaced: what stood there.
        heads: whether the new place opens a sentence.
        headed: whether ``text`` opened one where it was taken from.

    >>> capital_like("six", "Eight", heads=True, headed=False), capital_like("Some", "all", heads=False, headed=True)
    ('Six', 'some')
    """
    first = re.match(r"[^\W\d_]+", text)
    if first is None:
        return text
    if heads and replaced[:1].isupper():
        return text[0].upper() + text[1:]
    ordinary = first[0].lower() in common_words() and first[0][1:].islower()
    return text[0].lower() + text[1:] if headed and not heads and ordinary else text


def article_for(article: str, following: str) -> str:
    """``a`` or ``an`` before this word, in the case that the article has.

    >>> article_for("a", "Alstom"), article_for("An", "used pump"), article_for("a", "8-day trip")
    ('an', 'A', 'an')
    """
    vowel = _VOWEL_SOUND.match(following) or _SPOKEN_VOWEL.match(following)
    found = "an" if vowel else "a"
    return found.capitalize() if article[0].isupper() else found


def _past(lemma: str) -> str | None:
    forms = [form for form in irregular_forms_of(lemma) if not form.endswith(("ing", "s"))]
    if lemma == "be" or (len(forms) > 1 and len(finite := _finite(forms)) != 1):
        return None
    if forms:
        return forms[0] if len(forms) == 1 else finite[0]
    if irregular_forms_of(lemma):
        return lemma
    if _CONSONANT_Y.search(lemma):
        return _CONSONANT_Y.sub("ied", lemma)
    return lemma + ("d" if lemma.endswith("e") else "ed")


def _finite(forms: list[str]) -> list[str]:
    return [form for form in forms if not _PARTICIPLE.search(form)]
