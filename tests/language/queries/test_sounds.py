"""Words as they are spelled that were written as they are heard."""

from __future__ import annotations

import pytest

from service.language.queries import sounds


@pytest.mark.parametrize(
    ("heard", "spelled"),
    [
        ("vacashun", "vacation"),
        ("contribushun", "contribution"),
        ("fone", "phone"),
        ("nowledge", "knowledge"),
        ("britness", "brightness"),
        ("appearence", "appearance"),
        ("clame", "claim"),
        ("coads", "codes"),
        ("dubble", "double"),
    ],
)
def test_a_sound_is_spelled_as_it_may_be(heard: str, spelled: str) -> None:
    assert spelled in sounds.respelled(heard)


@pytest.mark.parametrize("name", ["zelle", "kindle", "cisco"])
def test_the_first_letter_of_a_name_stays(name: str) -> None:
    assert all(other.startswith(name[0]) for other in sounds.respelled(name))


def test_a_word_of_one_letter_many_times_ends() -> None:
    assert len(set(sounds.respelled("s" * 24))) < 200
