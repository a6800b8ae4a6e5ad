"""One schema for everything that can be set, and the layers that its values come from."""

from verifier.config.loading import DEFAULT_FILES, Configuration, left_out, load
from verifier.config.sections import SIGNALS, FailingVerdict, Section, Settings

__all__ = [
    "DEFAULT_FILES",
    "SIGNALS",
    "Configuration",
    "FailingVerdict",
    "Section",
    "Settings",
    "left_out",
    "load",
]
