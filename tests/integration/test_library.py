"""The functions of the package: one call for an answer and its contexts, with models that all calls share."""

from __future__ import annotations

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import verifier
from verifier.interfaces.library import _Scorers, configured, shared_scorer
from verifier.types import Decision, Document, Verdict

TRUE = "Refunds are paid within 30 days of purchase."
FALSE = "Refunds are paid within 60 days of purchase."


def test_each_claim_is_judged_by_the_contexts_and_evidence_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    contexts = ["Parking is free.", {"text": f"Intro. {TRUE}", "source": "refunds.md"}]
    report = verifier.verify(FALSE, contexts)
    [claim] = report.claims
    assert (report.decision, claim.verdict) == (Decision.REJECTED, Verdict.CONTRADICTED)
    assert claim.reason.endswith("(refunds.md, line 1)")
    assert f"Intro. {TRUE}"[24:38] == "within 30 days"
    assert list(tmp_path.iterdir()) == []


def test_a_prompt_completes_a_short_answer() -> None:
    contexts = ["The library opened in 1990."]
    report = verifier.verify("In 1990.", contexts, prompt="When did the library open?")
    assert [claim.verdict for claim in report.claims] == [Verdict.SUPPORTED]


def test_options_change_the_rule_and_share_the_models() -> None:
    both = f"{TRUE} The shop is blue."
    assert verifier.verify(both, [TRUE, "The shop stands in Oslo."]).approved
    strict = verifier.verify(both, [TRUE, "The shop stands in Oslo."], strict=True)
    assert not strict.approved
    assert "every claim is supported" in strict.rule
    one, two = (shared_scorer(configured(strict=strict)) for strict in (True, False))
    assert one is not two
    assert one.signals["nli"] is two.signals["nli"]
    assert shared_scorer(configured()) is two


def test_the_file_of_the_working_directory_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "verifier.toml").write_text("[decision]\nstrict = true\n[signals]\nnli = false\n")
    monkeypatch.chdir(tmp_path)
    report = verifier.verify(TRUE, [TRUE])
    assert "nli" not in report.claims[0].signals
    assert "every claim is supported" in report.rule
    assert "nli" in verifier.verify(TRUE, [TRUE], settings=verifier.Settings()).claims[0].signals


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((TRUE, []), {}, verifier.VerifierError, "there are no contexts"),
        ((None, [TRUE]), {}, TypeError, "the answer is of type NoneType"),
        ((TRUE, [TRUE], 3), {}, TypeError, "the prompt is of type int"),
        ((TRUE, [TRUE]), {"strickt": True}, TypeError, "unknown option 'strickt'; known: settings, strict"),
        ((TRUE, [TRUE]), {"settings": verifier.load()}, TypeError, "settings is of type Configuration"),
        ((TRUE, [TRUE]), {"min_groundedness": 2}, verifier.VerifierError, "min_groundedness = 2"),
        ((TRUE, [TRUE]), {"fail_on": ["wrong"]}, verifier.VerifierError, "fail_on = 'wrong'"),
    ],
)
def test_what_cannot_be_checked_is_one_clear_error(
    arguments: Any, options: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        verifier.verify(*arguments, **options)


def test_several_cases_give_the_reports_of_single_calls() -> None:
    contexts = [TRUE, Document("map.txt", "/map.txt", "The shop stands in Oslo.")]
    cases = [(TRUE, contexts), (FALSE, contexts[:1]), ("In Oslo.", contexts, "Where does the shop stand?")]
    assert verifier.verify_many(cases) == [verifier.verify(*case) for case in cases]
    assert verifier.verify_many([]) == []


def test_a_case_that_is_none_stops_all_and_says_which_it_is() -> None:
    with pytest.raises(verifier.VerifierError, match="case 2: context 1 is blank"):
        verifier.verify_many([(TRUE, [TRUE]), (TRUE, [" "])])
    with pytest.raises(TypeError, match="case 1: give"):
        verifier.verify_many([(TRUE,)])  # type: ignore[list-item]


def test_several_at_once_give_the_same_reports_and_leave_the_loop_free() -> None:
    answers = [f"Refunds are paid within {days} days of purchase." for days in range(25, 33)]

    async def all_of_them() -> tuple[list[verifier.Report], int]:
        turns = 0
        checks = asyncio.gather(*(verifier.averify(answer, [TRUE]) for answer in answers))
        while not checks.done():
            turns += 1
            await asyncio.sleep(0.001)
        return await checks, turns

    reports, turns = asyncio.run(all_of_them())
    assert reports == [verifier.verify(answer, [TRUE]) for answer in answers]
    assert turns > 2


def test_a_check_that_nobody_awaits_any_more_ends() -> None:
    long = " ".join(f"Line {n} costs {n} EUR a day and runs to quay {n + 7}." for n in range(400))

    async def given_up() -> float:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(verifier.averify(long, [long]), timeout=0.2)
        began = time.monotonic()
        await asyncio.get_running_loop().shutdown_default_executor()
        return time.monotonic() - began

    verifier.verify(TRUE, [TRUE])
    assert asyncio.run(given_up()) < 2.0


def test_threads_that_come_together_get_one_scorer() -> None:
    scorers, settings = _Scorers(), verifier.Settings()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: scorers.of(settings), range(8)))
    assert len(set(map(id, found))) == 1


def test_a_small_check_takes_under_50_milliseconds_of_the_processor() -> None:
    verifier.verify(FALSE, [TRUE])
    took = []
    for days in range(40, 47):
        began = time.process_time()
        verifier.verify(f"Refunds are paid within {days} days of purchase.", [f"{TRUE} Case {days}."])
        took.append(time.process_time() - began)
    assert sorted(took)[len(took) // 2] < 0.05
