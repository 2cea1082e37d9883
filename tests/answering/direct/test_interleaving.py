"""Several streams read as one: order within each, bounds, failures, closing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from service.answering.direct.interleaving import interleaved

pytestmark = pytest.mark.anyio


async def counting(name: str, most: int = 3) -> AsyncGenerator[tuple[str, int]]:
    for number in range(most):
        await asyncio.sleep(0)
        yield name, number


async def failing() -> AsyncGenerator[tuple[str, int]]:
    yield "f", 0
    raise ValueError("enough")


@pytest.mark.parametrize("names", ["a", "ab", "abcdefgh"])
async def test_every_stream_keeps_its_order(names: str) -> None:
    items = [item async for item in interleaved([counting(name) for name in names], at_once=2)]
    for name in names:
        assert [number for of, number in items if of == name] == [0, 1, 2]
    assert len(items) == 3 * len(names)


async def test_no_more_run_at_a_time_than_wanted() -> None:
    running, most = 0, 0

    async def watched() -> AsyncGenerator[int]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        yield 0
        await asyncio.sleep(0)
        running -= 1

    assert len([item async for item in interleaved([watched() for _ in range(8)], at_once=3)]) == 8
    assert most == 3


async def test_the_first_failure_is_raised_as_it_is() -> None:
    with pytest.raises(ValueError, match="enough"):
        async for _ in interleaved([counting("a", 10_000), failing()], at_once=2):
            pass


async def test_closing_closes_all_streams() -> None:
    closed = list[str]()

    async def endless(name: str) -> AsyncGenerator[str]:
        try:
            while True:
                yield name
        finally:
            closed.append(name)

    streams = interleaved([endless("a"), endless("b")], at_once=2)
    seen = [await anext(streams) for _ in range(3)]
    assert set(seen) <= {"a", "b"}
    await streams.aclose()
    assert sorted(closed) == ["a", "b"]
