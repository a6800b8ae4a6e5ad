"""Faults that befall a knowledge base: each must be named with its remedy, and nothing may be lost by it."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.trust.disks import make_read_only, make_room, mount_small, take_all_room
from benchmarks.trust.forks import answer_of, started
from benchmarks.trust.lives import document, opened, uri
from benchmarks.trust.looks import found_wrong, stored
from verifier.core.errors import (
    KnowledgeBaseError,
    KnowledgeBaseFull,
    KnowledgeBaseLocked,
    KnowledgeBaseMismatch,
)
from verifier.knowledge.creation import DATABASE_NAME
from verifier.knowledge.database import Database
from verifier.knowledge.store import GroundTruthStore

__all__ = ["CONDITIONS", "problem_with"]

_FIRST, _LATER = range(40), range(40, 60)
_DISK = 4 << 20
_STATES = (0, 65_536, 1_000_000)
"""Bytes that are left on a disk that is full: none, too few for a change, and too few for an index."""


def problem_with(condition: Callable[[Path, str], None], folder: Path, kind: str) -> str | None:
    """What the condition shows to be wrong, ``None`` where nothing is. It takes place in a process of its own."""
    place = Path(tempfile.mkdtemp(dir=folder))
    try:
        answer_of(lambda: condition(place, kind))
    except RuntimeError as error:
        return str(error).strip().splitlines()[-1]
    return None


def filled(kb: Path, kind: str, numbers: range = _FIRST) -> None:
    """Ingest the documents of these numbers."""
    with opened(kb, kind, create=True) as store:
        store.ingest([document(str(number), 0) for number in numbers])


def fill(kb: Path, kind: str, numbers: range = _FIRST) -> None:
    """The same in a process of its own, as is all that opens a store here: one that has run Chroma must not fork."""
    answer_of(partial(filled, kb, kind, numbers))


def all_found(kb: Path, kind: str, numbers: range = _FIRST, *, more: bool = False) -> None:
    """See that these documents are stored and found, and, unless there may be ``more``, no others."""
    wanted = [str(number) for number in numbers]

    def look() -> list[str]:
        with opened(kb, kind) as store:
            texts = stored(store)
            wrong = [f"{name} is lost" for name in wanted if name not in texts]
            if not more and len(texts) != len(wanted):
                wrong.append(f"{len(texts)} documents are stored, not {len(wanted)}")
            return wrong + found_wrong(store, {name: texts[name] for name in wanted if name in texts})

    wrong = answer_of(look)
    assert not wrong, wrong[0]


def used(kb: Path, kind: str, use: Callable[[GroundTruthStore], object]) -> None:
    """Do something with it."""

    def work() -> None:
        with opened(kb, kind) as store:
            use(store)

    answer_of(work)


def named(
    kb: Path,
    kind: str,
    use: Callable[[GroundTruthStore], object],
    error: type[KnowledgeBaseError],
    words: str,
) -> None:
    """See that a use is refused by that error, whose message has these words (a regular expression)."""

    def said() -> str:
        try:
            with opened(kb, kind, create=True, busy_seconds=0.1) as store:
                use(store)
        except error as raised:
            return str(raised)
        return "nothing"

    message = answer_of(said)
    if not re.search(words, message):
        raise AssertionError(f"expected {error.__name__} to say {words!r}; it says {message!r}")


def full_disk(place: Path, kind: str) -> None:
    """Writing is refused and names the command, reading works, nothing unfinished stays, and room mends it."""
    mounted = mount_small(place, _DISK)
    kb = place / "kb"
    fill(kb, kind)
    for left in _STATES:
        take_all_room(place, mounted=mounted, but=left if mounted else 0)
        expected = KnowledgeBaseFull if mounted else KnowledgeBaseError
        words = rf"verifier kb gc --kb {kb}" if mounted else str(kb)
        named(
            kb,
            kind,
            lambda store: store.ingest(document(str(n), 1) for n in range(100, 3000)),
            expected,
            words,
        )
        all_found(kb, kind, more=True)
        assert not list(kb.rglob(".unfinished-*")), "an unfinished index stays"
        make_room(place, mounted=mounted)
        used(kb, kind, lambda store: store.prune(["/"], [uri(str(number)) for number in _FIRST]))
        used(kb, kind, lambda store: store.gc())
        all_found(kb, kind)


def read_only_folder(place: Path, kind: str) -> None:
    """It is read as it is; writing is refused."""
    mounted = mount_small(place, _DISK)
    kb = place / "kb"
    fill(kb, kind)
    if not mounted:
        place.chmod(0o755)
    make_read_only(place, mounted=mounted)
    all_found(kb, kind)
    named(kb, kind, lambda store: store.delete("1"), KnowledgeBaseError, r"read-only; .*copy of it.*--kb")


def clock_going_back(place: Path, kind: str) -> None:
    """Nothing depends on what time it is: files of the future, and a clock that stands in 1970."""
    kb = place / "kb"
    fill(kb, kind)
    tomorrow = time.time() + 86_400
    for path in (*kb.rglob("*"), kb):
        os.utime(path, (tomorrow, tomorrow))
    time.time, time.time_ns = lambda: 1.0, lambda: 10**9
    fill(kb, kind, _LATER)
    all_found(kb, kind, range(_LATER.stop))
    used(kb, kind, lambda store: (store.reindex(), store.gc()))
    all_found(kb, kind, range(_LATER.stop))


def two_writers(place: Path, kind: str) -> None:
    """The second one is told of the first, and nothing of either is lost."""
    kb = place / "kb"
    fill(kb, kind)
    with Database(kb).exclusive():
        answer_of(
            lambda: named(
                kb,
                kind,
                lambda s: s.delete("1"),
                KnowledgeBaseLocked,
                "another process is writing.*try again",
            )
        )
        all_found(kb, kind)
    writers = [started(lambda _, part=part: filled(kb, kind, part)) for part in (_LATER, range(60, 80))]
    assert [writer.told() for writer in writers] == [[], []]
    all_found(kb, kind, range(80))


def corrupt_index(place: Path, kind: str) -> None:
    """A changed byte in any file of an index is named with the command that rebuilds, which mends it."""
    kb = place / "kb"
    fill(kb, kind)
    data = next(kb.glob("index/*/*/data"))
    for path in sorted(path for path in data.rglob("*") if path.is_file() and path.stat().st_size):
        content = path.read_bytes()
        changed = bytearray(content)
        changed[len(changed) // 2] ^= 0x11
        path.write_bytes(changed)
        named(
            kb, kind, lambda s: s.retrieve(["item"]), KnowledgeBaseMismatch, rf"verifier kb reindex --kb {kb}"
        )
        path.write_bytes(content)
    path.write_bytes(changed)
    used(kb, kind, lambda store: store.reindex())
    all_found(kb, kind)


def truncated_database(place: Path, kind: str) -> None:
    """A database that lacks its end is named with what to do, and never begun anew."""
    kb = place / "kb"
    fill(kb, kind)
    path = kb / DATABASE_NAME
    whole = path.read_bytes()
    for left in (0, 1, 511, len(whole) // 3, len(whole) - 1):
        path.write_bytes(whole[:left])
        named(
            kb,
            kind,
            lambda s: s.ingest([document("1", 1)]),
            KnowledgeBaseError,
            "damaged.*verifier ingest PATH --kb",
        )
        assert path.read_bytes() == whole[:left], "it was written to"
    path.write_bytes(whole)
    all_found(kb, kind)


def problems_in_stats(kb: Path, kind: str) -> list[str]:
    """What ``kb stats`` says of each index."""
    with opened(kb, kind) as store:
        return [entry["problem"] or "" for entry in store.stats()["indexes"]]


def restored_database(place: Path, kind: str) -> None:
    """The index of a later state is named with the command that rebuilds, and hides nothing that comes after."""
    kb = place / "kb"
    fill(kb, kind)
    shutil.copy(kb / DATABASE_NAME, place / "copy")
    fill(kb, kind, _LATER)
    shutil.copy(place / "copy", kb / DATABASE_NAME)
    problems = answer_of(partial(problems_in_stats, kb, kind))
    assert any(f"verifier kb reindex --kb {kb}" in problem for problem in problems), f"stats say {problems}"
    fill(kb, kind, range(40, 50))
    all_found(kb, kind, range(50))


CONDITIONS: dict[str, Callable[[Path, str], None]] = {
    "full disk": full_disk,
    "read-only folder": read_only_folder,
    "clock going back": clock_going_back,
    "two writers": two_writers,
    "corrupt index": corrupt_index,
    "truncated database": truncated_database,
    "restored database": restored_database,
}
"""Each takes an empty folder and a kind of backend, and raises where something is not as its docstring says."""
