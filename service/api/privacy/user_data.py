"""Export and purge of what is kept of a user, over REST."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http import routes, versions
from service.api.http.chunked_response import ChunkedResponse, Framing
from service.api.http.json_bodies import MessageRequest
from service.api.operations import operation_views
from service.privacy.user_data import UserDataScope
from service.privacy.user_data_methods import UserDataMethods, UserDataRequest
from sessions.resources.operations import Operation
from sessions.resources.user_data import ExportUserDataRequest, PurgeUserDataRequest

_LINES: Final = Framing("application/x-ndjson; charset=utf-8", b"", b"", b"", b"\n")
"""One JSON object a line; an empty line is none."""
_SEARCH: Final = {"versions": versions.SEARCH}


class UserDataController(Controller):
    """``…:exportUserData``, ``…:purgeUserData`` and the download of an export."""

    tags = ("User data",)

    @post(
        routes.LOCATION + "/:exportUserData",
        status_code=200,
        operation_id="ExportUserData",
        opt=_SEARCH,
    )
    async def export_user_data(
        self,
        request: MessageRequest,
        data: JSONBody[ExportUserDataRequest],
        user_data_methods: NamedDependency[UserDataMethods],
    ) -> Operation:
        """Prepare the download of everything that is kept of a user or visitor."""
        asked = _asked(request, data.user_pseudo_id)
        return operation_views.operation(await user_data_methods.export(asked), request)

    @get(
        routes.LOCATION + "/operations/{operation:str}/:download",
        operation_id="DownloadUserData",
        opt=_SEARCH,
    )
    async def download_user_data(
        self,
        request: MessageRequest,
        user_data_methods: NamedDependency[UserDataMethods],
    ) -> Response[bytes]:
        """Read what an export is of, once, as JSON lines; the last line counts the others."""
        principal = request.principal
        scope = await user_data_methods.taken(request.name, principal.mark)
        return ChunkedResponse(user_data_methods.lines(scope), _as_they_come, _LINES)

    @post(
        routes.LOCATION + "/:purgeUserData",
        status_code=200,
        operation_id="PurgeUserData",
        opt=_SEARCH,
    )
    async def purge_user_data(
        self,
        request: MessageRequest,
        data: JSONBody[PurgeUserDataRequest],
        user_data_methods: NamedDependency[UserDataMethods],
    ) -> Operation:
        """Delete everything that is kept of a user or visitor, for good."""
        asked = _asked(request, data.user_pseudo_id)
        return operation_views.operation(await user_data_methods.purge(asked), request)


def _asked(request: MessageRequest, user: str) -> UserDataRequest:
    principal = request.principal
    client = request.scope["client"]
    return UserDataRequest(
        scope=UserDataScope(location=request.name, subject=user, stores=principal.data_stores),
        principal=principal,
        address=client[0] if client else "",
        version=request.address.version,
    )


async def _as_they_come(lines: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    async for line in lines:
        yield line
