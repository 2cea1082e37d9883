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
        ("can u change my PW", "en", "can you change my PW"),
        ("mail u@example.org or u.example or u_x", "en", "mail u@example.org or u.example or u_x"),
        ("q es", "es", "que es"),
        ("u 什么", "zh", "u 什么"),
        ("", "en", ""),
    ],
)
def test_hurried_spellings_are_written_out(written: str, language: str, meant: str) -> None:
    assert chat_spellings.written_out(written, language) == meant
