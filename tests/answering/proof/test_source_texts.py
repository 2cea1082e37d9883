"""How well texts support claims: what is copied, said otherwise, changed by a word, or invented."""

from __future__ import annotations

import time

import pytest

from service.answering.proof.source_texts import SourceTexts

ENGLISH = (
    "You can renew online up to one year before your license expires. The fee is $65 and it must"
    " be paid by card. Visitors may not drive without a permit. Offices in Albany close at noon."
    " The bridge was built in 1932 and carries four lanes of traffic across the river."
    " Anna lent Peter the car."
)
SPANISH = (
    "Puede renovar su licencia en línea hasta un año antes de que caduque. La tarifa es de 65"
    " dólares y debe pagarse con tarjeta. Los visitantes no pueden conducir sin un permiso."
)
FRENCH = (
    "Vous pouvez renouveler votre permis en ligne jusqu'à un an avant son expiration. Les frais"
    " sont de 65 euros et doivent être payés par carte. Les visiteurs ne peuvent pas conduire sans"
    " permis."
)
GERMAN = (
    "Sie können Ihren Führerschein bis zu ein Jahr vor dem Ablauf online erneuern. Die Gebühr"
    " beträgt 65 Euro und muss mit Karte bezahlt werden. Besucher dürfen nicht ohne Genehmigung"
    " fahren."
)
CHINESE = (
    "您可以在驾照到期前一年内在线续期。费用为65元，必须用银行卡支付。没有许可证的访客不得开车。"
)


def score(claim: str, *texts: str) -> float:
    return max(SourceTexts(texts).scores(claim), default=0.0)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (ENGLISH, "You must pay the $65 fee by card."),
        (ENGLISH, "The fee is $65.00."),
        (ENGLISH, "Your license can be renewed online one year before it expires."),
        (ENGLISH, "The bridge, which carries 4 lanes of traffic, was built in 1932."),
        (SPANISH, "Hay que pagar la tarifa de 65 dólares con tarjeta."),
        (SPANISH, "La licencia se puede renovar en línea un año antes de que caduque."),
        (FRENCH, "Il faut payer les 65 euros de frais par carte."),
        (FRENCH, "Le permis peut être renouvelé en ligne un an avant son expiration."),
        (GERMAN, "Die Gebühr von 65 Euro bezahlen Sie mit Karte."),
        (GERMAN, "Der Führerschein kann online ein Jahr vor dem Ablauf erneuert werden."),
        (CHINESE, "您必须用银行卡支付65元费用。"),
        (CHINESE, "驾照到期前一年内可以在线续期。"),
    ],
)
def test_what_is_said_in_other_words_is_supported(text: str, claim: str) -> None:
    assert score(claim, text) > 0.5


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (ENGLISH, "The fee is $65 and it must not be paid by card."),
        (ENGLISH, "Visitors may drive without a permit."),
        (ENGLISH, "Offices in Albany never close at noon."),
        (ENGLISH, "You can renew online up to one year after your license expires."),
        (ENGLISH, "The bridge was built in 1932 and carries eight lanes of traffic."),
        (ENGLISH, "Peter lent Anna the car."),
        (SPANISH, "La tarifa es de 65 dólares y no debe pagarse con tarjeta."),
        (SPANISH, "Los visitantes pueden conducir sin un permiso."),
        (SPANISH, "Puede renovar su licencia en línea hasta un año después de que caduque."),
        (FRENCH, "Les frais sont de 65 euros et ne doivent pas être payés par carte."),
        (FRENCH, "Les frais sont de 56 euros et doivent être payés par carte."),
        (GERMAN, "Die Gebühr beträgt 65 Euro und muss nicht mit Karte bezahlt werden."),
        (GERMAN, "Besucher dürfen ohne Genehmigung fahren."),
        (CHINESE, "费用为56元，必须用银行卡支付。"),
        (CHINESE, "没有许可证的访客可以开车。"),
    ],
)
def test_a_copy_that_denies_or_turns_what_is_said_is_contradicted(text: str, claim: str) -> None:
    assert score(claim, text) <= 0.3


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (ENGLISH, "The bridge is made of gold."),
        (ENGLISH, "The golden bridge was built in 1932."),
        (ENGLISH, "The fee is $65 and it must be paid by gold card."),
        (ENGLISH, "The fee is $65 and it must be paid by cheque."),
        (ENGLISH, "Offices in Buffalo close at noon."),
        (ENGLISH, "Offices in Albany close at midnight."),
        (SPANISH, "El puente está hecho de oro."),
        (FRENCH, "Les visiteurs conduisent des voitures en marbre."),
        (GERMAN, "Die Brücke ist aus Gold gemacht."),
        (CHINESE, "这座桥是用黄金做的。"),
    ],
)
def test_an_invented_attribute_is_not_supported(text: str, claim: str) -> None:
    assert score(claim, text) < 0.5


@pytest.mark.parametrize("mark", ["", "4. ", "- ", "• ", "(2) ", "## "])
def test_the_mark_of_a_list_item_is_no_part_of_a_claim(mark: str) -> None:
    assert score(f"{mark}Offices in Albany close at noon. [2]", ENGLISH) == 1.0


def test_two_names_that_are_only_listed_have_no_order() -> None:
    assert score("Peter and Anna own the car.", "Anna and Peter own the car.") > 0.5


def test_a_verb_is_known_by_all_its_forms() -> None:
    text = "The song was sung by Ella. It was written by Cole."
    assert score("Ella sang the song.", text) > 0.5


def test_where_a_text_says_it_word_for_word_no_other_counts() -> None:
    near = "The fee, which is $65, must be paid by card at an office."
    assert SourceTexts([near, ENGLISH]).scores("The fee is $65 and it must be paid by card.") == [
        0.0,
        1.0,
    ]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("a" * 100_000, "a" * 10_000),
        ("密" * 20_000, "密" * 10_000),
        ("1 " * 4_000, "1 " * 5_000),
        (" ".join(f"w{n}" for n in range(4_000)), " ".join(f"w{n % 99}" for n in range(2_500))),
        ('a."' + ")" * 20_000, "a." + ")" * 9_900),
        ("Aa Bb Cc " * 1_300, "Aa Cc Bb " * 1_100),
    ],
)
def test_no_claim_takes_long(claim: str, text: str) -> None:
    evidence = SourceTexts([text + str(n) for n in range(10)])
    started = time.thread_time()
    evidence.scores(claim)
    assert time.thread_time() - started < 10


def test_nothing_breaks_what_says_nothing() -> None:
    assert SourceTexts(["", " ", "…", "\0"]).scores("The fee is $65.") == [0.0] * 4
    assert SourceTexts([ENGLISH]).scores("…") == [0.0]
    assert SourceTexts([ENGLISH]).scores("") == [0.0]
