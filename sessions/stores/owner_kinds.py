"""Describe what owns answers, a session or a conversation, as plain values and functions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from sessions.listing import filters
from sessions.resources.conversations import Conversation
from sessions.resources.sessions import Session

Owner = TypeVar("Owner", Session, Conversation)


class OwnerHash(NamedTuple, Generic[Owner]):
    """What the hash of an owner holds; times in epoch microseconds, 0 where it never was."""

    name: str
    document: Owner
    json: bytes
    updated: int
    created: int
    ended: int = 0
    completed: int = 0
    title: str = ""
    active: str = ""

    @property
    def user(self) -> str:
        """The user pseudo id."""
        return self.document.user_pseudo_id


class OwnerParts(NamedTuple, Generic[Owner]):
    """A resource, taken apart for storing: its document, its turns or messages, its title."""

    document: Owner
    items: tuple[bytes, ...]
    title: str


class OwnerKind(NamedTuple, Generic[Owner]):
    """What is particular to sessions, or to conversations.

    *items* is the name of the field that has the turns or messages. *blank* is in the state of a
    new one and has turns or messages that are no client's, by identity. *split* drops what only
    the service sets, *assemble* returns what a client sees. *transition*, where states change,
    tells what a change means: ``completed``, ``reopened`` or "".
    """

    collection: str
    singular: str
    items: str
    blank: Owner
    mutable: frozenset[str]
    fields: Mapping[str, filters.FilterField[OwnerHash[Owner]]]
    orders: Mapping[str, Callable[[OwnerHash[Owner]], Any]]
    split: Callable[[Owner], OwnerParts[Owner]]
    assemble: Callable[[OwnerHash[Owner], Sequence[bytes]], Owner]
    transition: Callable[[Owner, Owner], str] | None


def moment(micros: int) -> dt.datetime | None:
    """Return a time in epoch microseconds as a time; 0 is never."""
    # A float has room for microseconds until the year 2200; to add a timedelta takes twice as long.
    return dt.datetime.fromtimestamp(micros / 1_000_000, dt.UTC) if micros else None
