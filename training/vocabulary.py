"""Word tables of the edit rules: what may be exchanged for what, and whether the sentence stays true."""

from __future__ import annotations

__all__ = ["MONTHS", "NUMBER_WORDS", "OPPOSITES", "SYNONYMS", "TRANSITIVE", "UNITS", "WEEKDAYS"]

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=2
    )
}
"""From two on: ``one`` is too often a pronoun."""


def _groups(*groups: str) -> dict[str, tuple[str, ...]]:
    """Every member of a group, in lower case, stands for the others; a word in two groups for those of both."""
    table: dict[str, dict[str, None]] = {}
    for group in groups:
        members = group.split("/")
        for word in members:
            table.setdefault(word.lower(), {}).update(
                dict.fromkeys(other for other in members if other != word)
            )
    return {word: tuple(others) for word, others in table.items()}


SYNONYMS = _groups(
    "began/started", "begin/start", "begins/starts", "large/big", "bought/purchased", "roughly/approximately",
    "almost/nearly", "however/nevertheless", "quickly/rapidly", "film/movie", "films/movies", "located/situated",
    "famous/well-known", "wealthy/rich", "ill/sick", "children/kids", "physician/doctor", "physicians/doctors",
    "allows/permits", "allowed/permitted", "require/need", "requires/needs", "required/needed", "obtain/get",
    "obtained/got", "assist/help", "assisted/helped", "ended/concluded", "ends/concludes", "attempted/tried",
    "car/automobile", "attorney/lawyer", "attorneys/lawyers", "entire/whole", "occurred/happened",
    "occurs/happens", "received/got", "shows/demonstrates", "showed/demonstrated", "commonly/frequently",
    "often/frequently", "primarily/mainly", "mostly/mainly", "beginning/start",
    "numerous/many", "several/multiple", "announced/declared", "constructed/built", "employs/hires",
    "created/made", "chose/selected", "difficult/hard", "error/mistake", "fired/dismissed", "huge/enormous",
    "important/significant", "near/close to", "portion/part", "rarely/seldom", "resides/lives", "resided/lived",
    "stated/said", "United States/U.S.", "usually/generally", "within/inside",
)  # fmt: skip
"""Words that may stand for each other in most sentences."""

OPPOSITES = _groups(
    "all/none", "every/no", "always/never", "most/few", "many/few", "more/less", "before/after", "first/last",
    "largest/smallest", "highest/lowest", "longest/shortest", "oldest/youngest", "best/worst", "increase/decrease",
    "increased/decreased", "increases/decreases", "higher/lower", "larger/smaller", "older/younger",
    "longer/shorter", "better/worse", "won/lost", "wins/loses", "accepted/rejected", "allowed/forbade",
    "success/failure", "successful/unsuccessful", "rose/fell", "gained/lost", "open/closed", "opened/closed",
    "alive/dead", "born/died", "northern/southern", "eastern/western", "north/south", "east/west",
    "early/late", "earlier/later", "minimum/maximum", "above/below", "inside/outside", "rich/poor", "public/private",
    "guilty/innocent", "positive/negative", "effective/ineffective", "significant/insignificant", "safe/dangerous",
    "common/rare", "possible/impossible", "legal/illegal", "approved/rejected", "supported/opposed", "hot/cold",
    "male/female", "husband/wife", "father/mother", "son/daughter", "brother/sister", "man/woman", "king/queen",
    "summer/winter", "morning/evening", "day/night", "buy/sell", "bought/sold", "arrived/departed",
    "strong/weak", "stronger/weaker", "majority/minority", "improved/worsened", "improves/worsens",
    "reduced/increased", "reduces/increases", "began/ended", "starts/ends",
    "easy/difficult", "fast/slow", "happy/sad", "young/old", "new/old", "major/minor", "upper/lower",
    "American/British", "French/German", "Chinese/Japanese", "English/Spanish", "Democratic/Republican",
)  # fmt: skip
"""Words whose swap makes a plain statement false."""

UNITS = _groups(
    "km/miles/metres", "kilometres/miles/metres", "kilometers/miles/meters", "miles/km/feet", "kg/pounds/tonnes",
    "metres/feet/kilometres", "meters/feet/kilometers", "million/billion/thousand", "seconds/minutes/hours",
    "days/weeks/months/years", "hours/days/minutes", "mg/g/kg", "ml/litres", "percent/times", "degrees/percent",
    "dollars/euros/pounds/yen", "acres/hectares", "inches/feet/centimetres",
)  # fmt: skip

_REGULAR = (
    "defeated", "acquired", "killed", "directed", "founded", "succeeded", "replaced", "sued", "criticized", "bought",
    "hired", "fired", "praised", "produced", "created", "discovered", "invented", "designed", "attacked", "arrested",
    "accused", "appointed", "nominated", "taught", "murdered", "conquered", "owned", "launched", "published",
    "established", "built", "recorded", "released", "edited", "composed", "developed",
)  # fmt: skip
TRANSITIVE = {**dict(zip(_REGULAR, _REGULAR, strict=True)), "wrote": "written", "beat": "beaten"}
"""Past tense to participle, for verbs that do not hold both ways ("married" would)."""
