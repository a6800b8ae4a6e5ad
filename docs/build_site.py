"""Collects the pages of the documentation site in one folder, from which ``make docs`` builds it strictly.

    python docs/build_site.py build/site-src    the pages, and build/mkdocs.yml

Beside the pages of ``docs/`` go in: the documents of the repository's root, the cards of the models, and the help of
every command. Links between them are made to fit; a link to a file that is not on the site becomes its path.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
import yaml
from typer.testing import CliRunner

from verifier.interfaces.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
OF_THE_ROOT = {
    "SECURITY.md": "security.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "training/results/JOURNAL.md": "journal.md",
}
"""Documents outside ``docs/``, and where they stand on the site."""

_PAGE = re.compile(r"[\w./-]+\.md")

ASSETS = {".svg", ".png", ".json"}

_CODE = re.compile(r"(^ *```.*?^ *```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(
    r"(?P<shown>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>[^()\s#:]+)(?P<anchor>#[^()\s]*)?\)"
)


def pages() -> dict[Path, str]:
    """Each file that goes onto the site, with its place there."""
    found = {ROOT / name: place for name, place in OF_THE_ROOT.items()}
    for path in sorted(DOCS.rglob("*")):
        if path.suffix == ".md" or (
            path.suffix in ASSETS and path.parent in {DOCS, DOCS / "img", DOCS / "pictures"}
        ):
            found[path] = path.relative_to(DOCS).as_posix()
    for card in sorted(ROOT.glob("*/verifier_*/models/*/CARD.md")):
        found[card] = f"cards/{card.parent.name}.md"
    return found


def with_links(text: str, page: Path, places: Mapping[Path, str]) -> str:
    """The text of a page with its links as they are on the site; what stands in code stays.

    Raises:
        FileNotFoundError: a link leads to a file that there is not.
    """

    def moved(link: re.Match[str]) -> str:
        target = (page.parent / link["target"]).resolve()
        if target in places:
            here = os.path.dirname(places[page])
            return f"{link['shown']}({os.path.relpath(places[target], here or '.')}{link['anchor'] or ''})"
        if not target.exists():
            raise FileNotFoundError(f"{page.relative_to(ROOT)} links to {link['target']}, which is not there")
        return f"{link['shown'][1:-1]} (`{target.relative_to(ROOT)}`)"

    parts = _CODE.split(text)  # text and code by turns
    parts[::2] = [_LINK.sub(moved, part) for part in parts[::2]]
    return "".join(parts)


def commands() -> str:
    """The help of every command, as a page."""
    lines = ["# Commands", "", "What `--help` prints.", ""]
    for words in _walk(typer.main.get_command(app), ()):
        printed = CliRunner().invoke(app, [*words, "--help"], prog_name="verifier", env={"COLUMNS": "100"})
        title = " ".join(["verifier", *words])
        lines += [f"## {title}", "", "```text", printed.output.strip(), "```", ""]
    return "\n".join(lines)


def _walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield words
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        yield from _walk(inner, (*words, name))


def settings() -> str:
    """The whole configuration with its defaults, as a page."""
    printed = CliRunner().invoke(app, ["config", "show"], env={"COLUMNS": "100"})
    return (
        "# Configuration\n\n"
        "What `verifier config show` prints where nothing is configured: each value, and where it comes from. "
        "The defaults come first, then `verifier.toml` (or `.yaml`), then the environment "
        "(`VERIFIER_BACKEND__TYPE=bm25`), then the command line.\n\n"
        f"```text\n{printed.output.strip()}\n```\n"
    )


def navigation(entries: list[Any], site: Path, named: set[str]) -> list[Any]:
    """The navigation with each ``FOLDER/*`` replaced by the folder's pages that are not ``named`` on their own.

    ``*`` stands for those of the top folder.
    """
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, dict):
            deeper = {
                name: navigation(inner, site, named) if isinstance(inner, list) else inner
                for name, inner in entry.items()
            }
            found.append(deeper)
        elif entry.endswith("*"):
            inside = (path.relative_to(site).as_posix() for path in sorted((site / entry[:-1]).glob("*.md")))
            found += [place for place in inside if place not in named]
        else:
            found.append(entry)
    return found


def missing(entries: list[Any], places: Iterable[str]) -> list[str]:
    """The pages that a navigation does not lead to."""
    named = set(_PAGE.findall(str(entries)))
    return sorted(place for place in places if place.endswith(".md") and place not in named)


def collect(site: Path) -> None:
    """Write the pages and the configuration of MkDocs into a folder, which is emptied first."""
    shutil.rmtree(site, ignore_errors=True)
    places = pages()
    for path, place in places.items():
        target = site / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            target.write_text(with_links(path.read_text(encoding="utf-8"), path, places), encoding="utf-8")
        else:
            shutil.copy(path, target)
    (site / "reference" / "commands.md").write_text(commands(), encoding="utf-8")
    (site / "reference" / "configuration.md").write_text(settings(), encoding="utf-8")
    configured = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    configured["nav"] = navigation(configured["nav"], site, set(_PAGE.findall(str(configured["nav"]))))
    if lost := missing(configured["nav"], places.values()):
        raise ValueError(f"mkdocs.yml leads to no such page: {', '.join(lost)}; add it under nav")
    configured |= {"docs_dir": site.name, "site_dir": "site"}
    (site.parent / "mkdocs.yml").write_text(yaml.safe_dump(configured, sort_keys=False), encoding="utf-8")


if __name__ == "__main__":
    collect(Path(sys.argv[1]).resolve())
