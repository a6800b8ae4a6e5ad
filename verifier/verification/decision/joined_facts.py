"""Whether figures or dates of several windows together settle a claim's comparison or order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from verifier_signals.checks import LOOKED_UP, RANKED, TOLD_OF_ALL
from verifier_signals.negation import NegationSignal
from verifier_signals.ranking import (
    EvidencePiece,
    LookupResult,
    has_ranking,
    look_up,
    settle_ranking,
)
from verifier_signals.roles import restated_event
from verifier_signals.types import Finding, Outcome, Relation, SignalScore

from verifier.core.deadline import checkpoint, each
from verifier.types import Evidence, Span
from verifier.verification.evidence.windows import Window, is_prose, joined, windows_of

__all__ = ["Related", "Tables", "file_of", "pieces_of", "related"]

Tables = Callable[[str], Sequence[Evidence]]
"""``tables(file)``: all rows of a file of rows, or none where they cannot be had."""

_RELATIONS = {True: Relation.MATCH, False: Relation.CONFLICT, None: Relation.ABSENT}
_OUTCOMES = {
    Relation.MATCH: Outcome.CONSISTENT,
    Relation.CONFLICT: Outcome.CONFLICTING,
    Relation.ABSENT: Outcome.ABSENT,
}


@dataclass(frozen=True, slots=True)
class Related:
    """What settles a claim: whether it ``holds``, the windows that show it, as one, and what is found there.

    ``holds`` is ``None`` where they leave empty what would tell. ``single``: one row or one sentence says it.
    """

    holds: bool | None
    window: Window
    score: SignalScore
    single: bool = False


def related(
    claim: str,
    windows: Sequence[Window],
    tables: Tables,
    disabled: Set[str] = frozenset(),
) -> Related | None:
    """What the windows of a claim's evidence say together of its comparison or order; ``None`` where they do not.

    A file of rows that has some of them is read whole: the highest of ten rows need not be that of the table. Checks
    that are ``disabled``, by id, are left out.
    """
    checkpoint()
    ranks = has_ranking(claim)
    check, look = (RANKED, settle_ranking) if ranks else (LOOKED_UP, look_up)
    found = None
    if check not in disabled:
        pairs = list(pieces_of(_with_tables(windows, tables) if ranks else windows))
        found = look(claim, [piece for _, piece in pairs])
    if found is None:
        return None if ranks or TOLD_OF_ALL in disabled else _told(claim, windows)
    return _shown_by(check, claim, found, [window for window, _ in pairs], single=not ranks)


def _shown_by(
    check: str, claim: str, found: LookupResult, windows: Sequence[Window], *, single: bool = False
) -> Related:
    """What settles a claim, with the windows that the two places of it are in."""
    ours, theirs = windows[found.ours.piece], windows[found.theirs.piece]
    window = ours if ours is theirs else joined([ours, theirs])
    return Related(found.holds, window, _score(check, claim, found, ours, theirs, window), single)


def _told(claim: str, windows: Sequence[Window]) -> Related | None:
    """The window that tells the deed of the claim from another side, with all that the claim says of it."""
    for window in each(windows):
        spans = restated_event(claim, window.premise)
        if spans is not None and is_prose(window.evidence.text):
            finding = _finding(TOLD_OF_ALL, claim, True, spans[0], window, spans[1])
            return Related(True, window, _scored(finding, True), single=True)
    return None


def _with_tables(windows: Sequence[Window], tables: Tables) -> Iterator[Window]:
    """The windows, those of each file of rows in place of the ones that were found of it."""
    files = dict.fromkeys(name for window in windows if (name := file_of(window.evidence.source)))
    whole = {name: rows for name in files if (rows := tables(name))}
    yield from (window for window in windows if file_of(window.evidence.source) not in whole)
    for rows in whole.values():
        for row in rows:
            yield from windows_of(row)


def file_of(source: str) -> str:
    """The file of which a source is a row, ``""`` for one that is none."""
    name, _, row = source.rpartition("#")
    return name if row.isdecimal() else ""


def pieces_of(windows: Iterable[Window]) -> Iterator[tuple[Window, EvidencePiece]]:
    """Each window with the piece that it is: rows of one file, or under one heading, are those of one table. Windows
    that begin with a smaller one are left out."""
    seen: set[tuple[str, int]] = set()
    for window in windows:
        item = window.evidence
        if (item.doc_id, window.start) in seen:
            continue
        seen.add((item.doc_id, window.start))
        source, _, row = item.source.partition("#")
        number = int(row) if row.isdecimal() else 0
        group = "\n".join((source, *item.headings)) if not number else source
        yield window, EvidencePiece(window.premise, group, number, window.begin)


def _score(
    check: str, claim: str, found: LookupResult, ours: Window, theirs: Window, window: Window
) -> SignalScore:
    """The finding as the negation signal would give it, could it read both places at once."""
    quotes = [
        " ".join(part.premise[shown.start : shown.end].split())
        for part, shown in ((ours, found.ours), (theirs, found.theirs))
    ]
    span = window.span_of(theirs, (found.theirs.start, found.theirs.end))
    note = f"{quotes[0]} against {quotes[1]}" if found.ours != found.theirs else ""
    return _scored(_finding(check, claim, found.holds, found.span, window, span, note), found.holds)


def _finding(
    check: str, claim: str, holds: bool | None, span: Span, window: Window, told: Span, note: str = ""
) -> Finding:
    quote = window.premise[slice(*told)]
    return Finding("antonym", _RELATIONS[holds], claim[slice(*span)], span, quote, told, note, check)


def _scored(finding: Finding, holds: bool | None) -> SignalScore:
    features = dict.fromkeys(NegationSignal.feature_names, 0.0) | {"antonym": float(holds is False)}
    outcome = _OUTCOMES[finding.relation]
    return SignalScore(NegationSignal.name, outcome, float(bool(holds)), (finding,), features)
