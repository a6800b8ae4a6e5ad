"""``verifier mcp``: an MCP server on standard input and output, until its client leaves."""

from __future__ import annotations

from pathlib import Path

from verifier.core.errors import KnowledgeBaseNotFound
from verifier.interfaces.cli.options import ConfigFile, KnowledgeBase, Namespace, Quiet, configuration
from verifier.interfaces.cli.output import note

__all__ = ["mcp"]


def mcp(
    kb: KnowledgeBase = None,
    config: ConfigFile = None,
    namespace: Namespace = None,
    quiet: Quiet = False,
) -> None:
    """Serve the tools verify, search and explain to a program that speaks MCP, over standard input and output.

    Without a knowledge base, texts are checked against what comes with each call.
    """
    from verifier.integrations.mcp import build_server
    from verifier.knowledge.places import is_named

    settings = configuration(config, kb, namespace, quiet=quiet).settings
    if kb is not None and not is_named(kb) and not Path(kb).exists():
        raise KnowledgeBaseNotFound(f"no knowledge base at {kb}; make one: verifier ingest PATH --kb {kb}")
    note(f"serving MCP over standard input and output, knowledge base {settings.kb.path}", quiet)
    build_server(settings).run("stdio")
