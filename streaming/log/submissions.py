"""Say what an answer in the making is, to those who submit one and to those who generate it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from sessions.resources import answers
from streaming.log.events import AnswerEvent
from streaming.log.positions import Position


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """The right to write one answer, and all that is needed to do so.

    *session* is the session or conversation, *kind* ``answer`` or ``converse``, *request* what
    `Submission` brought. *written* is what earlier epochs told, where this one goes on from it;
    otherwise it is the empty Answer.
    """

    answer: str
    session: str
    kind: str
    request: bytes
    epoch: int = 1
    attempts: int = 0
    written: answers.Answer = answers.Answer()


Generate = Callable[[Assignment], AsyncIterator[AnswerEvent]]
"""Yields what follows `Started`, without `Succeeded` and `Failed`: the runner adds these.

Where ``claim.written`` has text, it goes on right behind that text and repeats nothing of it."""

Closing = Callable[[Assignment, answers.Answer], bytes | None]
"""Returns what is appended to the turns when the answer has ended, or None."""

Touched = Callable[[str, int], Awaitable[None]]
"""Learns that a session changed at that many epoch microseconds, so that lists show it. It may
raise `Unavailable`: readers of lists repair what is missing."""

Continues = Callable[[Assignment], bool]
"""Tells whether generating goes on from ``claim.written``; else the answer is written anew."""


class AnswerAuthor(msgspec.Struct, frozen=True, kw_only=True):
    """What a runner does not know itself."""

    generate: Generate
    closing: Closing
    continues: Continues
    touched: Touched


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to be written.

    *opening* is appended to the turns when the answer becomes the active one of its session.
    *session_json* creates the session where it is absent; without it the session must be there.
    *answer_json* is the Answer while it is IN_PROGRESS. *idempotency* is the client's key, "" for
    none; *title* names a session that has no name yet.
    """

    answer: str
    session: str
    kind: str
    request: bytes
    opening: bytes
    answer_json: bytes
    session_json: bytes | None = None
    idempotency: str = ""
    title: str = ""


class SubmittedAnswer(msgspec.Struct, frozen=True):
    """The answer that a submission led to, and the position behind which its telling begins.

    *repeated* tells that the idempotency key was used before: *answer* is that of the first time.
    *updated* is the session's new update time in epoch microseconds, for its place in lists; 0
    where nothing changed.
    """

    answer: str
    position: Position
    repeated: bool
    updated: int = 0
