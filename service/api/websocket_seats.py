"""Count the WebSocket connections of one process, so that nobody takes those of all others."""

from __future__ import annotations

from collections import Counter

import msgspec

from service.security import client_address
from service.security.principals import Principal
from sessions.errors import ResourceExhausted
from streaming.protocol import close_codes


class SeatLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How many connections there may be at once, in one process."""

    all: int = 20_000

    strangers: int = 2_000
    """Who has not said yet who it is: a tenth, so that a flood of them keeps out none but them."""

    strangers_per_address: int = 256
    """Many people may share an address, but each is a stranger for no longer than a moment."""

    people_per_address: int = 4_000
    """Users and visitors of one address, and anybody where nobody is asked: a fifth, since one who
    becomes a visitor again and again would have all there are."""

    per_person: int = 32
    """Tabs and devices of one user or visitor."""

    per_program: int = 5_000
    """Of one API key: a back end has one for each of its users, and must not have all there are."""


class Seats:
    """The connections that there are, by where they come from and whose they are."""

    def __init__(self, limits: SeatLimits) -> None:
        self._limits = limits
        self._taken = 0
        self._strangers = 0
        self._by_site: Counter[str] = Counter()
        self._people_by_site: Counter[str] = Counter()
        self._by_principal: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many are taken."""
        return self._taken

    def take(self, address: str, *, stranger: bool) -> Seat | close_codes.Close:
        """Return a seat, to be given back by `Seat.leave`; or why there is none."""
        limits, site = self._limits, client_address.site(address)
        if self._taken >= limits.all or (stranger and self._strangers >= limits.strangers):
            return close_codes.OVERLOAD
        if stranger and self._by_site[site] >= limits.strangers_per_address:
            return close_codes.CROWD
        seat = Seat(self, site, is_stranger=stranger)
        if stranger:
            self._strangers += 1
            self._by_site[site] += 1
        elif not client_address.is_loopback(address):  # this machine has no limits
            try:
                seat.sit_among_people()
            except ResourceExhausted:
                return close_codes.CROWD
        self._taken += 1
        return seat

    def count_person(self, site: str) -> None:
        """Count one of the people at *site*.

        Raises:
            ResourceExhausted: there are as many as there may be.
        """
        if self._people_by_site[site] >= self._limits.people_per_address:
            raise _too_many(self._people_by_site[site], "address")
        self._people_by_site[site] += 1

    def know(self, site: str, principal: Principal) -> None:
        """Count a stranger from *site* as *principal* from now on; else as `Seat.know`."""
        limits = self._limits
        most = limits.per_person if principal.is_person else limits.per_program
        if self._by_principal[principal.id] >= most:
            raise _too_many(most, "principal")
        if principal.is_person:
            self.count_person(site)
        self._by_principal[principal.id] += 1
        self._forget(site)

    def leave(self, site: str, principal: str, *, is_stranger: bool, is_person: bool) -> None:
        """Count one fewer from *site*: of *principal*, of strangers, or of people."""
        self._taken -= 1
        if principal:
            _subtract(self._by_principal, principal)
        elif is_stranger:
            self._forget(site)
        if is_person:
            _subtract(self._people_by_site, site)

    def _forget(self, site: str) -> None:
        self._strangers -= 1
        _subtract(self._by_site, site)


class Seat:
    """The place of one connection."""

    __slots__ = ("_is_person", "_is_stranger", "_principal", "_seats", "_site")

    def __init__(self, seats: Seats, site: str, *, is_stranger: bool) -> None:
        """Be one of *seats*, of who comes from *site* and may have to say who it is."""
        self._seats = seats
        self._site = site
        self._is_stranger = is_stranger
        self._is_person = False
        self._principal = ""

    def sit_among_people(self) -> None:
        """Count the connection as one of the people of its address, or raise as `Seat.know`."""
        self._seats.count_person(self._site)
        self._is_person = True

    def know(self, principal: Principal) -> None:
        """Count the connection as one of *principal*, unless it is already.

        Raises:
            ResourceExhausted: that, or its address, has as many as it may.
        """
        if self._is_stranger and not self._principal:
            self._seats.know(self._site, principal)
            self._principal, self._is_person = principal.id, principal.is_person

    def leave(self) -> None:
        """Give the place back."""
        self._seats.leave(
            self._site,
            self._principal,
            is_stranger=self._is_stranger,
            is_person=self._is_person,
        )


def _too_many(most: int, whose: str) -> ResourceExhausted:
    return ResourceExhausted(
        f"there are {most:,} connections of this {whose}; close one, or come back later",
        reason="TOO_MANY_CONNECTIONS",
    )


def _subtract(counter: Counter[str], key: str) -> None:
    """Count one fewer; of what there is none, nothing is kept."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
