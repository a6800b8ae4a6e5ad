"""All checks, of the signals, of claim extraction and of the features: one registry, by id."""

from __future__ import annotations

from verifier_signals.checks import CHECKS as SIGNAL_CHECKS
from verifier_signals.checks import Check, all_checks, catalogue

from verifier.verification.claim_checks import CLAIM_CHECKS
from verifier.verification.decision.feature_checks import FEATURE_CHECKS

__all__ = ["CHECKS", "every_check", "setting_of"]

CHECKS = catalogue((*SIGNAL_CHECKS.values(), *CLAIM_CHECKS.values(), *FEATURE_CHECKS.values()))
"""Every check of ours."""

_SETTINGS = {"claims": "claims", "feature": "verdict"}


def every_check() -> dict[str, Check]:
    """Every check of ours and of installed packages, by id.

    Raises:
        ConfigError: an installed one is not what it must be.
        ValueError: an installed one has the id of one of ours.
    """
    return catalogue((*all_checks().values(), *CLAIM_CHECKS.values(), *FEATURE_CHECKS.values()))


def setting_of(check: Check) -> str:
    """The table of the configuration whose ``disable`` switches a check off.

    >>> setting_of(CHECKS["number.reckoned"]), setting_of(CHECKS["feature.coverage"])
    ('signals.number', 'verdict')
    """
    return _SETTINGS.get(check.signal, f"signals.{check.signal}")
