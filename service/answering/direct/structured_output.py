"""Have a model write in a form: ask for it, hold the text to it, and ask once more if it misses.

The text is told when it is known to fit: what was told of a stream could not be taken back.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Final

import msgspec

from service.answering.requests.response_formats import Misfit, ResponseFormat
from service.generation.chat_model.chat_events import (
    ChatEvent,
    Finished,
    TextDelta,
    TokenLogprob,
    ToolCallDelta,
    Usage,
)
from service.generation.chat_model.chat_requests import (
    ChatMessage,
    ChatRequest,
    JsonObjectFormat,
    JsonSchemaFormat,
)
from service.thread_pools import ThreadPool
from sessions.errors import ServiceError

_REPAIR: Final = (
    "That cannot be used: {fault}. Write the whole answer again, corrected, in the form that was "
    "asked for, and nothing else."
)
_REFUSED: Final = ("400", "422")
_TOO_LONG: Final = "context_length_exceeded"

Ask = Callable[[ChatRequest], AsyncGenerator[ChatEvent]]


class _Attempt:
    """What came of asking once."""

    def __init__(self) -> None:
        self.text = ""
        self.tokens: list[TokenLogprob] = []
        self.finished: Finished | None = None
        self.calls = False


async def events(
    ask: Ask, request: ChatRequest, form: ResponseFormat, pool: ThreadPool
) -> AsyncGenerator[ChatEvent | Misfit]:
    """Yield what *ask* yields for *request*, its text in one piece that fits *form*.

    A text that was cut short, or that goes with calls, is as it is. The usage is that of all that
    was asked.

    Raises:
        ServiceError: as *ask*; no text was yielded.
    """
    usages = list[Usage]()
    for is_last in (False, True):
        attempt = _Attempt()
        async with contextlib.aclosing(_events(ask, request)) as answered:
            async for event in answered:
                match event:
                    case TextDelta():
                        attempt.text += event.text
                        attempt.tokens += event.logprobs
                    case Usage():
                        usages.append(event)
                    case Finished():
                        attempt.finished = event
                    case _:
                        attempt.calls |= isinstance(event, ToolCallDelta)
                        yield event
        text, fault, finished = attempt.text, "", attempt.finished
        if finished is None:
            return
        if finished.reason == "stop" and not attempt.calls:
            text, fault = await pool.run(form.read, text)
        if not fault or is_last:
            yield TextDelta(text, tuple(attempt.tokens))
            if usages:
                yield _sum(usages)
            yield Misfit(fault) if fault else finished
            return
        said = (ChatMessage("assistant", text), ChatMessage("user", _REPAIR.format(fault=fault)))
        request = msgspec.structs.replace(request, messages=(*request.messages, *said))


async def _events(ask: Ask, request: ChatRequest) -> AsyncGenerator[ChatEvent]:
    """Yield what *ask* yields; an endpoint that refuses a form is asked for less of one.

    Those that say so in words that are known are not asked again (`ChatCompletions`); others may
    refuse just this schema, or this form together with functions.
    """
    wanted = request.response_format
    others = (JsonObjectFormat(), None) if isinstance(wanted, JsonSchemaFormat) else (None,)
    for form in (wanted, *others):
        try:
            asked = msgspec.structs.replace(request, response_format=form)
            async with contextlib.aclosing(ask(asked)) as answered:
                async for event in answered:
                    yield event
            return
        except ServiceError as exc:
            if form is None or not _may_be_the_form(exc):
                raise


def _may_be_the_form(error: ServiceError) -> bool:
    """Tell whether an endpoint may have refused a request for its form; nothing came of it then."""
    refused = error.reason == "MODEL_REQUEST_INVALID" and error.metadata.get("status") in _REFUSED
    return refused and error.metadata.get("upstream") != _TOO_LONG


def _sum(usages: list[Usage]) -> Usage:
    """Return what several requests took together."""
    if len(usages) == 1:
        return usages[0]
    counts = [msgspec.structs.asdict(usage) for usage in usages]
    return Usage(**{name: sum(one[name] or 0 for one in counts) for name in counts[0]})
