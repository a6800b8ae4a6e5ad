"""Make the page and the links that a package index shows from README.md and the repository's address.

A build hook of hatchling: links of README.md are relative, which no index can follow.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")
"""A Markdown link or picture with a path of this repository."""
_BRANCH = "main"


class ReadmeAndAddresses(MetadataHookInterface):
    """Sets ``readme`` and ``urls`` from ``repository``, the address in pyproject.toml; it may be empty."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both fields.

        Raises:
            ValueError: ``repository`` is not an https address.
        """
        address = str(self.config.get("repository", "")).rstrip("/")
        if address and not address.startswith("https://"):
            raise ValueError(
                f"tool.hatch.metadata.hooks.custom.repository = {address!r}: give an https:// address"
            )
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_absolute_links(text, address)}
        metadata["urls"] = addresses(address)


def with_absolute_links(text: str, address: str) -> str:
    """The page with links that lead into the repository at ``address``; without one, their words remain.

    >>> with_absolute_links("See [the guide](docs/a.md#b) and [it](https://a.example).", "https://b.example/c")
    'See [the guide](https://b.example/c/blob/main/docs/a.md#b) and [it](https://a.example).'
    >>> with_absolute_links("![A report](docs/a.png) See [the guide](docs/a.md).", "")
    'A report See the guide.'
    """
    return _RELATIVE.sub(lambda found: _absolute(address, *found.groups()), text)


def _absolute(address: str, picture: str, words: str, path: str) -> str:
    kind = "raw" if picture else "blob"
    return f"{picture}[{words}]({address}/{kind}/{_BRANCH}/{path})" if address else words


def addresses(address: str) -> dict[str, str]:
    """The project's links by their names on the index; none without an address."""
    if not address:
        return {}
    pages = {"Documentation": "docs", "Changelog": "CHANGELOG.md", "Security": "SECURITY.md"}
    found = {name: f"{address}/blob/{_BRANCH}/{path}" for name, path in pages.items()}
    return {"Repository": address, "Issues": f"{address}/issues", **found}
