"""What of a completion is told to whom, however its text was cut."""

from __future__ import annotations

from collections.abc import Sequence

from service.generation.chat_model.chat_events import (
    Delta,
    TextDelta,
    ThoughtDelta,
    TokenLogprob,
    ToolCallDelta,
)
from service.generation.chat_model.model_text import CompletionParts, ModelText


def told(of: CompletionParts | ModelText, *deltas: Delta) -> list[Delta]:
    """Return all that *of* tells of *deltas*."""
    found = [one for delta in deltas for one in of.feed(delta)]
    return [*found, *of.finish()]


def texts(*pieces: str) -> list[Delta]:
    """Return *pieces* with one token each."""
    return [TextDelta(piece, (TokenLogprob(piece, -len(piece)),)) for piece in pieces]


def tokens(deltas: Sequence[Delta]) -> list[str]:
    return [one.token for delta in deltas if isinstance(delta, TextDelta) for one in delta.logprobs]


def test_thoughts_in_the_text_are_told_apart() -> None:
    call = ToolCallDelta(0, "c1", "look_up", "{}")
    found = told(CompletionParts(within_thoughts=False), TextDelta("<think>Hm.</think>5"), call)
    assert found == [ThoughtDelta("Hm."), TextDelta("5"), call]


def test_ordinary_text_passes_at_once_with_its_tokens() -> None:
    parts = CompletionParts(within_thoughts=False)
    (delta,) = texts("Okay, let ")
    assert parts.feed(delta) == [delta]


def test_the_tokens_of_thoughts_and_tags_are_left_out() -> None:
    pieces = ("<think>", "Five", ".", "</", "think", ">", "\n\n", "Five", " euros", ".")
    found = told(CompletionParts(within_thoughts=False), *texts(*pieces))
    assert tokens(found) == ["Five", " euros", "."]


def test_the_tokens_of_what_was_held_back_come_later() -> None:
    found = told(CompletionParts(within_thoughts=False), *texts("a", " <", "b", " is"))
    assert "".join(one.text for one in found if isinstance(one, TextDelta)) == "a <b is"
    assert tokens(found) == ["a", " <", "b", " is"]


def test_an_answer_is_told_with_the_thoughts_that_led_to_it() -> None:
    said = (ThoughtDelta("Hm. "), TextDelta("<think>So.</think>"), TextDelta("It is 5 euros."))
    assert told(ModelText(tells_thoughts=True), *said) == [
        ThoughtDelta("Hm. So."),
        TextDelta("It is 5 euros."),
    ]
    assert told(ModelText(), *said) == [TextDelta("It is 5 euros.")]


def test_of_what_is_no_answer_no_thoughts_are_told() -> None:
    said = (ThoughtDelta("The sources say 3."), TextDelta("NO_ANSWER"))
    assert told(ModelText(tells_thoughts=True), *said) == []
