"""Counts of the processes of several machines go to a server that speaks the Redis protocol, and come from it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from verifier.core.state.base import WINDOW, Bucket, Minute, State
from verifier.core.state.redis import Connection

__all__ = ["StateServer"]

_PREFIX = "verifier:"

# Each script is one atomic step, timed by the server's clock. Numbers come back as text: as numbers they are cut.
_BUCKET = """
local now = redis.call('TIME')
now = now[1] + now[2] / 1e6
local size, asked, owed = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == '1'
local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(kept[1]) or size, tonumber(kept[2]) or now
left = math.min(size, left + math.max(0, now - at) * size / 60)
local wait = 0
if owed or left >= asked then left = left - asked else wait = (asked - left) * 60 / size end
redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((size - left) * 60000 / size) + 1000)
return tostring(wait)
"""

_SPEND = """
local now = redis.call('TIME')
now = now[1] + now[2] / 1e6
local key, asked, window = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[5])
local most, bound = tonumber(ARGV[3]), tonumber(ARGV[4])
for _, old in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - window)) do
  redis.call('ZREM', KEYS[1], old)
  redis.call('HDEL', KEYS[2], old)
end
local spent = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
local requests, tokens, until_ = #spent / 2 + 1, asked, now
for i = 1, #spent, 2 do tokens = tokens + tonumber(redis.call('HGET', KEYS[2], spent[i]) or 0) end
for i = 1, #spent, 2 do
  if (most < 0 or requests <= most) and (bound < 0 or tokens <= bound) then break end
  requests = requests - 1
  tokens = tokens - tonumber(redis.call('HGET', KEYS[2], spent[i]) or 0)
  until_ = spent[i + 1] + window
end
if until_ > now then return tostring(until_ - now) end
redis.call('ZADD', KEYS[1], string.format('%.6f', now), key)
redis.call('HSET', KEYS[2], key, asked)
redis.call('EXPIRE', KEYS[1], window + 1)
redis.call('EXPIRE', KEYS[2], window + 1)
return '0'
"""

_RESERVE = """
local n, sums = #ARGV / 2, {}
for i = 1, n do
  sums[i] = tonumber(redis.call('HGET', KEYS[1], i) or 0) + tonumber(ARGV[i])
  if ARGV[n + i] ~= '' and sums[i] > tonumber(ARGV[n + i]) then return i - 1 end
end
for i = 1, n do redis.call('HSET', KEYS[1], i, string.format('%.17g', sums[i])) end
redis.call('EXPIRE', KEYS[1], 40 * 86400)
return -1
"""

_SETTLE = (
    "if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end"
)


class StateServer(State):
    """The state on a server, for the processes of several machines.

    Args:
        address: ``redis://HOST:PORT/DB``.

    Raises:
        ConfigError: the address is none, or the server refuses the password.
        MissingExtra: the client is not installed.
        StateUnavailable: the server cannot be reached.
    """

    def __init__(self, address: str) -> None:
        self._server = Connection(address)

    def take(self, bucket: Bucket) -> float:
        """See ``State``."""
        return float(self._run(_BUCKET, [f"rate:{bucket.name}"], bucket.size, 1, 0))

    def charge(self, bucket: Bucket, tokens: int) -> None:
        """See ``State``."""
        self._run(_BUCKET, [f"rate:{bucket.name}"], bucket.size, tokens, 1)

    def spend(self, minute: Minute, tokens: int) -> tuple[float, str]:
        """See ``State``."""
        key = secrets.token_hex(8)
        bounds = [-1 if bound is None else bound for bound in (minute.requests, minute.tokens)]
        wait = float(self._run(_SPEND, _of(minute), key, tokens, *bounds, int(WINDOW)))
        return wait, "" if wait > 0 else key

    def settle(self, minute: Minute, key: str, tokens: int) -> None:
        """See ``State``."""
        self._run(_SETTLE, _of(minute)[1:], key, tokens)

    def reserve(self, name: str, amounts: Sequence[float], bounds: Sequence[float | None]) -> int | None:
        """See ``State``."""
        told = ["" if bound is None else bound for bound in bounds]
        passed = int(self._run(_RESERVE, [f"sum:{name}"], *amounts, *told))
        return None if passed < 0 else passed

    def close(self) -> None:
        """See ``State``."""
        self._server.close()

    def _run(self, script: str, keys: list[str], *given: Any) -> Any:
        names = [_PREFIX + key for key in keys]
        return self._server.call(lambda client: client.eval(script, len(names), *names, *given))


def _of(minute: Minute) -> list[str]:
    """When requests were let through, and what each took; braces keep both in one part of a cluster."""
    return [f"budget:{{{minute.name}}}:when", f"budget:{{{minute.name}}}:tokens"]
