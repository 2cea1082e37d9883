"""Search the web through an endpoint that speaks as SearXNG does.

The endpoint is the operator's own, so it may be internal. What it finds is a stranger's.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Generator, Iterator, Sequence
from typing import Final

import aiohttp
import msgspec
from yarl import URL

from service.version import VERSION
from service.web import response_bodies
from service.web.response_bodies import BodyRefused
from sessions.errors import ServiceError, Unavailable

SECONDS: Final = 8.0
"""Seconds until the results have come: an instance waits some seconds for the slowest engine."""
BYTES: Final = 2 * 1024 * 1024
"""Bytes of results; usual ones have some ten thousand."""
LONGEST_QUERY: Final = 400
"""Characters of a query; the engines behind an instance cut or refuse longer ones."""
_RESULTS: Final = 50
_LONGEST: Final = 5_000
"""Characters of one field of a result."""
_SYNTAX: Final = "!:<?"
"""Begin a word that is an order to the instance: another engine, a language, a redirect."""


class WebResult(msgspec.Struct, frozen=True):
    """A page that was found, and what the search says of it."""

    url: str
    title: str = ""
    content: str | None = None


class _Results(msgspec.Struct, frozen=True):
    results: list[msgspec.Raw]


class SearchEndpoint:
    """Asks one instance; its reasons are WEB_SEARCH_UNAVAILABLE and WEB_SEARCH_MALFORMED."""

    def __init__(self, http: aiohttp.ClientSession, base_url: str) -> None:
        """*base_url* is the address of the instance, to which ``/search`` is added."""
        self._http = http
        self._url = URL(f"{base_url.rstrip('/')}/search")

    def page(self, query: str) -> str:
        """Return the address of the page that shows what *query* finds."""
        return str(self._url.with_query(q=query))

    async def search(self, query: str, *, without: Sequence[str] = ()) -> list[WebResult]:
        """Return what is found for *query*, best first, but for the domains *without*.

        Raises:
            Unavailable: the endpoint is away, refuses, or says what cannot be read.
        """
        with _translated():
            async with asyncio.timeout(SECONDS):
                asked = self._url.with_query(q=query, format="json")
                async with self._http.get(asked, allow_redirects=False) as response:
                    if response.status != 200:
                        raise _unavailable(f"it answers with status {response.status}")
                    data, whole = await response_bodies.read(response, BYTES)
        if not whole:
            raise _malformed()
        try:
            found = msgspec.json.decode(data, type=_Results).results
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as exc:
            raise _malformed() from exc
        return [one for one in _read(found[:_RESULTS]) if not _lies_below(one.url, without)]


def worded(query: str) -> str:
    """Return *query* as it is sent: text alone, and no longer than engines take."""
    words = (word.lstrip(_SYNTAX) for word in query.split())
    text = " ".join(word for word in words if word)
    if len(text) <= LONGEST_QUERY:
        return text
    return text[: LONGEST_QUERY + 1].rpartition(" ")[0] or text[:LONGEST_QUERY]


def client() -> aiohttp.ClientSession:
    """Open the HTTP client of an endpoint; whoever opens it closes it."""
    return aiohttp.ClientSession(
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        headers={"User-Agent": f"Colloquy/{VERSION}", "Accept-Encoding": "gzip"},
        timeout=aiohttp.ClientTimeout(total=None),
    )


def _read(found: Sequence[msgspec.Raw]) -> Iterator[WebResult]:
    """Yield the results that can be read: an instance joins what many engines say."""
    seen = set[str]()
    for raw in found:
        try:
            one = msgspec.json.decode(raw, type=WebResult)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        if one.url.startswith(("http://", "https://")) and one.url not in seen:
            seen.add(one.url)
            yield WebResult(one.url, one.title[:_LONGEST], (one.content or "")[:_LONGEST])


def _lies_below(url: str, domains: Sequence[str]) -> bool:
    if not domains:
        return False
    try:
        host = (URL(url).raw_host or "").removesuffix(".")
    except ValueError:
        return True
    return any(f".{host}".endswith(f".{domain.strip('.').lower()}") for domain in domains)


@contextlib.contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except (aiohttp.ClientError, OSError, BodyRefused) as exc:
        # TimeoutError is one of OSError.
        raise _unavailable("it cannot be reached, or takes too long") from exc


def _unavailable(why: str) -> ServiceError:
    return Unavailable(
        f"the web cannot be searched now: {why}; try again, or leave the tool out",
        reason="WEB_SEARCH_UNAVAILABLE",
    )


def _malformed() -> ServiceError:
    return Unavailable(
        "the web cannot be searched: the endpoint does not answer as SearXNG does",
        reason="WEB_SEARCH_MALFORMED",
    )
