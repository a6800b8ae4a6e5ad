"""Measure how the work of each part grows with the length of a text, over texts that grow by doubling.

Run: ``python -m benchmarks.trust.linear``. Each part (signals, claims, chunks, readers of files) does its work on texts
of 3 kB, 6 kB and so on up to 200 kB. The seconds are those of a processor, with all caches empty; a text grows no
further once a part has taken two seconds for it. The exponent is 1 where twice the text takes twice the time.
"""

from __future__ import annotations

import argparse
import functools
import gc
import math
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.trust.linear_parts import PARTS, Work
from benchmarks.trust.linear_texts import TEXTS, TextOf

__all__ = ["MOST_EXPONENT", "MOST_PER_CHARACTER", "Growing", "growing", "main", "seconds_of"]

SIZES = tuple(3125 << step for step in range(7))
"""Code points: 3 kB to 200 kB."""
MOST_EXPONENT = 1.4
"""The bound for the growth of a part's time; 2 is quadratic, and what is linear measures up to 1.2."""
MOST_PER_CHARACTER = 2e-4
"""The bound for the seconds of a processor that a code point takes: 40 s for 200 kB."""
_LEAST = 0.03
"""Seconds; a shorter time tells nothing of how it grows."""
_ENOUGH = 2.0
"""Seconds, from which on a text does not grow further."""
_LONGEST = 20.0
_TIMES_LONGER = 4


@dataclass(frozen=True, slots=True)
class Growing:
    """How the time of a part grows with one text. ``times``: code points with seconds of a processor."""

    part: str
    text: str
    times: tuple[tuple[int, float], ...]

    @property
    def exponent(self) -> float:
        """The power of the length by which the time grows, over texts that differ by a factor of four or more.

        0 where the text takes too little time to tell.
        """
        told = [(size, seconds) for size, seconds in self.times if seconds >= _LEAST]
        if len(told) < 2 or told[-1][0] < _TIMES_LONGER * told[0][0]:
            return 0.0
        (small, quick), (large, slow) = told[0], told[-1]
        return math.log(slow / quick) / math.log(large / small)

    @property
    def per_character(self) -> float:
        """Seconds for a code point of the longest text."""
        size, seconds = self.times[-1]
        return seconds / size

    @property
    def bounded(self) -> bool:
        """Whether the time keeps within the bounds."""
        return self.exponent <= MOST_EXPONENT and self.per_character <= MOST_PER_CHARACTER


def _caches() -> list[Any]:
    """Every function of the toolkit that keeps its results."""
    kept = (one for one in gc.get_objects() if type(one) is functools._lru_cache_wrapper)
    return [one for one in kept if one.__module__.split(".")[0] in ("verifier_signals", "verifier")]


def _is_of_a_text(cache: Any) -> bool:
    """Whether a cache has results for arguments; one without arguments holds a lexicon or a model."""
    return bool(cache.cache_parameters()["maxsize"] != 1)


def seconds_of(work: Work, text: str, caches: Sequence[Any]) -> float:
    """Seconds of a processor for one text, with empty caches; infinite after ``_LONGEST``, when it is given up."""
    for cache in caches:
        cache.cache_clear()
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, _LONGEST)
    began = time.process_time()
    try:
        work(text)
    except _TooLong:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - began


class _TooLong(BaseException):
    """A text takes longer than anything that is linear."""


def _give_up(*_: object) -> None:
    raise _TooLong


def growing(part: str, text: str, work: Work, text_of: TextOf, caches: Sequence[Any]) -> Growing:
    """The times of a part for a text that doubles, the better of two where it takes little."""
    times: list[tuple[int, float]] = []
    for size in SIZES:
        made = text_of(size)
        seconds = seconds_of(work, made, caches)
        if seconds < _ENOUGH / 4:
            seconds = min(seconds, seconds_of(work, made, caches))
        times.append((size, seconds))
        if seconds >= _ENOUGH:
            break
    return Growing(part, text, tuple(times))


def _warmed(parts: Sequence[str]) -> list[Any]:
    """The caches to empty, after every part has loaded what it needs."""
    for part in parts:
        PARTS[part](TEXTS["facts"](2000))
    return [cache for cache in _caches() if _is_of_a_text(cache)]


def _measured(parts: Sequence[str], texts: Sequence[str], verbose: bool) -> Iterator[Growing]:
    caches = _warmed(parts)
    for part in parts:
        for text in texts:
            one = growing(part, text, PARTS[part], TEXTS[text], caches)
            if verbose or not one.bounded:
                times = " ".join(f"{seconds:.2f}" for _, seconds in one.times)
                print(f"{one.exponent:5.2f}  {part}: {text}: {times}", flush=True)
            yield one


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the worst of every part; returns 1 where a bound is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", default="", help="only parts whose name holds this")
    parser.add_argument("--texts", default="", help="only texts whose name holds this")
    parser.add_argument(
        "--verbose", action="store_true", help="print every text, not only those over a bound"
    )
    given = parser.parse_args(arguments)
    parts = [part for part in PARTS if given.parts in part]
    texts = [text for text in TEXTS if given.texts in text]
    found = list(_measured(parts, texts, given.verbose))
    print(f"\n{'part':<28} {'exponent':>8}  {'of':<22} {'µs a character':>14}  of")
    for part in parts:
        of_part = [one for one in found if one.part == part]
        steep = max(of_part, key=lambda one: one.exponent)
        dear = max(of_part, key=lambda one: one.per_character)
        print(
            f"{part:<28} {steep.exponent:>8.2f}  {steep.text:<22} {dear.per_character * 1e6:>14.1f}  {dear.text}"
        )
    over = [one for one in found if not one.bounded]
    print(f"\nlinear: {len(parts)} parts, {len(texts)} texts, {len(over)} over a bound")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
