"""The errors of steps that cannot be done with what they were given."""

from __future__ import annotations

__all__ = ["CheckpointError", "StepError"]


class StepError(ValueError):
    """The message is one line for whoever ran the step."""


class CheckpointError(StepError):
    """Something cannot be packed, or a folder not be unpacked; the message is one line that says why."""
