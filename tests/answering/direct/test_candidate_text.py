"""The pieces of one candidate, whatever it is made of."""

from __future__ import annotations

import pytest

from service.answering.direct.candidate_text import CandidateText
from service.generation.chat_model.chat_events import ChatEvent, Finished, TextDelta
from service.generation.stop_sequences import TextEnd
from sessions.resources.candidates import Candidate

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
    assert pieces(CandidateText(0, end, withholds=withholds)) == expected
