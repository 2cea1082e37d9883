"""Decide what the frames of a WebSocket may do and say, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from service.security import permissions, request_head
from service.security.authorisation import Authorisation
from service.security.message_redaction import MessageRedaction
from service.security.origin_policy import OriginPolicy
from service.security.principals import ANONYMOUS, Principal
from streaming.protocol import frames

T = TypeVar("T", bound=msgspec.Struct)

_FREE: Final = (frames.Auth, frames.Ping, frames.Request)
"""Frames that are about the connection alone, and the one that is held to the rule of its method
(`service.api.frame_calls`)."""
RULED: Final = tuple(
    str(frame.__struct_config__.tag)
    for frame in frames.AnyClientFrame.__args__
    if frame not in _FREE
)
"""Types of all other frames: as with methods, what has no rule keeps the service from starting."""


class FrameAuthorisation:
    """Admits frames, by who sends them and by the page that they come from."""

    def __init__(
        self, authorisation: Authorisation, origins: OriginPolicy, redaction: MessageRedaction
    ) -> None:
        """Ask *authorisation*, and *origins* which pages may.

        What nobody is to keep is masked by *redaction*.

        Raises:
            LookupError: a type of frame has no rule.
        """
        for frame in RULED:
            permissions.rule(frame)
        self._authorisation = authorisation
        self._origins = origins
        self._redaction = redaction

    def page(self, scope: Mapping[str, Any]) -> str:
        """Return the origin of the page of another site that opened a socket, "" for none."""
        head = request_head.read("GET", scope["path"], scope["scheme"], scope["headers"])
        return self._origins.page(head)

    async def admit(self, principal: Principal, page: str, frame: str, name: str) -> None:
        """Let *principal* send a *frame* about the resource of the canonical *name*.

        Raises:
            ServiceError: as `Authorisation.admit` and `OriginPolicy.check`.
        """
        await self._origins.check(page, name)
        if principal is not ANONYMOUS:
            await self._authorisation.admit(principal, frame, name)

    async def admit_message(
        self, principal: Principal, page: str, frame: str, message: T, name: str
    ) -> T:
        """Return the *message* of a *frame* about *name*, which was admitted, as it may be sent.

        It is masked, too.

        Raises:
            ServiceError: as `Authorisation.admit_message` and `OriginPolicy.check`.
        """
        await self._origins.check_message(page, message, name)
        message = self._redaction.message(frame, message)
        if principal is ANONYMOUS:
            return message
        return await self._authorisation.admit_message(principal, frame, message, name)
