"""Find calls in the package's code that open pickles, run text or reach a hub without naming a commit."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache

from benchmarks.trust.supply import ROOT

__all__ = ["ALLOWED", "PACKAGES", "forbidden", "forbidden_in", "unpinned"]

PACKAGES = ("verifier", "backends", "signals")

_MODULES = frozenset({"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "dbm"})
_BUILTINS = frozenset({"eval", "exec", "compile", "__import__"})
_CALLS = frozenset(
    {
        "os.system",
        "os.popen",
        "tempfile.mktemp",
        "yaml.load",
        "yaml.unsafe_load",
        "yaml.full_load",
        "torch.load",
    }
    | {f"subprocess.{name}" for name in ("run", "Popen", "call", "check_call", "check_output", "getoutput")}
)
_FLAGS = frozenset({("shell", True), ("allow_pickle", True), ("verify", False)})
_CODE = "trust_remote_code"

ALLOWED: dict[tuple[str, str], str] = {
    (
        "verifier/interfaces/server/uploads.py",
        "subprocess.run",
    ): "reads an upload within bounds; fixed arguments",
    (
        "verifier/guard/consistency/similarity.py",
        "subprocess.run",
    ): "the program that the user configured; no shell",
    (
        "verifier/interfaces/processes.py",
        "subprocess.Popen",
    ): "the workers of a batch and the readers of files, this program itself; fixed arguments",
    (
        "verifier/interfaces/server/fleet/supervisor.py",
        "subprocess.Popen",
    ): "the workers of a server, this program itself; fixed arguments",
    (
        "signals/verifier_signals/nli/torch_models.py",
        _CODE,
    ): "off unless the user sets signals.nli.remote_code",
}
"""File and call, and why it may stand there."""

_HUB = frozenset({"snapshot_download", "hf_hub_download", "model_info", "try_to_load_from_cache"})


@cache
def _files() -> Sequence[tuple[str, ast.Module]]:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in paths
    ]


def forbidden() -> list[str]:
    """What stands in the package and may not, each with its file and line."""
    return [
        f"{name}:{line}: {what}"
        for name, tree in _files()
        for line, what in forbidden_in(tree)
        if (name, what) not in ALLOWED
    ]


def forbidden_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines of a file and what stands there: imports of modules that pickle, calls that run text.

    >>> list(forbidden_in(ast.parse("import pickle as p")))
    [(1, 'import pickle')]
    >>> list(forbidden_in(ast.parse("launch(line, shell=True)")))
    [(1, 'shell=True')]
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [item.name.partition(".")[0] for item in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "").partition(".")[0]]
        elif isinstance(node, ast.Call):
            yield from _in_call(node)
            continue
        elif isinstance(node, ast.Dict):
            keys = (key.value for key in node.keys if isinstance(key, ast.Constant))
            yield from ((node.lineno, _CODE) for key in keys if key == _CODE)
            continue
        else:
            continue
        yield from ((node.lineno, f"import {name}") for name in names if name in _MODULES)


def _in_call(node: ast.Call) -> Iterator[tuple[int, str]]:
    called = ast.unparse(node.func)
    if called in _BUILTINS or called in _CALLS:
        yield node.lineno, called
    for given in node.keywords:
        if given.arg == _CODE and ast.unparse(given.value) != "False":
            yield node.lineno, _CODE
        value = given.value.value if isinstance(given.value, ast.Constant) else None
        if isinstance(value, bool) and (given.arg, value) in _FLAGS:
            yield node.lineno, f"{given.arg}={value}"


def unpinned() -> list[str]:
    """Calls to the model hub that do not pass a revision on."""
    return [
        f"{name}:{node.lineno}: {node.func.attr} without revision"
        for name, tree in _files()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _HUB
        if all(given.arg != "revision" for given in node.keywords)
    ]
