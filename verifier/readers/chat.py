"""A reader that asks a chat model about as many claims as fit into one request."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from verifier.core.chat.adaptive import AdaptiveChat
from verifier.core.chat.counts import cut_short, tokens_of
from verifier.core.chat.patient import PatientChat
from verifier.core.chat.translate import atried, tried
from verifier.core.chat.types import ChatModel, ChatReply, ChatRequest
from verifier.core.course import arun, run
from verifier.core.errors import ConfigError, LLMCut, LLMError, LLMRefused, LLMRejected
from verifier.core.state import State as SharedState
from verifier.readers.base import Reader, Traits
from verifier.readers.limits import Allowance, Breaker, SharedAllowance
from verifier.readers.parts import halves, merged
from verifier.readers.prompt import PROMPT_HASH, key_of, request_for
from verifier.readers.replies import readings_of
from verifier.readers.types import Answer, Call, Case, Foretold, Piece, Reading, State

__all__ = ["ChatReader"]

Asked = Generator[ChatRequest, ChatReply | LLMError | None, ChatReply | LLMError]
Course = Generator[ChatRequest, ChatReply | LLMError | None, list[Reading]]


class ChatReader(Reader):
    """Asks a chat model which claims the evidence bears out, and for the words that decide.

    Cases that have the same pieces are asked about in one request, at most ``claims_a_call`` of them. Whatever
    is not a whole reply of the agreed form is asked again, and fails in the end; see ``docs/readers.md``.

    Args:
        chat: the model; a :class:`~verifier.core.chat.PatientChat` brings time-outs, retries and prices.
        claims_a_call: from 1 to 32.
        workers: requests at once.
        logprobs: whether to ask for the probabilities of the reply's tokens, and take those of the labels.
        max_requests, max_tokens, max_cost: bounds for as long as the reader lives; ``None`` for none. A bound of cost
            needs a model with prices.
        breaker_failures: requests in a row that may fail before nothing is asked any more for a while.
        breaker_pause: how long, in seconds.

    Raises:
        ConfigError: a number is out of range, or ``max_cost`` has no prices to count with.
    """

    needs_one_of = (
        "openai",
        "anthropic",
    )

    traits = Traits(quotes=True, probabilities=False, multilingual=True, kind="chat")

    def __init__(
        self,
        chat: ChatModel,
        *,
        claims_a_call: int = 8,
        workers: int = 4,
        logprobs: bool = False,
        max_requests: int | None = None,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        breaker_failures: int = 3,
        breaker_pause: float = 60.0,
    ) -> None:
        self._chat = AdaptiveChat(chat)
        self._prices = chat.prices if isinstance(chat, PatientChat) else None
        self.claims_a_call, self.workers, self.logprobs = claims_a_call, workers, logprobs
        _check_range("claims_a_call", claims_a_call, 1, 32)
        counts = {"workers": workers, "max_requests": max_requests, "max_tokens": max_tokens}
        for name, count in {**counts, "breaker_failures": breaker_failures}.items():
            _check_range(name, count, 1)
        for name, amount in (("max_cost", max_cost), ("breaker_pause", breaker_pause)):
            _check_range(name, amount, 0)
        if max_cost is not None and self._prices is None:
            raise ConfigError(
                "reader.max_cost needs prices: set price_per_million_input and price_per_million_output"
            )
        self._allowance = Allowance(max_requests, max_tokens, max_cost)
        self._breaker = Breaker(breaker_failures, breaker_pause)

    def share_allowance(self, state: SharedState, name: str) -> None:
        """Count what may be taken under a name, together with all other readers that do; where nothing is bounded,
        nothing is counted."""
        if any(bound is not None for bound in self._allowance.bounds):
            self._allowance = SharedAllowance(self._allowance, state, f"{name}:{self.identity}")

    @property
    def identity(self) -> str:
        """The model's, and how it is asked."""
        return f"chat:{self._chat.identity} asked as {PROMPT_HASH}"

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """A reading of every case; requests are put at the same time, in threads."""
        groups = self._groups(cases)
        courses = [self._course([cases[n] for n in group]) for group in groups]
        if len(courses) < 2:
            found = [self._run(course) for course in courses]
        else:
            with ThreadPoolExecutor(max(1, min(self.workers, len(courses)))) as pool:
                found = list(pool.map(self._run, courses))
        return _in_order(len(cases), groups, found)

    async def aread(self, cases: Sequence[Case]) -> list[Reading]:
        """The same as :meth:`read`, for an event loop."""
        turn = asyncio.Semaphore(max(1, self.workers))

        async def ask(course: Course) -> list[Reading]:
            async with turn:
                return await arun(course, lambda request: atried(self._chat, request))

        groups = self._groups(cases)
        courses = [self._course([cases[n] for n in group]) for group in groups]
        found = await asyncio.gather(*map(ask, courses))
        return _in_order(len(cases), groups, found)

    def foretell(self, cases: Sequence[Case]) -> Foretold:
        """What would be sent if every reply were as it should be; nothing is sent."""
        requests = [request_for([cases[n] for n in group]) for group in self._groups(cases)]
        sent = sum(tokens_of(request.instructions + request.text) for request in requests)
        replies = sum(request.max_tokens or 0 for request in requests)
        cost = self._prices.of(sent, replies) if self._prices is not None else None
        return Foretold(len(cases), len(requests), sent, replies, cost)

    def _run(self, course: Course) -> list[Reading]:
        return run(course, lambda request: tried(self._chat, request))

    def _groups(self, cases: Sequence[Case]) -> list[list[int]]:
        """Which cases are asked about together: those that have the same pieces, as many as one request may hold."""
        alike: dict[tuple[Piece, ...], list[int]] = {}
        for n, case in enumerate(cases):
            if _readable(case):
                alike.setdefault(case.pieces, []).append(n)
        size = self.claims_a_call
        return [some[at : at + size] for some in alike.values() for at in range(0, len(some), size)]

    def _course(self, cases: Sequence[Case]) -> Course:
        """Asks about all cases of a group, then alone about those that have no reading, without the asking itself."""
        shared: list[Call] = []
        said = yield from self._whole(cases, shared, again=False)
        if said is None and len(cases) > 1:
            said = yield from self._whole(cases, shared, again=True)
        readings = said or {}
        found = []
        for number, case in enumerate(cases):
            reading, own = readings.get(number), list[Call]()
            if reading is None:
                alone = yield from self._whole([case], own, again=True)
                reading = (alone or {}).get(0) or Reading.failed(
                    "its replies were not the JSON that was asked for"
                )
            found.append(replace(reading, calls=(*shared, *own)))
        return found

    def _whole(
        self, cases: Sequence[Case], calls: list[Call], *, again: bool
    ) -> Generator[ChatRequest, ChatReply | LLMError | None, dict[int, Reading] | None]:
        """One question about all cases: their readings by number, ``None`` where the reply was of no use.

        What it took is put behind ``calls``, also where it was of no use: it is paid for all the same.

        A refused or cut reply about several is of no use: each is then asked about alone. A failure of the server is a
        failed reading of each.
        """
        request = request_for(cases, again=again, logprobs=self.logprobs)
        said = yield from self._put(request, calls)
        if isinstance(said, LLMCut):
            request = request_for(cases, again=again, longer=2, logprobs=self.logprobs)
            said = yield from self._put(request, calls)
        if isinstance(said, LLMRejected) and "length" in said.refuses:
            if len(cases[0].pieces) > 1:
                return (yield from self._in_parts(cases, calls, again=again))
            said = LLMRejected(f"{said}: a single piece of evidence is too long for it")
        if isinstance(said, LLMRefused) and len(cases) > 1:
            return {}
        if isinstance(said, LLMError):
            return dict.fromkeys(range(len(cases)), Reading.failed(str(said)))
        unread = cut_short(request.instructions + request.text, said.input_tokens)
        if unread is not None:
            return dict.fromkeys(range(len(cases)), Reading.failed(unread))
        ids = [f"c{number}" for number in range(1, len(cases) + 1)]
        found = readings_of(said, ids, pieces=len(cases[0].pieces), call=calls[-1])
        return None if found is None else {ids.index(name): reading for name, reading in found.items()}

    def _in_parts(
        self, cases: Sequence[Case], calls: list[Call], *, again: bool
    ) -> Generator[ChatRequest, ChatReply | LLMError | None, dict[int, Reading] | None]:
        """Asks about each half of evidence that is larger than the model's window, and puts the answers together."""
        first, second = halves(cases[0].pieces)
        one = yield from self._whole([replace(case, pieces=first) for case in cases], calls, again=again)
        two = yield from self._whole([replace(case, pieces=second) for case in cases], calls, again=again)
        if one is None or two is None:
            return None
        return {
            number: merged(one[number], two[number], len(first))
            for number in range(len(cases))
            if number in one and number in two
        }

    def _put(self, request: ChatRequest, calls: list[Call]) -> Asked:
        """Puts a request, where breaker and allowance let it through, and counts what came of it.

        A reply is one of ``calls``, and so is a failure of which the server tells what it took.
        """
        sent, replied = tokens_of(request.instructions + request.text), request.max_tokens or 0
        dearest = self._prices.of(sent, replied) if self._prices is not None else 0.0
        refusal = self._breaker.refusal() or self._allowance.refusal(sent + replied, dearest)
        if refusal is not None:
            return LLMRejected(refusal)
        said = yield request
        assert said is not None
        failed = said if isinstance(said, LLMError) else None
        self._breaker.record(failed)
        tokens = (said.input_tokens or 0) + (said.output_tokens or 0)
        cost = said.cost if isinstance(said, ChatReply) else self._cost_of(said)
        self._allowance.settle(sent + replied, dearest, taken=tokens, charged=cost)
        if failed is None or tokens:
            calls.append(Call(key_of(request), said.input_tokens, said.output_tokens, cost))
        return said

    def _cost_of(self, error: LLMError) -> float | None:
        return self._prices.of(error.input_tokens, error.output_tokens) if self._prices is not None else None


def _check_range(name: str, value: float | None, least: float, most: float = math.inf) -> None:
    if value is not None and not least <= value <= most:
        bound = f"from {least:g} to {most:g}" if math.isfinite(most) else f"at least {least:g}"
        raise ConfigError(f"reader.{name} = {value!r}: expected {bound}")


_NOTHING_TO_READ = Reading(State.SETTLED, Answer.NOT_FOUND, note="there is no claim or no evidence to read")


def _in_order(
    cases: int, groups: Sequence[Sequence[int]], found: Sequence[Sequence[Reading]]
) -> list[Reading]:
    readings = [_NOTHING_TO_READ] * cases
    for group, some in zip(groups, found, strict=True):
        for n, reading in zip(group, some, strict=True):
            readings[n] = reading
    return readings


def _readable(case: Case) -> bool:
    return bool(case.claim.strip()) and any(piece.text.strip() for piece in case.pieces)
