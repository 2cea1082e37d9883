"""What takes long takes few threads, whoever asks and whoever leaves, and no others wait for it."""

from __future__ import annotations

import ast
import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.thread_pools import ThreadPool, ThreadPools
from tests.waiting import eventually

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


class Work:
    """Calls that last until they may end."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.go = threading.Event()

    def __call__(self, number: int) -> int:
        self.begun.append(number)
        self.go.wait()
        return number


@pytest.fixture
def work() -> Iterator[Work]:
    work = Work()
    yield work
    work.go.set()


async def test_two_calls_run_at_a_time_and_the_others_wait_in_order(work: Work) -> None:
    pool, other = ThreadPool("test", 2), ThreadPool("other", 1)
    async with asyncio.TaskGroup() as tasks:
        calls = [tasks.create_task(pool.run(work, number)) for number in range(6)]
        await eventually(lambda: len(work.begun) == 2)
        assert await other.run(int, "7") == 7  # another kind of work waits for none of them
        assert sorted(work.begun) == [0, 1]
        work.go.set()
    assert [call.result() for call in calls] == [*range(6)]


async def test_who_leaves_makes_no_room_and_is_not_worked_for(work: Work) -> None:
    pool, other = ThreadPool("test", 2), ThreadPool("other", 1)
    async with asyncio.TaskGroup() as tasks:
        left = [tasks.create_task(pool.run(work, number)) for number in range(4)]
        await eventually(lambda: len(work.begun) == 2)
        for call in left:
            call.cancel()
        await asyncio.wait(left)
        last = tasks.create_task(pool.run(work, 4))
        await other.run(int, "7")
        assert sorted(work.begun) == [0, 1]
        work.go.set()
    assert last.result() == 4
    assert sorted(work.begun) == [0, 1, 4]


async def test_the_calls_that_run_and_wait_are_known() -> None:
    pools, free = ThreadPools(), threading.Event()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(pools.reading.run(free.wait))
        await eventually(lambda: pools.calls["reading"] == 3)
        assert pools.calls["proving"] == 0
        free.set()
    assert pools.calls["reading"] == 0


def _borrows(node: ast.AST) -> bool:
    """Tell whether *node* puts work on threads that everybody shares."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if called == "run_in_executor":
        return not node.args or ast.unparse(node.args[0]) == "None"
    return called == "to_thread" or any(
        keyword.arg == "sync_to_thread" and ast.unparse(keyword.value) != "False"
        for keyword in node.keywords
    )


def test_nothing_runs_on_the_threads_that_everybody_shares() -> None:
    """There, some slow imports would take every thread, and an answer would wait for them."""
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for folder in ("service", "sessions", "streaming")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and _borrows(node)
    ]
    assert found == []
