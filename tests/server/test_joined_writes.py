"""The head of a response waits for its body for one turn of the loop, and never longer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import anyio
import pytest

from service.server.joined_writes import JoinedWrites

pytestmark = pytest.mark.anyio


class Recording(asyncio.Transport):
    """Keeps what is written by each call, and then that it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[bytes | None] = []

    def write(self, data: Any) -> None:
        self.calls.append(bytes(data))

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        self.calls.append(b"".join(list_of_data))

    def close(self) -> None:
        self.calls.append(None)


async def next_turn() -> None:
    await anyio.lowlevel.checkpoint()
    await anyio.lowlevel.checkpoint()


def joined() -> tuple[Recording, JoinedWrites]:
    transport = Recording()
    return transport, JoinedWrites(transport, asyncio.get_running_loop())


async def test_head_and_body_go_out_at_once_and_once() -> None:
    transport, writes = joined()
    writes.write(b"head ")
    writes.write(b"body ")
    writes.write(b"more")
    assert transport.calls == [b"head body ", b"more"]
    await next_turn()
    assert len(transport.calls) == 2


async def test_a_head_whose_body_is_not_there_yet_goes_out_alone() -> None:
    """That of a stream of events, whose first comes when it comes."""
    transport, writes = joined()
    writes.write(b"head ")
    assert transport.calls == []
    await next_turn()
    assert transport.calls == [b"head "]
    writes.write(b"body")
    assert transport.calls == [b"head ", b"body"]


async def test_closing_writes_what_is_held() -> None:
    transport, writes = joined()
    writes.write(b"head")
    writes.close()
    await next_turn()
    assert transport.calls == [b"head", None]
