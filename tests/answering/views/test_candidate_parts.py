"""A segment counts the bytes of its own part, whatever other parts stand before it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from service.answering.views import candidate_parts
from service.answering.views.candidate_parts import TextPlaces
from sessions.resources.candidates import (
    Candidate,
    GroundingMetadata,
    GroundingSupport,
    Segment,
)
from sessions.resources.contents import Content, FunctionCall, Part

THOUGHT = Part(text="Hm — é.", thought=True)
CALL = Part(function_call=FunctionCall(name="f"))


def placed(parts: Sequence[Part], *spans: tuple[int, int]) -> list[Segment]:
    """Return the segments of *spans*, bytes of the whole text, when *parts* came one by one."""
    text = "".join(part.text or "" for part in parts if not part.thought).encode()
    supports = tuple(
        GroundingSupport(
            segment=Segment(start_index=start, end_index=end, text=text[start:end].decode())
        )
        for start, end in spans
    )
    places = TextPlaces()
    for part in parts:
        places.add(Content(parts=(part,)))
    last = Candidate(grounding_metadata=GroundingMetadata(grounding_supports=supports))
    metadata = places.placed(last).grounding_metadata
    assert metadata is not None
    return [support.segment or Segment() for support in metadata.grounding_supports]


def test_a_text_alone_is_the_first_part() -> None:
    (segment,) = placed([Part(text="É a"), Part(text="zul.")], (3, 8))
    assert (segment.part_index, segment.start_index, segment.end_index) == (0, 3, 8)


def test_a_text_behind_thoughts_is_the_second_part() -> None:
    (segment,) = placed([THOUGHT, THOUGHT, Part(text="É azul.")], (0, 8))
    assert segment == Segment(part_index=1, start_index=0, end_index=8, text="É azul.")


def test_a_text_between_calls_is_the_part_that_it_is() -> None:
    parts = [Part(text="One."), CALL, CALL, Part(text="Two."), CALL]
    assert placed(parts, (4, 8)) == [Segment(part_index=3, start_index=0, end_index=4, text="Two.")]


def test_a_segment_over_a_call_is_told_of_both_parts() -> None:
    assert placed([Part(text="One "), CALL, Part(text="two.")], (0, 8)) == [
        Segment(part_index=0, start_index=0, end_index=4, text="One "),
        Segment(part_index=2, start_index=0, end_index=4, text="two."),
    ]


def test_without_parts_nothing_is_placed() -> None:
    places = TextPlaces()
    places.add(None)
    assert places.placed(Candidate()) == Candidate()


PARTS = st.lists(
    st.sampled_from([THOUGHT, CALL, Part(text="Ça va."), Part(text="日本 "), Part(text="")])
)


@given(PARTS, st.data())
def test_segments_are_always_the_bytes_of_the_joined_parts(
    parts: list[Part], data: st.DataObject
) -> None:
    text = "".join(part.text or "" for part in parts if not part.thought)
    marks = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    start, end = (len(text[:mark].encode()) for mark in marks)
    assume(start < end)
    whole = list(candidate_parts.joined(parts))
    told = placed(parts, (start, end))
    for segment in told:
        within = (whole[segment.part_index].text or "").encode()
        assert not whole[segment.part_index].thought
        assert within[segment.start_index : segment.end_index].decode() == segment.text
    assert "".join(one.text for one in told) == text[marks[0] : marks[1]]


@pytest.mark.parametrize("parts", [[], [CALL], [THOUGHT, Part(text="a"), Part(text="b"), CALL]])
def test_neighbouring_texts_of_one_kind_are_joined(parts: list[Part]) -> None:
    whole = list(candidate_parts.joined(parts))
    assert whole == [*parts[:1], Part(text="ab"), CALL] if len(parts) > 1 else whole == parts
