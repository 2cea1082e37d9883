"""Fetch what an OIDC provider publishes at an address that the operator gave (RFC 7517)."""

from __future__ import annotations

import asyncio
from typing import Final

import aiohttp
from yarl import URL

from service.security.tokens.verification_keys import unreadable
from service.version import VERSION
from service.web import response_bodies
from service.web.response_bodies import BodyRefused

SECONDS: Final = 5.0
"""Seconds until the keys have come: requests wait for them."""
BYTES: Final = 256 * 1024
"""Bytes of a key set; usual ones have some thousand."""


class KeySetEndpoint:
    """Where one provider publishes its keys.

    The address is the operator's, so it may be internal. A redirect is followed nowhere: it would
    be the provider's choice where this service looks, and by which protocol.
    """

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http = http
        self._url = URL(url)

    async def fetch(self) -> bytes:
        """Return what is published, as it is.

        Raises:
            Unavailable: it cannot be read now (ISSUER_UNAVAILABLE).
        """
        try:
            async with (
                asyncio.timeout(SECONDS),
                self._http.get(self._url, allow_redirects=False) as response,
            ):
                if response.status != 200:
                    raise unreadable(f"its address answers with status {response.status}")
                data, whole = await response_bodies.read(response, BYTES)
        except (aiohttp.ClientError, OSError, BodyRefused) as exc:
            # TimeoutError is one of OSError.
            raise unreadable("its address cannot be reached, or takes too long") from exc
        if not whole:
            raise unreadable(f"what it publishes has more than {BYTES} bytes")
        return data


def client() -> aiohttp.ClientSession:
    """Open the HTTP client of the endpoints; whoever opens it closes it."""
    return aiohttp.ClientSession(
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        headers={"User-Agent": f"Colloquy/{VERSION}", "Accept-Encoding": "gzip"},
        timeout=aiohttp.ClientTimeout(total=None),
    )
