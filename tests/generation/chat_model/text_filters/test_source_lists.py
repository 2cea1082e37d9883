"""A list of sources below an answer is not told; whatever else looks like one is."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.generation.chat_model.chat_events import TextDelta
from service.generation.chat_model.model_text import ModelText
from service.generation.chat_model.text_filters.source_lists import SourceListFilter

TEXT = "The fee is 40 euro [1]."


def told(*pieces: str) -> str:
    """Return what is told of a text in *pieces*."""
    text_filter = SourceListFilter()
    return "".join([*map(text_filter.feed, pieces), text_filter.finish()])


@pytest.mark.parametrize(
    "end",
    [
        "\n\nSources:\n[1] Parking fees\n[2] Permits: who needs one?",
        "\n\n**Sources:**\n\n- [1] Parking fees\n- [2] Permits\n",
        "\n## References\n[1]: Parking fees",
        "\nSources: [1], [2]",
        "\n\nQuellen:\n[1] Gebühren\n",
        "\n\n来源：\n【1】费用",
    ],
)
def test_a_list_of_sources_at_the_end_is_not_told(end: str) -> None:
    assert told(TEXT + end) == told(*(TEXT + end)) == TEXT
    of_model = ModelText()
    deltas = (*of_model.feed(TextDelta(TEXT + end)), *of_model.finish())
    assert "".join(one.text for one in deltas if isinstance(one, TextDelta)) == TEXT


@pytest.mark.parametrize(
    "text",
    [
        TEXT + "\n\nSources:\n[1] Parking fees\n\nAsk at the desk.",
        TEXT + "\n\nSources:\n1. Springs\n2. Wells",
        TEXT + "\n\nSources of water are many [1].",
        TEXT + "\n\nSources",
        TEXT + "\nSources:",
        "Sources:\n[1] Parking fees",
        TEXT + "\n\nSources:\n" + "[1] Parking fees\n" * 400,
        "\n\n",
        "A\n\n\nB\n",
    ],
)
def test_all_else_is_told(text: str) -> None:
    assert told(text) == told(*text) == text


@given(st.lists(st.sampled_from(["Sources", ":", "\n", " ", "[1]", "[", "- ", "x", "**", "1"])))
def test_how_the_text_is_cut_changes_nothing(pieces: list[str]) -> None:
    assert told(*pieces) == told("".join(pieces)) == told(*"".join(pieces))


def test_text_is_told_as_it_comes() -> None:
    text_filter = SourceListFilter()
    assert text_filter.feed("The fee\nis") == "The fee\nis"
    assert text_filter.feed("\n\nSo") == ""
    assert text_filter.feed("me pay more.") == "\n\nSome pay more."


@pytest.mark.parametrize("line", ["\n", "a\n", "\nSources:\n[1] a", "\n[1]"])
def test_a_long_text_is_read_in_time(line: str) -> None:
    text, began = line * 30_000 + "\nSo.", time.thread_time()
    assert told(text) == text
    assert time.thread_time() - began < 10  # 0.1 where nothing else runs; quadratic: minutes
