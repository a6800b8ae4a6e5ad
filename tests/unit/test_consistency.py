"""Self-consistency: measures of similarity, the formula, the choice, clusters, entropy and disagreements."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from verifier_backends.encoders import HashingEncoder
from verifier_signals.nli import NLISignal

from verifier.core.errors import ConfigError, SignalError
from verifier.guard.consistency import Agreement, Choice, Failure, rate_candidates
from verifier.guard.consistency.select import (
    agglomerate,
    average_similarities,
    choose,
    consistency,
    mean_pairwise,
    semantic_entropy,
)
from verifier.guard.consistency.similarity import (
    CharacterSimilarity,
    CommandSimilarity,
    EmbeddingSimilarity,
    EntailmentSimilarity,
    FunctionSimilarity,
    WordSimilarity,
)
from verifier.verification.scorer import VerifiedScorer

ANSWERS = (
    "The warranty lasts two years.",
    "The warranty lasts two years from delivery.",
    "The warranty lasts five years.",
)
TWO_GROUPS = np.array(
    [
        [1.0, 0.9, 0.9, 0.2, 0.2],
        [0.9, 1.0, 0.9, 0.2, 0.2],
        [0.9, 0.9, 1.0, 0.2, 0.2],
        [0.2, 0.2, 0.2, 1.0, 1.0],
        [0.2, 0.2, 0.2, 1.0, 1.0],
    ]
)
matrices = st.integers(2, 7).flatmap(lambda n: arrays(np.float64, (n, n), elements=st.floats(0, 1)))


def symmetric(values):
    values = (values + values.T) / 2
    np.fill_diagonal(values, 1.0)
    return values


def test_the_formula_gives_what_is_reckoned_by_hand():
    matrix = np.array([[1, 0.8, 0.6], [0.8, 1, 0.4], [0.6, 0.4, 1]])
    assert average_similarities(matrix) == pytest.approx([0.7, 0.6, 0.5])
    assert mean_pairwise(matrix) == pytest.approx(0.6)
    assert consistency(matrix) == pytest.approx(math.sqrt(0.7 * 0.6))


@given(matrices)
def test_confidence_stays_between_the_mean_and_the_best(values):
    matrix = symmetric(values)
    confidence = consistency(matrix)
    assert mean_pairwise(matrix) - 1e-12 <= confidence <= average_similarities(matrix).max() + 1e-12


@given(matrices, st.floats(0.05, 1))
def test_clusters_share_out_the_candidates(values, same_at):
    clusters = agglomerate(symmetric(values), same_at)
    assert sorted(index for cluster in clusters for index in cluster) == list(range(len(values)))
    assert 0 <= semantic_entropy(clusters) <= math.log(len(values)) + 1e-12


@pytest.mark.parametrize(("among", "best"), [(Choice.ALL, 0), (Choice.LARGEST, 0), (Choice.COHERENT, 3)])
def test_the_best_is_sought_where_it_is_asked_for(among, best):
    assert choose(TWO_GROUPS, agglomerate(TWO_GROUPS, 0.8), among) == best


def test_one_candidate_has_no_confidence_and_the_reason_says_so():
    result = rate_candidates(["Two years."], CharacterSimilarity())
    assert result.confidence_score is None
    assert result.agreement is None
    assert not result.is_unanimous
    assert "one candidate" in result.reason
    assert result.average_similarities == (None,)


def test_blank_candidates_are_left_out_and_listed():
    result = rate_candidates(
        ["Two years.", "  ", "Two years."], WordSimilarity(), failures=[Failure(3, "late")]
    )
    assert result.all_candidates == ("Two years.", "Two years.")
    assert [(failure.sample, failure.reason) for failure in result.failures] == [
        (1, "the candidate is blank"),
        (3, "late"),
    ]
    with pytest.raises(ValueError, match="no candidate"):
        rate_candidates([" ", ""], WordSimilarity())


def test_equal_candidates_are_unanimous():
    result = rate_candidates(["Two years."] * 4, EmbeddingSimilarity(HashingEncoder()))
    assert result.confidence_score == pytest.approx(1.0)
    assert result.is_unanimous
    assert result.agreement is Agreement.HIGH
    assert result.semantic_entropy == 0
    assert result.clusters == ((0, 1, 2, 3),)


@pytest.mark.parametrize(
    "similarity", [EmbeddingSimilarity(HashingEncoder()), CharacterSimilarity(), WordSimilarity()]
)
def test_measures_give_symmetric_matrices_in_the_unit_range(similarity):
    matrix = similarity.matrix([*ANSWERS, "", "Ships leave at noon!"])
    assert matrix.shape == (5, 5)
    assert np.allclose(matrix, matrix.T)
    assert matrix.min() >= 0
    assert matrix.max() <= 1
    assert np.all(np.diagonal(matrix) == 1)
    assert matrix[0, 1] > matrix[0, 4]


def test_entailment_counts_both_ways():
    class Nested(NLISignal):
        def score(self, pairs):
            from verifier_signals.types import Outcome, SignalScore

            return [
                SignalScore("nli", Outcome.CONSISTENT, p, features={"entailment": p})
                for p in (0.9 if len(pair.premise) > len(pair.hypothesis) else 0.3 for pair in pairs)
            ]

    matrix = EntailmentSimilarity(Nested()).matrix(["It rains.", "It rains a lot."])
    assert matrix.tolist() == [[1, 0.3], [0.3, 1]]


def test_the_embedded_model_tells_other_answers_from_the_same():
    matrix = EntailmentSimilarity(NLISignal()).matrix(
        ["The office is open.", "The office is open.", "The office is not open."]
    )
    assert matrix[0, 1] == 1
    assert matrix[0, 2] < 0.5


def test_a_users_function_is_averaged_over_both_orders_and_clamped():
    similarity = FunctionSimilarity(lambda a, b: len(a) / len(b))
    assert similarity.matrix(["ab", "abcd"])[0, 1] == pytest.approx(1.0)
    assert similarity.matrix(["ab", "abc"])[0, 1] == pytest.approx(1.0)


@pytest.mark.parametrize("function", [lambda a, b: math.nan, lambda a, b: 1 / 0, lambda a, b: None])
def test_a_function_without_a_value_is_an_error(function):
    with pytest.raises(SignalError, match="similarity 'mine'"):
        FunctionSimilarity(function, name="mine").matrix(["a", "b"])


def command(body):
    return CommandSimilarity([sys.executable, "-c", body], timeout=20)


def test_an_external_program_reads_texts_and_writes_a_matrix():
    body = (
        "import json,sys; t=json.load(sys.stdin)['texts']; "
        "print(json.dumps([[1.0 if a[0] == b[0] else 0.0 for b in t] for a in t]))"
    )
    assert command(body).matrix(["ä1", "ä2", "b"]).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("print('hello')", "no JSON matrix"),
        ("print('[[1]]')", r"shape \[1, 1\] for 2 texts"),
        ("print('[[1, NaN], [0, 1]]')", "texts 1 and 2 is nan"),
        ("raise SystemExit(4)", "exit code 4"),
        ("import time; time.sleep(60)", "no answer in 0.5 s"),
    ],
)
def test_a_failing_program_is_an_error(body, message):
    similarity = CommandSimilarity([sys.executable, "-c", body], timeout=0.5 if "sleep" in body else 20)
    with pytest.raises(SignalError, match=message):
        similarity.matrix(["a", "b"])


def test_a_program_that_does_not_exist_is_a_usage_error():
    with pytest.raises(ConfigError, match="no such program"):
        CommandSimilarity(["no-such-program-anywhere"]).matrix(["a", "b"])
    with pytest.raises(ConfigError, match="needs a program"):
        CommandSimilarity([])


def test_claims_that_the_others_do_not_share_are_listed():
    chosen = "The museum opened in 1987. It was designed by Ada Dahl."
    others = ["The museum opened in 1987.", "The museum opened in 1987. Entry is free."]
    result = rate_candidates(
        [chosen, *others], CharacterSimilarity(), scorer=VerifiedScorer(None), among=Choice.ALL
    )
    best = result.best_candidate
    assert result.disagreements is not None
    for found in result.disagreements:
        assert best[found.start : found.end] == found.text
        assert found.others == 2
    from verifier.guard.consistency.disagreements import find_disagreements

    listed = [found.text for found in find_disagreements(VerifiedScorer(None), [chosen, *others], 0)]
    assert listed == ["It was designed by Ada Dahl."]


def test_a_contradicted_claim_names_who_contradicts_it():
    from verifier.guard.consistency.disagreements import find_disagreements

    candidates = ["The fee is 30 EUR.", "The fee is 30 EUR.", "The fee is 45 EUR."]
    [found] = find_disagreements(VerifiedScorer(None), candidates, 0)
    assert found.supported_by == 1
    assert found.contradicted_by == (2,)


def test_results_become_json_values():
    import json

    result = rate_candidates(ANSWERS, CharacterSimilarity())
    read = json.loads(json.dumps(result.to_dict()))
    assert read["best_candidate"] == result.best_candidate
    assert read["agreement"] in {"high", "moderate", "low"}
