"""Fill written frames with written statements: passages whose every stretch is asserted, denied, asked, ...

``statements.tsv`` has a statement a line. ``frames/*.txt`` have a frame a line: what it makes of its statement (a
letter of :data:`LETTERS`), the headings above it, and its text, with ``~D`` and the like where the factuality changes,
and slots in braces (:func:`forms_of`); a line without slots is a passage as it stands. ``# name`` begins a group of
frames with common words: a group is learnt or held back as a whole.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from verifier.types import Span
from verifier.verification.statements import Factuality

__all__ = ["LETTERS", "Frame", "Passage", "Told", "forms_of", "read_frames", "read_statements", "rendered"]

FOLDER = Path(__file__).parent
LETTERS = {
    "A": Factuality.ASSERTED,
    "D": Factuality.DENIED,
    "T": Factuality.ATTRIBUTED,
    "H": Factuality.HYPOTHETICAL,
    "Q": Factuality.ASKED,
    "E": Factuality.ENDED,
    "P": Factuality.PLANNED,
}
PEOPLE = (
    "Tom Lind",
    "Maria Okafor",
    "Mr Fenn",
    "Mrs Adler",
    "the mayor",
    "Ines",
    "Dr Bohm",
    "the neighbour",
    "Paul",
    "Jana Kurz",
    "the caretaker",
    "Captain Rowe",
)
MONTHS = ("January", "March", "April", "June", "July", "September", "October", "December")
_MARK = re.compile(r"~([A-Z]) ")
OFTENER = 3
HEADED = 0.3
"""How often a heading that means nothing stands above the others."""
_PLURALS = (
    "claims",
    "statements",
    "beliefs",
    "ideas",
    "rumours",
    "stories",
    "assumptions",
    "assertions",
    "answers",
    "facts",
)
_SLOT = re.compile(r"\{(\w+)\}")
_PRESENT = {"be": ("is", "are"), "have": ("has", "have"), "go": ("goes", "go"), "do": ("does", "do")}
_PAST_BE = ("was", "were")


@dataclass(frozen=True, slots=True)
class Told:
    """A statement: who does or is what, told in the past where it is an event."""

    domain: str
    subject: str
    many: bool
    base: str
    past: str
    participle: str
    rest: str
    other: str
    event: bool

    def verb(self, tense: str) -> str:
        """``present`` or ``past``, agreeing with the subject."""
        if tense == "past":
            return _PAST_BE[self.many] if self.base == "be" else self.past
        if self.base in _PRESENT:
            return _PRESENT[self.base][self.many]
        if self.many:
            return self.base
        if self.base.endswith("y") and self.base[-2] not in "aeou":
            return f"{self.base[:-1]}ies"
        return self.base + ("es" if self.base.endswith(("s", "sh", "ch", "x")) else "s")


class Frame(NamedTuple):
    """A line of a file of frames."""

    group: str
    kind: Factuality
    above: tuple[str, ...]
    text: str


class Passage(NamedTuple):
    """A rendered frame: its headings, its text, and the factuality of each stretch of that."""

    frame: Frame
    told: Told
    above: tuple[str, ...]
    text: str
    stretches: tuple[tuple[Span, Factuality], ...]


@cache
def drawn() -> Mapping[str, tuple[str, ...]]:
    """What slots are drawn from, by their name; a slot whose name has a capital is written with one."""
    lines = (FOLDER / "words.txt").read_text(encoding="utf-8").splitlines()
    told = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {name: tuple(words.split("; ")) for name, _, words in told}


def read_statements(path: Path = FOLDER / "statements.tsv") -> list[Told]:
    """The statements of a file, in its order."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        domain, subject, number, verb, rest, other = line.split("\t")
        forms = verb.lstrip("*").split()
        base, past, participle = forms if len(forms) == 3 else ("be", "was", "been")
        found.append(
            Told(domain, subject, number == "p", base, past, participle, rest, other, verb.startswith("*"))
        )
    return found


def read_frames(*paths: Path) -> list[Frame]:
    """The frames of some files, those of training where none is named."""
    found = []
    for path in paths or sorted((FOLDER / "frames").glob("*.txt")):
        group = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                group = f"{path.stem}: {line[1:].strip()}"
            elif line.strip():
                kind, above, text = (part.strip() for part in line.split("|", 2))
                heads = tuple(head.strip() for head in above.split(";") if head.strip())
                found.append(Frame(group, LETTERS[kind], heads, text))
    return found


def forms_of(told: Told, rest: str) -> dict[str, str]:
    """The forms of a statement that a frame may ask for.

    >>> told = Told("fees", "the fee", False, "be", "was", "been", "5 EUR", "9 EUR", False)
    >>> forms = forms_of(told, told.rest)
    >>> forms["s"], forms["neg"], forms["ask"], forms["ing"]
    ('the fee is 5 EUR', 'the fee is not 5 EUR', 'is the fee 5 EUR', 'being 5 EUR')
    """
    subject, tense = told.subject, "past" if told.event else "present"
    verb, past = told.verb(tense), told.verb("past")
    have = "have" if told.many else "has"
    do = "did" if told.event else "do" if told.many else "does"
    if told.base == "be":
        negated, asked = f"{subject} {verb} not {rest}", f"{verb} {subject} {rest}"
    else:
        negated = f"{subject} {do} not {told.base} {rest}"
        asked = f"{do} {subject} {told.base} {rest}"
    return {
        "s": f"{subject} {verb} {rest}",
        "past": f"{subject} {past} {rest}",
        "will": f"{subject} will {told.base} {rest}",
        "would": f"{subject} would {told.base} {rest}",
        "wouldhave": f"{subject} would have {told.participle} {rest}",
        "had": f"{subject} had {told.participle} {rest}",
        "perf": f"{subject} {have} {told.participle} {rest}",
        "neg": negated,
        "ask": asked,
        "subj": subject,
        "pres": f"{verb} {rest}",
        "predpast": f"{past} {rest}",
        "base": f"{told.base} {rest}",
        "part": f"{told.participle} {rest}",
        "ing": f"{_gerund(told.base)} {rest}",
    }


def _gerund(base: str) -> str:
    if base in ("be", "flee", "see"):
        return f"{base}ing"
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    if base.endswith("e"):
        return f"{base[:-1]}ing"
    doubled = base in ("run", "win", "cut", "get", "set", "let", "hit", "stop", "put", "travel", "cancel")
    return f"{base}{base[-1]}ing" if doubled else f"{base}ing"


def rendered(frame: Frame, told: Sequence[Told], chance: random.Random, *, loose: float = 0.3) -> Passage:
    """The frame about the first statement; the others fill its further slots.

    Args:
        frame: what to fill.
        told: three statements.
        chance: what draws names and years.
        loose: how often the text is put among other sentences, which are asserted.
    """
    slots = _slots(told, chance)
    above = tuple(_filled(head, slots) for head in frame.above)
    if chance.random() < (HEADED if above else loose) and "; " not in frame.text:
        above = (slots["Head2"], *above)
    parts = _MARK.split(frame.text)
    stretches: list[tuple[str, Factuality]] = [(parts[0], frame.kind)]
    stretches += [(text, LETTERS[letter]) for letter, text in zip(parts[1::2], parts[2::2], strict=True)]
    if not frame.above and "; " not in frame.text and chance.random() < loose:
        stretches.insert(0, ("{V} ", Factuality.ASSERTED))
    if not frame.above and "; " not in frame.text and chance.random() < loose:
        stretches.append((" {W}", Factuality.ASSERTED))
    text, spans = "", []
    for stretch, kind in stretches:
        filled = _filled(stretch, slots)
        filled = filled if text and not text.endswith((" ", ": ")) else filled.lstrip()
        filled = (
            filled if text and not re.search(r"[.!?][\"”)]?\s*$", text) else filled[:1].upper() + filled[1:]
        )
        if filled.strip():
            spans.append(((len(text), len(text) + len(filled)), kind))
            text += filled
    return Passage(frame, told[0], above, text.rstrip(), tuple(spans))


def _slots(told: Sequence[Told], chance: random.Random) -> Mapping[str, str]:
    slots = dict(forms_of(told[0], told[0].rest))
    others = forms_of(told[0], told[0].other)
    slots |= {"o": others["s"], "pasto": others["past"]}
    for letter, one in zip("tuvw", (*told[1:], *told[1:]), strict=False):
        slots[letter] = forms_of(one, one.rest if letter in "tu" else one.other)["s"]
    for name in ("s", "o", "t", "u", "v", "w", "neg", "past", "perf"):
        slots[name.upper()] = f"{_capital(slots[name])}."
    slots |= {f"{name}C": _capital(slots[name.lower()]) for name in ("O", "T")}
    slots |= {
        name.capitalize(): _capital(slots[name]) for name in ("subj", "past", "ask", "wouldhave", "would")
    }
    year = chance.randint(1975, 2023)
    for name, words in drawn().items():
        slots[name] = chance.choice(words)
    slots["claims"] = chance.choice(_PLURALS)
    slots |= {f"{name[0].upper()}{name[1:]}": _capital(slots[name]) for name in (*drawn(), "claims", "will")}
    slots["labela"] = slots["labelA"][0].lower() + slots["labelA"][1:]
    slots |= {"Head2": chance.choice(drawn()["head"]), "Frag2": _capital(chance.choice(drawn()["frag"]))}
    return slots | {
        "C": _capital(slots["s"]),
        "P": chance.choice(PEOPLE),
        "Y": str(year),
        "F": str(chance.randint(2028, 2049)),
        "R": str(chance.randint(2021, 2026)),
        "Mo": chance.choice(MONTHS),
    }


def _filled(text: str, slots: Mapping[str, str]) -> str:
    once = _SLOT.sub(lambda match: slots[match[1]], text)
    return _SLOT.sub(lambda match: slots[match[1]], once)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def passages(
    frames: Sequence[Frame], told: Sequence[Told], each: int, seed: int, *, loose: float = 0.3
) -> Iterator[Passage]:
    """``each`` renderings of every frame, about statements that are drawn with others of their domain; of a frame whose
    words are drawn too :data:`OFTENER` times as many; of a passage without any slot the one that there is."""
    chance = random.Random(seed)
    for frame in frames:
        slots = _SLOT.findall(" ".join((*frame.above, frame.text)))
        if not slots:
            yield rendered(frame, chance.sample(list(told), 3), chance, loose=0.0)
            continue
        often = (
            each * OFTENER
            if any(slot in drawn() or slot[0].lower() + slot[1:] in drawn() for slot in slots)
            else each
        )
        for first in chance.sample(told, min(often, len(told))):
            kin = [one for one in told if one.domain == first.domain and one is not first]
            further = chance.sample(kin, 2) if len(kin) > 1 else chance.sample(list(told), 2)
            yield rendered(frame, [first, *further], chance, loose=loose)
