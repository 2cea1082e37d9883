"""A service that is told to stop: what it still does, what it says, what it leaves behind."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests import doubles
from tests.waiting import eventually
from tests.whole.asking import (
    ANSWER,
    ASKED,
    CONFIG,
    HEADERS,
    PIECES,
    QUERY,
    STORE,
    STORED,
    STREAMS,
    TOLD,
    WHOLE,
    Asking,
    Pausing,
    ended,
    serving,
)
from tests.whole.processes import services

pytestmark = pytest.mark.anyio


@pytest.fixture
async def model() -> AsyncIterator[Pausing]:
    pausing = Pausing()
    async with pausing.server:
        yield pausing


async def test_questions_over_rest_are_answered_to_their_end(
    tmp_path: Path, model: Pausing
) -> None:
    async with serving(tmp_path, model, grace=600) as service:
        async with Asking(service) as client:
            whole = client.ask_all(WHOLE)
            stored = client.ask_all(STORED)
            streams = client.ask_all(STREAMS)
            pieces = client.ask_all(PIECES)
            await eventually(lambda: model.waiting == ASKED)
            await client.begin_to_stop()
            model.go.set()
        for reply in (whole | stored).values():
            assert reply.result().status == 200
            assert "20 cents" in reply.result().body
        for reply in streams.values():
            assert reply.result().stream()[-1]["answer"]["answerText"] == TOLD
        for reply in pieces.values():
            assert reply.result().stream()[-1]["candidates"][0]["finishReason"] == "STOP"
        await ended(service)


async def test_what_outlives_the_grace_ends_with_the_reason(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, grace=1) as service:
        async with Asking(service) as client:
            whole = [*client.ask_all(WHOLE).values(), *client.ask_all(STORED).values()]
            streams = client.ask_all(STREAMS)
            whole += client.ask_all(PIECES).values()  # all they have may still be held back
            await eventually(lambda: model.waiting == ASKED)
            await client.begin_to_stop()
        for reply in whole:
            assert reply.result().status == 503
            assert reply.result().reason == "SHUTTING_DOWN"
        for reply in streams.values():
            elements = [element["answer"] for element in reply.result().stream()]
            assert elements[-1]["state"] == "FAILED"
            assert elements[-1]["answerText"].startswith("Keep a book")
            assert "FAILED" not in [element["state"] for element in elements[:-1]]
        await ended(service)


async def test_while_it_stops_it_answers_all_but_questions(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, grace=600) as service:
        async with Asking(service) as client:
            client.ask(f"{CONFIG}:answer", ANSWER)
            await eventually(lambda: model.waiting == 1)
            await client.begin_to_stop()
            for path, body in [*WHOLE.values(), *STREAMS.values(), *PIECES.values()]:
                refused = await client.post(path, body)
                assert (refused.status, refused.reason) == (503, "SHUTTING_DOWN")
            for path in ("/livez", "/metrics", f"/v1/{STORE}"):
                assert (await client.get(path)).status == 200
            assert (await client.post(f"{CONFIG}:search", {"query": QUERY})).status == 200
            model.go.set()
        await ended(service)


async def test_a_second_signal_ends_the_grace(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, grace=600) as service:
        async with Asking(service) as client:
            stream = client.ask(*STREAMS["array"])
            stored = client.ask(*STREAMS["session"])
            await eventually(lambda: model.waiting == 2)
            await client.begin_to_stop()
            assert service.process is not None
            service.process.terminate()
        for reply in (stream.result(), stored.result()):
            # One of which nothing was told yet says what to do; a busy machine may be so slow.
            if reply.status == 503:
                assert reply.reason == "SHUTTING_DOWN"
            else:
                assert reply.stream()[-1]["answer"]["state"] == "FAILED"
        await ended(service)
        assert "answer_let_go" in service.record.read_text()


async def test_who_reads_nothing_and_who_says_nothing_hold_nothing_up(
    tmp_path: Path, model: Pausing
) -> None:
    model.server.script(doubles.stream(*("much to read, " * 1000 for _ in range(1000))))
    async with serving(tmp_path, model, grace=1) as service:
        body = json.dumps(ANSWER).encode()
        unread, reading = await asyncio.open_connection("127.0.0.1", service.port, limit=1024)
        reading.write(
            b"POST /v1/%b:streamAnswer HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b"
            % (CONFIG.encode(), HEADERS, len(body), body)
        )
        assert b"200" in await unread.readline()
        told, silent = await asyncio.open_connection("127.0.0.1", service.port)
        silent.write(
            b"POST /v1/%b:answer HTTP/1.1\r\n%bContent-Length: 99\r\n\r\n{"
            % (CONFIG.encode(), HEADERS)
        )
        async with Asking(service) as client:
            assert (await client.get("/livez")).status == 200  # what came before is read by now
            await client.begin_to_stop()
        assert b"503" in await told.readline()
        assert b"SHUTTING_DOWN" in await told.read()
        await ended(service)
        reading.close()
        silent.close()


async def test_a_signal_at_the_start_leaves_nothing_behind(tmp_path: Path) -> None:
    """As Ctrl-C here; `test_workers` has each signal at the start."""
    async with services(tmp_path / "data") as (service,):
        await service.launch()
        assert await service.stop(signal.SIGINT) == 0
        await ended(service)


async def test_a_signal_while_redis_starts_leaves_nothing_behind(tmp_path: Path) -> None:
    async with services(tmp_path / "data") as (service,):
        await service.launch()
        await eventually(lambda: service.redis_pid() > 0)
        assert await service.stop() == 0
        await ended(service)


async def test_a_terminal_that_closes_stops_it_as_well(tmp_path: Path) -> None:
    async with services(tmp_path / "data") as (service,):
        await service.start()
        assert await service.stop(signal.SIGHUP) == 0
        await ended(service)


async def test_a_second_signal_reaches_all_workers(tmp_path: Path, model: Pausing) -> None:
    async with serving(tmp_path, model, 600, "--workers", "2") as service:
        async with Asking(service) as client:
            asked = [client.ask(*STREAMS["array"])]

            def is_waiting() -> bool:
                if asked[-1].done():  # by a worker that was not ready yet
                    asked.append(client.ask(*STREAMS["array"]))
                return model.waiting == 1

            await eventually(is_waiting)
            assert service.process is not None
            service.process.terminate()
            # The one that has nothing to do ends at once, and the other waits for its answer.
            await eventually(lambda: len(service.workers()) == 1)
            service.process.terminate()
        assert asked[-1].result().stream()[-1]["answer"]["state"] == "FAILED"
        await ended(service)
