"""Read which functions a model may call, must call, or must not (``toolConfig``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from service.answering.requests import json_schemas, openapi_schemas
from service.answering.requests.json_schemas import JsonSchema
from service.generation.chat_model.chat_requests import (
    Function,
    FunctionName,
    FunctionTool,
    ToolChoice,
)
from sessions.errors import InvalidArgument
from sessions.resources import tools
from sessions.resources.tools import FunctionCallingMode as Mode
from sessions.resources.tools import FunctionDeclaration

MAX_DECLARATIONS: Final = 512
"""Functions of one request, as the documents have it."""
MAX_BYTES: Final = 512 * 1024
"""Bytes of all their schemas as JSON."""
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
_CONFIG: Final = "toolConfig.functionCallingConfig"
_FORCED: Final = (Mode.ANY, Mode.VALIDATED)
_NO_PARAMETERS: Final[dict[str, Any]] = {"type": "object", "properties": {}}


class Functions(msgspec.Struct, frozen=True):
    """The functions that a model may call, by name, each with the schema of its arguments.

    With the mode ANY it has to call one; with ANY or VALIDATED its arguments have to match.
    *streams_arguments* tells that they are wanted as they are written.
    """

    mode: Mode
    parameters: Mapping[str, JsonSchema]
    descriptions: Mapping[str, str]
    streams_arguments: bool = False

    @property
    def tools(self) -> tuple[FunctionTool, ...]:
        """What an endpoint is offered."""
        return tuple(
            FunctionTool(Function(name, self.descriptions[name], schema.document))
            for name, schema in self.parameters.items()
        )

    @property
    def choice(self) -> Literal["required"] | ToolChoice | None:
        """What an endpoint is told of whether to call; None leaves it to the model."""
        if self.mode is not Mode.ANY:
            return None
        if len(self.parameters) == 1:
            return ToolChoice(FunctionName(next(iter(self.parameters))))
        return "required"

    @property
    def must_call(self) -> bool:
        """Whether an answer without a call is none."""
        return self.mode is Mode.ANY

    @property
    def must_match(self) -> bool:
        """Whether arguments are held against their schema."""
        return self.mode in _FORCED


def read(given: Sequence[tools.Tool], config: tools.ToolConfig | None) -> Functions | None:
    """Return the functions that *given* declares as far as *config* allows them, None without any.

    With the mode NONE there are none: it is as if they had not been declared.

    Raises:
        InvalidArgument: a declaration or the configuration cannot be used; it is named by its path.
    """
    calling = (config and config.function_calling_config) or tools.FunctionCallingConfig()
    mode = Mode.AUTO if calling.mode is Mode.MODE_UNSPECIFIED else calling.mode
    parameters, descriptions = _declared(given)
    if not parameters and mode in _FORCED:
        field = f"{_CONFIG}.mode"
        raise InvalidArgument(
            f"{field}: {mode.name} needs functions; declare them in tools.functionDeclarations",
            field=field,
        )
    allowed = calling.allowed_function_names
    _check_allowed(allowed, mode, parameters)
    if not parameters or mode is Mode.NONE:
        return None
    if allowed:
        parameters = {name: parameters[name] for name in parameters if name in allowed}
    return Functions(mode, parameters, descriptions, calling.stream_function_call_arguments)


def _check_allowed(allowed: Sequence[str], mode: Mode, declared: Mapping[str, object]) -> None:
    field = f"{_CONFIG}.allowedFunctionNames"
    if allowed and mode not in _FORCED:
        raise InvalidArgument(f"{field}: goes with the modes ANY and VALIDATED only", field=field)
    for at, name in enumerate(allowed):
        if name not in declared:
            raise InvalidArgument(
                f"{field}[{at}]: no function of this name is declared", field=f"{field}[{at}]"
            )


def _declared(given: Sequence[tools.Tool]) -> tuple[dict[str, JsonSchema], dict[str, str]]:
    """Return the schemas and the descriptions of all declarations, by the names of functions."""
    parameters: dict[str, JsonSchema] = {}
    descriptions: dict[str, str] = {}
    size = 0
    for at, tool in enumerate(given):
        for number, one in enumerate(tool.function_declarations):
            field = f"tools[{at}].functionDeclarations[{number}]"
            if not _NAME.fullmatch(one.name):
                raise InvalidArgument(
                    f"{field}.name: give up to 64 letters, digits, '_', '.', ':' and '-', the "
                    "first a letter or '_'",
                    field=f"{field}.name",
                )
            if one.name in parameters:
                raise InvalidArgument(
                    f"{field}.name: another function has this name", field=f"{field}.name"
                )
            parameters[one.name] = _parameters(one, field)
            descriptions[one.name] = one.description
            size += parameters[one.name].size
            if len(parameters) > MAX_DECLARATIONS or size > MAX_BYTES:
                raise InvalidArgument(
                    f"{field}: at most {MAX_DECLARATIONS} functions, and {MAX_BYTES // 1024} KiB "
                    "of parameters in all",
                    field=field,
                )
    return parameters, descriptions


def _parameters(given: FunctionDeclaration, field: str) -> JsonSchema:
    """Return the schema of the arguments: always that of an object, as endpoints want it."""
    document: Any = given.parameters_json_schema
    where = f"{field}.parametersJsonSchema"
    if given.parameters is not None:
        if document is not None:
            raise InvalidArgument(f"{where}: parameters says it already", field=where)
        where = f"{field}.parameters"
        document = openapi_schemas.to_json_schema(given.parameters, field=where)
    schema = json_schemas.checked(document or _NO_PARAMETERS, field=where)
    if "$ref" in schema.document:
        return schema
    if schema.document.setdefault("type", "object") != "object":
        raise InvalidArgument(f"{where}.type: parameters are an object", field=f"{where}.type")
    return schema
