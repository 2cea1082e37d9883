"""Read a page of the web: ask for it within bounds, then have a child process read it."""

from __future__ import annotations

import asyncio
import codecs
import logging
import re
from typing import Final

import aiohttp
import msgspec
from yarl import URL

from service.corpus import stored_documents
from service.corpus.isolation.pool import ParsingPool
from service.corpus.parsing import chunking
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.parsing.parsed_documents import Unreadable
from service.corpus.stored_documents import IndexContent
from service.thread_pools import ThreadPool
from service.url_hosts import UrlHosts
from service.web import connections, response_bodies, robots
from service.web.expiring_cache import ExpiringCache
from service.web.response_bodies import BodyRefused
from service.web.robots import RobotsRules
from sessions import names
from sessions.errors import Unavailable

BYTES: Final = 5 * 1024 * 1024
"""Bytes of a page, decoded; a larger one is not read."""
SECONDS: Final = 10.0
"""Seconds until a page has come, with its redirects and the robots.txt of each site."""
READING: Final = 10.0
"""Seconds until it is read."""
WAITING: Final = 5.0
"""Seconds that a page waits for others, where they are too many."""
REDIRECTS: Final = 5
LONGEST: Final = 2_000
"""Characters of an address."""
_AT_ONCE: Final = 32
"""Pages that are on their way at a time, of all requests together."""
_CACHED: Final = 64 * 1024 * 1024
"""Bytes of pages that are kept as they came,"""
_FRESH: Final = 600.0
"""and for how many seconds."""
_SITES: Final = 2_000
"""Sites whose robots.txt is kept,"""
_ROBOTS_FRESH: Final = 3_600.0
"""and for how many seconds: less than the day that RFC 9309 allows."""
_MOVED: Final = (301, 302, 303, 307, 308)
_ACCEPT: Final = "text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf"
_TYPES: Final = frozenset(
    {
        *("text/html", "application/xhtml+xml", "text/markdown", "text/x-markdown", "text/plain"),
        "application/pdf",
    }
)
_CHARSET: Final = re.compile(
    r"(?:iso-8859-|windows-125|cp125|koi8-|gb|big5|shift_jis|euc-)[a-z0-9_-]*", re.I
)
"""The encodings of the web that are transcoded; Python knows others that are traps."""
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_log = logging.getLogger(__name__)


class PageError(Exception):
    """A page was not read; the message is a word for the log."""


class WebPage(msgspec.Struct, frozen=True):
    """A page as it was read: the address that it came from in the end, and what it says."""

    url: str
    content: IndexContent


class PageFetcher:
    """Reads pages of the hosts that the operator lists."""

    def __init__(self, http: aiohttp.ClientSession, hosts: UrlHosts, parsers: ParsingPool) -> None:
        """*http* is a `connections.client` of the same *hosts*."""
        self._http = http
        self._hosts = hosts
        self._parsers = parsers
        self._threads = ThreadPool("web", 2)
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._pages: ExpiringCache[WebPage] = ExpiringCache(room=_CACHED, seconds=_FRESH)
        self._robots: ExpiringCache[RobotsRules] = ExpiringCache(room=_SITES, seconds=_ROBOTS_FRESH)

    def admit(self, address: str) -> bool:
        """Tell whether a page at *address* may be asked for."""
        return _parsed(address) is not None and self._hosts.admit_url(URL(address))

    async def fetch(self, address: str) -> WebPage:
        """Return the page at *address*, as it was within the last minutes.

        Raises:
            PageError: it may not be asked for, did not come in time, or says nothing that is read.
        """
        try:
            return await self._fetched(address)
        except PageError as exc:
            _log.info("page_not_read", extra={"reason": str(exc)})
            raise

    async def _fetched(self, address: str) -> WebPage:
        url = _parsed(address)
        if url is None:
            raise PageError("INVALID_URL")
        key = str(url)
        if (kept := self._pages.get(key)) is not None:
            return kept
        try:
            # With the wait for its turn: others may keep all turns for as long as they may take.
            async with asyncio.timeout(WAITING + SECONDS + READING), self._turns:
                async with asyncio.timeout(SECONDS):
                    source = await self._followed(url)
                async with asyncio.timeout(READING):
                    page = await self._read(source)
        except TimeoutError as exc:
            raise PageError("TIMEOUT") from exc
        except Unavailable as exc:
            raise PageError(exc.reason) from exc
        self._pages.put(key, page, size=len(source.data))
        return page

    async def _followed(self, url: URL) -> DocumentSource:
        """Return what lies at *url*, or where it is redirected to."""
        for _ in range(REDIRECTS + 1):
            await self._check(url)
            try:
                async with self._http.get(
                    url, allow_redirects=False, headers={"Accept": _ACCEPT}
                ) as response:
                    if response.status not in _MOVED:
                        return await self._received(url, response)
                    url = _target(url, response)
            except (aiohttp.ClientError, OSError, ValueError) as exc:
                raise PageError(_why(exc)) from exc
        raise PageError("TOO_MANY_REDIRECTS")

    async def _check(self, url: URL) -> None:
        """Refuse *url* unless the operator and its site allow it."""
        if not self._hosts.admit_url(url):
            raise PageError("HOST_NOT_ALLOWED")
        rules = await self._robots_of(url)
        if not await self._threads.run(rules.allow, str(url)):
            raise PageError("ROBOTS_DISALLOW")

    async def _robots_of(self, url: URL) -> RobotsRules:
        site = str(url.origin())
        if (kept := self._robots.get(site)) is not None:
            return kept
        text = await self._robots_text(url.origin() / "robots.txt")
        rules = await self._threads.run(RobotsRules, text, connections.AGENT)
        self._robots.put(site, rules)
        return rules

    async def _robots_text(self, url: URL) -> str:
        """Return the robots.txt at *url*, "" where there is none.

        RFC 9309, 2.3.1: a site without one allows everything, and one that fails nothing.
        """
        for _ in range(REDIRECTS + 1):
            if not self._hosts.admit_url(url):
                return ""
            try:
                async with self._http.get(url, allow_redirects=False) as response:
                    if response.status >= 500:
                        raise PageError("ROBOTS_UNAVAILABLE")
                    if response.status in _MOVED:
                        url = _target(url, response)
                        continue
                    if response.status != 200:
                        return ""
                    data, _ = await response_bodies.read(response, robots.LIMIT)
                    return data.decode("utf-8", errors="replace")
            except BodyRefused as exc:
                raise PageError("ROBOTS_UNAVAILABLE") from exc
            except (aiohttp.ClientError, OSError, ValueError) as exc:
                raise PageError(_why(exc)) from exc
        return ""

    async def _received(self, url: URL, response: aiohttp.ClientResponse) -> DocumentSource:
        if response.status != 200:
            raise PageError(f"STATUS_{response.status}")
        if response.content_type not in _TYPES:
            raise PageError("TYPE_NOT_READ")
        try:
            data, whole = await response_bodies.read(response, BYTES)
        except BodyRefused as exc:
            raise PageError("BODY_BROKEN") from exc
        if not whole:
            raise PageError("TOO_LARGE")
        data = await self._threads.run(_transcoded, data, response.charset or "")
        mime = _actual_type(response.content_type, data)
        return DocumentSource(id=names.WEB, data=data, mime=mime, uri=str(url.with_fragment(None)))

    async def _read(self, source: DocumentSource) -> WebPage:
        (read,) = await self._parsers.read([source], names.WEB, chunk_size=chunking.SIZE)
        if isinstance(read, Unreadable):
            raise PageError(read.reason)
        content = stored_documents.unpack(read.content)
        if content is None or not any(chunk.text.strip() for chunk in content.chunks):
            raise PageError("NO_TEXT")
        title = "" if content.title == names.WEB else content.title
        content = msgspec.structs.replace(content, title=title or source.uri, uri=source.uri)
        return WebPage(source.uri, content)


def _parsed(address: str) -> URL | None:
    """Return *address* without its fragment, None where it is none."""
    if len(address) > LONGEST:
        return None
    try:
        url = URL(address).with_fragment(None)
        return url if url.raw_host and url.port else None
    except ValueError:
        return None


def _target(url: URL, response: aiohttp.ClientResponse) -> URL:
    """Return where a redirect from *url* leads."""
    target = _parsed(str(url.join(URL(response.headers.get("Location", "")))))
    if target is None or target == url:
        raise PageError("BROKEN_REDIRECT")
    return target


def _transcoded(data: bytes, charset: str) -> bytes:
    """Return text in *charset* as UTF-8, where that has to be told apart."""
    if not _CHARSET.fullmatch(charset):
        return data
    try:
        return data.decode(charset, errors="replace").encode()
    except LookupError:
        return data


def _actual_type(told: str, data: bytes) -> str:
    """Return the type of *data*, which may be another than it was *told*."""
    if data.startswith(b"%PDF-"):
        return "application/pdf"
    is_text = b"\x00" not in data[:1024] or data.startswith(_UTF_16)
    if told == "application/pdf" or not is_text:
        raise PageError("TYPE_NOT_READ")
    return told


def _why(exc: Exception) -> str:
    inner = getattr(exc, "os_error", exc)
    return "ADDRESS_NOT_PUBLIC" if isinstance(inner, connections.AddressRefused) else "UNREACHABLE"
