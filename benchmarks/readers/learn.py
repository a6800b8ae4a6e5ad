"""Learn the weights of claims that a reader has read from stored readings, and measure them.

Claims of ``fresh_*`` vouch, the others teach (``corpora/verdicts/README.md``). Everything is judged out of fold: the
weights, what the signals alone decide, and the probabilities from which on a reader need not be asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.readers.sets import claims_of, scorer_over, settings_of
from benchmarks.readers.stored import StoredReader, load
from verifier.core.errors import ConfigError
from verifier.factory import SharedSignals
from verifier.measure.calibrate import with_threshold
from verifier.measure.cascade import Trial, learn_with_reader
from verifier.measure.metrics import expected_calibration_error
from verifier.measure.samples import Sample, examined
from verifier.types import Verdict
from verifier.verification.consultation.cases import ReadingRules
from verifier.verification.consultation.consulting import Consultant
from verifier.verification.decision.verdict import Decided, Fusion

__all__ = ["learn_chat", "read_samples", "worth"]

TARGET_ERROR = 0.03
"""At most this share of what is called supported is not, with 90 % confidence."""


def read_samples(names: Sequence[str], folder: Path) -> tuple[dict[str, list[Sample]], str]:
    """The claims of each set that have a reading, with what signals and reader say; and the NLI model's fingerprint.

    Raises:
        ConfigError: a set has no readings.
    """
    settings = settings_of()
    shared = SharedSignals.of(settings)
    found: dict[str, list[Sample]] = {}
    nli = "none"
    for name in names:
        lines = load(folder / f"{name}.jsonl")
        known = {line["claim"] for line in lines}
        consultant = Consultant(StoredReader(lines), ReadingRules())
        with scorer_over(name, settings, shared, consultant) as scorer:
            rows = [row for row in claims_of(name) if row.claim in known]
            found[name] = [one for one in examined(rows, scorer) if _answered(one)]
            nli = scorer.nli
    return found, nli


def _answered(sample: Sample) -> bool:
    return sample.read.consulted is not None and sample.read.consulted.answer is not None


def learn_chat(samples: dict[str, list[Sample]], nli: str, folder: Path) -> tuple[Fusion, Trial]:
    """The fusion for claims that a chat model has read, whatever NLI model reads beside it.

    Raises:
        ConfigError: no threshold keeps :data:`TARGET_ERROR`.
    """
    vouching = [one for name, some in samples.items() if name.startswith("fresh_") for one in some]
    teaching = [one for name, some in samples.items() if not name.startswith("fresh_") for one in some]
    learnt, made = learn_with_reader(vouching, nli, "chat", teaching=teaching)
    files = {f"{name}.jsonl": _hash(folder / f"{name}.jsonl") for name in samples}
    fusion = with_threshold(learnt, vouching, target_error=TARGET_ERROR, hashes=files)
    if fusion is None:
        raise ConfigError(f"no threshold keeps a target error of {TARGET_ERROR:g}")
    return fusion, made


def worth(made: Trial, fusion: Fusion) -> Iterator[str]:
    """A table: the signals alone, the reader for all claims, and for those that are open; out of fold."""
    open_ = [_is_open(one, fusion) for one in made.alone]
    both = [read if sent else alone for read, alone, sent in zip(made.read, made.alone, open_, strict=True)]
    yield "| | claims sent | accuracy | false support | supported found | supported denied | ECE |"
    yield "|---|---|---|---|---|---|---|"
    yield _row("signals alone", made, made.alone, 0.0)
    yield _row("reader, all", made, made.read, 1.0)
    yield _row("reader, open", made, both, sum(open_) / len(open_))


def _is_open(alone: Decided, fusion: Fusion) -> bool:
    threshold = fusion.settled_at.get(alone.verdict.value)
    return threshold is None or alone.conflict or alone.confidence < threshold


def _row(name: str, made: Trial, decided: Sequence[Decided], sent: float) -> str:
    labels = [one.verdict for one in made.samples]
    said = [one.verdict for one in decided]
    pairs = list(zip(labels, said, strict=True))
    wrong = [one for label, one in pairs if label in (Verdict.CONTRADICTED, Verdict.FABRICATED)]
    held = [one for label, one in pairs if label is Verdict.SUPPORTED]
    right = [label is one for label, one in pairs]
    shares = [
        sum(right) / len(right),
        sum(one is Verdict.SUPPORTED for one in wrong) / len(wrong),
        sum(one is Verdict.SUPPORTED for one in held) / len(held),
        sum(one is Verdict.CONTRADICTED for one in held) / len(held),
        expected_calibration_error([one.confidence for one in decided], right) or 0.0,
    ]
    return f"| {name} | {sent:.0%} | " + " | ".join(f"{share:.3f}" for share in shares) + " |"


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
