"""Publish the OpenAPI document of the REST interfaces, made from the routes themselves.

Paths stand in their public form, ``{id}:verb``, under the first version that they are offered in;
``x-versions`` names all. The same resources are reached by their short forms (guide/rest.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, cast, get_args, get_origin

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from msgspec.structs import FieldInfo

from service.api.http import versions
from service.api.http.json_bodies import METHOD
from service.api.pages import field_descriptions
from service.api.pages.json_schemas import Schema, Schemas, summary
from service.version import VERSION
from sessions.resources.enums import Documented
from sessions.resources.operations import ErrorResponse

ERRORS: Final = {
    400: "INVALID_ARGUMENT, FAILED_PRECONDITION or OUT_OF_RANGE",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED: the credential is missing, holds no more, or may not do this",
    404: "NOT_FOUND",
    405: "the path has no such method",
    409: "ALREADY_EXISTS or ABORTED",
    413: "the body is too large",
    414: "the target is too long",
    415: "the body has no known Content-Type or Content-Encoding",
    421: "the service does not answer to this Host",
    429: "RESOURCE_EXHAUSTED; see Retry-After",
    499: "CANCELLED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE; see Retry-After",
    504: "DEADLINE_EXCEEDED",
}
"""What each status of a failure stands for (``google.rpc.Code``)."""

_SECURITY: Final[Schema] = {
    "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "x-goog-api-key",
        "description": "An API key of a program.",
    },
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API key, or a token of a user or visitor.",
    },
}
"""What a request may show of who sends it, once an API key was made."""
_ABOUT: Final = (
    "Every field may be written in camelCase or snake_case. `$alt=json;enum-encoding=int` gives "
    'enums as numbers, `prettyPrint=true` indents. Failures are `{"error": google.rpc.Status}`.'
)
_PARAMETER: Final = re.compile(r"{(\w+)(?::\w+)?}")
_PATH_FIELDS: Final = frozenset({"name", "parent"})
_METHODS: Final = ("GET", "POST", "PATCH", "PUT", "DELETE")


class PublicRoute(NamedTuple):
    """One method of one path."""

    path: str
    components: list[Any]
    method: str
    handler: HTTPRouteHandler

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions that it is offered under."""
        return versions.of(self.handler, self.path) or ("v1",)

    @property
    def body(self) -> Any:
        """The type of the body, None where there is none."""
        field = self.handler.parsed_data_field
        return None if field is None else field.annotation

    @property
    def reply(self) -> Any:
        """The type of the response, or of one element of a stream; None where nothing is known."""
        type_: Any = self.handler.opt.get("elements")
        if type_ is None:
            type_ = self.handler.parsed_return_field.annotation
        return type_ if _is_message(type_) else None


@get("/openapi.json", include_in_schema=False)
async def openapi_document(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Serve the OpenAPI document."""
    app = request.app
    made: bytes | None = app.state.get("openapi")
    if made is None:
        made = app.state["openapi"] = msgspec.json.encode(document(app))
    return Response(made, media_type="application/json; charset=UTF-8")


def document(app: Litestar) -> Schema:
    """Return the OpenAPI 3.1 document of the routes of *app*."""
    listed = sorted(routes(app), key=lambda route: (route.path, route.method))
    roots = [ErrorResponse, *(t for r in listed for t in (r.body, r.reply) if _is_message(t))]
    queries = [query for r in listed if (query := r.handler.opt.get("query"))]
    schemas = Schemas([*roots, *queries])
    paths: dict[str, Schema] = {}
    for route in listed:
        item = paths.setdefault(_public(route), {})
        item[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Colloquy", "version": VERSION, "description": _ABOUT},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "responses": _failures(schemas),
            "securitySchemes": _SECURITY,
        },
    }


def routes(app: Litestar) -> Iterator[PublicRoute]:
    """Yield the methods of *app* that the document shows."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                if handler.resolve_include_in_schema():
                    for method in sorted(handler.http_methods & {*_METHODS}):
                        yield PublicRoute(route.path, route.path_components, method, handler)


def _is_message(type_: Any) -> bool:
    return isinstance(type_, type) and issubclass(type_, msgspec.Struct)


def _public(route: PublicRoute) -> str:
    """Return the path as callers write it."""
    path = _PARAMETER.sub(r"{\1}", route.path).replace("/:", ":")
    return re.sub(r"^(/upload)?/v1/", rf"\1/{route.versions[0]}/", path)


def _operation(route: PublicRoute, schemas: Schemas) -> Schema:
    handler = route.handler
    given: Any = handler.operation_id
    operation: Schema = {
        "operationId": given(handler, route.method, route.components) if callable(given) else given,
        "summary": summary(handler.fn),
        "tags": sorted(handler.resolve_tags() or ()),
        "parameters": [
            *_path_parameters(route),
            *_query_parameters(route, schemas),
            *_header_parameters(route),
        ],
        "responses": _responses(route, schemas),
        "security": _security(handler),
        "x-versions": [*route.versions],
    }
    if _is_message(route.body):
        content = {"application/json": {"schema": schemas.of(route.body)}}
        operation["requestBody"] = {"content": content, "required": False}
    return {key: value for key, value in operation.items() if value is not None}


def _security(handler: HTTPRouteHandler) -> list[Schema]:
    """Return what shows who calls: nothing where all may, and as long as there is no API key."""
    if METHOD not in handler.opt and not handler.opt.get("refused"):
        return []
    return [{"apiKey": []}, {"bearer": []}, {}]


def _path_parameters(route: PublicRoute) -> Iterator[Schema]:
    for name in _PARAMETER.findall(route.path):
        yield _parameter(name, "path", _segment(), field_descriptions.of_path(name), required=True)


def _segment() -> Schema:
    return {"type": "string", "pattern": "^[^/:]+$"}


def _query_parameters(route: PublicRoute, schemas: Schemas) -> Iterator[Schema]:
    query: type[msgspec.Struct] | None = route.handler.opt.get("query")
    if query is None:
        return
    taken = {*_PATH_FIELDS, *route.handler.opt.get("path_fields", ())}
    for field in msgspec.structs.fields(query):
        if field.name not in taken and route.body not in (field.type, *get_args(field.type)):
            yield from _flattened(query, field, schemas)


def _header_parameters(route: PublicRoute) -> Iterator[Schema]:
    for name in route.handler.opt.get("headers", ()):
        yield _parameter(name, "header", {"type": "string"}, field_descriptions.of_header(name))


def _flattened(
    message: type[msgspec.Struct], field: FieldInfo, schemas: Schemas, above: str = ""
) -> Iterator[Schema]:
    """Yield the parameters that a field becomes: those of a message have dots in their names."""
    name, hint = above + field.encode_name, field.type
    inner = next((arg for arg in get_args(hint) if _is_message(arg)), hint)
    if get_origin(hint) is not tuple and _is_message(inner):
        if not issubclass(cast(type, inner), Documented):
            for part in msgspec.structs.fields(cast("type[msgspec.Struct]", inner)):
                yield from _flattened(inner, part, schemas, f"{name}.")
        return
    about = field_descriptions.of_field(message, field.encode_name)
    yield _parameter(name, "query", schemas.of(hint), about)


def _parameter(
    name: str, place: str, schema: Schema, about: str, *, required: bool = False
) -> Schema:
    return {
        "name": name,
        "in": place,
        "description": about,
        "required": required,
        "schema": schema,
    }


def _responses(route: PublicRoute, schemas: Schemas) -> Schema:
    content: Schema = {"*/*": {}}
    if route.reply is not None:
        schema = schemas.of(route.reply)
        if "elements" in route.handler.opt:
            content = {
                "application/json": {"schema": {"type": "array", "items": schema}},
                "text/event-stream": {"schema": {"type": "string"}},
            }
        else:
            content = {"application/json": {"schema": schema}}
    done: Schema = {"description": "done", "content": content}
    replies: Schema = {} if route.handler.opt.get("refused") else {"200": done}
    for code in ERRORS:
        replies[str(code)] = {"$ref": f"#/components/responses/{code}"}
    return replies


def _failures(schemas: Schemas) -> Schema:
    schema = schemas.of(ErrorResponse)
    content = {"application/json": {"schema": schema}}
    return {str(code): {"description": about, "content": content} for code, about in ERRORS.items()}
