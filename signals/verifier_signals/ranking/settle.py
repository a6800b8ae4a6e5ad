"""Comparisons, superlatives and orders that a claim makes, settled by tables and sentences together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from verifier.core.lexicon import lexicon
from verifier_signals.lexicon import scales_of, verb_of
from verifier_signals.polarity.comparison import (
    base_of,
    clause_at,
    comparative_before,
    is_denied,
    measured_scales,
)
from verifier_signals.polarity.temporal_order import TemporalOrder, linked_orders
from verifier_signals.polarity.terms import is_name
from verifier_signals.ranking.prose import (
    EvidenceSentence,
    sentence_parts,
    settle_in_prose,
    settle_order,
)
from verifier_signals.ranking.table_figures import (
    narrows_ranking,
    settle_comparison,
    settle_named_superlative,
    settle_superlative,
)
from verifier_signals.ranking.tables import (
    Table,
    TableRecord,
    TableRow,
    keys_at,
    keys_of,
    records_by_table,
    row_in,
)
from verifier_signals.ranking.types import ComparisonQuery, EvidencePiece, Keys, LookupResult
from verifier_signals.syntax import Reading, read
from verifier_signals.values.numerals import NUMBER_WORDS

__all__ = ["has_ranking", "settle_ranking"]

_CUE = re.compile(r"\b(?:than|as|\w+est|most|least|fewest|\w+er\s+(?:of|one))\b", re.IGNORECASE)
_NONE = lexicon("no nobody none nothing nowhere")
_ALL = lexicon("any anyone anything all every everyone everything others")
_AMOUNTS = {"most": 1, "fewest": -1, "least": -1}
_RANKS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5}
_COPULA = lexicon("is was are were had has have became remains")
_DEGREES = {"twice": 1, "thrice": 1, "times": 1, "half": -1, "nearly": -1, "almost": -1, "not": -1}
_ARTICLES = lexicon("a an the")
_WITH_DENIAL = lexicon("any even actually")
_NO_SCALE = frozenset({"sound", "quality"})
"""Scales that no dimension measures, or that share their words with one that is measured (``high`` notes)."""

Scales = tuple[tuple[str, int], ...]


@lru_cache(maxsize=512)
def _comparison_queries(claim: str) -> tuple[ComparisonQuery, ...]:
    """The comparisons and superlatives of a claim.

    >>> [sorted(one.right) for one in _comparison_queries("Ash Hall is taller than Elm House.")]
    [['elm', 'hous']]
    """
    if _CUE.search(claim) is None:
        return ()
    reading = read(claim)
    found = [one for at in reading.places.get("than", ()) for one in _than_query(reading, at)]
    found += [one for at in reading.places.get("as", ()) for one in _as_query(reading, at)]
    return tuple(found) or tuple(_superlative_queries(reading))


def _than_query(reading: Reading, than: int) -> Iterator[ComparisonQuery]:
    """``Longer than``, ``more seats than``; a difference in figures is for the number signal."""
    begin, end = clause_at(reading, than)
    end = _with_apposition(reading, end)
    at = comparative_before(reading, begin, than)
    if at is None or any(_is_figure(reading, place) for place in _neighbours(reading, begin, at, than)):
        return
    scales, _ = measured_scales(reading, at, than)
    if {name for name, _ in scales} == {""}:
        scales = _of_verb(reading, range(begin, at), next(iter(scales))[1]) or scales
    of = reading.tokens[at + 1].word.low == "of"
    noun, after = _ranked_noun(reading, at + 1 + of, than)
    no = _denial_before(reading, begin, at)
    if no is not None:
        scales = frozenset((name, -way) for name, way in scales)
    ahead = [*(place for place in range(begin, at) if place != no), *range(after, than)]
    yield from _set_against(reading, scales, ahead, noun, range(than + 1, end), (at, than + 1))


def _denial_before(reading: Reading, begin: int, at: int) -> int | None:
    """Where a comparative is denied: ``not higher``, ``no younger``, ``isn't any older``, ``does not cost more``."""
    if at - 1 >= begin and is_denied(reading, [at - 1]):
        return at - 1
    between = reading.tokens[at - 1].word.low if at - 2 >= begin else ""
    passed = between in _WITH_DENIAL or any(
        group.main == at - 1 for clause in reading.clauses for group in clause.verbs
    )
    return at - 2 if passed and is_denied(reading, [at - 2]) else None


def _neighbours(reading: Reading, begin: int, at: int, than: int) -> list[int]:
    """The two places before a comparative, and the one behind its ``than``."""
    return [*range(max(begin, at - 2), at), *range(than + 1, min(than + 2, len(reading.tokens)))]


def _is_figure(reading: Reading, at: int) -> bool:
    """``3 m longer``, ``more than ten``; a number that is part of a name is none (``the Comet One``, ``Moss 25``), nor
    is a ``one`` that stands for a noun (``more than one at the station``)."""
    word = reading.tokens[at].word
    if word.number:
        return not (at and is_name(reading, at - 1))
    return word.low in NUMBER_WORDS and word.low != "one" and not word.capital


def _with_apposition(reading: Reading, end: int) -> int:
    """``Its predecessor, the Mark 2``: up to the end of a sentence that goes on with a name and no verb."""
    tokens = reading.tokens
    if end + 1 >= len(tokens) or tokens[end].word.low != "," or tokens[end + 1].word.low not in _ARTICLES:
        return end
    last = next(
        (at for at in range(end, len(tokens)) if reading.sentences[at] != reading.sentences[end]), len(tokens)
    )
    verbal = any(end <= group.main < last for clause in reading.clauses for group in clause.verbs)
    return end if verbal else last


def _as_query(reading: Reading, at: int) -> Iterator[ComparisonQuery]:
    """``Twice as long as``, ``not as many seats as``; ``as`` alone says that two are equal, which few figures are."""
    lows = [token.word.low for token in reading.tokens[at : at + 8]]
    if "as" not in lows[2:] or not at:
        return
    second = at + lows.index("as", 2)
    begin, end = clause_at(reading, at)
    end = max(end, clause_at(reading, second)[1])
    way = _DEGREES.get(reading.tokens[at - 1].word.low, 0)
    none = any(reading.tokens[place].word.low in _NONE for place in range(begin, at))
    if not way and not none:
        return
    low = lows[1]
    noun, after = _ranked_noun(reading, at + 2, second)
    if low in ("many", "much"):
        scales = frozenset((key, 1) for key in noun) or _of_verb(reading, range(begin, at), 1)
    else:
        scales = scales_of(low)
    scales = frozenset((name, sign * (way or 1)) for name, sign in scales)
    ahead = [*range(begin, at - (way != 0)), *range(after, second)]
    words, vague = (at, second + 1), way and reading.tokens[at - 1].word.low != "not"
    yield from _set_against(reading, scales, ahead, noun, range(second + 1, end), words, vague=bool(vague))


def _of_verb(reading: Reading, places: Sequence[int], way: int) -> frozenset[tuple[str, int]]:
    """``Costs a little more than``: the scale that the nearest verb measures on."""
    for at in reversed(places):
        verb = verb_of(reading.tokens[at].word.low)
        if verb is not None and (scales := scales_of(verb.lemma)):
            return frozenset((name, sign * way) for name, sign in scales)
    return frozenset()


def _set_against(
    reading: Reading,
    scales: frozenset[tuple[str, int]],
    ahead: Sequence[int],
    noun: Keys,
    behind: range,
    words: tuple[int, int],
    vague: bool = False,
) -> Iterator[ComparisonQuery]:
    """One thing against another; or above all others, where either side is all of them (``no bridge is longer than``,
    ``longer than any other``)."""
    names = tuple(sorted((name, way) for name, way in scales if name not in _NO_SCALE))
    if not names:
        return
    left, right = keys_at(reading, ahead), keys_at(reading, behind)
    plain = keys_at(
        reading,
        (at for at in (*ahead, *behind) if not (is_name(reading, at) or reading.tokens[at].word.number)),
    )
    about = keys_at(reading, range(len(reading.tokens)))
    span = reading.tokens[words[0]].start, reading.tokens[words[1] - 1].end
    if any(reading.tokens[place].word.low in _NONE for place in ahead):
        yield ComparisonQuery(names, right, frozenset(), noun, about, span, vague=vague)
    elif any(reading.tokens[place].word.low in _ALL for place in behind):
        yield ComparisonQuery(names, left, frozenset(), noun, about, span, vague=vague)
    elif not is_denied(reading, [at for at in ahead if at < words[0]]) and left - right and right - left:
        yield ComparisonQuery(names, left - right, right - left, noun, about, span, vague=vague, plain=plain)


def _superlative_queries(reading: Reading) -> Iterator[ComparisonQuery]:
    tokens = reading.tokens
    for at, token in enumerate(tokens):
        names = _scales(reading, at)
        no = _denial_of_rank(reading, at)
        if not names or is_denied(reading, [place for place in range(len(tokens)) if place != no]):
            continue
        noun, after = _ranked_noun(reading, at + 1, len(tokens))
        holder = _superlative_holder(reading, at, after)
        before = tokens[at - 1].word.low if at else ""
        if holder or before in ("the", "lies", "is", "are", "stands", *_RANKS):
            about = keys_at(reading, range(len(tokens)))
            rank = _RANKS.get(before, 1)
            yield ComparisonQuery(
                names, holder, frozenset(), noun, about, (token.start, token.end), rank, denied=no is not None
            )


def _denial_of_rank(reading: Reading, at: int) -> int | None:
    """Where a superlative, or a comparative behind ``the``, is denied: ``not the longest``, ``isn't the oldest``."""
    ranked = at and reading.tokens[at - 1].word.low in _RANKS
    article = at - 1 - bool(ranked)
    if article < 1 or reading.tokens[article].word.low != "the":
        return None
    return article - 1 if is_denied(reading, [article - 1]) else None


def _scales(reading: Reading, at: int) -> Scales:
    """The scales of a superlative, the word behind it for ``most`` and ``fewest``."""
    low = reading.tokens[at].word.low
    if low in _AMOUNTS and at + 1 < len(reading.tokens):
        word = reading.tokens[at + 1].word
        before = reading.tokens[at - 1].word.low if at else ""
        plain = before == "the" and not (word.function or word.punct or word.number)
        adjective = scales_of(word.low) or {(word.stem, 1)}
        return tuple(sorted((name, way * _AMOUNTS[low]) for name, way in adjective)) if plain else ()
    base = base_of(f"{low[:-3]}er") if low.endswith("est") else None
    if base is None:
        return ()
    return tuple(sorted(one for one in scales_of(base) if one[0] not in _NO_SCALE))


def _ranked_noun(reading: Reading, start: int, last: int) -> tuple[Keys, int]:
    """The words from a place on that say what is counted or ranked, to the next function word, and where they end."""
    begin = start + (start < last and reading.tokens[start].word.low in _ARTICLES)
    end = begin
    while end < last and not (reading.tokens[end].word.function or reading.tokens[end].word.punct):
        end += 1
    return keys_at(reading, range(begin, end)), end


def _superlative_holder(reading: Reading, at: int, after: int) -> Keys:
    """What stands before the verb that the superlative follows; else what stands behind the verb that follows it."""
    sentence = [place for place, one in enumerate(reading.sentences) if one == reading.sentences[at]]
    lows = {place: reading.tokens[place].word.low for place in sentence}
    verbs = [place for place in sentence if lows[place] in _COPULA]
    ahead = [place for place in verbs if place < at]
    behind = [place for place in verbs if place >= after]
    if ahead:
        start = max((place + 1 for place in sentence if place < ahead[-1] and lows[place] == ","), default=0)
        return keys_at(reading, range(max(start, sentence[0]), ahead[-1]))
    if behind:
        return keys_at(reading, range(behind[0] + 1, sentence[-1] + 1))
    return frozenset()


_FIGURE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty)\b", re.I
)


def has_ranking(claim: str) -> bool:
    """Whether a claim compares, ranks or puts in order at all."""
    return bool(_comparison_queries(claim) or linked_orders(claim))


def settle_ranking(claim: str, pieces: Sequence[EvidencePiece]) -> LookupResult | None:
    """Whether the evidence bears out what a claim says of two things, or of one among all; ``None`` where it does not
    tell, or tells both.

    One contrary pair of values denies a claim; to bear it out takes one for each of its comparisons.

    >>> rows = ("Hall: Ash; Height: 12 m", "Hall: Elm; Height: 9 m")
    >>> settle_ranking("Elm is taller than Ash.", [EvidencePiece(row, "halls.csv") for row in rows]).holds
    False
    """
    asked, orders = _comparison_queries(claim), linked_orders(claim)
    found = list(_settled_queries(claim, pieces, asked, orders))
    if len({one.holds for one in found}) != 1:
        return None
    open_ = {*(one.span for one in asked), *(one.span for one in orders)} - {one.span for one in found}
    return None if found[0].holds and (open_ or any(one.vague for one in asked)) else found[0]


def _settled_queries(
    claim: str,
    pieces: Sequence[EvidencePiece],
    asked: Sequence[ComparisonQuery],
    orders: Sequence[TemporalOrder],
) -> Iterator[LookupResult]:
    tables = _tables(pieces) if asked else []
    words = keys_of(claim)
    spoken = [
        EvidenceSentence(at, *sentence_parts(piece.text, piece.start))
        for at, piece in enumerate(pieces)
        if _FIGURE.search(piece.text, piece.start) and keys_of(piece.text) & words
    ]
    sentences = [one for one in spoken if row_in(pieces[one.piece], one.piece) is None]
    records = records_by_table(pieces) if asked else []
    for one in asked:
        for told in _settled_query(one, claim, tables, records, sentences):
            yield told._replace(holds=not told.holds) if one.denied and told.holds is not None else told
    for order in orders:
        if (dated := settle_order(order, claim, spoken)) is not None:
            yield dated


def _settled_query(
    one: ComparisonQuery,
    claim: str,
    tables: Sequence[Table],
    records: Sequence[Sequence[TableRecord]],
    sentences: Sequence[EvidenceSentence],
) -> Iterator[LookupResult]:
    """What tables and sentences say of one comparison or superlative."""
    for table in tables:
        if not one.right and any(narrows_ranking(one, claim, other) for other in records):
            continue
        told = settle_comparison(one, table) if one.right else settle_superlative(one, table, claim)
        if told is not None:
            yield told
    if not one.right:
        found = (settle_named_superlative(one, claim, table) for table in records)
        yield from (told for told in found if told is not None)
    if one.right and (stated := settle_in_prose(one, claim, sentences)) is not None:
        yield stated


def _tables(pieces: Sequence[EvidencePiece]) -> list[Table]:
    groups: dict[str, list[TableRow]] = {}
    for at, piece in enumerate(pieces):
        row = row_in(piece, at)
        if row is not None:
            groups.setdefault(piece.group, []).append(row)
    return [Table(rows) for rows in groups.values()]
