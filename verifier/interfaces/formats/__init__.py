"""Output formats by name: one module for each, and those of third parties."""

from __future__ import annotations

from verifier.core.registry import Registry

__all__ = ["FORMATS"]

FORMATS = Registry(
    "verifier.formats",
    "format",
    {
        "text": "verifier.interfaces.formats.text:TextFormat",
        "json": "verifier.interfaces.formats.json:JsonFormat",
        "jsonl": "verifier.interfaces.formats.json:JsonLinesFormat",
        "markdown": "verifier.interfaces.formats.markdown:MarkdownFormat",
        "html": "verifier.interfaces.formats.html:HtmlFormat",
        "junit": "verifier.interfaces.formats.junit:JUnitFormat",
        "sarif": "verifier.interfaces.formats.sarif:SarifFormat",
        "github": "verifier.interfaces.formats.github:GitHubFormat",
    },
)
"""Every format; third parties add theirs under the entry-point group ``verifier.formats``. The contract:
:class:`verifier.interfaces.formats.base.Format`."""
