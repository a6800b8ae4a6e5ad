"""The score cache: what is kept how long, what equal calls share, and that nothing stale or failed is ever served."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from verifier.core.cache import CacheKey, Codec, ScoreCache
from verifier.core.errors import ConfigError, LLMUnavailable

CODEC: Codec[dict[str, Any]] = Codec(to_json=dict, from_json=dict)
KEY = CacheKey("What?", "That.", revision="r1", fingerprint="f1")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def numbered(number: int) -> CacheKey:
    return replace(KEY, response=f"That {number}.")


def counting() -> tuple[list[int], Callable[[], dict[str, Any]]]:
    calls: list[int] = []

    def compute() -> dict[str, Any]:
        calls.append(1)
        return {"coherence": 0.1 + 0.2, "claims": ["ü", "\ud800", None]}

    return calls, compute


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.002)


def test_a_value_is_computed_once_and_comes_back_equal() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()
    first, second = (cache.get_or_compute(KEY, compute) for _ in range(2))
    assert first.value == second.value
    assert (first.cached, second.cached, second.source) == (False, True, "memory")
    assert len(calls) == 1
    assert cache.stats.hit_rate == 0.5


def test_a_value_that_was_handed_out_cannot_change_the_kept_one() -> None:
    cache, (_, compute) = ScoreCache(CODEC), counting()
    for _ in range(3):
        value = cache.get_or_compute(KEY, compute).value
        assert value["claims"] == ["ü", "\ud800", None]
        value["claims"].clear()


@pytest.mark.parametrize("part", ["prompt", "response", "revision", "fingerprint", "namespace"])
def test_each_part_of_the_key_counts(part: str) -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()
    cache.get_or_compute(KEY, compute)
    assert not cache.get_or_compute(replace(KEY, **{part: "other"}), compute).cached
    assert len(calls) == 2


@given(*[st.lists(st.text(alphabet='ab",[]\\\x00é\ud800', max_size=3), min_size=5, max_size=5)] * 2)
def test_no_two_keys_share_a_digest_whatever_stands_in_them(one: list[str], other: list[str]) -> None:
    assert (CacheKey(*one).digest == CacheKey(*other).digest) == (one == other)


def test_an_entry_is_stale_at_its_time_to_live_and_after_the_clock_was_set_back() -> None:
    clock = Clock()
    cache, (calls, compute) = ScoreCache(CODEC, ttl=300, clock=clock), counting()
    cache.get_or_compute(KEY, compute)
    clock.now += 299.9
    assert cache.get_or_compute(KEY, compute).cached
    clock.now += 0.1
    assert not cache.get_or_compute(KEY, compute).cached
    clock.now -= 1
    assert not cache.get_or_compute(KEY, compute).cached
    assert len(calls) == 3
    assert cache.stats.expired == 2


def test_the_least_recently_used_entry_goes_first() -> None:
    cache, (_, compute) = ScoreCache(CODEC, max_size=2), counting()
    for number in (1, 2, 1, 3):
        cache.get_or_compute(numbered(number), compute)
    assert [cache.get(numbered(number)) is not None for number in (1, 2, 3)] == [True, False, True]
    assert (cache.stats.size, cache.stats.evicted) == (2, 1)


def test_a_cache_of_no_size_computes_each_time() -> None:
    cache, (calls, compute) = ScoreCache(CODEC, max_size=0), counting()
    cache.put(KEY, {})
    for _ in range(3):
        assert not cache.get_or_compute(KEY, compute).cached
    assert len(calls) == 3
    assert cache.stats.hit_rate == 0.0


@pytest.mark.parametrize("bounds", [{"max_size": -1}, {"ttl": 0.0}, {"ttl": float("nan")}])
def test_a_bound_that_makes_no_sense_is_refused(bounds: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        ScoreCache(CODEC, **bounds)


def test_a_failure_is_raised_and_forgotten() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()

    def fails() -> dict[str, Any]:
        raise LLMUnavailable("busy")

    for _ in range(2):
        with pytest.raises(LLMUnavailable):
            cache.get_or_compute(KEY, fails)
    assert not cache.get_or_compute(KEY, compute).cached
    assert (cache.stats.failed, len(calls)) == (2, 1)


def test_a_value_that_is_not_to_be_kept_is_computed_again() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()
    for _ in range(2):
        assert not cache.get_or_compute(KEY, compute, keep=lambda value: False).cached
    assert (len(calls), cache.stats.not_kept) == (2, 2)


def test_equal_calls_in_threads_share_one_computation_and_others_do_not_wait() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()
    begun, may_end = threading.Event(), threading.Event()

    def slowly() -> dict[str, Any]:
        begun.set()
        assert may_end.wait(20)
        return compute()

    with ThreadPoolExecutor(8) as pool:
        leader = pool.submit(cache.get_or_compute, KEY, slowly)
        assert begun.wait(20)
        waiting = [pool.submit(cache.get_or_compute, KEY, slowly) for _ in range(6)]
        assert not cache.get_or_compute(numbered(1), compute).cached
        may_end.set()
        answers = [future.result(20) for future in (leader, *waiting)]
    assert len(calls) == 2
    assert all(answer.value == answers[0].value for answer in answers)
    assert {answer.source for answer in answers[1:]} <= {"shared", "memory"}
    assert len({id(answer.value) for answer in answers}) == 7


def test_a_failure_is_shared_with_those_who_waited_and_with_nobody_later() -> None:
    cache, (_, compute) = ScoreCache(CODEC), counting()
    begun, may_fail = threading.Event(), threading.Event()

    def fails() -> dict[str, Any]:
        begun.set()
        assert may_fail.wait(20)
        raise LLMUnavailable("busy")

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(cache.get_or_compute, KEY, fails)]
        assert begun.wait(20)
        futures += [pool.submit(cache.get_or_compute, KEY, fails) for _ in range(3)]
        may_fail.set()
        assert all(isinstance(future.exception(20), LLMUnavailable) for future in futures)
    assert not cache.get_or_compute(KEY, compute).cached


def test_equal_calls_in_tasks_share_one_computation() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()

    async def slowly() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return compute()

    async def main() -> list[str]:
        answers = await asyncio.gather(*(cache.aget_or_compute(KEY, slowly) for _ in range(5)))
        return [answer.source for answer in answers]

    assert sorted(asyncio.run(main())) == ["computed", *["shared"] * 4]
    assert len(calls) == 1
    assert cache.stats.shared == 4


def test_a_thread_and_a_task_share_one_computation() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()
    may_end = threading.Event()

    def slowly() -> dict[str, Any]:
        assert may_end.wait(20)
        return compute()

    async def never() -> dict[str, Any]:
        raise AssertionError("the thread computes")

    async def main() -> str:
        thread = asyncio.create_task(asyncio.to_thread(cache.get_or_compute, KEY, slowly))
        while not cache._flights:
            await asyncio.sleep(0.001)
        task = asyncio.create_task(cache.aget_or_compute(KEY, never))
        await asyncio.sleep(0.01)
        may_end.set()
        await thread
        return (await task).source

    assert asyncio.run(main()) == "shared"
    assert len(calls) == 1


def test_a_computation_that_is_cancelled_is_taken_over_by_one_who_waits() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()

    async def hangs() -> dict[str, Any]:
        await asyncio.sleep(60)
        raise AssertionError

    async def quick() -> dict[str, Any]:
        return compute()

    async def main() -> None:
        leader = asyncio.create_task(cache.aget_or_compute(KEY, hangs))
        await asyncio.sleep(0)
        first, second = (asyncio.create_task(cache.aget_or_compute(KEY, quick)) for _ in range(2))
        await asyncio.sleep(0)
        leader.cancel()
        assert {(await first).source, (await second).source} <= {"computed", "shared", "memory"}
        with pytest.raises(asyncio.CancelledError):
            await leader

    asyncio.run(main())
    assert len(calls) == 1
    assert cache.stats.failed == 0


def test_one_who_waits_may_be_cancelled_without_harm_to_the_others() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()

    async def slowly() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return compute()

    async def main() -> None:
        tasks = [asyncio.create_task(cache.aget_or_compute(KEY, slowly)) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        assert [(await tasks[index]).value["coherence"] for index in (0, 2)] == [0.1 + 0.2] * 2

    asyncio.run(main())
    assert len(calls) == 1


def test_one_who_waited_and_was_cancelled_leaves_no_error_behind() -> None:
    cache: ScoreCache[dict[str, Any]] = ScoreCache(CODEC)
    reported: list[object] = []

    async def fails() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        raise LLMUnavailable("busy")

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
        tasks = [asyncio.create_task(cache.aget_or_compute(KEY, fails)) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(end) for end in ends] == [LLMUnavailable, asyncio.CancelledError, LLMUnavailable]
        del tasks, ends
        gc.collect()

    asyncio.run(main())
    assert reported == []


def test_a_computation_that_asks_for_itself_does_not_wait_for_itself() -> None:
    cache, (_, compute) = ScoreCache(CODEC), counting()
    assert cache.get_or_compute(KEY, lambda: cache.get_or_compute(KEY, compute).value).value

    async def inner() -> dict[str, Any]:
        return compute()

    async def outer() -> dict[str, Any]:
        return (await cache.aget_or_compute(numbered(1), inner)).value

    assert asyncio.run(cache.aget_or_compute(numbered(1), outer)).value


def test_a_blocking_call_in_the_loop_of_the_computation_does_not_wait_for_it() -> None:
    cache, (calls, compute) = ScoreCache(CODEC), counting()

    async def slowly() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return compute()

    async def main() -> None:
        task = asyncio.create_task(cache.aget_or_compute(KEY, slowly))
        await asyncio.sleep(0)
        assert not cache.get_or_compute(KEY, compute).cached
        await task

    asyncio.run(main())
    assert len(calls) == 2


class Scored(RuleBasedStateMachine):
    """Random edits of what a score depends on, the passing of time and questions in between: cached equals fresh."""

    prompts, responses = st.sampled_from(["", "q", "r"]), st.sampled_from(["a", "b", "a\x00b"])

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.cache = ScoreCache(CODEC, max_size=4, ttl=10, clock=self.clock)
        self.documents: dict[str, dict[str, str]] = {"default": {}, "other": {}}
        self.threshold = 0.5
        self.asked = 0

    def fresh(self, prompt: str, response: str, namespace: str) -> dict[str, Any]:
        held = sorted(self.documents[namespace].values())
        coherence = sum(map(len, held)) / (1 + len(prompt) + len(response))
        return {"coherence": coherence, "approved": coherence >= self.threshold, "evidence": held}

    @rule(name=st.sampled_from("xyz"), text=st.sampled_from(["", "one", "two"]), namespace=st.booleans())
    def add_or_change(self, name: str, text: str, namespace: bool) -> None:
        self.documents["other" if namespace else "default"][name] = text

    @rule(name=st.sampled_from("xyz"))
    def delete(self, name: str) -> None:
        self.documents["default"].pop(name, None)

    @rule(threshold=st.sampled_from([0.3, 0.5, 0.9]))
    def set_threshold(self, threshold: float) -> None:
        self.threshold = threshold

    @rule(seconds=st.sampled_from([-1.0, 1.0, 11.0]))
    def wait(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule(prompt=prompts, response=responses, namespace=st.sampled_from(["default", "other"]))
    def ask(self, prompt: str, response: str, namespace: str) -> None:
        self.asked += 1
        key = CacheKey(
            prompt,
            response,
            revision=repr(sorted(self.documents[namespace].items())),
            fingerprint=repr(self.threshold),
            namespace=namespace,
        )
        expected = self.fresh(prompt, response, namespace)
        assert (
            self.cache.get_or_compute(key, lambda: self.fresh(prompt, response, namespace)).value == expected
        )

    @invariant()
    def counts_add_up(self) -> None:
        stats = self.cache.stats
        assert stats.hits + stats.misses == self.asked
        assert stats.size <= 4


TestCachedEqualsFresh = Scored.TestCase
TestCachedEqualsFresh.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_threads_that_ask_and_evict_at_random_always_get_the_fresh_value() -> None:
    cache = ScoreCache(CODEC, max_size=3)

    def ask(number: int) -> bool:
        expected = {"number": number % 7}
        return cache.get_or_compute(numbered(number % 7), lambda: dict(expected)).value == expected

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(2_000)))
    stats = cache.stats
    assert stats.hits + stats.shared + stats.misses == 2_000
    assert not cache._flights
