"""What kind of question a query is told to be."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.language import question_kinds
from service.language.question_kinds import QuestionKind as Q

QUERIES = {
    ("en", "How do I add a second phone?"): Q.HOW_TO,
    ("en", "How do I add a phone number?"): Q.HOW_TO,
    ("en", "Why do you need my phone number?"): Q.REASON,
    ("en", "support phone number"): Q.NUMBER,
    ("en", "I forgot my password"): Q.HOW_TO,
    ("en", "no light from the night lamp"): Q.HOW_TO,
    ("en", "my lamp gets very hot"): Q.HOW_TO,
    ("en", "turn the night lamp on please"): Q.HOW_TO,
    ("en", "please scan a page"): Q.HOW_TO,
    ("en", "I want the bills in another folder"): Q.HOW_TO,
    ("en", "I want my money back"): Q.OTHER,
    ("en", "One copy for each month, how?"): Q.HOW_TO,
    ("en", "What do I have to set behind a router?"): Q.HOW_TO,
    ("en", "Which key turns the page?"): Q.HOW_TO,
    ("en", "Which card is valid?"): Q.FACT,
    ("en", "return policy"): Q.OTHER,
    ("en", "What is a parking permit?"): Q.DEFINITION,
    ("en", "What does residency mean?"): Q.DEFINITION,
    ("en", "Can I renew without a card?"): Q.YES_NO,
    ("en", "My card is blue, can I renew it?"): Q.YES_NO,
    ("en", "How many visitors may I bring?"): Q.NUMBER,
    ("en", "What is the default visitor warning threshold?"): Q.NUMBER,
    ("en", "What is the default visitor page?"): Q.DEFINITION,
    ("en", "How long does a renewal take?"): Q.DURATION,
    ("en", "When does the office open?"): Q.DATE,
    ("en", "How much does a permit cost?"): Q.PRICE,
    ("en", "Is the permit free?"): Q.PRICE,
    ("en", "are visitor passes free of charge"): Q.PRICE,
    ("en", "Is there any space free?"): Q.YES_NO,
    ("de", "Ist der Ausweis kostenlos?"): Q.PRICE,
    ("fr", "Est-ce que le permis est gratuit ?"): Q.PRICE,
    ("es", "¿El permiso de visita es gratuito?"): Q.PRICE,
    ("en", "Where do I hand in the form?"): Q.PLACE,
    ("en", "Where can I see how many visitors I may bring?"): Q.PLACE,
    ("en", "Which file do I send?"): Q.PLACE,
    ("en", "Which file formats can I send?"): Q.LIST,
    ("en", "How do I find out when my permit ends?"): Q.HOW_TO,
    ("es", "¿Dónde puedo ver cuánto tiempo me queda?"): Q.PLACE,
    ("fr", "Comment puis-je savoir combien il reste ?"): Q.HOW_TO,
    ("en", "Who may sign for me?"): Q.PERSON,
    ("en", "Who is Ada Quay?"): Q.DEFINITION,
    ("en", "Who is the mayor?"): Q.PERSON,
    ("en", "Do I have to pay back a deposit?"): Q.YES_NO,
    ("en", "How much is Permit Plus?"): Q.PRICE,
    ("en", "What documents do I need?"): Q.LIST,
    ("en", "What do I get as a resident?"): Q.LIST,
    ("en", "what ways of paying for a permit are there"): Q.LIST,
    ("en", "In what formats can I send it?"): Q.LIST,
    ("de", "In welchen Formaten kann ich es senden?"): Q.LIST,
    ("en", "which is the largest car park"): Q.OTHER,
    ("en", "What kind of office is this?"): Q.DEFINITION,
    ("en", "Which is stronger, the red card or the blue one?"): Q.COMPARISON,
    ("en", "Should I take a card or a sticker, what's better?"): Q.COMPARISON,
    ("en", "whats the diff between a card and a sticker"): Q.COMPARISON,
    ("en", "what does P mean in permit diff"): Q.DEFINITION,
    ("en", 'What does "residency" mean?'): Q.DEFINITION,
    ("en", 'What does "Permit expired too early" mean?'): Q.IDENTIFIER,
    ("en", "What is a new resident given?"): Q.LIST,
    ("en", "What are the disadvantages of a paper permit?"): Q.LIST,
    ("en", "What is the difference between a pass and a permit?"): Q.COMPARISON,
    ("en", "pass vs permit"): Q.COMPARISON,
    ("en", "Why was my permit refused?"): Q.REASON,
    ("en", "What does E_4711 mean?"): Q.IDENTIFIER,
    ("en", "error 451"): Q.IDENTIFIER,
    ("en", "permit office"): Q.OTHER,
    ("es", "¿Cómo puedo renovar el permiso?"): Q.HOW_TO,
    ("es", "¿Qué es un permiso?"): Q.DEFINITION,
    ("es", "¿Cuánto cuesta?"): Q.PRICE,
    ("es", "¿Cuánto tiempo tarda?"): Q.DURATION,
    ("fr", "Qu'est-ce qu'un permis ?"): Q.DEFINITION,
    ("fr", "Comment renouveler mon permis ?"): Q.HOW_TO,
    ("fr", "Pourquoi mon permis a-t-il été refusé ?"): Q.REASON,
    ("de", "Was ist ein Parkausweis?"): Q.DEFINITION,
    ("de", "Wie verlängere ich meinen Ausweis?"): Q.HOW_TO,
    ("de", "Wie viele Gäste darf ich mitbringen?"): Q.NUMBER,
    ("de", "Kann ich ohne Karte verlängern?"): Q.YES_NO,
    ("zh", "如何更换密码？"): Q.HOW_TO,
    ("zh", "什么是停车证？"): Q.DEFINITION,
    ("zh", "多少钱？"): Q.PRICE,
    ("zh", "我可以更换吗？"): Q.YES_NO,
    ("zh", "停车证用什么颜色？"): Q.FACT,
    ("zh", "用哪个端口？"): Q.NUMBER,
    ("es", "¿Cuál es la oficina central?"): Q.FACT,
    ("es", "¿Qué puerto usa?"): Q.NUMBER,
    ("fr", "Quel est le port de la pompe ?"): Q.NUMBER,
    ("de", "Auf welchem Port läuft die Pumpe?"): Q.NUMBER,
    ("pt", "Com que cartão entro?"): Q.FACT,
    ("pt", "Qual é a porta da bomba?"): Q.NUMBER,
    ("pt", "Como renovo a licença?"): Q.HOW_TO,
    ("pt", "Quanto custa?"): Q.PRICE,
    ("it", "Che cos'è un permesso?"): Q.DEFINITION,
    ("it", "Quanto costa il permesso?"): Q.PRICE,
    ("ja", "駐車許可証とは何ですか"): Q.DEFINITION,
    ("ja", "許可証を更新するには？"): Q.HOW_TO,
    ("ko", "허가증을 어떻게 갱신하나요?"): Q.HOW_TO,
    ("pl", "Jak odnowić pozwolenie?"): Q.OTHER,
}


WRAPPINGS = {
    "en": (
        "Hi, quick question: {}",
        "Other question: {}",
        "Hello there! {}",
        "Sorry to bother you again but {}",
        "{} thx",
    ),
    "es": ("Hola, una pregunta: {}", "Buenos días. {}", "{} gracias"),
    "fr": ("Bonjour, une question : {}", "{} merci"),
    "de": ("Hallo, kurze Frage: {}", "{} danke"),
    "zh": ("你好，请问{}", "{} 谢谢"),
}
"""What people say around a question."""


def labelled(language: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the labelled questions of *language* with the kinds that they may be taken for."""
    table = Path(__file__).with_name("questions_by_kind.txt").read_text("utf-8")
    for line in table.splitlines():
        spoken, kind, question = line.split(" ", 2)
        if spoken == language:
            question, *others = question.split("|")
            yield question, {kind, *others}


@pytest.mark.parametrize("language", WRAPPINGS)
def test_the_labelled_questions_are_of_their_kind(language: str) -> None:
    wrong = [
        question
        for question, kinds in labelled(language)
        if question_kinds.read(question, language).kind.name not in kinds
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("language", "wrapping"), [(code, one) for code, all_ in WRAPPINGS.items() for one in all_]
)
def test_what_is_said_around_a_question_changes_its_kind_hardly(
    language: str, wrapping: str
) -> None:
    asked = list(labelled(language))
    wrong = [
        question
        for question, kinds in asked
        if question_kinds.read(wrapping.format(question), language).kind.name not in kinds
    ]
    assert len(wrong) <= 0.02 * len(asked), wrong


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("waht is a permit", Q.DEFINITION),
        ("hwo do i renew it", Q.HOW_TO),
        ("how the hell do I renew this", Q.HOW_TO),
        ("I bought a pass last week. Is it valid abroad?", Q.YES_NO),
        ("do you know if the pool is open", Q.YES_NO),
        ("my pass got stolen", Q.HOW_TO),
        ("My pass got stolen, who do I tell?", Q.PERSON),
    ],
)
def test_slips_oaths_and_stories_do_not_hide_what_is_asked(query: str, kind: Q) -> None:
    assert question_kinds.read(query).kind is kind


@pytest.mark.parametrize(("asked", "kind"), QUERIES.items())
def test_a_query_is_of_its_kind(asked: tuple[str, str], kind: Q) -> None:
    language, query = asked
    assert question_kinds.read(query, language).kind is kind


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("What does a pass mean?", "a pass"),
        ("What is the difference between a pass and a permit?", "a pass and a permit"),
        ("What are the disadvantages of paper?", "disadvantages  of paper"),
        ("What does it mean?", "What does it mean"),
        ("permit office", "permit office"),
        ("What do I have to bring?", "bring"),
        ("Explain the berth tax to me", "the berth tax"),
        ("What is a mooring pass used for?", "a mooring pass"),
        ("what's a berth in here", "a berth"),
    ],
)
def test_words_that_only_ask_are_not_the_topic(query: str, topic: str) -> None:
    assert question_kinds.read(query).topic.rstrip("?") in (topic, "it")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("What is code ZX77Q?", ("ZX77Q",)),
        ("SQLITE_BUSY and 0x1F", ("SQLITE_BUSY", "0x1F")),
        ("a 550 error in version 3.11.2", ("3.11.2", "550")),
        ("form 10-10068b", ("10-10068b",)),
        ("It says 'cannot connect'", ("cannot connect",)),
        ("Don't I need the driver's card?", ()),
        ("How do I set up WAL in 2024?", ()),
    ],
)
def test_what_is_asked_by_name_is_found(query: str, found: tuple[str, ...]) -> None:
    assert question_kinds.identifiers(query) == found


@pytest.mark.parametrize(
    "text",
    ["how much does " * 400, "'" * 4000, "A_" * 2000, "what do " * 500, "hi, " * 1000, ". " * 2000],
)
def test_a_long_query_is_read_at_once(text: str) -> None:
    started = time.process_time()
    for language in ("en", "es", "fr", "de", "zh"):
        question_kinds.read(text, language)
    question_kinds.identifiers(text)
    assert time.process_time() - started < 2


def test_a_flag_is_an_identifier_with_its_dashes() -> None:
    assert question_kinds.identifiers("What does --keep-all do, and -v?") == ("--keep-all", "-v")
    assert question_kinds.identifiers("a two-factor sign - in") == ()


def test_the_word_after_what_is_listed_is_whole() -> None:
    assert question_kinds.read("Which keys open the gate?").topic == "keys open the gate"


def test_a_verb_that_only_asks_is_left_out_whole() -> None:
    topic = question_kinds.read("Which version of Harbour does the server need?").topic
    assert topic.split() == ["version", "of", "Harbour", "the", "server", "need"]
