"""A reader over a decision model: options go into a request, and their probabilities come back.

What the two protocols have in common: a model behind a vendor's client, and the reader that asks it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from abc import abstractmethod
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from verifier.core.chat.patient import Patience, PatientChat
from verifier.core.chat.translate import atried, tried
from verifier.core.chat.types import ChatReply, ChatRequest
from verifier.core.chat.usage import Prices
from verifier.core.chat.vendor import Vendor
from verifier.core.course import arun, run
from verifier.core.errors import ConfigError, LLMError, LLMRejected, LLMUnavailable
from verifier.readers import decision_parts as parts
from verifier.readers.base import Reader, Traits
from verifier.readers.decision_parts import DecisionReply, DecisionRequest
from verifier.readers.parts import halves, merged
from verifier.readers.types import Answer, Call, Case, Reading, State

__all__ = ["DecisionModel", "DecisionReader"]


class DecisionModel(Vendor):
    """A decision model behind a vendor's client.

    It keeps the protocol of a chat model, so that :class:`~verifier.core.chat.PatientChat` brings time-outs, retries
    and prices to it as well. Its requests and replies are :class:`DecisionRequest` and :class:`DecisionReply`.
    """

    protocol: ClassVar[str]
    """Name of the protocol, for identities."""
    route: ClassVar[str]
    """Method and path, for messages."""

    @property
    def identity(self) -> str:
        """Protocol, model and server, and never a key."""
        return f"{self.protocol}:{self.model}@{self.address}"

    def complete(self, request: ChatRequest) -> DecisionReply:
        """The reply to ``request``, a :class:`DecisionRequest`.

        Raises:
            MissingExtra, ConfigError: the vendor's package is not installed, or too old.
            LLMUnavailable: no connection, time-out, rate limit, a failing server, or half an answer.
            LLMRejected: a wrong key, model or request, or no server of this protocol.
        """
        assert isinstance(request, DecisionRequest)
        client = self._client
        with self._translated():
            return self._read(self._ask(client, request))

    async def acomplete(self, request: ChatRequest) -> DecisionReply:
        """The same as :meth:`complete`, for an event loop."""
        assert isinstance(request, DecisionRequest)
        client = self._async_client()
        with self._translated():
            return self._read(await self._ask(client, request))

    @abstractmethod
    def _ask(self, client: Any, request: DecisionRequest) -> Any:
        """The vendor's call; a reply, or what the asynchronous client gives to be awaited."""

    @abstractmethod
    def _read(self, reply: Any) -> DecisionReply:
        """The vendor's reply as ours."""

    def _of_body(self, body: object) -> LLMRejected | LLMUnavailable:
        """What an answer without an error status is that is no reply: ``body`` is JSON, or a text that is none."""
        half = isinstance(body, str) and not body.lstrip().startswith("<")
        if body is None or half or (isinstance(body, Mapping) and "answers" in body):
            return LLMUnavailable(f"model {self.model!r} sent what is no answer")
        return LLMRejected(f"what answers at {self.address} does not speak {self.route}: is base_url right?")


@dataclass(frozen=True)
class _Failure:
    """Why there are no probabilities for a claim."""

    reason: str
    too_long: bool = False


_Found = dict[int, Mapping[Answer, float] | _Failure]
"""What came of the cases of a request, by their place."""

Step = ChatReply | LLMError | None
Course = Generator[DecisionRequest, Step, list[Reading]]

_NOTHING_TO_READ = Reading(State.SETTLED, Answer.NOT_FOUND, note="there is no claim or no evidence to read")
_NOTE = "by the probabilities of a decision model, which gives no quotations"
_UNANSWERED = "the server gave no answer, or more than one, to the question about this claim"


class DecisionReader(Reader):
    """Asks a decision model which of three options holds for each claim; see ``docs/readers.md``.

    Args:
        model: the model's name, as the server knows it.
        base_url: the server; by default what the vendor's own variable says, or the vendor's server.
        key_env: the environment variable that holds the key; the vendor's own by default. A server of one's own may do
            without.
        timeout: seconds for one answer of the server as a whole.
        max_retries: how often a request is put again after a failure that may pass.
        both_orders: ask each question with its options in the reverse order, too, and take the mean.
        questions_a_call: from 1 (2 with ``both_orders``) to ``most_questions``, which is the default.
        workers: requests at once.
        price_per_million_input, price_per_million_output: what tokens cost; both or neither.
        client, async_client: ready clients of the vendor's package, instead of ones made from the above.

    Raises:
        ConfigError: a value out of its range.
    """

    traits = Traits(quotes=False, probabilities=True, multilingual=True, kind="decision")
    most_questions: ClassVar[int]
    """How many questions a request may have."""
    model_type: ClassVar[type[DecisionModel]]
    """The protocol."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key_env: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        both_orders: bool = False,
        questions_a_call: int | None = None,
        workers: int = 4,
        price_per_million_input: float | None = None,
        price_per_million_output: float | None = None,
        client: Any = None,
        async_client: Any = None,
    ) -> None:
        most, least = self.most_questions, 2 if both_orders else 1
        questions = most if questions_a_call is None else questions_a_call
        _check("timeout", timeout, 0 < timeout < math.inf, "more than 0 seconds")
        _check("max_retries", max_retries, max_retries >= 0, "at least 0")
        _check("workers", workers, workers >= 1, "at least 1")
        _check("questions_a_call", questions, least <= questions <= most, f"from {least} to {most}")
        self.both_orders, self.workers = both_orders, workers
        self.claims_a_call = questions // least
        self.model = self.model_type(
            model,
            base_url=base_url,
            key_env=key_env,
            timeout=timeout,
            client=client,
            async_client=async_client,
        )
        self._chat = PatientChat(
            self.model,
            patience=Patience(timeout, max_retries),
            prices=_prices(price_per_million_input, price_per_million_output),
        )

    @property
    def identity(self) -> str:
        """Protocol, model, server, and a hash of how it is asked."""
        asked = json.dumps([parts.ASKED_AS, self.both_orders])
        return f"{self.model.identity} asked as {hashlib.sha256(asked.encode()).hexdigest()[:12]}"

    def read(self, cases: Sequence[Case]) -> list[Reading]:
        """A reading of every case; requests are put at the same time, in threads.

        Raises:
            MissingExtra, ConfigError: the vendor's package is not installed, or too old.
        """
        places, courses = self._courses(cases)
        with ThreadPoolExecutor(max(1, min(self.workers, len(courses)))) as pool:
            found = list(
                pool.map(lambda course: run(course, lambda asked: tried(self._chat, asked)), courses)
            )
        return _in_order(len(cases), places, found)

    async def aread(self, cases: Sequence[Case]) -> list[Reading]:
        """The same as :meth:`read`, for an event loop."""
        turn = asyncio.Semaphore(self.workers)
        places, courses = self._courses(cases)

        async def ask(course: Course) -> list[Reading]:
            async with turn:
                return await arun(course, lambda asked: atried(self._chat, asked))

        return _in_order(len(cases), places, await asyncio.gather(*map(ask, courses)))

    def requests(self, cases: Sequence[Case]) -> list[DecisionRequest]:
        """What would be sent for these cases if every reply were as it should be; nothing is sent."""
        return [
            parts.request_for([cases[place] for place in group], both_orders=self.both_orders)
            for group in self._groups(cases)
        ]

    def _groups(self, cases: Sequence[Case]) -> list[list[int]]:
        """The places of the cases of each request; one with nothing to read is in none."""
        open_ = [place for place, case in enumerate(cases) if _readable(case)]
        batches = parts.batches([cases[place] for place in open_], self.claims_a_call)
        return [[open_[number] for number in batch] for batch in batches]

    def _courses(self, cases: Sequence[Case]) -> tuple[list[list[int]], list[Course]]:
        groups = self._groups(cases)
        return groups, [self._course([cases[place] for place in group]) for group in groups]

    def _course(self, cases: Sequence[Case]) -> Course:
        """Asks about all cases of a group, then alone about those without an answer, without the asking itself."""
        found, calls = yield from self._put(cases, again=False)
        readings = []
        for place, case in enumerate(cases):
            chances, spent = found.get(place), calls
            if chances is None or (_too_long(chances) and len(cases) > 1):
                alone, more = yield from self._put([case], again=True)
                chances, spent = alone.get(0, _Failure(_UNANSWERED)), (*calls, *more)
            if _too_long(chances) and len(case.pieces) > 1:
                readings.append((yield from self._in_parts(case)))
            else:
                readings.append(_reading(chances, spent))
        return readings

    def _in_parts(self, case: Case) -> Generator[DecisionRequest, Step, Reading]:
        """Asks about each half of evidence that is larger than the model's window, and puts the answers together."""
        first, second = halves(case.pieces)
        (one,) = yield from self._course([replace(case, pieces=first)])
        (two,) = yield from self._course([replace(case, pieces=second)])
        return merged(one, two, len(first))

    def _put(
        self, cases: Sequence[Case], *, again: bool
    ) -> Generator[DecisionRequest, Step, tuple[_Found, tuple[Call, ...]]]:
        """One request about all cases. A case that has not one answer to each of its questions is left out."""
        request = parts.request_for(cases, both_orders=self.both_orders, again=again)
        said = yield request
        if isinstance(said, LLMError):
            too_long = isinstance(said, LLMRejected) and "length" in said.refuses
            return dict.fromkeys(range(len(cases)), _Failure(str(said), too_long)), ()
        assert isinstance(said, DecisionReply)
        calls = (Call(request.key, said.input_tokens, said.output_tokens, said.cost),)
        if unread := parts.unread(request, said):
            return dict.fromkeys(range(len(cases)), _Failure(unread)), calls
        given = parts.matched(said.answers, [question.name for question in request.questions])
        found: _Found = {}
        for place in range(len(cases)):
            names = parts.names(place + 1, self.both_orders)
            if all(name in given for name in names):
                found[place] = _mean([parts.chances_of(given[name]) for name in names])
        return found, calls


def _too_long(chances: Mapping[Answer, float] | _Failure) -> bool:
    return isinstance(chances, _Failure) and chances.too_long


def _mean(said: Sequence[Mapping[Answer, float] | str]) -> Mapping[Answer, float] | _Failure:
    """The mean over all orders of the options; one that failed fails them all."""
    reasons = [one for one in said if isinstance(one, str)]
    if reasons:
        return _Failure(reasons[0])
    return parts.averaged([one for one in said if not isinstance(one, str)])


def _reading(chances: Mapping[Answer, float] | _Failure, calls: tuple[Call, ...]) -> Reading:
    if isinstance(chances, _Failure):
        return Reading.failed(chances.reason, calls)
    return Reading(State.SETTLED, parts.answer_of(chances), chances, note=_NOTE, calls=calls)


def _readable(case: Case) -> bool:
    return bool(case.claim.strip()) and any(piece.text.strip() for piece in case.pieces)


def _in_order(
    number: int, places: Sequence[Sequence[int]], found: Sequence[Sequence[Reading]]
) -> list[Reading]:
    readings = [_NOTHING_TO_READ] * number
    for group, said in zip(places, found, strict=True):
        for place, reading in zip(group, said, strict=True):
            readings[place] = reading
    return readings


def _prices(of_input: float | None, of_output: float | None) -> Prices | None:
    if of_input is None and of_output is None:
        return None
    if of_input is None or of_output is None or not (of_input >= 0 and of_output >= 0):
        raise ConfigError("price_per_million_input and price_per_million_output go together, each at least 0")
    return Prices(of_input, of_output)


def _check(name: str, value: object, holds: bool, expected: str) -> None:
    if not holds:
        raise ConfigError(f"{name} = {value!r}: expected {expected}")
