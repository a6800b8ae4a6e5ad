"""The post box: each request once whoever leaves it, what the job may take, and outcomes as they were put in."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from verifier.core.chat.types import ChatReply, ChatRequest, TokenChances
from verifier.core.chat.usage import Prices
from verifier.core.errors import ConfigError, LLMCut, LLMError, LLMRefused, LLMRejected, LLMUnavailable
from verifier.readers.postbox import Left, PostBox, Reserved

FREE = Reserved(100, 0.0, (None, None, None))
REQUEST = ChatRequest("rules", "CODE x\ntext", max_tokens=10, schema={"type": "object"})


@pytest.fixture
def box(tmp_path: Path) -> Iterator[PostBox]:
    made = PostBox(tmp_path / "box", Prices(1.0, 1.0))
    yield made
    made.close()


def test_a_request_is_left_once_by_whoever_asks(box: PostBox, tmp_path: Path) -> None:
    others = [PostBox(tmp_path / "box") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda other: [other.ask(f"k{n}", REQUEST, FREE) for n in range(25)], others))
    assert box.counts() == (25, 25)
    assert [key for key, _ in box.first_unsent(3)] == ["k0", "k1", "k2"]
    assert box.first_unsent(1)[0][1] == REQUEST


def test_several_together_never_go_beyond_a_bound(box: PostBox, tmp_path: Path) -> None:
    others = [PostBox(tmp_path / "box") for _ in range(4)]
    most = Reserved(100, 0.0, (None, 1000, None))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: others[n % 4].ask(f"k{n}", REQUEST, most), range(40)))
    assert box.counts() == (10, 10)


def test_room_that_others_may_leave_is_waited_for_and_room_that_never_comes_is_not(box: PostBox) -> None:
    most = Reserved(100, 1.0, (3, 150, None))
    assert box.ask("a", REQUEST, most) == Left(waits=True)
    assert box.ask("b", REQUEST, most) == Left(waits=True, passed=1)
    box.settle([("a", ChatReply("", "m", 20, 10))])
    assert box.ask("b", REQUEST, most) == Left(waits=True)
    box.settle([("b", ChatReply("", "m", 60, 30))])
    assert box.ask("c", REQUEST, most) == Left(waits=False, passed=1)
    assert box.ask("c", REQUEST, Reserved(1, 1.0, (2, 150, None))) == Left(waits=False, passed=0)
    assert isinstance(box.ask("a", REQUEST, most), ChatReply)


def test_replies_count_at_their_own_price(box: PostBox) -> None:
    most = Reserved(100, 0.5, (None, None, 0.6))
    box.ask("a", REQUEST, most)
    assert box.ask("b", REQUEST, most) == Left(waits=True, passed=2)
    box.settle([("a", ChatReply("", "m", 50_000, 50_000))])
    assert box.ask("b", REQUEST, most) == Left(waits=True)


@pytest.mark.parametrize(
    "outcome",
    [
        ChatReply("said", "m", 3, None, tokens_said=(TokenChances("a", {"a": -0.5}),)),
        LLMUnavailable("away"),
        LLMRejected("no", refuses={"length"}),
        LLMRefused("declined", input_tokens=3, output_tokens=1),
        LLMCut("cut", input_tokens=3, output_tokens=9),
    ],
    ids=lambda outcome: type(outcome).__name__,
)
def test_an_outcome_comes_back_as_it_was_and_the_first_one_counts(
    box: PostBox, outcome: ChatReply | LLMError
) -> None:
    box.ask("a", REQUEST, FREE)
    assert box.settle([("a", outcome), ("a", LLMRejected("another")), ("nobody's", outcome)]) == 1
    found = box.ask("a", REQUEST, FREE)
    assert type(found) is type(outcome)
    if isinstance(outcome, ChatReply):
        assert found == outcome
    else:
        assert (str(found), vars(found)) == (str(outcome), vars(outcome))


def test_a_batch_that_was_not_taken_leaves_its_requests_unsent(box: PostBox) -> None:
    for n in range(5):
        box.ask(f"k{n}", REQUEST, FREE)
    batch = box.pack(3, 10**6)
    assert batch is not None
    assert box.keys_of(batch) == ["k0", "k1", "k2"]
    assert box.unsent()[0] == 2
    box.put_back(batch)
    assert box.unsent()[0] == 5
    assert box.batches() == []
    small = box.pack(3, 1)
    assert small is not None
    assert small.requests == 1  # one at least, however large


def test_a_box_that_was_given_up_takes_nothing_more(box: PostBox) -> None:
    box.ask("a", REQUEST, FREE)
    box.give_up("cancelled")
    assert str(box.ask("a", REQUEST, FREE)) == str(box.ask("b", REQUEST, FREE)) == "cancelled"
    assert box.counts() == (1, 0)


def test_a_file_that_is_no_box_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database" * 100)
    with pytest.raises(ConfigError, match=r"cannot use .*text, which keeps the requests of the run"):
        PostBox(tmp_path / "text")
