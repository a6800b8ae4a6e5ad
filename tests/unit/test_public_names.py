"""The public surface: complete, sorted, lazy and light."""

from __future__ import annotations

import subprocess
import sys

import verifier

HEAVY = (
    "torch",
    "transformers",
    "sentence_transformers",
    "numpy",
    "onnxruntime",
    "pydantic",
    "typer",
    "rich",
)


def test_every_public_name_loads_and_the_list_is_sorted() -> None:
    assert verifier.__all__ == sorted(verifier.__all__)
    for name in verifier.__all__:
        assert getattr(verifier, name).__name__.lower() in {name.lower(), "groundtruthstore", "nlisignal"}


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import sys, verifier; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_command_starts_without_what_only_a_check_needs() -> None:
    late = ("numpy", "onnxruntime", "verifier.verification", "verifier.knowledge", "verifier_signals.values")
    code = (
        f"import sys, verifier.interfaces.cli.app; print([name for name in {late!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_command_is_imported_when_it_is_called_and_no_other() -> None:
    code = (
        "import sys\n"
        "from verifier.interfaces.cli import main\n"
        "sys.argv = ['verifier', *sys.argv[1:]]\n"
        "try:\n"
        "    main()\n"
        "except SystemExit:\n"
        "    pass\n"
        "print([name for name in ('verify', 'kb', 'serve') if f'verifier.interfaces.cli.{name}' in sys.modules])\n"
    )
    for arguments, loaded in ((["--version"], []), (["kb", "stats", "--help"], ["kb"])):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == str(loaded)


def test_a_first_check_loads_no_backend_no_store_and_no_chat_model() -> None:
    never = ("verifier_backends", "verifier.knowledge.store", "verifier.core.chat.openai", "asyncio")
    code = (
        "import sys\n"
        "from verifier import verify\n"
        "assert verify('Refunds take 5 days.', contexts=['Refunds take 5 days.']).claims\n"
        f"print([name for name in {never!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_verifying_without_extras_never_loads_torch() -> None:
    code = (
        "import sys\n"
        "from verifier import BM25Backend, GroundTruthStore, VerifiedScorer\n"
        "store = GroundTruthStore(BM25Backend())\n"
        "store.add('a.md', 'Refunds are paid within 30 days.')\n"
        "report = VerifiedScorer(store).verify('Refunds are paid within 30 days.')\n"
        "assert report.claims, report\n"
        "print([name for name in ('torch', 'transformers', 'sentence_transformers') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
