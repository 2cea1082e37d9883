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


def test_lines_of_restructured_text_that_nobody_reads_are_no_blocks() -> None:
    text = (
        ".. include:: all.inc\n.. _fees:\n\nFees\n~~~~\n\n.. a remark\n   of the author\n\n"
        "Pay at the gate::\n\n    pay --all\n    leave\n\nThen go.\n\n.. note:: Bring coins.\n\n"
        ".. image:: gate.png\n   :alt: A gate\n\n.. _gate: https://city.example/\n"
    )
    assert blocks(parsing.parse(text.encode(), mime="text/plain")) == [
        (BlockKind.HEADING, "Fees"),
        (BlockKind.LEAD, "Pay at the gate::"),
        (BlockKind.CODE, "pay --all\n    leave"),
        (BlockKind.TEXT, "Then go."),
        (BlockKind.NOTE, "Bring coins."),
    ]


def test_a_line_is_defined_by_what_is_indented_under_it() -> None:
    terms = "E17\n    The card is locked.\nE18\n    The card\n    is lost."
    text = f"Errors\n------\n\n{terms}\n\nCall us."
    parsed = parsing.parse(text.encode(), mime="text/plain")
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Errors"),
        (BlockKind.TERM, "E17"),
        (BlockKind.DEFINITION, "The card is locked."),
        (BlockKind.TERM, "E18"),
        (BlockKind.DEFINITION, "The card\n    is lost."),
        (BlockKind.TEXT, "Call us."),
    ]
    wholes = [block.whole for block in parsed.blocks[1:5]]
    assert wholes[0] == wholes[1] != wholes[2] == wholes[3]


def test_what_stands_between_scissors_is_code_and_led_to() -> None:
    cut = "---%<" + 40 * "-"
    text = f"Pay at the gate:\n\n{cut}\n# all of it\npay = 1\n\nleave {{\n}}\n{cut}\n\nThen go."
    assert blocks(parsing.parse(text.encode(), mime="text/plain")) == [
        (BlockKind.LEAD, "Pay at the gate:"),
        (BlockKind.CODE, "# all of it\npay = 1\n\nleave {\n}"),
        (BlockKind.TEXT, "Then go."),
    ]


def test_scissors_that_nothing_closes_hide_no_text() -> None:
    text = "Fees\n====\n\nPay.\n\n--8<--\n\nThen go."
    found = blocks(parsing.parse(text.encode(), mime="text/plain"))
    assert found[-1] == (BlockKind.TEXT, "Then go.")


def test_a_table_of_contents_is_left_out() -> None:
    names = ["Fees", "Cards", "Dogs"]
    contents = "\n\n".join(f" {at}. {name}" for at, name in enumerate(names, 1))
    parts = "\n\n".join(f"{name}\n----\n\nAll of the {name}." for name in names)
    text = f"Garden\n======\n\nContents\n\n{contents}\n\n{parts}"
    parsed = parsing.parse(text.encode(), mime="text/plain")
    named = [part for kind, part in blocks(parsed) if kind is BlockKind.HEADING]
    assert named == ["Garden", "Fees", "Cards", "Dogs"]
    assert "Contents" not in parsed.body


def test_numbered_lines_with_blank_lines_between_are_a_list() -> None:
    text = "To pay:\n\n1. Go there\n\n2. Ring\n\n3. Pay\n\nThen go."
    kinds = [kind for kind, _ in blocks(parsing.parse(text.encode(), mime="text/plain"))]
    assert kinds == [BlockKind.LEAD, *[BlockKind.ITEM] * 3, BlockKind.TEXT]


def test_rows_of_signs_part_the_text_and_are_no_part_of_it() -> None:
    text = "Go in.\n     ______\n\nFees\n\nPay.\n\n+---+---+\n| a | b |\n+---+---+"
    assert [part for _, part in blocks(parsing.parse(text.encode(), mime="text/plain"))] == [
        "Go in.",
        "Fees",
        "Pay.",
        "| a | b |",
    ]


def test_the_title_of_a_page_with_the_name_of_its_site_is_no_table() -> None:
    text = "Borrow a boat | Lake club\n\nA boat is lent for a day.\n\nA | B\n1 | 2"
    parsed = parsing.parse(text.encode(), mime="text/plain")
    assert parsed.title == "Borrow a boat | Lake club"
    assert [kind for kind, _ in blocks(parsed)] == [
        BlockKind.HEADING,
        BlockKind.TEXT,
        *[BlockKind.ROW] * 2,
    ]


def test_notes_steps_and_roles_of_restructured_text_are_read_as_such() -> None:
    text = (
        "Gate\n====\n\n.. note::\n\n   Bring coins. See :ref:`the fees <fees>`.\n\n"
        "#. Press :guilabel:`Open` or ``Esc``:\n\n   .. code-block:: sh\n\n      open\n\n"
        "#. Go in.\n\nAfter `the rules <https://city.example/>`_:\n\n#. Stop.\n"
    )
    assert blocks(parsing.parse(text.encode(), filename="gate.txt")) == [
        (BlockKind.HEADING, "Gate"),
        (BlockKind.NOTE, "Bring coins. See the fees."),
        (BlockKind.ITEM, "1. Press Open or Esc:"),
        (BlockKind.CODE, "open"),
        (BlockKind.ITEM, "2. Go in."),
        (BlockKind.LEAD, "After the rules:"),
        (BlockKind.ITEM, "1. Stop."),
    ]


def test_names_of_links_of_restructured_text_are_read_without_their_marks() -> None:
    text = (
        "Gate\n====\n\nAsk the `harbour office`_ or `one of them`__, see `tides`_.\n\n"
        ".. _harbour office: https://city.example/\n.. _tides: https://tides.example/\n"
    )
    assert blocks(parsing.parse(text.encode(), filename="gate.txt")) == [
        (BlockKind.HEADING, "Gate"),
        (BlockKind.TEXT, "Ask the harbour office or one of them, see tides."),
    ]


def test_backticks_and_colons_of_other_texts_stay() -> None:
    text = "At 10:30:`now` or `then`, `a`_b, a::b and C#. say so. ````"
    assert parsing.parse(text.encode(), mime="text/plain").body == text
