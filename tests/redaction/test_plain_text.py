"""One form of each character, and the way back."""

from __future__ import annotations

import pytest

from service.redaction import plain_text


@pytest.mark.parametrize(
    ("original", "plain"),
    [
        ("ann@x.org", "ann@x.org"),
        ("ann\uff20x\uff0eorg", "ann@x.org"),
        ("ann\ufe6bx\u3002org", "ann@x.org"),
        ("a\u200bn\u00adn@x.\u2060org", "ann@x.org"),
        ("ann%40x.org", "ann@x.org"),
        ("\u0661\u06f2\uff13\U0001d7d2", "1234"),
        ("4\u20111\u00a02\u20133", "4-1 2-3"),
        ("1\ufe0f\u20e32", "12"),
    ],
)
def test_what_looks_alike_reads_alike(original: str, plain: str) -> None:
    assert plain_text.read(original).text == plain


def test_a_span_covers_what_is_not_seen_within_it() -> None:
    original = "to \u200bann%40x.o\u00adrg, please"
    read = plain_text.read(original)
    start = read.text.index("ann")
    first, last = read.span(start, start + len("ann@x.org"))
    assert original[first:last] == "ann%40x.o\u00adrg"
