"""Decide whether a principal may do what it asks: the one place that every door calls.

Three questions, in this order, each before anything is read of what is asked for:

- May its kind do this at all? The table of `permissions` says; else PERMISSION_DENIED.
- Does every resource that is named, in the path or in the body, lie within the boundary of its
  credential? Else it is absent.
- Is it its own, for those who see what is theirs only? Else it is absent likewise.

Absent is what is not there and what is not there for who asks: NOT_FOUND in the same words, after
the same commands to Redis (OWASP ASVS 5, 8.2.2).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import msgspec

from service.security import message_fields, permissions
from service.security.permissions import ResourceKind
from service.security.principals import ANONYMOUS, PEOPLE, Principal, PrincipalKind
from sessions import names
from sessions.errors import PermissionDenied
from sessions.listing.pagination import ListQuery
from sessions.resources.conversations import Conversation, ConverseConversationRequest
from sessions.resources.search_requests import SearchRequest
from sessions.resources.sessions import CreateSessionRequest, Session

T = TypeVar("T", bound=msgspec.Struct)

NEW: Final = "-"
"""The id of a session or conversation that is yet to be opened."""
_OWNED: Final = re.compile(rf"{names.PARENT}/(?:sessions|conversations)/([^/]+)")
_EVENTS: Final = frozenset({ResourceKind.USER_EVENTS})
"""What an integration writes for the users whom it is about."""

_STORES: Final = frozenset({"ListDataStores", "ListEngines", "ListRagCorpora"})
"""Lists of what a boundary is made of."""

_READ_AHEAD: Final = frozenset({"GetSession", "GetConversation"})
"""Methods that read what they are about anyway: it is read once, with the look whose it is."""

OwnedResource = Session | Conversation
UserOf = Callable[[str], Awaitable[str | None]]
"""Returns whose a session or conversation is, by its name; None where it is not there."""
ReadOwned = Callable[[str, str], Awaitable[OwnedResource | None]]
"""Returns the session or conversation of this name if it is of this user; "" has none."""


def owner(principal: Principal, method: str) -> str:
    """Return whose *principal* sees alone: a ``userPseudoId``, "" where it sees what is others'."""
    if principal.kind in PEOPLE:
        return principal.subject or principal.id
    if principal.kind is PrincipalKind.INTEGRATION:
        return "" if permissions.rule(method).resource in _EVENTS else principal.id
    return ""


def sees_operation(principal: Principal, name: str, started_by: str) -> bool:
    """Whether the operation *name* is there for *principal*, begun by who has that mark.

    It is for who began it, and for those who run and read the whole of what it is about.
    """
    if started_by == principal.mark:
        return True
    if principal.kind in PEOPLE or principal.kind is PrincipalKind.INTEGRATION:
        return False
    return principal.reaches(name)


def narrowed(principal: Principal, method: str, query: ListQuery) -> ListQuery:
    """Return *query*, that of the list *method*, with who asks and what is there for them."""
    if principal is ANONYMOUS:
        return query
    among = principal.data_stores if method in _STORES and principal.data_stores else None
    return query._replace(caller=principal.id, owner=owner(principal, method), among=among)


class Authorisation:
    """Admits requests and frames, or tells why not."""

    def __init__(self, user_of: UserOf, read_owned: ReadOwned) -> None:
        self._user_of = user_of
        self._read_owned = read_owned

    async def admit(self, principal: Principal, method: str, name: str) -> OwnedResource | None:
        """Let *principal* call *method* on the resource, or collection, of the canonical *name*.

        *method* is called as in the documents, or is a type of frame; see `permissions.RULES`.
        Return the resource where it had to be read to find out whose it is, and is all that
        *method* reads.

        Raises:
            PermissionDenied: not with this kind of credential (NOT_PERMITTED).
            NotFound: the resource lies outside the boundary, or is somebody else's, or is not.
            Unavailable: Redis is away, and only it knows whose the resource is.
        """
        permissions.check(principal.kind, method)
        user = owner(principal, method)
        reads_ahead = bool(user) and method in _READ_AHEAD
        # What lies in a store, or the project, of the credential's own is no question.
        if not principal.reaches(name):
            _check_place(principal, method, name)
            if not _is_reached(principal, name):
                # What is not there takes one look to find out. So does this, or its time would
                # tell that it was decided by the name.
                await (self._read_owned(name, "") if reads_ahead else self._user_of(name))
                raise names.absent(_told(method, name))
        if reads_ahead:
            found = await self._read_owned(name, user)
            if found is None or found.user_pseudo_id != user:
                raise names.absent(name)
            return found
        if user:
            await self._check_owned(name, user)
        return None

    async def admit_message(self, principal: Principal, method: str, message: T, name: str) -> T:
        """Return *message*, a body or a frame of *method* on *name*, as *principal* may send it.

        Raises:
            PermissionDenied, NotFound: as `checked` does.
            NotFound: it names a session that is somebody else's, or is not.
            Unavailable: as `admit`.
        """
        message = checked(principal, method, message, name)
        if user := owner(principal, method):
            for _, given in message_fields.names_in(message, ""):
                await self._check_owned(names.canonical(given), user)
        return message

    async def _check_owned(self, name: str, user: str) -> None:
        found = _OWNED.match(name)
        if found and found[1] != NEW and await self._user_of(found[0]) != user:
            raise names.absent(name)


def checked(principal: Principal, method: str, message: T, name: str) -> T:
    """Return *message* with the user filled in, where nothing in it is beyond *principal*.

    *name* is what `Authorisation.admit` has let *principal* call *method* on. It takes no look at
    what is stored: `Authorisation.admit_message` also asks whose a session is.

    Raises:
        NotFound: it names what lies outside the boundary.
        PermissionDenied: it is about another user, or chooses what the service chooses here.
    """
    if message_fields.is_plain(message, name):
        return message
    if principal.project or principal.data_stores:
        for _, given in message_fields.names_in(message, name.partition("/engines")[0]):
            if given == name:
                continue  # the door was opened for it
            named = names.canonical(given)
            if not _is_reached(principal, named):
                raise names.absent(names.store_of(named) or _project(named))
    if principal.kind is PrincipalKind.READER and isinstance(message, SearchRequest):
        _check_unset(message.session, "session", "a credential that only reads keeps no session")
    if user := owner(principal, method):
        return _owned(message, method, user)
    return message


def _owned(message: T, method: str, user: str) -> T:
    """Return *message* as one of *user*."""
    for path, given in message_fields.users_in(message):
        if given and given != user:
            raise PermissionDenied(
                f"{path}: is another one than that of the credential; leave it out",
                reason="NOT_PERMITTED",
                field=path,
            )
    if method.startswith("Create"):
        # An id that is taken would tell of somebody else's resource.
        remedy = "the service chooses the id; leave it out"
        if isinstance(message, CreateSessionRequest):
            _check_unset(message.session_id, "sessionId", remedy)
        if isinstance(message, Session | Conversation):
            _check_unset(message.name, "name", remedy)
    if isinstance(message, ConverseConversationRequest) and message.conversation is None:
        message = msgspec.structs.replace(message, conversation=Conversation())
    return message_fields.with_user(message, user)


def _check_unset(given: str, field: str, why: str) -> None:
    if given:
        raise PermissionDenied(f"{field}: {why}", reason="NOT_PERMITTED", field=field)


def _check_place(principal: Principal, method: str, name: str) -> None:
    """Refuse to a credential with a boundary what concerns more than lies within any."""
    if not name and permissions.rule(method).resource is ResourceKind.METRICS:
        raise PermissionDenied(
            "metrics are of all projects; use a key that is bound to none", reason="NOT_PERMITTED"
        )
    whole = name.startswith("projects/") and not names.store_of(name)
    if principal.data_stores and whole and method not in permissions.AT_LOCATIONS:
        raise PermissionDenied(
            "the credential is bound to data stores, and this concerns the whole project; use one "
            "that is not",
            reason="NOT_PERMITTED",
        )


def _is_reached(principal: Principal, name: str) -> bool:
    """Whether *name* lies within the boundary, as far as there is one at its place."""
    if not name.startswith("projects/"):
        return True  # models are of no project
    if names.store_of(name):
        return principal.reaches(name)
    if principal.project and _project(name) != f"projects/{principal.project}":
        return False
    stores = principal.data_stores
    return not stores or any(_project(name) == _project(store) for store in stores)


def _told(method: str, name: str) -> str:
    """Return what is said to be absent of a *name* in a path: what the method would miss first."""
    store = names.store_of(name)
    is_single = name.count("/") % 2 == 1
    if not store:
        return name if is_single and method.endswith("Operation") else _project(name)
    within = ("/branches/", "/servingConfigs/")
    return name if is_single and not any(each in name for each in within) else store


def _project(name: str) -> str:
    return "/".join(name.split("/", 2)[:2])
