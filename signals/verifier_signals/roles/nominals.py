"""A clause goes in, the deeds that it tells by a noun come out: ``A's takeover of B``, ``the sale of B by A to C``."""

from __future__ import annotations

from collections.abc import Iterator

from verifier_signals.lexicon import nominal_verb
from verifier_signals.roles.fillers import Event, Filler, Owners, as_filler, fillers_in, slots_in
from verifier_signals.roles.frames import frame_of
from verifier_signals.syntax import Clause, Reading

__all__ = ["MADE_KINDS", "deed_of", "nominal_events"]

_NOMINALS = {
    "sale": "sell",
    "takeover": "acquire",
    "purchase": "purchase",
    "loan": "lend",
    "supply": "supply",
    "victory": "beat",
    "win": "beat",
    "triumph": "beat",
    "defeat": "defeat",
    "loss": "lose",
    "gift": "donate",
    "succession": "succeed",
}
"""Nouns that do not begin as their verb does, or that stand for another."""
MADE_KINDS = ("proposal", "writing")
"""What ``by`` behind a thing can tell of."""
_OBJECT_LINKS = {"beat": "over", "lose": "to"}
"""Where the object of a noun stands behind another preposition than ``of``."""

_CAME = frozenset({"was", "is", "came", "were"})


def deed_of(noun: str) -> str | None:
    """The verb of the deed that a folded noun names; ``None`` for other words."""
    return _NOMINALS.get(noun) or nominal_verb(noun)


def nominal_events(reading: Reading, owner: Owners, clause: Clause) -> Iterator[Event]:
    """The deeds told by nouns with two of their sides named or called."""
    tokens = reading.tokens
    for at in range(clause.first, clause.last - 1):
        word = tokens[at].word
        if word.punct or word.function or word.capital or at in owner:
            continue
        if tokens[at + 1].word.low == "by":
            yield from _made(reading, owner, clause, at)
        verb = deed_of(word.low)
        if verb in _OBJECT_LINKS and (event := _contest(reading, owner, clause, at, verb)) is not None:
            yield event
            continue
        if verb is None or tokens[at + 1].word.low not in {"of", "by", _OBJECT_LINKS.get(verb, "of")}:
            continue
        filled = _filled(reading, owner, clause, at, verb)
        frame = frame_of([verb], [slot for slot, fillers in filled.items() if fillers])
        named = {
            frame.roles[slot]: fillers for slot, fillers in filled.items() if slot in frame.roles and fillers
        }
        if len(named) > 1:
            yield Event(frame.event, named, tokens[at].start, tokens[at].end)


def _contest(reading: Reading, owner: Owners, clause: Clause, at: int, verb: str) -> Event | None:
    """``A's only loss was to B``, ``A's first win came against B``: a verb stands before who was met."""
    tokens = reading.tokens
    link = at + 2
    if link + 1 >= clause.last or tokens[at + 1].word.low not in _CAME:
        return None
    if tokens[link].word.low not in {"against", _OBJECT_LINKS[verb]}:
        return None
    holders = [owner[place] for place in range(max(at - 3, clause.first), at) if place in owner]
    met = fillers_in(reading, owner, link + 1, min(link + 4, clause.last))
    if not holders or not tokens[holders[-1].last - 1].word.possessive or not met or met[0].name is None:
        return None
    own, other = ("loser", "winner") if verb == "lose" else ("winner", "loser")
    return Event(
        "contest", {own: (as_filler(holders[-1]),), other: met[:1]}, tokens[at].start, tokens[at].end
    )


def _made(reading: Reading, owner: Owners, clause: Clause, at: int) -> Iterator[Event]:
    """``an amendment by A``: who is named behind a thing's ``by`` wrote it or put it forward."""
    tokens = reading.tokens
    if tokens[at].word.verb is not None and nominal_verb(tokens[at].word.low) is None:
        return
    behind = fillers_in(reading, owner, at + 2, min(at + 5, clause.last))
    if not behind or behind[0].name is None:
        return
    thing = Filler(None, tokens[at].word.stem, tokens[at].start, tokens[at].end)
    for kind, maker, made in zip(MADE_KINDS, ("proposer", "author"), ("proposed", "work"), strict=True):
        yield Event(kind, {maker: behind[:1], made: (thing,)}, thing.start, thing.end)


def _filled(
    reading: Reading, owner: Owners, clause: Clause, at: int, verb: str
) -> dict[str, tuple[Filler, ...]]:
    """What stands in each slot. A possessive is the one who acts, unless that one stands behind ``by``."""
    begin = at + 2 if reading.tokens[at + 1].word.low == "of" else at + 1
    slots, _ = slots_in(reading, owner, begin, clause.last)
    if verb in _OBJECT_LINKS and "obj" not in slots:
        begin = at + 2
        slots, _ = slots_in(reading, owner, begin, clause.last)
    patient, agent = slots.pop("obj", ()), slots.pop("by", ())
    before = owner.get(at - 1)
    if before is not None and reading.tokens[at - 1].word.possessive:
        if agent and not patient:
            patient = (as_filler(before),)
        elif not agent:
            agent = (as_filler(before),)
    object_slot = "to" if verb == "lose" else "obj"
    return {**slots, "subj": agent, object_slot: patient}
