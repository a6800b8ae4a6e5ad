"""What a step of the pipeline cannot do with what it was given."""

from __future__ import annotations

__all__ = ["StepError"]


class StepError(ValueError):
    """The message is one line for whoever ran the step."""
