"""Read the claims of labelled sets with all signals, every set against its own documents.

Also two shares that a fusion learnt from such claims calls supported, out of fold: of the contradicted and fabricated
claims, and of the supported ones.

``python -m benchmarks.labelled pack`` writes the sets that vouch into the package, from which the weights of models
that it does not know are learnt (``verifier.measure.labelled``).
"""

from __future__ import annotations

import argparse
import io
import lzma
import tarfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.readers.sets import CORPORA, claims_of, scorer_over, settings_of, verdict_sets
from verifier.factory import SharedSignals
from verifier.measure.labelled import ARCHIVE, DOCUMENTS, ROWS
from verifier.measure.learn import Learnt
from verifier.measure.samples import Sample, samples_of
from verifier.types import Verdict

__all__ = ["LABELLED", "VOUCHING", "called_shares", "packed", "packed_files", "read_samples"]

FOLDER = CORPORA / "verdicts"

LABELLED: Mapping[str, str] = {
    name: prefix
    for name, prefix in verdict_sets().items()
    if name != "untouched" and not name.startswith("first_")
}
"""Each labelled set but the untouched half and those that only measure, with the prefix of its documents."""

VOUCHING = tuple(name for name in LABELLED if name.startswith("fresh_"))
"""Those that vouch for the weights: no signal was tuned on them."""


def read_samples(
    names: Sequence[str], overrides: Mapping[str, Any] | None = None
) -> tuple[dict[str, list[Sample]], str]:
    """What all signals say of each claim of these sets, and the fingerprint of the NLI model.

    Args:
        names: of :data:`LABELLED`.
        overrides: settings other than the default ones, as ``{"signals.nli.model": ...}``.
    """
    settings = settings_of(overrides)
    shared = SharedSignals.of(settings)
    samples: dict[str, list[Sample]] = {}
    nli = "none"
    for name in names:
        with scorer_over(name, settings, shared) as scorer:
            samples[name] = samples_of(claims_of(name), scorer)
            nli = scorer.nli
    return samples, nli


def called_shares(samples: Sequence[Sample], learnt: Learnt) -> tuple[float, float]:
    """Shares called supported: of the contradicted and fabricated claims, and of the supported ones."""
    wrong = np.array([sample.verdict in (Verdict.CONTRADICTED, Verdict.FABRICATED) for sample in samples])
    right = np.array([sample.supported for sample in samples])
    return float(learnt.called[wrong].mean()), float(learnt.called[right].mean())


def packed_files() -> dict[str, bytes]:
    """What the package is to ship: the vouching sets and their documents, by their names in the archive."""
    files = {f"{ROWS}/{name}.jsonl": FOLDER / f"{name}.jsonl" for name in VOUCHING}
    for name in VOUCHING:
        for path in sorted((FOLDER / "kb").glob(f"{LABELLED[name]}_*")):
            files[f"{DOCUMENTS}/{path.name}"] = path
    return {name: path.read_bytes() for name, path in sorted(files.items())}


def packed(files: Mapping[str, bytes] | None = None) -> bytes:
    """The archive of these files, or of :func:`packed_files`: the same bytes on every run, without times and owners."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.USTAR_FORMAT) as out:
        for name, content in (packed_files() if files is None else files).items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            out.addfile(entry, io.BytesIO(content))
    return lzma.compress(archive.getvalue(), preset=9 | lzma.PRESET_EXTREME)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.labelled", description=__doc__)
    parser.add_argument("task", choices=["pack"])
    parser.parse_args(arguments)
    ARCHIVE.write_bytes(packed())
    print(f"{ARCHIVE.name}: {len(packed_files())} files, {ARCHIVE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
