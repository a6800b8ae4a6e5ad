"""Answers that say they do not know: found, told from statements, checked, shown, and counted for nothing."""

from __future__ import annotations

import pytest

from tests.support.abstaining import ABSTAINING, OF_THE_WORLD, UNTOLD
from verifier.core.errors import BackendError
from verifier.types import Decision, Evidence, Report, Status, Verdict
from verifier.verification.abstentions import told
from verifier.verification.claims import extract_answer, extract_claims
from verifier.verification.claims.abstention import abstention_in, split_abstentions
from verifier.verification.claims.llm import ModelClaim, merge_claims
from verifier.verification.render import FORMATS
from verifier.verification.report import to_json
from verifier.verification.retrieve import GivenTexts
from verifier.verification.scorer import VerifiedScorer

HERON = "A grey heron weighs 1.5 kg. It nests in reeds."


def _abstains(sentence: str) -> bool:
    return any(piece.abstention for piece in split_abstentions(sentence) or ())


def _verify(response: str, source: str = HERON, prompt: str | None = None) -> Report:
    return VerifiedScorer(GivenTexts.of(source), suggest_fixes=False).verify(response, prompt=prompt)


@pytest.mark.parametrize("sentence", ABSTAINING)
def test_a_sentence_about_what_the_sources_tell_abstains(sentence: str) -> None:
    assert _abstains(sentence)


@pytest.mark.parametrize("sentence", OF_THE_WORLD)
def test_a_denial_about_the_world_is_a_claim(sentence: str) -> None:
    assert not _abstains(sentence)
    assert [claim.text for claim in extract_claims(sentence).claims]


@pytest.mark.parametrize(("source", "answer", "prompt", "tells"), UNTOLD)
def test_a_source_tells_it_after_all_only_where_that_is_sure(
    source: str, answer: str, prompt: str | None, tells: bool
) -> None:
    known_gaps = ("The hotel has 48 rooms.", "# Well")
    if source.startswith(known_gaps) and tells:
        pytest.xfail("sure rather than complete: another subject, or a heading, stands before the answer")
    [span] = [one for one in extract_answer(answer, prompt or "", extract_claims).skipped if one.topic]
    [found] = told([span.topic], GivenTexts.of(source), top_k=5, namespace="default")
    assert (found is not None) is tells


def test_nothing_but_abstentions_is_nothing_to_check() -> None:
    report = _verify("The sources do not say how old a heron gets.")
    assert report.decision is Decision.NOTHING_TO_CHECK
    assert [(claim.status, claim.verdict) for claim in report.claims] == [(Status.ABSTAINED, None)]
    assert (report.groundedness, report.coverage, report.approved) == (None, 1.0, False)


def test_an_abstention_counts_neither_for_nor_against() -> None:
    report = _verify("The sources do not say how old a heron gets, but the grey heron nests in reeds.")
    assert [claim.status for claim in report.claims] == [Status.ABSTAINED, Status.CHECKED]
    assert report.claims[1].verdict is Verdict.SUPPORTED
    assert (report.groundedness, report.decision) == (1.0, Decision.APPROVED)


def test_where_the_sources_do_tell_the_report_says_where() -> None:
    [claim] = _verify("The document contains no information about the weight of the grey heron.").claims
    assert claim.status is Status.ABSTAINED
    assert claim.reason.startswith("the sources do state it: “A grey heron weighs 1.5 kg.” (")
    assert [item.text for item in claim.evidence] == ["A grey heron weighs 1.5 kg."]


def test_an_abstention_that_names_nothing_is_checked_by_the_prompt() -> None:
    [claim] = _verify("N/A", prompt="How heavy is a grey heron?").claims
    assert claim.reason.startswith("the sources do state it")
    [open_] = _verify("N/A", prompt="How old is a grey heron?").claims
    assert open_.evidence == ()


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_every_format_shows_an_abstention(form: str) -> None:
    assert "abstained" in FORMATS[form](_verify("Not found in the context."))


def test_a_source_that_fails_makes_an_abstention_an_error() -> None:
    class Failing(GivenTexts):
        def retrieve(
            self, queries: object, *, top_k: int = 5, namespace: str = "default"
        ) -> list[list[Evidence]]:
            raise BackendError("it is away")

    source = Failing(GivenTexts.of(HERON).documents)
    report = VerifiedScorer(source, suggest_fixes=False).verify(
        "The sources do not say how heavy a heron is."
    )
    assert [claim.status for claim in report.claims] == [Status.ERROR]
    assert not report.approved


def test_a_table_of_json_says_the_status() -> None:
    assert to_json(_verify("Unknown.", prompt="How old is it?"))["claims"][0]["status"] == "abstained"


def test_a_long_sentence_is_not_searched_for_ever() -> None:
    assert abstention_in("not " * 5000) is None


def test_a_model_that_quotes_an_abstention_as_a_claim_is_not_followed() -> None:
    text = "The sources do not say how old a heron gets."
    merged = merge_claims(text, [ModelClaim(0, len(text), "A heron has no age.")], extract_claims(text))
    assert (merged.claims, [span.reason for span in merged.skipped]) == ((), ["abstention"])
