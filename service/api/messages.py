"""Read and write bodies by the proto3 JSON mapping (api.md 3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.background_tasks import BackgroundTask, BackgroundTasks
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.response.base import ASGIResponse
from litestar.types import TypeEncodersMap

from sessions import wire

JSON: Final = "application/json; charset=UTF-8"


class MessageRequest(Request[Any, Any, Any]):
    """A request whose ``data`` is decoded by the type that its handler names."""

    async def body(self) -> bytes:
        """Return the body; an empty one is an empty message (api.md 2.7)."""
        return await super().body() or b"{}"

    async def json(self) -> Any:
        """Decode the body into the handler's ``data`` type.

        Raises:
            InvalidArgument: it does not fit; the field is named.
        """
        handler: Any = self.route_handler
        ignore_unknown = bool(handler.opt.get("ignore_unknown"))
        return wire.decode(
            handler.parsed_data_field.annotation, await self.body(), ignore_unknown=ignore_unknown
        )


def wants_numbers(request: Request[Any, Any, Any]) -> bool:
    """Tell whether the caller asked for enums by number (api.md 3.2)."""
    query = request.query_params
    alt: str = query.get("$alt") or query.get("alt") or ""
    return "enum-encoding=int" in alt


class MessageResponse(Response[Any]):
    """A response whose content is a message of the documents."""

    def to_asgi_response(
        self,
        app: Any,
        request: Request[Any, Any, Any],
        *,
        background: BackgroundTask | BackgroundTasks | None = None,
        cookies: Iterable[Cookie] | None = None,
        encoded_headers: Iterable[tuple[bytes, bytes]] | None = None,
        headers: dict[str, str] | None = None,
        is_head_response: bool = False,
        media_type: MediaType | str | None = None,
        status_code: int | None = None,
        type_encoders: TypeEncodersMap | None = None,
    ) -> ASGIResponse:
        """Encode the content as the *request* wants it: enum names or numbers, compact or not."""
        content, kind = self.content, self.media_type or media_type
        if isinstance(content, msgspec.Struct):
            content = wire.encode(content, numbers=wants_numbers(request))
            query = request.query_params
            if "true" in (query.get("prettyPrint"), query.get("$prettyPrint")):
                content = msgspec.json.format(content, indent=2)
            kind = JSON
        return ASGIResponse(
            background=self.background or background,
            body=self.render(content, str(kind or JSON)),
            cookies=self.cookies if cookies is None else [*cookies, *self.cookies],
            encoding=self.encoding,
            headers={**(headers or {}), **self.headers},
            is_head_response=is_head_response,
            media_type=kind,
            status_code=self.status_code or status_code,
        )
