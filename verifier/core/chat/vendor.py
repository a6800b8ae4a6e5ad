"""What models over a vendor's client share: keys, clients for each thread or event loop, and translated errors."""

from __future__ import annotations

import asyncio
import os
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from verifier.core.chat.types import ChatReply, ChatRequest
from verifier.core.errors import LLMRejected, LLMUnavailable, LLMUnreachable
from verifier.core.registry import require

__all__ = ["Vendor", "VendorChat"]

_CONNECTING = 4.0
"""Seconds in which a connection has come about, or the server counts as not there."""

_NO_CONNECTION = frozenset({"ConnectError", "ConnectTimeout"})
"""What the vendors' clients have as the cause of an error where no connection came about."""

_BUSY = frozenset({408, 409, 425, 429})
"""Statuses below 500 after which the same request may succeed."""

_MALFORMED = frozenset({400, 422, 501})
"""Statuses of a request that holds what the server does not take."""

_BY_FIELD = ("response_format", "logprobs")
"""Fields of a request that llama-cpp-python refuses with status 500; a server that failed names no field."""

_PARTS = {
    "temperature": ("temperature",),
    "schema": ("response_format", "json_schema", "output_config", "schema", "grammar"),
    "logprobs": ("logprobs",),
    "length": (
        "context_length",
        "context length",
        "maximum context",
        "context window",
        "too long",
        "too many tokens",
    ),
}
"""The parts of a request that a server may not take, and the words by which its error names them."""

_USED_UP = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
"""Error codes that come with status 429 and that no waiting mends."""


class Vendor(ABC):
    """What the adapters of vendors' clients share. Nothing is retried here: see :class:`PatientChat` for that.

    The key is read from the environment when the client is made, and is neither stored nor shown by this class. A
    server of one's own (``base_url``) may do without a key.

    Args:
        model: the model's name, as the server knows it.
        base_url: where the server is; by default what the vendor's own variable says, or the vendor's server.
        timeout: seconds until a silent server counts as unavailable.
        key_env: the environment variable that holds the key; the vendor's own by default.
        client: a ready client of the vendor's package, instead of one made from the above.
        async_client: the same for event loops.
    """

    provider: ClassVar[str]
    """Import name of the vendor's package."""
    extra: ClassVar[str | None] = None
    """The extra that installs it; the provider's name by default."""
    headers_keyword: ClassVar[str] = "default_headers"
    """The keyword of the vendor's client that takes headers."""
    default_url: ClassVar[str]
    url_env: ClassVar[str]
    default_key_env: ClassVar[str]

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        timeout: float = 30.0,
        key_env: str | None = None,
        client: Any = None,
        async_client: Any = None,
    ) -> None:
        self.model, self.timeout = model, timeout
        self.key_env = key_env or self.default_key_env
        self._base_url = base_url
        self._given_client, self._given_async_client = client, async_client
        self._async_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Any] = WeakKeyDictionary()

    @property
    def base_url(self) -> str:
        """Where requests go."""
        return self._base_url or os.environ.get(self.url_env) or self.default_url

    @property
    def address(self) -> str:
        """The server's, without user, password and query."""
        given = self._given_client or self._given_async_client
        address = urlsplit(str(given.base_url) if hasattr(given, "base_url") else self.base_url)
        return f"{address.scheme}://{address.netloc.rpartition('@')[2]}{address.path.rstrip('/')}"

    @property
    def identity(self) -> str:
        """Provider, model and server, and never a key."""
        return f"{self.provider}:{self.model}@{self.address}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.identity}>"

    @cached_property
    def _package(self) -> ModuleType:
        return require(self.provider, extra=self.extra or self.provider)

    @cached_property
    def _client(self) -> Any:
        package = self._package
        if self._given_client is not None:
            return self._given_client
        return self._client_class(package, asynchronous=False)(**self._client_options())

    def _async_client(self) -> Any:
        """The client of the running loop: connections cannot outlive theirs, so none is kept open (``close``)."""
        package = self._package
        if self._given_async_client is not None:
            return self._given_async_client
        loop = asyncio.get_running_loop()
        if loop not in self._async_clients:
            self._async_clients[loop] = self._client_class(package, asynchronous=True)(
                **self._client_options(), **{self.headers_keyword: {"Connection": "close"}}
            )
        return self._async_clients[loop]

    @staticmethod
    @abstractmethod
    def _client_class(package: ModuleType, *, asynchronous: bool) -> Any:
        """The vendor's client class."""

    def _client_options(self) -> dict[str, Any]:
        key = os.environ.get(self.key_env, "").strip()
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise LLMRejected(f"what stands in {self.key_env} is no key")
        if not key and self.base_url == self.default_url:
            raise LLMRejected(
                f"no key for the model: set {self.key_env}, or base_url for a server without one"
            )
        return {
            "api_key": key or "none",
            "base_url": self.base_url,
            "timeout": self._timeouts(),
            "max_retries": 0,
        }

    def _timeouts(self) -> Any:
        """The client's time-outs: a connection comes about soon, or not at all."""
        return self._package.Timeout(self.timeout, connect=min(self.timeout, _CONNECTING))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turns what the vendor's client raises into our errors; no word of the vendor's gets into them."""
        timed_out, unreachable, refused, other = self._errors()
        try:
            yield
        except (timed_out, unreachable) as error:
            if type(error.__cause__).__name__ in _NO_CONNECTION:
                raise LLMUnreachable(
                    f"model {self.model!r} cannot be reached: no server answers at {self.address}; "
                    "is it running, and is that the base_url?"
                ) from error
            if isinstance(error, timed_out):
                raise LLMUnavailable(f"model {self.model!r} gave no answer in {self.timeout:g} s") from error
            raise LLMUnavailable(f"model {self.model!r} cannot be reached") from error
        except refused as error:
            raise self._of_status(error) from error
        except UnicodeEncodeError as error:
            raise LLMRejected("the text cannot be sent: it holds half a surrogate pair") from error
        except (other, ValueError, TypeError, KeyError, AttributeError) as error:
            # A reply of another shape than the client expects ends in whatever its reading stumbles over.
            raise LLMUnavailable(f"model {self.model!r} sent what is no answer") from error
        except Exception as error:
            if type(error).__module__.partition(".")[0] in {"httpx", "httpx2", "httpcore", "httpcore2"}:
                raise LLMUnavailable(f"model {self.model!r} broke off in the middle of its reply") from error
            raise

    def _errors(self) -> tuple[Any, Any, Any, Any]:
        """The vendor's errors: no answer in time, no connection, an error status, any other of its own."""
        package = self._package
        return package.APITimeoutError, package.APIConnectionError, package.APIStatusError, package.APIError

    def _told(self, error: Any) -> tuple[int, Any, Mapping[str, str]]:
        """Status, body and headers of an answer with an error status."""
        return error.status_code, error.body, error.response.headers

    def _of_status(self, error: Any) -> LLMRejected | LLMUnavailable:
        return self._of_answer(*self._told(error))

    def _of_answer(
        self, status: int, content: Any, headers: Mapping[str, str]
    ) -> LLMRejected | LLMUnavailable:
        """What an answer with an error status means, whether it came alone or stands in the results of a batch."""
        said = f"model {self.model!r} answered with status {status}"
        body = str(content or "")
        if status == 429 and any(code in body for code in _USED_UP):
            return LLMRejected(f"{said}: the quota is used up")
        malformed = status in _MALFORMED or (status == 500 and any(field in body for field in _BY_FIELD))
        if status in _BUSY or (status >= 500 and not malformed):
            return LLMUnavailable(said, retry_after=_retry_after(headers))
        if status in (401, 403):
            return LLMRejected(f"{said}: the key of {self.key_env} is not accepted")
        if status == 404:
            return LLMRejected(f"{said}: no such model, or no such service at {self.address}")
        if status == 413:
            return LLMRejected(said, refuses={"length"})
        refuses = {part for part, words in _PARTS.items() if any(word in body for word in words)}
        return LLMRejected(said, refuses=refuses if malformed else ())


class VendorChat(Vendor):
    """A chat model over a vendor's client.

    Args:
        model: the model's name, as the server knows it.
        send_temperature: ``False`` for models that refuse every temperature. ``identity`` says so.
        others: see :class:`Vendor`.
    """

    def __init__(self, model: str, *, send_temperature: bool = True, **others: Any) -> None:
        super().__init__(model, **others)
        self.send_temperature = send_temperature

    @property
    def identity(self) -> str:
        """Provider, model and server, and what of a request is not sent."""
        return super().identity + ("" if self.send_temperature else " without temperature")

    def complete(self, request: ChatRequest) -> ChatReply:
        """The reply to ``request``, as it stands.

        Raises:
            MissingExtra: the vendor's package is not installed.
            ConfigError: a schema that the vendor does not know how to follow.
            LLMUnavailable: no connection, time-out, rate limit, a failing server, or what is no answer.
            LLMRejected: a wrong key, model or request.
            LLMRefused: the model declined, or its reply was cut off at a limit.
        """
        client, keywords = self._client, self._keywords(request)
        with self._translated():
            return self._read(self._call(client, keywords))

    async def acomplete(self, request: ChatRequest) -> ChatReply:
        """The same as :meth:`complete`, for an event loop."""
        client, keywords = self._async_client(), self._keywords(request)
        with self._translated():
            return self._read(await self._call(client, keywords))

    def stream(self, request: ChatRequest) -> Iterator[str]:
        """The pieces of the reply, as they come; one that breaks off raises, as :meth:`complete` does."""
        client, keywords = self._client, {**self._keywords(request), "stream": True}
        ending: dict[str, str] = {}
        with self._translated():
            with self._call(client, keywords) as events:
                for event in events:
                    if piece := self._piece(event, ending):
                        yield piece
            self._check_ending(ending)

    async def astream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The same as :meth:`stream`, for an event loop."""
        client, keywords = self._async_client(), {**self._keywords(request), "stream": True}
        ending: dict[str, str] = {}
        with self._translated():
            async with await self._call(client, keywords) as events:
                async for event in events:
                    if piece := self._piece(event, ending):
                        yield piece
            self._check_ending(ending)

    @abstractmethod
    def _keywords(self, request: ChatRequest) -> dict[str, Any]:
        """The request as keywords of the vendor's client."""

    @abstractmethod
    def _call(self, client: Any, keywords: Mapping[str, Any]) -> Any:
        """The vendor's call; a reply, a stream, or what the asynchronous client gives to be awaited."""

    @abstractmethod
    def _read(self, reply: Any) -> ChatReply:
        """The vendor's reply as ours."""

    def _of_another_protocol(self) -> LLMUnavailable:
        """For what came whole and is none of the vendor's replies: a page, or the reply to another question."""
        return LLMUnavailable(
            f"model {self.model!r} sent what is no answer: does {self.address} speak the API of {self.provider}?"
        )

    @abstractmethod
    def _piece(self, event: Any, ending: dict[str, str]) -> str:
        """The text of one event of a stream; why the model stopped is put into ``ending["reason"]``."""

    @abstractmethod
    def _check_reason(self, reason: str, *, input_tokens: int = 0, output_tokens: int = 0) -> None:
        """Raises ``LLMRefused`` where a model stopped for any reason but being done."""

    def _check_ending(self, ending: Mapping[str, str]) -> None:
        if "reason" not in ending:
            raise LLMUnavailable(f"model {self.model!r} broke off in the middle of its reply")
        self._check_reason(ending["reason"])

    def _of_answer(
        self, status: int, content: Any, headers: Mapping[str, str]
    ) -> LLMRejected | LLMUnavailable:
        found = super()._of_answer(status, content, headers)
        refuses = found.refuses if isinstance(found, LLMRejected) else frozenset()
        if status == 400 and self.send_temperature and "temperature" in refuses:
            message = f"{found}: it takes no such temperature (send_temperature = false sends none)"
            return LLMRejected(message, refuses=refuses)
        return found


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds from now that the server asks to wait: milliseconds, seconds or a date; ``None`` for none."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after", "")
        if value.strip().isdigit():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
