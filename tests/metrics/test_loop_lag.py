from __future__ import annotations

import asyncio
import math
import time

import pytest

from service.metrics.loop_lag import LoopLag
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


async def test_a_loop_that_was_held_up_is_seen_to_be_late() -> None:
    lag = LoopLag()
    async with asyncio.TaskGroup() as tasks:
        measuring = tasks.create_task(lag.keep_measuring())
        await asyncio.sleep(0)
        time.sleep(0.5)  # noqa: ASYNC251 - what must never be done is what is to be seen
        await eventually(lambda: dict(lag.seconds.cumulative())[math.inf] > 0)
        measuring.cancel()
    assert lag.seconds.total >= 0.2
