"""Cut out of a session the turns that a reader asks for: of a long one, all are too much."""

from __future__ import annotations

from typing import TypeVar

from msgspec import structs

from sessions.errors import InvalidArgument
from sessions.resources.sessions import Session

_T = TypeVar("_T")


def cut(session: Session, offset: int, limit: int) -> Session:
    """Return *session* with the `window` of its turns.

    Raises:
        InvalidArgument: *limit* is negative.
    """
    if limit < 0:
        raise InvalidArgument(
            "turnLimit: give how many turns to tell, or 0 for all of them", field="turnLimit"
        )
    if not offset and not limit:
        return session
    return structs.replace(session, turns=window(session.turns, offset, limit))


def window(turns: tuple[_T, ...], offset: int, limit: int) -> tuple[_T, ...]:
    """Return at most *limit* of *turns*, or all where it is 0, from *offset* on.

    A negative *offset* counts from the end; what would lie before the first turn counts, too, so
    that who reads backwards, the same *limit* each time, gets the rest and nothing twice.
    """
    start = offset if offset >= 0 else len(turns) + offset
    end = start + limit if limit else len(turns)
    return turns[max(start, 0) : max(end, 0)]
