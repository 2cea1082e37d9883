"""Tell what was acknowledged, as it is acknowledged, to those who follow an answer.

An answer that this process writes is told straight from the acknowledgement (`Tail.told`). One
that another replica writes arrives on its channel; a channel may drop or repeat, so an entry is
passed on only where it follows the last one without a gap, and otherwise the log is read. Every
two seconds the tops of all logs that are followed remotely are compared as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final

from sessions.connection import Redis
from sessions.errors import Unavailable
from sessions.keys import Keys
from sessions.sockets import away, pack
from streaming import log as logs
from streaming.log import Entry, EventLog
from streaming.positions import BEGINNING, Position

CHECK: Final = 2.0
"""Seconds between two comparisons with the logs: the longest that a lost message stays unseen."""

_CONFIRM: Final = 3.0
"""Seconds that the confirmation of a channel may take."""

Listener = Callable[[Sequence[Entry]], None]
"""Takes entries as they are acknowledged. It is called from the acknowledgement itself: it must
neither block nor raise. An empty sequence says that the log is gone, and is the last call."""

logger = logging.getLogger(__name__)


class _Followed:
    """One answer with those who follow it here."""

    __slots__ = ("answer", "heard", "last", "listeners", "remote", "stale", "waits")

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.listeners: tuple[Listener, ...] = ()
        self.remote: Callable[[bytes], None] | None = None  # what listens to its channel
        self.last: Position | None = None  # told so far; None before that can be known
        self.stale = False  # the log must be read before anything more is told
        self.heard = BEGINNING  # the last that came on the channel meanwhile
        self.waits: set[asyncio.Timeout] = set()  # for the confirmation of the channel

    def tell(self, entries: Sequence[Entry]) -> None:
        """Pass on what of *entries* was not passed on yet."""
        last = self.last
        if last is not None and entries[0].position <= last:
            entries = [entry for entry in entries if entry.position > last]
            if not entries:
                return
        self.last = entries[-1].position
        self.call(entries)

    def call(self, entries: Sequence[Entry]) -> None:
        """Call all listeners with *entries*."""
        for listener in self.listeners:
            try:
                listener(entries)
            except Exception:
                # A supervisor: one reader's fault is not another's.
                logger.exception("listener_failed", extra={"answer": self.answer})


class Tail:
    """The acknowledged ends of the answers that somebody here follows.

    It works while it is entered: ``async with Tail(redis, keys, log) as tail``.
    """

    def __init__(
        self, redis: Redis, keys: Keys, log: EventLog, *, check_every: float = CHECK
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._log = log
        self._check_every = check_every
        self._followed: dict[str, _Followed] = {}
        self._owned: set[str] = set()
        self._stale: dict[str, _Followed] = {}
        self._wake = asyncio.Event()
        self._tasks = asyncio.TaskGroup()
        self._task: asyncio.Task[None] | None = None
        redis.channels.on_reconnect(self._doubt_all)

    async def __aenter__(self) -> Tail:
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
        await self._tasks.__aexit__(None, None, None)

    def follow(self, answer: str, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every entry of *answer* that is acknowledged from now on.

        In order, without gaps and each once; where one call has several entries they came in one
        batch. Return the function that ends it, which may be called from the listener, and twice.
        """
        followed = self._followed.get(answer)
        if followed is None:
            followed = self._followed[answer] = _Followed(answer)
            if answer not in self._owned:
                self._listen(followed)
        followed.listeners += (listener,)

        def unfollow() -> None:
            self._unfollow(followed, listener)

        return unfollow

    def _unfollow(self, followed: _Followed, listener: Listener) -> None:
        listeners = list(followed.listeners)
        with contextlib.suppress(ValueError):
            listeners.remove(listener)
        followed.listeners = tuple(listeners)
        if not listeners and self._followed.get(followed.answer) is followed:
            del self._followed[followed.answer]
            self._stale.pop(followed.answer, None)
            self._forget(followed)

    @property
    def following(self) -> int:
        """How many answers somebody here follows."""
        return len(self._followed)

    async def ready(self, answer: str) -> None:
        """Return when nothing that is acknowledged from now on can be missed.

        An entry that a log read after this does not have will be told. At once where this process
        writes the answer, or nobody here follows it.

        Raises:
            Unavailable: Redis is away.
        """
        followed = self._followed.get(answer)
        if followed is None or followed.remote is None:
            return
        await self._confirmed(followed)
        if followed.last is None and followed.remote is not None:
            top = await self._log.top(answer)
            if followed.last is None:
                followed.last = top or BEGINNING

    async def _confirmed(self, followed: _Followed) -> None:
        """Wait for the channel, or until it is not needed any more."""
        wait = asyncio.timeout(_CONFIRM)
        followed.waits.add(wait)
        try:
            async with wait:
                await self._redis.channels.ready(self._keys.channel(followed.answer))
        except TimeoutError as exc:
            if followed.remote is not None:
                raise away() from exc
        finally:
            followed.waits.discard(wait)

    def told(self, answer: str, entries: Sequence[Entry]) -> None:
        """Pass on *entries* of an answer that this process writes: they are acknowledged."""
        followed = self._followed.get(answer)
        if followed is not None:
            followed.tell(entries)

    def own(self, answer: str) -> None:
        """Take what is told of *answer* from `told` from now on, not from its channel."""
        self._owned.add(answer)
        if followed := self._followed.get(answer):
            self._stale.pop(answer, None)
            self._forget(followed)

    def disown(self, answer: str, last: Position) -> None:
        """Take what comes after *last* from the channel of *answer*: others write it now."""
        self._owned.discard(answer)
        if (followed := self._followed.get(answer)) and followed.remote is None:
            followed.last = followed.last or last
            self._listen(followed)
            self._doubt(followed)

    def end(self, answer: str) -> None:
        """Learn that nothing more comes of *answer*, which was owned here."""
        self._owned.discard(answer)

    def _listen(self, followed: _Followed) -> None:
        def hear(data: bytes) -> None:
            self._hear(followed, logs.decode_payload(data))

        followed.remote = hear
        self._redis.channels.listen(self._keys.channel(followed.answer), hear)

    def _forget(self, followed: _Followed) -> None:
        followed.stale = False
        if followed.remote is not None:
            self._redis.channels.forget(self._keys.channel(followed.answer), followed.remote)
            followed.remote = None
        for wait in followed.waits:
            if not wait.expired():
                wait.reschedule(asyncio.get_running_loop().time())

    def _hear(self, followed: _Followed, entry: Entry) -> None:
        """Tell what follows the last entry; of anything else doubt that it is all."""
        position, last = entry.position, followed.last
        if followed.stale:
            followed.heard = position
        elif last is None or position == (last.epoch, last.seq + 1):
            followed.tell((entry,))
        elif position > last:
            followed.heard = position
            self._doubt(followed)

    def _doubt(self, followed: _Followed) -> None:
        followed.stale = True
        self._stale[followed.answer] = followed
        self._wake.set()

    def _doubt_all(self) -> None:
        for followed in self._followed.values():
            if followed.remote is not None and followed.last is not None:
                self._doubt(followed)

    async def _watch(self) -> None:
        """Read the logs of what is in doubt at once, compare the others from time to time."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._check_every):
                    await self._wake.wait()
            self._wake.clear()
            doubted, self._stale = self._stale, {}
            try:
                await self._catch_up(list(doubted.values()) or self._remote())
            except Unavailable:
                self._stale |= doubted  # they stay stale, and are read at the next check

    def _remote(self) -> list[_Followed]:
        return [
            followed
            for followed in self._followed.values()
            if followed.remote is not None and followed.last is not None
        ]

    async def _catch_up(self, doubted: Sequence[_Followed]) -> None:
        """Tell of *doubted* what their logs have behind what was told.

        Raises:
            Unavailable: Redis is away; some may have been told.
        """
        replies = await self._redis.batch([c for f in doubted for c in self._look(f.answer)])
        for followed, top, known in zip(doubted, replies[::2], replies[1::2], strict=True):
            if isinstance(top, Exception) or isinstance(known, Exception):
                raise away()
            await self._compare(followed, logs.decode_top(top), exists=bool(known))

    def _look(self, answer: str) -> list[tuple[bytes, bytes]]:
        log, key = self._keys.log(answer), self._keys.answer(answer)
        return [
            (log, pack(b"XREVRANGE", log, b"+", b"-", b"COUNT", 1)),
            (key, pack(b"EXISTS", key)),
        ]

    async def _compare(self, followed: _Followed, top: Position | None, *, exists: bool) -> None:
        last = followed.last
        if followed.remote is None or last is None:
            return  # written here meanwhile, or followed by nobody
        if top is None and (last != BEGINNING or not exists):
            self._gone(followed)
            return
        if top is not None and top > last:
            entries = await self._log.read(followed.answer, last)
            if entries and followed.remote is not None:
                followed.tell(entries)
        followed.stale = False
        if followed.heard > (followed.last or BEGINNING):
            self._doubt(followed)  # it came while the log was being read

    def _gone(self, followed: _Followed) -> None:
        if self._followed.pop(followed.answer, None) is followed:
            self._forget(followed)
            followed.call(())
