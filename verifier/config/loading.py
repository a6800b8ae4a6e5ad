"""Load the configuration: defaults, a file, the environment and the command line become one validated ``Settings``.

Later layers win: defaults < file (TOML or YAML) < ``VERIFIER_*`` variables < command line. A component's table
(``[backend]``, ``[signals.nli]``) is its constructor's keywords; ``verifier.factory`` checks them against it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from verifier.config.base import said_of
from verifier.config.sections import Section, Settings
from verifier.core.errors import ConfigError

__all__ = ["DEFAULT_FILES", "Configuration", "left_out", "load"]

DEFAULT_FILES = ("verifier.toml", "verifier.yaml", "verifier.yml")
"""Looked for in the working directory, in this order, when no file is named."""

ENV_PREFIX = "VERIFIER_"
ENV_NOT_SETTINGS = frozenset({"VERIFIER_CACHE_DIR", "VERIFIER_CONFIG", "VERIFIER_DATA", "VERIFIER_DEBUG"})
"""Variables with the prefix that are no setting: the cache folder, this file itself, the evaluation data, and
tracebacks wanted."""

_MAY_HOLD_SECRETS = ("base_url", "key_env")
"""Keys whose value is refused because a password or key stands in it: an error must not print it."""


@dataclass(frozen=True)
class Configuration:
    """Validated settings, for each dotted key the layer that its value comes from, and the file that was read."""

    settings: Settings
    origins: Mapping[str, str]
    file: Path | None = None

    def rows(self) -> Iterator[tuple[str, Any, str]]:
        """``(dotted key, value, origin)`` for every effective value, sorted by key."""
        values = _flatten(self.settings.model_dump(mode="json"))
        for key in sorted(values):
            yield key, values[key], self.origins.get(key, "default")


def load(
    file: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
) -> Configuration:
    """Merge all layers and validate the result.

    Args:
        file: a ``.toml``, ``.yaml`` or ``.yml`` file; ``None`` looks at ``$VERIFIER_CONFIG`` and then for
            ``DEFAULT_FILES`` in the working directory.
        overrides: dotted keys from the command line; ``None`` values count as not given.
        environ: the environment; ``os.environ`` by default.

    Raises:
        ConfigError: the file is missing or malformed, a key is unknown (the known ones are listed) or a value
            does not fit.
    """
    environ = os.environ if environ is None else environ
    merged = Settings().model_dump(mode="json")
    origins: dict[str, str] = {}
    path = file or _default_file(environ)
    layers = []
    if path is not None:
        layers.append((str(path), _read_file(path)))
    layers.append(("environment", _read_environment(environ)))
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    layers.append(("command line", _nest(given)))
    for origin, layer in layers:
        if isinstance(layer.get("kb"), str):  # kb = "PLACE" is short for its path
            layer["kb"] = {"path": layer["kb"]}
        _check_keys(layer, origin)
        _merge(merged, layer, origin, origins)
    try:
        return Configuration(Settings.model_validate(merged), origins, path)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"] if not isinstance(part, int))
        origin = origins.get(key, "default")
        value = first["input"]
        withheld = isinstance(value, Mapping) or key.endswith(_MAY_HOLD_SECRETS)
        shown = "" if withheld else f" = {value!r}"
        raise ConfigError(f"{key}{shown} ({origin}): {said_of(first)}".lstrip()) from error


def _default_file(environ: Mapping[str, str]) -> Path | None:
    if named := environ.get("VERIFIER_CONFIG"):
        return Path(named)
    return next((Path(name) for name in DEFAULT_FILES if Path(name).is_file()), None)


def left_out(environ: Mapping[str, str]) -> Path | None:
    """The nearest configuration of a folder above, where none is named and none lies in the working directory.

    It is not read, since the paths in a file hold from the working directory, and it may name programs to run. The
    search ends at the root of a repository.
    """
    here = Path.cwd()
    if _default_file(environ) is not None:
        return None
    for folder in (here, *here.parents):
        if found := next((folder / name for name in DEFAULT_FILES if (folder / name).is_file()), None):
            return found
        if (folder / ".git").exists():
            return None
    return None


def _read_file(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ConfigError(f"cannot read configuration {path}: {reason}") from error
    try:
        if path.suffix == ".toml":
            return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _malformed(path, error) from error
    if path.suffix not in {".yaml", ".yml"}:
        raise ConfigError(f"configuration {path}: expected .toml, .yaml or .yml")
    import yaml  # takes as long to import as twenty modules of ours

    try:
        loaded = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise _malformed(path, error) from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ConfigError(f"configuration {path}: expected tables, found {type(loaded).__name__}")
    return loaded


def _malformed(path: Path, error: Exception) -> ConfigError:
    return ConfigError(f"configuration {path} is malformed: {' '.join(str(error).split())}")


def _read_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """``VERIFIER_BACKEND__TYPE=bm25`` is ``backend.type = "bm25"``; values are read as TOML where they parse."""
    flat = {}
    for name in sorted(environ):
        if name.startswith(ENV_PREFIX) and name not in ENV_NOT_SETTINGS:
            flat[name.removeprefix(ENV_PREFIX).lower().replace("__", ".")] = _scalar(environ[name])
    return _nest(flat)


def _scalar(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _nest(flat: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        *parents, last = key.split(".")
        table = nested
        for parent in parents:
            table = table.setdefault(parent, {})
            if not isinstance(table, dict):
                raise ConfigError(f"{key} is set inside {parent}, which is not a table")
        table[last] = value
    return nested


def _flatten(nested: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in nested.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def _check_keys(layer: Mapping[str, Any], origin: str) -> None:
    for name, table in layer.items():
        if name in Settings.model_fields and not isinstance(table, Mapping):
            raise ConfigError(f"{name} ({origin}): expected a table, found {table!r}")
    _check_table(layer, Settings, "", origin)


def _check_table(table: Mapping[str, Any], schema: type[BaseModel], prefix: str, origin: str) -> None:
    """Every key of the table is one of the schema; so are those of its tables that have a schema of their own."""
    for key, value in table.items():
        field = schema.model_fields.get(key)
        if field is None:
            raise ConfigError(_unknown(f"{prefix}{key}", schema.model_fields, origin))
        inner = field.annotation
        if isinstance(value, Mapping) and isinstance(inner, type) and issubclass(inner, Section):
            _check_table(value, inner, f"{prefix}{key}.", origin)


def _unknown(key: str, known: Mapping[str, Any], origin: str) -> str:
    return f"unknown key {key!r} ({origin}); known: {', '.join(sorted(known))}"


def _merge(into: dict[str, Any], layer: Mapping[str, Any], origin: str, origins: dict[str, str]) -> None:
    """Merge nested tables; a table that names its ``type`` replaces the one below instead of mixing with it."""

    def walk(target: dict[str, Any], source: Mapping[str, Any], prefix: str) -> None:
        if "type" in source:
            for key in [key for key in origins if key.startswith(prefix)]:
                del origins[key]
            target.clear()
        for key, value in source.items():
            if isinstance(value, Mapping):
                if not isinstance(target.get(key), dict):
                    target[key] = {}
                walk(target[key], value, f"{prefix}{key}.")
            else:
                target[key] = value
                origins[f"{prefix}{key}"] = origin

    walk(into, layer, "")
