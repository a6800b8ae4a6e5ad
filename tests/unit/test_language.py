"""The language of a text in Latin letters: ten and more are known by their commonest words, English never is one."""

from __future__ import annotations

import pytest

from tests.support.growth import growth
from verifier.core.text import foreign_language, unreadable

SENTENCES = {
    "German": [
        "Die Rückgabefrist beträgt 30 Tage.",
        "Das Zelt ist wasserdicht.",
        "Kunden erhalten eine Rückerstattung innerhalb von 60 Tagen.",
        "Der Versand kostet 5 Euro und dauert drei Tage.",
        "Wir haben am Sonntag nicht geöffnet.",
        "Larkfell wurde 1990 von Ann Lee gegründet.",
        "Alle Zelte werden in Leeds genäht.",
        "Bei Fragen hilft der Kundendienst.",
        "Der Fluss entspringt im Schwarzwald.",
        "Sie starb 1984 in Wien an einer Lungenentzündung.",
        "Bienen bestäuben die meisten Obstbäume.",
    ],
    "French": [
        "Le délai de retour est de 30 jours.",
        "La tente est imperméable.",
        "Les clients sont remboursés dans les 60 jours.",
        "La livraison coûte 5 euros et prend trois jours.",
        "Nous sommes fermés le dimanche.",
        "Larkfell a été fondée en 1990 par Ann Lee.",
        "L'abonnement n'est pas remboursable.",
        "Il pleut souvent dans cette vallée.",
        "Le fleuve prend sa source dans les Alpes.",
        "Elle mourut à Lyon en 1984.",
        "Les abeilles pollinisent la plupart des arbres.",
    ],
    "Spanish": [
        "El plazo de devolución es de 30 días.",
        "La tienda de campaña es impermeable y está disponible.",
        "Los clientes reciben un reembolso en 60 días.",
        "El envío cuesta 5 euros y tarda tres días.",
        "No abrimos los domingos.",
        "Larkfell fue fundada en 1990 por Ann Lee.",
        "Las botas no se pueden devolver.",
        "Hay dos tiendas en Madrid.",
        "El río nace en los Andes.",
        "Murió en Sevilla a los ochenta años.",
        "Las abejas polinizan la mayoría de los árboles.",
    ],
    "Italian": [
        "Il termine per il reso è di 30 giorni.",
        "La tenda è impermeabile.",
        "I clienti sono rimborsati entro 60 giorni.",
        "La spedizione costa 5 euro e richiede tre giorni.",
        "Non siamo aperti la domenica.",
        "Larkfell è stata fondata nel 1990 da Ann Lee.",
        "Gli stivali non si possono restituire.",
        "Il negozio si trova nella piazza.",
        "Il fiume nasce nelle Alpi.",
        "Morì a Torino nel 1984.",
        "Le api impollinano gran parte degli alberi.",
    ],
    "Portuguese": [
        "O prazo de devolução é de 30 dias.",
        "A barraca é impermeável.",
        "Os clientes são reembolsados em até 60 dias.",
        "O envio custa 5 euros e demora três dias.",
        "Não abrimos aos domingos.",
        "A Larkfell foi fundada em 1990 por Ann Lee.",
        "As botas não podem ser devolvidas.",
        "Você pode cancelar o plano.",
        "O rio nasce na serra.",
        "Ela morreu em Lisboa com oitenta anos.",
        "As abelhas polinizam a maioria das árvores.",
    ],
    "Dutch": [
        "De retourtermijn is 30 dagen.",
        "De tent is niet waterdicht.",
        "Klanten krijgen hun geld binnen 60 dagen terug.",
        "De verzending kost 5 euro en duurt drie dagen.",
        "Wij zijn op zondag gesloten.",
        "Larkfell werd in 1990 door Ann Lee opgericht.",
        "Het kaartje kan worden geruild.",
        "Er zijn twee winkels in Utrecht.",
        "De rivier ontspringt in de Alpen.",
        "Zij overleed in 1984 te Gent.",
        "Bijen bestuiven de meeste fruitbomen.",
    ],
    "Swedish": [
        "Returtiden är 30 dagar.",
        "Tältet är vattentätt.",
        "Kunderna får pengarna tillbaka inom 60 dagar.",
        "Frakten kostar 5 euro och tar tre dagar.",
        "Vi har inte öppet på söndagar.",
        "Larkfell grundades 1990 av Ann Lee.",
        "Biljetten kan inte bytas.",
        "Det finns två butiker i Lund.",
        "Floden rinner upp i fjällen.",
        "Hon dog i Uppsala 1984.",
        "Bin pollinerar de flesta fruktträd.",
    ],
    "Norwegian": [
        "Returfristen er 30 dager.",
        "Teltet er ikke vanntett.",
        "Kundene får pengene tilbake innen 60 dager.",
        "Frakten koster 5 euro og tar tre dager.",
        "Vi har ikke åpent på søndager.",
        "Larkfell ble grunnlagt i 1990 av Ann Lee.",
        "Billetten kan ikke byttes.",
        "Det finnes to butikker i Oslo.",
        "Elven har sitt utspring i fjellet.",
        "Hun døde i Bergen i 1984.",
        "Bier pollinerer de fleste frukttrær.",
    ],
    "Danish": [
        "Returfristen er 30 dage.",
        "Teltet er ikke vandtæt.",
        "Kunderne får pengene tilbage inden 60 dage.",
        "Fragten koster 5 euro og tager tre dage.",
        "Vi har ikke åbent om søndagen.",
        "Larkfell blev grundlagt i 1990 af Ann Lee.",
        "Billetten kan ikke byttes.",
        "Der er to butikker i Aarhus.",
        "Floden udspringer i bjergene.",
        "Hun døde i Odense i 1984.",
        "Bier bestøver de fleste frugttræer.",
    ],
    "Polish": [
        "Termin zwrotu wynosi 30 dni.",
        "Namiot jest wodoodporny.",
        "Klienci otrzymują zwrot pieniędzy w ciągu 60 dni.",
        "Wysyłka kosztuje 5 euro i trwa trzy dni.",
        "Nie pracujemy w niedzielę.",
        "Firma Larkfell została założona w 1990 roku przez Ann Lee.",
        "Biletu nie można wymienić.",
        "W Krakowie są dwa sklepy.",
        "Rzeka wypływa z gór na południu kraju.",
        "Zmarła w Krakowie w wieku osiemdziesięciu lat.",
        "Pszczoły zapylają większość drzew owocowych.",
    ],
    "Finnish": [
        "Palautusaika on 30 päivää.",
        "Teltta on vedenpitävä.",
        "Asiakkaat saavat rahansa takaisin 60 päivän kuluessa.",
        "Toimitus maksaa 5 euroa ja kestää kolme päivää.",
        "Emme ole avoinna sunnuntaisin.",
        "Larkfell perustettiin vuonna 1990.",
        "Lippua ei voi vaihtaa.",
        "Turussa on kaksi kauppaa.",
        "Joki saa alkunsa tunturista.",
        "Hän kuoli Turussa vuonna 1984.",
        "Mehiläiset pölyttävät useimmat hedelmäpuut.",
    ],
}


def test_nineteen_in_twenty_sentences_of_eleven_languages_are_told_from_english() -> None:
    every = [sentence for sentences in SENTENCES.values() for sentence in sentences]
    told = [sentence for sentence in every if foreign_language(sentence)]
    assert len(told) >= 0.95 * len(every)


def test_a_language_that_is_named_is_the_right_one() -> None:
    named = [(language, foreign_language(text)) for language, texts in SENTENCES.items() for text in texts]
    wrong = [(language, name) for language, name in named if name and language not in name]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "30 %",
        "!",
        "Refunds.",
        "30 days.",
        "Larkfell Outdoor",
        "Free returns",
        "It ships Monday.",
        "Die Hard grossed 140 million dollars.",
        "Orla Minch's son received a loan.",
        "Hay is stored in a barn.",
        "Charles de Gaulle was born in Lille.",
        "Vincent van Gogh painted it in Arles.",
        "Rio de la Plata",
        "El Salvador borders Honduras.",
        "Das Boot won two awards.",
        "La Paz is the highest capital of the world.",
        "Los Angeles and San Jose are in California.",
        "The café serves jalapeño soup à la carte.",
        "A coup d'état took place in Niger.",
        "Smith et al. found no effect.",
        "Leonardo da Vinci was born near Florence.",
        "MIT and UN experts met.",
        "Real Madrid beat Borussia Dortmund in the final.",
        "No refund on sale items.",
        "Ole met Per.",
        "Olli hired Pasi.",
        "Ella Fur sang.",
        "Über bought Careem.",
        "Göran owns Skånska.",
        "Per lent Ole money.",
    ],
)
def test_english_and_the_names_in_it_are_no_foreign_language(text: str) -> None:
    assert foreign_language(text) is None
    assert unreadable(text) is None


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Die Rückgabefrist beträgt 30 Tage.", "German"),
        ("DIE RÜCKGABEFRIST. Sie ist nicht kurz.", "German"),
        ("退款期限为三十天。", "Chinese characters"),
        ("返金期限は三十日です。", "Japanese characters"),
        ("환불 기간은 30일입니다.", "Korean characters"),
        ("Срок возврата 30 дней", "Cyrillic"),
        ("مدة الاسترداد ثلاثون يوما", "Arabic"),
        ("Η επιστροφή γίνεται σε 30 ημέρες", "Greek"),
    ],
)
def test_what_cannot_be_read_is_named_for_readers(text: str, phrase: str) -> None:
    assert unreadable(text) == phrase


def test_the_time_to_tell_a_language_grows_with_the_text_and_no_faster() -> None:
    def told(count: int) -> None:
        assert foreign_language("Das Zelt ist nicht rot. A " * count) == "German"

    assert growth(told, 20_000, enough=9) < 9
