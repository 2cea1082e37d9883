"""Lines that were broken to fit a width are joined; others keep their ends."""

from __future__ import annotations

import textwrap
import time

import pytest

from service.corpus.parsing.formats import wrapped_lines

PROSE = (
    "The gate of the garden is open from eight in the morning until the sun has set, and in June "
    "it is open until ten. *Dogs* may come along where a leash holds them, since the ducks on the "
    "pond are shy. Whoever wants to stay overnight asks the keeper of the garden for a tent."
)
WIDTH = 66


def wrapped(text: str, *, first: str = "", rest: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=first, subsequent_indent=rest)


def test_paragraphs_and_items_are_one_line_again() -> None:
    items = [f"- {PROSE}", f"- {PROSE.upper()}"]
    listed = "\n".join(wrapped(item, rest="  ") for item in items)
    text = "\n\n".join([wrapped(PROSE), wrapped(PROSE), listed, "End."])
    assert wrapped_lines.unwrapped(text) == "\n\n".join([PROSE, PROSE, "\n".join(items), "End."])


@pytest.mark.parametrize(
    "kept",
    [
        "Keeper\nGarden Lane 1\n12345 Town",
        "Run this::\n\n    water --all the beds of the garden before the sun is up\n    and again",
        "```\nwater --all the beds of the garden before the sun has come up\nwater it\n```",
        "tool       what it is good for, and what it must not be used for\nspade      to dig",
        "A heading of this text that is as wide as any other line is in it\n" + 66 * "=",
        "~~~\nwater --all the beds of the garden before the sun has come up\nwater it\n~~~",
    ],
)
def test_what_is_no_paragraph_keeps_its_lines(kept: str) -> None:
    text = f"{wrapped(PROSE)}\n\n{wrapped(PROSE)}\n\n{kept}"
    assert wrapped_lines.unwrapped(text) == f"{PROSE}\n\n{PROSE}\n\n{kept}"


def test_a_heading_underlined_with_tildes_begins_no_code() -> None:
    text = f"{wrapped(PROSE)}\n\nBeds\n~~~~\n\n{wrapped(PROSE)}"
    assert wrapped_lines.unwrapped(text) == f"{PROSE}\n\nBeds\n~~~~\n\n{PROSE}"


def test_a_text_whose_lines_are_paragraphs_or_verses_is_kept() -> None:
    sentences = "\n".join(f"{one}." for one in PROSE.split(". "))
    verses = "\n".join(PROSE[at : at + 40 - at % 17] for at in range(0, 200, 30))
    for text in (sentences, verses, "", "\n", wrapped(PROSE[:120])):
        assert wrapped_lines.unwrapped(text) == text


def test_a_paragraph_of_very_many_lines_is_joined_in_little_time() -> None:
    text = "\n".join(
        ["Now the gate of the garden is open, and dogs may come along with us there"] * 30_000
    )
    started = time.process_time()
    assert "\n" not in wrapped_lines.unwrapped(text)
    assert time.process_time() - started < 10


def test_a_text_that_is_indented_as_a_whole_is_joined_as_well() -> None:
    text = textwrap.indent(f"{wrapped(PROSE)}\n\n{wrapped(PROSE)}", "   ")
    assert wrapped_lines.unwrapped(text) == f"   {PROSE}\n\n   {PROSE}"


def test_code_between_scissors_keeps_its_lines_and_shows_no_width() -> None:
    cut = "---%<" + 40 * "-"
    code = "\n".join(f"set {at}" for at in range(40))
    text = f"{wrapped(PROSE)}\n\n{wrapped(PROSE)}\n\n{cut}\n{code}\n{cut}\n{wrapped(PROSE)}"
    assert wrapped_lines.unwrapped(text) == (f"{PROSE}\n\n{PROSE}\n\n{cut}\n{code}\n{cut}\n{PROSE}")
