"""Who writes in distress, and who only asks about it."""

from __future__ import annotations

import pytest

from service.answering.small_talk import distress


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("I don't want to live anymore, who can I call", "en"),
        ("i wanna die", "en"),
        ("I’ve been having suicidal thoughts", "en"),
        ("my friend wants to kill himself", "en"),
        ("my daughter said she wants to die", "en"),
        ("nobody would miss me if I was gone", "en"),
        ("painless ways to die", "en"),
        ("sometimes i wish i wasnt alive", "en"),
        ("no quiero vivir más", "es"),
        ("j'ai des pensées suicidaires", "fr"),
        ("Ich will nicht mehr leben", "de"),
        ("voglio morire", "it"),
        ("não quero mais viver", "pt"),
        ("ik wil niet meer leven", "nl"),
        ("我不想活了", "zh"),
    ],
)
def test_a_life_at_risk_is_told_in_each_language(message: str, language: str) -> None:
    assert distress.read(message) == distress.Distress(language, acute=True)


@pytest.mark.parametrize(
    "message",
    ["my husband hits me", "I was raped", "I feel hopeless and I lost my job", "I can't go on",
     "my ex is stalking me", "I can't cope anymore", "I was harassed at work",
     "mi marido me pega", "je n'en peux plus", "mein Mann schlägt mich", "mio marito mi picchia",
     "meu marido me bate", "mijn man slaat me", "我很绝望"],
)  # fmt: skip
def test_who_is_hurt_or_in_despair_is_in_distress(message: str) -> None:
    found = distress.read(message)
    assert found
    assert not found.acute


@pytest.mark.parametrize(
    "message",
    ["how do I kill a process", "I don't want to live in New York anymore", "suicide prevention",
     "does my life insurance cover suicide", "my phone died, what now", "I hurt myself at work",
     "my father died, how do I claim benefits", "How do I report abuse", "I want to live abroad",
     "Ich will nicht mehr mit meinem Mann leben", "I'm desperate to get my refund", "想死机怎么办",
     "why does the battery die", "I'm dying to know when it ships", "what a breakdown of costs",
     "my boss is going to kill me", "is there help for PTSD", "how do I cut a video myself", ""],
)  # fmt: skip
def test_who_asks_about_something_is_not(message: str) -> None:
    assert distress.read(message) is None


def test_a_line_has_a_name_and_a_number() -> None:
    assert distress.names_a_line("Call the Veterans Crisis Line at (800) 273-8255.")
    assert distress.names_a_line("Telefonseelsorge: 0800 111 0 111")
    assert not distress.names_a_line("Call the fraud hotline at 555 0100.")
    assert not distress.names_a_line("The crisis line is open every day.")


def test_a_message_without_end_is_read_in_milliseconds() -> None:
    for message in ("i i " * 100_000, "my friend " * 50_000, "want to " * 50_000):
        assert distress.read(message) is None
