"""The entity signal: names, aliases, rivals in one place, and who did what to whom."""

from __future__ import annotations

import pytest
from verifier_signals.entity import EntitySignal
from verifier_signals.names import is_alias, names_in
from verifier_signals.roles import events_in
from verifier_signals.types import Outcome, Relation, SignalScore, TextPair


def score(premise: str, claim: str) -> SignalScore:
    return EntitySignal().score([TextPair(premise, claim)])[0]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The tenant pays the landlord on Monday, 3 March.", []),
        ("Turbines were supplied by Aerovent.", ["Aerovent"]),
        ("Vinegar and grapefruit are sour. Children like neither.", []),
        ("Kestrel Bay lies north of the Mill Lane depot.", ["Kestrel Bay", "Mill Lane"]),
        ("It was led by Dr. Ada van Lee of Orr & Sons Ltd.", ["Dr. Ada van Lee", "Orr & Sons Ltd"]),
        ("The Board of Examiners met the Bank of Elm.", ["Board of Examiners", "Bank of Elm"]),
        ("Data is encrypted with AES-256 as ISO 27001 asks.", ["AES-256", "ISO 27001"]),
        ("The Supporters' Trust met Fenwold's auditors.", ["Supporters' Trust", "Fenwold"]),
        ("She wrote “Ashen Tides” and “the end”.", ["Ashen Tides"]),
        ("German and French shops sell 5 kg for 12 EUR.", []),
        ("An iPhone and a ScriptWarden licence", ["iPhone", "ScriptWarden"]),
        ("The fund gave Elm Trust 16,500 euros and Orr 27001.", ["Elm Trust", "Orr 27001"]),
        ("READ ALL THE RULES BEFORE YOU START", []),
        ("", []),
    ],
)
def test_names_are_found_by_their_form(text: str, names: list[str]) -> None:
    assert [name.text for name in names_in(text)] == names


@pytest.mark.parametrize(
    ("claim", "evidence", "same"),
    [
        ("Noor Haddad", "Haddad", True),
        ("Haddad", "Noor Haddad", True),
        ("J. Smith", "John Smith", True),
        ("Mary Smith", "John Smith", False),
        ("Smyth", "Smith", False),
        ("Brackenfort", "Brackenford", True),
        ("Velluto C4", "Velluto C2", False),
        ("Velluto", "Velluto C2", True),
        ("WHO", "World Health Organization", True),
        ("World Health Organization", "WHO", True),
        ("WTO", "World Health Organization", False),
        ("Larkdesk Ltd", "Larkdesk", True),
        ("Café Müller", "Cafe Muller", True),
        ("ISO 27001", "ISO 9001", False),
        ("Dr Lena Marchetti", "Professor Marchetti", True),
    ],
)
def test_aliases_name_the_same_thing(claim: str, evidence: str, same: bool) -> None:
    [ours] = names_in(f"Yesterday they quietly met {claim} there.")
    [theirs] = names_in(f"Yesterday they quietly met {evidence} there.")
    assert is_alias(ours, theirs) is same


@pytest.mark.parametrize(
    ("premise", "claim", "values"),
    [
        ("It was founded by Emil Lund.", "It was founded by Joris Ralle.", ("Joris Ralle", "Emil Lund")),
        ("Paris is the capital of France.", "Berlin is the capital of France.", ("Berlin", "Paris")),
        ("The capital of France is Paris.", "The capital of France is Berlin.", ("Berlin", "Paris")),
        ("Turbines were supplied by Aerovent.", "Castellan supplied the turbines.", ("Castellan", "Aerovent")),
        ("Access follows NIST 800-53 controls.", "Access follows ISO 27001 controls.", ("ISO 27001", "NIST 800-53")),
    ],
)  # fmt: skip
def test_another_name_in_the_same_place_conflicts(premise: str, claim: str, values: tuple[str, str]) -> None:
    result = score(premise, claim)
    assert result.outcome is Outcome.CONFLICTING
    assert [
        (finding.claim_value, finding.evidence_value)
        for finding in result.findings
        if finding.relation is Relation.CONFLICT
    ] == [values]


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("The ferry was built by Orr & Co in Leith.", "The museum owns a portrait of Ada Kessel."),
        ("The library opened in 1911.", "A mural by Beatrix Lunde decorates the library."),
        ("The auditors are Hollis & Wray.", "Castellan Cables laid the cable."),
    ],
)
def test_a_name_without_counterpart_is_absent(premise: str, claim: str) -> None:
    result = score(premise, claim)
    assert result.outcome is Outcome.ABSENT
    assert result.features["absent"] == 1.0


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Morrowline acquired Coastway Trains.", "Coastway Trains acquired Morrowline."),
        ("Morrowline acquired Coastway Trains.", "Morrowline was acquired by Coastway Trains."),
        ("Morrowline acquired Coastway Trains.", "Morrowline was bought by Coastway Trains."),
        ("Morrowline's acquisition of Coastway was approved.", "Coastway acquired Morrowline."),
        ("Tobias Quell joined in May; he replaced Marian Dove.", "Marian Dove succeeded Tobias Quell."),
        ("Ann Lee reports to Bo Tran.", "Bo Tran reports to Ann Lee."),
        ("The tenant pays the landlord.", "The landlord pays the tenant."),
        ("Denholm sold the club to the Orr Trust.", "The Orr Trust sold the club to Denholm."),
        ("Corley beat Ravensby in the final.", "Corley lost to Ravensby in the final."),
        ("The tram runs from Aldermere to Callan.", "The tram runs from Callan to Aldermere."),
    ],
)
def test_exchanged_sides_of_a_deed_are_a_role_conflict(premise: str, claim: str) -> None:
    result = score(premise, claim)
    assert result.features["role_conflict"] == 1.0
    assert result.outcome is Outcome.CONFLICTING
    assert "role" in {finding.kind for finding in result.findings}


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Morrowline acquired Coastway Trains.", "Coastway Trains was acquired by Morrowline."),
        ("Morrowline bought Coastway from the Durrant Group.", "The Durrant Group sold Coastway to Morrowline."),
        ("Ann Lee reports to Bo Tran.", "Bo Tran supervises Ann Lee."),
        ("Ann Lee succeeded Bo Tran.", "Bo Tran was succeeded by Ann Lee."),
        ("Corley beat Ravensby.", "Ravensby lost to Corley."),
        ("Ann Lee married Bo Tran.", "Bo Tran married Ann Lee."),
        ("Ann Lee and Bo Tran founded Orrin.", "Bo Tran founded Orrin."),
        ("Orrin was founded by Ann Lee and Bo Tran.", "Ann Lee and Bo Tran founded Orrin."),
        ("Nimbarra stores the data of Larkdesk.", "The data of Larkdesk is stored by Nimbarra."),
        ("The World Health Organization (WHO) issued a warning.", "WHO issued a warning."),
        ("We moved to Berlin after Paris had refused.", "After Paris had refused, we moved to Berlin."),
    ],
)  # fmt: skip
def test_the_same_deed_told_otherwise_is_no_conflict(premise: str, claim: str) -> None:
    result = score(premise, claim)
    assert result.outcome is Outcome.CONSISTENT
    assert result.features["match"] == 1.0
    assert result.support == 1.0


@pytest.mark.parametrize("text", ["", "...", "Нет.", "the tenant pays"])
def test_a_claim_without_names_is_not_applicable(text: str) -> None:
    assert score("Ann Lee met Bo Tran.", text).outcome is Outcome.NOT_APPLICABLE


def test_case_spacing_and_typography_of_the_evidence_change_nothing() -> None:
    claim = "Jean-Luc O'Hara led Café Noir."
    for premise in (
        "JEAN-LUC O’HARA LED CAFÉ NOIR.",
        "jean-luc o'hara led cafe noir.",
        "Jean‑Luc  O’Hara led\nCafé Noir.",
    ):
        assert score(premise, claim).outcome is Outcome.CONSISTENT


def test_the_gazetteer_is_asked_once_a_batch_and_gives_the_unknown_share() -> None:
    calls: list[list[str]] = []

    def gazetteer(names: list[str]) -> list[bool]:
        calls.append(list(names))
        return [name == "Larkdesk" for name in names]

    pairs = [TextPair("Anything.", "Emil Vandekamp founded Larkdesk."), TextPair("Else.", "Larkdesk grew.")]
    first, second = EntitySignal(gazetteer).score(pairs)  # type: ignore[arg-type]
    assert calls == [["Emil Vandekamp", "Larkdesk"]]
    assert (first.features["unknown"], second.features["unknown"]) == (0.5, 0.0)


@pytest.mark.parametrize(
    ("premise", "claim", "share"),
    [
        ("The Food and Drug Agency closed it.", "The FDA closed it.", 0.0),
        ("J. K. Orr won.", "Jane Orr won.", 0.0),
        ("Anton Lindqvist won.", "A. Lindqvist won.", 0.0),
        ("The Swiss team won.", "Switzerland won.", 0.0),
        ("The Food and Drug Agency closed it.", "The WHO closed it.", 1.0),
        ("Jane Orr won.", "Mara Dunn won.", 1.0),
    ],
)
def test_a_name_that_the_premise_has_in_another_form_is_not_unknown(
    premise: str, claim: str, share: float
) -> None:
    [score] = EntitySignal(lambda names: [False] * len(names)).score([TextPair(premise, claim)])
    assert score.features["unknown"] == share


def test_a_pronoun_stands_for_the_person_named_before() -> None:
    events = events_in("The Senate appointed Owen Thackray; he reports to Judith Amory.")
    [reports] = [event for event in events if event.kind == "hierarchy"]
    assert {role: [filler.head for filler in fillers] for role, fillers in reports.roles.items()} == {
        "junior": ["thackray"],
        "senior": ["amory"],
    }


@pytest.mark.parametrize(
    ("premise", "claim", "values"),
    [
        (
            "Report. Ada Lorne (lead author), Ben Tarr.",
            "Ben Tarr is the lead author.",
            ("Ben Tarr", "Ada Lorne"),
        ),
        (
            "Plant manager: Ida Roth. Site nurse: Lou Penn.",
            "The plant manager is Lou Penn.",
            ("Lou Penn", "Ida Roth"),
        ),
        (
            "Write to Mara Quist, head of sales.",
            "Tom Ebers is the head of sales.",
            ("Tom Ebers", "Mara Quist"),
        ),
    ],
)
def test_another_holder_of_the_same_role_conflicts(premise: str, claim: str, values: tuple[str, str]) -> None:
    result = score(premise, claim)
    assert result.outcome is Outcome.CONFLICTING
    assert values in [(finding.claim_value, finding.evidence_value) for finding in result.findings]


@pytest.mark.parametrize(
    ("premise", "claim"),
    [
        ("Music director: Ada Lorne. Artistic director: Ben Tarr.", "Ben Tarr is the artistic director."),
        ("Mara Quist, head of sales, met Tom Ebers.", "Tom Ebers is the head of research."),
        ("The chair of the club is Ada Lorne.", "Lorne is the chair of the club."),
    ],
)
def test_holders_of_other_roles_do_not_conflict(premise: str, claim: str) -> None:
    assert score(premise, claim).outcome is not Outcome.CONFLICTING


def test_a_birthplace_before_a_name_is_a_name_of_its_own() -> None:
    assert [name.text for name in names_in("The Elmford-born Ada Orr leads it.")] == ["Elmford", "Ada Orr"]
    premise = "Ada Orr was born in Elmford."
    assert score(premise, "The Elmford-born Ada Orr leads it.").outcome is Outcome.CONSISTENT
    assert score(premise, "The Tarlow-born Ada Orr leads it.").outcome is not Outcome.CONSISTENT


def test_a_pronoun_at_the_head_of_a_sentence_is_no_name() -> None:
    assert not names_in("Whichever fare you choose, dogs travel free.")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("CEO Lena Moravec said so.", ["Lena Moravec"]),
        ("Velluto CEO Lena Moravec said so.", ["Velluto", "Lena Moravec"]),
        ("Orr & Co's CFO Moravec said so.", ["Orr & Co", "Moravec"]),
        ("Managing director Tom Baker left.", ["Tom Baker"]),
        ("Then Chief Financial Officer Tom Baker left.", ["Tom Baker"]),
        ("Deputy Prime Minister Ada van Lee left.", ["Ada van Lee"]),
        ("Head of Sales Ann Roe left.", ["Ann Roe"]),
        ("It was founded by Editor-in-Chief J. Okafor.", ["J. Okafor"]),
        ("Elm Bank Director Tom Baker left.", ["Elm Bank", "Tom Baker"]),
        ("Then Chairman Paul Okafor left.", ["Chairman Paul Okafor"]),
        ("Chairman Paul Okafor left.", ["Chairman Paul Okafor"]),
        ("We read CEO Weekly and met the CEO.", ["CEO Weekly", "CEO"]),
        ("He was Secretary of State of Canada.", ["Secretary of State of Canada"]),
        ("He saw the Head of Goliath.", ["Head of Goliath"]),
        ("They asked the Executive Yuan.", ["Executive Yuan"]),
        ("He runs the Chief Okafor Museum.", ["Chief Okafor Museum"]),
        ("Ada Orr met Principal Orr & Sons.", ["Ada Orr", "Principal Orr & Sons"]),
    ],
)
def test_a_title_before_a_person_is_no_part_of_the_name(text: str, names: list[str]) -> None:
    assert [name.text for name in names_in(text)] == names


@pytest.mark.parametrize(
    "title", ["CEO", "Chairman", "Dr.", "Managing director", "Managing Director", "Vice President", "Mr"]
)
@pytest.mark.parametrize("other", ["", "CFO ", "Professor ", "Deputy Director "])
def test_a_title_makes_no_other_person_of_a_name(title: str, other: str) -> None:
    premise = f"The fair will open in June, {other}Lena Moravec said."
    for claim, evidence in (
        (f"{title} Lena Moravec said the fair will open in June.", premise),
        (premise, f"{title} Lena Moravec said the fair will open in June."),
    ):
        found = score(evidence, claim)
        assert found.features["conflict"] == 0
        assert found.features["absent"] == 0


def test_another_person_with_the_same_title_conflicts() -> None:
    found = score("CEO Lena Moravec opened the fair.", "CEO Tom Baker opened the fair.")
    assert [finding.claim_value for finding in found.findings if finding.relation is Relation.CONFLICT] == [
        "Tom Baker"
    ]
