"""Which quotas a caller draws on.

Programs draw on that of their API key. People draw on their own and on that of the address that
they ask from, so that a visitor who becomes another one has won nothing. All draw on that of the
project.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from service.security import client_address
from service.security.principals import ANONYMOUS, PEOPLE, Principal, PrincipalKind

WINDOW: Final = 60.0
"""Seconds in which a quota comes back as a whole."""
READS: Final = 10
"""How many reads stand for one other request: a reply that polls, a list that scrolls, a word that
is completed letter by letter."""
MINTING: Final = 10
"""Requests that a new visitor costs the address: it brings a quota of its own."""
ADDRESS: Final = "address"
"""The kind of the quota of all people at one address."""
FAILED_CREDENTIALS: Final = "failed_credentials"
"""The kind of the quota of `of_failed_credentials`."""
_FAILURES: Final = 60
"""How many of them: more than a school's pages bring whose tokens end together, and nothing to
who guesses at 256 bits."""


class Quota(msgspec.Struct, frozen=True):
    """So many requests in `WINDOW` of one *holder*, of which all may come at once.

    *kind* is ``visitor``, ``user``, ``key``, ``address``, ``project``, or `FAILED_CREDENTIALS`.
    *concurrent* is how many may be worked at, at the same time. 0 is no bound.
    """

    kind: str
    holder: str
    requests: int
    concurrent: int = 0


class Quotas:
    """The quotas that the operator gives, by kind."""

    def __init__(self, requests: Mapping[str, int], concurrent: Mapping[str, int]) -> None:
        """*requests* in a minute, and how many of them at the same time; 0 and absent: no bound."""
        self._requests = requests
        self._concurrent = concurrent

    def of(self, principal: Principal, address: str, project: str) -> Sequence[Quota]:
        """Return what *principal*, who asks from *address*, draws on within *project*.

        Who is on this very machine, where nobody is asked who it is, has no bound.
        """
        if principal is ANONYMOUS and _is_here(address):
            return ()
        held: list[Quota] = []
        if principal.kind in PEOPLE:
            self._add(held, principal.kind.value, principal.id)
        if principal.kind in _OF_ADDRESS or principal is ANONYMOUS:
            self._add(held, ADDRESS, client_address.site(address))
        else:
            self._add(held, "key", principal.id)
        self._add(held, "project", project)
        return held

    def _add(self, held: list[Quota], kind: str, holder: str) -> None:
        requests, concurrent = self._requests.get(kind, 0), self._concurrent.get(kind, 0)
        if requests or concurrent:
            held.append(Quota(kind, holder, requests, concurrent))


def of_failed_credentials(address: str) -> Sequence[Quota]:
    """Return what credentials draw on that came from *address* and are not valid.

    It bounds how often that is told, and what a log or a metric shows of it. Nobody is kept out by
    it: many share an address with one who guesses.
    """
    if _is_here(address):
        return ()
    return (Quota(FAILED_CREDENTIALS, client_address.site(address), _FAILURES),)


def project_of(principal: Principal, name: str) -> str:
    """Return the id of the project whose quota a request about *name* draws on."""
    parts = name.split("/", 2)
    named = parts[1] if parts[0] == "projects" and len(parts) > 1 else ""
    return principal.project or named


def _is_here(address: str) -> bool:
    return not address or client_address.is_loopback(address)


_OF_ADDRESS: Final = PEOPLE | {PrincipalKind.GRANT, PrincipalKind.NOBODY}
