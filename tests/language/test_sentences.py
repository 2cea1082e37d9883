"""Sentences keep every character, and end where a reader would end them."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.language.sentences import spans


def sentences(text: str, language: str = "") -> list[str]:
    return [text[start:end] for start, end in spans(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two!  Three?", ["One.", "Two!", "Three?"]),
        ("See Dr. Smith at 5 p.m. today. Then go.", ["See Dr. Smith at 5 p.m. today.", "Then go."]),
        ("版本 2.0 已发布。好吗？是的。", ["版本 2.0 已发布。", "好吗？", "是的。"]),
        ("El Sr. Pérez llegó. ¿Qué hace?", ["El Sr. Pérez llegó.", "¿Qué hace?"]),
        ("M. Dupont est là. Oui !", ["M. Dupont est là.", "Oui !"]),
        ("Heading\n\nText of it. More.", ["Heading", "Text of it.", "More."]),
        ("How do I pay?\nOnline. By post.", ["How do I pay?", "Online.", "By post."]),
        ("To bring:\n- a card\n- a photo. New.", ["To bring:", "- a card", "- a photo.", "New."]),
        ("1. Open it.\n2. Close it.", ["1. Open it.", "2. Close it."]),
        ("name | value\nsize | 3", ["name | value", "size | 3"]),
        ("", []),
        (" \n\n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_wrapped_paragraph_is_not_cut_at_its_line_breaks() -> None:
    text = (
        "You must carry the attachment whenever you operate a motor\n"
        "vehicle. It lists the days and hours at which you are allowed\n"
        "to drive.\nAsk us"
    )
    assert sentences(text) == [
        "You must carry the attachment whenever you operate a motor\nvehicle.",
        "It lists the days and hours at which you are allowed\nto drive.",
        "Ask us",
    ]


WIDE = [chr(at) for at in range(0x80, 0x3001) if unicodedata.category(chr(at)) == "Zs"]


@pytest.mark.parametrize("space", WIDE)
def test_white_space_of_several_bytes_is_white_space(space: str) -> None:
    assert sentences(f"Plan A{space}. It costs{space}3 euros. Yes.")[1:] == [
        f"It costs{space}3 euros.",
        "Yes.",
    ]


def test_plain_punctuation_decides_where_the_library_panics(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.language.sentences._WIDE_SPACE", re.compile("(?!)"))
    text = "Plan A\u00a0. It “works.” Yes… 好。是的。 End"
    assert sentences(text) == ["Plan A\u00a0.", "It “works.”", "Yes…", "好。", "是的。", "End"]


@given(st.text(alphabet=st.sampled_from("ab Z.!?。\n\r\t-|1)é\u2028\U0001f600M"), max_size=80))
def test_nothing_but_white_space_lies_between_sentences(text: str) -> None:
    end = 0
    for start, stop in spans(text):
        assert end <= start < stop
        assert not text[end:start].strip()
        assert text[start:stop] == text[start:stop].strip()
        end = stop
    assert not text[end:].strip()


def test_a_path_through_menus_does_not_end_a_sentence() -> None:
    path = "Open the page (by Edit ▸ Preferences ▸ Mail ▸ Edit ▸ Receiving) and go on."
    listed = "▸ Open it. ▸ Shut it."
    assert sentences(path) == [path]
    assert sentences(listed) == ["▸ Open it.", "▸ Shut it."]


def test_a_path_does_not_end_a_sentence() -> None:
    text = "Run ./dev run to begin. Then ask."
    assert [text[a:b] for a, b in spans(text)] == ["Run ./dev run to begin.", "Then ask."]
