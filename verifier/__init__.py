"""Check a text against documents you trust, claim by claim. Public names load on first use."""

from __future__ import annotations

__version__ = "0.1.0"
