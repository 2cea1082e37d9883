"""What introduces a portal is told apart from what only has its name."""

from __future__ import annotations

import pytest

from service.answering.retrieval import overviews


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Chapter 1\n\nQuillport is a small client for ferries. It is fast.", True),
        ("Quillport is not accepting my address.", False),
        ("The Quillport cache is a file that holds tickets.", False),
        ("A ferry is a boat, and so is that of Quillport.", False),
    ],
)
def test_a_paragraph_introduces_what_it_says_the_subject_is(text: str, told: bool) -> None:
    assert overviews.introduces(text, "What is Quillport?") is told


@pytest.mark.parametrize(
    ("query", "texts", "expected"),
    [
        ("What is Quillport?", ["Acme Quillport"] * 3, "What is Acme Quillport?"),
        ("what is quillport", ["In Acme Tide Quillport"] * 3, "what is Acme Tide quillport"),
        ("What is Quillport?", ["Acme Quillport"] * 2, ""),
        ("What is Quillport?", ["start the Quillport"] * 3, ""),
        ("How does Quillport work?", ["Acme Quillport"] * 3, ""),
    ],
)
def test_a_name_is_told_in_full_as_the_pages_tell_it(
    query: str, texts: list[str], expected: str
) -> None:
    texts = [*texts, "Start Acme Tide Quillport"] if expected else texts
    assert overviews.in_full(query, texts) == expected


def test_a_heading_asks_what_the_query_asks() -> None:
    assert overviews.asks(["Prices", "What Is Quillport?"], "what is quillport")
    assert not overviews.asks(["Prices", "What's new in Quillport?"], "what is quillport")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("## berth\n\nA berth is a place at the quay.", True),
        ("A berth holds one boat.", False),
        ("A free berth is a berth that nobody leases.", False),
        ("A berth is leased by the year.", False),
    ],
)
def test_a_paragraph_defines_what_it_begins_with(text: str, told: bool) -> None:
    assert overviews.defines(text, "What is a berth?") is told
