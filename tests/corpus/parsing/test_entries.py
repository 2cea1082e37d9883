"""Entries are set apart: each question heads its answer, each term what it means."""

from __future__ import annotations

import itertools

import pytest

from service.corpus.parsing import chunking, parsing
from tests.corpus.texts import structure


def _kinds(text: str, name: str = "a.md") -> list[str]:
    parsed = parsing.parse(text.encode(), filename=name)
    return [f"{kind}{level} {said}" for kind, level, _, said in structure(parsed)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("## Loans\n\n**Is it free?** Yes, for members.\n\n**Is it far?**\nNo.", "a.md"),
        ("## Loans\n\nQ: Is it free?\nA: Yes, for members.\n\n**Is it far?** No.", "a.md"),
        (
            "<h2>Loans</h2><p><b>Is it free?</b><br>Yes, for members.<p><b>Is it far?</b> No.",
            "a.html",
        ),
        (
            "<h2>Loans</h2><dl><dt>Is it free?<dd>Yes, for members.<dt>Is it far?<dd>No.</dl>",
            "a.html",
        ),
        (
            "<h2>Loans</h2><ol><li><p>Is it free?<p>Yes, for members.<li><p>Is it far?<p>No.</ol>",
            "a.html",
        ),
        ("## Loans\n\n1. Is it free?\n\nYes, for members.\n\n2. Is it far?\n\nNo.", "a.md"),
        ("## Loans\n\n- **Is it free?** Yes, for members.\n- **Is it far?** No.", "a.md"),
        ("Loans\n=====\n\nQ: Is it free?\nA: Yes, for members.\n\nQ: Is it far?\nA: No.", "a.txt"),
    ],
)
def test_a_question_heads_its_answer_in_every_form(text: str, name: str) -> None:
    parsed = parsing.parse(text.encode(), filename=name)
    found = structure(parsed)
    kinds = [kind for kind, *_ in found]
    assert kinds == ["heading", "question", "text", "question", "text"]
    heading, free, yes, far, no = found
    assert free[1] == far[1] == heading[1] + 1
    assert free[2] == yes[2] != far[2] == no[2]
    assert free[3].endswith("Is it free?")
    assert far[3].endswith("Is it far?")
    assert yes[1] == no[1] == 0


def test_the_text_of_a_paragraph_stays_as_it_is() -> None:
    parsed = parsing.parse(b"**Is it free?** Yes.\n\n- **Is it far?** No.", filename="a.md")
    assert parsed.body == "Is it free? Yes.\n\n- Is it far? No."
    ends = [(one.start, one.end) for one in parsed.blocks]
    assert all(
        not parsed.body[end:start].strip()
        for (_, end), (start, _) in itertools.pairwise([(0, 0), *ends])
    )


def test_a_chunk_stands_under_the_question_of_its_entry() -> None:
    answer = "So it is said here. " * 30
    text = f"# Help\n\n## Loans\n\n- **Is it free?** {answer}\n- **Is it far?** {answer}"
    spans = chunking.chunk(parsing.parse(text.encode(), filename="a.md"))
    assert {span.headings for span in spans[1:]} == {
        ("Help", "Loans", "Is it free?"),
        ("Help", "Loans", "Is it far?"),
    }


def test_an_answer_that_leads_to_steps_keeps_them() -> None:
    found = _kinds("**How do I pay?** Do this:\n\n1. Open it.\n2. Pay.")
    assert found == [
        "question1 How do I pay?",
        "lead0 Do this:",
        "item0 1. Open it.",
        "item0 2. Pay.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "**Price:** 5 a day.",
        "**Important:** Bring a card.",
        "**Why?** is the question that children ask.",
        "It is **really free?** We say so.",
        "**Never pay twice.** Who does gets it back.",
        "- Is it on?\n- Is it dry?\n\nIf it is, call us.",
        "Ask yourself:\n\n- Is it on?\n\nThen call us.",
        "1. **Is the light on?** Press it.\n2. Wait.",
        "1. Do you see a light? If so, press it.\n2. Do you hear it? If so, wait.",
    ],
)
def test_what_only_looks_like_an_entry_stays_as_it_is(text: str) -> None:
    assert not [kind for kind in _kinds(text) if kind.startswith(("question", "heading"))]


def test_a_term_of_several_words_heads_what_it_means() -> None:
    page = (
        "<h2>Trouble</h2><dl><dt>It makes no sound!<dd><p>Turn it up.<p>Or on."
        "<dt>It is too loud<dd>Turn it down.</dl>"
    )
    assert _kinds(page, "a.html") == [
        "heading2 Trouble",
        "heading3 It makes no sound!",
        "text0 Turn it up.",
        "text0 Or on.",
        "heading3 It is too loud",
        "text0 Turn it down.",
    ]


@pytest.mark.parametrize(
    "terms", [("-q, --quiet", "--loud"), ("Type of value:", "Notes:"), ("Character set", "ASCII")]
)
def test_no_term_heads_its_meaning_in_a_list_of_options_labels_or_names(
    terms: tuple[str, str],
) -> None:
    page = "<h2>Help</h2><dl>" + "".join(f"<dt>{term}<dd>So it is." for term in terms) + "</dl>"
    assert [one.split()[0] for one in _kinds(page, "a.html")] == [
        "heading2",
        *["term0", "definition0"] * 2,
    ]


def test_terms_with_empty_definitions_share_the_next_one() -> None:
    page = (
        "<dl><dt>Browse Yes<dd style='x'><dt>Browse No<dd>Whether it is shown.<dt>Port<dd>A.</dl>"
    )
    found = structure(parsing.parse(page.encode(), filename="a.html"))
    assert [kind for kind, *_ in found] == ["term", "term", "definition", "term", "definition"]
    assert found[0][2] == found[1][2] == found[2][2] != found[3][2]


@pytest.mark.parametrize("page", ["<p>It says:<dl>", "<dl>"])
def test_terms_that_a_sentence_leads_to_are_its_list(page: str) -> None:
    terms = "<dt>Too far<dd>Go on.<dt>Too near<dd>Go back.</dl>"
    kinds = [one.split()[0] for one in _kinds(page + terms, "a.html")]
    assert kinds[-4:] == (
        ["term0", "definition0"] * 2 if ":" in page else ["heading1", "text0"] * 2
    )


@pytest.mark.parametrize("term", ["argc = 1", "`keys` folder", "a" * 50 + " " + "b" * 50])
def test_code_and_what_is_long_is_no_heading(term: str) -> None:
    assert not [one for one in _kinds(f"<dl><dt>{term}<dd>So.</dl>", "a.html") if "head" in one]


def test_several_terms_of_one_definition_stay_terms() -> None:
    page = "<dl><dt>The blue line<dt>The red line<dd>Lines of the tram.</dl>"
    assert [one.split()[0] for one in _kinds(page, "a.html")] == ["term0", "term0", "definition0"]


def test_a_list_of_definitions_within_an_answer_belongs_to_it_and_ends_with_it() -> None:
    page = (
        "<dl><dt>Where is it kept?<dd>In a folder:<dl><dt>Linux<dd>Home.<dt>macOS<dd>Library.</dl>"
        "<dt>It is never kept<dd>Turn that on.</dl>"
    )
    assert _kinds(page, "a.html") == [
        "question1 Where is it kept?",
        "lead0 In a folder:",
        "term1 Linux",
        "definition1 Home.",
        "term1 macOS",
        "definition1 Library.",
        "heading1 It is never kept",
        "text0 Turn that on.",
    ]


def test_a_line_in_bold_heads_the_prose_under_it_and_no_address() -> None:
    page = "<h1>Us</h1><p><b>Our shop</b><br>It is open.<p><b>Jane Doe</b><br>Main Street 5"
    assert _kinds(page, "a.html")[1:] == [
        "heading2 Our shop",
        "text0 It is open.",
        "text0 Jane Doe\nMain Street 5",
    ]


def test_a_thousand_lists_of_questions_are_read_at_once() -> None:
    text = "".join(f"- **Is it {n}?** Yes.\n\ntext\n\n" for n in range(1_000))
    assert len(_kinds(text)) == 3_000


def _captions(said: str) -> str:
    return "".join(f"<li><p><b>{name}</b><p>{said}<p>So." for name in ("The mast", "Its sails"))


def test_items_that_are_names_in_bold_head_the_paragraphs_under_them() -> None:
    page = f"<h2>Ships</h2><ol>{_captions('It is tall. ' * 40)}</ol>"
    assert [one[:22] for one in _kinds(page, "a.html")] == [
        "heading2 Ships",
        "heading3 1. The mast",
        "text0 It is tall. It i",
        "text0 So.",
        "heading3 2. Its sails",
        "text0 It is tall. It i",
        "text0 So.",
    ]


def test_steps_with_a_name_in_bold_stay_one_list() -> None:
    kinds = _kinds(f"<h2>Ships</h2><ol>{_captions('It is tall.')}</ol>", "a.html")
    assert [one.split()[0] for one in kinds] == ["heading2", *["item0", "text1", "text1"] * 2]
