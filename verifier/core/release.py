"""The version of this release, for modules that may not import the package's public names."""

__all__ = ["RELEASE"]

RELEASE = "0.1.0"
