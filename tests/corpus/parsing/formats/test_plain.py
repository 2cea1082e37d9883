"""Plain text is read with the headings that it has."""

from __future__ import annotations

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from tests.corpus.texts import blocks


def test_plain_text_is_kept_to_the_letter_and_its_headings_are_found() -> None:
    text = (
        "\r\nWho may have one? \nEveryone who lives here, and everyone who works here.\n\n"
        "- a card\n- a photo\n\nFEES\n\n2.1 By post\n\nSend it.\n\nPay\n===\nNow\u00a0or later."
    )
    parsed = parsing.parse(text.encode(), mime="text/plain; charset=utf-8")
    assert parsed.body == text
    named = (BlockKind.HEADING, BlockKind.QUESTION)
    headings = [part for kind, part in blocks(parsed) if kind in named]
    assert headings == ["Who may have one?", "FEES", "2.1 By post", "Pay"]
    assert [part for kind, part in blocks(parsed) if kind is BlockKind.ITEM] == [
        "- a card",
        "- a photo",
    ]
    assert parsed.title == "Who may have one?"
