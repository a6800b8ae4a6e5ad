"""The wheel, unpacked into an environment that the repository is not in, does what the repository does."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

import hatch_build
from benchmarks.installing import build_wheel, smoke_faults

ADDRESS = "https://code.example/verifier"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built once."""
    return build_wheel(tmp_path_factory.mktemp("dist"))


def test_an_installed_wheel_works_beside_modules_of_the_users_own(wheel: Path, tmp_path: Path) -> None:
    environment, work = tmp_path / "env", tmp_path / "work"
    work.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    site = next(environment.glob("lib/python*/site-packages"))
    # Paths of a .pth file are searched, and .pth files there are not read: no editable install of the repository.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    python = environment / "bin" / "python"
    options = ["--no-deps", "--no-compile", "--no-index", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", *options, wheel], check=True)
    assert smoke_faults(python, work) == []


def test_the_wheel_installs_nothing_of_a_generic_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert {top for top in tops if ".dist-info" not in top} == {
        "verifier",
        "verifier_backends",
        "verifier_signals",
    }


def test_its_page_has_no_link_that_an_index_cannot_follow(wheel: Path) -> None:
    metadata = _metadata(wheel)
    assert metadata["Author"]
    assert metadata["Description-Content-Type"] == "text/markdown"
    page = str(metadata.get_payload())
    assert page.startswith("# rag-claim-verifier")
    assert hatch_build.with_absolute_links(page, ADDRESS) == page


def test_with_an_address_the_links_lead_there() -> None:
    metadata = {"name": "rag-claim-verifier"}
    hook = hatch_build.ReadmeAndAddresses(
        str(Path(hatch_build.__file__).parent), {"repository": f"{ADDRESS}/"}
    )
    hook.update(metadata)
    assert metadata["urls"]["Changelog"] == f"{ADDRESS}/blob/main/CHANGELOG.md"
    assert f"]({ADDRESS}/blob/main/docs/" in metadata["readme"]["text"]
    assert "](docs/" not in metadata["readme"]["text"]


def test_an_address_that_is_none_stops_the_build() -> None:
    hook = hatch_build.ReadmeAndAddresses(
        str(Path(hatch_build.__file__).parent), {"repository": "git@code.example"}
    )
    with pytest.raises(ValueError, match="give an https:// address"):
        hook.update({})


def _metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))
