"""Write answers with a chat model at any OpenAI-compatible endpoint.

The connector is our own: at a thousand live answers it is the largest cost of the service, and
aiohttp with msgspec takes a tenth of the SDK's CPU a token (``tests/bench/bench_connector.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import email.utils
import math
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from typing import Final

import aiohttp
import msgspec

from service.generation.completions import Completion, failure_code, naming, rate_limited
from service.generation.generator import Piece, Prompt
from service.generation.prompts import Message, Opening, messages
from sessions.errors import DeadlineExceeded, Internal, ServiceError, Unavailable

_LONGEST_ERROR: Final = 64 * 1024
_LAST_WORDS: Final = 0.1
"""Seconds to wait, once the text is whole, for the end that lets the connection be used again."""
_PASSING: Final = frozenset({"MODEL_UNAVAILABLE", "MODEL_RATE_LIMITED"})
_ENCODER: Final = msgspec.json.Encoder()


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where the model is: *base_url* goes up to and with ``/v1``."""

    base_url: str
    model: str
    api_key: str = ""


class Patience(msgspec.Struct, frozen=True, kw_only=True):
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
    messages: tuple[Message, ...]
    stream: bool = True


class _AgainError(Exception):
    """What went wrong may go right next time, after *wait* seconds where the endpoint said so."""

    def __init__(self, error: ServiceError, wait: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.wait = wait


def client() -> aiohttp.ClientSession:
    """Open the HTTP client that generators share; whoever opens it closes it."""
    return aiohttp.ClientSession(
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

    def __init__(
        self,
        http: aiohttp.ClientSession,
        endpoint: Endpoint,
        patience: Patience | None = None,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._http = http
        self._model = endpoint.model
        self._url = f"{endpoint.base_url.rstrip('/')}/chat/completions"
        self._headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        if endpoint.api_key:
            self._headers["Authorization"] = f"Bearer {endpoint.api_key}"
        self._patience = patience or Patience()
        self._sleep = sleep

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        """Yield the text as it comes; nothing where the model finds no answer in the sources."""
        body = _ENCODER.encode(_Request(model=self._model, messages=messages(prompt)))
        opening = Opening()
        async with contextlib.aclosing(self._texts(body)) as texts:
            async for text in texts:
                if shown := opening.feed(text):
                    yield Piece(shown)
                elif opening.refused:
                    return
        if shown := opening.finish():
            yield Piece(shown)

    async def _texts(self, body: bytes) -> AsyncGenerator[str, None]:
        """Yield the text of one completion, asking again while nothing has come."""
        end = asyncio.get_running_loop().time() + self._patience.total
        attempt = 1
        while True:
            told = False
            try:
                async with contextlib.aclosing(self._attempt(body, end)) as texts:
                    async for text in texts:
                        told = True
                        yield text
                return
            except _AgainError as failure:
                wait = self._wait(failure, attempt)
                if told or wait is None:
                    raise failure.error from failure.__cause__
            await self._sleep(wait)
            attempt += 1

    def _wait(self, failure: _AgainError, attempt: int) -> float | None:
        """Return the seconds until the next attempt, or None where there is none."""
        if attempt >= self._patience.attempts:
            return None
        jitter = random.uniform(0.5, 1.0)  # noqa: S311 (spreads load, guards nothing)
        if failure.wait is None:
            return min(self._patience.backoff * 2**attempt * jitter, self._patience.longest_wait)
        if failure.wait > self._patience.longest_wait:
            return None
        return failure.wait + self._patience.backoff * jitter

    async def _attempt(self, body: bytes, end: float) -> AsyncGenerator[str, None]:
        """Yield the text of one request; closing it closes the socket."""
        now = asyncio.get_running_loop().time
        due = min(now() + self._patience.first_piece, end)
        completion = Completion()
        with _translated():
            async with asyncio.timeout_at(due):
                response = await self._post(body)
            try:
                async with asyncio.timeout_at(due):
                    await _check(response)
                while not completion.finished:
                    async with asyncio.timeout_at(due):
                        chunk = await response.content.readany()
                    if text := completion.feed(chunk) if chunk else completion.end():
                        yield text
                        due = min(now() + self._patience.gap, end)
                    if (failure := completion.failure) is not None:
                        raise _AgainError(failure) if failure.reason in _PASSING else failure
                await _drain(response)
            finally:
                # At once and with the socket, unless the response was read to its end.
                response.close()

    async def _post(self, body: bytes) -> aiohttp.ClientResponse:
        return await self._http.post(
            self._url,
            data=body,
            headers=self._headers,
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=None, connect=self._patience.connect),
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
        unavailable = Unavailable(
            "the model endpoint cannot be reached, or was lost; ask again",
            reason="MODEL_UNAVAILABLE",
        )
        raise _AgainError(unavailable) from exc
    except TimeoutError as exc:
        raise DeadlineExceeded(
            "the model endpoint took too long; ask again", reason="MODEL_TIMEOUT"
        ) from exc


async def _drain(response: aiohttp.ClientResponse) -> None:
    """Read what little follows the text, so that the connection can be used again."""
    with contextlib.suppress(TimeoutError, aiohttp.ClientError):
        async with asyncio.timeout(_LAST_WORDS):
            while await response.content.readany():
                pass


async def _check(response: aiohttp.ClientResponse) -> None:
    """Raise what *response* says instead of streaming."""
    if response.status != 200:
        raise await _refused(response)
    if response.content_type != "text/event-stream":
        raise Internal(
            "the model endpoint does not stream; check COLLOQUY_LLM_BASE_URL",
            reason="MODEL_MALFORMED",
        )


async def _refused(response: aiohttp.ClientResponse) -> Exception:
    """Return what a status other than 200 means; its text may quote secrets and is not told."""
    try:
        body = await response.content.readexactly(_LONGEST_ERROR)
    except asyncio.IncompleteReadError as exc:
        body = exc.partial
    code = failure_code(body)
    match response.status:
        case 429:
            wait = _seconds(response.headers.get("Retry-After", ""))
            limited = naming(rate_limited(max(1, math.ceil(wait or 1))), code)
            # Money does not come back within seconds.
            return limited if code == "insufficient_quota" else _AgainError(limited, wait)
        case 408 | 409 | 425:
            return _AgainError(_away(code))
        case status if status >= 500:
            return _AgainError(_away(code), _seconds(response.headers.get("Retry-After", "")))
        case 401 | 403:
            reason, remedy = "MODEL_REFUSED", "refuses our credentials; check COLLOQUY_LLM_API_KEY"
        case 404:
            reason = "MODEL_REQUEST_INVALID"
            remedy = "is not there; check COLLOQUY_LLM_BASE_URL and COLLOQUY_LLM_MODEL"
        case status if status < 400:
            reason = "MODEL_REQUEST_INVALID"
            remedy = "redirects; set COLLOQUY_LLM_BASE_URL to its final address"
        case _:
            reason = "MODEL_REQUEST_INVALID"
            remedy = "does not take our request; check COLLOQUY_LLM_MODEL"
    refused = Internal(f"the model endpoint {remedy}", reason=reason, status=str(response.status))
    return naming(refused, code)


def _away(code: str) -> ServiceError:
    return naming(
        Unavailable("the model endpoint fails; ask again later", reason="MODEL_UNAVAILABLE"), code
    )


def _seconds(retry_after: str) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number, or a date (RFC 9110)."""
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        then = email.utils.parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (then - dt.datetime.now(dt.UTC)).total_seconds())
