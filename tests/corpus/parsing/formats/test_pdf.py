"""A PDF is read page by page."""

from __future__ import annotations

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from tests.corpus import texts
from tests.corpus.texts import blocks, pdf_file, pdf_of_contents, pdf_of_pieces, structure


def test_a_pdf_keeps_pages_headings_and_whole_words() -> None:
    foot = (8, "City of Example, page 1")
    parsed = parsing.parse(
        pdf_file(
            [
                (20, "Permits"),
                (10, "Everyone who lives in the city may have a park-"),
                (10, "ing permit."),
                foot,
            ],
            [(14, "Fees"), (10, "Each permit costs thirty euro for one year."), foot],
            [(10, "Nothing else is needed for it at all."), foot],
        )
    )
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Permits"),
        (BlockKind.TEXT, "Everyone who lives in the city may have a parking permit."),
        (BlockKind.HEADING, "Fees"),
        (BlockKind.TEXT, "Each permit costs thirty euro for one year."),
        (BlockKind.TEXT, "Nothing else is needed for it at all."),
    ]
    assert [block.page for block in parsed.blocks] == [1, 1, 2, 2, 3]
    assert [block.level for block in parsed.blocks] == [1, 0, 2, 0, 0]


def parsed(*pages: list[tuple[float, float, int, str]]) -> list[tuple[str, int, int, str]]:
    return structure(parsing.parse(pdf_of_pieces(*pages), filename="a.pdf"))


def test_lines_are_paragraphs_by_how_far_they_are_apart() -> None:
    """A date at the end of a line is no page number, and goes on with its sentence."""
    found = parsed(
        [
            (50, 700, 10, "The act was signed into law on June 25,"),
            (50, 688, 10, "2019. It takes effect at once in all of"),
            (50, 676, 10, "the city."),
            (50, 652, 10, "Claims can be filed at any time after"),
            (50, 640, 10, "that."),
        ]
    )
    assert [text for _, _, _, text in found] == [
        "The act was signed into law on June 25, 2019. It takes effect at once in all of the city.",
        "Claims can be filed at any time after that.",
    ]


def test_a_paragraph_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    found = parsed(
        [(50, 60, 10, "It takes effect"), (300, 700, 10, "in all of the city,")],
        [(50, 700, 10, "and beyond.")],
    )
    assert [text for _, _, _, text in found] == ["It takes effect in all of the city, and beyond."]


def test_what_goes_on_on_the_next_page_is_known_to_the_character() -> None:
    lines = [(50.0, 60.0, 10, "- Bring the card that shows"), (50.0, 700.0, 10, "where you live.")]
    document = parsing.parse(pdf_of_pieces(lines[:1], lines[1:]), filename="a.pdf")
    (block,) = document.blocks
    assert block.page == 1
    assert [(document.body[at:], page) for at, page in document.turns] == [("where you live.", 2)]


def test_marks_that_are_drawn_apart_belong_to_their_items() -> None:
    found = parsed(
        [
            (50, 700, 10, "Bring with you:"),
            (52, 680, 14, "*"),
            (52, 652, 14, "*"),
            (66, 680, 10, "a card that shows where you live and"),
            (66, 668, 10, "since when"),
            (66, 652, 10, "a photo"),
            (80, 640, 10, "- of your face"),
            (50, 600, 10, "That is all there is to it."),
        ]
    )
    assert found == [
        ("lead", 0, 1, "Bring with you:"),
        ("item", 0, 1, "- a card that shows where you live and since when"),
        ("item", 0, 1, "- a photo"),
        ("item", 1, 1, "- of your face"),
        ("text", 0, 2, "That is all there is to it."),
    ]


def test_a_table_is_rows_with_the_names_of_its_columns() -> None:
    found = parsed(
        [
            (50, 700, 10, "Zone"),
            (200, 700, 10, "Fee"),
            (300, 700, 10, "Office"),
            (50, 680, 10, "North of the"),
            (50, 668, 10, "river"),
            (200, 680, 10, "30"),
            (300, 680, 10, "Town hall"),
            (50, 640, 10, "South"),
            (200, 640, 10, "20"),
            (300, 640, 10, "blank cell"),
        ]
    )
    assert found == [
        ("row", 0, 1, "Zone: North of the river | Fee: 30 | Office: Town hall"),
        ("row", 0, 1, "Zone: South | Fee: 20"),
    ]


def test_a_form_is_rows_and_options() -> None:
    found = parsed(
        [
            (50, 700, 10, "Last name"),
            (300, 700, 10, "First name"),
            (50, 660, 10, "Which of these do you have?"),
            (50, 630, 10, "Cough"),
            (50, 618, 10, "Fever"),
            (50, 606, 10, "Headache"),
        ]
    )
    assert [(kind, text) for kind, _, _, text in found] == [
        ("row", "Last name | First name"),
        ("lead", "Which of these do you have?"),
        ("item", "- Cough"),
        ("item", "- Fever"),
        ("item", "- Headache"),
    ]


def test_a_hyphen_at_the_end_of_a_line_stays_where_the_word_has_one() -> None:
    found = parsed(
        [
            (50, 700, 10, "A service-connected illness is what"),
            (50, 688, 10, "we call any illness that is service-"),
            (50, 676, 10, "connected, and no park-"),
            (50, 664, 10, "ing permit."),
        ]
    )
    assert found[0][3].endswith("that is service-connected, and no parking permit.")


def test_what_a_browser_prints_around_a_page_is_not_read() -> None:
    foot = [(40, 30, 8, "https://city.example/fees"), (540, 30, 8, "1/1")]
    head = [(40, 780, 8, "11/22/26, 1:42 PM"), (250, 780, 8, "Fees")]
    text = [(40, 700, 12, "Parking costs 30 euro."), (40, 600, 12, "Pay by 01/02/2026, 12:00.")]
    assert [said for _, _, _, said in parsed([*head, *text, *foot])] == [
        "Parking costs 30 euro.",
        "Pay by 01/02/2026, 12:00.",
    ]


def test_words_of_a_wide_font_are_no_columns() -> None:
    """Fonts of many characters tell how wide they are by the numbers of their shapes."""
    widths = "/W [0 [600 0 0 348] 15 17 380 43 [837 837 715 716 735 815 720]]"
    font = f"/Subtype /Type0 /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 {widths} >>]"
    pieces = "BT /F1 12 Tf 1 0 0 1 {} 700 Tm ({}) Tj ET"
    line = [pieces.format(40, "Employer contributions: "), pieces.format(222, "Seventy")]
    file = texts.pdf_of_contents(["\n".join(line).encode()], font=font)
    assert parsing.parse(file, mime="application/pdf").body == "Employer contributions: Seventy"


def test_a_sentence_goes_on_through_words_in_smaller_type() -> None:
    """Names of variables and files are set in another font, which may be a little smaller."""
    found = parsed(
        [
            (50, 700, 10, "Behind a proxy the program asks an environment"),
            (50, 688, 10, "variable for its name. It is called"),
            (50, 676, 9, "http_proxy and is set before the program"),
            (50, 664, 10, "starts. Nothing else is needed for it."),
        ]
    )
    assert len(found) == 1
    assert found[0][3].endswith(
        "is called http_proxy and is set before the program starts. Nothing else is needed for it."
    )


def test_a_word_in_other_type_after_a_comma_is_no_column() -> None:
    found = parsed(
        [
            (50, 700, 10, "This is done by setting an environment variable,"),
            (290, 700, 10, "http_proxy. It holds"),
            (50, 688, 10, "the address of the proxy, and its port behind a colon."),
        ]
    )
    assert len(found) == 1
    assert "an environment variable, http_proxy. It holds the address" in found[0][3]


def test_what_counts_the_pages_is_left_out_with_what_stands_beside_it() -> None:
    heads = ["3.1 Fees 13", "14 Chapter 3. Parking", "15", "16 Chapter 4. Dogs", "4.1 Leashes 17"]
    pages = [
        [(40.0, 780.0, 10, head), (40.0, 700.0, 10, f"On {name} there is one sentence.")]
        for head, name in zip(heads, ("fees", "zones", "halls", "dogs", "leashes"), strict=True)
    ]
    found = structure(parsing.parse(pdf_of_pieces(*pages)))
    assert [said for _, _, _, said in found] == [
        f"On {name} there is one sentence."
        for name in ("fees", "zones", "halls", "dogs", "leashes")
    ]


def test_words_that_are_drawn_without_spaces_are_parted() -> None:
    font = f"/Subtype /Type1 /FirstChar 32 /LastChar 122 /Widths [{'1000 ' * 91}]"
    content = b"BT /F1 10 Tf 40 700 Td [(You) -250 (ma) 30 (y) -250 (park) -250 (here.)] TJ ET"
    assert parsing.parse(pdf_of_contents([content], font=font)).body == "You may park here."


def test_lines_of_type_of_one_width_are_code() -> None:
    content = (
        b"BT /F1 10 Tf 1 0 0 1 40 700 Tm (You rent a place by this command, and it takes an hour:)"
        b" Tj ET BT /F2 10 Tf 1 0 0 1 50 670 Tm ($ hall rent) Tj 1 0 0 1 62 658 Tm (--zone a) Tj ET"
    )
    found = structure(parsing.parse(pdf_of_contents([content])))
    assert [(kind, said) for kind, _, _, said in found] == [
        ("lead", "You rent a place by this command, and it takes an hour:"),
        ("code", "$ hall rent\n  --zone a"),
    ]


def test_a_name_in_the_type_of_code_above_its_explanation_is_no_code() -> None:
    content = (
        b"BT /F2 10 Tf 1 0 0 1 40 700 Tm (max_visitors) Tj"
        b" /F1 10 Tf 1 0 0 1 60 676 Tm (How many people may be in the hall at the same time.) Tj ET"
    )
    found = structure(parsing.parse(pdf_of_contents([content])))
    assert next(said for _, _, _, said in found) == "max_visitors"
    assert all(kind != "code" for kind, _, _, _ in found)


def test_of_what_is_typed_as_a_whole_nothing_is_code() -> None:
    content = (
        b"BT /F2 10 Tf 1 0 0 1 40 700 Tm (Bring with you to the hall, on the day itself:) Tj"
        b" 1 0 0 1 40 688 Tm (1. your card) Tj 1 0 0 1 40 676 Tm (2. a photo) Tj ET"
    )
    found = structure(parsing.parse(pdf_of_contents([content])))
    assert [kind for kind, _, _, _ in found] == ["lead", "item", "item"]


def test_a_line_that_begins_in_brackets_is_no_item() -> None:
    pieces = [
        (40.0, 700.0, 10, "The fees of all zones are told in the table of the chapter on fees"),
        (40.0, 688.0, 10, "(p. 12), and those of the halls are told in the chapter on the halls."),
    ]
    found = structure(parsing.parse(pdf_of_pieces(pieces)))
    assert [kind for kind, _, _, _ in found] == ["text"]
