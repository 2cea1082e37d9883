"""Each line of the log says whose work it is about, and where that stands in a trace."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from service import logs
from service.security.principals import Principal, PrincipalKind
from sessions import log_context


def line(**said: str) -> dict[str, Any]:
    """Return what becomes of a line that says *said*."""
    return dict(logs.with_context(None, "", dict(said)))


@pytest.mark.anyio
async def test_a_line_names_the_work_of_its_task_and_of_no_other() -> None:
    async def work(answer: str) -> dict[str, Any]:
        log_context.bind(answer=answer)
        await asyncio.sleep(0)
        return line(event="done")

    async with asyncio.TaskGroup() as tasks:
        first, second = (tasks.create_task(work(answer)) for answer in ("a", "b"))
    assert first.result() == {"event": "done", "answer": "a"}
    assert second.result() == {"event": "done", "answer": "b"}
    assert line(event="done") == {"event": "done"}


@pytest.mark.anyio
async def test_work_that_another_happened_to_start_is_not_theirs() -> None:
    async def taken_over() -> dict[str, Any]:
        log_context.replace(answer="a")
        return line(event="done")

    log_context.bind(principal="key:reader")
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(taken_over())
    assert task.result() == {"event": "done", "answer": "a"}


@pytest.mark.anyio
async def test_what_a_line_says_itself_stands() -> None:
    log_context.bind(answer="a")
    assert line(answer="b") == {"answer": "b"}


@pytest.mark.anyio
async def test_of_a_person_a_line_says_what_nobody_can_guess_back() -> None:
    ada, bob = (
        Principal(kind=PrincipalKind.USER, id=f"user:colloquy:{name}@example.org")
        for name in ("ada", "bob")
    )
    key = Principal(kind=PrincipalKind.SERVER, id="key:portal")
    log_context.bind(principal=ada.log_id)
    said = line()["principal"]
    assert said == ada.log_id() != bob.log_id()
    assert "ada" not in said
    assert said.startswith("user:")
    assert key.log_id() == "key:portal"
