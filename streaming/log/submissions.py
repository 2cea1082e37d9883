"""Say what is handed in to have an answer written, and what comes back."""

from __future__ import annotations

import msgspec

from streaming.log.positions import Position


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to be written.

    *opening* is appended to the turns when the answer becomes the active one of its session.
    *session_json* creates the session where it is absent; without it the session must be there.
    *answer_json* is the Answer while it is IN_PROGRESS. *idempotency* is the client's key, "" for
    none; *title* names a session that has no name yet. *trace* is the ``traceparent`` of its
    acceptance, "" where that is not traced.
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
    trace: str = ""


class SubmittedAnswer(msgspec.Struct, frozen=True):
    """The answer that a submission led to, and the position behind which its telling begins.

    *repeated* tells that the idempotency key was used before: *answer* is that of the first time.
    """

    answer: str
    position: Position
    repeated: bool
