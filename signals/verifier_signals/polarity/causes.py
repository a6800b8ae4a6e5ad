"""Causal links: what causes what, and whether a text states, denies or leaves open that it does.

A claim that firmly asserts a cause is held against the links of the premise about the same two things. The phrases that
make a link come from the table of causal phrases in ``verifier_signals.lexicon``.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import CausalPhrase, causal_phrases
from verifier_signals.polarity.alignment import PolarityClash, span_of
from verifier_signals.polarity.cues import Cue, cues_in
from verifier_signals.polarity.statements import KNOWING, body_sentence
from verifier_signals.polarity.terms import terms_in, word_relations
from verifier_signals.syntax import BE, Reading, VerbGroup, read

__all__ = ["CauseStatus", "cause_clashes", "links_in"]

_LINK_NOUNS = lexicon("link connection relationship cause reason source causes reasons effect influence why")
"""Nouns by which a sentence speaks of a causal link without telling its sides."""
_UNSURE = frozenset(
    {"open", "unclear", "unknown", "unsettled", "unresolved", "undecided", "unproven", "unexplained"}
)
_UNSETTLED = lexicon("""
    stud studi test decid settl separ claim judg investig examin trace attribut assess clear clarifi explain design
    """)
"""More stems of finding out, beside those of showing and knowing."""
_DISPUTE = lexicon("disagree disagrees disagreed dispute disputes disputed debate debated divided")
_CORRELATION = lexicon(
    "correlated correlates correlate correlation associated association coincided coincides coincide"
)
_SUPPOSING = lexicon("""
    suspect suspects suspected assume assumes assumed guess suppose supposed theory hypothesis speculated rumour believe
    believes believed think thinks thought
    """)
_CONDITIONAL = frozenset({"whether", "if", "unless"})
_MODALS = frozenset({"may", "might", "could"})
_OTHERWISE = (("rule", "out"), ("nothing", "to", "do", "with"), ("unrelated", "to"), ("independent", "of"))
"""Phrases that deny a link, their verbs by the base form."""
_UNTRUE = frozenset({"false", "untrue", "myth", "unfounded", "baseless"})


class CauseStatus(Enum):
    """What a text says of a link."""

    STATED = "stated"
    DENIED = "denied"
    OPEN = "open"


def _low_at(reading: Reading, at: int) -> str:
    """The folded form of a token; empty beyond the text."""
    return reading.lows[at] if 0 <= at < len(reading.lows) else ""


def _base_at(reading: Reading, at: int) -> str:
    """The base form of a token where it can be a verb, else its folded form."""
    low = _low_at(reading, at)
    if low in BE:
        return "be"
    verb = reading.tokens[at].word.verb if low else None
    return low if verb is None else verb.lemma


def _words_at(reading: Reading, at: int, words: tuple[str, ...]) -> bool:
    """Whether some words stand from a token on, each in this form or as a verb's base form."""
    for place, word in enumerate(words, at):
        if word != _low_at(reading, place) and word != _base_at(reading, place):
            return False
    return True


def _status_of_link(
    reading: Reading, unit: range, first: int, last: int, cues: tuple[Cue, ...]
) -> CauseStatus:
    """What a sentence says of the link that its tokens ``first`` up to ``last`` make."""
    if _in_doubt(reading, unit, first, last, cues):
        return CauseStatus.OPEN
    near = range(max(first - 3, unit.start), last)
    denied = any(cue.kind == "negation" and cue.first in near for cue in cues)
    own = any(_low_at(reading, at) in (",", "because") for at in range(near.start, first))
    return CauseStatus.DENIED if denied and not own else CauseStatus.STATED


def _in_doubt(reading: Reading, unit: range, first: int, last: int, cues: tuple[Cue, ...]) -> bool:
    """Whether the words of a link stand under a question, a reserve, or a denial that one knows."""
    if _low_at(reading, unit.stop - 1) == "?":
        return True
    lows = {_low_at(reading, at) for at in range(unit.start, last)}
    if not lows.isdisjoint(_CONDITIONAL | _SUPPOSING | _DISPUTE | _UNSURE):
        return True
    for cue in cues:
        if cue.first not in unit or cue.first >= last or _low_at(reading, cue.first - 1) in ("than", "as"):
            continue
        near = first - cue.last <= 3 or cue.first >= first
        if cue.kind == "hedge" and (near or _low_at(reading, cue.first) not in _MODALS):
            return True
        if cue.kind == "negation" and _speaks_of_knowing(reading, range(cue.last, first)):
            return True
    return False


def _speaks_of_knowing(reading: Reading, span: range) -> bool:
    return any(reading.tokens[at].word.stem in KNOWING | _UNSETTLED for at in span)


def _doubt_of_sentence(
    reading: Reading, unit: range, cues: tuple[Cue, ...]
) -> tuple[CauseStatus, int] | None:
    """A sentence that leaves some link open or denies one, and where: ``No link has been established``."""
    denials = [cue for cue in cues if cue.kind == "negation" and cue.first in unit]
    for at in unit:
        low, base = _low_at(reading, at), _base_at(reading, at)
        if any(words[0] in (low, base) and _words_at(reading, at, words) for words in _OTHERWISE):
            return (CauseStatus.OPEN if denials and low != "nothing" else CauseStatus.DENIED), at
        if low in _UNTRUE and not denials:
            return CauseStatus.DENIED, at
        if low in _CORRELATION:
            return CauseStatus.OPEN, at
        if low in _SUPPOSING and any(
            _speaks_of_knowing(reading, range(cue.last, unit.stop)) for cue in denials
        ):
            return CauseStatus.OPEN, at
        if low in _LINK_NOUNS or low == "whether":
            doubted = denials and (
                _speaks_of_knowing(reading, unit) or _low_at(reading, denials[0].first) == "without"
            )
            if doubted or any(_low_at(reading, n) in _UNSURE | _DISPUTE for n in unit):
                return CauseStatus.OPEN, at
    return None


_MeaningKeys = frozenset[str | int]
"""Stems of content words and the numbers of their senses: two texts that share one speak of one thing."""

_CAUSE_NOUNS = lexicon("cause reason culprit explanation source origin")
"""Nouns for a cause."""
_AMBIGUOUS_CAUSE_NOUNS = frozenset({"source", "origin"})
"""Those of them that may tell of something else."""
_AFTER_NOUN = lexicon("of for why behind that")
_PARTICLES = lexicon("off out up down away")
_NO_OBJECT = lexicon("""
    in on at by for with from to of about against between into through during before after under over within
    without per since until than as and or but when while where if because that
    """)
_COMMITTED = lexicon("a an no few fewer fewest less many most more several")
"""Behind *make* they open what somebody does, not what is brought about (``made fewer errors``)."""
_OPENERS = frozenset({"what", "that", "which"})


class CausalLink(NamedTuple):
    """A cause and its effect at tokens ``first`` up to ``last``; ``sure`` where the words can say nothing else."""

    cause: _MeaningKeys
    effect: _MeaningKeys
    told: CauseStatus
    sure: bool
    first: int
    last: int


class _LinkMarker(NamedTuple):
    """Words of a link, and the tokens of its two sides."""

    first: int
    last: int
    cause: range
    effect: range
    sure: bool


@lru_cache(maxsize=2048)
def links_in(text: str) -> tuple[CausalLink, ...]:
    """The causal links of a text, in reading order; its headings hold none.

    A side that says nothing of its own (``This led to ...``) is what the sentence before tells, with what stands
    before a semicolon, and an effect is always looked for there, too (``The fall was caused by ...``).

    >>> [(link.told.value, "rain" in link.cause) for link in links_in("It was late because of rain.")]
    [('stated', True)]
    """
    reading = read(text)
    groups = {group.main: group for clause in reading.clauses for group in clause.verbs}
    cues = cues_in(reading)
    before: _MeaningKeys = frozenset()
    earlier: _MeaningKeys = frozenset()
    sentence = 0
    found: list[CausalLink] = []
    for unit in _link_units(reading):
        whole = _meanings(reading, unit)
        if reading.sentences[unit.start] != sentence:
            sentence, before, earlier = reading.sentences[unit.start], earlier, frozenset()
        bare = _doubt_of_sentence(reading, unit, cues)
        for marker in _markers(reading, unit, groups):
            doubt = bare is not None and bare[0] is CauseStatus.OPEN and bare[1] in marker.effect
            links = _links(reading, unit, marker, cues, before)
            found.extend(link._replace(told=CauseStatus.OPEN) if doubt else link for link in links)
        if bare is not None:
            told, at = bare
            cause = whole if told is CauseStatus.DENIED else whole | before
            found.append(CausalLink(cause, whole | before, told, False, at, at + 1))
        before, earlier = before | whole, earlier | whole
    return tuple(found)


def _link_units(reading: Reading) -> Iterator[range]:
    """Sentences, cut at semicolons, behind the headings."""
    start, body = 0, body_sentence(reading)
    for at in range(1, len(reading.tokens) + 1):
        ended = at == len(reading.tokens) or reading.sentences[at] != reading.sentences[start]
        if ended or reading.tokens[at].word.low == ";":
            if reading.sentences[start] >= body:
                yield range(start, at)
            start = at


def _meanings(reading: Reading, span: range) -> _MeaningKeys:
    found: set[str | int] = set()
    for term in terms_in(reading, span.start, span.stop):
        found.add(term.stem)
        found.update(word_relations(term.low).senses)
    return frozenset(found)


def _markers(reading: Reading, unit: range, groups: dict[int, VerbGroup]) -> Iterator[_LinkMarker]:
    at = unit.start
    while at < unit.stop:
        marker = (
            _phrase_marker(reading, unit, at, groups)
            or _noun_marker(reading, unit, at)
            or _agent_marker(reading, unit, at)
        )
        if marker is not None:
            yield marker
        at = max(at + 1, marker.last if marker else 0)


def _phrase_marker(
    reading: Reading, unit: range, at: int, groups: dict[int, VerbGroup]
) -> _LinkMarker | None:
    """The link that the words at a place make, by the table of causal phrases."""
    table = causal_phrases()
    for phrase in (*table.get(_low_at(reading, at), ()), *table.get(_base_at(reading, at), ())):
        last = at + len(phrase.words)
        if phrase.parted and (marker := _parted_phrase_marker(reading, unit, at, phrase)):
            return marker
        if last > unit.stop or not _words_at(reading, at, phrase.words):
            continue
        if phrase.kind == "clause" and _low_at(reading, at - 1) != ",":
            continue
        behind, sure = phrase.behind, phrase.kind == "link"
        if len(phrase.words) == 1 and not behind and reading.tokens[at].word.verb is not None:
            by = last + _low_at(reading, last).endswith("ly")
            if _low_at(reading, by) == "by" and not _number_at(reading, by + 1):
                behind, last = True, by + 1
            elif not _has_object(reading, unit, at, groups):
                continue
            sure = sure or _is_cleft(reading, unit, at)
        return _marker_with_sides(reading, unit, at, last, behind, sure)
    return None


def _parted_phrase_marker(reading: Reading, unit: range, at: int, phrase: CausalPhrase) -> _LinkMarker | None:
    """``Attributed the fall to the drought``: the effect stands within the phrase."""
    head, tail = phrase.words[: phrase.parted], phrase.words[phrase.parted :]
    start = at + len(head)
    if not _words_at(reading, at, head) or _words_at(reading, start, tail):
        return None
    for turn in range(start + 1, unit.stop - len(tail)):
        if _low_at(reading, turn) == ",":
            return None
        if _words_at(reading, turn, tail):
            last = turn + len(tail)
            return _LinkMarker(at, last, range(last, unit.stop), range(start, turn), sure=True)
    return None


def _number_at(reading: Reading, at: int) -> bool:
    return at < len(reading.tokens) and reading.tokens[at].word.number


def _has_object(reading: Reading, unit: range, at: int, groups: dict[int, VerbGroup]) -> bool:
    """Whether a verb has an object: what it tells is done to something."""
    group = groups.get(at)
    if group is None or group.passive:
        return False
    behind = at + 1 + (_low_at(reading, at + 1) in _PARTICLES)
    if _low_at(reading, behind) == "at" and _low_at(reading, behind + 1) in ("least", "most"):
        return True
    if behind >= unit.stop or reading.tokens[behind].word.punct:
        return False
    low = _low_at(reading, behind)
    if group.lemma == "make" and low in _COMMITTED:
        return False
    return low not in _NO_OBJECT and not low.endswith("ly")


def _is_cleft(reading: Reading, unit: range, at: int) -> bool:
    """``It was X that drove``, ``X is what drove``, ``What drove``: says which thing did it."""
    nearest = (n for n in range(at - 1, max(at - 4, unit.start - 1), -1) if _low_at(reading, n) in _OPENERS)
    opener = next(nearest, None)
    if opener is None or _low_at(reading, opener) == "what":
        return opener is not None
    return any(
        _low_at(reading, n) == "it" and _low_at(reading, n + 1) in BE for n in range(unit.start, opener)
    )


def _marker_with_sides(
    reading: Reading, unit: range, first: int, last: int, behind: bool, sure: bool
) -> _LinkMarker:
    ahead, rest = range(unit.start, first), range(last, unit.stop)
    if not behind and _low_at(reading, unit.start) == "what" and first - unit.start <= 2:
        turn = next((at for at in rest if _low_at(reading, at) in BE), None)
        if turn is not None:
            return _LinkMarker(first, last, range(turn + 1, unit.stop), range(last, turn), sure)
    if not behind:
        return _LinkMarker(first, last, ahead, rest, sure)
    fronted = all(reading.tokens[at].word.function or reading.tokens[at].word.punct for at in ahead)
    turn = next((at for at in rest if _low_at(reading, at) in (",", "that")), None) if fronted else None
    if turn is not None:
        return _LinkMarker(first, last, range(last, turn), range(turn + 1, unit.stop), sure)
    return _LinkMarker(first, last, rest, rest if fronted else ahead, sure)


def _agent_marker(reading: Reading, unit: range, at: int) -> _LinkMarker | None:
    """What a deed was done by (``cracked by frost``), or what was done to bring it about (``by mending the roof``)."""
    if _low_at(reading, at) != "by" or at + 1 >= unit.stop or _number_at(reading, at + 1):
        return None
    verb = reading.tokens[at - 1].word.verb if at > unit.start else None
    done = verb is not None and verb.form == "past"
    if not (done or _low_at(reading, at + 1).endswith("ing")):
        return None
    return _marker_with_sides(reading, unit, at, at + 1, behind=True, sure=False)


def _noun_marker(reading: Reading, unit: range, at: int) -> _LinkMarker | None:
    """``X is the reason why E``, ``The cause of E was X``."""
    if _low_at(reading, at) not in _CAUSE_NOUNS or at - 1 < unit.start:
        return None
    sure = _low_at(reading, at) not in _AMBIGUOUS_CAUSE_NOUNS
    ahead = next((n for n in range(at - 1, max(at - 6, unit.start), -1) if _low_at(reading, n) in BE), None)
    if ahead is not None:
        last = at + 1 + (_low_at(reading, at + 1) in _AFTER_NOUN)
        return _LinkMarker(ahead, last, range(unit.start, ahead), range(last, unit.stop), sure)
    behind = next((n for n in range(at + 1, unit.stop) if _low_at(reading, n) in BE), None)
    if behind is None:
        return None
    return _LinkMarker(at, behind + 1, range(behind + 1, unit.stop), range(at + 1, behind), sure)


def _links(
    reading: Reading, unit: range, marker: _LinkMarker, cues: tuple[Cue, ...], before: _MeaningKeys
) -> Iterator[CausalLink]:
    """The link of a marker, and the one that it denies beside it (``due to rain and not to wind``)."""
    cut = _contrast_at(reading, marker.cause)
    parts = [
        (range(marker.cause.start, cut), _status_of_link(reading, unit, marker.first, marker.last, cues))
    ]
    if cut < marker.cause.stop:
        parts.append((range(cut, marker.cause.stop), CauseStatus.DENIED))
    effect = _meanings(reading, marker.effect) | before
    for part, told in parts:
        cause = _meanings(reading, part) or before
        yield CausalLink(cause, effect, told, marker.sure, marker.first, marker.last)


def _contrast_at(reading: Reading, span: range) -> int:
    """Where the cause that is meant ends, and one that is not meant begins."""
    for at in span[1:]:
        if (_low_at(reading, at) == "not" and _low_at(reading, at - 1) in ("and", ",", "but")) or _words_at(
            reading, at, ("rather", "than")
        ):
            return at
    return span.stop


_CAUSE_DENIED, _CAUSE_OPEN, _CAUSE_NOT_STATED = 0.9, 0.9, 0.9
_SHORTEST = 4
"""Letters of a stem that may begin a compound: shorter ones begin too many other words."""
_NO_CAUSE = "the evidence states no cause"


def cause_clashes(claim: str, premise: str) -> list[PolarityClash]:
    """What the premise says of each cause that the claim asserts firmly.

    * it denies the link: ``polarity``;
    * it leaves the link open: ``hedge``, and ``cause``;
    * it states no such link, and the claim has words that say cause and nothing else: ``cause``;
    * it states the link: ``cause`` with strength 0, which is agreement.

    That two things are linked as in the claim is seen by one word in common on each side, or a synonym.

    >>> [clash.feature for clash in cause_clashes("Rain delayed it because of mud.", "It came late, with rain.")]
    ['cause']
    """
    mine = read(claim)
    asserted = [
        link for link in links_in(claim) if link.told is CauseStatus.STATED and link.cause and link.effect
    ]
    if not asserted or any(cue.kind == "hedge" for cue in cues_in(mine)):
        return []
    other, told = read(premise), links_in(premise)
    found: list[PolarityClash] = []
    for link in asserted:
        found.extend(_link_clashes(mine, link, other, [one for one in told if _is_same_link(link, one)]))
    return found


def _is_same_link(mine: CausalLink, other: CausalLink) -> bool:
    return _share_meaning(mine.cause, other.cause) and _share_meaning(mine.effect, other.effect)


def _share_meaning(ours: _MeaningKeys, theirs: _MeaningKeys) -> bool:
    """Whether two sides share a word, a sense, or the beginning of a compound (``rock``, ``rockfall``)."""
    if not ours.isdisjoint(theirs):
        return True
    mine, other = ([one for one in side if isinstance(one, str)] for side in (ours, theirs))
    return any(
        _is_stem_of_compound(one, two) or _is_stem_of_compound(two, one) for one in mine for two in other
    )


def _is_stem_of_compound(stem: str, other: str) -> bool:
    return len(stem) >= _SHORTEST and other.startswith(stem)


def _link_clashes(
    claim: Reading, mine: CausalLink, premise: Reading, same: list[CausalLink]
) -> list[PolarityClash]:
    here = span_of(claim, mine.first, mine.last)
    by_told = {link.told: span_of(premise, link.first, link.last) for link in reversed(same)}
    if CauseStatus.STATED in by_told:
        return [PolarityClash("negation.cause-stated", "cause", 0.0, here, by_told[CauseStatus.STATED])]
    found: list[PolarityClash] = []
    if CauseStatus.DENIED in by_told:
        found.append(
            PolarityClash(
                "negation.cause-denied",
                "polarity",
                _CAUSE_DENIED,
                here,
                by_told[CauseStatus.DENIED],
                "the evidence denies the cause",
            )
        )
    elif CauseStatus.OPEN in by_told:
        found.append(
            PolarityClash(
                "negation.cause-open", "hedge", _CAUSE_OPEN, here, by_told[CauseStatus.OPEN], _NO_CAUSE
            )
        )
    if found or mine.sure:
        found.append(
            PolarityClash(
                "negation.cause-not-stated",
                "cause",
                _CAUSE_NOT_STATED,
                here,
                by_told.get(CauseStatus.OPEN, (0, 0)),
                _NO_CAUSE,
            )
        )
    return found
