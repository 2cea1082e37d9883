"""Ask a chat model at any OpenAI-compatible endpoint, and stream what it writes.

The connector is our own: at a thousand live answers it is the largest cost of the service, and
aiohttp with msgspec takes a fraction of the SDK's CPU a token (``tests/bench/bench_connector.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import Final, Protocol

import aiohttp
import msgspec

from service.generation.chat_model import endpoint_responses
from service.generation.chat_model.chat_stream import Completion
from service.generation.chat_model.endpoint_errors import RetryableError, UnsupportedError
from service.generation.chat_model.endpoint_responses import ReadTimer
from service.generation.chat_model.prompts import ChatMessage
from service.generation.generator import Sampling
from sessions.errors import ResourceExhausted, ServiceError

_LONGEST_TEXT: Final = 1_000_000
"""Characters of one completion, thoughts included: nobody sees most of what a model may repeat."""
_AT_ONCE: Final = 20_000
"""Characters that are read before others have their turn: what a filter drops yields nothing."""
_ENCODER: Final = msgspec.json.Encoder()


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where the model is: *base_url* goes up to and with ``/v1``.

    *temperature* and *max_tokens* are asked for where a request does not say otherwise; the latter
    counts the thoughts of a model that thinks.
    """

    base_url: str
    model: str
    api_key: str = ""
    temperature: float = 0.2
    max_tokens: int = 4_096


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


class TextFilter(Protocol):
    """Decides what of the text of one completion is told; a machine without I/O."""

    @property
    def refused(self) -> bool:
        """Whether there will be nothing to tell: the rest is not wanted."""
        ...

    def feed(self, text: str) -> str:
        """Return what may be told now."""
        ...

    def finish(self) -> str:
        """Return what was held back, when there is no more text."""
        ...


class _Request(msgspec.Struct, frozen=True, omit_defaults=True):
    model: str
    messages: tuple[ChatMessage, ...]
    stream: bool
    temperature: float | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None


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


_PARAMETERS: Final = tuple(
    name for name in _Request.__struct_fields__ if name not in ("model", "messages", "stream")
)
"""What a model may do without, so that it is left out where an endpoint refuses it."""


class ChatCompletions:
    """Streams chat completions of one endpoint.

    Reasons of what it raises: MODEL_UNAVAILABLE (away, failing, or gone half-way), MODEL_TIMEOUT,
    MODEL_RATE_LIMITED, MODEL_REFUSED (our credentials), MODEL_REQUEST_INVALID (address, model or
    request), MODEL_MALFORMED (it speaks something else), MODEL_TRUNCATED (finish reason
    ``length``), MODEL_TOO_LONG and MODEL_FILTERED (``content_filter``). What was yielded stands.
    """

    def __init__(
        self,
        http: aiohttp.ClientSession,
        endpoint: Endpoint,
        policy: EndpointPolicy | None = None,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._http = http
        self._endpoint = endpoint
        self._url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
        self._headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if endpoint.api_key:
            self._headers["Authorization"] = f"Bearer {endpoint.api_key}"
        self._policy = policy or EndpointPolicy()
        self._sleep = sleep
        self._unsupported = set[str]()
        """Parameters that this model was found not to take; nobody else can tell which."""

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        new_filter: Callable[[], TextFilter],
        sampling: Sampling | None = None,
    ) -> AsyncGenerator[str, None]:
        """Yield what a filter lets through of the text; closing it closes the socket.

        What fails before anything was told is tried again, with a new filter.

        Raises:
            ServiceError: as above; what the filter held back is yielded before.
        """
        end = asyncio.get_running_loop().time() + self._policy.total
        attempt = 0
        while True:
            text_filter, told = new_filter(), False
            try:
                body = self._body(messages, sampling or Sampling())
                async with contextlib.aclosing(self._texts(body, end)) as texts:
                    async for text in texts:
                        if shown := text_filter.feed(text):
                            told = True
                            yield shown
                        elif text_filter.refused:
                            return
                error = None
            except (RetryableError, UnsupportedError, ServiceError) as failure:
                attempt += isinstance(failure, RetryableError)
                wait = None if told else self._wait(failure, attempt)
                if wait is not None:
                    await self._sleep(wait)
                    continue
                error = failure if isinstance(failure, ServiceError) else failure.error
            if shown := text_filter.finish():
                yield shown
            if error is not None:
                raise error
            return

    def _body(self, messages: Sequence[ChatMessage], sampling: Sampling) -> bytes:
        """Return the request for what *messages* ask, without what the model does not take."""
        request = _Request(
            model=self._endpoint.model,
            messages=tuple(messages),
            stream=True,
            temperature=self._endpoint.temperature,
            max_tokens=self._endpoint.max_tokens,
        )
        wanted = {name: value for name, value in msgspec.structs.asdict(sampling).items() if value}
        if sampling.temperature is not None:
            wanted["temperature"] = sampling.temperature
        if "max_tokens" in self._unsupported:
            # What OpenAI's models that think call it, which refuse the older name.
            wanted["max_completion_tokens"] = self._endpoint.max_tokens
        wanted |= dict.fromkeys(self._unsupported)
        return _ENCODER.encode(msgspec.structs.replace(request, **wanted))

    def _wait(
        self, failure: RetryableError | UnsupportedError | ServiceError, attempt: int
    ) -> float | None:
        """Return the seconds until the next attempt, or None where there is none."""
        if isinstance(failure, UnsupportedError):
            is_new = failure.parameter not in self._unsupported
            self._unsupported.add(failure.parameter)
            return 0.0 if is_new else None
        if isinstance(failure, ServiceError) or attempt >= self._policy.attempts:
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
            stack.enter_context(endpoint_responses.translated())
            due = min(asyncio.get_running_loop().time() + self._policy.first_piece, end)
            async with asyncio.timeout_at(due):
                response = await self._post(body)
            # At once and with the socket, unless the response was read to its end.
            stack.callback(response.close)
            timer = ReadTimer(response, due, self._policy.gap, end)
            stack.callback(timer.stop)
            await endpoint_responses.raise_unless_streaming(response, timer, _PARAMETERS)
            completion, length, at_once = Completion(), 0, 0
            while not completion.finished:
                chunk = await timer.read()
                if text := completion.feed(chunk) if chunk else completion.end():
                    timer.pause()
                    yield text
                    timer.go_on()
                elif completion.thought:
                    timer.go_on()
                if completion.failure is not None:
                    raise completion.failure
                length += len(text)
                at_once += len(chunk)
                if length > _LONGEST_TEXT:
                    raise ResourceExhausted(
                        f"the model wrote more than {_LONGEST_TEXT:,} characters; ask again",
                        reason="MODEL_TOO_LONG",
                    )
                if at_once > _AT_ONCE:
                    at_once = 0
                    await asyncio.sleep(0)
            await endpoint_responses.drain(timer)

    async def _post(self, body: bytes) -> aiohttp.ClientResponse:
        return await self._http.post(
            self._url,
            data=body,
            headers=self._headers,
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=None, connect=self._policy.connect),
        )
