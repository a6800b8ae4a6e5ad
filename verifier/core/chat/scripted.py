"""A chat model that replies by a script: for tests, notebooks and work offline."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path

from verifier.core.chat.counts import tokens_of
from verifier.core.chat.types import ChatReply, ChatRequest
from verifier.core.errors import ConfigError, LLMRejected

__all__ = ["Line", "ScriptedChat"]

Line = str | ChatReply | Exception
"""What a script holds: a reply, or an error to be raised."""


class ScriptedChat:
    """A chat model that replies by a script; the same script and requests give the same replies.

    Args:
        script: replies and errors in the order in which they are given, or a function from a request to one of them.
            A script that has come to its end raises ``LLMRejected``: nothing is made up.
        model: name of the model in replies and in ``identity``.
        repeat: start the script again at its end.

    Four bytes count as a token. ``requests`` holds what was asked, in order.

    >>> chat = ScriptedChat(["yes"])
    >>> chat.complete(ChatRequest("Answer.", "Is it so?")).text
    'yes'
    """

    def __init__(
        self,
        script: Iterable[Line] | Callable[[ChatRequest], Line],
        *,
        model: str = "scripted",
        repeat: bool = False,
    ) -> None:
        self.model, self.repeat = model, repeat
        self.requests: list[ChatRequest] = []
        self._rule = script if callable(script) else None
        self._lines = [] if callable(script) else list(script)
        self._given = 0
        self._lock = threading.Lock()

    @classmethod
    def load(cls, path: Path, *, model: str = "scripted", repeat: bool = False) -> ScriptedChat:
        """A script from a file: on each line a JSON string, or any other JSON value, whose text is the reply.

        Raises:
            ConfigError: the file cannot be read, or a line is no JSON.
        """
        try:
            values = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        except (OSError, ValueError) as error:
            raise ConfigError(f"cannot read the script {path}: expected JSON on each line") from error
        return cls(
            [value if isinstance(value, str) else json.dumps(value) for value in values],
            model=model,
            repeat=repeat,
        )

    @property
    def identity(self) -> str:
        """The provider, the model's name and, for a list of replies, a hash of them: another script, another model."""
        if self._rule is not None:
            return f"scripted:{self.model}"
        return f"scripted:{self.model}#{hashlib.sha256(repr(self._lines).encode()).hexdigest()[:12]}"

    def complete(self, request: ChatRequest) -> ChatReply:
        """The script's next line, or what its function says; an error in it is raised."""
        with self._lock:
            self.requests.append(request)
            line = None if self._rule else self._next()
        if self._rule is not None:
            line = self._rule(request)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, ChatReply):
            return line
        assert isinstance(line, str)
        asked = tokens_of(request.instructions) + tokens_of(request.text)
        return ChatReply(line, self.model, input_tokens=asked, output_tokens=tokens_of(line))

    async def acomplete(self, request: ChatRequest) -> ChatReply:
        """The same as :meth:`complete`."""
        return self.complete(request)

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The reply word by word, blanks kept."""
        yield from re.findall(r"\s*\S+|\s+", self.complete(request).text)

    async def astream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The same as :meth:`stream`."""
        for piece in self.stream(request):
            yield piece

    def _next(self) -> Line:
        if self.repeat and self._lines:
            self._given %= len(self._lines)
        if self._given >= len(self._lines):
            raise LLMRejected(f"the script of {self.model!r} has no reply number {self._given + 1}")
        self._given += 1
        return self._lines[self._given - 1]
