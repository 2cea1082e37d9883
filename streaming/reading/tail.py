"""Hear what is acknowledged of every answer that is followed in this process, wherever written.

An answer that this process writes is told straight from the acknowledgement. One that another
replica writes arrives in an inbox (`streaming.log.publications`), or on its own channel, once its
owner knows that somebody listens; a channel may drop or repeat, so an entry is passed on only where
it follows the last one without a gap, and otherwise the log is read. Every two seconds the tops of
all logs that are followed remotely are compared as well. What becomes of one answer is drawn in
`local_readers`.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import secrets
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final, Self

from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import away, pack
from sessions.supervision import PASSING
from streaming.log import control_messages, publications
from streaming.log import event_log as logs
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.positions import BEGINNING, Position
from streaming.log.publications import FollowRequest
from streaming.reading.local_readers import EntrySource, Listener, LocalReaders

CHECK: Final = 2.0
"""Seconds between two comparisons with the logs: the longest that a lost message stays unseen."""

_CONFIRM: Final = 3.0
"""Seconds that the confirmation of a channel may take."""

logger = logging.getLogger(__name__)


class Tail:
    """The acknowledged ends of the answers that somebody here follows, or writes.

    It works while it is entered: ``async with Tail(redis, keys, log) as tail``.
    """

    def __init__(
        self, redis: Redis, keys: Keys, log: EventLog, *, check_every: float = CHECK
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._log = log
        self._check_every = check_every
        self._replica = secrets.token_hex(6)
        self._numbers = itertools.count(1)
        self._answers: dict[str, LocalReaders] = {}
        self._numbered: dict[int, LocalReaders] = {}
        """Those of `_answers` that others write, as their owners name them to us."""
        self._inboxes: set[bytes] = set()
        self._doubted: dict[str, LocalReaders] = {}
        self._wake = asyncio.Event()
        self._tasks = asyncio.TaskGroup()
        self._task: asyncio.Task[None] | None = None
        redis.channels.on_reconnect(self._doubt_all)

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        self._task = self._tasks.create_task(self._watch(), name="tail")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
        for inbox in self._inboxes:
            self._redis.channels.forget(inbox, self._hear)
        await self._tasks.__aexit__(None, None, None)

    @property
    def following(self) -> int:
        """How many answers somebody here follows."""
        return sum(bool(readers.listeners) for readers in self._answers.values())

    def follow(self, answer: str, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every entry of *answer* that is acknowledged from now on.

        In order, without gaps and each once; where one call has several entries they came in one
        batch. Return the function that ends it, which may be called from the listener, and twice.
        """
        readers = self._of(answer)
        if readers.source is EntrySource.NOBODY:
            self._listen(readers)
        readers.listeners += (listener,)

        def unfollow() -> None:
            readers.remove(listener)
            self._tidy(readers)

        return unfollow

    def _of(self, answer: str) -> LocalReaders:
        readers = self._answers.get(answer)
        if readers is None:
            readers = self._answers[answer] = LocalReaders(answer, next(self._numbers), self._doubt)
        return readers

    def _tidy(self, readers: LocalReaders) -> None:
        """Forget an answer that is neither followed nor written here."""
        if readers.listeners or readers.source is EntrySource.OWNER:
            return
        if self._answers.get(readers.answer) is readers:
            del self._answers[readers.answer]
            self._forget(readers)

    async def ready(self, answer: str) -> None:
        """Return when nothing that is acknowledged from now on can be missed.

        An entry that a log read after this does not have will be told: who first registers, then
        awaits this, then reads the log, has every entry at least once. At once where this process
        writes the answer, or nobody here follows it.

        Raises:
            Unavailable: Redis is away.
        """
        readers = self._answers.get(answer)
        if readers is None or not readers.remote:
            return
        await self._confirmed(readers)
        if readers.last is None and readers.remote:
            # Behind the confirmation: an entry that is neither below this top nor on the channel
            # would otherwise be nobody's. The owner, once asked, publishes its latest entry again,
            # so that what it wrote before it knew of us shows as a gap.
            top, owner = await self._look([readers])
            if isinstance(top, Exception) or isinstance(owner, Exception):
                raise away()
            if readers.last is None:  # and nothing was heard meanwhile
                readers.last = logs.decode_top(top) or BEGINNING
            await self._ask_owner(readers, owner)

    async def _confirmed(self, readers: LocalReaders) -> None:
        """Wait for the channel, or until it is not needed any more."""
        wait = asyncio.timeout(_CONFIRM)
        readers.waits.add(wait)
        try:
            async with wait:
                await self._redis.channels.ready(self._keys.inbox(self._replica, readers.answer))
                await self._redis.channels.ready(self._keys.channel(readers.answer))
        except TimeoutError as exc:
            if readers.remote:
                raise away() from exc
        finally:
            readers.waits.discard(wait)

    async def _ask_owner(self, readers: LocalReaders, owner: bytes | None) -> None:
        """Ask *owner* to publish the answer; lost, it is asked again when the log is ahead."""
        if owner and readers.remote:
            replica = owner.decode()
            request = FollowRequest(readers.answer, self._replica, readers.number)
            message = publications.encode_request(request)
            with contextlib.suppress(Unavailable, ResponseError):
                if not await self._redis.publish(self._keys.follow_requests(replica), message):
                    # It is of before there were inboxes, unless it has gone.
                    message = control_messages.FOLLOW + readers.answer.encode()
                    await self._redis.publish(self._keys.control(replica), message)

    def announce(self, answer: str, entries: Sequence[LogEntry]) -> None:
        """Pass on *entries*, which a script wrote for this process: they are acknowledged."""
        if readers := self._answers.get(answer):
            readers.tell(entries)

    def own(self, answer: str) -> Callable[[Sequence[LogEntry]], None]:
        """Return what tells the entries of *answer*: this process writes it from now on."""
        readers = self._of(answer)
        self._forget(readers)
        readers.source = EntrySource.OWNER
        return readers.tell

    def disown(self, answer: str) -> None:
        """Take what comes next from the channel of *answer*, which was owned: others write it."""
        readers = self._of(answer)
        if readers.source is EntrySource.OWNER:
            readers.source = EntrySource.NOBODY
        if readers.listeners and readers.source is EntrySource.NOBODY:
            self._listen(readers)
            self._doubt(readers)  # they may have begun before the channel was listened to
        self._tidy(readers)

    def end(self, answer: str) -> None:
        """Learn that nothing more comes of *answer*, which was owned."""
        readers = self._of(answer)
        if readers.source is EntrySource.OWNER:
            readers.source = EntrySource.NOBODY
        self._tidy(readers)

    async def reopen(self, answer: str) -> None:
        """Learn that the end of *answer*, which was told, is not in its log any more.

        Those who follow it here are to read the log, and hear what comes then.

        Raises:
            Unavailable: Redis is away.
        """
        readers = self._answers.get(answer)
        if readers is None or readers.source is EntrySource.OWNER:
            return  # who follows nothing, or will append it again as its owner
        if readers.source is EntrySource.NOBODY:
            self._listen(readers)
        top = await self._log.top(answer) or BEGINNING
        if readers.remote and top < (readers.last or BEGINNING):
            readers.go_back(top)
            self._doubt(readers)

    def _listen(self, readers: LocalReaders) -> None:
        readers.source = EntrySource.CHANNEL
        self._numbered[readers.number] = readers
        # Both: what scripts write, and owners of before there were inboxes, is on the other one.
        self._redis.channels.listen(self._keys.channel(readers.answer), readers.hear)
        inbox = self._keys.inbox(self._replica, readers.answer)
        if inbox not in self._inboxes:  # it stays for the next answer of the partition
            self._inboxes.add(inbox)
            self._redis.channels.listen(inbox, self._hear)

    def _hear(self, message: bytes) -> None:
        """Tell what is in a message to an inbox."""
        numbered = self._numbered
        for row in publications.decode_rows(message):
            if readers := numbered.get(row[0]):
                readers.take(row)

    def _forget(self, readers: LocalReaders) -> None:
        self._doubted.pop(readers.answer, None)
        if readers.remote:
            channel = self._keys.channel(readers.answer)
            self._redis.channels.forget(channel, readers.hear)
            self._numbered.pop(readers.number, None)
        readers.source = EntrySource.NOBODY
        readers.hurry()

    def _doubt(self, readers: LocalReaders) -> None:
        readers.source = EntrySource.LOG
        self._doubted[readers.answer] = readers
        self._wake.set()

    def _doubt_all(self) -> None:
        for readers in self._remote():
            self._doubt(readers)

    def _remote(self) -> list[LocalReaders]:
        return [
            readers
            for readers in self._answers.values()
            if readers.remote and readers.last is not None
        ]

    async def _watch(self) -> None:
        """Read the logs of what is in doubt at once, compare the others from time to time."""
        clock = asyncio.get_running_loop().time
        due = clock() + self._check_every
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await self._wake.wait()
            self._wake.clear()
            doubted, self._doubted = self._doubted, {}
            if clock() >= due:
                due = clock() + self._check_every
                doubted |= {readers.answer: readers for readers in self._remote()}
            try:
                await self._catch_up(list(doubted.values()))
            except PASSING:
                raise
            except BaseException:
                # A supervisor: one log that cannot be read must not end the service.
                logger.exception("following_failed")

    async def _catch_up(self, doubted: Sequence[LocalReaders]) -> None:
        """Tell of *doubted* what their logs have behind what was told.

        Those whose node is away stay in doubt, and are looked at again at the next check.
        """
        replies = await self._look(doubted)
        for readers, top, owner in zip(doubted, replies[::2], replies[1::2], strict=True):
            if isinstance(top, Exception) or isinstance(owner, Exception):
                continue
            with contextlib.suppress(Unavailable):
                await self._compare(readers, logs.decode_top(top), owner)

    async def _look(self, doubted: Sequence[LocalReaders]) -> list[Any]:
        """Return the end of each log, and who owns the answer: None where it is not there."""
        commands: list[tuple[bytes, bytes]] = []
        for readers in doubted:
            # Before the commands go out: what comes from now on may not be in what they read, and
            # where it is not, `_compare` doubts again.
            readers.heard = BEGINNING
            log, key = self._keys.log(readers.answer), self._keys.answer(readers.answer)
            commands.append((log, pack(b"XREVRANGE", log, b"+", b"-", b"COUNT", 1)))
            commands.append((key, pack(b"HGET", key, b"owner")))
        return await self._redis.batch(commands)

    async def _compare(
        self, readers: LocalReaders, top: Position | None, owner: bytes | None
    ) -> None:
        last = readers.last
        if not readers.remote or last is None:
            return  # written here meanwhile, followed by nobody, or not `ready` yet
        if top is None and (last != BEGINNING or owner is None):
            readers.go_back(BEGINNING)  # an answer that waits for its turn has an owner, but no log
            return
        if top is not None and top > last:
            # Its owner does not publish it, or has changed. Asked first, then read: it publishes
            # what it writes from then on, and its latest, so that nothing is in neither.
            await self._ask_owner(readers, owner)
            entries = await self._log.read_replicated(readers.answer, last)
            if entries and readers.remote:
                readers.tell(entries)
        elif top is not None and top < last and readers.short:
            readers.go_back(top)
        # Only the second time: at the first its owner may be about to append that again.
        readers.short = top is not None and top < (readers.last or BEGINNING)
        if not readers.remote:
            return  # written here since
        readers.source = EntrySource.CHANNEL
        if readers.heard > (readers.last or BEGINNING):
            self._doubt(readers)  # it came while the log was being read
