"""What tests of documents share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from service.corpus.isolation.pool import ParsingPool


@pytest.fixture(scope="module")
async def parsers() -> AsyncIterator[ParsingPool]:
    """Return a pool whose processes begin when they are needed, and end with the module."""
    async with ParsingPool() as pool:
        yield pool
