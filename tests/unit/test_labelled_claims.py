"""The labelled claims that the package ships: what the corpora say now, and nothing of the untouched half."""

from __future__ import annotations

import json
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.labelled import packed, packed_files
from verifier.core.errors import ConfigError
from verifier.measure.labelled import ARCHIVE, labelled_claims
from verifier.measure.samples import MIN_PER_VERDICT

CORPUS = Path(__file__).resolve().parents[2] / "corpora" / "verdicts"


def test_the_archive_holds_what_the_corpora_say_now() -> None:
    with tarfile.open(ARCHIVE, "r:xz") as archive:
        held = {entry.name: _content(archive, entry) for entry in archive}
    assert held == packed_files(), "run: python -m benchmarks.labelled pack"


def test_packing_twice_gives_the_same_bytes() -> None:
    assert packed() == packed()


def test_nothing_of_the_untouched_half_is_in_it() -> None:
    lines = (CORPUS / "untouched.jsonl").read_text(encoding="utf-8").splitlines()
    untouched = {json.loads(line)["claim"] for line in lines}
    with labelled_claims() as shipped:
        assert not untouched & {row.claim for row in shipped.rows}
        assert not [
            path for files in shipped.documents.values() for path in files if path.name.startswith("u_")
        ]


def test_every_claim_has_a_verdict_and_the_documents_of_its_namespace() -> None:
    with labelled_claims() as shipped:
        assert len(shipped.rows) == 1344
        assert {row.namespace for row in shipped.rows} == shipped.documents.keys()
        assert all(len(files) == 10 for files in shipped.documents.values())
        assert len(shipped.hashes) == len(shipped.documents) == 12


def test_a_sample_is_spread_over_all_sets_and_verdicts() -> None:
    with labelled_claims() as shipped:
        some = shipped.spread(300)
        assert len({id(row) for row in some}) == 300
        assert set(Counter(row.namespace for row in some).values()) == {25}
        assert min(Counter(row.label for row in some).values()) >= MIN_PER_VERDICT
        assert shipped.spread(10_000) == list(shipped.rows)


def test_a_damaged_archive_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "claims.tar.xz").write_bytes(ARCHIVE.read_bytes()[:5000])
    for file in ("claims.tar.xz", "nowhere.tar.xz"):
        with pytest.raises(ConfigError, match="install it again"), labelled_claims(tmp_path / file):
            pass


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    opened = archive.extractfile(entry)
    assert opened is not None
    return opened.read()
