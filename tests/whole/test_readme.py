"""The README's tour does what the README says."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from sessions import names
from tests.whole.processes import ROOT, services

pytestmark = pytest.mark.anyio


async def test_the_tour_runs_and_prints_proof(tmp_path: Path) -> None:
    """On a fresh data directory, against the sample that the first start imports.

    Two people run it at once: each has a session of their own, whatever id the tour sends.
    """
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    async with services(tmp_path / "data", [("COLLOQUY_SAMPLE", "on")]) as (service,):
        await service.start("--workers", "1")  # not forked: all that a first start takes
        script = example.replace("127.0.0.1:8080", f"127.0.0.1:{service.port}")
        async with asyncio.TaskGroup() as tasks:
            tours = [tasks.create_task(_run(script)) for _ in range(2)]
        address = f"{service.rest}/v1/{names.SAMPLE_DATA_STORE}/sessions"
        listed = await asyncio.to_thread(lambda: urlopen(address).read())
    assert len(json.loads(listed)["sessions"]) == 2
    for tour in tours:
        lines = tour.result()
        assert lines[0] == "ready  ''"
        assert any(line.startswith("element STREAMING") for line in lines)
        assert any(line.startswith("element SUCCEEDED") for line in lines)
        assert any("bytes" in line and line.endswith("<- Citations") for line in lines)


async def _run(script: str) -> list[str]:
    """Run *script* and return the lines that it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    return output.decode().splitlines()


def test_every_file_that_the_readme_names_is_there() -> None:
    text = (ROOT / "README.md").read_text()
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / link).exists(), link
