"""Files read by several processes: the same documents, in order, within bounds, whatever becomes of a process."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.drawn_pdf import Drawn, draw
from tests.support.processes import gone
from verifier.core.errors import ConfigError, IngestError, VerifierError
from verifier.interfaces.parsing.documents import documents_of
from verifier.interfaces.parsing.messages import READY, file_line, file_of, items_of, lines_of, note_line
from verifier.interfaces.parsing.pool import FileReaders
from verifier.interfaces.parsing.share import readers_for
from verifier.interfaces.parsing.waiting import Reading, Waiting
from verifier.interfaces.parsing.worker import cut, read
from verifier.interfaces.processes import LineProcess, environment_with, module_command
from verifier.knowledge.chunk import chunk
from verifier.knowledge.cutting import CutDocument
from verifier.knowledge.ingest import READERS, ReadOptions, SourceFile, discover
from verifier.knowledge.records import FailedSource, content_hash
from verifier.types import Document, Page, Passage

DEMO = Path(__file__).parents[2] / "corpora/demo/kb"
CHUNKING = {"max_chars": 300}
DYING = [sys.executable, "-P", "-m", "tests.support.file_reader"]
KILLED = "the process that read it was ended by SIGKILL, as the system does where memory runs out"


def hostile(folder: Path) -> Path:
    """A folder of files of which some, or some rows, cannot be read."""
    folder.mkdir()
    (folder / "blank.md").write_text(" \n")
    (folder / "broken.pdf").write_bytes((DEMO / "recall-notice.pdf").read_bytes()[:900])
    (folder / "halves.jsonl").write_text('{"text": "\\ud800 alone"}\n{"text": "Whole."}\n{"text": 7')
    (folder / "left.csv").write_text("id,text\n1,One\n2,Two,too many\n3,Three\n")
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    (folder / "picture.svg").write_text("<svg/>")
    draw(folder / "pages.pdf", [Drawn("Words of a page.", 50, 700)], [])
    return folder


def read_here(files: Sequence[SourceFile]) -> tuple[list[tuple], list[str]]:
    """What this process reads: documents with their passages, failures, and what people are told."""
    notes: list[str] = []
    items = [
        (one,) if isinstance(one, FailedSource) else (one, list(chunk(one, **CHUNKING)))
        for one in documents_of(files, ReadOptions(), notes.append)
    ]
    return items, notes


def read_there(
    files: Sequence[SourceFile], processes: int = 2, **options: object
) -> tuple[list[tuple], list[str]]:
    """What other processes read."""
    notes: list[str] = []
    with FileReaders(files, ReadOptions(), CHUNKING, processes=processes, **options) as readers:
        items = [
            (one,) if isinstance(one, FailedSource) else (one.document, list(one.cut_by(pytest.fail)))
            for one in readers.documents(notes.append)
        ]
    return items, notes


@pytest.mark.parametrize("processes", [1, 3])
def test_several_processes_read_what_one_reads_and_say_the_same(tmp_path: Path, processes: int) -> None:
    files = list(discover([DEMO, hostile(tmp_path / "hostile")]))
    items, notes = read_there(files, processes)
    expected, told = read_here(files)
    assert items == expected
    assert notes == told
    assert [note for note in notes if note.startswith("warning: pages.pdf: no text on page 2")]


def test_options_are_those_that_were_given(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("key,words,more\nx,Wörter,1\n", encoding="cp1252")
    options = ReadOptions(
        encoding="cp1252", text_columns=("words",), id_column="key", metadata_columns=("more",)
    )
    with FileReaders(list(discover([tmp_path])), options, CHUNKING, processes=1) as readers:
        [one] = readers.documents(pytest.fail)
    assert isinstance(one, CutDocument)
    assert (one.document.text, one.document.source) == ("Wörter", "a.csv#x")
    assert one.document.metadata["more"] == "1"


def test_what_is_known_is_read_but_not_cut_again(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Known.")
    (tmp_path / "b.md").write_text("Changed.")
    files = list(discover([tmp_path]))
    [[first], _] = [list(documents_of([file], ReadOptions(), pytest.fail)) for file in files]
    assert isinstance(first, Document)
    known = content_hash(first)
    with FileReaders(files, ReadOptions(), CHUNKING, processes=1, known=lambda _: known) as readers:
        one, other = (item for item in readers.documents(pytest.fail) if isinstance(item, CutDocument))
    assert one == CutDocument(first, None)
    assert one.cut_by(chunk) == chunk(first)
    assert [passage.text for passage in other.passages or ()] == ["Changed."]


def test_a_process_that_dies_fails_its_file_alone(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("First.")
    (tmp_path / "b dies.md").write_text("Never.")
    (tmp_path / "c dies later.csv").write_text("text\nRead before.\nNever.\n")
    (tmp_path / "d.md").write_text("Last.")
    items, _ = read_there(list(discover([tmp_path])), 1, command=DYING)
    told = [one[0].reason if isinstance(one[0], FailedSource) else one[0].text for one in items]
    assert told == ["First.", KILLED, "Read before.", KILLED, "Last."]
    failed = [one[0].source for one in items if isinstance(one[0], FailedSource)]
    assert failed == ["b dies.md", "c dies later.csv"]


def test_what_no_other_file_would_fare_better_with_stops_the_run_in_its_turn(tmp_path: Path) -> None:
    for name in ("a.md", "b stops.md", "c.md"):
        (tmp_path / name).write_text("Text.")
    with FileReaders(
        list(discover([tmp_path])), ReadOptions(), CHUNKING, processes=2, command=DYING
    ) as readers:
        documents = readers.documents(pytest.fail)
        assert isinstance(next(documents), CutDocument)
        with pytest.raises(ConfigError, match="nothing goes"):
            next(documents)


def test_processes_that_cannot_start_are_one_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.")
    with pytest.raises(
        VerifierError, match="no process that reads files can be started: it ended with exit code 3"
    ):
        read_there(list(discover([tmp_path])), 2, command=[*DYING, "broken"])


def test_whoever_stops_taking_documents_leaves_no_process(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number}.md").write_text("Text.")
    with FileReaders(list(discover([tmp_path])), ReadOptions(), CHUNKING, processes=2) as readers:
        next(readers.documents(pytest.fail))
        started = [process.pid for process in readers._alive]
        threads = readers._threads
    assert started
    assert all(map(gone, started))
    assert not any(map(Thread.is_alive, threads))


def test_a_process_whose_lines_nobody_reads_any_more_ends_in_silence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text("text\n" + "A row of a long table.\n" * 50_000)
    process = LineProcess(module_command("verifier.interfaces.parsing.worker"), environment_with(1))
    process.tell(json.dumps({"options": {}, "chunking": {}}))
    assert process.hear() == READY
    process.tell(file_line(next(discover([tmp_path]))))
    assert "A row" in process.hear()
    process.end()
    assert gone(process.pid)
    assert capfd.readouterr().err == ""


def test_progress_counts_files_that_are_done_with(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.md").write_text("Text.")
    seen: list[object] = []
    with FileReaders(list(discover([tmp_path])), ReadOptions(), CHUNKING, processes=2) as readers:
        seen.extend("document" for _ in readers.documents(pytest.fail, lambda *told: seen.append(told)))
    steps = [("files read", done, 2) for done in range(3)]
    assert seen == [steps[0], "document", steps[1], "document", steps[2]]


# Messages

text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(
    text,
    text,
    st.dictionaries(text, st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | text),
)
def test_a_document_is_told_to_the_character(body: str, title: str, metadata: dict) -> None:
    document = Document("s", "/s", body, "text/markdown", title, (Page(1, 0, len(body)),), metadata)
    passage = Passage(body, 0, len(body), page=1, headings=(title, body), context=title)
    told = CutDocument(document, [passage])
    assert list(items_of(lines_of(told), pytest.fail)) == [told]


def test_a_long_document_comes_in_parts_none_of_them_long() -> None:
    body = "".join(f"Sentence number {n} of many. " for n in range(60_000))
    document = Document("s", "/s", body)
    told = CutDocument(document, chunk(document))
    lines = list(lines_of(told))
    assert len(lines) > 3
    assert max(map(len, lines)) < 700_000
    assert list(items_of(lines, pytest.fail)) == [told]


def test_a_document_without_text_and_why_one_cannot_be_cut_are_told() -> None:
    told = [CutDocument(Document("s", "/s", ""), []), CutDocument(Document("t", "/t", "x"), [], "no cut")]
    assert list(items_of((line for one in told for line in lines_of(one)), pytest.fail)) == told
    with pytest.raises(IngestError, match="no cut"):
        told[1].cut_by(pytest.fail)


def test_a_file_is_named_whatever_its_name() -> None:
    file = SourceFile(Path("/folder/\udce9\udc80 é.md"), "é.md", "markdown")
    assert file_of(file_line(file, "ab")) == (file, "ab")


def test_notes_come_in_their_turn() -> None:
    failed = FailedSource("s", "/s", "why")
    said: list[object] = []
    said.extend(items_of([note_line("first"), *lines_of(failed), note_line("last")], said.append))
    assert said == ["first", failed, "last"]


def test_a_file_that_needs_more_memory_than_there_is_has_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object) -> Iterator[Document]:
        raise MemoryError

    monkeypatch.setitem(READERS, "markdown", exhausted)  # type: ignore[arg-type]
    file = SourceFile(tmp_path / "a.md", "a.md", "markdown")
    file.path.write_text("Text.")
    [failed] = items_of(read(file, ReadOptions(), CHUNKING), pytest.fail)
    assert failed == FailedSource("a.md", file.uri, "there was not enough memory to read it")


def test_a_document_that_cannot_be_cut_keeps_the_reason() -> None:
    told = cut(Document("s", "/s", "x"), {"max_chars": "many"})
    assert isinstance(told, CutDocument)
    assert told.uncut == "cannot be cut into passages (TypeError)"


def test_lone_surrogates_are_refused_as_the_store_does_it() -> None:
    pair = Document("s", "/s", "\ud83d\ude00")
    assert cut(pair, {}) == FailedSource("s", "/s", "the text holds a lone surrogate at character 0")


# What waits


def putting(waiting: Waiting, reading: Reading, lines: int) -> tuple[Thread, Iterator[int]]:
    """A thread that puts so many lines of ten characters, and counts them."""
    done = count()

    def work() -> None:
        for _ in range(lines):
            waiting.put(reading, "x" * 10)
            next(done)
        waiting.end(reading)

    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread, done


def files(number: int) -> list[SourceFile]:
    return [SourceFile(Path(f"/{n}.md"), f"{n}.md", "markdown") for n in range(number)]


def settled(waiting: Waiting) -> int:
    """What it holds when nothing is put any more."""
    before, held = -1, waiting.held
    while held != before:
        time.sleep(0.1)
        before, held = held, waiting.held
    return held


def test_who_reads_ahead_waits_for_room_and_the_next_file_goes_through() -> None:
    waiting = Waiting(files(3), characters=1_000)
    first, second = waiting.begin(), waiting.begin()
    assert first is not None
    assert second is not None
    threads = [putting(waiting, second, 200)[0]]
    assert settled(waiting) == 990  # nine lines, with what each takes beside its characters
    threads.append(putting(waiting, first, 300)[0])
    taken = waiting.lines()
    assert len(list(next(taken))) == 300
    assert len(list(next(taken))) == 200
    assert waiting.begin() is not None
    for thread in threads:
        thread.join()
    assert waiting.held == 0


def test_a_line_longer_than_all_the_room_goes_through_in_its_turn() -> None:
    waiting = Waiting(files(1), characters=100)
    reading = waiting.begin()
    assert reading is not None
    waiting.put(reading, "x" * 10_000)
    waiting.end(reading)
    assert [len(line) for line in next(waiting.lines())] == [10_000]


def test_no_more_files_are_begun_than_fit() -> None:
    waiting = Waiting(files(2_000))
    begun = Event()

    def begin() -> None:
        while (reading := waiting.begin()) is not None:
            waiting.end(reading)
        begun.set()

    thread = Thread(target=begin, daemon=True)
    thread.start()
    assert not begun.wait(0.2)
    assert sum(1 for lines in waiting.lines() if not list(lines)) == 2_000
    assert begun.wait(60)


def test_who_waits_for_room_is_let_go_when_nothing_is_taken_any_more() -> None:
    waiting = Waiting(files(2), characters=100)
    first, second = waiting.begin(), waiting.begin()
    assert first is not None
    assert second is not None
    thread, _ = putting(waiting, second, 5)
    waiting.stop(IngestError("enough"))
    thread.join(60)
    assert not thread.is_alive()
    with pytest.raises(IngestError, match="enough"):
        next(waiting.lines())


# How many


def test_little_to_read_starts_no_process_and_much_one_for_each_other_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.interfaces.parsing.share.threads_each", lambda _: 4)
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(3_999_999)
    assert readers_for(discover([tmp_path])) == 0
    with (tmp_path / "b.md").open("wb") as file:
        file.truncate(4_000_001)
    assert readers_for(discover([tmp_path])) == 2
    assert readers_for([*discover([tmp_path])] * 10) == 3
    assert readers_for(discover([tmp_path]), 1) == 0
    assert readers_for(discover([tmp_path]), 6) == 5
    monkeypatch.setattr("verifier.interfaces.parsing.share.threads_each", lambda _: 1)
    assert readers_for(discover([tmp_path])) == 0
