"""Verifying again after an edit: what is kept stands as a full check has it, and what may have changed is verified."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from verifier.config import Settings, load
from verifier.core.errors import IngestError
from verifier.factory import build_scorer, open_store
from verifier.knowledge.records import FailedSource
from verifier.knowledge.store import GroundTruthStore
from verifier.types import Document, Report, Verdict
from verifier.verification.recheck import OLD_REPORT, OTHER_SETTINGS, Rechecked, recheck
from verifier.verification.relocate import rebuilt
from verifier.verification.report import from_json, to_json

TEXTS = {
    "refunds.md": "# Refunds\n\nAnnual plans are refunded within 30 days of purchase.\n\n"
    + "Nothing else is told of refunds here. " * 20,
    "cranes.md": "# Cranes\n\nThe crane at pier four lifts 12 tonnes. It was built by Halvorsen.",
    "orchard.md": "# Orchard\n\nBramley apples are picked in October. Each crate holds 18 kg.",
    "lamps.csv": "",
}
ANSWER = (
    "Annual plans are refunded within 30 days of purchase.\n\nThe crane at pier four lifts 12 tonnes.\n\n"
    "Each crate of Bramley apples holds 18 kg.\n\nZebulon Quastler repaired the crane in 1987.\n\nAny questions?"
)
REFUND, CRANE, APPLES, MADE_UP = range(4)


def documents() -> list[Document]:
    return [Document(name, name, text, "text/markdown") for name, text in TEXTS.items() if text]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """One passage is evidence for a claim, so that an edit of another document is none of its business."""
    given = {
        "signals.nli": False,
        "backend": {"type": "bm25"},
        "kb.path": str(tmp_path / "kb"),
        "retrieval.top_k": 1,
    }
    return load(overrides=given).settings


@pytest.fixture
def store(settings: Settings) -> Iterator[GroundTruthStore]:
    with open_store(settings, create=True) as store:
        store.ingest(documents())
        yield store


@pytest.fixture
def saved(settings: Settings, store: GroundTruthStore) -> Report:
    """The report of the answer, as a file gives it."""
    report = from_json(json.loads(json.dumps(to_json(build_scorer(settings, store).verify(ANSWER)))))
    verdicts = [claim.verdict for claim in report.claims if claim.verdict]
    assert verdicts == [Verdict.SUPPORTED] * 3 + [Verdict.FABRICATED]
    return report


def edited(store: GroundTruthStore, name: str, old: str, new: str) -> None:
    text = store.document_text(store.resolve(name).doc_id)  # type: ignore[union-attr]
    assert text is not None
    assert old in text
    store.ingest([Document(name, name, text.replace(old, new), "text/markdown")])


def again(settings: Settings, store: GroundTruthStore, saved: Report) -> Rechecked:
    """What a recheck makes of it; the renewed report is that of a full check, to the last field."""
    scorer = build_scorer(settings, store)
    [done] = recheck(scorer, [saved], store)
    assert_alike(to_json(done.report), to_json(scorer.verify(ANSWER)))
    return done


def assert_alike(renewed: dict, full: dict) -> None:
    """Equal, but for the counts that a kept verdict was found with, and what they move in the last places."""
    for report in (renewed, full):
        for claim in report["claims"]:
            claim["basis"] = claim["basis"] and claim["basis"]["retrieved"]
    assert_close(renewed, full)


def assert_close(one: object, other: object) -> None:
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys()
        for key, value in one.items():
            assert_close(value, other[key])
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other)
        for mine, theirs in zip(one, other, strict=True):
            assert_close(mine, theirs)
    else:
        assert one == (pytest.approx(other, abs=0.02) if isinstance(one, float) else other)


def causes(done: Rechecked, claim: int) -> str:
    return "; ".join(map(str, done.causes.get(claim, ())))


def test_nothing_is_done_where_nothing_changed(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    [done] = recheck(build_scorer(settings, store), [saved], store)
    assert done.report is saved
    assert (done.claims, dict(done.causes), done.flips) == (4, {}, [])


def test_the_claim_whose_passage_changed_flips_and_no_other_is_verified(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    edited(store, "refunds.md", "30 days", "45 days")
    done = again(settings, store, saved)
    assert [*done.causes] == [REFUND]
    [flip] = done.flips
    assert (flip.before, flip.after) == ("supported", "contradicted")
    assert "refunds.md, from character 0: changed" in causes(done, REFUND)
    assert done.report.decision is saved.decision


def test_an_edit_behind_the_passage_leaves_the_verdict_and_renews_the_document(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    before = saved.claims[REFUND].evidence[0]
    text = store.document_text(before.doc_id)
    assert text is not None
    edited(store, "refunds.md", text, f"{text}\n\n## Appendix\n\nVouchers do not count.")
    done = again(settings, store, saved)
    assert not done.causes
    after = done.report.claims[REFUND].evidence[0]
    assert after.doc_id != before.doc_id
    assert store.document_text(after.doc_id)[after.start : after.end] == after.text  # type: ignore[index]


def test_a_quotation_that_has_moved_is_found_anew(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    edited(store, "cranes.md", "# Cranes\n", "# Cranes\n\n")
    done = again(settings, store, saved)
    assert {CRANE, MADE_UP} >= {*done.causes} >= {CRANE}
    assert not done.flips


def test_a_document_that_comes_or_is_renamed_counts_where_it_is_found(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    better = Document("crates.md", "crates.md", "Each crate of Bramley apples holds 20 kg.", "text/markdown")
    store.ingest([better])
    store.delete("orchard.md")
    store.delete("cranes.md")
    store.ingest([replace(documents()[1], source="lifts.md", uri="lifts.md")])
    done = again(settings, store, saved)
    assert "crates.md, from character 0: is newly found" in causes(done, APPLES)
    assert "lifts.md, from character 0: is newly found" in causes(done, CRANE)
    assert [flip.after for flip in done.flips if flip.text.startswith("Each crate")] == ["contradicted"]
    assert REFUND not in done.causes


def test_a_name_that_turns_up_anywhere_counts_though_its_passage_is_not_found(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    store.ingest([Document("people.md", "people.md", "Payroll lists Zebulon Quastler.", "text/plain")])
    done = again(settings, store, saved)
    assert "passages than before" in causes(done, MADE_UP)
    assert not {REFUND, APPLES} & {*done.causes}


def test_a_file_that_cannot_be_read_counts_where_there_is_no_trace(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    store.ingest([FailedSource("scan.pdf", "scan.pdf", str(IngestError("damaged")))])
    done = again(settings, store, saved)
    assert [*done.causes] == [MADE_UP]
    assert [(flip.before, flip.after) for flip in done.flips] == [("fabricated", "unverifiable")]


def test_another_namespace_moves_ranks_at_most(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    store.ingest([Document("o.md", "o.md", "Annual plans are never refunded.")], namespace="other")
    done = again(settings, store, saved)
    assert done.report is not saved
    assert not done.causes


def test_other_settings_verify_all_and_keep_the_rule(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    raw = settings.model_dump(mode="json")
    other = Settings.model_validate(raw | {"retrieval": {**raw["retrieval"], "max_windows": 3}})
    strict = replace(saved, config={**saved.config, "decision": {**saved.config["decision"], "strict": True}})
    [done] = recheck(build_scorer(other, store), [strict], store)
    assert done.whole == OTHER_SETTINGS
    assert len(done.causes) == done.claims
    assert "every claim is supported" in done.report.rule


def test_a_report_of_an_earlier_version_is_verified_whole(
    settings: Settings, store: GroundTruthStore, saved: Report
) -> None:
    old = replace(saved, origin=None, claims=tuple(replace(one, basis=None) for one in saved.claims))
    assert rebuilt(old) == ANSWER
    assert rebuilt(replace(old, claims=tuple(replace(one, line=None) for one in old.claims))) == ANSWER
    [done] = recheck(build_scorer(settings, store), [old], store)
    assert done.whole == OLD_REPORT
    assert not done.flips
    assert done.report.origin is not None
    assert done.report.origin.response == ANSWER


def test_rows_of_a_table_that_were_not_found_count_where_rows_are_compared(
    settings: Settings, store: GroundTruthStore
) -> None:
    rows = [("Ash", 12), ("Elm", 9), ("Fir", 7)]

    def ingested(name: str, height: int, row: int) -> None:
        text = f"Hall: {name}; Height: {height} m"
        store.ingest([Document(f"halls.csv#{row}", f"halls.csv#{row}", text)])

    for row, (name, height) in enumerate(rows, 1):
        ingested(name, height, row)
    scorer = build_scorer(settings, store)
    saved = scorer.verify("Ash is the highest hall.")
    assert saved.claims[0].basis is not None
    assert saved.claims[0].basis.tables
    ingested("Fir", 70, 3)
    [done] = recheck(scorer, [saved], store)
    assert "a row of a table" in causes(done, 0)
    assert to_json(done.report) == to_json(scorer.verify("Ash is the highest hall."))
