"""Contents as text; their turns are shown by answering/methods/test_prompt_contents."""

from __future__ import annotations

import pytest

from service.answering.requests import content_texts
from sessions.resources.contents import FunctionCall, FunctionResponse, Part, PartialArg


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (Part(function_call=FunctionCall(name="hours", args={"day": 1})), 'hours {"day":1}'),
        (Part(function_call=FunctionCall(partial_args=(PartialArg(string_value="a"),))), "a"),
        (Part(function_call=FunctionCall()), ""),
        (Part(function_response=FunctionResponse(name="hours")), "hours {}"),
        (Part(text="hours"), ""),
    ],
)
def test_calls_and_results_are_told_in_words_to_be_counted(part: Part, text: str) -> None:
    assert content_texts.call_text(part) == text
