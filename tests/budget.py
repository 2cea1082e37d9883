"""Name the tests that take more of a processor than they should; hooks of `tests/conftest.py`.

Time of processors and not by the clock, so that a busy machine blames nobody; with that of the
processes which a test starts and ends, and of the fixtures that are set up for it first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from typing import Any, Final

import pytest

from tests import fork_server

BUDGET: Final = 4.0
"""Seconds of CPU of one test: two processes of the service that start take as much."""
_MOST: Final = 20  # tests that are named

_KEY: Final = "colloquy_dear_tests"
_dear = pytest.StashKey[dict[str, float]]()


def spent() -> float:
    """Return the seconds of CPU of this process, and of those that it started and that ended."""
    times = os.times()
    children = times.children_user + times.children_system
    return time.process_time() + children + fork_server.spent()


def _of(config: pytest.Config) -> dict[str, float]:
    return config.stash.setdefault(_dear, {})


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Remember what *item* took, where that is over the budget."""
    before = spent()
    try:
        return (yield)
    finally:
        if (took := spent() - before) > BUDGET:
            _of(item.config)[item.nodeid] = took


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand what a worker of xdist remembers to who prints it."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_KEY] = _of(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a worker remembers; one that crashed hands nothing over."""
    _of(node.config).update(getattr(node, "workeroutput", {}).get(_KEY, {}))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the dearest first."""
    dear = sorted(_of(config).items(), key=lambda each: -each[1])
    if dear:
        terminalreporter.section(f"more than {BUDGET:g} s of CPU")
        for test, took in dear[:_MOST]:
            terminalreporter.line(f"{took:5.1f} s {test}")
