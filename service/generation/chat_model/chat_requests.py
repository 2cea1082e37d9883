"""What a chat completion is asked for, in the words of OpenAI's chat completions API."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class TextPart(msgspec.Struct, frozen=True, tag_field="type", tag="text"):
    """A part of a message that is text."""

    text: str


class ImageUrl(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where an image is, a ``data:`` URL that holds it, and how finely it is to be looked at."""

    url: str
    detail: Literal["low", "auto", "high"] | None = None


class ImagePart(msgspec.Struct, frozen=True, tag_field="type", tag="image_url"):
    """A part of a message that is an image."""

    image_url: ImageUrl


class CalledFunction(msgspec.Struct, frozen=True):
    """A function by name, and its arguments as the model wrote them: JSON, or meant to be."""

    name: str
    arguments: str


class ToolCall(msgspec.Struct, frozen=True, tag_field="type", tag="function"):
    """A call that the model made in an earlier message; *id* is what its result refers to."""

    id: str
    function: CalledFunction


class ChatMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of a chat completion request.

    *role* is ``system``, ``user``, ``assistant``, or ``tool`` for the result of *tool_call_id*.
    *content* is None where an assistant did nothing but call tools.
    """

    role: str
    content: str | tuple[TextPart | ImagePart, ...] | None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""

    @property
    def text(self) -> str:
        """What of the content is text."""
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content or () if isinstance(part, TextPart))


class Function(msgspec.Struct, frozen=True, omit_defaults=True):
    """A function that a model may call; *parameters* is a JSON schema of an object."""

    name: str
    description: str = ""
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class FunctionTool(msgspec.Struct, frozen=True, tag_field="type", tag="function"):
    """A tool that is a function."""

    function: Function


class FunctionName(msgspec.Struct, frozen=True):
    """Names a function."""

    name: str


class ToolChoice(msgspec.Struct, frozen=True, tag_field="type", tag="function"):
    """The one function that a model has to call."""

    function: FunctionName


class JsonObjectFormat(msgspec.Struct, frozen=True, tag_field="type", tag="json_object"):
    """Any JSON object; the messages have to ask for JSON as well."""


class NamedSchema(msgspec.Struct, frozen=True, omit_defaults=True, rename={"document": "schema"}):
    """A JSON schema; *name* has letters, digits, ``_`` and ``-`` only."""

    name: str
    document: dict[str, Any]
    strict: bool | None = None


class JsonSchemaFormat(msgspec.Struct, frozen=True, tag_field="type", tag="json_schema"):
    """JSON that fits a schema."""

    json_schema: NamedSchema


class ChatRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One completion to ask for; what is None is left to the installation, or to the model.

    *max_tokens* counts thoughts, and is at most what the installation allows. *top_logprobs*, up to
    20, needs *logprobs*. *stop* has up to four sequences; more are refused by most endpoints.
    *thinking_budget* is how many tokens a model may think, 0 for none; *reasoning_effort* is
    ``none``, ``minimal``, ``low``, ``medium`` or ``high``.
    """

    messages: tuple[ChatMessage, ...]
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    response_format: JsonObjectFormat | JsonSchemaFormat | None = None
    tools: tuple[FunctionTool, ...] = ()
    tool_choice: Literal["auto", "none", "required"] | ToolChoice | None = None
    reasoning_effort: str | None = None
    thinking_budget: int | None = None
