"""Nothing goes in; the version of this release comes out, for those who may not import the package's public names."""

__all__ = ["RELEASE"]

RELEASE = "0.1.0"
