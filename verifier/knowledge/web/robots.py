"""Read ``robots.txt``: whether a program may fetch a page, and how long it waits between two.

As RFC 9309 has it, with the ``*`` and ``$`` that the standard library's parser does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Robots"]

_LONGEST_DELAY = 30.0


@dataclass
class _Group:
    """What one part says to the programs that it names."""

    agents: list[str] = field(default_factory=list)
    rules: list[tuple[bool, str]] = field(default_factory=list)
    delay: float = 0.0


@dataclass(frozen=True)
class Robots:
    """The rules for one program: allowed or not by the longest pattern that fits.

    >>> robots = Robots.of("User-agent: *\\nDisallow: /private\\nAllow: /private/fees$\\nDisallow: /*.pdf", "verifier")
    >>> [robots.allows(path) for path in ("/", "/private/a", "/private/fees", "/a/b.pdf")]
    [True, False, True, False]
    """

    rules: tuple[tuple[bool, str], ...] = ()
    delay: float = 0.0
    """Seconds between two requests."""
    sitemaps: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str, agent: str) -> Robots:
        """What a file says to a program: the groups that name it, else those for all."""
        groups, sitemaps = _groups(text)
        own = [
            group for group in groups if any(name != "*" and name in agent.lower() for name in group.agents)
        ]
        chosen = own or [group for group in groups if "*" in group.agents]
        rules = [rule for group in chosen for rule in group.rules]
        return cls(tuple(rules), max([0.0, *(group.delay for group in chosen)]), tuple(sitemaps))

    @classmethod
    def none(cls) -> Robots:
        """Where nothing may be fetched."""
        return cls(((False, "/"),))

    def allows(self, target: str) -> bool:
        """Whether a path with its query may be fetched; where two patterns are as long, the one that allows counts."""
        fitting = [(len(pattern), allowed) for allowed, pattern in self.rules if _fits(pattern, target)]
        return max(fitting, default=(0, True))[1]


def _groups(text: str) -> tuple[list[_Group], list[str]]:
    groups: list[_Group] = []
    sitemaps: list[str] = []
    naming = False
    for line in text.splitlines():
        key, _, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent":
            if not naming:
                groups.append(_Group())
            groups[-1].agents.append(value.lower())
        elif key == "sitemap":
            sitemaps.append(line.partition(":")[2].strip())
        elif groups and key in ("allow", "disallow") and value:
            groups[-1].rules.append((key == "allow", value))
        elif groups and key == "crawl-delay" and value.replace(".", "", 1).isdecimal():
            groups[-1].delay = min(float(value), _LONGEST_DELAY)
        naming = key == "user-agent" if key != "sitemap" else naming
    return groups, sitemaps


def _fits(pattern: str, target: str) -> bool:
    """Whether a path begins as a pattern says; without a regular expression, since others write the pattern.

    >>> _fits("/a*/c", "/ab/cd"), _fits("/a*c$", "/a/c/d"), _fits("/a*c$", "/acc"), _fits("/b", "/a")
    (True, False, True, False)
    """
    ends = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not target.startswith(first):
        return False
    at = _last_found(others[:-1] if ends else others, target, len(first))
    if at < 0:
        return False
    if not ends:
        return True
    return (
        target.endswith(others[-1]) and len(target) - len(others[-1]) >= at if others else at == len(target)
    )


def _last_found(parts: Sequence[str], target: str, at: int) -> int:
    """Where the last of the parts ends, each looked for behind the one before; -1 where one is not there."""
    for part in parts:
        found = target.find(part, at)
        if found < 0:
            return -1
        at = found + len(part)
    return at
