"""Writes what the documents take from the code: figures, the demo, outputs in the guides, the JSON Schema of reports.

python docs/generate.py           write them
python docs/generate.py --check   exit 1 when one is out of date
python docs/generate.py --slow    also the guide for researchers, whose commands take long
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from verifier_signals.checks import Check, Example

from verifier.verification.checks import CHECKS
from verifier.verification.report import json_schema

ROOT = Path(__file__).resolve().parent.parent


def _expected() -> list[dict[str, Any]]:
    """The figures of corpora/expected.toml."""
    loaded = tomllib.loads((ROOT / "corpora" / "expected.toml").read_text(encoding="utf-8"))
    return list(loaded["figure"])


def figures() -> str:
    """All published figures as a table with their commands."""
    rows = (f"| {row['what']} | {row['value']} | `{row['command']}` |" for row in _expected())
    return "\n".join(["| figure | value | command |", "|---|---|---|", *rows])


def summary() -> str:
    """The published figures that name a measure and a system, one row for each measure."""
    chosen = [row for row in _expected() if "measure" in row]
    systems = list(dict.fromkeys(row["system"] for row in chosen))
    lines = [f"| | {' | '.join(systems)} |", "|---" * (len(systems) + 1) + "|"]
    for measure in dict.fromkeys(row["measure"] for row in chosen):
        values = {row["system"]: f"{row['value']:.0%}" for row in chosen if row["measure"] == measure}
        lines.append(f"| {measure} | {' | '.join(values[system] for system in systems)} |")
    return "\n".join(lines)


_CHECKS = """# Checks

Everything but the models works by checks: rules with a name, one assertion, and a switch. They decide what is a claim
(skips), how a sentence becomes several (splits), where claim and evidence match or conflict (the signals), and which
numbers the weights are fed (features). A report names them: `claims[].checks` has the skip of a sentence or the splits
that parted it, `findings[].check` the check behind a finding. This page is generated from the code.

```bash
verifier checks list                        # every check by what it reports, and whether it is on
verifier checks list --relation skip        # why a sentence is no claim
verifier checks show number.unit-mismatch   # one of them, with its examples
verifier verify answer.md --kb kb --json > report.json
verifier checks explain report.json         # which checks fired on each sentence
```

Switch off single checks or whole families:

```toml
[claims]                                    # skips and splits
disable = ["claims.skip-opinion", "asides"]

[signals.number]                            # the same for entity and negation
disable = ["number.unit-mismatch", "arithmetic"]

[verdict]                                   # features
disable = ["feature.disputed"]
```

A skip that is off makes a claim of what it would skip. A split that is off leaves the sentence whole. A feature that is
off is fed as 0, as where nothing was found, and a note in the report says so. A check of a signal that is off reports
nothing, and the next one is asked. What it denied another check may then find absent
(`number.not-stated`, `entity.not-named`), so that a contradicted claim becomes *fabricated*. The shipped weights were
learnt with all checks on; learn them anew (`verifier calibrate --learn-weights`) when you switch off many.

`python -m benchmarks.checks` measures each check: how often it fires, how often the label agrees with it, and what
leaving it out changes. [The figures](../corpora/checks.md) of the last run.

A package of your own adds checks by the entry point `verifier.checks`. A subclass of `verifier_signals.checks.Rule` has
its `check` (an id that begins with `negation.`, two examples that it fires on, two that it does not), its
`feature` (one of `polarity`, `antonym`, `quantifier`, `modality`, `condition`: how the weights take what it finds)
and `find(claim, premise)`. A subclass of `verifier_signals.checks.Skip` has a `check` with an id that begins with
`claims.skip-`, and `skips(sentence)`. [The example package](example-plugins/house_plugins.py) has both;
`RuleContract` and `SkipContract` of `verifier_signals.testing` test them. There is no entry point for splits, since a
split must say how each part is read: replace the extractor instead (`VerifiedScorer(extractor=...)`). Features of your
own come from a signal of your own.
"""


def checks() -> str:
    """Every check by part and family, with an example that it fires on and one that it does not."""
    lines = [_CHECKS.rstrip()]
    by_family: dict[tuple[str, str], list[Check]] = {}
    for check in CHECKS.values():
        by_family.setdefault((check.signal, check.family), []).append(check)
    for signal in dict.fromkeys(signal for signal, _ in by_family):
        lines.append(f"\n## {signal.capitalize()}")
        for (_, family), some in ((key, some) for key, some in by_family.items() if key[0] == signal):
            lines += [f"\n### {family.capitalize()}", ""]
            lines += ["| check | asserts | fires on | is silent on |", "|---|---|---|---|"]
            lines += [_row(check) for check in some]
    return "\n".join(lines) + "\n"


def _row(check: Check) -> str:
    shown = " | ".join(_shown(one) for one in (check.fires[0], check.silent[0]))
    return f"| `{check.id}` | {check.asserts} | {shown} |"


def _shown(example: Example) -> str:
    evidence, claim = (" / ".join(text.split("\n")).replace("|", "\\|") for text in example)
    ticks = "``" if "`" in claim else "`"
    return f"{evidence} → *{claim}*" if evidence else f"{ticks}{claim}{ticks}"


@cache
def _demo_base() -> Path:
    """The knowledge base of the demo, with what lies in its folder now."""
    knowledge_base = ROOT / "build" / "demo-kb"
    printed, code = _run("bash", f"verifier ingest corpora/demo/kb --kb '{knowledge_base}'", ROOT)
    if code:
        raise RuntimeError(f"the demo's documents could not be ingested: {printed}")
    return knowledge_base


def demo() -> str:
    """What the demo prints, as text."""
    printed, _ = _run(
        "bash", f"verifier verify corpora/demo/answer.md --kb '{_demo_base()}' 2>/dev/null", ROOT
    )
    return f"```\n{printed.rstrip()}\n```"


_DRAFT = (
    "The recall covers stoves with a seal that hardens below minus 5 degrees. "
    "It is led by Tomas Eikeland. Owners may choose a refund of EUR 89.\n"
)
_CODE = re.compile(
    r"```(?P<language>bash|python)\n(?P<code>(?:(?!```).)*)```(?P<between>(?:(?!```).)*?<!-- output -->\n```\n)"
    r".*?(?P<end>```\n<!-- /output -->)",
    re.DOTALL,
)
_CONSOLE = re.compile(
    r"(?P<begin><!-- console -->\n```\n)(?P<said>.*?)(?P<end>```\n<!-- /console -->)", re.DOTALL
)


def guides() -> Iterator[tuple[Path, str]]:
    """The guides, with what their code and commands print now, each run in a folder of its own."""
    folder = ROOT / "docs" / "guides"
    kept = ROOT / "corpora" / "demo"
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        (place / "answers").mkdir()
        shutil.copy(kept / "answer_good.md", place / "answers" / "good.md")
        shutil.copy(kept / "answer.md", place / "answers" / "rejected.md")
        (place / "kb").symlink_to(_demo_base())
        text = (folder / "ci.md").read_text(encoding="utf-8")
        yield folder / "ci.md", _CODE.sub(lambda found: _with_output(found, place), text)
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        (place / "papers").mkdir()
        notice = (kept / "kb" / "recall-notice.pdf").read_bytes()
        (place / "papers" / "recall-notice.pdf").write_bytes(notice)
        (place / "papers" / "cut.pdf").write_bytes(notice[: len(notice) // 2])
        (place / "draft.md").write_text(_DRAFT, encoding="utf-8")
        text = (folder / "report.md").read_text(encoding="utf-8")
        yield folder / "report.md", _CONSOLE.sub(lambda found: _session(found, place), text)
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        text = (folder / "python.md").read_text(encoding="utf-8")
        yield folder / "python.md", _CODE.sub(lambda found: _with_output(found, place), text)


def researchers() -> Iterator[tuple[Path, str]]:
    """The guide for researchers, with what its commands print now."""
    page = ROOT / "docs" / "guides" / "research.md"
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        (place / "kb").symlink_to(_demo_base())
        (place / "corpora").symlink_to(ROOT / "corpora")
        text = page.read_text(encoding="utf-8")
        yield page, _CONSOLE.sub(lambda found: _session(found, place), text)


def _with_output(found: re.Match[str], place: Path) -> str:
    """A piece of code, and behind it what it prints."""
    printed, _ = _run(found["language"], found["code"], place)
    return f"```{found['language']}\n{found['code']}```{found['between']}{printed}{found['end']}"


def _session(found: re.Match[str], place: Path) -> str:
    """The commands of a console, those behind ``$ ``, each with what it prints."""
    lines, code = [], 0
    for line in found["said"].splitlines():
        if line.startswith("$ "):
            printed, code = _run("bash", f"(exit {code}); {line[2:]}", place)
            lines.append(f"{line}\n{printed}")
    return f"{found['begin']}{''.join(lines)}{found['end']}"


def _run(language: str, code: str, place: Path) -> tuple[str, int]:
    """What a piece of code prints there, errors included, and its exit code."""
    tools = Path(sys.executable).parent
    program = [sys.executable] if language == "python" else ["bash"]
    done = subprocess.run(
        [*program, "-c", code],
        cwd=place,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "COLUMNS": "120", "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
    )
    return done.stdout, done.returncode


def generated(*, slow: bool = False) -> Iterator[tuple[Path, str]]:
    """Each generated file with the content it should have; those that take long on demand."""
    for name, blocks in (
        ("README.md", {"summary": summary}),
        ("docs/tutorial.md", {"demo": demo}),
        ("docs/figures.md", {"figures": figures}),
    ):
        yield ROOT / name, _with_blocks((ROOT / name).read_text(encoding="utf-8"), blocks)
    yield from guides()
    if slow:
        yield from researchers()
    yield ROOT / "docs" / "checks.md", checks()
    yield ROOT / "docs" / "report.schema.json", json.dumps(json_schema(), indent=1, sort_keys=True) + "\n"


def _with_blocks(text: str, blocks: Mapping[str, Callable[[], str]]) -> str:
    """The text with new content between ``<!-- name -->`` and ``<!-- /name -->``."""
    for name, make in blocks.items():
        block = f"<!-- {name} -->\n{make()}\n<!-- /{name} -->"
        pattern = re.compile(rf"<!-- {name} -->.*?<!-- /{name} -->", re.DOTALL)
        text = pattern.sub(lambda _, block=block: block, text)
    return text


def _fixed(text: str) -> str:
    """The text without probabilities: int8 kernels of different processors round differently."""
    return re.sub(r"\d+ ?%", "%", text)


def main() -> int:
    """Write or check; the exit code."""
    check = "--check" in sys.argv[1:]
    stale = []
    for path, content in generated(slow="--slow" in sys.argv[1:]):
        if not path.exists() or _fixed(path.read_text(encoding="utf-8")) != _fixed(content):
            stale.append(path.relative_to(ROOT))
            if not check:
                path.write_text(content, encoding="utf-8")
    if check and stale:
        sys.stderr.write(f"out of date: {', '.join(map(str, stale))}; run: python docs/generate.py\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
