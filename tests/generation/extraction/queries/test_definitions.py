"""What says what a term is."""

from __future__ import annotations

import pytest

from service.generation.extraction.queries import definitions


@pytest.mark.parametrize(
    ("topic", "text", "language"),
    [
        (
            "PIV card",
            "Physical PIV (personal identity) cards or CACs (common cards) are safe.",
            "en",
        ),
        ("a pass", "A pass is a card.", "en"),
        ("HBS", "Acme Harbour Booking and Berth System (Acme HBS) is a list.", "en"),
        ("DKIM", "DomainKeys Identified Mail (DKIM) is a method.", "en"),
        ("phishing", "Messages that look official are called phishing.", "en"),
        ("un permiso", "Un permiso es una tarjeta.", "es"),
        ("停车证", "停车证是一种卡。", "zh"),
    ],
)
def test_a_sentence_defines_its_topic(topic: str, text: str, language: str) -> None:
    assert definitions.defines(topic, text, language)


@pytest.mark.parametrize(
    "text", ["If you lose a pass, it is replaced.", "Bring it.", "We take no card."]
)
def test_a_sentence_does_not_define_what_it_mentions(text: str) -> None:
    assert not definitions.defines("a pass", text)


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("Acme is a tool for harbours.", True),
        ("Installing Acme is, thankfully, very easy.", False),
        ("Using the Acme is free.", False),
        ("Acme is configured in the harbour office.", False),
        ("Acme is usually stored in a shed.", False),
        ("Acmes are exported by the dialog of the harbour.", False),
        ("Acmes are used to moor boats.", True),
        ("Moor by the Acme (the thin line between the boat and the quay).", True),
        ("Moor by the Acme (see the picture of the quay below).", False),
        ("Moor by the Acme (a line).", False),
        ("The acme-rope is a line for mooring.", False),
        ("Rope-Acme is a line for mooring.", False),
    ],
)
def test_what_is_said_of_a_deed_defines_nothing(text: str, defines: bool) -> None:
    assert definitions.defines("Acme", text) is defines


@pytest.mark.parametrize(
    ("text", "outright"),
    [
        ("Acme is a tool for harbours.", True),
        ("Harbour tool (or Acme) refers to a boat.", True),
        ("Whoever saw it knows it as what is called Acme.", True),
        ("A small Acme is a boat for children.", False),
        ("Acme provides berths.", False),
        ("Acme is quick, and costs nothing.", False),
        ("Acme will fail if there is a storm.", False),
    ],
)
def test_what_is_said_of_a_special_case_defines_nothing_outright(text: str, outright: bool) -> None:
    assert definitions.defines("Acme", text)
    assert definitions.defines_outright("Acme", text) is outright


def test_an_entry_is_one_of_the_name_it_begins_with() -> None:
    assert definitions.is_entry("crane-level - shows the height", "crane-level")
    assert not definitions.is_entry("crane-level-all - shows each height", "crane-level")
    assert not definitions.is_entry("crane-level shows the height", "crane-level")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("When you turn on night light:", True),
        ("While the night light is on:", True),
        ("When you turn on the lamp:", False),
        ("Night light has two levels:", False),
    ],
)
def test_what_leads_to_what_happens_sets_a_condition(text: str, told: bool) -> None:
    assert definitions.sets("night light", text) is told


@pytest.mark.parametrize(
    ("text", "defines"),
    [
        ("Acme moors the boats of a town.", True),
        ("Harbour Acme moors your boats.", True),
        ("An Acme works at the pier.", True),
        ("Acme works at the pier are closed.", False),
        ("Acme boats leave the pier.", False),
        ("When Acme moors the boats, stay on the pier.", False),
        ("Acme was the first.", True),
    ],
)
def test_what_a_thing_does_is_said_by_any_verb_with_its_object(text: str, defines: bool) -> None:
    assert definitions.defines("Acme", text) is defines
