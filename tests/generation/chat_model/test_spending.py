"""What is not reported is estimated, too much rather than too little."""

from __future__ import annotations

import pytest

from service.generation.chat_model.chat_requests import (
    ChatMessage,
    ChatRequest,
    Function,
    FunctionTool,
    ImagePart,
    ImageUrl,
    TextPart,
)
from service.generation.chat_model.chat_stream import Completion
from service.generation.chat_model.spending import Spending
from tests import doubles

_ASKED = ChatRequest(messages=(ChatMessage("user", "How long?"),))


def test_each_attempt_counts_by_what_is_known_of_it() -> None:
    """Those that were answered half-way, and the one that was reported."""
    spending = Spending(_ASKED, 100)
    assert (spending.most, spending.used) == (105, 0)
    first, second = Completion(), Completion()
    with spending.asking(first):
        assert spending.used == 5
    first.feed(doubles.data(doubles.event("thirty", reasoning_content="Hm. ")))
    assert spending.used == 5 + 7
    with pytest.raises(OSError, match="refused"), spending.asking(second):
        raise OSError("refused")
    assert spending.used == 12
    with spending.asking(second):
        pass
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    second.feed(doubles.data({"choices": [], "usage": usage}))
    assert spending.used == 12 + 5


def test_a_prompt_is_all_that_is_sent() -> None:
    """Tools and images, too: they cost, and callers bring them."""
    tool = FunctionTool(Function(name="f", description="d" * 1_000))
    with_tool = ChatRequest(messages=_ASKED.messages, tools=(tool,))
    image = ImagePart(ImageUrl("data:image/png;base64,AAAA"))
    with_image = ChatRequest(messages=(ChatMessage("user", (TextPart("How long?"), image)),))
    assert Spending(with_tool, 100).most > 105 + 500
    assert Spending(with_image, 100).most > 105 + 1_000
