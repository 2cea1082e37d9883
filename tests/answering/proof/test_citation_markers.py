"""Every way in which models cite is read, and nothing else is taken for a citation."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.answering.proof.citation_markers import MarkerReader

SOURCES = 5


def read(*pieces: str, count: int = SOURCES) -> tuple[str, tuple[int, ...]]:
    """Return the text without its markers, and all numbers that they name."""
    reader, text, numbers = MarkerReader(count), "", list[int]()
    for piece in pieces:
        for token in reader.feed(piece):
            text, numbers = _added(text, numbers, token)
    for token in reader.finish():
        text, numbers = _added(text, numbers, token)
    return text, tuple(numbers)


def _added(text: str, numbers: list[int], token: str | tuple[int, ...]) -> tuple[str, list[int]]:
    if isinstance(token, str):
        return text + token, numbers
    return text, [*numbers, *token]


def however_cut(text: str) -> tuple[str, tuple[int, ...]]:
    """Return what is read of *text*, which must be the same in one piece and by characters."""
    found = read(text)
    assert read(*text) == found
    return found


@pytest.mark.parametrize(
    ("marker", "numbers"),
    [
        ("[1]", (1,)),
        ("[1, 2]", (1, 2)),
        ("[1][2]", (1, 2)),
        ("[1] [2]", (1, 2)),
        ("[1;2]", (1, 2)),
        ("[1 and 2]", (1, 2)),
        ("[1-3]", (1, 2, 3)),
        ("[1–3]", (1, 2, 3)),
        ("[[1]]", (1,)),
        ("[^1]", (1,)),
        ("[^1][^2]", (1, 2)),
        ("[^1^]", (1,)),
        ("【1】", (1,)),
        ("【1】【2】", (1, 2)),
        ("【1†source】", (1,)),
        ("【2†L12-L19】", (2,)),
        ("【4:0†source】", ()),
        ("［2］", (2,)),
        ("[source 1]", (1,)),
        ("[Source: 2]", (2,)),
        ("[Sources: 1, 2]", (1, 2)),
        ("[Source 1, Source 2]", (1, 2)),
        ("[sources 1 and 2]", (1, 2)),
        ("[source #1]", (1,)),
        ('[source number="1"]', (1,)),
        ("[Doc 1]", (1,)),
        ("[document 2]", (2,)),
        ("[ref 1]", (1,)),
        ("[Quelle 1]", (1,)),
        ("[Fuente: 2]", (2,)),
        ("[来源1]", (1,)),
        ("[1](https://a.example/b)", (1,)),
        ("[2](#source-2)", (2,)),
        ("(source 1)", (1,)),
        ("(Sources: 1, 2)", (1, 2)),
        ("(see source 2)", (2,)),
        ("(1)", (1,)),
        ("(1, 2)", (1, 2)),
        ("(1)(2)", (1, 2)),
        ("（1）", (1,)),
        ("<sup>1</sup>", (1,)),
        ("<sup>[1]</sup>", (1,)),
        ("<cite>2</cite>", (2,)),
        ("<source>2</source>", (2,)),
        ("[9]", (9,)),
    ],
)
def test_a_marker_is_read_in_every_form(marker: str, numbers: tuple[int, ...]) -> None:
    assert however_cut(f"The fee is five euros {marker}.") == ("The fee is five euros.", numbers)
    assert however_cut(f"The fee is five euros. {marker}") == ("The fee is five euros.", numbers)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The fee is five euros¹.", (1,)),
        ("The fee is five euros.¹", (1,)),
        ("The fee is five euros¹² today.", (1, 2)),
        ("The fee is five euros¹,².", (1, 2)),
        ("The fee is five euros.^1^", (1,)),
        ("“The fee is five euros.”²", (2,)),
    ],
)
def test_a_raised_number_behind_a_word_is_a_marker(text: str, numbers: tuple[int, ...]) -> None:
    told, found = however_cut(text)
    assert found == numbers
    assert not set(told) & set("¹²^")


def test_who_cites_in_parentheses_does_so_throughout() -> None:
    text = "The fee is five euros (1). It is due (2) in May, and (3) paid once."
    assert however_cut(text) == (
        "The fee is five euros. It is due in May, and paid once.",
        (1, 2, 3),
    )


@pytest.mark.parametrize(
    "text",
    [
        "(1) Open the page. (2) Sign in.",
        "1) Open (2) pages",
        "You need: (1) a card, (2) a form.",
        "Sections (1) and (2) apply.",
        "It follows from article 5 (1).",
        "Bring two (2).",
        "Bring form (3).",
        "It began (2024).",
        "It has a limit (10).",
        "Call f(1).",
        "ls(1)",
        "A room of 50 m².",
        "x² + y² = z²",
        "10²",
        "50 square meters².",
        "H<sub>2</sub>O and x<sup>2</sup>",
        "x^2 and x^2^",
        "see [our page](https://a.example)",
        "[Source code](https://a.example)",
        "[see below] [documents] [1st]",
        "in [2024] and [100] and [0]",
        "【重要】请 （见下）",
        "a[1 b] [1 2]",
        "`[1]` and `(1).` and `x¹`",
        "<source> <b>1</b> <cite>x</cite>",
        "[",
        "[[",
        "(source",
        "【1†",
        "<sup>1",
    ],
)
def test_what_is_no_marker_stays(text: str) -> None:
    assert however_cut(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The fee is five euros [1]. It is for one person (1).", "It is for one person (1)."),
        ("The fee is five euros (1). See [the page].", "See [the page]."),
    ],
)
def test_a_model_that_cites_in_brackets_means_something_else_by_others(
    text: str, told: str
) -> None:
    assert however_cut(text) == (f"The fee is five euros. {told}", (1,))


parts = st.sampled_from(
    [
        *(
            "[",
            "]",
            "1",
            "2",
            "9",
            ", ",
            " ",
            "\n",
            "word",
            "euros",
            ". ",
            ".",
            "(",
            ")",
            "（",
            "）",
        ),
        *(
            "【",
            "】",
            "†",
            "source",
            "Source: ",
            "^",
            "¹",
            "²",
            "<sup>",
            "</sup>",
            "`",
            "-",
            "#",
            ":",
        ),
        *("[1]", "(1)", " (2).", "[^1]", "【1†source】", "](https://a.example)", "和", "é", "😀"),
    ]
)


@given(st.lists(parts, max_size=16), st.lists(st.integers(0, 60), max_size=8))
def test_the_cuts_between_pieces_change_nothing(texts: list[str], cuts: list[int]) -> None:
    text = "".join(texts)
    bounds = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    assert read(*(text[a:b] for a, b in itertools.pairwise(bounds))) == however_cut(text)


def test_ordinary_text_is_yielded_at_once() -> None:
    reader = MarkerReader(SOURCES)
    pieces = ["The fee", " is", " (in", " euros)", " five", " [the", " page](", "x)", " <b", ">."]
    told = ["".join(map(str, reader.feed(piece))) for piece in pieces]
    assert told[:6] == ["The fee", " is", " (in", " euros)", " five", " [the"]
    assert "".join(told) == "".join(pieces)


@pytest.mark.parametrize(
    "repeated",
    [
        *(
            "[",
            "(",
            "【",
            "<",
            "^",
            "¹",
            "[1",
            "(1",
            "[1](",
            "[1](#",
            "[source ",
            "(source: ",
            "<sup>",
        ),
        *("[1]", "(1)", "[[1]", "【1†", "[^", "[1, ", "[1][", "x¹", " [1]", "\n(1)"),
    ],
)
@pytest.mark.parametrize("size", [3, 6_000])
def test_no_text_takes_long(repeated: str, size: int) -> None:
    text = (repeated * 6_000)[:6_000]
    began = time.thread_time()
    read(*(text[at : at + size] for at in range(0, len(text), size)))
    assert time.thread_time() - began < 10
