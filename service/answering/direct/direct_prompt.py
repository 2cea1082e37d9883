"""What a model is asked for one request, and how its text is guarded."""

from __future__ import annotations

import msgspec

from service.answering.requests.function_declarations import Functions
from service.answering.requests.response_formats import ResponseFormat
from service.generation.chat_model.chat_requests import ChatRequest
from sessions.resources.answer_query import SafetySpec


class DirectPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is asked, and how its text is guarded.

    With *rates* a text is rated for harm, and with *safety_spec* withheld until it is, so that
    nobody reads what that blocks. What the model thinks is told where *shows_thoughts*.
    It may call *functions*, and writes in a *form* if there is one.
    """

    request: ChatRequest
    safety_spec: SafetySpec | None = None
    rates: bool = False
    shows_thoughts: bool = False
    functions: Functions | None = None
    form: ResponseFormat | None = None
