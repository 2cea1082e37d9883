"""Stop sequences and token limits: how the text was cut into pieces never matters."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.generation import token_counts
from service.generation.stop_sequences import TextEnd
from sessions.resources.candidates import FinishReason

TEXT = "Renewal costs 15 €. It takes ten working days — 更新 is free."


def told(pieces: Sequence[str], stops: Sequence[str] = (), most: int | None = None) -> TextEnd:
    ending = TextEnd(stops, most)
    said = "".join(ending.feed(piece) for piece in pieces) + ending.finish()
    assert said == ending.text
    return ending


@pytest.mark.parametrize("repeated", ["x", " ", "a ", "句", "."])
def test_the_work_grows_no_faster_than_the_text(repeated: str) -> None:
    """A word without end is one token."""

    def cost(count: int) -> float:
        ending = TextEnd(["stop"], 1_000_000)
        started = time.thread_time()
        for _ in range(count):
            ending.feed(repeated)
        return time.thread_time() - started

    assert min(cost(16_000) for _ in range(2)) < 32 * min(cost(2_000) for _ in range(3))


@st.composite
def cuts(draw: st.DrawFn, text: str) -> list[str]:
    places = sorted(draw(st.sets(st.integers(0, len(text)))))
    bounds = [0, *places, len(text)]
    return [text[a:b] for a, b in itertools.pairwise(bounds)]


@settings(max_examples=200)
@given(
    cuts(TEXT),
    st.sampled_from([(), ("It takes",), ("days", " ten"), ("€. I", "x")]),
    st.sampled_from([None, 1, 3, 7, 100]),
)
def test_pieces_do_not_matter(pieces: list[str], stops: Sequence[str], most: int | None) -> None:
    whole, pieced = told([TEXT], stops, most), told(pieces, stops, most)
    assert (pieced.text, pieced.reason) == (whole.text, whole.reason)


@settings(max_examples=100)
@given(st.text(max_size=60))
def test_tokens_joined_are_the_text(text: str) -> None:
    assert "".join(token_counts.cut(text)) == text
    assert (
        token_counts.count(text)
        == len(token_counts.cut(text))
        == len(list(token_counts.ends(text)))
    )


def test_a_stop_sequence_ends_the_text_before_it() -> None:
    ending = told([TEXT], ["takes", "days"])
    assert ending.text == "Renewal costs 15 €. It "
    assert ending.reason is FinishReason.STOP


@pytest.mark.parametrize(
    ("most", "text"), [(1, "Renewal"), (3, "Renewal costs 15"), (5, "Renewal costs 15 €.")]
)
def test_so_many_tokens_and_no_more(most: int, text: str) -> None:
    ending = told([TEXT], most=most)
    assert ending.text == text
    assert ending.reason is FinishReason.MAX_TOKENS


def test_a_text_of_just_so_many_tokens_ended_by_itself() -> None:
    ending = told([TEXT], most=token_counts.count(TEXT))
    assert ending.text == TEXT
    assert ending.reason is FinishReason.STOP


def test_what_may_begin_a_stop_sequence_is_held_back() -> None:
    ending = TextEnd(["END"])
    assert ending.feed("The E") == "The "
    assert ending.feed("xit") == "Exit"
    assert ending.feed("EN") == ""
    assert ending.finish() == "EN"
