"""The kernel, with scores that stand in the test: when it halts, what it gives out, and what it survives."""

from __future__ import annotations

import asyncio
import gc
import queue
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from verifier.core.errors import ConfigError
from verifier.guard.streaming import HaltKind, Scored, Segment, StreamingKernel, StreamSession
from verifier.guard.streaming.calls import MOST_HUNG

GOOD = ["One is fine. ", "Two is fine. ", "Three is fine. "]
BAD = ["One is fine. ", "Two is bad. ", "Three is fine. "]


def fine(segment: Segment) -> float:
    """Low for what says that it is bad."""
    return 0.1 if "bad" in segment.text else 0.9


def scripted(values: Iterable[float | None]) -> Any:
    """The next of ``values`` for each segment."""
    left = iter(values)
    return lambda segment: next(left)


def words(text: str) -> list[str]:
    return [word + " " for word in text.split()]


async def asynchronously(tokens: Iterable[str]) -> AsyncIterator[str]:
    for token in tokens:
        await asyncio.sleep(0)
        yield token


def sentences(count: int) -> list[str]:
    return [f"Sentence number {n} is here. " for n in range(count)]


# -- the rules ------------------------------------------------------------------------------------------


def test_a_good_stream_passes_to_the_character_and_says_so() -> None:
    session = StreamSession()
    kernel = StreamingKernel(fine)
    assert list(kernel.stream(GOOD, session)) == GOOD
    assert (session.halted, session.finished, session.halt_index, session.halt_reason) == (
        False,
        True,
        None,
        None,
    )
    assert session.output == session.safe_prefix == session.text == "".join(GOOD)
    assert [event.value for event in session.events] == [0.9, 0.9, 0.9]


def test_a_score_below_the_hard_limit_halts_with_index_reason_and_safe_prefix() -> None:
    tokens = words("".join(BAD))
    session = StreamingKernel(fine).run(tokens)
    assert session.halt is not None
    assert session.halt.kind is HaltKind.HARD_LIMIT
    assert session.halt.segment.text == "Two is bad. "
    assert session.halt_reason == "score 0.10 is below 0.5"
    assert session.safe_prefix == "One is fine. "
    assert session.halt_index == len(session.tokens) - 1
    assert session.output == "".join(tokens[: session.halt_index])
    assert not session.finished


def test_the_limit_itself_passes() -> None:
    assert not StreamingKernel(lambda _: 0.5, window_threshold=0.5).run(sentences(30)).halted


def test_the_window_mean_halts_where_no_single_score_does() -> None:
    session = StreamingKernel(lambda _: 0.54).run(sentences(30))
    assert session.halt is not None
    assert session.halt.kind is HaltKind.WINDOW_MEAN
    assert len(session.events) == 10
    assert session.halt.reason == "mean 0.54 of the last 10 scores is below 0.55"


@pytest.mark.parametrize(("fall", "halts"), [(0.0751, True), (0.0749, False)])
def test_the_trend_halts_when_the_fitted_fall_over_its_window_is_more_than_the_threshold(
    fall: float, halts: bool
) -> None:
    values = [0.95 - fall * step for step in range(5)]
    kernel = StreamingKernel(scripted([*values, *[0.9] * 20]), trend_threshold=0.3)
    session = kernel.run(sentences(5))
    assert session.halted is halts
    if session.halt:
        assert session.halt.kind is HaltKind.TREND
        assert session.events[-1].slope == pytest.approx(-fall)


def test_nothing_to_check_enters_no_window() -> None:
    values = [0.54 if n % 2 else None for n in range(18)]
    session = StreamingKernel(scripted(values)).run(sentences(18))
    assert not session.halted
    assert session.events[-1].mean is None


def test_scores_can_be_due_by_tokens() -> None:
    seen: list[Segment] = []

    def score(segment: Segment) -> float:
        seen.append(segment)
        return 0.9

    StreamingKernel(score, every=3).run(words("a b c d e f g"))
    assert [segment.text for segment in seen] == ["a b c ", "d e f ", "g "]
    assert [segment.token for segment in seen] == [2, 5, 6]
    assert [segment.context for segment in seen] == ["", "a b c ", "a b c d e f "]


def test_the_context_of_a_score_is_bounded() -> None:
    seen: list[int] = []

    def score(segment: Segment) -> float:
        seen.append(len(segment.context))
        return 0.9

    StreamingKernel(score, context_chars=50).run(sentences(40))
    assert max(seen) == 50


# -- soft halts -----------------------------------------------------------------------------------------


def test_without_context_a_score_is_given_none() -> None:
    seen: list[str] = []
    StreamingKernel(lambda segment: seen.append(segment.context) or 0.9, context_chars=0).run(sentences(40))
    assert seen == [""] * 40


def test_a_soft_halt_finishes_the_sentence_that_has_begun() -> None:
    values = [0.54] * 11
    tokens = [token for sentence in sentences(14) for token in words(sentence)]
    session = StreamSession()
    list(StreamingKernel(scripted(values), halt_mode="soft").stream(tokens, session))
    assert session.halt is not None
    assert session.output == "".join(sentences(11))
    assert session.safe_prefix == "".join(sentences(9))
    assert session.halt_index is not None
    assert session.halt_index < len(session.tokens) - 1


def test_a_soft_halt_within_one_token_lets_out_the_next_sentence_and_no_more() -> None:
    kernel = StreamingKernel(lambda _: 0.54, window_size=2, trend_threshold=1.0, halt_mode="soft")
    told = sentences(12)
    session = StreamSession()
    assert "".join(kernel.release(["".join(told)], session)) == "".join(told[:3])
    assert session.halt is not None
    assert session.halt.kind is HaltKind.WINDOW_MEAN


def test_a_soft_halt_is_cut_at_its_cap() -> None:
    tokens = [*sentences(10), "And so", *[" and", " so"] * 100]
    session = StreamingKernel(scripted([0.54] * 99), halt_mode="soft").run(tokens)
    assert session.halt_index is not None
    assert len(session.tokens) - 1 - session.halt_index == 50


def test_the_hard_limit_cuts_a_soft_halt_at_once() -> None:
    tokens = [token for sentence in sentences(14) for token in words(sentence)]
    session = StreamSession()
    out = list(StreamingKernel(scripted([*[0.54] * 10, 0.1]), halt_mode="soft").stream(tokens, session))
    assert "".join(out) == "".join(sentences(11)).removesuffix("here. ")
    assert (
        session.halt_reason == "mean 0.54 of the last 10 scores is below 0.55; then score 0.10 is below 0.5"
    )


def test_a_soft_halt_by_tokens_ends_with_the_sentence_too() -> None:
    tokens = words("The fee is five euros for all who come. Then more follows here.")
    kernel = StreamingKernel(
        scripted([0.54] * 40), every=1, halt_mode="soft", window_size=3, trend_threshold=1.0
    )
    session = StreamSession()
    assert "".join(kernel.stream(tokens, session)) == "The fee is five euros for all who come. "
    assert session.halt_index == 2


# -- a callback that fails ------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [float("nan"), 2.0, "fine", True])
def test_a_score_that_is_none_halts(given: Any) -> None:
    session = StreamingKernel(lambda _: given).run(GOOD)
    assert session.halt is not None
    assert session.halt.kind is HaltKind.ERROR
    assert "expected a number from 0 to 1" in session.halt.reason
    assert session.safe_prefix == ""


def broken(segment: Segment) -> float:
    raise RuntimeError("no\nmodel")


def test_a_callback_that_raises_halts_with_what_it_said() -> None:
    session = StreamingKernel(broken).run(GOOD)
    assert session.halt_reason == "the score failed: RuntimeError: no model"


def test_a_callback_that_fails_can_be_skipped_by_configuration_and_is_noted() -> None:
    session = StreamingKernel(broken, on_error="skip").run(GOOD)
    assert not session.halted
    assert [event.note for event in session.events] == ["the score failed: RuntimeError: no model"] * 3
    assert [event.value for event in session.events] == [None] * 3


def test_what_was_passed_over_and_what_follows_is_not_called_safe() -> None:
    answers = iter([0.9, None, 0.9])

    def fails_in_the_middle(_: Segment) -> float:
        value = next(answers)
        if value is None:
            raise RuntimeError("no connection")
        return value

    session = StreamingKernel(fails_in_the_middle, on_error="skip").run(GOOD)
    assert session.finished
    assert session.safe_prefix == GOOD[0]


@pytest.mark.parametrize("limit", [None, 5.0])
@pytest.mark.parametrize("error", [TimeoutError(), queue.Empty(), asyncio.CancelledError()])
def test_an_error_of_the_callback_is_told_as_its_own(error: BaseException, limit: float | None) -> None:
    async def fails(_: Segment) -> float:
        raise error

    session = asyncio.run(StreamingKernel(fails, time_limit=limit).arun(asynchronously(GOOD)))
    assert session.halt is not None
    assert session.halt.kind is HaltKind.ERROR
    assert type(error).__name__ in session.halt.reason


@pytest.mark.parametrize("limit", [None, 5.0])
@pytest.mark.parametrize("error", [TimeoutError(), queue.Empty()])
def test_an_error_of_a_plain_callback_is_told_as_its_own(error: Exception, limit: float | None) -> None:
    def fails(_: Segment) -> float:
        raise error

    for session in (
        StreamingKernel(fails, time_limit=limit).run(GOOD),
        asyncio.run(StreamingKernel(fails, time_limit=limit).arun(asynchronously(GOOD))),
    ):
        assert session.halt is not None
        assert session.halt.kind is HaltKind.ERROR
        assert type(error).__name__ in session.halt.reason


def test_a_callback_that_ends_its_thread_is_an_error_and_no_wait() -> None:
    def leaves(_: Segment) -> float:
        raise SystemExit(2)

    async def leaves_too(_: Segment) -> float:
        raise SystemExit(2)

    for session in (
        StreamingKernel(leaves, time_limit=None).run(GOOD),
        asyncio.run(StreamingKernel(leaves, time_limit=None).arun(asynchronously(GOOD))),
        asyncio.run(StreamingKernel(leaves_too, time_limit=None).arun(asynchronously(GOOD))),
    ):
        assert session.halt is not None
        assert session.halt.kind is HaltKind.ERROR


@pytest.mark.parametrize("manner", ["blocks", "swallows"])
def test_an_asynchronous_answer_that_comes_too_late_does_not_count(manner: str) -> None:
    async def slow(_: Segment) -> float:
        if manner == "blocks":
            time.sleep(0.4)
            return 0.9
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            await asyncio.sleep(0.2)
        return 0.9

    session = asyncio.run(StreamingKernel(slow, time_limit=0.1).arun(asynchronously(GOOD)))
    assert session.halt is not None
    assert session.halt.kind is HaltKind.TIMEOUT
    assert session.safe_prefix == ""


def test_a_callback_that_always_hangs_leaves_few_threads_behind() -> None:
    before, gate = threading.active_count(), threading.Event()
    kernel = StreamingKernel(lambda _: gate.wait() and 0.9, time_limit=0.02, on_error="skip")
    session = kernel.run(sentences(20))
    assert threading.active_count() - before <= MOST_HUNG
    assert session.safe_prefix == ""
    assert "asked no more" in session.events[-1].note
    gate.set()


def test_a_callback_that_hangs_halts_in_time_and_the_kernel_lives_on() -> None:
    hanging = threading.Event()

    def score(segment: Segment) -> float:
        if "bad" in segment.text:
            hanging.wait()
        return 0.9

    kernel = StreamingKernel(score, time_limit=0.05)
    session = kernel.run(BAD)
    assert session.halt is not None
    assert (session.halt.kind, session.halt.reason) == (
        HaltKind.TIMEOUT,
        "the score gave no answer in 0.05 s",
    )
    assert not kernel.run(GOOD).halted
    hanging.set()


def test_an_asynchronous_callback_that_hangs_is_cancelled() -> None:
    async def score(segment: Segment) -> float:
        await asyncio.Event().wait()
        return 0.9

    session = asyncio.run(StreamingKernel(score, time_limit=0.05).arun(asynchronously(GOOD)))
    assert session.halt is not None
    assert session.halt.kind is HaltKind.TIMEOUT


def test_a_coroutine_function_in_the_synchronous_methods_halts_with_the_reason() -> None:
    async def score(segment: Segment) -> float:
        return 0.9

    assert "asynchronous" in str(StreamingKernel(score).run(GOOD).halt_reason)


# -- tokens that are no words ---------------------------------------------------------------------------


def test_empty_tokens_and_nul_pass_and_count() -> None:
    tokens = ["", "One\x00 is", "", " fine. ", ""]
    session = StreamSession()
    assert list(StreamingKernel(fine).stream(tokens, session)) == tokens
    assert session.output == "One\x00 is fine. "
    assert len(session.events) == 1


def test_half_a_surrogate_pair_waits_for_the_other_half() -> None:
    session = StreamSession()
    assert list(StreamingKernel(fine).stream(["Fine \ud83d", "\ude00. "], session)) == [
        "Fine ",
        "\U0001f600. ",
    ]
    assert session.output == "Fine \U0001f600. "


def test_a_lone_half_is_kept_as_it_is() -> None:
    session = StreamSession()
    assert "".join(StreamingKernel(fine).stream(["Fine \ud83d", " then \ud83d"], session)) == session.text
    assert session.text == "Fine \ud83d then \ud83d"


def test_a_token_that_is_no_text_is_the_callers_error() -> None:
    with pytest.raises(TypeError, match="token 1 is a bytes, expected str"):
        StreamingKernel(fine).run(["One", b"two"])  # type: ignore[list-item]


def test_no_token_at_all_is_a_finished_stream() -> None:
    session = StreamingKernel(fine).run([])
    assert (session.finished, session.text, session.events) == (True, "", [])


# -- release after check --------------------------------------------------------------------------------


def test_release_gives_out_whole_sentences_and_nothing_of_a_bad_one() -> None:
    session = StreamSession()
    out = list(StreamingKernel(fine).release(words("".join(BAD)), session))
    assert out == ["One is fine. "]
    assert session.output == session.safe_prefix == "One is fine. "


def test_release_checks_the_last_sentence_before_it_is_out() -> None:
    out = list(StreamingKernel(fine).release(["One is fine. And", " two is", " bad"]))
    assert out == ["One is fine. "]


def test_release_gives_a_sentence_out_before_the_stream_goes_on() -> None:
    log: list[str] = []

    def source() -> Iterator[str]:
        for word in words("".join(GOOD)):
            log.append(word)
            yield word

    first = next(StreamingKernel(fine).release(source()))
    assert first == "One is fine. "
    assert "".join(log) == "One is fine. Two "


def test_release_holds_nothing_for_more_tokens_than_allowed() -> None:
    tokens = ["on", " and"] * 50
    session = StreamSession()
    released = StreamingKernel(fine, hold_tokens=10).release(tokens, session)
    sizes = [len(session.tokens) for _ in released]
    assert sizes[0] == 10
    assert max(after - before for before, after in pairwise(sizes)) <= 10
    assert session.output == "".join(tokens)


def test_empty_tokens_count_towards_what_is_held() -> None:
    session = StreamSession()
    pieces = StreamingKernel(fine, hold_tokens=5).release(["No end ", *[""] * 4, "in sight. "], session)
    assert (next(pieces), len(session.tokens)) == ("No end ", 5)


def test_release_holds_nothing_for_longer_than_allowed_when_a_token_comes() -> None:
    now = [0.0]

    def source() -> Iterator[str]:
        for word in words("a long sentence without an end in sight"):
            now[0] += 1.0
            yield word

    kernel = StreamingKernel(fine, hold_seconds=2.5, clock=lambda: now[0])
    assert next(kernel.release(source())).startswith("a long sentence")


def test_arelease_checks_what_is_held_though_no_token_comes() -> None:
    async def source(more: asyncio.Event) -> AsyncIterator[str]:
        yield "A beginning that "
        await more.wait()
        yield "goes on."

    async def read() -> list[str]:
        more, out = asyncio.Event(), []
        async for piece in StreamingKernel(fine, hold_seconds=0.02).arelease(source(more)):
            out.append(piece)
            more.set()
        return out

    assert asyncio.run(read()) == ["A beginning that ", "goes on."]


def test_a_soft_halt_of_release_gives_out_the_next_sentence_only_if_it_passes() -> None:
    tokens = [token for sentence in sentences(14) for token in words(sentence)]
    soft = StreamingKernel(scripted([0.54] * 12), halt_mode="soft")
    assert "".join(soft.release(tokens)) == "".join(sentences(11))
    cut = StreamingKernel(scripted([*[0.54] * 10, 0.1]), halt_mode="soft")
    assert "".join(cut.release(tokens)) == "".join(sentences(10))


def test_release_is_refused_where_scores_are_due_by_tokens() -> None:
    with pytest.raises(ConfigError, match="every='sentence'"):
        list(StreamingKernel(fine, every=2).release(GOOD))


# -- twins, reuse, bounds -------------------------------------------------------------------------------


@pytest.mark.parametrize("tokens", [GOOD, BAD, ["", "One\x00. ", "Two \ud83d", "\ude00 bad. "]])
@pytest.mark.parametrize("asynchronous_score", [False, True])
def test_both_twins_do_the_same(tokens: list[str], asynchronous_score: bool) -> None:
    async def score(segment: Segment) -> float:
        return fine(segment)

    async def read(release: bool) -> tuple[list[str], StreamSession]:
        kernel = StreamingKernel(score if asynchronous_score else fine)
        session = StreamSession()
        method = kernel.arelease if release else kernel.astream
        return [piece async for piece in method(asynchronously(tokens), session)], session

    for release in (False, True):
        session = StreamSession()
        kernel = StreamingKernel(fine)
        out = list((kernel.release if release else kernel.stream)(tokens, session))
        assert asyncio.run(read(release)) == (out, session)


def test_a_kernel_can_be_used_again_after_a_halt_and_a_session_cannot() -> None:
    kernel, session = StreamingKernel(fine), StreamSession()
    list(kernel.stream(BAD, session))
    assert session.halted
    assert not kernel.run(GOOD).halted
    with pytest.raises(ConfigError, match="another stream"):
        list(kernel.stream(GOOD, session))


def test_an_error_of_the_source_reaches_the_caller_and_nothing_unchecked_is_out() -> None:
    def source() -> Iterator[str]:
        yield "One is fine. Two is"
        yield " bad"
        raise ConnectionError("gone")

    out: list[str] = []
    with pytest.raises(ConnectionError):
        out.extend(StreamingKernel(fine).release(source()))
    assert "bad" not in "".join(out)


def test_the_threads_of_a_stream_end_with_it() -> None:
    before = set(threading.enumerate())
    for _ in range(5):
        StreamingKernel(fine, time_limit=5).run(GOOD)
    ours = set(threading.enumerate()) - before
    for thread in ours:
        thread.join(5)
    assert not any(thread.is_alive() for thread in ours)


def test_the_work_for_a_token_does_not_grow_with_the_stream() -> None:
    def calls(length: int) -> int:
        count = 0

        def see(frame: object, event: str, argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        tokens = (["The", " fee", " is", " 5", " euros", ". "] * length)[:length]
        kernel = StreamingKernel(lambda _: 0.9, time_limit=None)
        gc.collect()
        sys.setprofile(see)
        try:
            kernel.run(tokens)
        finally:
            sys.setprofile(None)
        return count

    short, long = calls(600) / 600, calls(6000) / 6000
    assert long == pytest.approx(short, rel=0.02)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"hard_limit": 1.5}, "hard_limit = 1.5"),
        ({"trend_window": 1}, "trend_window = 1"),
        ({"halt_mode": "slow"}, "known: hard, soft"),
        ({"every": 0}, "every = 0"),
        ({"every": True}, "every = True"),
        ({"window_size": 2.5}, "window_size = 2.5"),
        ({"context_chars": -1}, "context_chars = -1"),
        ({"on_error": "ignore"}, "known: halt, skip"),
        ({"time_limit": 0}, "time_limit = 0"),
        ({"hold_tokens": 0}, "hold_tokens = 0"),
        ({"hold_seconds": -1}, "hold_seconds = -1"),
        ({"window_threshold": float("nan")}, "window_threshold"),
    ],
)
def test_options_out_of_bounds_are_refused(option: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        StreamingKernel(fine, **option)


def test_the_claims_of_a_score_are_the_evidence_of_its_halt() -> None:
    scored = Scored(0.1, "claim says 60, evidence says 30")
    session = StreamingKernel(lambda _: scored).run(GOOD)
    assert session.halt_reason == "score 0.10 is below 0.5: claim says 60, evidence says 30"
    assert session.evidence == ()
