"""Read the response of a model endpoint within its times, and say what goes wrong with it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Generator, Sequence
from typing import Final

import aiohttp

from service.generation.chat_model import endpoint_errors
from service.generation.chat_model.chat_stream import Completion
from service.generation.chat_model.endpoint_errors import UnsupportedError
from sessions.errors import DeadlineExceeded, Internal, ServiceError

_LONGEST_ERROR: Final = 64 * 1024
"""Bytes of an error document that are read: an endpoint that fails may send anything, for ever."""
_USAGE: Final = 0.5
"""Seconds to wait, once the model has finished, for the usage and the end that are to follow."""
_TRAILER: Final = 0.1
"""Seconds to wait, once nothing is to follow, for what lets the connection be used again."""


class ReadTimer:
    """Ends the reading of a response that keeps its reader waiting.

    One timer looks now and then whether the wait is over its bound: one that is set anew for each
    read would cost as much as the read. While the reader is paused, its time is its own.

    aiohttp lets a reader wait on where the endpoint breaks the framing of the response half-way
    (a chunk without a length), although it closes the connection: that is watched as well.
    """

    def __init__(
        self, response: aiohttp.ClientResponse, due: float, gap: float, end: float
    ) -> None:
        self._response = response
        self._content = response.content
        self._now = asyncio.get_running_loop().time
        self._due = due
        self._gap = gap
        self._end = end
        self._expired = self._paused = False
        connection = response.connection
        # An empty protocol is false, so both are held against None.
        protocol = connection.protocol if connection is not None else None
        self._closed = protocol.closed if protocol is not None else None
        if self._closed is not None:
            self._closed.add_done_callback(self._broken)
        self._check_time()

    async def read(self) -> bytes:
        """Return the next bytes, or b"" at the end of the response.

        Raises:
            TimeoutError: nothing was read until it was due.
            ClientError: the response broke off.
        """
        try:
            return await self._content.readany()
        except aiohttp.ClientConnectionError:
            if self._expired:
                raise TimeoutError from None
            raise
        except RuntimeError as exc:  # what aiohttp says where the connection was closed before
            raise aiohttp.ClientPayloadError("the response broke off") from exc

    def pause(self) -> None:
        """Let the reader take its time."""
        self._due = self._end
        self._paused = True

    def go_on(self) -> None:
        """Expect the next piece within the gap."""
        self._due = min(self._now() + self._gap, self._end)
        self._paused = False

    def stop(self) -> None:
        """Look no more."""
        self._timer.cancel()
        if self._closed is not None:
            self._closed.remove_done_callback(self._broken)

    def _broken(self, _: asyncio.Future[None]) -> None:
        """Wake the reader; one that is paused first finds what was read before."""
        if not self._paused and not self._content.is_eof():
            self._response.close()

    def _check_time(self) -> None:
        now = self._now()
        if now >= self._due:
            self._expired = True
            self._response.close()
            return
        # Never further ahead than the gap, so that a bound set from now on is seen in time.
        self._timer = asyncio.get_running_loop().call_at(
            min(self._due, now + self._gap), self._check_time
        )


@contextlib.contextmanager
def translated() -> Generator[None]:
    """Turn what aiohttp and the clock raise into what a client is told."""
    try:
        yield
    except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError) as exc:
        raise Internal(
            "the address of the model endpoint cannot be used; check COLLOQUY_LLM_BASE_URL",
            reason="MODEL_REQUEST_INVALID",
        ) from exc
    except aiohttp.ClientError as exc:
        raise endpoint_errors.connection_lost() from exc
    except TimeoutError as exc:
        raise DeadlineExceeded(
            "the model endpoint took too long; ask again", reason="MODEL_TIMEOUT"
        ) from exc


async def raise_unless_streaming(
    response: aiohttp.ClientResponse, timer: ReadTimer, parameters: Sequence[str]
) -> None:
    """Raise what *response* says instead of streaming.

    Where that is that one of *parameters* is not supported, it is `UnsupportedError`.
    """
    if response.status != 200:
        body = bytearray()
        with contextlib.suppress(aiohttp.ClientError):  # the status says enough
            while len(body) < _LONGEST_ERROR and (chunk := await timer.read()):
                body += chunk
        parameter = endpoint_errors.unsupported_parameter(response.status, bytes(body), parameters)
        error = endpoint_errors.error_of_response(response.status, response.headers, bytes(body))
        if parameter and isinstance(error, ServiceError):
            raise UnsupportedError(error, parameter)
        raise error
    if response.content_type != "text/event-stream":
        raise endpoint_errors.malformed("the model endpoint does not stream")


async def read_trailer(timer: ReadTimer, completion: Completion) -> None:
    """Read what follows the end of *completion*: its usage, and the end of the response."""
    with contextlib.suppress(TimeoutError, aiohttp.ClientError):
        async with asyncio.timeout(_USAGE):
            while not completion.done and (chunk := await timer.read()):
                completion.feed(chunk)
        async with asyncio.timeout(_TRAILER):
            while await timer.read():
                pass
