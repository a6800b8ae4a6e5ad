"""What models have read of texts is kept beside a knowledge base, and never needed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from verifier.config import load
from verifier.core.errors import ConfigError
from verifier.core.kept import code_stamp, keeping, kept
from verifier.core.onnx import side_by_side
from verifier.factory import build_scorer, open_store
from verifier.knowledge.readings import READINGS_NAME, ReadingsFile
from verifier.types import Document
from verifier.verification.evidence import windows
from verifier.verification.evidence.ahead import read_ahead
from verifier.verification.statements import build, factuality
from verifier.verification.statements.types import Factuality, FramedSentence

ONE, TWO = b"1" * 16, b"2" * 16


def test_what_is_kept_is_found_by_another_process(tmp_path: Path) -> None:
    first = ReadingsFile(tmp_path)
    first.put({ONE: b"a"})
    assert first.get([ONE, TWO]) == {ONE: b"a"}
    assert ReadingsFile(tmp_path).get([ONE]) == {}, "before flush"
    first.flush()
    assert ReadingsFile(tmp_path).get([ONE, TWO]) == {ONE: b"a"}
    assert first.size() > 0


def test_many_keys_are_found_at_once(tmp_path: Path) -> None:
    values = {n.to_bytes(16): bytes([n % 7]) for n in range(2500)}
    file = ReadingsFile(tmp_path)
    file.put(values)
    file.flush()
    assert ReadingsFile(tmp_path).get(list(values)) == values


def test_the_oldest_go_when_it_is_full(tmp_path: Path) -> None:
    file = ReadingsFile(tmp_path, most_bytes=40_000)
    for start in range(0, 4000, 400):
        file.put({n.to_bytes(16): b"v" for n in range(start, start + 400)})
        file.flush()
    again = ReadingsFile(tmp_path, most_bytes=40_000)
    assert again.get([(0).to_bytes(16)]) == {}
    assert again.get([(3999).to_bytes(16)]) == {(3999).to_bytes(16): b"v"}
    file.close()
    again.close()
    assert again.size() < 80_000, "freed pages are used again"


def test_a_damaged_file_is_out_of_use_until_it_is_removed(tmp_path: Path) -> None:
    (tmp_path / READINGS_NAME).write_bytes(b"no database at all" * 100)
    file = ReadingsFile(tmp_path)
    file.put({ONE: b"a"})
    file.flush()
    assert file.get([ONE]) == {}
    assert (tmp_path / READINGS_NAME).read_bytes().startswith(b"no database")
    file.remove()
    file.put({ONE: b"a"})
    file.flush()
    assert ReadingsFile(tmp_path).get([ONE]) == {ONE: b"a"}


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / READINGS_NAME) as other:
        other.execute("CREATE TABLE mine (a)")
    other.close()
    before = (tmp_path / READINGS_NAME).read_bytes()
    file = ReadingsFile(tmp_path)
    file.put({ONE: b"a"})
    file.flush()
    assert (tmp_path / READINGS_NAME).read_bytes() == before


def test_a_read_only_one_writes_nothing(tmp_path: Path) -> None:
    file = ReadingsFile(tmp_path, read_only=True)
    file.put({ONE: b"a"})
    file.flush()
    assert file.get([ONE]) == {}
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_reads_it_unless_it_is_shared(tmp_path: Path) -> None:
    for shared, mode in ((False, 0o600), (True, 0o644)):
        folder = tmp_path / str(shared)
        folder.mkdir()
        before = os.umask(0o022)
        try:
            ReadingsFile(folder, shared=shared).get([ONE])
        finally:
            os.umask(before)
        assert (folder / READINGS_NAME).stat().st_mode & 0o777 == mode


class Kept:
    """Readings in memory."""

    def __init__(self) -> None:
        self.values: dict[bytes, bytes] = {}
        self.flushed = 0

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        return {key: self.values[key] for key in keys if key in self.values}

    def put(self, found: Mapping[bytes, bytes]) -> None:
        self.values |= found

    def flush(self) -> None:
        self.flushed += 1


def test_threads_of_a_block_find_what_it_keeps() -> None:
    readings = Kept()
    with keeping(readings):
        assert side_by_side(lambda _: kept() is readings, range(4), [1] * 4, 2) == [True] * 4
    assert kept() is None
    assert readings.flushed == 1


def test_other_code_has_another_stamp(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, text in ((one, "a = 1"), (two, "a = 12")):
        folder.mkdir()
        (folder / "rule.py").write_text(text)
    assert code_stamp(one) != code_stamp(two)


SENTENCES = [
    FramedSentence("The harbour was dredged in 2011.", after=("The weir will be widened next year.",)),
    FramedSentence("The weir will be widened next year.", before=("The harbour was dredged in 2011.",)),
]


def test_a_sentence_that_was_read_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_model() -> object:
        raise ConfigError("the model is not to be asked")

    readings = Kept()
    with keeping(readings):
        forget(monkeypatch)
        told = factuality.factuality_of(SENTENCES)
        assert told == [Factuality.ASSERTED, Factuality.PLANNED]
        forget(monkeypatch)
        monkeypatch.setattr(factuality, "_opened", no_model)
        assert factuality.factuality_of(SENTENCES) == told
        with pytest.raises(ConfigError):
            factuality.factuality_of([FramedSentence("The harbour was dredged in 2012.")])


def test_a_kept_value_that_no_release_writes_counts_as_none() -> None:
    readings = Kept()
    with keeping(readings):
        told = factuality.factuality_of(SENTENCES)
        readings.values = dict.fromkeys(map(factuality._key_of, SENTENCES), b"\xff")
        assert factuality.factuality_of(SENTENCES) == told


def test_a_check_keeps_what_it_reads_and_gc_removes_it(tmp_path: Path) -> None:
    settings = load(overrides={"kb.path": str(tmp_path)}).settings
    with open_store(settings, create=True) as store:
        text = "The ferry from Aldermere sails twice a day. It carries no cars."
        store.ingest([Document(source="ferry.md", uri="ferry.md", text=text)])
        build_scorer(settings, store).verify("The ferry from Aldermere carries no cars.")
        assert store.readings is not None
        kept_rows = sqlite3.connect(tmp_path / READINGS_NAME)
        assert kept_rows.execute("SELECT COUNT(*) FROM readings").fetchone()[0] >= 2
        kept_rows.close()
        assert store.gc().freed_bytes > 0
        assert not (tmp_path / READINGS_NAME).exists()


def test_what_is_read_ahead_is_not_read_by_the_first_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load(overrides={"kb.path": str(tmp_path)}).settings
    text = "The ferry from Aldermere sails twice a day. It carries no cars.\n\n# Winter\n\nIt rests in May."
    claim = "The ferry from Aldermere carries no cars."
    with open_store(settings, create=True) as store:
        store.ingest([Document(source=name, uri=name, text=f"{name}. {text}") for name in ("a.md", "b.md")])
        assert read_ahead(store, "default") == store.passage_count()
    forget(monkeypatch)
    asked: list[FramedSentence] = []
    of_sentence = factuality._of_sentence
    monkeypatch.setattr(
        factuality, "_of_sentence", lambda framed: asked.append(framed) or of_sentence(framed)
    )
    with open_store(settings) as store:
        build_scorer(settings, store).verify(claim)
    assert [one for one in asked if one.above or one.before or one.after] == []


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this process know no more than a new one."""
    for remembered in (factuality._TOLD, windows._TAKEN_APART):
        monkeypatch.setattr(remembered, "_kept", type(remembered._kept)())
    build.statements_of.cache_clear()
