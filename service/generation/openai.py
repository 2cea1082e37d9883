"""Write answers with a chat model at any OpenAI-compatible endpoint.

The connector is our own: at a thousand live answers it is the largest cost of the service, and
aiohttp with msgspec takes a fraction of the SDK's CPU a token (``tests/bench/bench_connector.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import Final

import aiohttp
import msgspec

from service.generation import endpoint_errors
from service.generation.chat_stream import Completion
from service.generation.endpoint_errors import RetryableError
from service.generation.generator import Piece, Prompt
from service.generation.prompts import ChatMessage, NoAnswerFilter, messages
from sessions.errors import DeadlineExceeded, Internal

_LONGEST_ERROR: Final = 64 * 1024
"""Bytes of an error document that are read: an endpoint that fails may send anything, for ever."""
_TRAILER: Final = 0.1
"""Seconds to wait, once the text is whole, for the end that lets the connection be used again."""
_ENCODER: Final = msgspec.json.Encoder()


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where the model is: *base_url* goes up to and with ``/v1``."""

    base_url: str
    model: str
    api_key: str = ""


class EndpointPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """How long to wait for what, in seconds, and how often to try.

    *total* bounds everything together. Only what failed before the first text is tried again:
    after 429, 5xx and lost connections, at most *attempts* times in all, after *backoff* (doubled
    each time, with jitter) or what Retry-After asks for. Over *longest_wait*, nobody waits.
    """

    connect: float = 5.0
    first_piece: float = 60.0
    gap: float = 20.0
    total: float = 120.0
    attempts: int = 3
    backoff: float = 0.25
    longest_wait: float = 5.0


class _Request(msgspec.Struct, frozen=True):
    model: str
    messages: tuple[ChatMessage, ...]
    stream: bool = True


def client() -> aiohttp.ClientSession:
    """Open the HTTP client that generators share; whoever opens it closes it."""
    return aiohttp.ClientSession(
        # Each answer that is being written holds a connection; aiohttp's own limit of 100 would let
        # all further ones wait, and fail after *connect* seconds.
        connector=aiohttp.TCPConnector(limit=2048, keepalive_timeout=60),
        cookie_jar=aiohttp.DummyCookieJar(),
        # A proxy that compresses a stream also holds it back.
        headers={"User-Agent": "colloquy", "Accept-Encoding": "identity"},
        timeout=aiohttp.ClientTimeout(total=None),
    )


class OpenAIGenerator:
    """Streams chat completions, whose text cites the sources by number.

    Reasons of what it raises: MODEL_UNAVAILABLE (away, failing, or gone half-way), MODEL_TIMEOUT,
    MODEL_RATE_LIMITED, MODEL_REFUSED (our credentials), MODEL_REQUEST_INVALID (address, model or
    request), MODEL_MALFORMED (it speaks something else), MODEL_TRUNCATED (finish reason
    ``length``) and MODEL_FILTERED (``content_filter``). What was yielded before stands.
    """

    continues = False
    marks_inline = True
    judges = True

    def __init__(
        self,
        http: aiohttp.ClientSession,
        endpoint: Endpoint,
        policy: EndpointPolicy | None = None,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._http = http
        self._model = endpoint.model
        self._url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
        self._headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if endpoint.api_key:
            self._headers["Authorization"] = f"Bearer {endpoint.api_key}"
        self._policy = policy or EndpointPolicy()
        self._sleep = sleep

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        """Yield the text as it comes; nothing where the model finds no answer in the sources."""
        body = _ENCODER.encode(_Request(model=self._model, messages=messages(prompt)))
        end = asyncio.get_running_loop().time() + self._policy.total
        for attempt in range(1, self._policy.attempts + 1):
            no_answer_filter = NoAnswerFilter()
            nothing_came = True
            try:
                async with contextlib.aclosing(self._texts(body, end)) as texts:
                    async for text in texts:
                        nothing_came = False
                        if shown := no_answer_filter.feed(text):
                            yield Piece(shown)
                        elif no_answer_filter.matched:
                            return
                if shown := no_answer_filter.finish():
                    yield Piece(shown)
                return
            except RetryableError as failure:
                wait = self._wait(failure, attempt)
                if wait is None or not nothing_came:
                    raise failure.error from failure.__cause__
            await self._sleep(wait)

    def _wait(self, failure: RetryableError, attempt: int) -> float | None:
        """Return the seconds until the next attempt, or None where there is none."""
        if attempt >= self._policy.attempts:
            return None
        jitter = random.uniform(0.5, 1.0)  # noqa: S311 (spreads load, guards nothing)
        if failure.wait is None:
            return min(self._policy.backoff * 2**attempt * jitter, self._policy.longest_wait)
        if failure.wait > self._policy.longest_wait:
            return None
        return failure.wait + self._policy.backoff * jitter

    async def _texts(self, body: bytes, end: float) -> AsyncGenerator[str, None]:
        """Yield the text of one request; closing it closes the socket."""
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(_translated())
            due = min(asyncio.get_running_loop().time() + self._policy.first_piece, end)
            async with asyncio.timeout_at(due):
                response = await self._post(body)
            # At once and with the socket, unless the response was read to its end.
            stack.callback(response.close)
            timer = _ReadTimer(response, due, self._policy.gap, end)
            stack.callback(timer.stop)
            await _raise_unless_streaming(response, timer)
            completion = Completion()
            while not completion.finished:
                chunk = await timer.read()
                if text := completion.feed(chunk) if chunk else completion.end():
                    timer.pause()
                    yield text
                    timer.go_on()
                if completion.failure is not None:
                    raise completion.failure
            await _drain(timer)

    async def _post(self, body: bytes) -> aiohttp.ClientResponse:
        return await self._http.post(
            self._url,
            data=body,
            headers=self._headers,
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=None, connect=self._policy.connect),
        )


class _ReadTimer:
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
def _translated() -> Generator[None]:
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


async def _raise_unless_streaming(response: aiohttp.ClientResponse, timer: _ReadTimer) -> None:
    """Raise what *response* says instead of streaming."""
    if response.status != 200:
        body = bytearray()
        with contextlib.suppress(aiohttp.ClientError):  # the status says enough
            while len(body) < _LONGEST_ERROR and (chunk := await timer.read()):
                body += chunk
        raise endpoint_errors.error_of_response(response.status, response.headers, bytes(body))
    if response.content_type != "text/event-stream":
        raise endpoint_errors.malformed("the model endpoint does not stream")


async def _drain(timer: _ReadTimer) -> None:
    """Read what little follows the text, so that the connection can be used again."""
    with contextlib.suppress(TimeoutError, aiohttp.ClientError):
        async with asyncio.timeout(_TRAILER):
            while await timer.read():
                pass
