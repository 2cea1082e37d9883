"""The pieces of one candidate, whatever it is made of."""

from __future__ import annotations

import pytest

from service.answering.direct.candidate_calls import CandidateCalls
from service.answering.direct.candidate_text import CandidateText
from service.generation.chat_model.chat_events import ChatEvent, Finished, TextDelta, ThoughtDelta
from service.generation.stop_sequences import TextEnd
from sessions.resources.candidates import Candidate

NO_CALLS = CandidateCalls(None, streams=False)
EVENTS: list[ChatEvent] = [
    TextDelta("One, "),
    TextDelta("two, "),
    TextDelta("three."),
    Finished("stop"),
]


def pieces(text: CandidateText) -> list[str]:
    """Return the text of each piece, the last with its finish reason."""
    found = [piece for event in EVENTS for piece in text.feed(event)]
    *before, last = [*found, *text.finish()]
    assert not any(piece.finish_reason.number for piece in before)
    return [*map(said, before), f"{said(last)} {last.finish_reason.name}"]


def said(piece: Candidate) -> str:
    return "".join(part.text or "" for part in piece.content.parts) if piece.content else ""


@pytest.mark.parametrize(
    ("end", "withholds", "expected"),
    [
        (TextEnd(), False, ["One, ", "two, ", "three. STOP"]),
        (TextEnd(), True, ["One, two, three. STOP"]),
        (TextEnd(["ee"]), False, ["One, ", "two, ", "thr STOP"]),
        (TextEnd([], 3), False, ["One,", " two MAX_TOKENS"]),
    ],
)
def test_one_piece_is_held_back_for_the_end(
    end: TextEnd, withholds: bool, expected: list[str]
) -> None:
    assert pieces(CandidateText(0, end, NO_CALLS, withholds=withholds)) == expected


@pytest.mark.parametrize(
    ("withholds", "shows_thoughts", "expected"),
    [
        (False, True, [("Hm. ", True), ("So.", True), ("Four.", False)]),
        (True, True, [("Hm. So.", True), ("Four.", False)]),
        (False, False, [("Four.", False)]),
    ],
)
def test_thoughts_come_before_the_text_where_they_are_wanted(
    *, withholds: bool, shows_thoughts: bool, expected: list[tuple[str, bool]]
) -> None:
    text = CandidateText(0, TextEnd(), NO_CALLS, withholds=withholds, shows_thoughts=shows_thoughts)
    events = (ThoughtDelta("Hm. "), ThoughtDelta("So."), TextDelta("Four."), Finished("stop"))
    found = [*(piece for event in events for piece in text.feed(event)), *text.finish()]
    parts = [part for piece in found if piece.content for part in piece.content.parts]
    assert [(part.text, part.thought) for part in parts] == expected
    assert text.shown == ("Hm. So.\n\nFour." if shows_thoughts else "Four.")
