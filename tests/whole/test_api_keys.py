"""A service that others reach starts only where somebody has to show who they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.whole.processes import services

pytestmark = pytest.mark.anyio


async def test_a_service_that_others_reach_asks_for_a_key_and_says_how(tmp_path: Path) -> None:
    async with services(tmp_path / "data", [("COLLOQUY_HOST", "0.0.0.0")]) as (service,):
        status, said = await service.command("serve")
        assert status == 2
        assert "colloquy keys create --scope admin" in said
        assert "COLLOQUY_ANONYMOUS=on colloquy serve" in said
        assert "Traceback" not in said
