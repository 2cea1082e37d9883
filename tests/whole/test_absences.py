"""What is not there for a caller cannot be told from what is not there at all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests import redis_servers
from tests.whole import absences, frame_matrix, house
from tests.whole.house import Caller, House

pytestmark = pytest.mark.anyio

_NAMES = ("owner", "integration", "own store")
"""Who sees only what is theirs, and who sees all within a boundary."""


@pytest.fixture(scope="module")
def server(redis_binary: str) -> Iterator[str]:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder) as running,
    ):
        yield running.url


@pytest.fixture(scope="module")
async def inside(server: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    async with house.furnished(server, tmp_path_factory.mktemp("house")) as furnished:
        yield furnished


def callers(inside: House) -> list[Caller]:
    return [each for each in inside.callers if each.name in _NAMES]


async def test_every_frame_tells_and_takes_the_same(inside: House, server: str) -> None:
    found = await absences.of_frames(inside, server, callers(inside))
    assert absences.differences(found) == []
    assert {each.what.split()[0] for each in found} == {*frame_matrix.ABOUT}
    assert all(each.asked for each in found)


async def test_every_route_tells_and_takes_the_same(inside: House, server: str) -> None:
    """Of lists as of single resources, by what is in the path and by what is in the body."""
    found = await absences.of_routes(inside, server, callers(inside))
    assert absences.differences(found) == []
    about = {each.what for each in found}
    for last in ("sessions", "conversations", "documents", "operations", "answers/{answer}"):
        assert any(what.startswith("GET") and what.endswith(f"/{last}") for what in about), last
    assert any(what.endswith("by its body") for what in about)
    assert {each.told[:3] for each in found} <= {"404", "403"}
