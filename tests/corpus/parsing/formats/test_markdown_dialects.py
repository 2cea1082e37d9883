"""What dialects of Markdown mark in their own ways is read."""

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
        "<Note>\nKeep it.\n</Note>",
        '<Callout type="warning">Keep it.</Callout>',
        "  <Tip>\n\n  Keep it.\n\n  </Tip>",
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


def read(text: str) -> list[tuple[str, str]]:
    found = structure(parsing.parse(text.encode(), mime="text/markdown"))
    return [(kind, said) for kind, _, _, said in found]


@pytest.mark.parametrize(
    "text",
    [
        '=== "Linux"\n\n    1. Open it.\n    2. Shut it.\n\n=== "Mac"\n\n    Push it.\n',
        (
            "<TabItem value='l' label=\"Linux\">\n\n1. Open it.\n2. Shut it.\n\n  </TabItem>\n"
            "  <TabItem label='Mac'>\n\nPush it.\n\n  </TabItem>\n</Tabs>"
        ),
    ],
)
def test_what_is_in_a_tab_stands_under_its_name(text: str) -> None:
    assert read(f"# Gate\n\n{text}") == [
        ("heading", "Gate"),
        ("heading", "Linux"),
        ("item", "1. Open it."),
        ("item", "2. Shut it."),
        ("heading", "Mac"),
        ("text", "Push it."),
    ]


def test_a_question_that_unfolds_its_answer_is_an_entry() -> None:
    text = '??? question "Is it free?"\n    It is.\n\nAfterwards.'
    assert read(text) == [("question", "Is it free?"), ("text", "It is."), ("text", "Afterwards.")]


def test_terms_and_their_meanings_are_definitions() -> None:
    text = (
        "Words of the harbour.\n\nBerth\n: A place *to lie*.\n\n**Quay**\n:   A wall.\n\nNo more."
    )
    assert read(text) == [
        ("text", "Words of the harbour."),
        ("term", "Berth"),
        ("definition", "A place to lie."),
        ("term", "Quay"),
        ("definition", "A wall."),
        ("text", "No more."),
    ]


@pytest.mark.parametrize("indent", ["", "  ", "    "])
def test_a_meaning_goes_on_over_lines_and_paragraphs(indent: str) -> None:
    text = (
        f"Berth\n: A place\n{indent}to lie.\nQuay\n: A wall.\n\n  It has\n  rings.\n\n"
        "    - Iron\n    - Brass\n\nPier\n: A walk.\n\nNo\nmore."
    )
    assert read(text) == [
        ("term", "Berth"),
        ("definition", "A place to lie."),
        ("term", "Quay"),
        ("definition", "A wall."),
        ("definition", "It has rings."),
        ("item", "- Iron"),
        ("item", "- Brass"),
        ("term", "Pier"),
        ("definition", "A walk."),
        ("text", "No more."),
    ]


def test_what_only_a_program_reads_is_left_out() -> None:
    text = (
        "import Tabs from '@theme/Tabs';\nexport const a = 1;\n\n[TOC]\n\n# Gate\n\n"
        "- [x] Open\n- [ ] Shut\n\nPress ++ctrl+alt+del++ or [go](x){ .button }. {/* later */}\n\n"
        "```js\nimport Tabs from '@theme/Tabs';\n```"
    )
    assert read(text) == [
        ("heading", "Gate"),
        ("item", "- Open"),
        ("item", "- Shut"),
        ("text", "Press Ctrl+Alt+Del or go."),
        ("code", "import Tabs from '@theme/Tabs';"),
    ]


@pytest.mark.parametrize("text", ["Time: 8\n\n: none", "A\n:)", "It is:\n:: so"])
def test_a_colon_alone_defines_nothing(text: str) -> None:
    assert {kind for kind, _ in read(text)} <= {"text", "lead"}


@pytest.mark.parametrize("line", ['Import "contacts.csv"', "Export default settings;", "[todo]"])
def test_what_only_looks_like_a_line_of_a_program_is_read(line: str) -> None:
    assert read(f"# Gate\n\n{line}\n\n:::note\nKeep it.\n:::")[1][1] == line


def test_what_elements_of_mdx_lay_out_is_read_as_markdown_under_its_title() -> None:
    text = """# Renting

<Steps>
  <Step title="Open the hall">
    Run `hall open`.

    - By day only.
  </Step>
</Steps>
<CardGroup cols={2}>
  <Card
    title="Fees"
    href="/fees"
  >
    What you pay.
  </Card>
  <LinkCard title="Zones" href="/zones" description="Where you park." />
</CardGroup>
"""
    assert read(text) == [
        ("heading", "Renting"),
        *(("heading", "Open the hall"), ("lead", "Run hall open."), ("item", "- By day only.")),
        *(("heading", "Fees"), ("text", "What you pay.")),
        *(("heading", "Zones"), ("text", "Where you park.")),
    ]


def test_tabs_are_called_as_the_element_around_them_says() -> None:
    text = """# Running

<Tabs items={['Linux', 'Mac']}>
  <Tab>
  ```sh
  hall --linux
  ```
  </Tab>
  <Tab>
    Push it.
  </Tab>
</Tabs>
"""
    assert read(text)[1:] == [
        *(("heading", "Linux"), ("code", "hall --linux")),
        *(("heading", "Mac"), ("text", "Push it.")),
    ]


def test_a_footnote_is_a_paragraph_and_its_mark_is_not_read() -> None:
    """What looks like a mark and names no footnote is a pattern, as in code."""
    text = (
        "Wait[^1] for `[a][^,]`.\n\nCome early.[^long]\n\n"
        "[^1]: An hour.\n[^long]: At noon\n    it is full.\n\n    On Mondays.\n\nAfterwards.\n\n"
        "```\nx[^1]\n```"
    )
    found = structure(parsing.parse(text.encode(), mime="text/markdown"))
    assert [(kind, said) for kind, _, _, said in found] == [
        ("text", "Wait for [a][^,]."),
        ("text", "Come early."),
        ("text", "An hour."),
        ("text", "At noon it is full."),
        ("text", "On Mondays."),
        ("text", "Afterwards."),
        ("code", "x[^1]"),
    ]
