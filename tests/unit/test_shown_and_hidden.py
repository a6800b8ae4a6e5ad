"""What an answer shows is read wherever it stands, and what it hides is told."""

from __future__ import annotations

import pytest

from verifier.types import ClaimVerdict, Decision, Status, Verdict
from verifier.verification.claims import extract_answer, extract_claims, hidden_in
from verifier.verification.claims.presupposition import asserts_something
from verifier.verification.render.summary import end_line, hidden_line
from verifier.verification.report import DecisionRule, build_report


def hypotheses(response: str, prompt: str = "") -> list[str]:
    found = extract_answer(response, prompt, extract_claims)
    for one in (*found.claims, *found.skipped):
        assert response[one.start : one.end] == one.text
    return [claim.hypothesis for claim in found.claims]


@pytest.mark.parametrize(
    "response",
    [
        "I hope it is clear that dogs are welcome.",
        "Let me know once you accept that dogs are welcome.",
        "Thank you for confirming that dogs are welcome.",
        "Feel free to call us, dogs are welcome.",
        "My apologies, dogs are welcome.",
        "I cannot help noticing that dogs are welcome.",
        "I could not find anything against the rule that dogs are welcome.",
        "I will explain why dogs are welcome.",
        "Please share with everyone that dogs are welcome.",
        "I can confirm that dogs are welcome.",
        "Needless to say, dogs are welcome.",
        "Did you know that dogs are welcome?",
        "Isn't it great that dogs are welcome?",
        "Dogs are welcome, right?",
        "Dogs are welcome?",
    ],
)
def test_what_a_sentence_asserts_in_passing_is_a_claim(response: str) -> None:
    [read] = hypotheses(response)
    assert read.lower() == "dogs are welcome."


@pytest.mark.parametrize(
    "response",
    [
        "I hope this helps.",
        "Let me know if you have any questions.",
        "I cannot confirm that dogs are welcome.",
        "I do not know whether dogs are welcome.",
        "The sources do not say that dogs are welcome.",
        "Are dogs welcome?",
        "Is it true that dogs are welcome?",
        "Are you sure that dogs are welcome?",
        "Would you like me to check that?",
        "Any questions?",
        "Thank you for your patience.",
        "Have fun!",
    ],
)
def test_what_is_asked_wished_or_not_known_is_no_claim(response: str) -> None:
    assert hypotheses(response) == []


@pytest.mark.parametrize(
    "answer", ["Of course.", "Sure thing!", "Absolutely!", "👍", "✅", "You are right.", "OK."]
)
def test_any_yes_behind_a_question_is_a_claim(answer: str) -> None:
    assert hypotheses(f"Are dogs welcome? {answer}") == ["Dogs are welcome."]
    assert hypotheses(answer, "Are dogs welcome?") == ["Dogs are welcome."]


def test_a_request_is_granted_without_a_claim() -> None:
    assert hypotheses("Sure! Dogs are welcome.", "Can you tell me about dogs?") == ["Dogs are welcome."]


@pytest.mark.parametrize(
    ("response", "read"),
    [
        ("```python\n# The pool is open on Mondays.\n```", ["The pool is open on Mondays."]),
        ('```py\nprint("The pool is open.")\n```', ["The pool is open."]),
        ("```\nThe pool is open.\n```", ["The pool is open."]),
        ('Fine words.\n\n```json\n{"answer": "The pool is open."}\n```', ["The pool is open."]),
        ("```bash\npip install x\n# install the package first\nexport A=3\n```", []),
        ("## The warranty covers water damage", ["The warranty covers water damage"]),
        ("**The warranty covers water damage**", ["The warranty covers water damage"]),
        ('<img src="x.png" alt="The pool is open.">', ["The pool is open."]),
        ('<img src="x.png" alt="A pool">', []),
        ("| Day | The pool is open |\n|---|---|", ["The pool is open"]),
        ("| Day | Price |\n|---|---|", []),
        ("https://example.org/the-pool-is-open", ["the pool is open."]),
        ("https://example.org/how-it-works", []),
    ],
)
def test_shown_sentences_are_read_wherever_they_stand(response: str, read: list[str]) -> None:
    assert [one for one in hypotheses(response) if one != "Fine words."] == read


@pytest.mark.parametrize(
    "title", ["Equipment and costs", "Refunds and returns", "How refunds work", "Opening hours"]
)
def test_a_title_is_no_sentence(title: str) -> None:
    assert not asserts_something(title)


@pytest.mark.parametrize(
    "mark",
    [
        "(source: the fee is 5 EUR)",
        "[policy.md, the fee is 5 EUR]",
        "【the fee is 5 EUR】",
        "(see doc 1, where the fee is 5 EUR)",
    ],
)
def test_what_a_mark_of_a_source_says_is_a_claim_of_its_own(mark: str) -> None:
    assert hypotheses(f"Refunds take 5 days {mark}.") == ["Refunds take 5 days.", "the fee is 5 EUR."]


@pytest.mark.parametrize(
    "mark", ["(source: policy.md)", "[policy.md, page 3]", "【4†source】", "[1]", "[^note]"]
)
def test_a_mark_that_only_names_its_source_says_nothing(mark: str) -> None:
    assert hypotheses(f"Refunds take 5 days {mark}.") == ["Refunds take 5 days."]


@pytest.mark.parametrize(
    "turned",
    ["The pump is safe ❌", "❌ The pump is safe", "The pump is safe (not)", "Wrong: The pump is safe"],
)
def test_a_mark_that_denies_turns_its_sentence(turned: str) -> None:
    assert hypotheses(turned) == ["It is not true that The pump is safe"]


def test_a_cross_before_a_denial_and_a_tick_say_no_more() -> None:
    assert hypotheses("❌ Dogs are not allowed.") == ["❌ Dogs are not allowed."]
    assert hypotheses("✅ Dogs are allowed.") == ["Dogs are allowed."]


def test_struck_words_are_taken_back() -> None:
    assert hypotheses("Interns are ~~not~~ eligible.") == ["Interns are eligible."]


@pytest.mark.parametrize(
    ("response", "where"),
    [
        ("Fine. <!-- The fee is 5 EUR. -->", "a comment"),
        ('<script>document.write("The fee is 5 EUR.")</script>', "the element script"),
        ('<style>p::after{content:"The fee is 5 EUR."}</style>', "the element style"),
        ('<p title="The fee is 5 EUR.">Note.</p>', "the attribute title"),
        ('See [here](https://a.b/c "The fee is 5 EUR.").', "the title of a link"),
        ('[x]: https://a.b/c "The fee is 5 EUR."', "the title of a link"),
        ('<span style="display:none">The fee is 5 EUR.</span>', "an element that is not displayed"),
    ],
)
def test_hidden_sentences_are_found(response: str, where: str) -> None:
    [found] = hidden_in(response)
    assert (found.text, found.where) == ("The fee is 5 EUR.", where)
    assert response[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "response",
    [
        "The fee is 5 EUR.",
        '<p title="Opening hours">Note.</p>',
        "```html\n<!-- The fee is 5 EUR. -->\n```",
        '[here](https://a.b/c "Our fees")',
        "<style>p {color: red}</style>",
        "<details><summary>More</summary>The fee is 5 EUR.</details>",
    ],
)
def test_what_is_shown_or_says_nothing_is_not_hidden(response: str) -> None:
    assert hidden_in(response) == ()


def test_an_answer_that_hides_a_sentence_is_refused_unless_allowed() -> None:
    response = "Dogs are welcome.<!-- The fee is 5 EUR. -->"
    claim = ClaimVerdict("Dogs are welcome.", 0, 17, Status.CHECKED, Verdict.SUPPORTED, 0.9)
    hidden = hidden_in(response)
    refused = build_report(response, [claim], rule=DecisionRule(), hidden=hidden)
    assert refused.decision is Decision.REJECTED
    assert hidden_line(refused) == "hidden: “The fee is 5 EUR.” in a comment"
    allowed = build_report(response, [claim], rule=DecisionRule(allow_hidden=True), hidden=hidden)
    assert allowed.approved
    assert build_report(response, [], rule=DecisionRule(), hidden=hidden).decision is Decision.REJECTED


def test_one_true_sentence_carries_no_other_with_strict() -> None:
    claims = [
        ClaimVerdict("a", 0, 1, Status.CHECKED, Verdict.SUPPORTED, 0.9),
        ClaimVerdict("b", 1, 2, Status.CHECKED, Verdict.UNVERIFIABLE, 0.9),
    ]
    lenient = build_report("ab", claims, rule=DecisionRule())
    assert end_line(lenient).startswith("approved although 1 claim is not confirmed: ")
    assert build_report("ab", claims, rule=DecisionRule(strict=True)).decision is Decision.REJECTED
