"""Looking a claim up in the rows of a table: whether the row that it names says what the claim says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from verifier.core.lexicon import lexicon
from verifier_signals.polarity.comparison import is_denied
from verifier_signals.ranking.tables import (
    RecordCell,
    TableRecord,
    constant_columns,
    keys_of,
    named_by,
    records_by_table,
    words_in,
    words_of,
    years_in,
)
from verifier_signals.ranking.types import EvidencePiece, Keys, LookupResult, ShownValue
from verifier_signals.stems import LIGHT_WORDS
from verifier_signals.syntax import read
from verifier_signals.values import Fit, Form, Value, compare, values_of

__all__ = ["look_up"]

SAY_NOTHING = (
    LIGHT_WORDS
    | keys_of(" ".join(LIGHT_WORDS))
    | keys_of("""
    cost price pay charge lie stand sit locate situate measure weigh offer provide rate allow permit welcome accept
    admit available have hold carry possess belong include exclude list table row total worth sell buy bring earn
    receive reach score use count record name
    """)
)
"""Words by which a claim says no more than that the row has the cell."""
_PRICE = keys_of("fare price fee cost charge rate") | lexicon("eur euro gbp usd chf")
_WITHHOLDING = lexicon(
    "forbidden prohibited banned barred excluded unavailable impossible refused lacks lack without"
)
_NOT_PLAIN = re.compile(
    r"""\b(?:(?<!at\ )all|every|each|none|no-one|nobody|both|neither|either|only|most|least|more|less|fewer|than|many
    |several|few|some|any|others?|another|average|twice|double|unless|except|until|if|would|could|might|or|not\ only
    |half\ (?:of|the|that|as|a|an))\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words of a claim that says more of its thing than one cell does, or says it of more things than one."""
_FOR_NOTHING = re.compile(r"\b(?:free|gratis|pays? nothing|costs? nothing)\b", re.IGNORECASE)
_BEGINS = keys_of("start open begin departure depart leave") | {"from", "since"}
_ENDS = keys_of("end close arrival arrive finish") | {"until", "till"}
"""Words for either end of a time, in a claim and in a label."""
_RUNNING = keys_of("run lead manage direct head keep chair teach win serve guide look care")
"""Deeds of the one who stands in a row as the one in charge of it."""
_PLACE = keys_of("place rank position")


class _ClaimContent(NamedTuple):
    """What a claim says: its words, its values with the words of each, whether it denies, or says that it is free."""

    words: Keys
    values: tuple[tuple[Value, Keys], ...]
    denied: bool
    free: bool
    lows: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    """Where each of ``lows`` stands."""
    span: tuple[int, int]

    def span_of(self, words: Keys) -> tuple[int, int]:
        """The stretch with all of the claim's words that are among these; the whole claim, if there are none."""
        found = [span for low, span in zip(self.lows, self.spans, strict=True) if keys_of(low) & words]
        return (found[0][0], found[-1][1]) if found else self.span


class _ClaimedRow(NamedTuple):
    """A row that a claim may speak of, its table, the cells by which the claim names it, and the words of these."""

    record: TableRecord
    table: Sequence[TableRecord]
    constant: frozenset[str]
    named: tuple[RecordCell, ...]
    words: Keys

    def unsaid(self, said: _ClaimContent, used: Sequence[RecordCell]) -> Keys:
        """The words of the claim that neither the row has, nor what stands above it, nor the labels of used cells."""
        known = set(self.words | self.record.above | SAY_NOTHING)
        for entry in (*used, *self.named):
            known |= words_of(entry.label) | entry.words
            if _words_and_links(entry.label) & (_BEGINS | _ENDS):
                known |= _BEGINS | _ENDS
        known.update(*(entry.words for entry in self.record.entries if entry.label in self.constant))
        known |= words_of(self.table[0].entries[0].label) if self.table[0].entries else frozenset()
        for value, words in said.values:
            known |= words
            known |= _PRICE if any(_is_money(one.dimension) for one in value.quantities) else frozenset()
        return said.words - known


def look_up(claim: str, pieces: Sequence[EvidencePiece]) -> LookupResult | None:
    """Whether the row that a claim names has the cell that it states; ``None`` where no row tells.

    ``holds`` is ``None`` where the row leaves empty what other rows have.

    >>> rows = ["Hut: Elm; Beds: 24; Dogs: no", "Hut: Ash; Beds: 30; Dogs: yes"]
    >>> pieces = [EvidencePiece(row, "huts.csv") for row in rows]
    >>> look_up("Elm Hut has 24 beds.", pieces).holds, look_up("Dogs are allowed at Elm.", pieces).holds
    (True, False)
    """
    said = _claim_content(claim)
    if said is None:
        return None
    found = [one for table in records_by_table(pieces) if (one := _table_answer(said, table)) is not None]
    return found[0] if found and len({one.holds for one in found}) == 1 else None


@lru_cache(maxsize=512)
def _claim_content(claim: str) -> _ClaimContent | None:
    """``None`` for a claim that is no plain statement of one thing."""
    if _NOT_PLAIN.search(claim):
        return None
    reading = read(claim)
    lows = tuple(token.word.low for token in reading.tokens)
    free = _FOR_NOTHING.search(claim)
    values = tuple(
        (one, words_of(claim[one.start : one.end]))
        for one in values_of(claim).values
        if not one.weak or one.kind == "ordinal"
    )
    words = words_in(claim) - (words_of(free[0]) if free else frozenset())
    denies = not free and is_denied(reading, range(len(lows))) != (not _WITHHOLDING.isdisjoint(lows))
    spans = tuple((token.start, token.end) for token in reading.tokens)
    return _ClaimContent(words, values, denies, bool(free), lows, spans, (0, len(claim.rstrip())))


def _table_answer(said: _ClaimContent, table: Sequence[TableRecord]) -> LookupResult | None:
    constant = constant_columns(table)
    rows = [_claimed_row(said, record, table, constant) for record in table]
    told = [row for row in rows if any(entry.label not in constant for entry in row.named)]
    most = max((_nearness(said, row) for row in told), default=0)
    near = [row for row in told if _nearness(said, row) == most]
    by_key = [row for row in near if row.record.entries[0] in row.named]
    found = [_row_answer(said, row) for row in by_key or near]
    if not found or None in found or len({one.holds for one in found if one}) != 1:
        return None
    return found[0]


def _claimed_row(
    said: _ClaimContent, record: TableRecord, table: Sequence[TableRecord], constant: frozenset[str]
) -> _ClaimedRow:
    named = named_by(said.words, record, constant)
    words = frozenset[str]().union(*(entry.words & said.words for entry in named))
    return _ClaimedRow(record, table, constant, named, words)


def _nearness(said: _ClaimContent, row: _ClaimedRow) -> int:
    """How many words of the claim a row has, and how many of its values."""
    free = said.words - row.words
    return len(row.words) + sum(
        _cell_of(said, value, free - words, row.record)[1] for value, words in said.values
    )


def _row_answer(said: _ClaimContent, row: _ClaimedRow) -> LookupResult | None:
    """What one row says of the claim."""
    free = said.words - row.words
    used: list[RecordCell] = []
    for value, words in said.values:
        if words <= row.words or _is_above(words, row):
            continue
        entry, fits = _cell_of(said, value, free - words, row.record)
        if entry is None:
            return _blank_column(said, free - words, row)
        if not fits and row.unsaid(said, [entry]):
            return _blank_column(said, free - words, row)
        if not fits:
            span = (value.start, value.end)
            return None if said.denied else _row_result(said, False, row, entry, span)
        used.append(entry)
    if said.free and (priced := _price_cell(free, row.record)) is not None:
        stated = not row.unsaid(said, [priced])
        return _row_result(said, priced.free, row, priced) if stated else _blank_column(said, free, row)
    answer = None if used or said.free else _answer_cell(free, row.record)
    if answer is not None:
        unsaid = row.unsaid(said, [answer])
        return None if len(unsaid) > 1 else _row_result(said, answer.answer is not said.denied, row, answer)
    blank = None if used else _blank_column(said, free, row)
    return blank if blank is not None or said.denied or said.free else _named_answer(said, row, free, used)


def _named_answer(
    said: _ClaimContent, row: _ClaimedRow, free: Keys, used: list[RecordCell]
) -> LookupResult | None:
    """What the names and figures of a row say of a claim, each of which it has."""
    unsaid = row.unsaid(said, used)
    rivals = _rival_cells(unsaid, row)
    if rivals is not None:
        own, other = rivals
        return _row_result(said, False, row, own, said.span_of(other.words & unsaid))
    facts = [entry for entry in row.named if entry.label not in row.constant]
    if unsaid or len(facts) + len(used) < 2 or not all(_in_its_place(said, entry) for entry in facts):
        return None
    known = frozenset[str]().union(SAY_NOTHING, *(entry.wanted for entry in (*used, *row.named)))
    others = (entry for entry in row.record.entries if entry not in used and entry not in row.named)
    if any(entry.wanted <= free and not entry.wanted <= known for entry in others):
        return None  # it speaks of a column that was not looked at
    return _row_result(said, True, row, (used or facts)[-1])


def _is_above(words: Keys, row: _ClaimedRow) -> bool:
    """Whether a year or a code tells the column or the whole table, and is no cell."""
    labels = frozenset(label for record in row.table for label in record.labels)
    return words <= row.record.above or any(words <= words_of(label) for label in labels)


def _is_money(dimension: str) -> bool:
    return len(dimension) == 3 and dimension.isupper()


def _cell_of(
    said: _ClaimContent, value: Value, free: Keys, record: TableRecord
) -> tuple[RecordCell | None, bool]:
    """The cell that a value of the claim states: by the words of its label, else the only one of its dimension."""
    fits = [(entry, _fit(value, entry)) for entry in record.entries if entry.value is not None]
    like = [(entry, fit) for entry, fit in fits if fit is not Fit.UNRELATED]
    lows = frozenset(said.lows)
    scored = [(_likeness(entry, free, lows), fit is not Fit.DIFFERENT, entry) for entry, fit in like]
    best = max((score for score, _, _ in scored), default=0)
    if best > 0:
        chosen = [(entry, fits) for score, fits, entry in scored if score == best]
        fitting = [entry for entry, fits in chosen if fits]
        if fitting:
            return fitting[0], True
        return (chosen[0][0], False) if len(chosen) == 1 and value.form is Form.POINT else (None, False)
    bare = any(one.dimension == "" for one in value.quantities) and not value.dates
    if len(like) == 1 and best == 0 and not bare and value.form is Form.POINT:
        return like[0][0], like[0][1] is Fit.EQUAL
    return None, False


def _fit(value: Value, entry: RecordCell) -> Fit:
    """How a value stands to a cell; a rank (``third``) to a bare figure in a column of places."""
    if entry.value is None:
        return Fit.UNRELATED
    if entry.wanted & _PLACE and any(one.dimension == "ordinal" for one in value.quantities):
        same = value.quantities[0].low == entry.value.quantities[0].low
        return Fit.EQUAL if same else Fit.DIFFERENT
    return compare(value, entry.value).fit


def _words_and_links(text: str) -> Keys:
    return words_of(text) | frozenset(text.casefold().split())


def _likeness(entry: RecordCell, free: Keys, lows: Keys) -> int:
    """How many words of a label the claim has; -1 for a label of another year, or of the other end of a time."""
    told, asked = years_in(entry.wanted), years_in(free)
    if told and asked and not told & asked:
        return -1
    label, said = _words_and_links(entry.label), free | lows
    ends, begins = bool(label & _ENDS), bool(label & _BEGINS)
    if (ends and said & _BEGINS and not said & _ENDS) or (
        begins and not ends and said & _ENDS and not said & _BEGINS
    ):
        return -1
    ranked = bool(entry.wanted & _PLACE and free & keys_of("finish come end"))
    return 2 * len(entry.wanted & free) + 2 * ranked


def _price_cell(free: Keys, record: TableRecord) -> RecordCell | None:
    """The cell that says what is to be paid: the only one, or the one whose label the claim has most words of."""
    cells = [
        entry
        for entry in record.entries
        if entry.free or (entry.value and any(_is_money(one.dimension) for one in entry.value.quantities))
    ]
    scored = [(len(entry.wanted - _PRICE & free), entry) for entry in cells]
    best = max((score for score, _ in scored), default=0)
    found = [entry for score, entry in scored if score == best]
    return found[0] if len(found) == 1 and (best or len(cells) == 1) else None


def _answer_cell(free: Keys, record: TableRecord) -> RecordCell | None:
    """The cell that answers yes or no to what a claim says: most words of its label are in the claim."""
    scored = [
        (len(entry.wanted & free), entry)
        for entry in record.entries
        if entry.answer is not None and 2 * len(entry.wanted & free) >= len(entry.wanted) > 0
    ]
    best = max((score for score, _ in scored), default=0)
    found = [entry for score, entry in scored if score == best > 0]
    return found[0] if len(found) == 1 else None


def _blank_column(said: _ClaimContent, free: Keys, row: _ClaimedRow) -> LookupResult | None:
    """What leaves the claim open: a column of other rows that it asks for, and that this row leaves empty."""
    paid = said.free or any(_is_money(one.dimension) for value, _ in said.values for one in value.quantities)
    for other in row.table:
        for entry in other.entries:
            wanted = entry.wanted - _PRICE if paid else entry.wanted
            asked = bool(wanted or (paid and entry.wanted))
            if entry.label not in row.record.labels and asked and wanted <= free:
                return None if row.unsaid(said, [entry]) else _row_result(said, None, row, row.named[0])
    return None


def _rival_cells(unsaid: Keys, row: _ClaimedRow) -> tuple[RecordCell, RecordCell] | None:
    """The cell of the row in whose place the claim has that of another row, and this other one."""
    hit = {entry.label for entry in row.named}
    if not hit - row.constant:
        return None
    mine = {entry.label: entry for entry in row.record.entries if entry.is_text and entry.label not in hit}
    for other in row.table:
        for entry in other.entries:
            own = mine.get(entry.label)
            if own is None or not entry.is_text or own.words & entry.words - entry.wanted:
                continue
            named = (entry.words - entry.wanted) or entry.words
            if named <= unsaid and unsaid - entry.words <= _RUNNING and len(entry.words) > 1:
                return own, entry
    return None


def _in_its_place(said: _ClaimContent, entry: RecordCell) -> bool:
    """Whether a cell below a label of function words only (``from``, ``to``) stands behind them in the claim, too."""
    label = entry.label.casefold().split()
    if words_of(entry.label):
        return True
    at = next((at for at, low in enumerate(said.lows) if keys_of(low) & entry.words), 0)
    return list(said.lows[max(at - len(label), 0) : at]) == label


def _row_result(
    said: _ClaimContent,
    holds: bool | None,
    row: _ClaimedRow,
    entry: RecordCell,
    span: tuple[int, int] | None = None,
) -> LookupResult:
    shown = ShownValue(row.record.piece, entry.start, entry.end)
    return LookupResult(holds, span or said.span, shown, shown)
