"""Opinion detection: whether a sentence without figures only voices a judgement, a taste or a wish.

A judgement is told by its shape, not by a word of praise: the *main* verb must be one that judges, its subject must
be bare, and nothing may follow that says more. ``The beautiful bridge was sold`` is a claim. Some constructions judge
with ordinary words: a comparison with what could be wished for (``could not have been kinder``), with what can be
imagined (``hard to beat``), with what something deserves or promises.
"""

from __future__ import annotations

import re

from verifier.core.lexicon import lexicon
from verifier.core.patterns import compiled_later
from verifier.verification.claims import opinion_patterns as shape
from verifier.verification.grammar.verbs import finite_verb, is_verb_form, tokens_of
from verifier.verification.grammar.words import SUBORDINATORS

__all__ = ["TURNS", "is_opinion"]

TURNS = re.compile(r"\b(?:but|however|though|although|because|since|except|only|instead)\b|;", re.IGNORECASE)
"""Words that turn a sentence towards something else: what follows them may be a fact."""

_RANKS = re.compile(
    r"\bthe\s(?:single\s|very\s)?(?:most|least|(?!best|honest|modest)[a-z]{3,}est)\b", re.IGNORECASE
)
"""A superlative ranks: documents may say who holds the first place, so without the mark of an opinion it is a claim."""

_COMPARING = lexicon("than as so")
_IMAGINING = _COMPARING | lexicon("if before once what how who when")
_ADDING = lexicon("and with by named called")
_SAYING = lexicon("""
    assert assume believe call claim conclude deny describe hold imply infer pretend say speak state
    suggest suppose think
    """)
_DEFINITE = lexicon("the this that these those our their my its his her")
_ANYBODY = lexicon("you one we people everyone everybody anyone")
_AFTER_A_TASTE = lexicon("is are were have be do")
_SETTING = lexicon("after before")
_PAIR = 2
_LONGEST_SUBJECT = 12


def is_opinion(bare: str) -> bool:
    """Whether a sentence without figures is a matter of taste and says nothing else.

    Behind a mark (``I think``, ``in my view``) any word that judges will do as predicate; without one it must be
    a word that nobody uses of facts.

    >>> is_opinion("The design is beautiful"), is_opinion("I think the shop closes on holidays")
    (True, False)
    >>> is_opinion("The crossing is well worth getting up for"), is_opinion("The beautiful bridge was sold")
    (True, False)
    """
    inside = shape.OWN_INSIDE.sub(" ", bare, count=1)
    core, own = _without(inside, shape.OWN_FIRST, shape.OWN_LAST)
    core, hedged = _without(core, shape.HEDGE_FIRST, shape.HEDGE_LAST)
    if hedged and not own:
        core, own = _without(core, shape.OWN_FIRST, shape.OWN_LAST)
    own |= inside != bare
    core = core.removeprefix("that ")
    if not own and not hedged and _RANKS.search(core):
        return False
    if _judges_by_construction(core) and not TURNS.search(core):
        return True
    if not own and not hedged and shape.TRIGGERS.isdisjoint(form for _, _, form in tokens_of(core)):
        return False
    if _voices(core, own=own, marked=own or hedged):
        return True
    parts = shape.JOINT.split(core)
    return len(parts) == _PAIR and all(_voices(part, own=own, marked=own or hedged) for part in parts)


def _voices(core: str, *, own: bool, marked: bool) -> bool:
    """Whether a statement without the mark of an opinion is one: ``own`` and ``marked`` say how clear the mark was."""
    if shape.WHOLE.fullmatch(core):
        return _says_no_more(core.replace(" with ", " "), allowed=_IMAGINING)
    if TURNS.search(core):
        return False
    if taste := shape.TASTE_OF_MINE.match(core):
        rest = core[taste.end() :]
        return _says_no_more(rest, allowed=_COMPARING) and _verbs_in(rest) <= _AFTER_A_TASTE
    if shape.FINDING.fullmatch(core):
        return finite_verb(core, tokens_of(core), 2) is None and _says_no_more(core, allowed=_COMPARING)
    if own and (_wishes(core) or _judges_by_any_word(core)):
        return True
    return _judges(_essence(core), marked=marked)


def _essence(text: str) -> str:
    """The text without what only says when, where or in what respect somebody feels so."""
    for pattern in (shape.SETTING, shape.RESPECT):
        match = pattern.search(text) if pattern is shape.RESPECT else pattern.match(text)
        if match and not _verbs_in(match[0]) and _says_no_more(match[0], allowed=_SETTING):
            text = text[: match.start()] + text[match.end() :]
    return text


def _without(text: str, first: re.Pattern[str], last: re.Pattern[str]) -> tuple[str, bool]:
    """The text without the mark of an opinion at either end, and whether there was one."""
    match = first.match(text) or last.search(text)
    if match is None:
        return text, False
    return (text[: match.start()] + text[match.end() :]).strip(" ,"), True


def _judges(text: str, *, marked: bool) -> bool:
    """Whether the sentence is a bare subject, a linking or feeling verb and a judgement, up to its end."""
    tokens = tokens_of(text)
    main = finite_verb(text, tokens)
    last = _LONGEST_SUBJECT if main is None else min(main, _LONGEST_SUBJECT)
    for number, (start, _, form) in enumerate(tokens[: last + 1]):
        at = start + form.find("'s") if form.endswith("'s") else start
        if at > 0 and (number > 0 or at > start) and _judges_from(text, at, marked=marked):
            return _is_bare_subject(text[:at])
    return False


def _judges_from(text: str, at: int, *, marked: bool) -> bool:
    """Whether the predicate that begins at ``at`` judges, and no more."""
    if match := shape.FEELING.fullmatch(text, at - 1):
        wish = shape.WISH.match(match[0].strip().removeprefix("really "))
        return _ends_there(match) and not (wish and _is_advice(text[:at]))
    verb = shape.LINKING.match(text, at)
    if verb is None:
        return False
    match = shape.PREDICATE.fullmatch(text, verb.end())
    if match is None and marked:
        match = shape.LENIENT.fullmatch(text, verb.end())
    return match is not None and _ends_there(match)


def _wishes(text: str) -> bool:
    """Whether something in particular should be otherwise; what anybody should do can be right or wrong."""
    wish = shape.WISH.search(text)
    if wish is None:
        return False
    subject = text[: wish.start()]
    return (
        _is_bare_subject(subject)
        and not _is_advice(subject)
        and _says_no_more(text[wish.end() :], allowed=_COMPARING)
    )


def _judges_by_any_word(text: str) -> bool:
    """Whether a single clause judges by any word behind its verb, and names nothing there."""
    tokens = tokens_of(text)
    verb = finite_verb(text, tokens)
    if not verb or not _is_bare_subject(text[: tokens[verb][0]]):
        return False
    predicate = text[tokens[verb][1] :]
    return (
        shape.WORD.search(predicate) is not None
        and _says_no_more(predicate, allowed=_COMPARING)
        and not any(map(str.isupper, predicate))
    )


def _ends_there(match: re.Match[str]) -> bool:
    """Whether what follows the judgement only says in what respect."""
    tail = match["tail"] or ""
    return not _verbs_in(tail) and _says_no_more(tail, allowed=_COMPARING)


def _says_no_more(text: str, *, allowed: frozenset[str]) -> bool:
    """Whether words hold no clause, addition or report that could be right or wrong by itself."""
    refused = (SUBORDINATORS - allowed) | _ADDING | _SAYING
    return all(form not in refused for _, _, form in tokens_of(text))


def _verbs_in(text: str) -> set[str]:
    return {form for _, _, form in tokens_of(text) if is_verb_form(form)}


def _is_bare_subject(text: str) -> bool:
    """Whether a subject only names something: no clause, and no participle that says what became of it."""
    forms = [form for _, _, form in tokens_of(text)]
    if not forms or forms[0] == "according":
        return False
    told = any(form in SUBORDINATORS or form in _ADDING - {"and"} or form in ",;:()" for form in forms[1:])
    done = any(is_verb_form(form) or (form.endswith("ed") and len(form) > 4) for form in forms)
    return not told and not done


def _is_advice(subject: str) -> bool:
    """Whether a subject is a kind of people (``Patients``), not someone in particular."""
    forms = [form for _, _, form in tokens_of(subject)]
    plural = forms[-1].endswith("s") and not forms[-1].endswith("ss")
    return forms[-1] in _ANYBODY or (forms[0] not in _DEFINITE and plural)


# -- constructions that judge ----------------------------------------------------------------------------------

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


def _judges_by_construction(bare: str) -> bool:
    """Whether a statement without figures is nothing but such a construction.

    >>> [_judges_by_construction(text) for text in ("The staff could not have been kinder", "The film failed to open")]
    [True, False]
    """
    forms = {form for _, _, form in tokens_of(bare)}
    if _NEEDED.isdisjoint(forms) or not _TELLING.isdisjoint(forms):
        return False
    return _CONSTRUCTIONS.fullmatch(bare) is not None
