"""Two parts of a sentence in; the subject that the second takes from the first one, where it is a mere verb, out."""

from __future__ import annotations

from verifier_signals.lexicon import verb_of

from verifier.core.lexicon import lexicon
from verifier.verification.claims.behind import JOINERS
from verifier.verification.claims.grammar import is_certain, is_predicate, tense
from verifier.verification.claims.verbs import AUXILIARIES, Token

__all__ = ["MODALS", "shared_subject", "shared_up_to"]

_DENYING = lexicon("no nobody none neither few only nothing hardly")
MODALS = lexicon("will would can could may might must shall should")
_LONGEST_SUBJECT = 7
"""Words of a subject that the clause behind a joint may share."""


def shared_subject(
    sentence: str, tokens: list[Token], first: int, verb: int, index: int, opening: int
) -> str:
    """What a bare predicate behind the joint shares with the one before it (``costs 5 EUR and includes parking``).

    The subject, with its auxiliary where the verb needs it (``was sold in 1990 and rebuilt in 2001``).
    """
    if not first < verb <= first + _LONGEST_SUBJECT or opening + 1 >= len(tokens):
        return ""
    subject = tokens[first:verb]
    if any(part in _DENYING or part in JOINERS or part in ",;:()—–" for _, _, part in subject):
        return ""
    through = shared_up_to(sentence, tokens, verb, index, opening)
    return sentence[subject[0][0] : tokens[through][1]] if through is not None else ""


def shared_up_to(sentence: str, tokens: list[Token], verb: int, index: int, opening: int) -> int | None:
    """The last token before the left part's verb that the right part shares; ``None`` where it is no predicate."""
    form, governing = tokens[opening][2], tokens[verb][2]
    listed = tokens[index][2] == "," and opening == index + 1
    if form in AUXILIARIES and not listed:
        return None if form in ("do", "does", "did", "'s") else verb - 1
    born = tokens[verb + 1][2] == "born" if verb + 1 < len(tokens) else False
    if born and is_predicate(sentence, tokens, opening, "past"):
        return verb - 1
    if listed and not (
        is_certain(sentence, tokens, opening) and _predicate_follows(sentence, tokens, opening)
    ):
        return None
    if is_predicate(sentence, tokens, opening, "s"):
        singular = verb_of(governing)
        agrees = governing in ("is", "was", "has") or (singular is not None and singular.form == "s")
        return verb - 1 if agrees else None
    if is_predicate(sentence, tokens, opening, "past"):
        if governing not in AUXILIARIES:
            told = tense(tokens, verb) == "past" or not _is_participle(tokens, verb, index, opening)
            return verb - 1 if told else None
        if governing in ("was", "were") and _is_passive(tokens, verb):
            if is_certain(sentence, tokens, opening):
                return verb - 1
            return verb if tokens[opening + 1][2] == "by" else None
        return None
    base = is_predicate(sentence, tokens, opening, "base")
    if governing in MODALS:
        return verb if base and tokens[verb + 1][2] not in ("not", "never", "only") else None
    same = verb_of(governing)
    return (
        verb - 1
        if base and same is not None and same.form == "base" and governing not in AUXILIARIES
        else None
    )


def _is_participle(tokens: list[Token], verb: int, index: int, opening: int) -> bool:
    """Whether a past form behind a verb in the present may belong to a noun: ``makes cheese sold here and shipped``."""
    between = (verb_of(form) for _, _, form in tokens[verb + 1 : index])
    return tokens[opening + 1][2] == "by" or any(one is not None and one.form == "past" for one in between)


def _predicate_follows(sentence: str, tokens: list[Token], opening: int) -> bool:
    """Whether the list that begins here ends with ``and`` and another predicate of the same form."""
    verb = verb_of(tokens[opening][2])
    last = max((n for n, token in enumerate(tokens) if token[2] == "and"), default=0)
    return verb is not None and last > opening and is_predicate(sentence, tokens, last + 1, verb.form)


def _is_passive(tokens: list[Token], verb: int) -> bool:
    participle = verb_of(tokens[verb + 1][2]) if verb + 1 < len(tokens) else None
    return participle is not None and participle.form == "past"
