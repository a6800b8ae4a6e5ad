"""Check-worthiness: what certainly is no claim is skipped with its reason, and nothing else."""

from __future__ import annotations

import pytest

from verifier.verification.claims.checkworthiness import preamble_end, skip_reason

CLAIMS = [
    "You can return it within 30 days.",
    "Members should bring ID.",
    "You must return items within 30 days.",
    "The library is good for twelve loans.",
    "Larkdesk should refund the annual fee in full.",
    "Use of the pool is free.",
    "Contact lenses are excluded.",
    "Report cards are sent by post.",
    "I think the refund policy requires a receipt.",
    "I cannot confirm that, but refunds are free.",
    "Feel free to return items without a receipt.",
    "I'm happy to announce that shipping is free.",
    "Here are the members of the board, Anna Lee and Bob Roth.",
    "Call 555-1234 for help.",
    "The best-selling product is the kettle.",
    "The Thane Bridge is the best known bridge in the city.",
    "Berlin is better connected than Hamburg.",
    "Welcome drinks are included.",
    "Dear customers pay less.",
    "Thank you notes are sent to donors.",
    "Great Britain left the union.",
    "Sure Start is a programme for children.",
    "Take the tablet with food.",
    "Avoid grapefruit juice.",
    "Unfortunately, the pool is closed.",
    "Sorry, the pool is closed.",
    "I am sorry, the warranty does not cover water damage.",
    "In summary, the plan includes parking.",
    'He wrote "Who is it?"',
    "According to the documents, refunds are free.",
    "Open every day.",
    "No.",
    "Yes",
    "Paris",
    "The service is excellent value because parking is free.",
    "The warranty is perfect proof of purchase.",
    "Good weather is required.",
    "The battery is better than the old one.",
    "The tool is friendly to the environment.",
    "Paying by card is a good way to get a discount.",
    "Note that the pool is closed on holidays.",
    "Check-in is at noon.",
    "See also the Basic plan of Larkdesk.",
    "We cannot ship abroad.",
    "We do not give refunds.",
    "We can't offer discounts on sale items.",
    "We don't have a branch in the city.",
    "I don't have pets allowed in my flat.",
    "Copy editing is included.",
    "Call charges are waived.",
    "Follow-up visits are free.",
    "Make-up classes are offered.",
    "Go is a programming language.",
    "Write access is limited to admins.",
    "Read access is free.",
    "Press passes are free for journalists.",
    "Review copies are sent to critics.",
    "Visit fees are waived for members.",
    "Ask prices rose.",
    "Please note the pool is closed.",
    "Please keep your receipt.",
    "If you need help, the desk is open all day.",
    "If you have questions, our staff speak English.",
    "Have a pet? Bring it.",
    "I hope the policy is clear: refunds are excluded.",
    "The staff are friendly and speak English.",
    "It is fair to say that the bridge was closed.",
    "The exam is unfair to nobody.",
    "The company is great at losing money and was sued.",
    "Sales were good.",
    "Results were worse than expected.",
    "The weather was bad.",
    "Attendance was better than in the previous season.",
    "The offer is exceptional leave.",
]
SKIPPED = [
    ("The design is beautiful.", "opinion"),
    ("This is the best choice for anyone.", "opinion"),
    ("The view is simply breathtaking!", "opinion"),
    ("I love this place.", "opinion"),
    ("I think it looks great.", "opinion"),
    ("Please contact support.", "instruction"),
    ("Make sure to bring your receipt.", "instruction"),
    ('Click "Settings" and choose Privacy.', "instruction"),
    ("Please send us your receipt.", "instruction"),
    ("Let me know if you have any questions.", "meta"),
    ("I hope this helps!", "meta"),
    ("Here is a summary:", "meta"),
    ("Here's what I found:", "meta"),
    ("In summary:", "meta"),
    ("Based on the provided context:", "meta"),
    ("I'm happy to help with that.", "meta"),
    ("If you have any further questions, feel free to ask!", "meta"),
    ("I don't have information about that.", "refusal"),
    ("I'm sorry, but I cannot answer that question.", "refusal"),
    ("I am unable to find that information.", "refusal"),
    ("Unfortunately, I don't know.", "refusal"),
    ("Hello!", "greeting"),
    ("Hi Anna,", "greeting"),
    ("Dear Mr. Smith,", "greeting"),
    ("Thank you for your patience.", "greeting"),
    ("You're welcome!", "greeting"),
    ("Have a nice day!", "greeting"),
    ("Best regards,", "greeting"),
    ("Great question!", "greeting"),
    ("Is it open?", "question"),
    ("Can you tell me more about the plan?", "question"),
    ("Who knew that it closed in 1990?", "question"),
    ("这是什么？", "question"),
    ("https://example.com/a?b=c", "url only"),
    ("***", "markup"),
    ("🙂", "markup"),
    ("Sorry for the inconvenience.", "refusal"),
    ("Would you like me to go on?", "question"),
    ("Feel free to ask.", "meta"),
    ("Don't hesitate to contact us.", "meta"),
    ("In my opinion, the club should never leave.", "opinion"),
    ("Here are the three steps:", "meta"),
]


@pytest.mark.parametrize("sentence", CLAIMS)
def test_what_may_be_a_fact_is_a_claim(sentence: str) -> None:
    assert skip_reason(sentence) is None


@pytest.mark.parametrize(("sentence", "reason"), SKIPPED)
def test_what_is_no_claim_is_skipped_with_its_reason(sentence: str, reason: str) -> None:
    assert skip_reason(sentence) == reason


@pytest.mark.parametrize(
    "opening", ["I think ", "In my opinion, ", "Please note that ", "Make sure to pay within 30 days: "]
)
def test_figures_make_a_claim_whatever_comes_first(opening: str) -> None:
    assert skip_reason(opening + "the beautiful pool is 25 m long.") is None


def test_an_introduction_is_measured_and_a_claim_without_one_has_none() -> None:
    assert preamble_end("I think the pool is long.") == len("I think ")
    assert preamble_end("Note: It is important to note that pets pay.") == len(
        "Note: It is important to note that "
    )
    assert preamble_end("Notes are kept.") == 0
