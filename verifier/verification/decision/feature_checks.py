"""The checks behind the features: what each number that the weights are fed stands for, with claims that raise it.

A feature that is off is fed as 0, as where nothing was found: it neither weighs nor vetoes. What a reader says of a
claim is no check; the ``[reader]`` table switches it. Nor are features of a third party's signal.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from verifier_signals.checks import Action, Check, Example, catalogue

from verifier.verification.decision.features import FEATURES, READER_FEATURES

__all__ = ["FEATURE_CHECKS", "features_of"]

_FEATURE = frozenset({Action.FEATURE})
_PREFIX = "feature."

_SAME = Example("The hall has 420 seats.", "The hall has 420 seats.")
_OTHER_NUMBER = Example("The hall has 420 seats.", "The hall has 380 seats.")
_NO_NUMBER = Example("The hall is old.", "The hall has 420 seats.")
_OTHER_EVENT = Example("The hall has 420 seats.", "The hall was repainted in 1931.")
_BOUGHT = Example("Brisk was bought by Halden.", "Brisk was bought by Halden.")
_BOUGHT_OTHERWISE = Example("Brisk was bought by Halden.", "Brisk was bought by Tavener.")
_NO_NAME = Example("The firm was bought last year.", "Tavener bought the firm.")
_ELSEWHERE = Example("The mill grinds wheat.", "Zanzibar exports cloves.")
_EXCHANGED = Example("Phobos orbits Mars.", "Mars orbits Phobos.")
_REORDERED = Example("Rain delayed the harvest.", "The harvest delayed the rain.")
_DENIED = Example("The ferry does not carry cars.", "The ferry carries cars.")
_LATE = Example("The train left late.", "The train left early.")
_SOME = Example("Some members voted.", "All members voted.")
_MAY = Example("Members may vote.", "Members must vote.")
_ON_CONDITION = Example("Refunds are paid if the ticket is unused.", "Refunds are paid.")
_PERHAPS = Example("Perhaps the hall is open.", "The hall is open.")
_MIGHT = Example("The council might buy the mill.", "The council bought the mill.")
_ALONE = Example("The train was late. It snowed.", "The train was late because it snowed.")
_CAUSED = Example("The train was late because it snowed.", "The train was late because it snowed.")
_TALLEST = Example("The oak is tall.", "The oak is the tallest tree in the park.")
_NOT_EITHER = Example("The ferry does not run on Sundays.", "No ferry runs on Sundays.")
_MORE_BEDS = Example("Oak has 46 beds and Elm has 64.", "Elm has more beds than Oak.")
_FEWER_BEDS = Example("Oak has 46 beds and Elm has 64.", "Oak has more beds than Elm.")
_OLDER = Example(
    "The mill was built in 1901. The church was built in 1950.", "The mill is older than the church."
)
_YOUNGER = Example(
    "The mill was built in 1901. The church was built in 1950.", "The church is older than the mill."
)
_NINE_OR_TEN = Example("The hall opens at nine.\nThe hall opens at ten.", "The hall opens at nine.")
_TWO_FEES = Example("The fee is 30 euros.\nThe fee is 60 euros.", "The fee is 30 euros.")
_SILENT_SOURCE = (_PERHAPS, _MIGHT)
"""What the document does not assert: no window of it is read."""


def _feature(
    name: str, family: str, asserts: str, fires: tuple[Example, ...], silent: tuple[Example, ...]
) -> Check:
    return Check(_PREFIX + name.replace("_", "-"), family, asserts, _FEATURE, fires, silent)


FEATURE_CHECKS: Mapping[str, Check] = catalogue(
    (
        _feature(
            "coverage",
            "overlap",
            "The window that speaks best for the claim has its words.",
            (_SAME, _OTHER_EVENT),
            (_ELSEWHERE, _PERHAPS),
        ),
        _feature(
            "order",
            "overlap",
            "That window has the words of the claim in the same order.",
            (_SAME, _DENIED),
            (_REORDERED, _OTHER_NUMBER),
        ),
        _feature(
            "novel",
            "overlap",
            "The claim has words together that no window has.",
            (_ELSEWHERE, _NO_NAME),
            (_SAME, _BOUGHT),
        ),
        _feature(
            "number_match",
            "values",
            "The window that speaks best states a value of the claim.",
            (_SAME, Example("The bridge may be closed on Friday.", "The bridge is closed on Friday.")),
            (_OTHER_NUMBER, _NO_NUMBER),
        ),
        _feature(
            "entity_match",
            "names",
            "The window that speaks best has a name of the claim.",
            (_BOUGHT, _EXCHANGED),
            (_BOUGHT_OTHERWISE, _NO_NAME),
        ),
        _feature(
            "entity_unknown",
            "names",
            "The knowledge base never mentions a name of the claim.",
            (_NO_NAME, _ELSEWHERE),
            (_BOUGHT, _EXCHANGED),
        ),
        _feature(
            "hedge",
            "polarity",
            "The evidence leaves open what the claim asserts.",
            (_MAY, Example("The bridge may be closed.", "The bridge is closed.")),
            (_SAME, _DENIED),
        ),
        _feature(
            "reach",
            "polarity",
            "The claim ranks something among more than the evidence speaks of.",
            (
                _TALLEST,
                Example("The elm is taller than the oak.", "The oak is the tallest tree in the park."),
            ),
            (_SAME, _MORE_BEDS),
        ),
        _feature(
            "denial",
            "polarity",
            "Both deny the same.",
            (
                _NOT_EITHER,
                Example(
                    "The guild never admitted Mara Veil.", "It is not true that the guild admitted Mara Veil."
                ),
            ),
            (_DENIED, _SAME),
        ),
        _feature(
            "nli_entailment",
            "entailment",
            "The NLI model reads the window that speaks best as entailing the claim.",
            (_SAME, _BOUGHT),
            _SILENT_SOURCE,
        ),
        _feature(
            "nli_contradiction",
            "entailment",
            "The NLI model reads the window that speaks best as contradicting the claim.",
            (_LATE, _OTHER_NUMBER),
            _SILENT_SOURCE,
        ),
        _feature(
            "number_absent",
            "values",
            "Nothing that is read together with the best window has a value of the claim.",
            (_NO_NUMBER, _OTHER_EVENT),
            (_SAME, _OTHER_NUMBER),
        ),
        _feature(
            "entity_absent",
            "names",
            "Nothing that is read together with the best window has a name of the claim.",
            (_NO_NAME, _ELSEWHERE),
            (_BOUGHT, _BOUGHT_OTHERWISE),
        ),
        _feature(
            "wide_coverage",
            "overlap",
            "A wider premise has the words of the claim.",
            (_SAME, _OTHER_EVENT),
            (_ELSEWHERE, _PERHAPS),
        ),
        _feature(
            "wide_entailment",
            "entailment",
            "The NLI model reads a wider premise as entailing the claim.",
            (_SAME, _BOUGHT),
            _SILENT_SOURCE,
        ),
        _feature(
            "wide_contradiction",
            "entailment",
            "The NLI model reads a wider premise as contradicting the claim.",
            (_LATE, _OTHER_NUMBER),
            _SILENT_SOURCE,
        ),
        _feature(
            "nearly_whole",
            "overlap",
            "The window that speaks best speaks of nearly all of the claim.",
            (_SAME, _BOUGHT),
            (_ELSEWHERE, _PERHAPS),
        ),
        _feature(
            "number_conflict",
            "values",
            "A window states another value than the claim.",
            (_OTHER_NUMBER, Example("The fee is 30 euros.", "The fee is 60 euros.")),
            (_SAME, _NO_NUMBER),
        ),
        _feature(
            "entity_conflict",
            "names",
            "A window has another name in the place of the claim's.",
            (_BOUGHT_OTHERWISE, Example("The Oak hut is highest of all.", "The Elm hut is the highest.")),
            (_BOUGHT, _NO_NAME),
        ),
        _feature(
            "role_conflict",
            "names",
            "A window tells the same deed with its sides exchanged.",
            (_EXCHANGED, _REORDERED),
            (_BOUGHT, _BOUGHT_OTHERWISE),
        ),
        _feature(
            "polarity",
            "polarity",
            "One of claim and window denies what the other affirms.",
            (_DENIED, Example("It is not true that the lake froze.", "The lake froze.")),
            (_SAME, _NOT_EITHER),
        ),
        _feature(
            "antonym",
            "polarity",
            "A window has the opposite word.",
            (_LATE, Example("The door is open.", "The door is closed.")),
            (_SAME, _DENIED),
        ),
        _feature(
            "quantifier",
            "polarity",
            "A window says it of fewer, or of more, than the claim.",
            (_SOME, Example("Few members voted.", "Most members voted.")),
            (_SAME, Example("Some members voted.", "Some members voted.")),
        ),
        _feature(
            "modality",
            "polarity",
            "A window permits what the claim requires, or the other way round.",
            (_MAY, Example("Guests can leave early.", "Guests have to leave early.")),
            (_SAME, Example("Members may vote.", "Members may vote.")),
        ),
        _feature(
            "condition",
            "polarity",
            "A window states a condition that the claim leaves out.",
            (_ON_CONDITION, Example("Refunds are paid only if the ticket is unused.", "Refunds are paid.")),
            (_SAME, _MAY),
        ),
        _feature(
            "cause",
            "polarity",
            "The claim asserts a cause that no window states.",
            (_ALONE, Example("The mill closed. Wages rose.", "The mill closed because wages rose.")),
            (_CAUSED, _SAME),
        ),
        _feature(
            "number_untraced",
            "values",
            "No window has a value of the claim, alike or in conflict.",
            (_NO_NUMBER, _OTHER_EVENT),
            (_SAME, _OTHER_NUMBER),
        ),
        _feature(
            "words_untraced",
            "overlap",
            "The knowledge base never mentions a word of the claim.",
            (_ELSEWHERE, _NO_NAME),
            (_SAME, _BOUGHT),
        ),
        _feature(
            "borne_out",
            "passages",
            "Figures, dates or rows together bear the claim out.",
            (_MORE_BEDS, _OLDER),
            (_FEWER_BEDS, _SAME),
        ),
        _feature(
            "ruled_out",
            "passages",
            "Figures, dates or rows together rule the claim out.",
            (_FEWER_BEDS, _YOUNGER),
            (_MORE_BEDS, _SAME),
        ),
        _feature(
            "disputed",
            "passages",
            "One document bears the claim out and another says otherwise.",
            (_NINE_OR_TEN, _TWO_FEES),
            (_SAME, _OTHER_NUMBER),
        ),
    )
)
"""Every feature that the weights are fed, but those of a reader."""

_OF_CHECK = {_PREFIX + name.replace("_", "-"): name for name in FEATURES if name not in READER_FEATURES}


def features_of(checks: Set[str]) -> frozenset[str]:
    """The features behind these checks, by the names of :data:`FEATURES`.

    >>> features_of({"feature.number-conflict"})
    frozenset({'number_conflict'})
    """
    return frozenset(_OF_CHECK[check] for check in checks)
