"""Which quotas a caller draws on.

Programs draw on that of their API key. People draw on their own and on that of the address that
they ask from, so that a visitor who becomes another one has won nothing. All draw on that of the
project.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import structs

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
_REMEMBERED: Final = 4_096
"""Callers whose quotas are not worked out again: those that asked last."""
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
        self._held = functools.lru_cache(_REMEMBERED)(self._held_by)
        self._reads = functools.lru_cache(_REMEMBERED)(self._reads_of)

    def of(self, principal: Principal, address: str, project: str) -> Sequence[Quota]:
        """Return what *principal*, who asks from *address*, draws on within *project*.

        Who is on this very machine, where nobody is asked who it is, has no bound.
        """
        unknown = principal is ANONYMOUS
        if unknown and _is_here(address):
            return ()
        return self._held(principal.kind, principal.id, address, project, unknown)

    def of_reads(self, principal: Principal, address: str, project: str) -> Mapping[bytes, Quota]:
        """Return what its reads draw on, `READS` times as much, by whose it is.

        It is the same in whichever project, since who may name any would have as many buckets.
        """
        unknown = principal is ANONYMOUS
        if unknown and _is_here(address):
            return _NONE
        return self._reads(principal.kind, principal.id, address, project, unknown)

    def _held_by(
        self, kind: PrincipalKind, caller: str, address: str, project: str, unknown: bool
    ) -> Sequence[Quota]:
        drawn = [(kind.value, caller)] if kind in PEOPLE else []
        of_address = kind in _OF_ADDRESS or unknown
        drawn.append((ADDRESS, client_address.site(address)) if of_address else ("key", caller))
        drawn.append(("project", project))
        bounds = [
            Quota(each, holder, self._requests.get(each, 0), self._concurrent.get(each, 0))
            for each, holder in drawn
        ]
        return tuple(each for each in bounds if each.requests or each.concurrent)

    def _reads_of(
        self, kind: PrincipalKind, caller: str, address: str, project: str, unknown: bool
    ) -> Mapping[bytes, Quota]:
        return by_holder(
            structs.replace(each, requests=each.requests * READS)
            for each in self._held_by(kind, caller, address, project, unknown)
            if each.requests
        )


def by_holder(quotas: Iterable[Quota]) -> Mapping[bytes, Quota]:
    """Return *quotas* by whose they are, in whichever project."""
    return {f"{each.kind}:{each.holder}".encode(): each for each in quotas}


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
_NONE: Final[Mapping[bytes, Quota]] = {}
