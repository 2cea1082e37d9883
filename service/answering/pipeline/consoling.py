"""Answer those in distress: nothing that a query gets is a refusal, and help comes with it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from typing import Final

from service.answering.pipeline import replying
from sessions.resources import answers
from streaming.log.events import AnswerEvent, Grounded, RelatedFound, Skipped, TextAppended

_LEAST: Final = 3
"""Characters of what comes behind a text that show that it was begun: it starts a paragraph."""


async def consoled(
    events: AsyncGenerator[AnswerEvent], written: answers.Answer, *, reply: str, closing: str
) -> AsyncGenerator[AnswerEvent]:
    """Yield *events* with *reply* in the place of a refusal, and *closing* behind any other text.

    They go on behind what was *written*. What else the portal answers is left out: it is no time
    to read on.
    """
    closing = f"\n\n{closing}"
    if begun := _overlap(written.answer_text, closing):
        if begun < len(closing):
            yield TextAppended(closing[begun:])
        return
    told = written.answer_text
    async with contextlib.aclosing(events):
        async for event in events:
            if isinstance(event, Skipped):
                for rest in replying.rest(reply, written):
                    yield rest
                return
            if isinstance(event, RelatedFound):
                continue
            if isinstance(event, TextAppended):
                told += event.text
            # Nothing may be said after the proof of what was said.
            if isinstance(event, Grounded) and closing and told != reply:
                yield TextAppended(closing)
                closing = ""
            yield event
    if closing and told and told != reply:
        yield TextAppended(closing)


def _overlap(text: str, closing: str) -> int:
    """Return how many characters of *closing* end *text*."""
    sizes = range(min(len(text), len(closing)), _LEAST - 1, -1)
    return next((size for size in sizes if text.endswith(closing[:size])), 0)
