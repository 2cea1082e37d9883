"""Say what the runner is given that it does not know itself: who generates an answer, and how.

`streaming` never imports the pipeline: `service` hands an `AnswerAuthor` in.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from sessions.resources import answers
from streaming.log.events import AnswerEvent, Failed, Succeeded


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """The right to write one answer, and all that is needed to do so.

    *session* is the session or conversation, *kind* ``answer`` or ``converse``, *request* what
    `Submission` brought. *written* is what earlier epochs told, where this one goes on from it;
    otherwise it is the empty Answer. *trace* is the
    ``traceparent`` of what gave the right, "" where that is not traced.
    """

    answer: str
    session: str
    kind: str
    request: bytes
    epoch: int = 1
    attempts: int = 0
    written: answers.Answer = answers.Answer()
    trace: str = ""


Generate = Callable[[Assignment], AsyncIterator[AnswerEvent]]
"""Yields what follows `Started`, without `Succeeded` and `Failed`: the runner adds these.

Where ``assignment.written`` has text, it goes on right behind that text and repeats nothing."""

Closing = Callable[[Assignment, answers.Answer, Succeeded | Failed], bytes | None]
"""Returns what is appended to the turns when the answer has ended so, or None."""

Touch = Callable[[str], Awaitable[None]]
"""Learns that a session changed, so that lists show it. It may raise `Unavailable`: readers of
lists repair what is missing."""

Continues = Callable[[Assignment], bool]
"""Tells whether generating goes on from ``assignment.written``; else the answer is written anew."""


class AnswerAuthor(msgspec.Struct, frozen=True, kw_only=True):
    """What a runner does not know itself."""

    generate: Generate
    closing: Closing
    continues: Continues
    touch: Touch
