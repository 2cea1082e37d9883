"""Ask a chat model at any OpenAI-compatible endpoint, and stream what becomes of it.

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

from service.generation.chat_model import chat_bodies, endpoint_responses, traced_calls
from service.generation.chat_model.chat_bodies import ChatBodies, Endpoint
from service.generation.chat_model.chat_events import ChatEvent, Delta, Finished
from service.generation.chat_model.chat_requests import ChatRequest
from service.generation.chat_model.chat_stream import Completion
from service.generation.chat_model.endpoint_errors import RetryableError, UnsupportedError
from service.generation.chat_model.endpoint_responses import ReadTimer
from service.generation.chat_model.model_text import CompletionParts
from service.generation.chat_model.spending import Spending
from sessions import spans
from sessions.errors import ServiceError

_AT_ONCE: Final = 20_000
"""Characters that are read before others have their turn: what a filter drops yields nothing."""


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


class EventFilter(Protocol):
    """Decides what is told of one completion; a machine without I/O."""

    @property
    def refused(self) -> bool:
        """Whether there will be nothing to tell: the rest is not wanted."""
        ...

    @property
    def began_within_thoughts(self) -> bool:
        """Whether thoughts ended that nothing had opened: the endpoint opens them itself."""
        ...

    def feed(self, event: Delta) -> Sequence[Delta]:
        """Return what may be told now."""
        ...

    def finish(self) -> Sequence[Delta]:
        """Return what was held back, when nothing more comes."""
        ...


class TokenBudget(Protocol):
    """Knows how many tokens there are to be spent."""

    async def reserve(self, tokens: int) -> bytes:
        """Set *tokens* aside, or raise a `ServiceError`; return where."""
        ...

    async def settle(self, day: bytes, reserved: int, used: int) -> None:
        """Count what was *used* of what was *reserved*."""
        ...


class NewFilter(Protocol):
    """Makes the filter of one completion, whose text may begin *within_thoughts*."""

    def __call__(self, *, within_thoughts: bool) -> EventFilter:
        """Return a filter that has heard nothing yet."""
        ...


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


class ChatCompletions:
    """Streams chat completions of one endpoint.

    Reasons of what it raises: MODEL_UNAVAILABLE (away, failing, or gone half-way), MODEL_TIMEOUT,
    MODEL_RATE_LIMITED, MODEL_REFUSED (our credentials), MODEL_REQUEST_INVALID (address, model or
    request), MODEL_MALFORMED (it speaks something else) and MODEL_TOO_LONG. What was yielded
    stands. For whoever wants whole text, `endpoint_errors.raise_unless_whole` makes an error of a
    finish reason.
    """

    def __init__(
        self,
        http: aiohttp.ClientSession,
        endpoint: Endpoint,
        policy: EndpointPolicy | None = None,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        budget: TokenBudget | None = None,
        used: Callable[[int, int], None] = lambda _prompt, _completion: None,
    ) -> None:
        """Without a *budget* nothing bounds what is asked for.

        *used* is told the tokens of each prompt and its completion, where the endpoint counts them.
        """
        self._http = http
        self._endpoint = endpoint
        self._url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
        self._headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if endpoint.api_key:
            self._headers["Authorization"] = f"Bearer {endpoint.api_key}"
        self._policy = policy or EndpointPolicy()
        self._sleep = sleep
        self._budget = budget
        self._used = used
        self._bodies = ChatBodies(endpoint)
        self._begins_within_thoughts = False
        """Whether the last text did: the endpoint opens its thoughts, the model closes them."""

    async def events(
        self, request: ChatRequest, new_filter: NewFilter = CompletionParts
    ) -> AsyncGenerator[ChatEvent, None]:
        """Yield what a filter lets through, then the usage if it is known, then how it finished.

        Without a filter, that is all: text, calls, and thoughts, also those in the text.
        What fails before anything was told is tried again, with a new filter. Sampling,
        *logprobs*, *stop*, *reasoning_effort* and the like are left out where the endpoint does
        not know them; of a *response_format* with a schema, JSON is left at first. Where the filter
        refuses, nothing follows. Closing it closes the socket.

        Raises:
            ServiceError: as above; what the filter held back is yielded before. Or the budget has
                not as much left as this may cost.
        """
        spending = Spending(request, self._bodies.most_tokens(request))
        events = self._events(request, new_filter, spending)
        if self._budget is not None:
            events = self._within(self._budget, events, spending)
        if spans.CURRENT.get().is_sampled:
            events = traced_calls.traced(events, self._endpoint, request)
        async with contextlib.aclosing(events):
            async for event in events:
                yield event

    async def _within(
        self,
        budget: TokenBudget,
        events: AsyncGenerator[ChatEvent, None],
        spending: Spending,
    ) -> AsyncGenerator[ChatEvent, None]:
        """Yield *events* once the budget has what they may cost; count what they did.

        Also where nobody wants the rest, or the endpoint fails half-way.
        """
        day = await budget.reserve(spending.most)
        try:
            async with contextlib.aclosing(events):
                async for event in events:
                    yield event
        finally:
            # Once the endpoint is left: it must not write on while this waits.
            await budget.settle(day, spending.most, spending.used)

    async def _events(
        self, request: ChatRequest, new_filter: NewFilter, spending: Spending
    ) -> AsyncGenerator[ChatEvent, None]:
        end = asyncio.get_running_loop().time() + self._policy.total
        attempt = 0
        while True:
            event_filter = new_filter(within_thoughts=self._begins_within_thoughts)
            told = False
            try:
                events = self._attempt(self._bodies.encode(request), event_filter, spending, end)
                async with contextlib.aclosing(events):
                    async for event in events:
                        told = True
                        yield event
            except (RetryableError, UnsupportedError, ServiceError) as failure:
                attempt += isinstance(failure, RetryableError)
                wait = None if told else self._wait(request, failure, attempt)
                if wait is not None:
                    await self._sleep(wait)
                    continue
                for held in event_filter.finish():
                    yield held
                raise failure if isinstance(failure, ServiceError) else failure.error from None
            return

    def _wait(
        self,
        request: ChatRequest,
        failure: RetryableError | UnsupportedError | ServiceError,
        attempt: int,
    ) -> float | None:
        """Return the seconds until the next attempt, or None where there is none."""
        if isinstance(failure, UnsupportedError):
            return 0.0 if self._bodies.leave_out(failure.parameter, request) else None
        if isinstance(failure, ServiceError) or attempt >= self._policy.attempts:
            return None
        jitter = random.uniform(0.5, 1.0)  # noqa: S311 (spreads load, guards nothing)
        if failure.wait is None:
            return min(self._policy.backoff * 2**attempt * jitter, self._policy.longest_wait)
        if failure.wait > self._policy.longest_wait:
            return None
        return failure.wait + self._policy.backoff * jitter

    async def _attempt(
        self, body: bytes, event_filter: EventFilter, spending: Spending, end: float
    ) -> AsyncGenerator[ChatEvent, None]:
        """Yield the events of one request; closing it closes the socket."""
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(endpoint_responses.translated())
            completion, at_once = Completion(), 0
            with spending.asking(completion):
                timer = await self._open(body, end, stack)
            while completion.finish_reason is None:
                chunk = await timer.read()
                if deltas := completion.feed(chunk) if chunk else completion.end():
                    timer.pause()
                    for delta in deltas:
                        for shown in event_filter.feed(delta):
                            yield shown
                    if event_filter.refused:
                        return
                    timer.go_on()
                if completion.failure is not None:
                    raise completion.failure
                at_once += len(chunk)
                if at_once > _AT_ONCE:
                    at_once = 0
                    await asyncio.sleep(0)
            # What was held back need not wait for the usage.
            for held in event_filter.finish():
                yield held
            self._begins_within_thoughts = event_filter.began_within_thoughts
            await endpoint_responses.read_trailer(timer, completion)
            if (usage := completion.usage) is not None:
                self._used(usage.prompt, usage.completion)
                yield usage
            yield Finished(completion.finish_reason, completion.finish_detail)

    async def _open(self, body: bytes, end: float, stack: contextlib.AsyncExitStack) -> ReadTimer:
        """Ask, and return the reader of a response that streams."""
        due = min(asyncio.get_running_loop().time() + self._policy.first_piece, end)
        async with asyncio.timeout_at(due):
            response = await self._post(body)
        # At once and with the socket, unless the response was read to its end.
        stack.callback(response.close)
        timer = ReadTimer(response, due, self._policy.gap, end)
        stack.callback(timer.stop)
        await endpoint_responses.raise_unless_streaming(response, timer, chat_bodies.DISPENSABLE)
        return timer

    async def _post(self, body: bytes) -> aiohttp.ClientResponse:
        return await self._http.post(
            self._url,
            data=body,
            headers=self._headers,
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=None, connect=self._policy.connect),
        )
