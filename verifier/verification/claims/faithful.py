"""What a model quotes and claims goes in; whether it changed or dropped something that decides comes out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from verifier_signals.values import Value, parse

from verifier.core.lexicon import lexicon
from verifier.verification.claims.merge import Told

__all__ = ["unfaithful"]

_WORD = re.compile(r"[^\W_]+(?:[.,:'’-][^\W_]+)*")
_DECIDING = lexicon("""
    not no never none nobody nothing neither nor without cannot hardly unless if only except until all every each both
    may might could must should possibly probably allegedly reportedly about nearly almost approximately roughly least
    most some any few barely scarcely rarely seldom sometimes usually always mostly mainly partly solely exclusively
    """)
"""Words that turn, limit or weaken a statement."""
_LEAST_SHARED = 0.5
"""Share of a claim's words that must stand in the response; the rest may tell who or what is meant."""


def unfaithful(response: str, told: Sequence[Told]) -> bool:
    """Whether one of the claims is not what the response says.

    Each figure, name, denial and limit of a quote must be in one of the claims that quote its words, and each one
    of a claim somewhere in the response; at least half of a claim's words must be the response's. A figure keeps its
    limit in whatever words: ``more than 400`` may become ``over 400``, and neither ``400`` nor ``up to 400``.

    >>> text = "It costs 5 EUR."
    >>> unfaithful(text, [Told(0, 15, "The pass costs 5 EUR.")]), unfaithful(text, [Told(0, 15, "It costs 6 EUR.")])
    (False, True)
    >>> unfaithful(text, [Told(0, 15, "It costs more than 5 EUR.")])
    True
    """
    if _limits_otherwise(response, told):
        return True
    known = {form for form, _ in _forms(response)}
    said: list[tuple[int, int, set[str]]] = []
    for claim in told:
        forms = _forms(claim.text)
        if any(decides and form not in known for form, decides in forms):
            return True
        if sum(form in known for form, _ in forms) < _LEAST_SHARED * len(forms):
            return True
        said.append((claim.start, claim.end, {form for form, _ in forms}))
    return any(
        _drops(response, start, end, said) for start, end in {(claim.start, claim.end) for claim in told}
    )


def _drops(response: str, start: int, end: int, said: Sequence[tuple[int, int, set[str]]]) -> bool:
    """Whether something that decides in a quote is in none of the claims whose quotes overlap it."""
    forms = set().union(*(forms for first, last, forms in said if first < end and start < last))
    return any(decides and form not in forms for form, decides in _forms(response[start:end]))


def _limits_otherwise(response: str, told: Sequence[Told]) -> bool:
    """Whether a value of a claim is nowhere limited so in the response, or one of a quote in none of its claims."""
    stated = parse(response)
    values = [parse(claim.text) for claim in told]
    if any(_otherwise(value, stated) for own in values for value in own):
        return True
    return any(
        _otherwise(
            value,
            [
                other
                for claim, own in zip(told, values, strict=True)
                if claim.start < value.core[1] and value.core[0] < claim.end
                for other in own
            ],
        )
        for value in stated
    )


def _otherwise(value: Value, others: Iterable[Value]) -> bool:
    """Whether others have its figures, and none of them its limits."""
    same = [other for other in others if not _figures(value).isdisjoint(_figures(other))]
    return bool(same) and all((other.form, other.approx) != (value.form, value.approx) for other in same)


def _figures(value: Value) -> frozenset[object]:
    """What a value is, in each of its readings, without what limits it or says what it counts."""
    return frozenset([*((one.low, one.high) for one in value.quantities), *value.dates])


def _forms(text: str) -> list[tuple[str, bool]]:
    """The words of a text, folded, and whether each one is a figure, a name, a denial or a limit."""
    found = []
    for number, match in enumerate(_WORD.finditer(text)):
        word = match[0].replace("’", "'")
        form = "(month)" if word == "May" and number else word.lower().removesuffix("'s")
        decides = (
            any(map(str.isdigit, word))
            or (number > 0 and word[0].isupper() and form != "i")
            or form in _DECIDING
            or form.endswith("n't")
        )
        found.append((form, decides))
    return found
