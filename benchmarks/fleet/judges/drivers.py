"""Run one checker that asks a chat model, as its own documents say, in a process of its own.

``PYTHON drivers.py SYSTEM URL`` speaks JSON, a line a message. It first says ``{"ready": VERSION}``, then answers each
line ``{"question", "answer", "title", "context"}`` with ``{"approved" or "score", "wall", "cpu"}`` or, where the
checker raised an error, with ``{"error", "wall", "cpu"}``. PYTHON is that of an environment that holds the system; of
ours nothing is imported but for the systems that begin with ``ours``.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from importlib.metadata import version

Case = Mapping[str, str]
Check = Callable[[Case], Mapping[str, object]]
MODEL = "local-judge"


def ragas(url: str) -> Check:
    """Ragas' ``Faithfulness``, of the collection of metrics that its documents recommend."""
    import asyncio

    from openai import AsyncOpenAI
    from ragas.llms import llm_factory
    from ragas.metrics.collections import Faithfulness

    def check(case: Case) -> Mapping[str, object]:
        async def score() -> float:
            async with AsyncOpenAI(base_url=url, api_key="none") as client:
                metric = Faithfulness(llm=llm_factory(MODEL, client=client))
                found = await metric.ascore(case["question"], case["answer"], [case["context"]])
                return float(found.value)

        return {"score": asyncio.run(score())}

    return check


def deepeval(url: str) -> Check:
    """DeepEval's ``FaithfulnessMetric`` with a local model, all else as by default."""
    from deepeval.metrics import FaithfulnessMetric
    from deepeval.models import LocalModel
    from deepeval.test_case import LLMTestCase

    def check(case: Case) -> Mapping[str, object]:
        metric = FaithfulnessMetric(model=LocalModel(model=MODEL, base_url=url, api_key="none"))
        asked = LLMTestCase(
            input=case["question"], actual_output=case["answer"], retrieval_context=[case["context"]]
        )
        return {"score": float(metric.measure(asked, _show_indicator=False))}

    return check


def director(url: str) -> Check:
    """director-ai's ``CoherenceScorer`` with its judge, over a store that holds the document; no NLI model."""
    version("openai")  # without its client the judge is not asked, and nothing says so
    os.environ["OPENAI_BASE_URL"] = url
    from director_ai import CoherenceScorer, GroundTruthStore

    def check(case: Case) -> Mapping[str, object]:
        store = GroundTruthStore()
        store.add(case["title"], case["context"])
        scorer = CoherenceScorer(
            ground_truth_store=store,
            use_nli=False,
            llm_judge_enabled=True,
            llm_judge_provider="openai",
            llm_judge_model=MODEL,
        )
        approved, _ = scorer.review(case["question"], case["answer"])
        return {"approved": bool(approved)}

    return check


def ours(url: str, **reader: str) -> Check:
    """Ours with a chat reader, all else as by default."""
    from verifier import verify
    from verifier.config import load

    chosen = {"reader.type": "chat", "llm.model": MODEL, "llm.base_url": url} if reader else {}
    overrides = {**chosen, **{f"reader.{key}": value for key, value in reader.items()}}
    settings = load(overrides=overrides).settings

    def check(case: Case) -> Mapping[str, object]:
        document = {"text": case["context"], "source": case["title"]}
        report = verify(case["answer"], [document], case["question"], settings=settings)
        return {"approved": report.decision.value == "approved"}

    return check


SYSTEMS: Mapping[str, tuple[str, Callable[[str], Check]]] = {
    "ours-open": ("rag-claim-verifier", lambda url: ours(url, read="open")),
    "ours-all": ("rag-claim-verifier", lambda url: ours(url, read="all")),
    "ours-alone": ("rag-claim-verifier", ours),
    "ragas": ("ragas", ragas),
    "deepeval": ("deepeval", deepeval),
    "director": ("director-ai", director),
}
"""Name -> its package, and what makes its check."""


def main(system: str, url: str) -> None:
    """Serve the lines of standard input."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # libraries print
    os.environ |= {
        "OPENAI_API_KEY": "none",
        "RAGAS_DO_NOT_TRACK": "true",
        "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
        "DEEPEVAL_DISABLE_DOTENV": "1",
    }
    package, opened = SYSTEMS[system]
    check = opened(url)
    print(json.dumps({"ready": version(package)}), file=out, flush=True)
    for line in sys.stdin:
        case = json.loads(line)
        began, busy = time.perf_counter(), time.process_time()
        try:
            told = dict(check(case))
        except Exception as error:  # noqa: BLE001  # whatever a checker raises is its answer
            told = {"error": f"{type(error).__name__}: {error}"[:300]}
        told |= {"wall": time.perf_counter() - began, "cpu": time.process_time() - busy}
        print(json.dumps(told), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
