"""Nothing is loaded where nobody traces, what is missing is said, and a stop waits for nobody."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

import pytest

from service.settings import Settings, SettingsError
from service.tracing import export
from sessions.spans import UNTRACED, Tracer
from tests.tracing.collector import Collector
from tests.whole.asking import PAGES
from tests.whole.processes import services

ROOT: Final = Path(__file__).parents[2]
_LOADED: Final = """
import os, sys
from service import settings
from service.composition.app import create_app
for endpoint in ({}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}):
    os.environ.update(endpoint)
    create_app(settings.read(os.environ))
    print(*[name for name in sys.argv[1:] if name in sys.modules])
"""
SENDING: Final = (
    "google.protobuf",
    "opentelemetry.exporter",
    "opentelemetry.sdk.trace",
    "requests",
    "service.tracing.otel_tracer",
)
"""What is loaded to trace; redis-py loads the part of the SDK for metrics, where that is there."""


def test_nothing_that_traces_is_loaded_where_nobody_says_where_traces_go() -> None:
    """In a process of its own, which makes a service without an endpoint, and then one with."""
    named = {"OTEL_TRACES_SAMPLER": "always_on", "OTEL_SERVICE_NAME": "help"}
    told = subprocess.run(
        [sys.executable, "-c", _LOADED, *SENDING],
        cwd=ROOT,
        env={"COLLOQUY_ANONYMOUS": "on", **named},
        check=True,
        capture_output=True,
        text=True,
    )
    assert told.stdout.splitlines() == ["", " ".join(SENDING)]


def test_nothing_traces_where_nobody_says_where_traces_go() -> None:
    assert export.opened(Settings()) is None
    assert export.tracer_of(None) is UNTRACED


def test_an_extra_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_NEEDED", ("opentelemetry.sdk", "nowhere.to.be_found"))
    with pytest.raises(SettingsError, match=r"pip install 'colloquy\[tracing\]'"):
        export.opened(Settings(traces=True))


class Stuck:
    """What sends spans to a collector that takes them and says nothing."""

    tracer: Tracer = UNTRACED

    def __init__(self) -> None:
        self.freed = threading.Event()

    def close(self) -> None:
        self.freed.wait()


@pytest.mark.anyio
async def test_a_collector_that_says_nothing_holds_up_no_stop(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(export, "FLUSH", 0.05)
    stuck = Stuck()
    async with export.closing(stuck):
        pass
    stuck.freed.set()
    assert "traces_lost" in caplog.messages


@pytest.mark.anyio
async def test_a_service_whose_collector_is_away_answers_and_stops(tmp_path: Path) -> None:
    async with Collector() as gone:
        settings = gone.environment()
    (tmp_path / "loans.md").write_text(PAGES["loans.md"])
    async with services(tmp_path / "data", tuple(settings.items())) as (service,):
        status, said = await service.command(
            "import", str(tmp_path / "loans.md"), "--data-store", "a"
        )
        assert status == 0, said
        await service.start()
        began = time.monotonic()
        assert await service.stop() == 0
        assert time.monotonic() - began < export.FLUSH + 10
