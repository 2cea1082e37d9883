"""What kind of question a query is told to be."""

from __future__ import annotations

import time

import pytest

from service.language import question_kinds
from service.language.question_kinds import QuestionKind as Q

QUERIES = {
    ("en", "How do I add a second phone?"): Q.HOW_TO,
    ("en", "I forgot my password"): Q.HOW_TO,
    ("en", "What is a parking permit?"): Q.DEFINITION,
    ("en", "What does residency mean?"): Q.DEFINITION,
    ("en", "Can I renew without a card?"): Q.YES_NO,
    ("en", "My card is blue, can I renew it?"): Q.YES_NO,
    ("en", "How many visitors may I bring?"): Q.NUMBER,
    ("en", "How long does a renewal take?"): Q.DURATION,
    ("en", "When does the office open?"): Q.DATE,
    ("en", "How much does a permit cost?"): Q.PRICE,
    ("en", "Where do I hand in the form?"): Q.PLACE,
    ("en", "Who may sign for me?"): Q.PERSON,
    ("en", "What documents do I need?"): Q.LIST,
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
    ("ja", "駐車許可証とは何ですか"): Q.OTHER,
}


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
    "text", ["how much does " * 400, "'" * 4000, "A_" * 2000, "what do " * 500]
)
def test_a_long_query_is_read_at_once(text: str) -> None:
    started = time.process_time()
    for language in ("en", "es", "fr", "de", "zh"):
        question_kinds.read(text, language)
    question_kinds.identifiers(text)
    assert time.process_time() - started < 2
