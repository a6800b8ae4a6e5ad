"""A local server that speaks ``/v1/systemone`` and ``/v1/decisions``, with scripted faults.

The vendors' real clients talk to it, and their own models say what it understands: an unknown route or field is a
problem, and fails the test. Each request takes the next step of ``script``; without one it is answered honestly, by
``judge``. What it read of a request (evidence by number, claims, options in their order) stands in ``requests``.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from openai.types.decision import Decision
from openai.types.decision_create_params import (
    DecisionCreateParams,
    QuestionQuestionParamChoice,
    QuestionQuestionParamChoiceChoice,
)
from pydantic import BaseModel, TypeAdapter, ValidationError
from typesafe_sdk._schemas import models as wire

from tests.support.llm_server import Answer

__all__ = ["Answered", "Asked", "DecisionServer", "Edit", "Received", "Step", "by_words", "decision_server"]

Protocol = Literal["systemone", "decisions"]
ROUTES: Mapping[str, Protocol] = {"/v1/systemone": "systemone", "/v1/decisions": "decisions"}
SUPPORTED, CONTRADICTED, NOT_MENTIONED = "supported", "contradicted", "not mentioned"


@dataclass(frozen=True)
class Asked:
    """One question, read from the wire: its claim, and the texts of the pieces whose numbers it names."""

    name: str
    claim: str
    objection: str
    pieces: Mapping[int, str]
    options: tuple[str, ...]


@dataclass
class Answered:
    """One answer, in neither protocol yet; ``choice`` is the most probable option unless another is given."""

    name: Any
    probabilities: dict[str, Any]
    choice: Any = None
    kind: str = "choice"


@dataclass(frozen=True)
class Received:
    """What a client sent."""

    protocol: Protocol
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    questions: tuple[Asked, ...]
    evidence: Mapping[int, tuple[str, str]] = field(default_factory=dict)

    @property
    def state(self) -> str:
        """What all questions are about."""
        return str(self.body["state" if self.protocol == "systemone" else "input"])

    @property
    def tokens(self) -> int:
        """By the usual estimate."""
        return len(json.dumps(self.body, ensure_ascii=False).encode("utf-8", "surrogatepass")) // 4

    @property
    def key(self) -> str:
        """The key that came with it."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")


Edit = Callable[[list[Answered]], list[Answered]]
"""Makes other answers of the honest ones."""
Step = Answer | Edit
Judge = Callable[[Asked], Mapping[str, float]]


def by_words(asked: Asked) -> Mapping[str, float]:
    """Supported where a piece holds the claim, contradicted where one shares most of its words, else not mentioned."""
    claim = asked.claim.strip(" .").casefold()
    words = set(re.findall(r"\w+", claim))
    if any(claim in text.casefold() for text in asked.pieces.values()):
        return {SUPPORTED: 0.9, CONTRADICTED: 0.04, NOT_MENTIONED: 0.06}
    for text in asked.pieces.values():
        if 2 * len(words & set(re.findall(r"\w+", text.casefold()))) > len(words):
            return {SUPPORTED: 0.1, CONTRADICTED: 0.7, NOT_MENTIONED: 0.2}
    return {SUPPORTED: 0.05, CONTRADICTED: 0.15, NOT_MENTIONED: 0.8}


class DecisionServer(ThreadingHTTPServer):
    """The server; see the module.

    ``window`` is how many tokens it reads, silently; over ``longest`` it refuses with
    status ``too_long``. ``usage`` is put over the usage that
    it tells, and ``None`` there takes a field away. ``always`` is done at each request, ``script`` before it.
    """

    daemon_threads = True
    request_queue_size = 128  # with the 5 of the library, a busy machine refuses clients
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.judge: Judge = by_words
        self.script: list[Step] = []
        self.always: Step | None = None
        self.key: str | None = None
        self.models = frozenset(["d-1"])
        self.window: int | None = None
        self.longest: int | None = None
        self.too_long = 400
        self.usage: dict[str, Any] = {}
        self.requests: list[Received] = []
        self.problems: list[str] = []
        self._released = threading.Event()
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """Base URL for both readers."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def release(self) -> None:
        """Let go of every connection that waits."""
        self._released.set()

    def wait(self, seconds: float) -> bool:
        """Whether the wait came to its end, and not to the server's."""
        return not self._released.wait(seconds)

    def take(self, request: Received) -> Step | None:
        """Record ``request`` and give what is to be done with it."""
        with self._lock:
            self.requests.append(request)
            return self.script.pop(0) if self.script else self.always


@contextmanager
def decision_server() -> Iterator[DecisionServer]:
    """A running server; at the end, what it could not understand fails the test."""
    with DecisionServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.release()
            server.shutdown()
            thread.join()
    assert server.problems == []


class _Handler(BaseHTTPRequestHandler):
    server: DecisionServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        self.close_connection = True
        protocol = ROUTES.get(self.path)
        if protocol is None or "Content-Encoding" in self.headers:
            self.server.problems.append(f"unknown route or encoding: {self.path}")
            self._send(404, b"{}")
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.loads(content)
        self.server.problems += _problems(protocol, body)
        try:
            request = _received(protocol, headers, body)
        except (AssertionError, KeyError, ValueError) as error:
            self.server.problems.append(f"not the form of a question about claims: {error!r}")
            self._send(400, b"{}")
            return
        step = self.server.take(request)
        with suppress(ConnectionError):  # a client that did not wait
            if isinstance(step, Answer):
                self._fail(step)
            else:
                self._answer(request, step)

    def do_GET(self) -> None:
        self.server.problems.append(f"unknown route GET {self.path}")
        self._send(404, b"{}")

    def _fail(self, answer: Answer) -> None:
        if answer.delay and not self.server.wait(answer.delay):
            return
        if not answer.dropped:
            self._send(answer.status, answer.body or b"", answer.headers, drip=answer.drip)

    def _answer(self, request: Received, edit: Edit | None) -> None:
        server = self.server
        if server.key is not None and request.key != server.key:
            return self._send(401, _error(f"Incorrect API key provided: {request.key}"))
        if request.body["model"] not in server.models:
            return self._send(404, _error("The model does not exist"))
        if server.longest is not None and request.tokens > server.longest:
            return self._send(
                server.too_long, _error(f"This model's maximum context length is {server.longest} tokens")
            )
        answers = [Answered(asked.name, dict(server.judge(asked))) for asked in request.questions]
        usage = {
            "input_tokens": min(request.tokens, server.window or request.tokens),
            "output_tokens": len(answers),
        }
        render = _systemone if request.protocol == "systemone" else _decisions
        body = render(request, edit(answers) if edit else answers, usage, server.usage)
        if edit is None and not server.usage:
            server.problems += _reply_problems(request.protocol, body)
        return self._send(200, body)

    def _send(
        self, code: int, body: bytes, headers: Mapping[str, str] | None = None, *, drip: float = 0.0
    ) -> None:
        """Sends an answer; half of it where the headers say ``Cut``, a byte at a time with ``drip`` seconds between."""
        others = dict(headers or {})
        sent = len(body) // 2 if others.pop("Cut", None) else len(body)
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", **others}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        step = 1 if drip else sent or 1
        for at in range(0, sent, step):
            self.wfile.write(body[at : at + step])
            if drip and not self.server.wait(drip):
                return

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _error(message: str) -> bytes:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error"}}).encode()


def _problems(protocol: Protocol, body: Mapping[str, Any]) -> Iterator[str]:
    """What a real server would refuse, or not understand, by the clients' own models."""
    try:
        if protocol == "systemone":
            wire.SystemOneRequest.model_validate(body)
        else:
            checked: Any = TypeAdapter(DecisionCreateParams).validate_python(body)
            for question in checked["questions"]:
                list(question.get("choices", ()))
    except ValidationError as error:
        yield str(error)
        return
    if protocol == "systemone":
        yield from _unknown(body, wire.SystemOneRequest.model_fields)
        for question in body["questions"].values():
            yield from _unknown(question, wire.ChoiceQuestion.model_fields)
        return
    yield from _unknown(body, DecisionCreateParams.__annotations__)
    for question in body["questions"]:
        yield from _unknown(question, QuestionQuestionParamChoice.__annotations__)
        for choice in question.get("choices", ()):
            yield from _unknown(choice, QuestionQuestionParamChoiceChoice.__annotations__)


def _unknown(body: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"unknown field {name}" for name in body.keys() - known.keys())


_LINE = re.compile(r"^(\d+) (\".*)$")
_CLAIM = re.compile(r"^Judge this claim by evidence ([\d, -]+) alone: (\".*\")$")
_OBJECTION = re.compile(r"^Against an earlier answer to it stands: (\".*\")$")


def _received(protocol: Protocol, headers: Mapping[str, str], body: Mapping[str, Any]) -> Received:
    """The request as it is meant, so that a test fails where a text of others can be taken for something else."""
    state = body["state"] if protocol == "systemone" else body["input"]
    _, code_line, opening, *lines, closing = state.split("\n")
    code = code_line.removeprefix("CODE ")
    assert (opening, closing) == (f"<<<EVIDENCE {code}>>>", f"<<<END {code}>>>")
    evidence = dict(map(_piece, lines))
    asked = (
        body["questions"].items()
        if protocol == "systemone"
        else [(question["name"], question) for question in body["questions"]]
    )
    questions = tuple(_asked(name, question, evidence) for name, question in asked)
    return Received(protocol, headers, body, questions, evidence)


def _piece(line: str) -> tuple[int, tuple[str, str]]:
    found = _LINE.match(line)
    assert found, line
    label, end = json.JSONDecoder().raw_decode(found[2])
    return int(found[1]), (label, json.loads(found[2][end + 1 :]))


def _asked(name: str, question: Mapping[str, Any], evidence: Mapping[int, tuple[str, str]]) -> Asked:
    claim_line, *more = question["instructions"].split("\n")
    claim = _CLAIM.match(claim_line)
    assert claim, question
    assert len(more) <= 1, question
    objection = _OBJECTION.match(more[0]) if more else None
    numbers = [number for part in claim[1].split(", ") for number in _numbers(part)]
    options = question.get("criteria") or [choice["value"] for choice in question["choices"]]
    pieces = {number: evidence[number][1] for number in numbers}
    said = json.loads(objection[1]) if objection else ""
    return Asked(name, json.loads(claim[2]), said, pieces, tuple(options))


def _numbers(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)


def _chosen(answer: Answered) -> Any:
    return answer.choice or max(answer.probabilities, key=lambda one: answer.probabilities[one])


def _systemone(
    request: Received, answers: Sequence[Answered], usage: dict[str, Any], others: Mapping[str, Any]
) -> bytes:
    """The reply as text, so that an id may stand twice."""
    said = []
    for answer in answers:
        given: dict[str, Any] = {"type": answer.kind}
        if answer.kind == "choice":
            chosen = _chosen(answer)
            given |= {"choice": chosen, "confidence": 0.5, "probabilities": answer.probabilities}
        said.append(f"{json.dumps(answer.name)}: {json.dumps(given)}")
    told = {name: value for name, value in {**usage, **others}.items() if value is not None}
    model, joined = json.dumps(request.body["model"]), ", ".join(said)
    return f'{{"model": {model}, "answers": {{{joined}}}, "usage": {json.dumps(told)}}}'.encode()


def _decisions(
    request: Received, answers: Sequence[Answered], usage: dict[str, Any], others: Mapping[str, Any]
) -> bytes:
    said = []
    for answer in answers:
        given: dict[str, Any] = {"type": answer.kind, "name": answer.name}
        if answer.kind == "choice":
            chances = [{"value": one, "probability": chance} for one, chance in answer.probabilities.items()]
            given |= {"choice": _chosen(answer), "confidence": 0.5, "probabilities": chances}
        said.append(given)
    details = {
        "total_tokens": sum(usage.values()),
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    told = {name: value for name, value in {**usage, **details, **others}.items() if value is not None}
    return json.dumps({"answers": said, "model": request.body["model"], "usage": told}).encode()


def _reply_problems(protocol: Protocol, body: bytes) -> Iterator[str]:
    """Where this server itself does not keep to the protocol."""
    model: type[BaseModel] = wire.SystemOneResponse if protocol == "systemone" else Decision
    try:
        model.model_validate_json(body)
    except ValidationError as error:
        yield str(error)
