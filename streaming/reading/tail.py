"""Tell what was acknowledged, as it is acknowledged, to those who follow an answer.

An answer that this process writes is told straight from the acknowledgement. One that another
replica writes arrives on its channel, once its owner knows that somebody listens; a channel may
drop or repeat, so an entry is passed on only where it follows the last one without a gap, and
otherwise the log is read. Every two seconds the tops of all logs that are followed remotely are
compared as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final

from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import away, pack
from sessions.supervision import PASSING
from streaming.log import control_messages
from streaming.log import event_log as logs
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.positions import BEGINNING, Position
from streaming.reading.local_readers import Listener, LocalReaders

CHECK: Final = 2.0
"""Seconds between two comparisons with the logs: the longest that a lost message stays unseen."""

_CONFIRM: Final = 3.0
"""Seconds that the confirmation of a channel may take."""

logger = logging.getLogger(__name__)


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
        self._answers: dict[str, LocalReaders] = {}
        self._stale: dict[str, LocalReaders] = {}
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

    @property
    def following(self) -> int:
        """How many answers somebody here follows."""
        return sum(bool(followers.listeners) for followers in self._answers.values())

    def follow(self, answer: str, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every entry of *answer* that is acknowledged from now on.

        In order, without gaps and each once; where one call has several entries they came in one
        batch. Return the function that ends it, which may be called from the listener, and twice.
        """
        followers = self._of(answer)
        if not followers.owned and not followers.remote:
            self._listen(followers)
        followers.listeners += (listener,)

        def unfollow() -> None:
            followers.remove(listener)
            self._tidy(followers)

        return unfollow

    def _of(self, answer: str) -> LocalReaders:
        followers = self._answers.get(answer)
        if followers is None:
            followers = self._answers[answer] = LocalReaders(answer, self._doubt)
        return followers

    def _tidy(self, followers: LocalReaders) -> None:
        """Forget an answer that is neither followed nor written here."""
        if followers.listeners or followers.owned:
            return
        if self._answers.get(followers.answer) is followers:
            del self._answers[followers.answer]
            self._forget(followers)

    async def ready(self, answer: str) -> None:
        """Return when nothing that is acknowledged from now on can be missed.

        An entry that a log read after this does not have will be told. At once where this process
        writes the answer, or nobody here follows it.

        Raises:
            Unavailable: Redis is away.
        """
        followers = self._answers.get(answer)
        if followers is None or not followers.remote:
            return
        await self._confirmed(followers)
        if followers.last is None and followers.remote:
            top, owner = await self._look([followers])
            if isinstance(top, Exception) or isinstance(owner, Exception):
                raise away()
            if followers.last is None:
                followers.last = logs.decode_top(top) or BEGINNING
            await self._ask(followers, owner)

    async def _confirmed(self, followers: LocalReaders) -> None:
        """Wait for the channel, or until it is not needed any more."""
        wait = asyncio.timeout(_CONFIRM)
        followers.waits.add(wait)
        try:
            async with wait:
                await self._redis.channels.ready(self._keys.channel(followers.answer))
        except TimeoutError as exc:
            if followers.remote:
                raise away() from exc
        finally:
            followers.waits.discard(wait)

    async def _ask(self, followers: LocalReaders, owner: bytes | None) -> None:
        """Ask *owner* to publish the answer; lost, it is asked again when the log is ahead."""
        if owner and followers.remote:
            message = control_messages.FOLLOW + followers.answer.encode()
            with contextlib.suppress(Unavailable, ResponseError):
                await self._redis.publish(self._keys.control(owner.decode()), message)

    def announce(self, answer: str, entries: Sequence[LogEntry]) -> None:
        """Pass on *entries*, which a script wrote for this process: they are acknowledged."""
        if followers := self._answers.get(answer):
            followers.tell(entries)

    def own(self, answer: str) -> Callable[[Sequence[LogEntry]], None]:
        """Return what tells the entries of *answer*: this process writes it from now on."""
        followers = self._of(answer)
        followers.owned = True
        self._forget(followers)
        return followers.tell

    def disown(self, answer: str) -> None:
        """Take what comes next from the channel of *answer*, which was owned: others write it."""
        followers = self._of(answer)
        followers.owned = False
        if followers.listeners:
            self._listen(followers)
            self._doubt(followers)
        self._tidy(followers)

    def end(self, answer: str) -> None:
        """Learn that nothing more comes of *answer*, which was owned."""
        followers = self._of(answer)
        followers.owned = False
        self._tidy(followers)

    async def reopen(self, answer: str) -> None:
        """Learn that the end of *answer*, which was told, is not in its log any more.

        Those who follow it here are to read the log, and hear what comes then.

        Raises:
            Unavailable: Redis is away.
        """
        followers = self._answers.get(answer)
        if followers is None or followers.owned:
            return
        if not followers.remote:
            self._listen(followers)
        top = await self._log.top(answer) or BEGINNING
        if followers.remote and top < (followers.last or BEGINNING):
            followers.go_back(top)
            self._doubt(followers)

    def _listen(self, followers: LocalReaders) -> None:
        followers.remote = True
        self._redis.channels.listen(self._keys.channel(followers.answer), followers.hear)

    def _forget(self, followers: LocalReaders) -> None:
        self._stale.pop(followers.answer, None)
        followers.stale = False
        if followers.remote:
            channel = self._keys.channel(followers.answer)
            self._redis.channels.forget(channel, followers.hear)
            followers.remote = False
        followers.hurry()

    def _doubt(self, followers: LocalReaders) -> None:
        followers.stale = True
        self._stale[followers.answer] = followers
        self._wake.set()

    def _doubt_all(self) -> None:
        for followers in self._remote():
            self._doubt(followers)

    def _remote(self) -> list[LocalReaders]:
        return [
            followers
            for followers in self._answers.values()
            if followers.remote and followers.last is not None
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
            asked, self._stale = self._stale, {}
            if clock() >= due:
                due = clock() + self._check_every
                asked |= {followers.answer: followers for followers in self._remote()}
            try:
                await self._catch_up(list(asked.values()))
            except PASSING:
                raise
            except BaseException:
                # A supervisor: one log that cannot be read must not end the service.
                logger.exception("following_failed")

    async def _catch_up(self, asked: Sequence[LocalReaders]) -> None:
        """Tell of *asked* what their logs have behind what was told.

        Those whose node is away stay as they are, and are asked for again at the next check.
        """
        replies = await self._look(asked)
        for followers, top, owner in zip(asked, replies[::2], replies[1::2], strict=True):
            if isinstance(top, Exception) or isinstance(owner, Exception):
                continue
            with contextlib.suppress(Unavailable):
                await self._compare(followers, logs.decode_top(top), owner)

    async def _look(self, asked: Sequence[LocalReaders]) -> list[Any]:
        """Return the end of each log, and who owns the answer: None where it is not there."""
        commands: list[tuple[bytes, bytes]] = []
        for followers in asked:
            followers.heard = BEGINNING  # what comes from now on may not be in what is read
            log, key = self._keys.log(followers.answer), self._keys.answer(followers.answer)
            commands.append((log, pack(b"XREVRANGE", log, b"+", b"-", b"COUNT", 1)))
            commands.append((key, pack(b"HGET", key, b"owner")))
        return await self._redis.batch(commands)

    async def _compare(
        self, followers: LocalReaders, top: Position | None, owner: bytes | None
    ) -> None:
        last = followers.last
        if not followers.remote or last is None:
            return  # written here meanwhile, or followed by nobody
        if top is None and (last != BEGINNING or owner is None):
            followers.go_back(BEGINNING)
            return
        if top is not None and top > last:
            await self._ask(followers, owner)
            entries = await self._log.read(followers.answer, last)
            if entries and followers.remote:
                followers.tell(entries)
        elif top is not None and top < last and followers.short:
            followers.go_back(top)
        followers.stale = False
        # The first time its owner may just be about to append that again.
        followers.short = top is not None and top < (followers.last or BEGINNING)
        if followers.remote and followers.heard > (followers.last or BEGINNING):
            self._doubt(followers)  # it came while the log was being read
