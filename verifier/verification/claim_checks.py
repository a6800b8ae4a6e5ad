"""The checks of claim extraction: why a sentence is no claim (skips), and how one becomes several statements (splits).

They are declared as those of the signals are. A skip that is off makes a claim of what it would skip; a split that is
off leaves the sentence whole. Two reasons to skip something are no checks: markup that holds no words, and the
reasoning of a model before its answer. Neither is a sentence of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from verifier_signals.checks import SKIP_PREFIX, Action, Check, Example, catalogue, installed_skips, said

from verifier.verification.grammar.clauses import CLAUSES, SHARED_SUBJECT
from verifier.verification.grammar.decomposition import APPOSITION, RELATIVE_CLAUSE

__all__ = ["CLAIM_CHECKS", "SKIPS", "SPLITS", "all_claim_checks", "installed_reason", "skip_check"]

_SKIP = frozenset({Action.SKIP})
_SPLIT = frozenset({Action.SPLIT})


def _skip(
    reason: str, family: str, asserts: str, *, fires: tuple[Example, ...], silent: tuple[Example, ...]
) -> Check:
    """The check that skips for that reason, as the report words it."""
    return Check(_id(reason), family, asserts, _SKIP, fires, silent)


def _id(reason: str) -> str:
    return SKIP_PREFIX + reason.replace(" ", "-")


SKIPS: Mapping[str, Check] = catalogue(
    (
        _skip(
            "question",
            "talk",
            "A question asserts nothing, unless it takes something for granted.",
            fires=said("Do you ship abroad?", "Which day does the hall close on?"),
            silent=said("Refunds take 30 days.", "She asked whether the hall was open."),
        ),
        _skip(
            "greeting",
            "talk",
            "A greeting, thanks, an assent or a sign-off is about nothing but the conversation.",
            fires=said("Good morning Sam!", "Kind regards, Tom Baker"),
            silent=said("The hall opens in the morning.", "Regards from the crew were sent on 4 May."),
        ),
        _skip(
            "refusal",
            "talk",
            "The speaker apologises, or cannot help.",
            fires=said("I'm sorry for the delay.", "My apologies for that."),
            silent=said("The museum apologised to its visitors.", "Unfortunately, the ferry was cancelled."),
        ),
        _skip(
            "meta",
            "talk",
            "The sentence speaks of the answer itself, offers help, or lists the sources of the answer.",
            fires=said("Let me know if you need anything else.", "Here is a summary of the rules:"),
            silent=said("The summary of the rules is on page 4.", "You can ask the desk for a map."),
        ),
        _skip(
            "instruction",
            "talk",
            "The reader is told what to do, on a screen or in a conversation.",
            fires=said("Please contact our support team.", "Click the button to go on."),
            silent=said("You must return items within 30 days.", "Take the tablets with food."),
        ),
        _skip(
            "opinion",
            "talk",
            "The sentence voices a judgement, a taste or a wish, and says nothing else.",
            fires=said("The design is beautiful.", "I think the staff are wonderful."),
            silent=said("The beautiful bridge was sold.", "I think the shop closes on holidays."),
        ),
        _skip(
            "fragment",
            "layout",
            "Bare words assert nothing where no question, title or sentence before them completes them.",
            fires=said("Refunds.", "It depends."),
            silent=said("Refunds are free.", "## Basic plan\n- 5 users"),
        ),
        _skip(
            "heading",
            "layout",
            "A title names what stands below it, and asserts nothing.",
            fires=said("# Plans\nThe plan costs 5 EUR.", "**Opening hours**\n\nThe hall opens at nine."),
            silent=said("# The hall was sold in 1990\nIt is empty.", "The plan costs 5 EUR."),
        ),
        _skip(
            "list introduction",
            "layout",
            "The items of a list say again what leads into it.",
            fires=said(
                "The Basic plan includes:\n- parking\n- a pool", "- Pro plan\n  - 20 users\n  - support"
            ),
            silent=said("The Basic plan includes parking.", "- The hall is open.\n- The pool is shut."),
        ),
        _skip(
            "table header",
            "layout",
            "The heads of columns say what stands below them.",
            fires=said(
                "| Plan | Price |\n|---|---|\n| Basic | 5 EUR |", "| Hut | Beds |\n|---|---|\n| Elm | 46 |"
            ),
            silent=said("The Basic plan costs 5 EUR.", "Plan: Basic"),
        ),
        _skip(
            "code",
            "layout",
            "Code is no statement; sentences in its comments and strings are read.",
            fires=said(
                "Run this:\n\n```sh\npip install verifier\n```",
                "```python\nfor x in rows:\n    print(x)\n```",
            ),
            silent=said("The package is installed by pip.", "The print function writes a line."),
        ),
        _skip(
            "url only",
            "sources",
            "An address, or a label and links, says nothing by itself.",
            fires=said("https://example.org/plans", "Leaflet: [PDF](https://example.org/leaflet.pdf)"),
            silent=said(
                "The plans are on https://example.org/plans.", "The fee is [5 EUR](https://example.org/fee)."
            ),
        ),
        _skip(
            "abstention",
            "sources",
            "The sentence says that the given sources do not tell something.",
            fires=said(
                "The documents do not say how old the mill is.", "The provided context does not mention pets."
            ),
            silent=said("The policy does not mention pets.", "The mill does not run in winter."),
        ),
    )
)
"""Why a sentence is no claim."""

SPLITS: Mapping[str, Check] = catalogue(
    (
        Check(
            CLAUSES,
            "clauses",
            "Two clauses with a subject and a verb of their own are two statements.",
            _SPLIT,
            fires=said(
                "The pass costs 5 EUR, and it is valid for a day.", "The hall is open; the pool is closed."
            ),
            silent=said(
                "If you cancel, you get a refund and the fee is waived.",
                "She said that the hall was open and the pool was closed.",
            ),
        ),
        Check(
            SHARED_SUBJECT,
            "clauses",
            "Two predicates that share a subject are two statements.",
            _SPLIT,
            fires=said(
                "The Pro plan costs 9 EUR and includes support.",
                "The mill was sold in 1990 and was rebuilt in 2001.",
            ),
            silent=said("No plan costs 9 EUR and includes support.", "The mill grinds wheat and rye."),
        ),
        Check(
            RELATIVE_CLAUSE,
            "asides",
            "A relative clause between commas is a statement about the words before it.",
            _SPLIT,
            fires=said(
                "Ada Dahl, who founded Acme in 1990, lives in Bonn.",
                "The prize went to Ada Dahl, who founded Acme in 1990.",
            ),
            silent=said(
                "Members who pay early get a discount.", "The train was late, which annoyed the crew."
            ),
        ),
        Check(
            APPOSITION,
            "asides",
            "A description between commas is a statement about the name before it.",
            _SPLIT,
            fires=said(
                "Ada Dahl, a chemist, lives in Bonn.", "The prize went to Ada Dahl, a cardiologist from Oslo."
            ),
            silent=said(
                "The hall, the pool and the sauna are open.",
                "Revenue rose to 5 million, a rise of 1 percent.",
            ),
        ),
    )
)
"""How a sentence becomes several statements."""

CLAIM_CHECKS = catalogue((*SKIPS.values(), *SPLITS.values()))
"""Every check of claim extraction."""


def all_claim_checks() -> dict[str, Check]:
    """Every check of claim extraction, those of installed packages among them, by id."""
    return catalogue((*CLAIM_CHECKS.values(), *(skip.check for skip in installed_skips().values())))


def installed_reason(sentence: str) -> str | None:
    """Why an installed package says of a sentence that it is no claim; ``None`` where none does."""
    return next(
        (
            name.removeprefix(SKIP_PREFIX).replace("-", " ")
            for name, skip in installed_skips().items()
            if skip.skips(sentence)
        ),
        None,
    )


def skip_check(reason: str) -> str:
    """The id of the check that skips for a reason; empty for markup and reasoning.

    >>> skip_check("table header"), skip_check("markup")
    ('claims.skip-table-header', '')
    """
    name = _id(reason)
    return name if name in SKIPS or name in installed_skips() else ""
