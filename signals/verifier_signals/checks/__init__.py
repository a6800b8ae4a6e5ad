"""The checks of the signals: a name, an assertion, examples and a switch for each rule that speaks of a claim.

Those of claim extraction and of the features are :mod:`verifier.verification.checks`.
"""

from __future__ import annotations

from verifier_signals.checks.check import Action, Check, Example, Switchable, catalogue, named, said
from verifier_signals.checks.entity import ENTITY, SAID_OF_ANOTHER
from verifier_signals.checks.negation import STATEMENTS
from verifier_signals.checks.number import NUMBER
from verifier_signals.checks.passages import LOOKED_UP, PASSAGES, RANKED, TOLD_OF_ALL
from verifier_signals.checks.rule import (
    FEATURES,
    SKIP_PREFIX,
    Conflict,
    Rule,
    Skip,
    installed_rules,
    installed_skips,
)

__all__ = [
    "CHECKS",
    "ENTITY",
    "FEATURES",
    "LOOKED_UP",
    "NEGATION",
    "NUMBER",
    "PASSAGES",
    "RANKED",
    "SAID_OF_ANOTHER",
    "SKIP_PREFIX",
    "TOLD_OF_ALL",
    "Action",
    "Check",
    "Conflict",
    "Example",
    "Rule",
    "Skip",
    "Switchable",
    "all_checks",
    "catalogue",
    "installed_rules",
    "installed_skips",
    "named",
    "said",
]

NEGATION = catalogue((*STATEMENTS.values(), *PASSAGES.values()))
"""The checks of the negation signal."""

CHECKS = catalogue((*ENTITY.values(), *NUMBER.values(), *NEGATION.values()))
"""Every check of ours."""


def all_checks() -> dict[str, Check]:
    """Every check of these signals and of installed packages, by id.

    Raises:
        ConfigError: an installed one is not what it must be.
        ValueError: an installed one has the id of one of ours.
    """
    rules = (rule.check for rule in installed_rules().values())
    skips = (skip.check for skip in installed_skips().values())
    return catalogue((*CHECKS.values(), *rules, *skips))
