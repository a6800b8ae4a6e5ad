"""The parts of generated twins: pairs of subjects by what sets them apart, what is said of them, and where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["PARAPHRASES", "PLACES", "PREDICATES", "SUBJECTS", "Predicate", "Sides", "Subject"]


@dataclass(frozen=True, slots=True)
class Subject:
    """Two of a sort: ``one`` and ``two`` as they open a sentence. ``being``: ``thing``, ``he``, ``she`` or ``they``."""

    one: str
    two: str
    being: str = "thing"


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is said of a subject: words with ``{}`` for a value, in the singular and the plural, and some values."""

    of_one: str
    of_several: str
    values: tuple[str, ...]
    beings: str = "thing he she they"
    passive: str = ""
    """The same with its agent behind: ``{} was painted by``."""


Sides = tuple[str, str, str, str]
"""Subject one, what is said of it, subject two, what is said of that."""


def _pairs(text: str, being: str = "thing") -> tuple[Subject, ...]:
    lines = (line.split(" / ") for line in text.strip().splitlines())
    return tuple(Subject(one.strip(), two.strip(), being) for one, two in lines)


SUBJECTS: Mapping[str, Sequence[Subject]] = {
    "letter": _pairs("""
        Cohort A / Cohort B
        Option X / Option Y
        Vitamin D / Vitamin B
        Wing C / Wing E
        Form J / Form K
        The sample P / The sample Q
        Appendix B / Appendix C
        Team M / Team N
        """),
    "number": _pairs("""
        Boiler 3 / Boiler 8
        Route 12 / Route 21
        Pier 4 / Pier 5
        Unit 101 / Unit 110
        The first shift / The second shift
        Chapter II / Chapter III
        Type 1 / Type 2
        Phase one / Phase two
        """),
    "title": (
        *_pairs(
            """
        Mr. Dorran / Mrs. Dorran
        Sir Pell Arden / Lady Arden
        King Osbert / Queen Osbert
        Mr Ketter / Ms Ketter
        """,
            "he",
        ),
        *_pairs(
            """
        Mrs. Hollin / Mr. Hollin
        Lady Brask / Lord Brask
        """,
            "she",
        ),
    ),
    "generation": _pairs(
        """
        The elder Vosk / The younger Vosk
        Tom Hale Sr. / Tom Hale Jr.
        Ivo Krenn senior / Ivo Krenn junior
        The older Mr Platt / The younger Mr Platt
        Marl the Elder / Marl the Younger
        """,
        "he",
    ),
    "kin": (
        *_pairs(
            """
        Ansel Rook / Ansel Rook's brother
        Dr. Iven Tarr / Dr. Iven Tarr's father
        Orla Minch's husband / Orla Minch's son
        The baker / The baker's uncle
        """,
            "he",
        ),
        *_pairs(
            """
        Nora Elst / Nora Elst's mother
        The smith's wife / The smith's daughter
        """,
            "she",
        ),
    ),
    "given name": (
        *_pairs(
            """
        Anna Dreck / Paula Dreck
        Mira Solt / Elke Solt
        """,
            "she",
        ),
        *_pairs(
            """
        Jon Ferrel / Karl Ferrel
        Peter Quill / Simon Quill
        """,
            "he",
        ),
    ),
    "adjective": _pairs("""
        The old depot / The new depot
        The large tank / The small tank
        The upper lock / The lower lock
        The northern gate / The southern gate
        The public beach / The private beach
        The wooden hut / The stone hut
        The summer course / The winter course
        The basic plan / The premium plan
        The winding road / The coastal road
        """),
    "colour": _pairs("""
        The red line / The blue line
        The green cabin / The yellow cabin
        The white van / The black van
        The grey team / The orange team
        """),
    "name of a thing": _pairs("""
        The Moor ferry / The Castle ferry
        The Velby plant / The Orby plant
        The Hulm museum / The Tarn museum
        Lake Orrin / Lake Tessel
        Fort Brack / Fort Ulden
        The Corlew / The Ambleby
        """),
    "role": (
        *_pairs(
            """
        The doctor / The nurse
        The tenant / The landlord
        The teacher / The pupil
        The captain / The cook
        """,
            "he",
        ),
        *_pairs(
            """
        Adults / Children
        Members / Guests
        Cyclists / Riders
        Dogs / Cats
        """,
            "they",
        ),
    ),
    "kind of thing": _pairs("""
        The kitchen / The library
        The bridge / The tunnel
        The bakery / The pharmacy
        The chapel / The barn
        The pump / The valve
        """),
    "person": (
        *_pairs(
            """
        Marn / Oster
        Karel / Per
        Keld Amby / Jorn Tisk
        """,
            "he",
        ),
        *_pairs("Edda Voss / Ruth Kelm", "she"),
    ),
}
"""Subjects by what sets the two apart."""

_MG = ("5 mg", "10 mg", "20 mg", "40 mg")
_ROOMS = ("the east hall", "the cellar", "the attic", "the courtyard")
_YEARS = ("1901", "1934", "1958", "1976")
_TOWNS = ("Hulm", "Velby", "Tarnow", "Orby")

PREDICATES: Sequence[Predicate] = (
    Predicate("received {}", "received {}", ("5 mg", "10 mg", "20 mg"), "he she they"),
    Predicate(
        "received {}", "received {}", ("the grant", "a loan", "the licence"), passive="{} was received by"
    ),
    Predicate("cost {} in 2019", "cost {} in 2019", ("EUR 500", "EUR 900", "EUR 1,300"), "thing"),
    Predicate("was moved to {}", "were moved to {}", _ROOMS),
    Predicate("was opened in {}", "were opened in {}", _YEARS, "thing"),
    Predicate(
        "was inspected by {}", "were inspected by {}", ("the council", "the insurer", "the fire brigade")
    ),
    Predicate("is close to {}", "are close to {}", ("the harbour", "the zoo", "the station"), "thing"),
    Predicate("is made of {}", "are made of {}", ("steel", "oak", "glass"), "thing"),
    Predicate("was born in {}", "were born in {}", _TOWNS, "he she"),
    Predicate(
        "wrote {}", "wrote {}", ("the opera", "the ballet", "the anthem"), "he she", "{} was written by"
    ),
    Predicate(
        "examined {}", "examined {}", ("the boy", "the girl", "the horse"), "he she", "{} was examined by"
    ),
    Predicate("must pay {}", "must pay {}", ("8 euros", "12 euros", "15 euros"), "he she they"),
    Predicate("is closed on {}", "are closed on {}", ("Monday", "Thursday", "Sunday"), "thing"),
    Predicate("has {} seats", "have {} seats", ("40", "65", "120"), "thing"),
    Predicate("eats {}", "eat {}", ("fish", "bread", "rice"), "he she they"),
    Predicate("is {}", "are {}", ("free of charge", "open to visitors", "under repair"), "thing"),
    Predicate("lost {}", "lost {}", ("the keys", "the map", "a ladder"), "he she they", "{} was lost by"),
)
"""What is said of them."""


def _low(subject: str) -> str:
    """A subject inside a sentence."""
    common = subject.split()[0] in (
        "The",
        "Adults",
        "Children",
        "Members",
        "Guests",
        "Cyclists",
        "Riders",
        "Dogs",
        "Cats",
    )
    return subject[0].lower() + subject[1:] if common else subject


def _joined(link: str) -> Callable[[Sides], str]:
    return lambda sides: f"{sides[0]} {sides[1]}{link} {_low(sides[2])} {sides[3]}."


def _sentences(sides: Sides) -> str:
    return f"{sides[0]} {sides[1]}. {sides[2]} {sides[3]}."


def _apart(sides: Sides) -> str:
    between = "All visits took place in the spring. A diary was kept throughout. Nothing else was recorded."
    return f"{sides[0]} {sides[1]}. {between} {sides[2]} {sides[3]}."


PLACES: Mapping[str, Callable[[Sides], str]] = {
    "sentences": _sentences,
    "sentences apart": _apart,
    "paragraphs": lambda sides: f"# Notes\n\n{sides[0]} {sides[1]}.\n\n{sides[2]} {sides[3]}.\n",
    "while": _joined(" while"),
    "whereas": _joined(", whereas"),
    "and": _joined(" and"),
    "but": _joined(", but"),
    "semicolon": _joined(";"),
    "list": lambda sides: f"What was noted:\n\n- {sides[0]} {sides[1]}.\n- {sides[2]} {sides[3]}.\n",
    "documents": lambda sides: f"{sides[0]} {sides[1]}.\f{sides[2]} {sides[3]}.",
}
"""Where the two stand; ``\\f`` parts two documents. Rows and pronouns are made in :mod:`.subjects`."""

PARAPHRASES: Sequence[tuple[str, str, str, str]] = (
    (
        "shortened",
        "The Orby Sea Museum was opened in 1901. The Tarn mill was opened in 1934.",
        "The museum was opened in 1901.",
        "The mill was opened in 1901.",
    ),
    (
        "shortened",
        "Keeper Ansel Brook lit the lamp. Captain Ruth Oss steered the boat.",
        "Ansel Brook lit the lamp.",
        "Ruth Oss lit the lamp.",
    ),
    (
        "pronoun",
        "Edda Voss founded the choir in 1922. She taught in Hulm. Ruth Kelm joined it later.",
        "Edda Voss taught in Hulm.",
        "Ruth Kelm taught in Hulm.",
    ),
    (
        "conjoined",
        "Cohort A and cohort B received the grant. Cohort C received a loan.",
        "Cohort B received the grant.",
        "Cohort C received the grant.",
    ),
    (
        "both",
        "The north mill and the south mill burned down. Both were rebuilt in 1934.",
        "The south mill was rebuilt in 1934.",
        "The west mill was rebuilt in 1934.",
    ),
    ("plural", "Ferries carry cars. Trams carry prams.", "A ferry carries cars.", "A tram carries cars."),
    (
        "passive",
        "Ruth Kelm painted the ceiling. Edda Voss painted the stairs.",
        "The ceiling was painted by Ruth Kelm.",
        "The ceiling was painted by Edda Voss.",
    ),
    (
        "passive",
        "The ceiling was painted by Ruth Kelm. The stairs were painted by Edda Voss.",
        "Ruth Kelm painted the ceiling.",
        "Edda Voss painted the ceiling.",
    ),
    (
        "apposition",
        "Ruth Kelm, the treasurer, signed the lease. Edda Voss, the chair, signed the will.",
        "The treasurer signed the lease.",
        "The chair signed the lease.",
    ),
    (
        "synonym",
        "The physician examined the boy. The nurse examined the girl.",
        "The doctor examined the boy.",
        "The nurse examined the boy.",
    ),
)
"""True claims in other words, each with a false twin: what they are, the source, the true claim, the false one."""
