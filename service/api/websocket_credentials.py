"""Know who speaks on one WebSocket connection, and until when.

The rules are those of the `ConnectionMachine`; here are the clocks, whom a token is asked of, and
what is heard of credentials that are revoked.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Mapping, Set
from typing import Any, Final, Protocol

import msgspec

from service.api.websocket_seats import Seat
from service.security import credentials
from service.security.credentials import Credentials
from service.security.principals import ANONYMOUS, Principal, PrincipalKind
from sessions.errors import DeadlineExceeded, PermissionDenied, ServiceError
from streaming.protocol import close_codes
from streaming.protocol.connection_machine import ConnectionMachine, ConnectionState

DECIDE: Final = 10.0
"""Seconds within which it is known whether a token is good: a provider's keys may be fetched."""


class Authenticates(Protocol):
    """Names principals, as `service.security.authentication` does."""

    @property
    def required(self) -> bool:
        """Whether a client has to say who it is."""
        ...

    async def principal(self, given: Credentials) -> Principal:
        """Return who brought *given*, or raise a `ServiceError`."""
        ...


def read(scope: Mapping[str, Any]) -> Credentials:
    """Return what a handshake tells beside the token, which comes in a frame.

    A token in a header is none: browsers cannot send one, and what works for all clients is
    documented once.
    """
    origins = (header for header in scope["headers"] if header[0] == b"origin")
    client = scope.get("client")
    return credentials.read(origins, scope["query_string"], client[0] if client else "")


class WebSocketCredentials:
    """The credential that one connection stands on, from its first ``auth`` to its end."""

    __slots__ = (
        "_asking",
        "_authentication",
        "_ended",
        "_given",
        "_loop",
        "_machine",
        "_mark",
        "_revoked",
        "_seat",
        "_timer",
        "principal",
    )

    def __init__(
        self,
        machine: ConnectionMachine,
        authentication: Authenticates,
        given: Credentials,
        seat: Seat,
        *,
        ended: Callable[[], None],
    ) -> None:
        """Let *machine* know who brings the tokens of a client that came as *given*.

        The *seat* becomes that of the principal. *ended* is called when the credential holds no
        more: nothing may be told from then on.
        """
        self._machine = machine
        self._authentication = authentication
        self._given = given
        self._seat = seat
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._asking: asyncio.Timeout | None = None
        self._revoked: set[str] = set()
        """What was revoked while somebody was asked, who may have looked before."""
        self._timer: asyncio.TimerHandle | None = None
        greeting = machine.state is ConnectionState.GREETING
        self.principal: Principal | None = None if greeting else ANONYMOUS
        """Who speaks; None while nobody knows."""
        self._mark = ""
        self._arm()

    async def take(self, token: str) -> None:
        """Find out whom *token* speaks for; the machine is told."""
        machine = self._machine
        deadline = min(machine.deadline, self._loop.time() + DECIDE)
        try:
            async with asyncio.timeout_at(deadline) as self._asking:
                given = msgspec.structs.replace(self._given, token=token)
                self._know(await self._authentication.principal(given))
        except ServiceError as exc:
            machine.rejected(exc)
        except TimeoutError:
            machine.tick(deadline)
            machine.rejected(
                DeadlineExceeded("whether the token is good is not known yet", reason="UNDECIDED")
            )
        finally:
            self._asking = None
            self._revoked.clear()
        self._arm()

    def revoke(self, credential: str) -> None:
        """Know that *credential* holds no more, for whomever it speaks; "" is to bring none."""
        if self._asking is not None:
            self._revoked.add(credential)
        if self.principal is not None and self.principal.credential == credential:
            self._end(close_codes.REVOKED if credential else close_codes.UNAUTHENTICATED)

    def end(self, marks: Set[str]) -> None:
        """Know that the principals of *marks* are none any more."""
        if self._mark in marks:
            self._end(close_codes.REVOKED)

    def interrupt(self) -> None:
        """Ask nobody any more; the connection has to end."""
        if self._asking is not None:
            self._asking.reschedule(self._loop.time())

    def close(self) -> None:
        """Watch the clock no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _know(self, principal: Principal) -> None:
        if principal.credential in self._revoked:
            self._machine.leave(close_codes.REVOKED)
            return
        if principal.kind is PrincipalKind.NOBODY:
            raise PermissionDenied(
                "get a token of a visitor first, by :mintVisitorToken", reason="CREDENTIALS_MISSING"
            )
        self._seat.know(principal)
        now, left = self._loop.time(), math.inf
        if principal.expires:
            left = principal.expires - time.time()
        self._machine.authenticated(_speaker(principal), now, now + left)
        if self._machine.closing is None:
            self.principal, self._mark = principal, principal.mark

    def _arm(self) -> None:
        """See to it that the machine is told when its deadline has come."""
        self.close()
        self._timer = None
        if self._machine.closing is None and not math.isinf(self._machine.deadline):
            self._timer = self._loop.call_at(self._machine.deadline, self._due)

    def _due(self) -> None:
        # The deadline itself: a timer may be early by what the clock cannot tell.
        self._machine.tick(self._machine.deadline)
        self._ended()

    def _end(self, why: close_codes.Close) -> None:
        self._machine.leave(why)
        self._ended()


def _speaker(principal: Principal) -> str:
    """Return who speaks, and within which boundary.

    What is followed was admitted within it: a token of the same person for other data stores is one
    of another speaker.
    """
    return " ".join((principal.id, principal.project, *sorted(principal.data_stores)))
