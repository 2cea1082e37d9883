"""Read in which form a model is to write (``responseMimeType``), and hold its text to that form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, cast

import msgspec

from service.answering.requests import json_schemas, openapi_schemas
from service.answering.requests.json_schemas import JsonSchema
from service.generation.chat_model.chat_requests import (
    ChatMessage,
    ChatRequest,
    JsonObjectFormat,
    JsonSchemaFormat,
    NamedSchema,
)
from sessions.errors import InvalidArgument
from sessions.resources.generate_content import GenerationConfig

JSON: Final = "application/json"
ENUM: Final = "text/x.enum"
_PLAIN: Final = ("", "text/plain")
_WHERE: Final = "generationConfig"
_WRAPPER: Final = "answer"
"""The member of an object around what is none itself: endpoints take schemas of objects only."""
_AT_THE_ROOT: Final = ("$schema", "$defs", "definitions")
_NAME: Final = "response"
_FENCED: Final = re.compile(r"```[\w.+-]*[ \t]*\n(.*?)```", re.DOTALL)
"""What a fence holds. To look for the space before its end would look from each space of it: models
that write JSON may repeat spaces without end."""
_BEGINS: Final = re.compile(r"[\[{]")
_NOT_JSON: Final = (msgspec.MsgspecError, UnicodeError, RecursionError)


class Misfit(msgspec.Struct, frozen=True):
    """The end of a completion whose text is not in the form that was asked for, for its *fault*."""

    fault: str


class ResponseFormat(msgspec.Struct, frozen=True):
    """JSON of any kind, or what matches *schema*; *is_enum*: one word of a list, as plain text."""

    schema: JsonSchema | None = None
    is_enum: bool = False

    def asked_in(self, request: ChatRequest) -> ChatRequest:
        """Return *request* so that it asks for this form, of its endpoint and in words.

        Not every endpoint knows of forms, and those that do may not tell their model the schema.
        """
        first, *others = request.messages
        if first.role == "system":
            system = ChatMessage("system", f"{first.text}\n\n{self.instruction}")
        else:
            system, others = ChatMessage("system", self.instruction), [first, *others]
        return msgspec.structs.replace(
            request, messages=(system, *others), response_format=self.wire
        )

    @property
    def wire(self) -> JsonObjectFormat | JsonSchemaFormat:
        """What an endpoint is asked for."""
        if self.schema is None:
            return JsonObjectFormat()
        return JsonSchemaFormat(NamedSchema(_NAME, _as_object(self.schema.document)))

    @property
    def instruction(self) -> str:
        """What the model is told, whether or not its endpoint knows of forms."""
        if self.schema is None:
            return "Write JSON and nothing else: no code fence, no word before or after it."
        document = json.dumps(_as_object(self.schema.document), ensure_ascii=False)
        return (
            "Write JSON that matches this JSON schema and nothing else: no code fence, no word "
            f"before or after it.\n{document}"
        )

    def read(self, text: str) -> tuple[str, str]:
        """Return what of *text* is in the form, and "", or *text* and what is wrong with it."""
        if self.is_enum and (bare := text.strip().strip("\"'`").strip()) in self._words:
            return bare, ""
        fault = "it is no JSON"
        for found in _attempts(text):
            try:
                value = msgspec.json.decode(found)
            except _NOT_JSON:
                continue
            shown, fault = self._shown(found, value)
            if not fault:
                return shown, ""
            # What was found first is what was meant.
            break
        return text, fault

    def _shown(self, found: str, value: Any) -> tuple[str, str]:
        if self.schema is None:
            return found, ""
        if _is_object(self.schema.document):
            return found, self.schema.fault(value)
        inner = value
        if isinstance(value, dict) and list(cast("dict[str, Any]", value)) == [_WRAPPER]:
            inner = cast("dict[str, Any]", value)[_WRAPPER]
        fault = self.schema.fault(inner)
        if self.is_enum and not fault:
            return str(inner), ""
        return found if inner is value else json.dumps(inner, ensure_ascii=False), fault

    @property
    def _words(self) -> list[Any]:
        return self.schema.document["enum"] if self.schema else []


def read(config: GenerationConfig) -> ResponseFormat | None:
    """Return the form that *config* asks for, None for plain text.

    Raises:
        InvalidArgument: there is no such form, or its schema cannot be used.
    """
    mime = config.response_mime_type
    given = config.response_json_schema is not None
    name = "responseJsonSchema" if given else "responseSchema"
    field = f"{_WHERE}.{name}"
    has_schema = given or config.response_schema is not None
    if mime not in (*_PLAIN, JSON, ENUM):
        where = f"{_WHERE}.responseMimeType"
        raise InvalidArgument(f"{where}: give text/plain, {JSON} or {ENUM}", field=where)
    if given and config.response_schema is not None:
        raise InvalidArgument(f"{field}: responseSchema says it already", field=field)
    if mime in _PLAIN:
        if has_schema:
            raise InvalidArgument(f"{field}: set responseMimeType to {JSON} as well", field=field)
        return None
    if not has_schema:
        if mime == ENUM:
            raise InvalidArgument(f"{field}: list the words in an enum of strings", field=field)
        return ResponseFormat()
    document = config.response_json_schema
    if config.response_schema is not None:
        document = openapi_schemas.to_json_schema(config.response_schema, field=field)
    schema = json_schemas.checked(document, field=field)
    if mime == ENUM and not _is_words(schema.document.get("enum")):
        raise InvalidArgument(f"{field}: list the words in an enum of strings", field=field)
    return ResponseFormat(schema, is_enum=mime == ENUM)


def _attempts(text: str) -> Iterator[str]:
    """Yield what may be the JSON in *text*, likeliest first."""
    bare = text.strip()
    yield bare
    if found := _FENCED.search(bare):
        yield found[1].strip()
    if found := _BEGINS.search(bare):
        yield bare[found.start() : max(bare.rfind("}"), bare.rfind("]")) + 1]


def _as_object(document: dict[str, Any]) -> dict[str, Any]:
    """Return *document* as an endpoint is given it: what is no object stands within one."""
    if _is_object(document):
        return document
    inner = dict(document)
    outer = {name: inner.pop(name) for name in _AT_THE_ROOT if name in inner}
    return {
        **outer,
        "type": "object",
        "properties": {_WRAPPER: inner},
        "required": [_WRAPPER],
        "additionalProperties": False,
    }


def _is_object(document: dict[str, Any]) -> bool:
    return document.get("type") == "object" or ("type" not in document and "properties" in document)


def _is_words(given: Any) -> bool:
    return isinstance(given, list) and all(
        isinstance(one, str) and one for one in cast("list[Any]", given)
    )
