"""Reading a document takes no more than it may, and harms nobody but itself."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Final

import pytest

from service.corpus.isolation.document_limits import ParsingLimits
from service.corpus.isolation.pool import ParsingPool
from service.corpus.parsing import chunking
from service.corpus.parsing.document_sources import DocumentSource, JsonLine
from service.corpus.parsing.parsed_documents import Unreadable
from service.corpus.stored_documents import StoredDocument
from sessions.errors import Unavailable
from tests import waiting
from tests.corpus import hostile
from tests.corpus.texts import STORE

pytestmark = pytest.mark.anyio

GOOD: Final = DocumentSource(id="good", data=b"# Trams\n\nThe tram is late.", filename="good.md")
ROW: Final = b"Some *words* in a [row](x).\n\n"
SLOW: Final = DocumentSource(id="slow", data=ROW * 60_000, filename="s.md")
"""Good, and takes seconds,"""
LONG: Final = DocumentSource(id="long", data=ROW * 3_000, filename="l.md")
"""or only more than the slice of time that each gets."""
PROBE: Final = """
import asyncio, sys
from service.corpus.isolation.pool import ParsingPool
from tests.corpus.isolation.test_pool import SLOW, read

async def main():
    async with ParsingPool() as pool:
        reading = asyncio.ensure_future(read(pool, SLOW))
        while not pool.pids:
            await asyncio.sleep(0.01)
        print(*pool.pids, flush=True)
        await reading

asyncio.run(main())
"""


async def read(pool: ParsingPool, *sources: DocumentSource) -> list[StoredDocument | Unreadable]:
    return await pool.read(sources, STORE, chunk_size=chunking.SIZE)


def reasons(found: list[StoredDocument | Unreadable]) -> list[str]:
    return [one.reason if isinstance(one, Unreadable) else "" for one in found]


async def reading(pool: ParsingPool) -> int:
    """Return the process of *pool* as soon as it is at work."""
    await waiting.eventually(lambda: any(seconds(pid) > 0.5 for pid in pool.pids), within=60)
    return pool.pids[0]


def status(pid: int) -> list[str]:
    """Return what the system tells of a process after its name, nothing where there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def seconds(pid: int) -> float:
    told = status(pid)
    return int(told[11]) / os.sysconf("SC_CLK_TCK") if told else 0.0


def ended(pid: int) -> bool:
    return status(pid)[:1] in ([], ["Z"])


@pytest.mark.parametrize(
    ("limits", "hostile_source", "said"),
    [
        (ParsingLimits(seconds=1, seconds_per_megabyte=0), SLOW, "seconds of CPU"),
        (ParsingLimits(wall_factor=0, wall_extra=1), SLOW, "seconds by the clock"),
        (
            ParsingLimits(memory=160 << 20, memory_per_byte=0),
            DocumentSource(id="l", data=hostile.HOSTILE["lists.json"](), filename="lists.json"),
            "MB of memory",
        ),
        (
            ParsingLimits(memory=200 << 20, memory_per_byte=0),
            DocumentSource(id="e", data=hostile.many_elements(1_500_000), filename="elements.docx"),
            "MB of memory",
        ),
    ],
    ids=["cpu", "clock", "memory", "memory of XML"],
)
async def test_a_document_over_its_limit_is_told_and_the_others_are_read(
    limits: ParsingLimits, hostile_source: DocumentSource, said: str
) -> None:
    async with ParsingPool(limits) as pool:
        found = await read(pool, GOOD, hostile_source, GOOD)
    assert reasons(found) == ["", "PARSE_LIMIT", ""]
    assert said in str(found[1])


@pytest.mark.parametrize(
    ("how", "reason"),
    [(signal.SIGSEGV, "PARSER_CRASHED"), (signal.SIGKILL, "PARSE_LIMIT")],
)
async def test_a_crash_is_told_of_the_document_that_was_being_read(
    how: signal.Signals, reason: str
) -> None:
    """A kill that is not ours is the system's, for want of memory."""
    async with ParsingPool() as pool, asyncio.TaskGroup() as tasks:
        found = tasks.create_task(read(pool, GOOD, SLOW, GOOD))
        os.kill(await reading(pool), how)
        assert reasons(await found) == ["", reason, ""]


async def test_a_process_that_died_without_work_blames_no_document() -> None:
    async with ParsingPool() as pool:
        await read(pool, GOOD)
        (pid,) = pool.pids
        os.kill(pid, signal.SIGKILL)
        assert reasons(await read(pool, GOOD)) == [""]
        assert pool.pids != [pid]


async def test_a_cancelled_import_leaves_no_process() -> None:
    async with ParsingPool() as pool, asyncio.TaskGroup() as tasks:
        found = tasks.create_task(read(pool, SLOW))
        process = await reading(pool)
        found.cancel()
        await waiting.eventually(lambda: ended(process))


async def test_a_service_that_stops_ends_what_is_being_read() -> None:
    async with ParsingPool() as pool, asyncio.TaskGroup() as tasks:
        busy = tasks.create_task(refusal(pool))
        process = await reading(pool)
        waits = tasks.create_task(refusal(pool))
        await pool.drain(0.1)
        assert [(await busy).reason, (await waits).reason] == ["SERVICE_STOPPED"] * 2
        assert (await refusal(pool)).reason == "SERVICE_STOPPED"
    assert ended(process)


async def refusal(pool: ParsingPool) -> Unavailable:
    with pytest.raises(Unavailable) as refused:
        await read(pool, SLOW)
    return refused.value


async def test_an_import_that_goes_on_while_the_service_stops_is_refused_at_once() -> None:
    async with ParsingPool() as pool:
        await read(pool, GOOD)
        await pool.drain(0.1)
        async with asyncio.timeout(waiting.LONG):
            assert (await refusal(pool)).reason == "SERVICE_STOPPED"


async def test_no_process_outlives_a_service_that_is_killed() -> None:
    service = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROBE, stdout=asyncio.subprocess.PIPE
    )
    assert service.stdout is not None
    process = int(await service.stdout.readline())
    assert not ended(process)
    service.kill()
    await service.wait()
    await waiting.eventually(lambda: ended(process))


async def test_a_process_has_nothing_of_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its secrets nor its files, although one is there to be inherited."""
    monkeypatch.setenv("COLLOQUY_LLM_API_KEY", "secret")
    with (tmp_path / "open").open("wb") as file:
        os.set_inheritable(file.fileno(), True)
        async with ParsingPool() as pool:
            await read(pool, GOOD)
            process = Path(f"/proc/{pool.pids[0]}")
            open_ones = {str(each.readlink()) for each in (process / "fd").iterdir()}
            assert (process / "environ").read_bytes() == b""
            assert (process / "cwd").readlink() == Path("/")
            assert int(status(pool.pids[0])[16]) > os.nice(0)
    assert len(open_ones) == 3  # two pipes and /dev/null
    assert str(tmp_path / "open") not in open_ones


async def test_imports_take_turns() -> None:
    """However much one brings, another waits for one document and not for all."""
    order: list[str] = []

    async def note(name: str, *sources: DocumentSource) -> None:
        await read(pool, *sources)
        order.append(name)

    async with ParsingPool(size=1) as pool, asyncio.TaskGroup() as tasks:
        tasks.create_task(note("large", *(LONG,) * 3))
        process = await reading(pool)
        tasks.create_task(note("small", GOOD))
    assert order == ["small", "large"]
    assert ended(process)


async def test_a_process_reads_many_documents_however_large_the_service_is() -> None:
    """What the service has in memory is not taken for what its process had."""
    ballast = b"x" * (512 * 1024 * 1024)
    async with ParsingPool(size=1) as pool:
        await read(pool, GOOD)
        before = pool.pids
        await read(pool, GOOD)
        assert pool.pids == before
    assert ballast


@pytest.mark.parametrize("at_once", [1, 300])
async def test_lines_become_documents_in_their_order(at_once: int) -> None:
    lines = [
        JsonLine(data=b'{"text": "%d"}' % n, filename="l", number=n, ordinal=n)
        for n in range(at_once)
    ]
    lines.append(JsonLine(data=b"[]", filename="l", number=9, ordinal=9))
    async with ParsingPool() as pool:
        *told, last = await pool.split(lines)
    assert [one.data for one in told if isinstance(one, DocumentSource)] == [
        b"%d" % n for n in range(at_once)
    ]
    assert isinstance(last, Unreadable)
    assert str(last).startswith("line 9")
