"""Boxes of every dialect of Markdown are notes."""

from __future__ import annotations

import pytest

from service.corpus.parsing import parsing
from tests.corpus.texts import structure


@pytest.mark.parametrize(
    "box",
    [
        ":::note\nKeep it.\n:::",
        "::: {.callout-tip}\nKeep it.\n:::",
        "!!! note\n    Keep it.\n",
        "> [!NOTE]\n> Keep it.",
        '<div class="alert">\n\nKeep it.\n\n</div>',
        "<call-out>\n\nKeep it.\n\n</call-out>",
    ],
)
def test_a_box_is_a_note_and_what_follows_is_none(box: str) -> None:
    found = structure(parsing.parse(f"{box}\n\nAfterwards.".encode(), mime="text/markdown"))
    assert [kind for kind, _, _, _ in found] == ["note", "text"]
    assert found[0][3] in ("Keep it.", "Note: Keep it.")


def test_code_holds_no_boxes() -> None:
    text = "```\n:::note\n!!! tip\n```\n\nAfterwards."
    found = structure(parsing.parse(text.encode(), mime="text/markdown"))
    assert [(kind, said) for kind, _, _, said in found] == [
        ("code", ":::note\n!!! tip"),
        ("text", "Afterwards."),
    ]


def test_the_title_of_a_box_is_in_it() -> None:
    text = '!!! warning "Not at night"\n    The hall is shut.\n\nAfterwards.'
    found = structure(parsing.parse(text.encode(), mime="text/markdown"))
    assert [(kind, whole, said) for kind, _, whole, said in found] == [
        ("note", 1, "Not at night"),
        ("note", 1, "The hall is shut."),
        ("text", 2, "Afterwards."),
    ]
