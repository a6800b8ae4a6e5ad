"""Self-consistency: sample several answers of a chat model, compare them, and choose one."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from verifier.core.chat import ChatModel, ChatReply, ChatRequest, atried, tried
from verifier.core.course import arun, run
from verifier.core.errors import ConfigError, LLMError, LLMUnavailable
from verifier.guard.consistency.disagreements import with_disagreements
from verifier.guard.consistency.rate import rate_candidates
from verifier.guard.consistency.result import ConsistencyResult, Failure
from verifier.guard.consistency.select import Choice
from verifier.guard.consistency.similarity import Similarity
from verifier.verification.scorer import VerifiedScorer

__all__ = ["MAX_SAMPLES", "SamplingPlan", "SelfConsistency"]

MAX_SAMPLES = 20

_Round = Sequence[ChatRequest]
_Outcome = ChatReply | LLMError


@dataclass(frozen=True)
class SamplingPlan:
    """How many answers are asked for, and how warm.

    Args:
        num_samples: answers, 1 to 20.
        temperature: of the model, 0 to 2; at 0 most models give the same answer again and again.
        adaptive: ask in rounds, for ``first`` answers, then for the rest of ``num_samples``, then for further ones up
            to ``most`` at ``warmer_temperature``, and stop as soon as all answers so far are unanimous.
        first, most: see ``adaptive``.
        warmer_temperature: of the last round, so that it finds what the others did not; ``None``: ``temperature``.
        parallel: requests under way at a time.
    """

    num_samples: int = 5
    temperature: float = 0.7
    adaptive: bool = False
    first: int = 3
    most: int = 10
    warmer_temperature: float | None = None
    parallel: int = 5

    def __post_init__(self) -> None:
        for name, value, low in (
            ("num_samples", self.num_samples, 1),
            ("first", self.first, 2),
            ("most", self.most, 1),
        ):
            if not low <= value <= MAX_SAMPLES:
                raise ConfigError(f"{name} = {value}: expected {low} to {MAX_SAMPLES}")
        for temperature in (self.temperature, self.warmer_temperature):
            if temperature is not None and not 0 <= temperature <= 2:
                raise ConfigError(f"temperature = {temperature}: expected 0 to 2")
        if self.parallel < 1:
            raise ConfigError(f"parallel = {self.parallel}: expected at least 1")

    def rounds(self) -> list[tuple[int, float]]:
        """How many answers are to be asked for in all after each round, and at which temperature."""
        if not self.adaptive:
            return [(self.num_samples, self.temperature)]
        warmer = self.temperature if self.warmer_temperature is None else self.warmer_temperature
        steps = [(self.first, self.temperature), (self.num_samples, self.temperature), (self.most, warmer)]
        return [
            step for at, step in enumerate(steps) if step[0] > max([0, *(total for total, _ in steps[:at])])
        ]


@dataclass
class _Samples:
    """What has come back so far: the answers in the order in which they were asked for, and what failed."""

    answers: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    @property
    def asked(self) -> int:
        return len(self.answers) + len(self.failures)

    def take(self, outcomes: Sequence[_Outcome]) -> None:
        for outcome in outcomes:
            if isinstance(outcome, LLMError):
                self.failures.append(Failure(self.asked, str(outcome)))
            elif outcome.text.strip():
                self.answers.append(outcome.text)
            else:
                self.failures.append(Failure(self.asked, "the answer is blank"))


class SelfConsistency:
    """Asks a model the same question several times and takes the answer that the others bear out (Wang et al. 2023,
    arXiv:2203.11171, with similarity in the place of equality, so that free text can be compared).

    One answer that fails does not lose the others; it is listed in the result.

    Args:
        chat: the model. The temperature of the plan is sent with every request.
        similarity: how alike two answers are.
        plan: how many answers, and how warm.
        among: where the best is sought.
        scorer: where given, the claims of the best are checked against the other answers.
    """

    def __init__(
        self,
        chat: ChatModel,
        similarity: Similarity,
        plan: SamplingPlan = SamplingPlan(),
        *,
        among: Choice = Choice.ALL,
        scorer: VerifiedScorer | None = None,
    ) -> None:
        self._chat, self._similarity, self.plan = chat, similarity, plan
        self._among, self._scorer = among, scorer

    def run(self, prompt: str, *, instructions: str = "", max_tokens: int | None = None) -> ConsistencyResult:
        """Ask and compare.

        Raises:
            LLMUnavailable: no answer came back at all; the message tells why the last one failed.
            SignalError: the answers could not be compared.
        """
        return run(self._course(ChatRequest(instructions, prompt, max_tokens=max_tokens)), self._ask_all)

    async def arun(
        self, prompt: str, *, instructions: str = "", max_tokens: int | None = None
    ) -> ConsistencyResult:
        """The same as :meth:`run`, for an event loop; what is reckoned between the requests leaves it free."""
        request = ChatRequest(instructions, prompt, max_tokens=max_tokens)
        return await arun(self._course(request), self._aask_all, in_thread=True)

    def _course(self, request: ChatRequest) -> Generator[_Round, list[_Outcome] | None, ConsistencyResult]:
        """Which requests are put next, without putting them: yields them and is sent what became of each."""
        samples, result = _Samples(), None
        for total, temperature in self.plan.rounds():
            outcomes = yield [replace(request, temperature=temperature)] * (total - samples.asked)
            assert outcomes is not None
            samples.take(outcomes)
            if samples.answers:
                result = rate_candidates(
                    samples.answers, self._similarity, among=self._among, failures=samples.failures
                )
                if result.is_unanimous:
                    break
        if result is None:
            last = samples.failures[-1].reason
            raise LLMUnavailable(f"none of {samples.asked} samples gave an answer; the last: {last}")
        return result if self._scorer is None else with_disagreements(result, self._scorer, request.text)

    def _ask_all(self, asked: _Round) -> list[_Outcome]:
        with ThreadPoolExecutor(min(self.plan.parallel, len(asked))) as pool:
            running = [pool.submit(contextvars.copy_context().run, tried, self._chat, one) for one in asked]
            return [future.result() for future in running]

    async def _aask_all(self, asked: _Round) -> list[_Outcome]:
        free = asyncio.Semaphore(self.plan.parallel)

        async def one(request: ChatRequest) -> _Outcome:
            async with free:
                return await atried(self._chat, request)

        return await asyncio.gather(*(one(request) for request in asked))
