"""The README's tour does what the README says."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.whole.processes import ROOT, services

pytestmark = pytest.mark.anyio


async def test_the_tour_runs_and_prints_proof(tmp_path: Path) -> None:
    """On a fresh data directory, against the sample that the first start imports."""
    (tour,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    async with services(tmp_path / "data", [("COLLOQUY_SAMPLE", "on")]) as (service,):
        await service.start()
        script = tour.replace("127.0.0.1:8080", f"127.0.0.1:{service.port}")
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await process.communicate()
    lines = output.decode().splitlines()
    assert process.returncode == 0
    assert lines[0] == "ready  ''"
    assert any(line.startswith("element STREAMING") for line in lines)
    assert any(line.startswith("element SUCCEEDED") for line in lines)
    assert any("bytes" in line and line.endswith("<- Citations") for line in lines)


def test_every_file_that_the_readme_names_is_there() -> None:
    text = (ROOT / "README.md").read_text()
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / link).exists(), link
