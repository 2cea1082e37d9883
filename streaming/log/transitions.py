"""Change the state of answers: one atomic script each, with names for what goes in and out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from sessions import names
from sessions.codec import json_codec
from sessions.errors import FailedPrecondition, ResourceExhausted, Unavailable
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys, owner_of
from sessions.resources import answers
from streaming.log import event_log as logs
from streaming.log.event_log import LogEntry
from streaming.log.events import Failed, Started, Succeeded
from streaming.log.positions import Position
from streaming.log.submissions import Submission

QUEUE: Final = 16
"""How many answers may wait in one session."""

KEPT: Final = 600
"""Seconds for which a log outlives its answer: who comes back within them is told what was missed,
and later ones the stored answer as a whole."""

_IDEMPOTENCY: Final = 86_400  # seconds for which a client's key leads to the answer it had
_LONGEST: Final = 86_400  # seconds after which a log goes, even if nobody ends its answer

_LATER: Final = ("deadline", "cancel", "trace")  # fields that not every answer has

_BEGIN: Final = Script("streaming.log", "scripts/begin.lua")
_TAKE_OVER: Final = Script("streaming.log", "scripts/take_over.lua")
_FINISH: Final = Script("streaming.log", "scripts/finish.lua")
_CANCEL: Final = Script("streaming.log", "scripts/cancel.lua")
_RELEASE: Final = Script("streaming.log", "scripts/release.lua")


class AnswerRecord(msgspec.Struct, frozen=True):
    """What is stored of an answer in the making."""

    session: str
    kind: str
    request: bytes
    started: Started
    epoch: int
    attempts: int
    deadline: float
    """When it must have ended, by Redis' clock in ms; 0 while it waits."""
    cancel: bool
    trace: str = ""
    """The ``traceparent`` of its acceptance; "" where that was not traced."""


class BeginOutcome(msgspec.Struct, frozen=True):
    """What became of a submission: started, with a deadline, or waiting, or known already."""

    answer: str
    started: bool = False
    repeated: bool = False
    deadline: float = 0.0


class CancelOutcome(msgspec.Struct, frozen=True):
    """Who has to end an answer, "" for nobody; one that waited has ended, *withdrawn*."""

    owner: str = ""
    withdrawn: Started | None = None


class LogEndsElsewhere(Exception):
    """The log does not end where it did: somebody wrote to it, or a failover cut it."""


class FinishOutcome(msgspec.Struct, frozen=True):
    """That the end is stored; *next* is granted to the same owner, "" where none waits."""

    updated: int
    next: str
    deadline: float


class Transitions:
    """The changes that one replica, the *owner*, makes. All raise `Unavailable`.

    Then it is unknown whether the change was made. One that returns is with as many replicas of
    Redis as are waited for.
    """

    def __init__(self, redis: Redis, keys: Keys, owner: str, *, ttl: float, limit: float) -> None:
        """Grant leases of *ttl* seconds, and *limit* seconds for an answer."""
        self._redis = redis
        self._keys = keys
        self._owner = owner
        self._ttl = int(ttl * 1000)
        self._limit = int(limit * 1000)

    async def begin(self, submission: Submission, started: Started) -> BeginOutcome:
        """Accept *submission*, whose answer begins with *started*.

        Raises:
            NotFound: there is no such session, and nothing to create it from.
            FailedPrecondition: the conversation is completed (CONVERSATION_COMPLETED).
            ResourceExhausted: too many answers wait in this session (QUEUE_FULL).
        """
        keys, session, answer = self._keys, submission.session, submission.answer
        script_keys = [keys.session(session), keys.turns(session), keys.answers(session)]
        script_keys += [keys.queue(session), keys.answer(answer), keys.log(answer)]
        script_keys += [keys.leases(keys.partition(session))]
        if submission.idempotency:
            script_keys.append(keys.idempotency(session, submission.idempotency))
        args = (
            *(answer, submission.session_json or b"", submission.title, session),
            *(submission.kind, submission.request, submission.opening),
            *(submission.answer_json, logs.encode(started)[1], self._owner),
            *(self._ttl, self._limit, QUEUE, _IDEMPOTENCY, _LONGEST),
            int(started.at.timestamp() * 1_000_000),
            submission.trace,
        )
        try:
            reply = await self._run(_BEGIN, script_keys, args)
        except Unavailable:
            # Whether it was done is unknown, and by a master that was deposed it was done in vain.
            # Again does no harm; while Redis is away it fails at once.
            reply = await self._run(_BEGIN, script_keys, args)
        return _begin_outcome(submission, reply)

    async def read_record(self, answer: str) -> AnswerRecord | None:
        """Return what is stored of *answer*; None where it has ended or is not there."""
        key = self._keys.answer(answer)
        fields = ("state", "session", "kind", "request", "started", "epoch", "attempts")
        values = await self._redis.execute(key, "HMGET", key, *fields, *_LATER)
        if values[0] != b"IN_PROGRESS":
            return None
        _, session, kind, request, started, epoch, attempts, deadline, cancel, trace = values
        return AnswerRecord(
            session=session.decode(),
            kind=kind.decode(),
            request=request,
            started=msgspec.json.decode(started, type=Started),
            epoch=int(epoch),
            attempts=int(attempts),
            deadline=float(deadline or 0),
            cancel=cancel is not None,
            trace=(trace or b"").decode(),
        )

    async def read_trace(self, answer: str) -> str:
        """Return the ``traceparent`` of the acceptance of *answer*, "" where it has none."""
        key = self._keys.answer(answer)
        return (await self._redis.execute(key, "HGET", key, "trace") or b"").decode()

    async def read_answer(self, answer: str) -> answers.Answer:
        """Return *answer* as it is stored: as it was accepted, or as it ended.

        Raises:
            NotFound: there is no such answer.
        """
        key = self._keys.answer(answer)
        data = await self._redis.execute(key, "HGET", key, "json")
        if data is None:
            raise names.absent(answer)
        return json_codec.load(answers.Answer, data)

    async def take_over(self, answer: str, top: Position | None, first: LogEntry) -> bool:
        """Begin the epoch of the entry *first* where the log still ends at *top*.

        Return False where the lease still runs or the answer has ended.

        Raises:
            LogEndsElsewhere: the log has gone on.
            Unavailable: nobody knows whether it began, or whether that will last.
        """
        keys = self._keys
        leases = keys.leases(keys.partition(owner_of(answer)))
        epoch = await self._run(
            _TAKE_OVER,
            [keys.answer(answer), keys.log(answer), leases],
            (
                *(answer, self._owner, self._ttl, str(top) if top else ""),
                *(*logs.encode(first.event, reset=first.reset), _LONGEST),
            ),
        )
        if epoch == -2:
            raise LogEndsElsewhere
        return epoch > 0

    async def finish(
        self,
        name: str,
        answer: answers.Answer,
        last: Position,
        terminal: Succeeded | Failed,
        closing: bytes | None,
    ) -> FinishOutcome | None:
        """Store *answer*, called *name*, whose log gets *terminal* behind *last*.

        Return None where it is no longer ours to finish, or was deleted. Called again after an
        unknown outcome it returns what it did.

        Raises:
            LogEndsElsewhere: the log does not end at *last*.
        """
        following = ""  # the next answer, as far as we know: the script wants its keys named
        while True:
            outcome, *rest = await self._run(
                _FINISH,
                self._finish_keys(name, following),
                (
                    *(name, self._owner, last.epoch, str(last.following)),
                    *(logs.encode(terminal)[1],),
                    *(answer.state.name, json_codec.dump(answer), closing or b"", KEPT, following),
                    *(self._ttl, self._limit, _LONGEST, str(last)),
                ),
            )
            if outcome == b"BEHIND":
                raise LogEndsElsewhere
            if outcome == b"LOST":
                return None
            if outcome == b"FINISHED":
                updated, granted, deadline = rest
                return FinishOutcome(int(updated), granted.decode(), float(deadline or 0))
            following = rest[0].decode()

    def _finish_keys(self, answer: str, following: str) -> list[bytes]:
        keys, session = self._keys, owner_of(answer)
        script_keys = [keys.session(session), keys.turns(session), keys.queue(session)]
        script_keys += [keys.leases(keys.partition(session)), keys.answer(answer), keys.log(answer)]
        if following:
            script_keys += [keys.answer(following), keys.log(following)]
        return script_keys

    async def cancel(self, name: str, answer: answers.Answer, terminal: Failed) -> CancelOutcome:
        """Ask for the end of *name*; where it waits, *answer* and *terminal* are stored at once.

        Raises:
            NotFound: it was deleted.
        """
        keys = self._keys
        outcome, *rest = await self._run(
            _CANCEL,
            [keys.answer(name), keys.log(name), keys.queue(owner_of(name))],
            (name, logs.encode(terminal)[1], json_codec.dump(answer), KEPT),
        )
        if outcome == b"NOT_FOUND":
            raise names.absent(name)
        if outcome == b"WITHDRAWN":
            return CancelOutcome(withdrawn=msgspec.json.decode(rest[0], type=Started))
        return CancelOutcome(owner=rest[0].decode() if rest else "")

    async def release(self, answer: str, epoch: int) -> bool:
        """Let another replica take *answer* over at once; return False where it is not ours."""
        keys = self._keys
        script_keys = [keys.answer(answer), keys.leases(keys.partition(owner_of(answer)))]
        # Replicas are not waited for: a release that is lost with its master costs one lease.
        return await self._redis.run(_RELEASE, script_keys, (answer, self._owner, epoch)) == 1

    async def _run(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes | str | int]
    ) -> Any:
        # Whoever is told of a change goes by it, so it must not be lost with the master.
        reply = await self._redis.run(script, keys, args)
        await self._redis.replicated(keys[0])
        return reply


def _begin_outcome(submission: Submission, reply: Sequence[Any]) -> BeginOutcome:
    outcome, *rest = reply
    match outcome:
        case b"STARTED":
            _, deadline = rest
            return BeginOutcome(submission.answer, started=True, deadline=float(deadline))
        case b"QUEUED":
            return BeginOutcome(submission.answer)
        case b"REPEATED":
            return BeginOutcome(rest[0].decode(), repeated=True)
        case b"NOT_FOUND":
            raise names.absent(submission.session)
        case b"COMPLETED":
            raise FailedPrecondition(
                "the conversation is completed; set its state to IN_PROGRESS to go on",
                reason="CONVERSATION_COMPLETED",
                resource=submission.session,
            )
        case _:
            raise ResourceExhausted(
                f"{QUEUE} answers wait in this session; wait for one of them",
                reason="QUEUE_FULL",
                resource=submission.session,
            )
