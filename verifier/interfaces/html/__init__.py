"""What people look at: the view of a report for ``view.js``, and a page that holds it all."""

from __future__ import annotations

from verifier.interfaces.html.assets import asset
from verifier.interfaces.html.build import claim_view, view_of
from verifier.interfaces.html.draft import draft_of
from verifier.interfaces.html.page import is_page, page
from verifier.interfaces.html.types import View

__all__ = ["View", "asset", "claim_view", "draft_of", "is_page", "page", "view_of"]
