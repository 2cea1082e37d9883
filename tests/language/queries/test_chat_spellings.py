"""What is written in a hurry is read as what it means."""

from __future__ import annotations

import pytest

from service.language.queries import chat_spellings


@pytest.mark.parametrize(
    ("written", "language", "meant"),
    [
        ("wat is ur msg", "en", "what is your message"),
        ("Pls tell me, I dont know", "en-US", "Please tell me, I don't know"),
        ("where r they? install r", "en", "where are they? install r"),
        ("wil thsi work becuase of taht", "en", "will this work because of that"),
        ("wheres the gate, whos there", "en", "where's the gate, who's there"),
        ("can u change my PW", "en", "can you change my PW"),
        ("mail u@example.org or u.example or u_x", "en", "mail u@example.org or u.example or u_x"),
        ("q es", "es", "que es"),
        ("u 什么", "zh", "u 什么"),
        ("", "en", ""),
        (" as it was ", "en", " as it was "),
        ("grrr it is sooo slow, pleeease helllp", "en", "it is so slow, please help"),
        ("Aaargh, ayuda", "es", ", ayuda"),
        ("where is zrkrrrqmjgvz or model XTTT", "en", "where is zrkrrrqmjgvz or model XTTT"),
        (
            "wwwroot of Louis XIIII in XXXL, aaaa record",
            "en",
            "wwwroot of Louis XIIII in XXXL, aaaa record",
        ),
    ],
)
def test_hurried_spellings_are_written_out(written: str, language: str, meant: str) -> None:
    assert chat_spellings.written_out(written, language) == meant


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("dose the company pay", "does the company pay"),
        ("what dose open enrollment mean", "what does open enrollment mean"),
        ("witch form do i need", "which form do i need"),
        ("were can i park", "where can i park"),
        ("is their a fee", "is there a fee"),
        ("did i loose my account", "did i lose my account"),
    ],
)
def test_words_that_sound_alike_are_read_by_what_is_around(heard: str, meant: str) -> None:
    assert chat_spellings.written_out(heard, "en") == meant


@pytest.mark.parametrize(
    "text",
    [
        "What dose is right for a child?",
        "how often is a dose the doctor orders taken",
        "we were in the witch museum",
        "Were you open yesterday?",
        "their account is locked",
        "a loose cable",
    ],
)
def test_such_words_stay_where_they_are_meant(text: str) -> None:
    assert chat_spellings.written_out(text, "en") == text
