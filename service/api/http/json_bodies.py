"""Read and write bodies by the JSON mapping of proto3 (guide/rest.md)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request, Response
from litestar.background_tasks import BackgroundTask, BackgroundTasks
from litestar.datastructures import Cookie
from litestar.enums import MediaType
from litestar.response.base import ASGIResponse
from litestar.types import TypeEncodersMap

from service.answering.requests import viewers
from service.api.http.request_address import ADDRESS, RequestAddress
from service.api.http.request_bodies import RequestBodies
from service.api.pending_requests import PendingRequests
from service.corpus.document_access import Viewer
from service.project_numbers import ProjectNumbers
from service.security import authorisation, message_redaction, origin_policy, principals
from service.security.authorisation import Authorisation, OwnedResource
from service.security.message_redaction import MessageRedaction
from service.security.origin_policy import OriginPolicy
from service.security.principals import Principal
from sessions.codec import json_codec
from sessions.codec.json_codec import T
from sessions.listing.pagination import ListQuery

METHOD: Final = "method"
"""Where the ``opt`` of a handler has the method that it is of, as the documents call it."""
JSON: Final = "application/json; charset=UTF-8"

_T = TypeVar("_T")


class MessageRequest(Request[Any, Any, Any]):
    """A request of an API route; its ``data`` is decoded by the type that its handler names."""

    _whole: bytes | None = None
    admitted_resource: OwnedResource | None = None
    """What the path names, where it was read to find out whether it is the sender's."""
    body_size: int = 0
    """Bytes of the body, when it is read; what was decoded from it has no size of its own."""

    @property
    def address(self) -> RequestAddress:
        """What the path is about."""
        scope: Any = self.scope
        address: RequestAddress = scope[ADDRESS]
        return address

    @property
    def name(self) -> str:
        """The canonical resource name in the path, without its verb.

        For a collection (``…/sessions``) it is the parent and the collection.
        """
        return self.address.name

    @property
    def parent(self) -> str:
        """The resource above the collection that the path names."""
        return self.name.rpartition("/")[0]

    @property
    def principal(self) -> Principal:
        """Who sends it."""
        scope: Any = self.scope
        return principals.of(scope)

    @property
    def caller(self) -> str:
        """What tells its sender from others; "" where authentication is off, and all are one."""
        return "" if self.principal is principals.ANONYMOUS else self.principal.id

    @property
    def page(self) -> str:
        """The origin of the page of another site that sends it, "" where none does."""
        return origin_policy.page_of(self.scope)

    @property
    def origins(self) -> OriginPolicy:
        """Decides which pages may use what."""
        decides: OriginPolicy = self.app.state["origins"]
        return decides

    @property
    def method_name(self) -> str:
        """The method that is called, as the documents call it; "" where anybody may."""
        return self.route_handler.opt.get(METHOD, "")

    @property
    def authorisation(self) -> Authorisation:
        """Decides what its sender may do."""
        decides: Authorisation = self.app.state["authorisation"]
        return decides

    def parameters(self, type_: type[T], **given: object) -> T:
        """Build the request message from the query parameters and what else was *given*.

        Raises:
            InvalidArgument: a parameter is unknown, wrong, or already *given*.
            NotFound, PermissionDenied: as `authorisation.checked` does.
        """
        items = self.query_params.multi_items() if self.scope["query_string"] else ()
        method = self.method_name
        message = self._masked(method, json_codec.from_query(type_, items, **given))
        if (principal := self.principal) is principals.ANONYMOUS:
            return message
        return authorisation.checked(principal, method, message, self.name)

    def asked_by(self, query: ListQuery) -> ListQuery:
        """Return *query* with who sends it, and what is there for them."""
        return authorisation.narrowed(self.principal, self.method_name, query)

    async def admitted(self, message: T) -> T:
        """Return *message*, from wherever in the request, as its sender may send it, and masked.

        Raises:
            NotFound, PermissionDenied, Unavailable: as `OriginPolicy.check_message` and
                `Authorisation.admit_message` do.
        """
        await self.origins.check_message(self.page, message, self.name)
        message = self.redacted(message)
        if (principal := self.principal) is principals.ANONYMOUS:
            return message
        return await self.authorisation.admit_message(
            principal, self.method_name, message, self.name
        )

    def redacted(self, message: T) -> T:
        """Return *message* with what the operator lets nobody keep masked.

        Raises:
            Unavailable: nothing can be stored yet, nor is it known what may be.
        """
        return self._masked(self.method_name, message)

    def _masked(self, method: str, message: T) -> T:
        if not message_redaction.concerns(method):
            return message
        redaction: Callable[[], MessageRedaction] = self.app.state["redaction"]
        return redaction().message(method, message)

    @property
    def viewer(self) -> Viewer:
        """As whom the caller looks at documents."""
        return viewers.of(self.principal)

    @property
    def pending_requests(self) -> PendingRequests:
        """The requests that this process works on."""
        # Not a dependency: a second one of a handler would cost as much as all else does.
        pending: PendingRequests = self.app.state["pending_requests"]
        return pending

    async def answer(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Return what *work* comes to while the client waits (`PendingRequests.answered`)."""
        return await self.pending_requests.answered(self.receive, work)

    async def body(self) -> bytes:
        """Return the body; an empty one is an empty message (guide/rest.md).

        Raises:
            Unavailable: this process stops, and the body has not come (SHUTTING_DOWN).
            ResourceExhausted: there is no room for it (TOO_MANY_BODIES).
        """
        if self._whole is not None:
            return self._whole
        bodies: RequestBodies = self.app.state["request_bodies"]
        with self.pending_requests.new() as pending, bodies.new() as coming:
            async with contextlib.aclosing(pending.through(self.stream())) as chunks:
                async for chunk in chunks:
                    await coming.add(chunk)
            self._whole = await coming.read() or b"{}"
        self.body_size = len(self._whole)
        return self._whole

    async def json(self) -> Any:
        """Decode the body into the handler's ``data`` type.

        Raises:
            InvalidArgument: it does not fit; the field is named.
            NotFound, PermissionDenied, Unavailable: as `admitted` does.
        """
        handler: Any = self.route_handler
        body = await self.body()
        if self.method != "PATCH":
            self._whole = None  # a handler of PATCH asks again, which fields it names
        message = json_codec.decode(
            handler.parsed_data_field.annotation,
            body,
            ignore_unknown=bool(handler.opt.get("ignore_unknown")),
        )
        return await self.admitted(self.project_numbers.resolve(message))

    @property
    def project_numbers(self) -> ProjectNumbers:
        """The numbers that stand for ids of projects."""
        numbers: ProjectNumbers = self.app.state["project_numbers"]
        return numbers

    def shown(self, message: T) -> T:
        """Return *message*, a reply, with the project named as in the path."""
        number = self.address.number
        return self.project_numbers.shown(message, number) if number else message


def wants_numbers(request: Request[Any, Any, Any]) -> bool:
    """Tell whether the caller asked for enums by number (guide/rest.md)."""
    if not request.scope["query_string"]:
        return False
    query = request.query_params
    alt: str = query.get("$alt") or query.get("alt") or ""
    return "enum-encoding=int" in alt


def _wants_indents(request: Request[Any, Any, Any]) -> bool:
    if not request.scope["query_string"]:
        return False
    query = request.query_params
    return "true" in (query.get("prettyPrint"), query.get("$prettyPrint"))


def encoded(message: msgspec.Struct, request: Request[Any, Any, Any]) -> bytes:
    """Write *message* as the *request* wants it: enum names or numbers, compact or not."""
    if isinstance(request, MessageRequest) and ADDRESS in request.scope:
        message = request.shown(message)
    content = json_codec.encode(message, numbers=wants_numbers(request))
    return msgspec.json.format(content, indent=2) if _wants_indents(request) else content


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
        """Encode the content where that is a message."""
        content, kind = self.content, self.media_type or media_type
        if isinstance(content, msgspec.Struct):
            content, kind = encoded(content, request), JSON
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
