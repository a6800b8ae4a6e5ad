"""What every table of the configuration is: unknown keys are errors, values do not change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

__all__ = ["Section", "said_of"]


class Section(BaseModel):
    """A table of the configuration: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


def said_of(problem: Mapping[str, Any]) -> str:
    """What pydantic says of one problem, without the name of the error behind it."""
    return str(problem["msg"]).removeprefix("Value error, ")
