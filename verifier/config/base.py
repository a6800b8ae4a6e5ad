"""What every table of the configuration is: unknown keys are errors, values do not change."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["Section"]


class Section(BaseModel):
    """A table of the configuration: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)
