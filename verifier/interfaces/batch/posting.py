"""Send the requests of a post box to a vendor by batches, wait for the results, and put them back into the box."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from verifier.core.chat.adaptive import AdaptiveChat, without_parts
from verifier.core.chat.batching import BatchModel, BatchState, Outcome
from verifier.core.chat.patient import PatientChat
from verifier.core.chat.translate import tried
from verifier.core.errors import LLMError, LLMRefused, LLMRejected, LLMUnavailable
from verifier.knowledge.records import Progress
from verifier.readers.postbox import Batch, PostBox

__all__ = ["PostOffice", "cancelled"]

_TRIED_OUT = 3
"""Requests of which one must be taken when they are put directly, before the others go off."""

_READINGS = 10
"""Times that results are read which lack something before what is missing counts as failed."""

_PATIENCE = 3600.0
"""Seconds for which a vendor may be out of reach before the run stops."""

_HALVINGS = 12
"""Times in a row that a batch is made smaller for a full queue before the run stops."""

_GO_ON = "go on with --resume"
_GIVEN_UP = "the batches of the run were cancelled"


class PostOffice:
    """See the module. What is under way is noted in the box at each step, so that another run can go on with it.

    Args:
        box: the requests.
        model: takes batches.
        live: the same model, asked directly: a few requests, to see whether it can be asked at all.
        poll: seconds between two looks at what is under way.
        tell: told of what goes off and comes back, a line at a time.
        progress: told of requests with an outcome, stage ``replies``.
        sleep, clock: seconds; replaced in tests.
    """

    def __init__(
        self,
        box: PostBox,
        model: BatchModel,
        live: PatientChat,
        *,
        poll: float = 60.0,
        tell: Callable[[str], None] = lambda _line: None,
        progress: Progress | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._box, self._model, self._live = box, model, live
        self._poll, self._tell, self._progress = poll, tell, progress
        self._sleep, self._clock = sleep, clock
        self._away_since: float | None = None

    # --- off -------------------------------------------------------------------------------------------------------

    def send(self, *, rest: bool) -> None:
        """Send full batches; with ``rest``, whatever there is.

        Raises:
            LLMError: the model cannot be asked, or takes no batches.
        """
        while self._is_full() or (rest and self._box.unsent()[0]):
            under_way = self._box.batches()
            if any(batch.id is None for batch in under_way) or (self._halved() and under_way):
                return  # the vendor is out of reach, or its queue was full: one after the other
            self._try_out()
            batch = self._box.pack(self._most_requests(), self._model.most_bytes)
            if batch is None:
                return
            self._submit(batch)

    def _is_full(self) -> bool:
        count, size = self._box.unsent()
        return count >= self._model.most_requests or size >= self._model.most_bytes

    def _halved(self) -> int:
        return int(self._box.note("halved") or 0)

    def _most_requests(self) -> int:
        return max(1, self._model.most_requests >> self._halved())

    def _try_out(self) -> None:
        """Put a first request directly: a wrong key or model shows now, and what the server does not take.

        Raises:
            LLMError: none of the first few is taken.
        """
        if self._box.note("refused") is not None:
            return
        said: list[tuple[str, Outcome]] = []
        for key, request in self._box.first_unsent(_TRIED_OUT):
            outcome = tried(self._live, request)
            if isinstance(outcome, LLMUnavailable):
                raise LLMUnavailable(f"{outcome}; no batch was sent: {_GO_ON}")
            said.append((key, outcome))
            if not _is_rejected(outcome):
                break
        else:
            if said and isinstance(error := said[-1][1], LLMError):
                raise error
            return
        inner = self._live.inner
        refused = inner.refused if isinstance(inner, AdaptiveChat) else frozenset()
        self._box.settle(said)
        self._box.keep("refused", json.dumps(sorted(refused)))

    def _submit(self, batch: Batch) -> None:
        """Send a batch; where it is not known whether the vendor has it, it stays without an id.

        Raises:
            LLMRejected: the vendor takes no such batch.
        """
        with tempfile.TemporaryDirectory() as folder:
            lines = Path(folder, "requests")
            count = self._written(batch, lines)
            batch = self._box.update(batch, requests=count)
            if not count:
                return
            try:
                id_ = self._model.submit(batch.name, lines)
            except LLMUnavailable as error:
                self._out_of_reach(error)
                return
            except LLMRejected as error:
                self._box.put_back(batch)
                raise LLMRejected(
                    f"no batch was taken: {error}; OpenAI and Anthropic have a batch endpoint, a server that speaks "
                    "their protocols may have none"
                ) from error
        self._box.update(batch, id=id_)
        self._away_since = None
        self._tell(f"batch {id_}: {count} requests sent, to be answered within 24 hours")

    def _written(self, batch: Batch, lines: Path) -> int:
        """Write the requests of a batch to a file, and fail those that are too large for any; how many were written."""
        refused = frozenset(json.loads(self._box.note("refused") or "[]"))
        count = 0
        with open(lines, "w", encoding="ascii") as file:
            for key, request in self._box.requests_of(batch):
                line = self._model.line(f"{batch.name}-{key}", without_parts(request, refused))
                if len(line) > self._model.most_bytes:
                    too_large = LLMRejected("the request is too large for a batch", refuses={"length"})
                    self._box.settle([(key, too_large)])
                    continue
                file.write(line + "\n")
                count += 1
        return count

    # --- and back --------------------------------------------------------------------------------------------------

    def wait(self) -> None:
        """Wait until something has come of a request; not at all where none is under way.

        Raises:
            LLMError: the vendor is out of reach for an hour, or does not know a batch any more.
        """
        before = self._box.counts()[1]
        while batches := self._box.batches():
            for batch in batches:
                self._look_after(batch)
            self._show()
            if self._box.counts()[1] < before or not self._box.batches():
                return
            self._sleep(self._poll)

    def _look_after(self, batch: Batch) -> None:
        try:
            if batch.id is None:
                self._recover(batch)
                return
            state = self._model.state(batch.id)
            self._away_since = None
            if state.full:
                self._make_smaller(batch)
            elif state.ended:
                self._collect(batch, state)
            elif state.done != batch.done:
                self._box.update(batch, done=state.done)
        except LLMUnavailable as error:
            self._out_of_reach(error)
        except LLMRejected as error:
            raise LLMRejected(
                f"{error} (it was asked about batch {batch.id}: is this the key that sent it?)"
            ) from error

    def _recover(self, batch: Batch) -> None:
        """Find a batch that may or may not have arrived among those of the vendor; send it again where it has not."""
        known = {*self._box.known_ids(), *batch.foreign_ids}
        found = self._model.candidates(batch.name, batch.requests, batch.since)
        new = [id_ for id_ in found if id_ not in known]
        if not new:
            if self._box.given_up:
                self._box.put_back(batch)
                self._box.give_up(_GIVEN_UP)
            else:
                self._submit(batch)
            return
        self._box.update(batch, id=new[0], sure=self._model.marks)
        self._tell(f"batch {new[0]} had arrived, and is waited for")

    def _make_smaller(self, batch: Batch) -> None:
        """Put a batch back for which the vendor's queue had no room, and send less at a time."""
        halved = self._halved() + 1
        self._box.put_back(batch)
        if halved > _HALVINGS:
            self._box.keep("halved", "0")
            raise LLMUnavailable(f"the vendor's queue for the model stays full: {_GO_ON} later")
        self._box.keep("halved", str(halved))
        self._tell(
            f"batch {batch.id}: the vendor's queue is full; at most {self._most_requests()} requests are sent at a time"
        )
        self._sleep(self._poll)

    def _collect(self, batch: Batch, state: BatchState) -> None:
        """Put the results of a batch into the box, those that are missing or said twice as failures."""
        keys = set(self._box.keys_of(batch))
        found, whole = self._read(batch)
        own = {key: outcome for key, outcome in found.items() if key in keys}
        if not batch.sure and found and not own:
            self._forget(batch)
            return
        lacking = len(own) < len(keys)
        if ((lacking and not state.missing) or not whole) and batch.tries < _READINGS:
            self._box.update(batch, tries=batch.tries + 1)
            return
        reason = state.missing or "the vendor's results lack it"
        lost = [(key, LLMUnavailable(reason)) for key in sorted(keys - own.keys())]
        self._box.settle([*own.items(), *lost], ended=batch)
        self._tell(f"batch {batch.id}: {len(own)} of {len(keys)} requests have a result")

    def _read(self, batch: Batch) -> tuple[dict[str, Outcome], bool]:
        """The results of a batch by key, and whether they could be read to their end.

        Raises:
            LLMUnavailable: none could be read.
        """
        found: dict[str, Outcome] = {}
        try:
            for name, outcome in self._results(batch):
                twice = LLMUnavailable("the vendor's results name it twice")
                found[name] = twice if name in found else outcome
        except LLMUnavailable:
            if not found:
                raise
            return found, False
        return found, True

    def _results(self, batch: Batch) -> Iterator[tuple[str, Outcome]]:
        """Each result with the key of its request; one of another batch keeps its whole name."""
        for name, outcome in self._model.results(batch.id or ""):
            yield name.removeprefix(f"{batch.name}-"), outcome

    def _forget(self, batch: Batch) -> None:
        """What was taken for a batch of ours is another one."""
        foreign = json.dumps([*batch.foreign_ids, batch.id])
        self._box.update(batch, id=None, foreign_ids=foreign, sure=True)

    def _out_of_reach(self, error: LLMUnavailable) -> None:
        """Go on waiting for a vendor that cannot be asked now.

        Raises:
            LLMUnavailable: it has been so for an hour.
        """
        now = self._clock()
        if self._away_since is None:
            self._away_since = now
            self._tell(f"{error}; it is asked again every {self._poll:g} s")
        elif now - self._away_since > _PATIENCE:
            raise LLMUnavailable(f"{error}, for an hour now: {_GO_ON} later") from error

    def _show(self) -> None:
        if self._progress is not None:
            requests, unanswered = self._box.counts()
            done = sum(batch.done for batch in self._box.batches())
            self._progress("replies", requests - unanswered + done, requests)


def cancelled(box: PostBox, model: BatchModel) -> int:
    """Have the vendor answer no further request of a box, and put none any more; how many batches were under way.

    Raises:
        LLMError: the vendor could not be told.
    """
    box.give_up(_GIVEN_UP)
    count = 0
    for batch in box.batches():
        known = {*box.known_ids(), *batch.foreign_ids}
        if batch.id is None and model.marks:
            ids = [
                id_ for id_ in model.candidates(batch.name, batch.requests, batch.since) if id_ not in known
            ]
        else:
            ids = [batch.id] if batch.id is not None and batch.sure else []
        for id_ in ids:
            box.update(batch, id=id_)
            model.cancel(id_)
            count += 1
        if not ids and model.marks:
            box.put_back(batch)  # it never arrived
    box.give_up(_GIVEN_UP)
    return count


def _is_rejected(outcome: Outcome) -> bool:
    """Whether a request was not taken for a reason that others may share."""
    own = isinstance(outcome, LLMRefused) or (
        isinstance(outcome, LLMRejected) and "length" in outcome.refuses
    )
    return isinstance(outcome, LLMRejected) and not own
