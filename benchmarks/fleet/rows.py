"""What a part of the benchmark is told, and the rows that it gives: figures in one form, as JSON and as tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

__all__ = [
    "Options",
    "Row",
    "Run",
    "conditions_of",
    "console_table",
    "markdown_table",
    "not_run",
    "of_part",
    "shown",
]


@dataclass(frozen=True, slots=True)
class Options:
    """How large a run is; the same for all parts, each of which reads what concerns it.

    Attributes:
        data: the evaluation data (``VERIFIER_DATA``), ``None`` where there is none.
        scratch: a folder for what is kept from run to run, as vectors are.
        size: passages in the vector stores.
        queries: asked of each store.
        answers: whole answers of which each system verifies every one.
        rows: of a batch.
        requests: to the server.
        passages: the largest knowledge base of the growth.
        claims: the most claims of an answer of the growth.
    """

    data: Path | None
    scratch: Path
    size: int = 100_000
    queries: int = 200
    answers: int = 24
    rows: int = 120
    requests: int = 200
    passages: int = 100_000
    claims: int = 120

    def json(self) -> str:
        """As one line, for another process."""
        return json.dumps({name: _plain(value) for name, value in asdict(self).items()})

    def sizes(self) -> dict[str, int]:
        """How large it is, without the folders of this machine."""
        return {name: value for name, value in asdict(self).items() if isinstance(value, int)}

    @classmethod
    def of(cls, line: str) -> Options:
        """What ``json`` wrote."""
        told = json.loads(line)
        told["data"] = Path(told["data"]) if told["data"] else None
        return cls(**{**told, "scratch": Path(told["scratch"])})


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of one system.

    Attributes:
        what: is measured, the same words for all systems that are compared by it.
        system: that was measured, with its kind of index or settings where there are several.
        figure: what was found; ``None`` where nothing was, and ``not_run`` says why.
        unit: of the figure.
        conditions: what the figure depends on: sizes, model, threads.
        at: the size at which a point of a growth was measured, in the unit that ``what`` names.
        error: the standard error of a figure that was fitted.
        aim: the figure wanted, in words.
        not_run: why there is no figure.
        part: the part of the benchmark; the frame fills it in.
    """

    what: str
    system: str
    figure: float | None
    unit: str
    conditions: str = ""
    at: float | None = None
    error: float | None = None
    aim: str = ""
    not_run: str = ""
    part: str = ""


def not_run(what: str, system: str, why: str) -> Row:
    """A row for what could not be measured here: ``why`` begins with "needs" or names the error."""
    return Row(what, system, None, "", not_run=why)


_FIELDS = frozenset(field.name for field in fields(Row))


@dataclass(frozen=True, slots=True)
class Run:
    """All rows, and what is to be known of the machine and the day of each part.

    Raises:
        ValueError: a file that is read is none of a run.
    """

    about: Mapping[str, Any]
    rows: Sequence[Row]

    def write(self, file: Path) -> None:
        """As JSON, by way of a second file: a run that is cut off leaves the old one whole."""
        file.parent.mkdir(parents=True, exist_ok=True)
        told = {"about": self.about, "rows": [_short(row) for row in self.rows]}
        beside = file.with_name(f"{file.name}.part")
        beside.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        beside.replace(file)

    @classmethod
    def read(cls, file: Path) -> Run:
        """What ``write`` wrote."""
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
            return cls(told["about"], [Row(**row) for row in told["rows"]])
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{file} holds no figures of python -m benchmarks.fleet: {error}") from error


def _short(row: Row) -> dict[str, Any]:
    """A row without what it leaves empty."""
    told = {name: value for name, value in asdict(row).items() if value not in (None, "")}
    return {"figure": None, "unit": "", **told}


def of_part(lines: Iterable[str], part: str) -> Iterator[Row]:
    """The rows that the process of a part has printed, one JSON object a line.

    Raises:
        ValueError: a line is no row.
    """
    for line in lines:
        told = json.loads(line)
        if not isinstance(told, dict) or set(told) - _FIELDS:
            raise ValueError(f"{part} printed what is no row: {line.strip()[:80]}")
        yield Row(**{**told, "part": part})


def shown(row: Row) -> str:
    """A figure with three digits that count, or that there is none.

    >>> [shown(Row("", "", figure, "")) for figure in (0.01234, 3.14159, 271.8, 31415.9)]
    ['0.0123', '3.14', '272', '31,416']
    >>> shown(not_run("a query", "Qdrant", "needs qdrant-client"))
    'not run: needs qdrant-client'
    """
    if row.figure is None:
        return f"not run: {row.not_run}"
    return _digits(row.figure) + ("" if row.error is None else f" ± {_digits(row.error)}")


def _digits(figure: float) -> str:
    if figure == 0 or abs(figure) >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.3g}"


def _named(row: Row) -> str:
    """The system, and the size of a growth's point."""
    return row.system if row.at is None else f"{row.system}, at {_digits(row.at)}"


def _by_what(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of each ``what``, in the order of the first of each."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.what, []).append(row)
    return found


def console_table(run: Run) -> Table:
    """All rows, the parts one below the other; conditions stand below, by number."""
    notes: dict[str, int] = {}
    table = Table("what", "system", "figure", "unit", "aim", "", title=title(run.about))
    table.columns[2].justify = "right"
    for part, rows in groupby(run.rows, key=lambda row: row.part):
        table.add_section()
        table.add_row(f"[bold]{part}[/bold]")
        for what, alike in _by_what(list(rows)).items():
            for number, row in enumerate(alike):
                note = notes.setdefault(row.conditions, len(notes) + 1) if row.conditions else ""
                told = (escape(cell) for cell in (_named(row), shown(row), row.unit, row.aim))
                table.add_row("" if number else escape(what), *told, f"({note})" if note else "")
    table.caption = "\n".join(f"({number}) {escape(conditions)}" for conditions, number in notes.items())
    table.caption_justify = "left"
    return table


def markdown_table(rows: Sequence[Row]) -> str:
    """The rows as a table of Markdown.

    It has a line for each system and a column for each ``what`` where that is mostly full, else a line for each row.
    Points of a growth are left out: the picture has them, and the fitted lines are rows.
    """
    told = [row for row in rows if row.at is None]
    systems, whats = len({row.system for row in told}), len({row.what for row in told})
    full = len(told) > _FULL * systems * whats
    lines = _grid(told) if systems >= whats and full else _listed(told)
    return "\n".join(map(_markdown_line, lines))


_FULL = 0.6
"""Share of the cells of a grid that must have a figure."""


def _grid(rows: Sequence[Row]) -> Iterator[Sequence[str]]:
    by_what = _by_what(rows)
    units = {what: next((row.unit for row in alike if row.unit), "") for what, alike in by_what.items()}
    yield ["", *(f"{what}, {unit}" if unit else what for what, unit in units.items())]
    yield ["---"] * (len(by_what) + 1)
    for system in dict.fromkeys(row.system for row in rows):
        of_system = {row.what: row for row in rows if row.system == system}
        yield [system, *(shown(of_system[what]) if what in of_system else "" for what in by_what)]
    if any(row.aim for row in rows):
        yield ["aim", *(next((row.aim for row in alike if row.aim), "") for alike in by_what.values())]


def _listed(rows: Sequence[Row]) -> Iterator[Sequence[str]]:
    aims = any(row.aim for row in rows)
    yield ["", "", "", *(["aim"] * aims)]
    yield ["---"] * (3 + aims)
    for what, alike in _by_what(rows).items():
        for number, row in enumerate(alike):
            figure = f"{shown(row)} {row.unit}".strip()
            yield ["" if number else what, row.system, figure, *([row.aim] * aims)]


def about_table(run: Run) -> str:
    """When each part was measured, how busy the machine was before it, and under which conditions, as Markdown."""
    lines = [["part", "measured", "load before", "conditions"], ["---"] * 4]
    for part, told in run.about["parts"].items():
        conditions = conditions_of([row for row in run.rows if row.part == part])
        lines.append([part, told["date"], str(told["load_before"]), "; ".join(conditions)])
    lines.append(["machine", run.about["date"], "", f"{run.about['machine']}, {run.about['cores']} cores"])
    return "\n".join(map(_markdown_line, lines))


def _markdown_line(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def conditions_of(rows: Sequence[Row]) -> list[str]:
    """The conditions of the rows, each once, in order."""
    return list(dict.fromkeys(row.conditions for row in rows if row.conditions))


def title(about: Mapping[str, Any]) -> str:
    """The machine in a line."""
    return f"{about.get('date', '')}, {about.get('machine', '')}, {about.get('cores', '?')} cores"
