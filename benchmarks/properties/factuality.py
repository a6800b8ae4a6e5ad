"""How often a claim is supported by what a document does not assert, or loses the support of what it does assert.

    python -m benchmarks.properties.factuality [--rounds N] [--alone] [--show N]

``factuality_frames.txt`` and ``factuality_statements.tsv`` are written as those of ``training/factuality`` are, and
none of them is learnt from. A frame that denies, dates, imagines, asks, plans or attributes its statement must not
support it; one that asserts it must. ``--alone`` asks only for the factuality of the sentence, without any verdict.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from verifier_signals.stems import content_words

from benchmarks.metamorphic import clopper_pearson
from benchmarks.readers.sets import settings_of
from training.factuality.twins import Frame, Passage, forms_of, passages, read_frames, read_statements
from verifier.config import Settings
from verifier.factory import SharedSignals, build_scorer
from verifier.types import Document, Evidence, Status, Verdict
from verifier.verification.evidence.windows import windows_of
from verifier.verification.retrieve import GivenTexts
from verifier.verification.statements import Factuality, support_bar

__all__ = ["Twin", "alone", "frames", "judged", "table", "twins"]

FOLDER = Path(__file__).parent
_CLAIMS = (("{NEG}", "neg"), ("{PAST}", "past"), ("{past}", "past"), ("{Past}", "past"))
"""What the claim says where a frame that asserts its statement has it in that form."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A document that has a claim's words, and whether it asserts them."""

    frame: Frame
    above: tuple[str, ...]
    text: str
    claim: str

    @property
    def asserted(self) -> bool:
        """Whether a careful reader takes the claim from the document."""
        return self.frame.kind is Factuality.ASSERTED

    def evidence(self) -> Evidence:
        """The document as the one passage that is found."""
        return Evidence(
            doc_id="text:1",
            source="source 1",
            text=self.text,
            start=0,
            end=len(self.text),
            score=0.0,
            headings=self.above,
            retrieved_by="source",
        )


class _One(GivenTexts):
    """A source of one passage."""

    def __init__(self, passage: Evidence) -> None:
        super().__init__((Document(passage.source, passage.doc_id, passage.text),))
        self._passage = passage

    def retrieve(
        self, queries: Sequence[str], *, top_k: int = 5, namespace: str = "default"
    ) -> list[list[Evidence]]:
        """That passage, for every query."""
        del top_k, namespace
        return [[self._passage] for _ in queries]


def frames() -> list[Frame]:
    """The frames that no head has learnt from."""
    return read_frames(FOLDER / "factuality_frames.txt")


def twins(rounds: int = 3, seed: int = 29) -> Iterator[Twin]:
    """``rounds`` renderings of every frame whose statement a claim can repeat; the same each time."""
    told = read_statements(FOLDER / "factuality_statements.tsv")
    for one in passages(frames(), told, rounds, seed):
        if (claim := _claim(one)) is not None:
            yield Twin(one.frame, one.above, _as_table(one.text), claim)


def _claim(one: Passage) -> str | None:
    """The claim that repeats a passage's statement; none where the frame does not have it, or dates an event: what
    happened until 2019 has happened."""
    text, form = one.frame.text, "s"
    if one.frame.kind is Factuality.ENDED and one.told.event:
        return None
    if one.frame.kind is Factuality.ASSERTED:
        form = next((name for slot, name in _CLAIMS if slot in text), "s")
        if form == "s" and not any(slot in text for slot in ("{S}", "{s}", "{C}")):
            return None
    claim = forms_of(one.told, one.told.rest)[form]
    return f"{claim[:1].upper()}{claim[1:]}."


def _as_table(text: str) -> str:
    """``Claim: ...; Verdict: ...`` as a table with a head and one row."""
    fields = [part.partition(": ") for part in text.split("; ")]
    if len(fields) < 2 or any(not mark or len(label) > 20 for label, mark, _ in fields):
        return text
    head = " | ".join(label for label, _, _ in fields)
    rule = "|".join("---" for _ in fields)
    return f"| {head} |\n|{rule}|\n| {' | '.join(value for _, _, value in fields)} |"


def alone(asked: Iterable[Twin]) -> Iterator[tuple[Twin, bool, str]]:
    """Each twin, whether the window that has most of the claim's words may bear it out, and what keeps it from that."""
    for twin in asked:
        wanted = _words(twin.claim)
        windows = [one for one in windows_of(twin.evidence()) if not one.parts]
        best = max(windows, key=lambda one: (len(wanted & _words(one.premise)), -len(one.premise)))
        bar = support_bar(best.factuality, best.premise, twin.claim)
        yield twin, bar is None, str(bar or best.factuality)


def _words(text: str) -> set[str]:
    return {word.key for word in content_words(text)}


def judged(
    asked: Iterable[Twin], settings: Settings | None = None, shared: SharedSignals | None = None
) -> Iterator[tuple[Twin, str, str]]:
    """Each twin with the verdict on its claim and the reason."""
    settings = settings or settings_of({"verdict.suggest_fixes": False})
    shared = shared or SharedSignals.of(settings)
    for twin in asked:
        source = _One(twin.evidence())
        report = build_scorer(settings, source, shared).verify(twin.claim)
        checked = [claim for claim in report.claims if claim.status is Status.CHECKED]
        verdicts = [str(claim.verdict) for claim in checked]
        worst = next(
            (one for one in verdicts if one != Verdict.SUPPORTED), "supported" if verdicts else "none"
        )
        yield twin, worst, "; ".join(claim.reason for claim in checked)


def table(found: Sequence[tuple[Twin, bool]]) -> Iterator[str]:
    """By kind, how many claims are supported, or their windows asserted; as Markdown."""
    yield "| kind | twins | supported | share | 95 % interval |"
    yield "|---|---|---|---|---|"
    rows: defaultdict[str, list[bool]] = defaultdict(list)
    for twin, supported in found:
        rows[str(twin.frame.kind)].append(supported)
        if not twin.asserted:
            rows["all that is not asserted"].append(supported)
    for kind, some in sorted(rows.items()):
        low, high = clopper_pearson(sum(some), len(some))
        yield f"| {kind} | {len(some)} | {sum(some)} | {sum(some) / len(some):.1%} | {low:.1%} to {high:.1%} |"


def main(arguments: Sequence[str]) -> int:
    """Print the table, and what went wrong; exit 0 whatever it says."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.properties.factuality", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="only the factuality of the sentences")
    parser.add_argument("--show", type=int, default=20, help="so many of those that went wrong")
    given = parser.parse_args(arguments)
    asked = list(twins(given.rounds))
    if given.alone:
        told = list(alone(asked))
    else:
        told = [(twin, said == Verdict.SUPPORTED, f"{said}: {why}") for twin, said, why in judged(asked)]
    print("\n".join(table([(twin, supported) for twin, supported, _ in told])))
    wrong = [one for one in told if one[1] is not one[0].asserted]
    for twin, _, why in random.Random(1).sample(wrong, min(given.show, len(wrong))):
        print(f"- {twin.frame.kind}: {twin.above} {twin.text!r} / {twin.claim!r}: {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
