"""Which premises count as evidence, and which passages as none."""

from __future__ import annotations

from training.data import Pair
from training.relevance import with_relevance, without_relevance

SET = "fever_nli.dev"
SUBJECTS = ("bridge", "castle", "harbour", "library", "museum", "orchard", "tower", "villa")


def evidence(subject: str, label: str = "entailment") -> Pair:
    premise = f"The old {subject} was finished by masons in 1932 after several years of labour."
    return Pair(premise, f"The {subject} was finished in 1932.", label, SET)


def test_evidence_is_what_speaks_for_or_against_a_claim() -> None:
    assert with_relevance(evidence("bridge")).relevant
    assert with_relevance(evidence("bridge", "contradiction")).relevant
    assert with_relevance(evidence("bridge", "neutral")).relevant is None
    assert with_relevance(evidence("bridge", "not_entailment")).relevant is None
    assert with_relevance(evidence("bridge")._replace(source="snli.dev")).relevant is None


def test_irrelevant_passages_come_from_the_same_set_and_never_from_the_claims_own_evidence() -> None:
    pool = [
        Pair(f"{subject.title()} {near} stone", f"The {subject} is stone.", "entailment", SET)
        for subject, near in zip(SUBJECTS, SUBJECTS[1:] + SUBJECTS[:1], strict=True)
    ]
    own = {pair.hypothesis: pair.premise for pair in pool}
    made = without_relevance(pool, pool, rows=8, seed=3)
    assert made
    for pair in made:
        assert pair.relevant is False
        assert pair.label in ("neutral", "not_entailment")
        assert pair.premise in own.values()
        assert pair.premise != own[pair.hypothesis]
    assert made == without_relevance(pool, pool, rows=8, seed=3)


def test_a_passage_with_the_words_of_the_evidence_is_not_taken() -> None:
    copy = evidence("bridge")
    same = copy._replace(premise=copy.premise.replace("several", "many"), hypothesis="Masons finished it.")
    assert without_relevance([copy], [copy, same], rows=5, seed=3) == []


def test_sets_without_passages_give_none() -> None:
    caption = evidence("bridge")._replace(source="snli.dev")
    assert without_relevance([caption], [caption], rows=5, seed=3) == []
